// People in a convening: turns, waiting, interjections, pauses and structured turns.
import assert from "node:assert/strict";
import {
  type Agent,
  type ConveningEvent,
  type ConveningResult,
  createAgent,
  createDialogueWorkflow,
  createParticipant,
  folderRecord,
  interject,
  listConvenings,
  memoryRecord,
  openConvening,
  pauseConvening,
  resume,
  speak,
  TurnOrderError,
  verify,
} from "../../mod.ts";
import type { DialogueOptions, RecordStore } from "../../protocol.ts";
import type { Inbox, Submission } from "../../src/core/record.ts";
import { recordFiles } from "../../src/record/disk_files.ts";
import { leaveSubmission } from "../../src/record/shelves.ts";
import { debateOf, dialogueOf, Talker } from "../support/talkers.ts";
import { consensusOfTalkers, deliberation } from "../consensus/support/deliberators.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";

const TOPIC = "Should cities ban private cars?";

/** Creates a dialogue of Ada, a person, and Ben, an agent that says its turn's key. */
function talkOf(options: DialogueOptions = {}) {
  const ben = new Talker(({ context }) => ({ text: `Ben speaks in ${context.key} of cars.` }));
  const workflow = createDialogueWorkflow(TOPIC, [
    createParticipant({ name: "Ada", agentConfig: { model: "human" } }),
    createParticipant({ name: "Ben" }, ben),
  ], { maxTurns: 4, record: memoryRecord(), ...options });
  return { workflow, ben };
}

/** Creates a record in memory with this inbox. */
function recordWith(inbox: Inbox): RecordStore {
  const store = memoryRecord();
  return {
    open: async (start) => {
      const { apply, close, ...opened } = await store.open(start);
      return { ...opened, apply, close, inbox };
    },
  };
}

async function follow(
  workflow: { stream(): AsyncGenerator<ConveningEvent, ConveningResult<unknown>> },
  onEvent: (event: ConveningEvent) => void,
): Promise<{ events: ConveningEvent[]; result: ConveningResult<unknown> }> {
  const events: ConveningEvent[] = [];
  const stream = workflow.stream();
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return { events, result: step.value };
    events.push(step.value);
    onEvent(step.value);
  }
}

Deno.test("A person's turn is announced, awaited and said through the library", async () => {
  const { workflow } = talkOf();
  const words = ["Cars need room that people need more.", "A bus carries more than a car."];
  const { events, result } = await follow(workflow, (event) => {
    if (event.type !== "turn-wait") return;
    assert.ok(event.task.length > 0);
    assert.throws(
      () => workflow.say("ben", "It is not my turn."),
      (error) => error instanceof TurnOrderError && /ada/.test(error.hint ?? ""),
    );
    workflow.say("ada", words.shift()!);
  });
  assert.equal(result.status, "completed");
  assert.deepEqual(result.messages.map(({ name, model }) => [name, model]), [
    ["Ada", "human"],
    ["Ben", "ollama:talker"],
    ["Ada", "human"],
    ["Ben", "ollama:talker"],
  ]);
  assert.equal(result.messages[0]!.body, "Cars need room that people need more.");
  assert.deepEqual(result.messages[0]!.usage.costUsd, 0);
  assert.equal(events.filter(({ type }) => type === "turn-wait").length, 2);
});

Deno.test("A pause is not lost when a person speaks while the pause is removed from the inbox", async () => {
  const left: Submission[] = [];
  const say = () => workflow.say("ada", "Cars need room that people need more.");
  const inbox: Inbox = {
    read: () => Promise.resolve([...left]),
    done() {
      left.splice(0);
      assert.throws(say, TurnOrderError);
      return Promise.resolve();
    },
  };
  const { workflow } = talkOf({ record: recordWith(inbox) });
  let waits = 0;
  const { result } = await follow(workflow, ({ type }) => {
    if (type !== "turn-wait") return;
    // Without the pause, the person's second turn ends the dialogue.
    if (++waits > 1) return say();
    left.push({ id: "1", type: "pause" });
    void workflow.hear();
  });
  assert.equal(result.status, "paused");
});

