// Facts of custom kinds and questions with custom keys: recorded once, read, verified, resumed and forked.
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import {
  type Agent,
  type ConveningError,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  DialogueWorkflow,
  folderRecord,
  judge,
  memoryRecord,
  type Message,
  openConvening,
  type Participant,
  verify,
} from "../../mod.ts";
import {
  ask,
  type Begun,
  choiceQuestion,
  type ConveningStart,
  defineFact,
  type DialogueOptions,
  type EventBody,
  type Fact,
  factOf,
  fileRecord,
  type MemoryRecord,
  type Observer,
  type Protocol,
  type RecordStore,
  results,
  say,
  settle,
  type TurnStructure,
} from "../../protocol.ts";
import { createScoringAgent, type Score, type Scoring } from "../../scoring.ts";
import { speakingAgent } from "../support/speaking_model.ts";
import { z } from "zod";
import { RecordedFacts } from "../../src/core/record.ts";
import { forkRecord } from "../../src/record/fork.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { called, dialogueOf, drain, Talker } from "../support/talkers.ts";
import { withFolder } from "../support/cli.ts";

const TOPIC = "Should cities ban private cars?";

const broken = (): never => {
  throw new TypeError("It broke.");
};

/** Creates a workflow of two talkers with a protocol of its own. */
function own(
  protocol: () => Protocol<unknown>,
  { agent = new Talker(), ...options }: DialogueOptions & { readonly agent?: Agent } = {},
) {
  class Own extends DialogueWorkflow<unknown> {
    protected override protocol(): Protocol<unknown> {
      return protocol();
    }
  }
  return new Own(TOPIC, called(agent, "Ada", "Ben"), { record: memoryRecord(), ...options });
}

/** Returns the files of scores with their texts. */
function scoresIn({ files }: MemoryRecord): [path: string, text: string][] {
  return [...files].filter(([path]) => path.startsWith("scores/"));
}

const SPEECH = { name: "speech", type: z.object({ text: z.string() }) };

/** Gives Ada the highest scores and Ben the lowest. */
const forAda: Scoring["score"] = ({ name }, { criteria, scale: [least, most] }) => ({
  scores: Object.fromEntries(criteria.map(({ id }) => [id, name === "Ada" ? most : least])),
  reasons: `It is ${name}'s.`,
});

function debateWith(
  score: Scoring["score"],
  record: MemoryRecord | ReturnType<typeof folderRecord>,
  signal?: AbortSignal,
) {
  const agent = speakingAgent();
  const sides = ["Ada", "Ben"].map((name) =>
    createDebateParticipant({ name, position: `As ${name} has it` }, agent)
  );
  return createDebateWorkflow(TOPIC, [createDebateModerator({}, agent), ...sides], {
    roundCount: 1,
    seed: 1,
    judges: [{ agent: createScoringAgent("program", score) }],
    limits: { maxCost: 1 },
    allowUnknownPrices: true,
    record,
    signal,
  });
}

Deno.test("A program scores and decides instead of a model, without a call", async () => {
  const record = memoryRecord();
  const { models } = await debateWith(forAda, memoryRecord()).plan();
  assert.ok(!("program" in models), "no call is planned");
  const result = await debateWith(forAda, record).run();
  assert.deepEqual([result.outcome, result.winner], ["decided", "ada"]);
  assert.equal(result.scores["ada"]!.total, 10);
  const scores = scoresIn(record);
  assert.ok(scores.length >= 6);
  assert.match(scores[0]![1], /^model: program$/m);
});

Deno.test("A program's scores are recorded, and after a stop only the missing ones are computed", async () => {
  const record = memoryRecord();
  for await (const { type } of debateWith(forAda, record).stream()) if (type === "score") break;
  const before = scoresIn(record).length;
  assert.ok(before > 0);
  let told = 0;
  const resumed = debateWith(forAda, record).stream();
  let step = await resumed.next();
  for (; !step.done; step = await resumed.next()) if (step.value.type === "score") told++;
  assert.equal(step.value.winner, "ada");
  assert.equal(told, scoresIn(record).length - before);
});

