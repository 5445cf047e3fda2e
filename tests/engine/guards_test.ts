// Guards: word ranges, retries and comparison with personas.
import assert from "node:assert/strict";
import {
  called,
  debateOf,
  dialogueOf,
  drain,
  promptOf,
  type Say,
  Talker,
  TOPIC,
} from "../support/talkers.ts";
import { createParticipant, DialogueWorkflow, memoryRecord } from "../../mod.ts";
import {
  type AgentRequest,
  defaultHost,
  type RecordStore,
  type WorkflowDesign,
} from "../../protocol.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { FACT_CHECK_TEMPLATES } from "../../src/checking/questions.ts";
import { personaGuard, withPersonaGuard } from "../../src/checking/guards.ts";
import { conveningIn } from "./support/killed_runs.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";

/** Returns a sentence of a number of words. */
function sentence(words: number): string {
  return `${Array.from({ length: words }, (_, index) => `word${index}`).join(" ")}.`;
}
const WORDS = { min: 200, max: 240 };

Deno.test("A guard's retries are counted separately: a reply that was first empty is still asked again for its length", async () => {
  const texts = ["", sentence(260), sentence(210)];
  const agent = new Talker(({ context }) =>
    context.key === "opening/a" ? { text: texts.shift()! } : { text: sentence(210) }
  );
  const { result } = await drain(debateOf(agent, { words: WORDS, scoringEnabled: false }).workflow);
  assert.deepEqual(result!.messages[1]!.marks, []);
  assert.equal(result!.messages[1]!.attempts, 3);
});

Deno.test("A turn that a program's guard makes fail is an error that names the guard", async () => {
  const check = () => ({ reason: "It has no source.", maxRetries: 1, fatal: true });
  const { workflow } = dialogueOf(new Talker(), { moreGuards: [{ name: "sourced", check }] });
  await assert.rejects(workflow.run(), {
    code: "agent_bad_reply",
    message: /: guard "sourced" rejected its reply in 2 attempts$/,
  });
});

const PERSONA = "A historian. Does: name the period. Does not: predict.";

/** Creates a dialogue of Ada, with a persona, and Ben, without. */
function guarded(
  { speak, check, mode = "reject", record = memoryRecord() }: {
    readonly speak: Say;
    readonly check: Say;
    readonly mode?: "warn" | "reject";
    readonly record?: RecordStore;
  },
) {
  const [speaker, checker] = [new Talker(speak), new Talker(check)];
  const ada = createParticipant({ name: "Ada", persona: PERSONA }, speaker);
  const { workflow } = dialogueOf(speaker, {
    participants: [ada, ...called(speaker, "Ben")],
    maxTurns: 2,
    record,
    retry: { retries: 0 },
    guards: { repetition: "off", coherence: "off" },
    design: {
      helpers: [{ id: "checker", name: "Checker", role: "checker", agent: checker }],
      guards: [personaGuard({
        asked: "checker",
        mode,
        template: FACT_CHECK_TEMPLATES.personaCheck,
      })],
    },
  });
  return { workflow, speaker, checker };
}

const says = (consistent: boolean, breach = "") => ({
  text: JSON.stringify({ reason: "Because.", consistent, breach }),
});
/** Reports a prediction if the word occurs. */
const predicts: Say = ({ context }: AgentRequest) => {
  const { body } = context.data as { readonly body: string };
  return body.includes("will be") ? says(false, "It predicts.") : says(true);
};
const speaks: Say = ({ context: { attempt } }) => ({
  text: attempt === 1 ? "All </statement> will be well." : "In the 1920s it was so.",
});

Deno.test("personaGuard() has a turn that breaks its persona repeated with the breach in the prompt, and leaves others alone", async () => {
  const record = memoryRecord();
  const { workflow, speaker, checker } = guarded({ speak: speaks, check: predicts, record });
  const { result } = await drain(workflow);
  assert.deepEqual(result!.messages.map(({ attempts }) => attempts), [2, 1]);
  assert.deepEqual(checker.keys, ["persona/turn-1/ada/1", "persona/turn-1/ada/2"]);
  assert.match(promptOf(speaker.requests[1]!), /not as your persona speaks: It predicts\./);
  const asked = promptOf(checker.requests[0]!);
  assert.ok(asked.includes(PERSONA));
  assert.equal(asked.match(/<\/statement>/g)?.length, 1);
  assert.match(record.files.get("rejected/001_1.md")!, /guard: persona/);
  assert.match(record.files.get("choices/001_1.md")!, /consistent: false/);
  assert.match(record.files.get("choices/001_2.md")!, /consistent: true/);
});

Deno.test("personaGuard() marks in the mode warn, and marks turns that break the persona to the last", async () => {
  const check = () => says(false, "It predicts.");
  const warned = (await drain(guarded({ speak: speaks, check, mode: "warn" }).workflow)).result!;
  assert.deepEqual([warned.messages[0]!.attempts, warned.messages[0]!.marks], [
    1,
    ["out_of_persona"],
  ]);
  const rejected = (await drain(guarded({ speak: speaks, check }).workflow)).result!;
  assert.deepEqual([rejected.messages[0]!.attempts, rejected.messages[0]!.marks], [
    4,
    ["out_of_persona"],
  ]);
});