Deno.test("A pause is obeyed before the next turn, though an interjection before it is on record already", async () => {
  const left: Submission[] = [{ id: "1", type: "interjection", text: "What of buses?" }];
  let reads = 0;
  const record = recordWith({
    // The first read of a run discards earlier pauses.
    read: () => Promise.resolve(++reads === 1 ? left : [...left, { id: "2", type: "pause" }]),
    // As after a crash before the removal: the interjection stays.
    done: () => Promise.resolve(),
  });
  for (const run of ["first run", "resume"]) {
    reads = 0;
    const { status, messages } = await dialogueOf(new Talker(), { record }).workflow.run();
    assert.equal(status, "paused", run);
    assert.deepEqual(messages.map(({ kind }) => kind), ["interjection"], run);
  }
});

Deno.test("A person is not asked to fold turns or to sum up a stop", async () => {
  const { workflow } = talkOf({ maxTurns: 8, maxPromptTokens: 500 });
  const { events } = await follow(workflow, (event) => {
    if (event.type !== "turn-wait") return;
    workflow.say("ada", `Of ${event.turn.turn} I say: ${"trams need less room. ".repeat(40)}`);
  });
  const folds = events.filter(({ type }) => type === "context") as { context: { model: string } }[];
  assert.ok(folds.length > 0 && folds.every(({ context }) => context.model === "ollama:talker"));
  for (const model of ["human", "client"]) {
    const agents = { m: createAgent(model) };
    const { workflow } = debateOf(new Talker(), { agents, limits: { maxTurns: 3 } });
    const { endReason, summary } = await workflow.run();
    assert.equal(endReason, "max_turns");
    assert.match(summary, /ended early \(limit of turns\) after 3 messages/);
  }
});

withFolder.test("A convening waits on disk when a person does not speak in time, and is resumed", async (out) => {
  const { workflow } = talkOf({ record: folderRecord({ out }), personTimeout: 0 });
  const first = await workflow.run();
  assert.equal(first.status, "waiting");
  // Words that arrive as the time runs out need a resume.
  assert.deepEqual([await workflow.hear("turn-1/ada"), await workflow.hear()], [false, true]);
  assert.equal(first.endReason, undefined);
  assert.deepEqual(first.waitingFor, [{ participant: "ada", turn: "turn-1/ada" }]);
  const dir = first.dir!;
  assert.equal((await openConvening(dir)).result.status, "waiting");
  assert.equal((await verify(dir)).findings.length, 0);

  await assert.rejects(
    speak(dir, "Me first.", { as: "ben" }),
    (error) => error instanceof TurnOrderError && /Ada/.test(error.hint ?? ""),
  );
  await assert.rejects(speak(dir, " \n "), /no word/);
  const agents: Record<string, Agent> = {
    ben: new Talker(({ context }) => ({ text: `Ben speaks in ${context.key} of cars.` })),
  };
  const said = await speak(dir, "Cars need room.", {
    as: "Ada",
    agents,
    config: { personTimeout: 0 },
  });
  assert.equal(said.left, false);
  const second = said.left ? undefined : await said.convening.run();
  assert.equal(second?.status, "waiting");
  assert.deepEqual(second?.messages.map(({ body }) => body), [
    "Cars need room.",
    "Ben speaks in turn-2/ben of cars.",
  ]);
  assert.equal((await verify(dir)).findings.length, 0);
});

