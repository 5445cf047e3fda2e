// Paper debates in which debaters fail.
import assert from "node:assert/strict";
import { AgentError, type ConveningEvent } from "../../../mod.ts";
import type { PaperDebateOutcome } from "../../../papers.ts";
import type { MemoryRecord } from "../../../protocol.ts";
import {
  fileOf,
  paperDebateOf,
  type PaperSettings,
  paperTalker,
  POSTURES,
  TREES_QUOTE,
} from "./support/paper_talkers.ts";
import { drain, promptOf, type Talker, truthOf } from "../../support/talkers.ts";

const B = "argument/debater-b";

/** Creates a talker whose turns with the given keys fail while `state.down`. */
function failing(...keys: string[]): { readonly agent: Talker; readonly state: { down: boolean } } {
  const state = { down: true };
  const agent = paperTalker(({ context: { key } }) => {
    if (state.down && keys.includes(key)) {
      throw new AgentError("agent_auth", `Cannot use "${key}"`, { status: 401 });
    }
    return undefined;
  });
  return { agent, state };
}

function stages(events: readonly ConveningEvent[]): { name: string; data: unknown }[] {
  return events.flatMap((event) =>
    event.type === "stage" ? [{ name: event.name, data: event.data }] : []
  );
}

/** Runs a debate to its end, or stops reading events at `until`. */
async function held(
  agent: Talker,
  settings: PaperSettings,
  until: (event: ConveningEvent) => boolean = () => false,
): Promise<MemoryRecord> {
  const { workflow, record } = paperDebateOf(agent, settings);
  for await (const event of workflow.stream()) {
    if (until(event)) break;
  }
  return settings.record as MemoryRecord | undefined ?? record;
}

Deno.test("One of three debaters fails for good: two are judged, and stages, index and report state the failure", async () => {
  const { agent } = failing(B);
  const { workflow, record } = paperDebateOf(agent, { crossExamine: true });
  const { result, events } = await drain(workflow);
  assert.equal(result?.status, "completed");
  const told = stages(events);
  const error = told.find(({ name }) => name === "debater_error")!;
  assert.deepEqual(error.data, {
    debaterIndex: 1,
    posture: POSTURES[1],
    total: 3,
    error: `Cannot use "${B}" (turn "${B}" of Debater B)`,
  });
  const complete = told.find(({ name }) => name === "debate_complete")!.data as {
    arguments: { posture: string }[];
  };
  assert.deepEqual(complete.arguments.map(({ posture }) => posture), [POSTURES[0], POSTURES[2]]);
  const report = (result.value as PaperDebateOutcome).report!;
  assert.deepEqual(report.rankedPostures, [
    { posture: POSTURES[0], score: 0.8845 },
    { posture: POSTURES[2], score: 0.6845 },
  ]);
  assert.deepEqual(report.postures, POSTURES.slice(0, 3));
  const note = `Debater B, for "${POSTURES[1]}", failed and was not judged: Cannot use`;
  assert.ok(report.notes.some((each) => each.startsWith(note)), report.notes.join("\n"));
  assert.equal(report.verification.find(({ debater }) => debater === "Debater B")!.message, null);
  for (const path of ["report.md", "index.md"]) {
    assert.match(record.files.get(path)!, /Debater B[^\n]*failed|failed[^\n]*Debater B/, path);
  }
  assert.match(record.files.get("report.md")!, /It depends on the street \(Debater B\) \| failed/);
  assert.match(record.files.get("failures/005.md")!, /^code: agent_auth$/m);
  assert.deepEqual(
    agent.keys.filter((key) => key.startsWith("score/")),
    ["score/4/judge", "score/6/judge"],
  );
  assert.deepEqual(agent.keys.filter((key) => key.startsWith("verdict/")).length, 2);
});

Deno.test("A debater that is left alone is judged, without cross-examination and comparison", async () => {
  const { agent } = failing("argument/debater-a", B);
  const { result } = await drain(paperDebateOf(agent, { crossExamine: true }).workflow);
  assert.equal(result?.status, "completed");
  const judged = agent.keys.filter((key) => /^(?:cross_examination|score|verdict)/.test(key));
  assert.deepEqual(judged, ["score/6/judge"]);
});

