// Judges of paper debates: totals, rubrics, unreadable replies, verdicts.
import assert from "node:assert/strict";
import type { ConveningEvent } from "../../../mod.ts";
import type { PaperDebateOutcome } from "../../../papers.ts";
import { createScoringAgent, type Score, weightedTotal } from "../../../scoring.ts";
import {
  fileOf,
  json,
  OWN_RUBRIC,
  paperDebateOf,
  type PaperSettings,
  paperTalker,
  POSTURES,
  scoresOf,
  TOPICS,
  VECTOR,
} from "./support/paper_talkers.ts";
import { drain, promptOf, type Say } from "../../support/talkers.ts";

/** Runs a debate that must complete; returns its result. */
async function judged(say: Say, settings: PaperSettings = {}) {
  const agent = paperTalker(say);
  const { workflow, record } = paperDebateOf(agent, settings);
  const { result, events, error } = await drain(workflow);
  assert.equal(error, undefined);
  const report = (result!.value as PaperDebateOutcome).report!;
  return { agent, record, result: result!, events, report };
}

function scoresIn(events: readonly ConveningEvent[]): Score[] {
  return events.flatMap((event) => event.type === "score" ? [event.score] : []);
}

Deno.test("Totals are arithmetic over the criteria, .9 .85 .95 .88 .80 → 0.8845, whatever totals the judge states", async () => {
  const { report, result, events, record, agent } = await judged((request) => {
    if (request.context.kind !== "topic_scores") return undefined;
    const { perTopic } = scoresOf(request);
    return json({
      perTopic: perTopic.map((each) => ({ ...each, weighted: 9.99, total: 1 })),
      totals: { weighted: 0.1, byCriterion: { value: 1 } },
      weighted: 0.1,
      total: 1,
    });
  });
  assert.deepEqual(scoresIn(events).map(({ total }) => total), [0.8845, 0.7845, 0.6845]);
  assert.equal(result.scores["debater-a"]!.total, 0.8845);
  const { scoringTable } = report.appendix;
  assert.deepEqual(scoringTable.map(({ totals }) => totals.weighted), [0.8845, 0.7845, 0.6845]);
  assert.deepEqual(Object.values(scoringTable[0]!.totals.byCriterion), VECTOR);
  assert.deepEqual(report.rankedPostures[0], { posture: POSTURES[0], score: 0.8845 });
  assert.deepEqual(scoringTable[0]!.perTopic.map(({ topic }) => topic), TOPICS);
  const kept = JSON.parse(record.files.get("report.json")!);
  assert.deepEqual(kept.appendix.scoringTable, scoringTable);
  for (const path of ["report.md", "scores.md", "index.md", "messages/007", "report.json"]) {
    const text = fileOf(record.files, path);
    assert.ok(text.includes("0.8845"), path);
    assert.ok(!text.includes("9.99"), path);
  }
  assert.match(promptOf(agent.asked("report")), /Trees cool every street: 0\.8845/);
});

Deno.test("A judge is asked about every debater and topic, with the debater's words and their marks", async () => {
  const { agent, record } = await judged(() => undefined);
  const { messages, context, maxTokens, temperature } = agent.asked("score/5/judge");
  const prompt = messages.map(({ content }) => content).join("\n");
  assert.match(prompt, /<turn number="5" speaker="Debater B" kind="argument">/);
  assert.match(
    prompt,
    /“The difference was smaller[^”]*” — \*\*verified\*\*, paper `trees`, page 2/,
  );
  for (const topic of TOPICS) assert.ok(prompt.split("</turn>").at(-1)!.includes(topic));
  assert.deepEqual((context.data as { topics: string[] }).topics, TOPICS);
  assert.deepEqual([maxTokens, temperature], [3000, 0.3]);
  assert.match(prompt, /clarity .*0\.2: .*0\.5: .*0\.8: /);
  assert.match(fileOf(record.files, "scores/005"), /Notes on Methodology/);
});

Deno.test("Several judges give mean scores, notes by judge, and the distinct insights of all", async () => {
  const judges = ["j", "k"].map((id) => ({ id, name: `Judge ${id.toUpperCase()}` }));
  const second = (request: Parameters<Say>[0]) => {
    const { kind, participant } = request.context;
    if (participant !== "k") return undefined;
    if (kind === "insights") {
      return json({
        insights: ["1. **Noon** matters.", "- So do nights."],
        controversialPoints: [],
      });
    }
    if (kind !== "topic_scores") return undefined;
    const { perTopic } = scoresOf(request);
    const half = (scores: Record<string, number>) =>
      Object.fromEntries(Object.keys(scores).map((id) => [id, 0.5]));
    return json({ perTopic: perTopic.map((each) => ({ ...each, scores: half(each.scores) })) });
  };
  const agent = paperTalker(second);
  const { workflow } = paperDebateOf(agent, {
    judges: judges.map((judge) => ({ ...judge, agent })),
  });
  const { result } = await drain(workflow);
  const report = (result!.value as PaperDebateOutcome).report!;
  const [first] = report.appendix.scoringTable;
  assert.equal(first!.totals.weighted, Math.round((0.8845 + 0.5) / 2 * 1e4) / 1e4);
  assert.deepEqual(first!.perTopic[0]!.scores["value"], 0.7);
  assert.match(first!.perTopic[0]!.notes, /Judge J: .* Judge K: /);
  assert.deepEqual(report.validatedInsights, ["Noon matters.", "So do nights."]);
  assert.equal(agent.keys.filter((key) => key.startsWith("score/")).length, 6);
});