withFolder.test("A waiting run accepts a person's words that another process left", async (out) => {
  const { workflow } = talkOf({ record: folderRecord({ out }), maxTurns: 2 });
  let dir = "";
  const { result } = await follow(workflow, (event) => {
    if (event.type !== "turn-wait") return;
    void Array.fromAsync(Deno.readDir(`${out}/${event.at.slice(0, 10)}`)).then(async (found) => {
      dir = `${out}/${event.at.slice(0, 10)}/${
        found.find(({ name }) => /_dialogue$/.test(name))!.name
      }`;
      const said = await speak(dir, "Left in the inbox.");
      assert.equal(said.left, true);
      // Words for the same turn cannot be left twice.
      await speak(dir, "Again.").catch((error) => assert.ok(error instanceof TurnOrderError));
    });
  });
  assert.equal(result.messages[0]!.body, "Left in the inbox.");
  assert.equal(await workflow.hear("turn-1/ada"), true);
  const left = await Array.fromAsync(Deno.readDir(`${dir}/.inbox`));
  assert.deepEqual(left.map(({ name }) => name), [".lock"]);
});

withFolder.test("Words left for one of several open questions answer that question after a resume", async (out) => {
  const j = createAgent("human");
  const record = folderRecord({ out });
  const { workflow } = debateOf(new Talker(), { agents: { j }, record, personTimeout: 0 });
  const { dir = "", waitingFor = [] } = await workflow.run();
  const turns = ["score/2/j", "score/3/j", "score/4/j"];
  // Concurrent questions begin to wait in any order, and the first that has waited in vain ends the run.
  const first = waitingFor.map(({ turn }) => turn);
  assert.ok(first.length > 0 && first.every((turn) => turns.includes(turn)), first.join(" "));
  const criteria = ["persuasiveness", "rule_adherence", "logical_coherence", "evidence_quality"];
  const text = ["reasons: It was turn 3.", ...criteria.map((id) => `${id}: 7`)].join("\n");
  const participant = "j";
  for (const turn of ["score/3/j", "score/9/j"]) {
    await leaveSubmission(recordFiles(dir), dir, { type: "say", participant, turn, text });
  }
  const agents = Object.fromEntries(["m", "a", "b"].map((id) => [id, new Talker()]));
  // The run ends when the words are recorded and another question waits.
  const resumed = await resume(dir, { agents, config: { personTimeout: 600_000 } });
  const open = new Set<string>();
  let scored = false;
  const { result } = await follow(resumed, (event) => {
    if (event.type === "turn-wait") open.add(event.turn.turn);
    scored ||= event.type === "score";
    if (scored && open.has("score/2/j")) resumed.pause?.();
  });
  assert.equal(result.status, "paused");
  assert.ok(!open.has("score/3/j"), [...open].join(" "));
  const { facts } = await openConvening(dir);
  const scores = facts.filter((fact) => fact.type === "score");
  assert.deepEqual(scores.map(({ message, reasons }) => [message, reasons]), [[
    3,
    "It was turn 3.",
  ]]);
  // The words for another question stay until that question is asked.
  assert.equal((await Array.fromAsync(Deno.readDir(`${dir}/.inbox`))).length, 1);
  assert.deepEqual((await verify(dir)).findings, []);
});

Deno.test("Words that were prepared for no certain turn answer one of several open questions", async () => {
  const j = createAgent("human");
  const { workflow } = debateOf(new Talker(), { agents: { j } });
  const criteria = ["persuasiveness", "rule_adherence", "logical_coherence", "evidence_quality"];
  workflow.prepare("j", ["reasons: It was clear.", ...criteria.map((id) => `${id}: 7`)].join("\n"));
  const seen = new Set<string>();
  const { events, result } = await follow(workflow, ({ type }) => {
    seen.add(type);
    if (seen.has("score") && seen.has("turn-wait")) workflow.pause();
  });
  assert.equal(result.status, "paused");
  assert.equal(events.filter(({ type }) => type === "score").length, 1);
});

