// Paper debates with too few or too many questions, postures or topics, and with given ones.
import assert from "node:assert/strict";
import { AgentError } from "../../../mod.ts";
import type { PaperDebateOutcome } from "../../../papers.ts";
import { round4 } from "../../../src/core/statistics.ts";
import {
  argumentOf,
  fileOf,
  json,
  paperDebateOf,
  type PaperSettings,
  paperTalker,
  POSTURES,
  QUESTIONS,
  TOPICS,
} from "./support/paper_talkers.ts";
import { drain, type Say } from "../../support/talkers.ts";

/** Runs a debate and returns a turn's attempts, reasons and message. */
async function turnOf(key: string, say: Say, settings: PaperSettings = {}) {
  const agent = paperTalker((request) => request.context.key === key ? say(request) : undefined);
  const { workflow, record } = paperDebateOf(agent, settings);
  const drained = await drain(workflow);
  const requests = agent.requests.filter(({ context }) => context.key === key);
  const told = requests.slice(1).map(({ messages }) => messages.at(-1)!.content);
  const message =
    drained.events.flatMap((event) =>
      event.type === "message" && event.message.turn === key ? [event.message] : []
    )[0];
  return { ...drained, record, requests, told, message, agent };
}

Deno.test("Too few questions twice: the usable ones are accepted with a mark and can be debated", async () => {
  const { requests, told, message, result, record } = await turnOf(
    "questions",
    () => json({ questions: [...QUESTIONS.slice(0, 3), QUESTIONS[0]!, "", "Why?"] }),
    { pick: 3 },
  );
  assert.equal(requests.length, 2);
  assert.match(told[0]!, /There are 4 different questions, expected 8 to 12/);
  assert.deepEqual(message!.marks, ["few_questions"]);
  assert.equal((result!.value as PaperDebateOutcome).question, QUESTIONS[2]);
  assert.equal(message!.body.match(/^\d+\. /gm)!.length, 3);
  assert.match(fileOf(record.files, "messages/001"), /^marks: \[few_questions\]$/m);
  assert.ok(record.files.has("rejected/001_1.md"));
});

Deno.test("Two postures of three, twice: the third debater does not take part, and the message is marked", async () => {
  const { message, result, agent, events } = await turnOf(
    "postures",
    () => json({ postures: POSTURES.slice(0, 2), topics: TOPICS }),
  );
  const stages = events.flatMap((event) => event.type === "stage" ? [event.name] : []);
  assert.ok(stages.includes("Running debate with 2 debaters..."), stages.join());
  assert.deepEqual(message!.marks, ["few_postures"]);
  assert.equal(result?.status, "completed");
  assert.ok(!agent.keys.includes("argument/debater-c"));
  const { report } = result!.value as PaperDebateOutcome;
  assert.deepEqual(report!.postures, POSTURES.slice(0, 2));
  assert.ok(!report!.markdown.includes("Debater C"));
  assert.deepEqual(Object.keys(result!.scores), ["debater-a", "debater-b"]);
});

Deno.test("Four postures for three debaters, twice: the first three are accepted", async () => {
  const { message, result } = await turnOf(
    "postures",
    () => json({ postures: POSTURES, topics: TOPICS }),
  );
  assert.deepEqual(message!.marks, ["structure"], "it says more than is taken");
  assert.deepEqual((result!.value as PaperDebateOutcome).postures, POSTURES.slice(0, 3));
});

for (
  const [turn, empty] of [["questions", { questions: [""] }], ["postures", {
    postures: [],
    topics: TOPICS,
  }]] as const
) {
  Deno.test(`A ${turn} turn without content fails by name and is asked again by a resume`, async () => {
    let odd = true;
    const { error, agent, record } = await turnOf(turn, () => odd ? json(empty) : undefined);
    assert.ok(error instanceof AgentError);
    assert.equal(error.code, "agent_bad_reply");
    assert.match(error.message, new RegExp(`"${turn}".*Questioner`));
    assert.match(record.files.get("metadata.md")!, /^status: failed$/m);
    odd = false;
    const again = await drain(paperDebateOf(agent, { record }).workflow);
    assert.equal(again.result?.status, "completed");
  });

  Deno.test(`A ${turn} reply that is not JSON is asked for again, then the turn fails and can be resumed`, async () => {
    let odd = true;
    const { error, agent, requests, told, record } = await turnOf(
      turn,
      () => odd ? { text: "1. Well, why not?" } : undefined,
    );
    assert.ok(error instanceof AgentError);
    assert.equal(requests.length, 4);
    assert.match(told[0]!, /JSON/);
    odd = false;
    const again = await drain(paperDebateOf(agent, { record }).workflow);
    assert.equal(again.result?.status, "completed");
  });
}