/** Programs whose scores cannot be used, and the reason in the files. */
const UNUSABLE: readonly (readonly [what: string, score: Scoring["score"], reason: RegExp])[] = [
  [
    "fails",
    () => {
      throw new RangeError("It is too long.");
    },
    /It is too long\./,
  ],
  [
    "has other criteria",
    (message, rubric) => ({ ...forAda(message, rubric), scores: { nonsense: 7 } }),
    /Give a number/,
  ],
  [
    "returns nothing",
    (() => {}) as unknown as Scoring["score"],
    /the scoring program returned nothing/,
  ],
  [
    "scores outside of the scale",
    ({ name }, { criteria }) => ({
      scores: Object.fromEntries(criteria.map(({ id }) => [id, name === "Ada" ? 100 : 5])),
      reasons: "Ada is good.",
    }),
    /scores\.\w+: /,
  ],
];

for (const [what, score, reason] of UNUSABLE) {
  Deno.test(`A program that ${what} leaves the turns unscored, with the reason`, async () => {
    const record = memoryRecord();
    const { outcome, winner } = await debateWith(score, record).run();
    assert.deepEqual([outcome, winner], ["unscored", null]);
    const unscored = scoresIn(record).filter(([, text]) => /^status: unscored$/m.test(text));
    assert.ok(unscored.length > 0);
    for (const [, text] of unscored) assert.match(text, reason);
  });
}

Deno.test("A program's winner has the highest total of the program's recorded scores", async () => {
  // Opening statements are not scored as answers: there Ada's 10 counts for nothing.
  const byKind: Scoring["score"] = ({ name, kind }, { criteria }) => ({
    scores: Object.fromEntries(criteria.map(({ id }) => {
      const isOpening = name === "Ada" && kind === "opening_statement";
      return [id, id === "responsiveness" ? isOpening ? 10 : 0 : name === "Ada" ? 5 : 5.2];
    })),
    reasons: "By kind.",
  });
  const result = await debateWith(byKind, memoryRecord()).run();
  assert.ok(result.scores["ben"]!.total > result.scores["ada"]!.total);
  assert.equal(result.winner, "ben");
  assert.deepEqual(result.contradictions, []);
});

withFolder.test("A program judges a finished convening again, and the record is valid", async (out) => {
  const { dir = "" } = await debateWith(forAda, folderRecord({ out })).run();
  const judged = await judge(dir, {
    judges: [{ name: "Late", agent: createScoringAgent("late", forAda) }],
  });
  assert.equal(judged.panel.winner, "ada");
  assert.equal(judged.panel.scores["ada"]!.total, 10);
  assert.deepEqual((await verify(dir)).findings, []);
});

const wordCount = defineFact({ kind: "word_count", value: z.object({ words: z.int() }) });
const TIME = "2026-11-21T20:33:12.114Z";

const counting: Observer = {
  name: "counting",
  async observe({ seq, body }, tools) {
    const words = body.split(" ").length;
    const fact = wordCount.make({ key: String(seq), message: seq, value: { words } });
    await tools.record(fact);
    await tools.record(fact);
    assert.equal(wordCount.in(tools.recorded()).filter(({ message }) => message === seq).length, 1);
  },
};

const rating: Observer = {
  name: "rating",
  async observe({ seq, participant, phase, round }, tools) {
    await tools.ask<{ quality: number }, Score>({
      key: `quality/${seq}`,
      asked: participant,
      phase,
      round,
      kind: "quality",
      task: "judge.score",
      schema: { name: "quality", type: z.object({ quality: z.number() }) },
      toFact: ({ value, model, usage, latencyMs, createdAt }) => ({
        type: "score",
        message: seq,
        participant,
        judge: participant,
        rubric: "own",
        scale: [0, 10],
        status: "scored",
        weights: { quality: 1 },
        criteria: { quality: value!.quality },
        total: value!.quality,
        reasons: "",
        model,
        usage,
        latencyMs,
        createdAt,
      }),
      matches: (fact: Fact): fact is Score => fact.type === "score",
    });
  },
};

function talker(): Talker {
  return new Talker(({ schema }) => schema === undefined ? undefined : { text: '{"quality": 7}' });
}