Deno.test("A debater's words and its failure reach no other debater", async () => {
  const { agent } = failing(B);
  await drain(paperDebateOf(agent, { question: "To what extent do trees cool streets?" }).workflow);
  const prompts = ["a", "b", "c"].map((id) => promptOf(agent.asked(`argument/debater-${id}`)));
  for (const prompt of prompts) {
    assert.ok(!prompt.includes(`says “${TREES_QUOTE}”`), "no argument");
    assert.ok(!prompt.includes("Cannot use"));
    assert.equal(prompt.match(/<turn /g)!.length, 2, "question and postures alone");
  }
  assert.match(prompts[1]!, /Your posture: <source name="posture">\nIt depends on the street\n/);
});

const BEYOND: readonly (readonly [settings: PaperSettings, until: string])[] = [
  [{ crossExamine: true }, "cross_examination"],
  [{ crossExamine: false }, "verdict"],
  [{ crossExamine: false }, "score"],
];
for (const [settings, until] of BEYOND) {
  Deno.test(`A debate that continued without a debater up to its ${until} is resumed without it`, async () => {
    const whole = await held(failing(B).agent, settings);
    const { agent, state } = failing(B);
    const record = await held(
      agent,
      settings,
      (event) => event.type === until || event.type === "message" && event.message.kind === until,
    );
    state.down = false;
    const before = agent.requests.length;
    const { result } = await drain(paperDebateOf(agent, { ...settings, record }).workflow);
    assert.equal(result?.status, "completed");
    assert.ok(!agent.keys.slice(before).includes(B), "it is not tried again");
    assert.deepEqual(Object.keys(result.scores), ["debater-a", "debater-c"]);
    const truth = truthOf(record.files);
    truth.delete("stops/1.md");
    assert.deepEqual(truth, truthOf(whole.files));
  });
}

Deno.test("A debater that failed before the others were done is tried again by a resume", async () => {
  const { agent, state } = failing(B);
  const record = await held(agent, {}, ({ type }) => type === "turn-fail");
  assert.match(record.files.get("failures/005.md")!, /agent_auth/);
  state.down = false;
  const { result, events } = await drain(paperDebateOf(agent, { record }).workflow);
  assert.equal(result?.status, "completed");
  assert.deepEqual(result.messages.map(({ seq }) => seq), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(result.messages[4]!.attempts, 2);
  assert.deepEqual(Object.keys(result.scores), ["debater-a", "debater-b", "debater-c"]);
  const report = (result.value as PaperDebateOutcome).report!;
  assert.equal(report.rankedPostures.length, 3);
  assert.doesNotMatch(report.markdown, /failed/);
  assert.doesNotMatch(record.files.get("index.md")!, /Debater B[^\n]*failed/);
  assert.equal(stages(events).filter(({ name }) => name === "debate_complete").length, 1);
});

Deno.test("When every debater fails the run fails with the first reason, and a resume continues", async () => {
  const keys = ["a", "b", "c"].map((id) => `argument/debater-${id}`);
  const { agent, state } = failing(...keys);
  const { workflow, record } = paperDebateOf(agent);
  const { error, events } = await drain(workflow);
  assert.match(String(error), /argument\/debater-a/);
  const names = stages(events).map(({ name }) => name);
  assert.equal(names.filter((name) => name === "debater_error").length, 3);
  assert.ok(!names.includes("debate_complete") && !names.includes("Judging arguments..."));
  assert.match(record.files.get("metadata.md")!, /^status: failed$/m);
  assert.equal(record.files.has("report.md"), false);
  state.down = false;
  const again = await drain(paperDebateOf(agent, { record }).workflow);
  assert.equal(again.result?.status, "completed");
  assert.equal(agent.keys.filter((key) => key === "questions").length, 1);
  assert.ok(fileOf(record.files, "report.md").includes("0.8845"));
});