const A = "argument/debater-a";
Deno.test("An argument that misses a topic twice is accepted, marked, noted, and scored with the minimum on that topic", async () => {
  const { message, told, result, agent, record } = await turnOf(A, (request) => {
    const { perTopic, ...rest } = argumentOf(request, []);
    return json({ ...rest, perTopic: perTopic.slice(1) });
  });
  assert.match(told[0]!, /Missing: "Methodology"/);
  assert.match(told[0]!, /The topics: "Methodology", "Evidence", "Practice"/);
  assert.match(told[0]!, /whole reply again\. Answer with one JSON object [^]*\n- perTopic: /);
  assert.deepEqual([message!.attempts, message!.marks], [2, ["incomplete"]]);
  const { report } = result!.value as PaperDebateOutcome;
  assert.match(report!.notes.join("\n"), /Debater A, for "[^"]+", did not argue on "Methodology"/);
  const { topics } = agent.asked("score/4/judge").context.data as { topics: string[] };
  assert.deepEqual(topics, ["Evidence", "Practice"]);
  const [own, other] = report!.appendix.scoringTable;
  assert.deepEqual(own!.perTopic.map(({ topic, argued }) => [topic, argued]), [
    ["Methodology", false],
    ["Evidence", undefined],
    ["Practice", undefined],
  ]);
  const [missed, scored] = own!.perTopic;
  assert.ok(Object.values(missed!.scores).every((number) => number === 0));
  for (const [id, number] of Object.entries(own!.totals.byCriterion)) {
    const all = own!.perTopic.map(({ scores }) => scores[id]!);
    assert.equal(number, round4(all.reduce((sum, each) => sum + each, 0) / 3), id);
  }
  assert.ok(Object.values(scored!.scores).some((number) => number > 0));
  assert.ok(own!.totals.weighted! < other!.totals.weighted!, "a topic left out gains nothing");
  const [score] = [...record.files].filter(([path]) => /^scores\/.*004/.test(path));
  assert.match(score![1], /argued: false/);
  assert.match(report!.markdown, /\(1 of 3 topics not argued\) \|/);
  assert.match(report!.markdown, /\| Methodology \(not argued\) \| 0 \|/);
  assert.match(record.files.get("scores.md")!, /^Not argued, and counted as 0: Methodology\.$/m);
  const verdict = [...record.files].find(([, text]) => /^kind: verdict$/m.test(text))!;
  assert.match(verdict[1], /1 of 3 topics not argued/);
});

Deno.test("An argument without words on any topic fails its debater alone", async () => {
  const { message, result, record } = await turnOf(
    A,
    () => json({ perTopic: [], overallPosition: "" }),
  );
  assert.equal(message, undefined);
  assert.equal(result?.status, "completed");
  assert.match(record.files.get("failures/004.md")!, /^code: agent_bad_reply$/m);
  assert.deepEqual(Object.keys(result!.scores), ["debater-b", "debater-c"]);
});

Deno.test("An argument that is not JSON is accepted as text after three retries, marked, and judged", async () => {
  const { message, requests, result, record } = await turnOf(
    A,
    () => ({ text: "Trees cool. That is all." }),
  );
  assert.equal(requests.length, 4);
  assert.equal(message!.body, "Trees cool. That is all.");
  assert.deepEqual(message!.marks, ["unstructured"]);
  assert.ok(!record.files.has("evidence/004.md"));
  const { report } = result!.value as PaperDebateOutcome;
  assert.match(
    report!.notes.join("\n"),
    /quotations and citations of Debater A, [^\n]*were not looked up/,
  );
  assert.equal(report!.rankedPostures.length, 3);
});

Deno.test("A configured question, postures and topics are stated without a request", async () => {
  const agent = paperTalker();
  const { workflow, record } = paperDebateOf(agent, {
    question: "  How far do trees   cool streets? ",
    given: { postures: POSTURES.slice(0, 3), topics: ["One", "Two"] },
  });
  const { result } = await drain(workflow);
  assert.equal(agent.keys[0], A);
  assert.equal((result!.value as PaperDebateOutcome).question, "How far do trees cool streets?");
  assert.deepEqual(result!.messages.slice(0, 2).map(({ model }) => model), [
    "template",
    "template",
  ]);
  const [, expected] = /^expected_messages: (\d+)$/m.exec(record.files.get("metadata.md")!)!;
  assert.equal(Number(expected), result!.messages.length);
});