Deno.test("custom facts and questions are recorded once, however often the convening is resumed", async () => {
  const record = memoryRecord();
  const observers = [counting, rating];
  await drain(dialogueOf(talker(), { observers, record, maxTurns: 2 }).workflow);
  const before = [...record.files.keys()].filter((path) => /^(own|scores)\//.test(path));
  assert.equal(before.length, 4, before.join());
  const again = talker();
  const { error } = await drain(dialogueOf(again, { observers, record, maxTurns: 2 }).workflow);
  assert.equal(error, undefined);
  assert.equal(again.requests.length, 0);
  const log = record.files.get("log.jsonl")!;
  assert.equal(log.match(/"type":"fact"/g)?.length, 2);
  assert.equal(log.match(/"type":"score","score"/g)?.length, 2);
  assert.match(
    record.files.get(before.find((path) => path.startsWith("scores/"))!)!,
    /\nkey: quality\/1\n/,
  );
});

Deno.test("a protocol that goes by custom facts is resumed, and its record is in order", async () => {
  const turn = { phase: "p", kind: "k", round: 1, task: "Speak." };
  function* protocol(): Protocol<void> {
    let speaker = "ada";
    for (const said of [1, 2, 3]) {
      yield* say({ ...turn, key: String(said), speaker });
      const counted = wordCount.in(yield* results("counting"));
      assert.equal(counted.filter(({ message }) => message === said).length, 1);
      speaker = said === 1 && counted.length > 0 ? "ben" : "ada";
    }
  }
  const record = memoryRecord();
  const run = async (agent: Talker) => {
    const options = { agent, record, observers: [counting], design: { kind: "odd" } };
    const { error, result } = await drain(own(protocol, options));
    return error ?? result?.messages.map(({ participant }) => participant);
  };
  const down = new Talker(({ context }) => {
    if (context.key === "3") throw new Error("It is down.");
    return undefined;
  });
  assert.match(String(await run(down)), /It is down/);
  assert.deepEqual(await run(new Talker()), ["ada", "ben", "ada"]);
});

Deno.test("a protocol that goes by custom facts of replies is resumed, and its record is in order", async () => {
  const type = z.object({ speech: z.string(), words: z.int() });
  const structure: TurnStructure<z.infer<typeof type>> = {
    schema: { name: "counted", type },
    speech: "speech",
    toFacts: ({ words }, { turn, seq }) => [
      wordCount.make({ key: turn, message: seq, value: { words } }),
    ],
  };
  function* protocol(): Protocol<void> {
    const turn = { speaker: "ada", phase: "p", kind: "k", round: 1, task: "Speak." };
    for (let [said, words] = [1, 0]; words < 3; said++) {
      const { seq } = yield* say({ ...turn, key: String(said), structure });
      words = wordCount.in(yield* results()).find(({ message }) => message === seq)!.value.words;
    }
  }
  const record = memoryRecord();
  let isDown = true;
  const agent = new Talker(({ context: { key } }) => {
    if (key === "2" && isDown) throw new Error("It is down.");
    return { text: JSON.stringify({ speech: `This is turn ${key}.`, words: Number(key) }) };
  });
  const made = () => own(protocol, { agent, record, design: { kind: "counted" } });
  const before = await drain(made());
  assert.match(String(before.error), /It is down/);
  isDown = false;
  const { events, result } = await drain(made());
  assert.equal(result!.messages.length, 3);
  const facts = [...before.events, ...events].flatMap((event) => factOf(event) ?? []);
  assert.equal(made().checkRecord(facts), undefined);
});

Deno.test("records with custom facts are read, verified and forked without the facts' definition", async () => {
  const record = memoryRecord();
  await drain(dialogueOf(talker(), { observers: [counting, rating], record }).workflow);
  const files = new MemoryFileSystem();
  const dir = "/out/2026-11-21/2026-11-21T20-33-05_dialogue";
  for (const [path, text] of record.files) {
    await files.makeFolder(`${dir}/${path}`.replace(/\/[^/]*$/, ""));
    await files.write(`${dir}/${path}`, text);
  }
  assert.deepEqual((await verifyRecord(files, dir)).findings, []);
  const { facts } = await readRecord(files, dir);
  assert.equal(wordCount.in(facts).length, 4);
  const fork = await forkRecord(files, dir, { at: 2, clock: { now: () => Date.parse(TIME) } });
  const { facts: taken } = await readRecord(files, fork);
  assert.deepEqual(wordCount.in(taken).map(({ message }) => message), [1, 2]);
});

Deno.test("a question of an observer that fails meanwhile is answered before the convening ends", async () => {
  const slow = new Talker(async ({ schema }) => {
    for (let turn = 0; schema !== undefined && turn < 5; turn++) await setImmediate();
    return schema === undefined ? undefined : { text: '{"quality": 7}' };
  });
  const hasty: Observer = {
    name: "hasty",
    observe: async (message, tools) => {
      await Promise.race([rating.observe(message, tools), Promise.reject(new Error("It broke"))]);
    },
  };
  const { events, error } = await drain(
    dialogueOf(slow, { observers: [hasty], maxTurns: 1 }).workflow,
  );
  assert.match(String(error), /It broke/);
  assert.deepEqual(events.slice(-2).map(({ type }) => type), ["score", "convening-end"]);
});

Deno.test("an observer that ignores its signal holds a cancelled run no longer than five seconds", async () => {
  const { setTimeout: timer } = globalThis;
  const waits: number[] = [];
  const stop = new AbortController();
  const deaf: Observer = {
    name: "deaf",
    observe: () => {
      globalThis.setTimeout =
        ((run: () => void, ms: number) => timer(run, waits.push(ms))) as typeof setTimeout;
      stop.abort();
      return new Promise(() => {});
    },
  };
  const options = { observers: [deaf], maxTurns: 2, signal: stop.signal };
  try {
    const { result } = await drain(dialogueOf(talker(), options).workflow);
    assert.equal(result?.status, "stopped");
    assert.equal(waits[0], 5_000);
  } finally {
    globalThis.setTimeout = timer;
  }
});

Deno.test("an observer that records an unknown type of fact, or a message that no turn has made, ends the run and names the type", async () => {
  const cases: readonly (readonly [type: string, fact: (message: Message) => object])[] = [
    ["word_count", () => ({ type: "word_count" })],
    ["message", (message) => ({ ...message, seq: 2, turn: "2" })],
  ];
  for (const [type, fact] of cases) {
    const observer: Observer = {
      name: "author",
      observe: (message, tools) => tools.record(fact(message) as Fact),
    };
    const { workflow, record } = dialogueOf(talker(), { observers: [observer], maxTurns: 1 });
    await assert.rejects(workflow.run(), {
      code: "config_invalid",
      message: new RegExp(`Cannot record a fact of type "${type}"`),
    });
    assert.equal([...record.files.keys()].filter((path) => /^messages\//.test(path)).length, 1);
  }
});

Deno.test("defineFact() rejects a value that does not match the schema", () => {
  assert.throws(
    () => wordCount.make({ key: "1", value: { words: 1.5 } }),
    { name: "TypeError", message: /word_count": value\.words: / },
  );
  const dated = defineFact({ kind: "dated", value: z.object({ at: z.date() }) });
  assert.throws(
    () => dated.make({ key: "1", value: { at: new Date(0) } }),
    { name: "TypeError", message: /dated": as JSON, value\.at: / },
  );
});

Deno.test("A guard that ends with the run's signal is a cancellation, not a failure", async () => {
  const cancel = new AbortController();
  const { status, endReason } = await dialogueOf(new Talker(), {
    signal: cancel.signal,
    moreGuards: [{
      name: "slow",
      check: (_draft, { signal }) => {
        cancel.abort();
        throw new DOMException(`It is aborted: ${signal.aborted}`, "AbortError");
      },
    }],
  }).workflow.run();
  assert.deepEqual([status, endReason], ["stopped", "cancelled"]);
});

/** Returns a record in memory with a function that fails. */
function memoryThat(fails: "apply" | "close"): RecordStore {
  return {
    async open(start) {
      const record = await memoryRecord().open(start);
      return { ...record, [fails]: () => Promise.reject(new TypeError("It broke.")) };
    },
  };
}

Deno.test("An error of a program's part is a ConveningError that names the part", async () => {
  const agent = { ...new Talker(), model: "talker", reply: broken, check: broken };
  const cases = [
    [{ moreGuards: [{ name: "tone", check: broken }] }, /guard "tone" failed: It broke/],
    [{ observers: [{ name: "mood", observe: broken }] }, /observer "mood" failed: It broke/],
    [{ select: { name: "dice", next: broken } }, /selection "dice" failed: It broke/],
    [{ remember: broken }, /remember failed: It broke/],
    [{ exitCondition: broken }, /exitCondition failed: It broke/],
    [{ clock: { now: broken } }, /the clock failed: It broke/],
    [{ clock: { now: () => NaN } }, /the clock failed: now\(\) returned NaN/],
    [{ record: { open: broken } }, /the record failed: It broke/],
    [{ record: memoryThat("apply") }, /the record failed: It broke/],
    [{ record: memoryThat("close") }, /It broke/],
    [{ design: { kind: "own", opened: broken } }, /design\.opened failed: It broke/],
    [{ design: { kind: "own", ready: broken } }, /design\.ready failed: It broke/],
    [{ design: { kind: "own", fit: broken } }, /design\.fit failed: It broke/],
    [{ design: { kind: "own", endReason: broken } }, /design\.endReason failed: It broke/],
  ] as const;
  for (const [options, message] of cases) {
    const run = dialogueOf(new Talker(), { ...options }).workflow.run();
    await assert.rejects(run, { name: "ConveningError", code: "unexpected", message });
  }
  const both = dialogueOf({ ...agent, check: () => Promise.resolve() }, {
    record: memoryThat("close"),
  }).workflow.run();
  await assert.rejects(both, /Cannot get an answer from "talker"/, "the first error is thrown");
  const methods = [
    ["check", broken, /check of agent "talker" failed: It broke/],
    ["window", broken, /window of agent "talker" failed: It broke/],
    ["window", () => Promise.resolve(NaN), /window of agent "talker" failed: it returned NaN/],
    ["load", broken, /load of agent "talker" failed: It broke/],
    ["cap", broken, /cap of agent "talker" failed: It broke/],
  ] as const;
  for (const [method, run, message] of methods) {
    const limits = { maxTokens: 100_000 };
    const odd = { ...new Talker(), ...TALKER, [method]: run };
    const { workflow, record } = dialogueOf(odd, { limits });
    await assert.rejects(workflow.run(), { name: "ConveningError", code: "unexpected", message });
    if (method === "check" || method === "window") assert.equal(record.files.size, 0, method);
  }
});

Deno.test("A run whose stages fail is recorded as failed from its start to its end, at whichever event", async () => {
  const at = (type: EventBody["type"]) => () => ({
    after: (event: EventBody) => event.type === type ? broken() : [],
  });
  const types = ["convening-start", "phase-start", "turn-start", "message", "phase-end"] as const;
  for (const stages of [broken, ...types.map(at)]) {
    const { workflow } = dialogueOf(new Talker(), { design: { kind: "own", stages } });
    const { error, events } = await drain(workflow);
    assert.match((error as ConveningError).message, /design\.stages failed: It broke/);
    const [first, last] = [events[0], events.at(-1)];
    assert.equal(first?.type, "convening-start");
    assert.equal(last?.type === "convening-end" && last.ending.status, "failed");
  }
  const design = { kind: "own", stages: at("convening-end") };
  const { error, events } = await drain(dialogueOf(new Talker(), { design }).workflow);
  assert.match((error as ConveningError).message, /design\.stages failed: It broke/);
  assert.equal(events.at(-1)?.type, "convening-end");
});

Deno.test("A protocol that throws at once is named and leaves no record", async () => {
  const record = memoryRecord();
  await assert.rejects(own(broken, { record }).run(), /the protocol failed: It broke/);
  assert.equal(record.files.size, 0);
});

Deno.test("An error of the outcome of stages names them", async () => {
  const design = { kind: "own", stages: () => ({ after: () => [], outcome: broken }) };
  // deno-lint-ignore require-yield -- the value alone matters
  const protocol = function* () {
    return 1;
  };
  const run = own(protocol, { design }).run();
  await assert.rejects(run, /outcome of design\.stages failed: It broke/);
});

Deno.test("An error of a question's matches names the question", () => {
  const bid = { key: "bid/1", seq: 1, asked: "ada", phase: "p", kind: "bid", round: 1, task: "?" };
  const schema = { name: "bid", type: z.string() };
  const question = choiceQuestion({ ...bid, schema, valueOf: String, reasonsOf: () => "" });
  const facts = [{ type: "choice", key: bid.key } as Fact];
  const recalled = new RecordedFacts(facts);
  assert.throws(
    () => recalled.recall({ ...question, matches: broken as never }),
    /matches of question "bid\/1" failed: It broke/,
  );
});

/** An agent without the optional parts. */
const TALKER: Agent = {
  model: "talker",
  reply: (request) => new Talker().reply(request),
};

Deno.test("A cancelled run ends, though a part of the program does not heed its signal", async () => {
  const cancelled = async (
    options: (cancel: () => Promise<never>) => Parameters<typeof dialogueOf>[1],
  ) => {
    const cancel = new AbortController();
    const never = () => {
      cancel.abort();
      return new Promise<never>(() => {});
    };
    const { workflow } = dialogueOf(new Talker(), { signal: cancel.signal, ...options(never) });
    const { error, result } = await drain(workflow);
    return (error as ConveningError | undefined)?.code ?? `${result?.status}, ${result?.endReason}`;
  };
  const ofAgent = (part: "load" | "cap" | "window" | "check") => (never: () => Promise<never>) => ({
    participants: called({ ...TALKER, [part]: never }, "Ada", "Ben"),
    limits: { maxTokens: 10_000 },
  });
  for (
    const options of [
      (check: () => Promise<never>) => ({ moreGuards: [{ name: "slow", check }] }),
      (never: () => Promise<never>) => ({ participants: called(new Talker(never), "Ada", "Ben") }),
      (remember: () => Promise<never>) => ({ remember }),
      (cancel: () => Promise<never>) => ({
        record: {
          open: (start: ConveningStart) => {
            void cancel();
            return memoryRecord().open(start);
          },
        },
      }),
      (cancel: () => Promise<never>) => {
        void cancel();
        return {};
      },
      ...(["load", "cap", "window"] as const).map(ofAgent),
    ]
  ) assert.equal(await cancelled(options), "stopped, cancelled");
  const stop = new AbortController();
  const score = () => {
    stop.abort();
    return new Promise<never>(() => {});
  };
  const { endReason } = await debateWith(score, memoryRecord(), stop.signal).run();
  assert.equal(endReason, "cancelled", "a scoring program");
  assert.equal(await cancelled(ofAgent("check")), "cancelled", "there is no record yet");
});

Deno.test("A message cannot be changed by an observer, nor the list of messages by a guard", async () => {
  const observer: Observer = {
    name: "editor",
    observe: (message) => void ((message as { seq: number }).seq = 100),
  };
  const run = dialogueOf(new Talker(), { observers: [observer] }).workflow.run();
  await assert.rejects(run, /observer "editor" failed: Cannot assign to read only property/);
  const { messages } = await dialogueOf(new Talker(), {
    moreGuards: [{
      name: "eraser",
      check: ({ transcript }) => void ((transcript as []).length = 0),
    }],
  }).workflow.run();
  assert.equal(messages.length, 4);
});

Deno.test("A fact that no reader could read back is refused by name, and the record stays readable", async () => {
  const cases: readonly (readonly [fact: object, message: RegExp])[] = [
    [{ key: undefined }, /Cannot write .*own.*: key is missing/],
    [{ createdAt: "now" }, /: created_at: "now" is not allowed/],
    [{ value: 1n }, /Cannot record a fact of type "own": .*BigInt/],
  ];
  for (const [wrong, message] of cases) {
    const files = new MemoryFileSystem();
    const fact = { ...wordCount.make({ key: "k", value: { words: 1 }, message: 1 }), ...wrong };
    const observer: Observer = { name: "own", observe: (_, tools) => tools.record(fact) };
    const record = fileRecord(files, { out: "/out" });
    const { error, events } = await drain(
      dialogueOf(new Talker(), { observers: [observer], record }).workflow,
    );
    assert.match((error as ConveningError).message, message);
    const { dir = "" } = error as ConveningError;
    const { facts } = await readRecord(files, dir);
    assert.equal(facts.length, events.filter(({ type }) => type === "message").length);
  }
});

Deno.test("An error of a protocol names the protocol, is recorded, and comes before any record is lost", async () => {
  const turn = { key: "1", speaker: "ada", phase: "p", kind: "k", round: 1, task: "Speak." };
  const bid = { key: "bid/1", seq: 1, asked: "ada", phase: "p", kind: "bid", round: 1, task: "?" };
  const schema = { name: "bid", type: z.string() };
  const cases: readonly (readonly [protocol: () => Protocol<unknown>, message: RegExp])[] = [
    [function* () {
      yield* ask(choiceQuestion({ ...bid, schema, valueOf: broken, reasonsOf: () => "" }));
    }, /question "bid\/1" failed: It broke/],
    [function* () {
      yield* say({ ...turn, structure: { schema: SPEECH, speech: "text", toFacts: broken } });
    }, /turn "1" failed: It broke/],
    [function* () {
      yield* say({ ...turn, speaker: ([] as Participant[])[0]!.id });
    }, /the protocol failed: Cannot read properties of undefined/],
    [function* () {
      yield* settle([yield* say(turn) as unknown as Protocol<Begun<unknown>>]);
    }, /Cannot settle "undefined": it was not begun/],
    [function* () {
      yield* say(turn);
      return { count: 1n };
    }, /Cannot keep what the protocol returned: .*BigInt/],
    // deno-lint-ignore require-yield -- the value alone matters
    [function* () {
      return () => {};
    }, /Cannot keep what the protocol returned: it is a value of type function/],
  ];
  const agent = new Talker(({ schema }) => schema && { text: '{"text": "A word."}' });
  for (const [protocol, message] of cases) {
    const files = new MemoryFileSystem();
    const { error, events } = await drain(own(protocol, {
      agent,
      record: fileRecord(files, { out: "/out" }),
      design: { kind: "own", keepsValue: true },
    }));
    assert.match((error as ConveningError).message, message);
    assert.equal(events.at(-1)?.type, "convening-end");
    assert.equal((await readRecord(files, (error as ConveningError).dir!)).status, "failed");
  }
});

withFolder.test("An error before the first turn is the recorded cause of a failed convening", async (out) => {
  for (const options of [{ remember: broken }, { design: { kind: "own", stages: broken } }]) {
    const { workflow } = dialogueOf(new Talker(), { record: folderRecord({ out }), ...options });
    const { error, events } = await drain(workflow);
    const end = events.at(-1);
    assert.match(end?.type === "convening-end" ? end.ending.error!.message : "", /It broke/);
    const { result } = await openConvening((error as ConveningError).dir!);
    assert.equal(result.status, "failed");
  }
});

Deno.test("A turn with a round that is no number is refused by name, and the record stays readable", async () => {
  const turn = { key: "1", speaker: "ada", phase: "p", kind: "k", round: NaN, task: "Speak." };
  const files = new MemoryFileSystem();
  const record = fileRecord(files, { out: "/out" });
  const { error } = await drain(own(() => say(turn), { record }));
  assert.match((error as ConveningError).message, /Cannot write .*messages.*: round: NaN is not/);
  assert.equal((await readRecord(files, (error as ConveningError).dir!)).facts.length, 0);
});

Deno.test("An observer need not be asynchronous", async () => {
  const seen: number[] = [];
  await dialogueOf(new Talker(), {
    observers: [{ name: "counting", observe: ({ seq }) => void seen.push(seq) }],
  }).workflow.run();
  assert.equal(seen[0], 1);
});