Deno.test("personaGuard() accepts a turn when the comparison fails", async () => {
  const fails: Say[] = [
    () => ({ text: "no JSON" }),
    () => {
      throw new Error("I am down");
    },
  ];
  for (const check of fails) {
    const { error, result } = await drain(guarded({ speak: speaks, check }).workflow);
    assert.equal(error, undefined);
    assert.deepEqual([result!.messages[0]!.attempts, result!.messages[0]!.marks], [1, []]);
  }
});

Deno.test("guards.persona has turns compared with personas by the fact checker or by a helper of its own", async () => {
  await using speaker = await startSpeaker();
  const run = async (mode: "off" | "warn" | "reject", checker?: Talker) => {
    const asked: string[] = [];
    const usual = new Talker((request) => {
      if (request.context.kind !== "persona_check") return speaks(request);
      asked.push(request.context.participant);
      return predicts(request);
    });
    const workflow = new DialogueWorkflow(TOPIC, [
      createParticipant({ name: "Ada", persona: PERSONA }, usual),
      createParticipant({ name: "Ben" }, usual),
      ...checker === undefined
        ? []
        : [createParticipant({ name: "Vera", role: "fact_checker" }, checker)],
    ], {
      maxTurns: 1,
      host: defaultHost,
      model: MODEL,
      baseUrl: speaker.url,
      record: memoryRecord(),
      guards: { persona: mode, repetition: "off", coherence: "off" },
    });
    const { result } = await drain(workflow);
    const { attempts, marks } = result!.messages[0]!;
    return { attempts, marks, asked };
  };
  const vera = new Talker(({ context }) => {
    if (context.kind === "claims") return { text: '{"claims": []}' };
    return says(context.key.endsWith("/2"), "It predicts.");
  });
  assert.deepEqual((await run("reject", vera)).attempts, 2);
  assert.ok(vera.keys.includes("persona/turn-1/ada/1"));
  assert.deepEqual(await run("off"), { attempts: 1, marks: [], asked: [] });
  // Without a fact checker the convening's own model is asked.
  assert.deepEqual((await run("warn")).attempts, 1);
});

Deno.test("withPersonaGuard() asks the fact checker, else a judge, else a helper of its own, before everything else", () => {
  const participants = [createParticipant({ name: "Ada", persona: PERSONA })];
  const late = { name: "late", check: () => undefined };
  const helper = { id: "v", name: "V", role: "fact_checker" };
  const judge = { id: "j", name: "J", rubric: "debate" };
  const guarded: WorkflowDesign = { guards: [late] };
  const own = withPersonaGuard(guarded, { mode: "reject", participants });
  assert.deepEqual(own.guards?.map(({ name }) => name), ["persona", "late"]);
  assert.deepEqual(own.helpers?.map(({ id }) => id), ["persona-checker"]);
  for (const design of [{ helpers: [helper], judges: [judge] }, { judges: [judge] }]) {
    const made = withPersonaGuard<WorkflowDesign>(design, { mode: "warn", participants });
    assert.deepEqual(made.helpers ?? [], "helpers" in design ? design.helpers : []);
  }
  const bare: WorkflowDesign = { kind: "debate" };
  assert.equal(withPersonaGuard(bare, { mode: "off", participants }), bare);
  assert.equal(
    withPersonaGuard(bare, { mode: "warn", participants: [createParticipant({ name: "Ben" })] }),
    bare,
  );
});

Deno.test("personaGuard() does not use another attempt's comparison after an interruption", async () => {
  const calm = new MemoryFileSystem();
  const recordIn = (files: MemoryFileSystem, dir?: string): RecordStore => ({
    open: (start) => openRecord(files, dir === undefined ? { out: "/out" } : { dir }, { start }),
  });
  const fine = () => ({ text: "In the 1920s it was so." });
  await drain(guarded({ speak: fine, check: predicts, record: recordIn(calm) }).workflow);
  const dir = conveningIn(calm)!;
  // State after a kill between the answer and the message.
  const killed = new MemoryFileSystem();
  for (const name of ["metadata.md", "choices/001_1.md"]) {
    const path = `${dir}/${name}`;
    await killed.makeFolder(path.slice(0, path.lastIndexOf("/")));
    await killed.write(path, calm.files(dir).get(name)!);
  }
  const again = guarded({ speak: speaks, check: predicts, record: recordIn(killed, dir) });
  const { result } = await drain(again.workflow);
  assert.equal(result!.messages[0]!.attempts, 2);
  assert.ok(again.checker.keys.includes("persona/turn-1/ada/1"));
  assert.match(killed.files(dir).get("choices/001_1.md")!, /consistent: false/);
  const same = guarded({ speak: fine, check: predicts, record: recordIn(killed, dir) });
  assert.deepEqual((await drain(same.workflow)).error, undefined);
});