Deno.test("An interjection is read before the next turn and quoted to all, without changing the order", async () => {
  const seen: string[] = [];
  const agent = new Talker(({ context, messages }) => {
    seen.push(messages.map(({ content }) => content).join("\n"));
    return { text: `A thought about cars in ${context.key}.` };
  });
  const workflow = createDialogueWorkflow(TOPIC, [
    createParticipant({ name: "Ada" }, agent),
    createParticipant({ name: "Ben" }, agent),
  ], { maxTurns: 3, record: memoryRecord(), guards: { repetition: "off" } });
  const { events, result } = await follow(workflow, (event) => {
    if (event.type === "message" && event.message.turn === "turn-1/ada") {
      workflow.interject("What about buses?");
    }
  });
  const kinds = result.messages.map(({ participant, kind }) => `${participant}:${kind}`);
  assert.deepEqual(kinds.filter((each) => each !== "audience:interjection"), [
    "ada:statement",
    "ben:statement",
    "ada:statement",
  ]);
  const heard = result.messages.find(({ kind }) => kind === "interjection");
  assert.equal(heard?.role, "audience");
  assert.equal(heard?.body, "What about buses?");
  assert.match(
    seen.at(-1)!,
    /speaker="Audience" kind="interjection"[^]*What about buses\?\n<.turn>\n\(A remark of the audience/,
  );
  assert.ok(events.some(({ type }) => type === "interjection"));
  assert.deepEqual(result.messages.map(({ seq }) => seq), [1, 2, 3, 4]);
});

for (
  const [kind, last, make] of [
    ["dialogue", "turn-4/ben", dialogueOf],
    ["debate", "summary/m", debateOf],
    ["consensus", "summary/moderator", consensusOfTalkers],
  ] as const
) {
  withFolder.test(`Remarks during the last turn of a ${kind} are its last messages, though a pause was asked for`, async (out) => {
    const usual = kind === "consensus" ? deliberation() : undefined;
    const agent = new Talker(async (request) => {
      if (request.context.key === last) {
        workflow.pause();
        workflow.interject("What about buses?");
        const [{ dir } = { dir: "" }] = await listConvenings(out);
        assert.deepEqual(await interject(dir, "What about bikes?"), { held: true });
      }
      return await usual?.(request);
    });
    const { workflow } = make(agent, { record: folderRecord({ out }) });
    const { status, dir = "", messages } = await workflow.run();
    assert.equal(status, "completed");
    const shown = (all: typeof messages) => all.map(({ turn, kind, body }) => [turn, kind, body]);
    const [[turn], ...heard] = shown(messages).slice(-3) as [string[], ...string[][]];
    assert.equal(turn, last);
    assert.deepEqual(heard.map(([, ...remark]) => remark), [
      ["interjection", "What about buses?"],
      ["interjection", "What about bikes?"],
    ]);
    assert.throws(() => workflow.interject("And trams?"), { code: "config_invalid" });
    await assert.rejects(interject(dir, "And trams?"), /it has ended/);
    const files = await filesUnder(dir);
    assert.deepEqual([...files.keys()].filter((path) => /inbox.*json/.test(path)), []);
    assert.deepEqual((await verify(dir)).findings, []);
    assert.deepEqual(shown((await (await resume(dir)).run()).messages), shown(messages));
    assert.deepEqual(await filesUnder(dir), files);
  });
}

withFolder.test("Words that arrive after a run's last look at the inbox are taken back and refused", async (out) => {
  const { workflow } = dialogueOf(new Talker(), { record: folderRecord({ out }) });
  const { dir = "" } = await workflow.run();
  const path = `${dir}/metadata.md`;
  const completed = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, completed.replace("status: completed", "status: running"));
  const { rename } = Deno;
  // The run ends while the words are written.
  Deno.rename = async (from, to) => {
    await rename(from, to);
    await Deno.writeTextFile(path, completed);
  };
  try {
    await assert.rejects(interject(dir, "And trams?"), /it has ended/);
  } finally {
    Deno.rename = rename;
  }
  assert.deepEqual(await namesIn(`${dir}/.inbox`), []);
});

Deno.test("An interjection before a pause is recorded before the run ends", async () => {
  const { workflow } = talkOf();
  const { result } = await follow(workflow, ({ type }) => {
    if (type === "turn-wait") workflow.say("ada", "Cars need room.");
    if (type !== "message" || workflow.waitingFor.length > 0) return;
    workflow.interject("What of buses?");
    workflow.pause();
  });
  assert.equal(result.status, "paused");
  assert.equal(result.messages.some(({ kind }) => kind === "interjection"), true);
});