Deno.test("A custom rubric's criteria, scale and weights are in prompts, scores and report", async () => {
  const { report, events, agent } = await judged(() => undefined, { rubric: OWN_RUBRIC });
  const expected = weightedTotal({ rigour: 4.5, wit: 4.25 }, { rigour: 0.75, wit: 0.25 });
  assert.equal(scoresIn(events)[0]!.total, expected);
  assert.deepEqual(report.rubric, {
    id: "own",
    scale: [0, 5],
    weights: { rigour: 0.75, wit: 0.25 },
  });
  assert.match(promptOf(agent.asked("score/4/judge")), /rigour \(weight 0\.75\)/);
  assert.match(report.markdown, /rigour \| wit/);
});

Deno.test("A judge's reply that stays unreadable is reported as unscored and never as a number", async () => {
  const { report, result, agent } = await judged(({ context: { key } }) =>
    key === "score/5/judge" ? { text: "Seven of ten, I would say." } : undefined
  );
  assert.equal(agent.keys.filter((key) => key === "score/5/judge").length, 2);
  assert.equal(result.scores["debater-b"], undefined);
  assert.deepEqual(result.unscored, ["debater-b"]);
  assert.deepEqual(report.rankedPostures.map(({ posture }) => posture), [POSTURES[0], POSTURES[2]]);
  assert.equal(report.appendix.scoringTable[1]!.totals.weighted, null);
  assert.match(report.notes.join("\n"), /Debater B, for "[^"]+", has no score \(Judge: /);
  assert.match(report.markdown, /\(Debater B\) \| unscored/);
});

const ODD: [string, (reply: ReturnType<typeof scoresOf>) => unknown][] = [
  ["a topic missing", ({ perTopic }) => ({ perTopic: perTopic.slice(1) })],
  ["a topic twice", ({ perTopic }) => ({ perTopic: [...perTopic, perTopic[0]] })],
  ["a topic that was not given", ({ perTopic }) => ({
    perTopic: [...perTopic.slice(1), { ...perTopic[0], topic: "Style" }],
  })],
  ["a number above the scale", ({ perTopic }) => ({
    perTopic: perTopic.map((each) => ({ ...each, scores: { ...each.scores, value: 1.5 } })),
  })],
  ["a criterion missing", ({ perTopic }) => ({
    perTopic: perTopic.map((each) => ({ ...each, scores: { value: 0.5 } })),
  })],
];
for (const [what, spoil] of ODD) {
  Deno.test(`A judge's reply with ${what} is asked for again once with the reason`, async () => {
    let asked = 0;
    const { events, agent } = await judged((request) =>
      request.context.key === "score/4/judge" && asked++ === 0
        ? json(spoil(scoresOf(request)))
        : undefined
    );
    const requests = agent.requests.filter(({ context }) => context.key === "score/4/judge");
    assert.equal(requests.length, 2);
    assert.match(requests[1]!.messages.at(-1)!.content, /could not be read/);
    assert.equal(scoresIn(events).find(({ message }) => message === 4)!.total, 0.8845);
  });
}

Deno.test("The verdict is asked in every rotation, and one that contradicts the totals is shown as such", async () => {
  const { report, agent, result } = await judged(({ context: { kind, data } }) =>
    kind === "verdict"
      ? json({
        reasons: "By far.",
        winner: (data as { labels: Record<string, string> }).labels["debater-c"],
      })
      : undefined
  );
  const shown = [1, 2, 3].map((number) =>
    promptOf(agent.asked(`verdict/judge/${number}`)).split("</turn>").at(-1)!
      .match(/(?<=- Side [123]: ).*/g)!.map((each) => POSTURES.indexOf(each)).join("")
  );
  assert.equal(new Set(shown).size, 3);
  assert.match(
    promptOf(agent.asked("verdict/judge/1")),
    /The question was: <source name="question">/,
  );
  assert.ok(shown.every((order) => shown[0]!.repeat(2).includes(order)), shown.join());
  assert.equal(result.winner, "debater-c");
  const strength =
    "Contested: 1 vote for Debater C; steadiness not measured; the total is 0.2 below the best.";
  assert.deepEqual(report.verdict, { outcome: "decided", winner: POSTURES[2], strength });
  assert.equal(report.rankedPostures[0]!.posture, POSTURES[0]);
  assert.match(report.markdown, /names \*\*Trees hardly matter\*\*\. The numbers do not agree/);
});

Deno.test("A scoring program judges a paper debate without a call: every topic gets the message's scores", async () => {
  const program = createScoringAgent("program", ({ position }, { criteria, scale: [, most] }) => ({
    scores: Object.fromEntries(
      criteria.map(({ id }) => [id, position === POSTURES[1] ? most : most / 2]),
    ),
    reasons: "By position.",
  }));
  const { result, events, report, agent } = await judged(() => undefined, {
    judges: [{ agent: program }],
  });
  assert.deepEqual([result.outcome, result.winner], ["decided", "debater-b"]);
  assert.deepEqual(scoresIn(events).map(({ total }) => total), [0.5, 1, 0.5]);
  assert.deepEqual(scoresIn(events)[0]!.topics?.map(({ topic, notes }) => [topic, notes]), [
    ...TOPICS.map((topic) => [topic, "By position."]),
  ]);
  assert.deepEqual(report.validatedInsights, []);
  assert.ok(!agent.requests.some(({ context }) => context.phase === "verdict"));
});