Deno.test("Words after the end of the run are refused, and a pause does nothing", async () => {
  const { workflow } = talkOf({ personTimeout: 0 });
  const hint = /^Resume the convening/;
  const refused = () =>
    assert.throws(() => workflow.interject("What of buses?"), {
      code: "config_invalid",
      message: "Cannot interject: the run has ended",
      hint,
    });
  // The record is not closed yet.
  const { result } = await follow(workflow, ({ type }) => {
    if (type === "convening-end") refused();
  });
  assert.equal(result.status, "waiting");
  refused();
  const spoken = { message: "Cannot speak: the run has ended", hint };
  assert.throws(() => workflow.prepare("ada", "Cars need room."), spoken);
  assert.throws(() => workflow.say("ada", "Cars need room."), { code: "turn_order", hint });
  workflow.pause();
});

withFolder.test("A resume obeys no pause of an earlier run, and hears a recorded interjection no more", async (out) => {
  const { workflow } = talkOf({ record: folderRecord({ out }), personTimeout: 0 });
  const { dir = "" } = await workflow.run();
  const files = recordFiles(dir);
  await leaveSubmission(files, dir, { type: "pause" });
  await leaveSubmission(files, dir, { type: "interjection", text: "What of buses?" });
  const inbox = async () =>
    (await Array.fromAsync(Deno.readDir(`${dir}/.inbox`))).map(({ name }) => name)
      .filter((name) => name !== ".lock");
  const left = await Promise.all(
    (await inbox()).map(async (name) =>
      [`${dir}/.inbox/${name}`, await Deno.readTextFile(`${dir}/.inbox/${name}`)] as const
    ),
  );
  await leaveSubmission(files, dir, { type: "say", participant: "ada", text: "Cars need room." });
  const resumed = async () => {
    const options = { agents: { ben: new Talker() }, config: { personTimeout: 0 } };
    const { status, messages } = await (await resume(dir, options)).run();
    assert.equal(status, "waiting");
    assert.deepEqual(await inbox(), []);
    return messages.map(({ kind }) => kind);
  };
  const kinds = ["interjection", "statement", "statement"];
  assert.deepEqual(await resumed(), kinds);
  // As after a crash between the record of the interjection and the removal of its file.
  for (const [path, text] of left) await Deno.writeTextFile(path, text);
  assert.deepEqual(await resumed(), kinds);
});

withFolder.test("A pause that another process asks for finishes the turns in flight, and a resume continues from there", async (out) => {
  let dir = "";
  const agent = new Talker(async ({ context }) => {
    if (context.seq === 2) {
      [{ dir } = { dir }] = await listConvenings(out);
      assert.deepEqual(await pauseConvening(dir), { held: true, status: "running" });
      // No turn waits, so that the request stays for the next turn.
      assert.equal(await workflow.hear(), true);
    }
    return { text: `A thought on cars in ${context.key}.` };
  });
  const workflow = createDialogueWorkflow(TOPIC, [
    createParticipant({ name: "Ada" }, agent),
    createParticipant({ name: "Ben" }, agent),
  ], { maxTurns: 6, record: folderRecord({ out }), guards: { repetition: "off" } });
  const { status, endReason, messages } = await workflow.run();
  assert.deepEqual([status, endReason, messages.length], ["paused", undefined, 2]);
  assert.equal((await openConvening(dir)).result.status, "paused");
  assert.equal((await verify(dir)).findings.length, 0);
  assert.deepEqual(await pauseConvening(dir), { held: false, status: "paused" });
  const resumed = await resume(dir, { agents: { ada: agent, ben: agent } });
  assert.equal((await resumed.run()).status, "completed");
  assert.equal(agent.requests.length, 6, "nothing was asked twice");
});
