// Debate coordinator: whole debates and single steps.
import assert from "node:assert/strict";
import {
  DebateCoordinator,
  listConvenings,
  memoryRecord,
  openConvening,
  verify,
} from "../../mod.ts";
import type { DebaterArgument, DebateReport, JudgeVerdict } from "../../papers.ts";
import { rubricNamed } from "../../scoring.ts";
import {
  json,
  QUESTIONS,
  TOPICS,
  TREES,
  usualReply,
} from "../papers/debate/support/paper_talkers.ts";
import {
  archiving,
  argumentOn,
  coordinatorOf,
  OPTIONS,
  QUESTION,
  talking,
  THREE,
} from "./support/coordinators.ts";

archiving.test("DebateCoordinator accepts the original program's calls, in their order, and returns the expected results", async (out) => {
  const coordinator = coordinatorOf({ record: undefined, out });
  const questions: string[] = await coordinator.generateQuestions(TREES);
  assert.deepEqual(questions, QUESTIONS);
  const settled: { postures: string[]; topics: string[] } = await coordinator
    .generatePosturesAndTopics(TREES, questions[0]!, 3);
  assert.deepEqual(settled, { postures: THREE, topics: TOPICS });
  const { postures, topics } = settled;
  const hear = () => {};
  const [first = ""] = questions;
  const made: DebaterArgument[] = await coordinator
    .runDebate(TREES, first, topics, postures, hear);
  assert.deepEqual(made.map(({ posture }) => posture), postures);
  const verdict: JudgeVerdict = await coordinator.judgeDebate(first, topics, made);
  const report = await coordinator.generateReport(first, topics, postures, made, verdict);
  assert.deepEqual([report.question, report.topics, report.postures], [first, topics, postures]);
  const whole = await coordinator.runCompleteDebate(TREES, first, 3, hear);
  const generated = await coordinator.runCompleteDebateWithQuestionGeneration(TREES, 4, 2, hear);
  assert.equal(whole.question, first);
  assert.equal(generated.question, questions[4]);
  assert.equal(generated.postures.length, 2);
});

talking.test("DebateCoordinator uses three postures and the first question by default", async () => {
  const { postures } = await coordinatorOf().generatePosturesAndTopics(TREES, QUESTION);
  assert.equal(postures.length, 3);
  assert.equal((await coordinatorOf().runCompleteDebate(TREES, QUESTION)).postures.length, 3);
  const report = await coordinatorOf().runCompleteDebateWithQuestionGeneration(TREES);
  assert.deepEqual([report.question, report.postures.length], [QUESTIONS[0], 3]);
});

talking.test("The separate steps give the scores of the whole debate", async () => {
  const coordinator = coordinatorOf();
  const whole = await coordinator.runCompleteDebate(TREES, QUESTION, 3);
  const told: string[] = [];
  const tell = (stage: string) => told.push(stage);
  await coordinator.generateQuestions(TREES, tell);
  const { postures, topics } = await coordinator.generatePosturesAndTopics(
    ...[TREES, QUESTION, 3, tell] as const,
  );
  const made = await coordinator.runDebate(TREES, QUESTION, topics, postures, tell);
  const verdict = await coordinator.judgeDebate(QUESTION, topics, made, tell);
  const given = [QUESTION, topics, postures, made, verdict] as const;
  const steps = await coordinator.generateReport(...given, tell);
  assert.deepEqual(told, [
    ...["Generating questions from paper...", "questions_generated"],
    ...["Generating postures and topics...", "postures_generated"],
    ...Array(3).fill("debater_started"),
    ...Array(3).fill("debater_complete"),
    ...["Judging arguments...", "judging_complete"],
    ...["Generating final report...", "report_complete"],
  ]);
  for (
    const key of [
      "rankedPostures",
      "appendix",
      "validatedInsights",
      "controversialPoints",
      "recommendedNextReads",
    ] as const
  ) assert.deepEqual(steps[key], whole[key], key);
  const figures = (of: DebateReport) =>
    of.verification.map(({ posture, verified, notFound }) => [posture, verified, notFound]);
  assert.deepEqual(figures(steps), figures(whole));
  assert.ok(figures(whole).every(([, verified]) => Number(verified) > 0));
}, async (request) => {
  const { kind, key, data } = request.context;
  if (kind !== "topic_scores") return await usualReply(request);
  const { topics } = data as { readonly topics: readonly string[] };
  const value = 0.9 - Number(key.split("/")[1]) / 20;
  const { criteria } = rubricNamed("conceptual");
  const scores = Object.fromEntries(criteria.map(({ id }) => [id, value]));
  return json({ perTopic: topics.map((topic) => ({ topic, notes: "Fair.", scores })) });
});

talking.test("Several papers are debated together, each under its own name", async (agent) => {
  const other = {
    id: TREES.id,
    title: "Trees and winter",
    text: `${TREES.text} Winters stayed mild.`,
  };
  const record = memoryRecord();
  const report = await coordinatorOf({ record }).runCompleteDebate([TREES, other], QUESTION, 2);
  assert.equal(report.rankedPostures.length, 2);
  assert.deepEqual(
    [...record.files.keys()].filter((path) => /^paper[^/]*$/.test(path)).sort(),
    ["paper-2.md", "paper.md"],
  );
  const head = agent.asked("argument/debater-a").messages[0]!.content;
  assert.match(head, /trees: Trees and summer heat\ntrees-2: Trees and winter/);
});

talking.test("judgeDebate() shows judges the marks of arguments, and accepts arguments without marks", async (agent) => {
  const coordinator = coordinatorOf();
  const given = [
    argumentOn(THREE[0]!, "verified"),
    argumentOn(THREE[1]!, "not found"),
    argumentOn(THREE[2]!),
  ];
  const verdict = await coordinator.judgeDebate(QUESTION, TOPICS, given);
  assert.deepEqual(verdict.perDebater.map(({ posture }) => posture), THREE);
  for (const { perTopic, totals } of verdict.perDebater) {
    assert.deepEqual(perTopic.map(({ topic }) => topic), TOPICS);
    assert.ok(totals.weighted !== null);
  }
  const first = argumentOn(THREE[0]!, "verified");
  const original = {
    ...first,
    perTopic: first.perTopic.map(({ topic, claim, reasoning, citations: cites }) => ({
      ...{ topic, claim, reasoning, cites },
    })),
  } as unknown as DebaterArgument;
  await coordinator.judgeDebate(QUESTION, TOPICS, [original, ...given.slice(1)]);
  await assert.rejects(
    coordinator.judgeDebate(QUESTION, TOPICS, [{ ...first, perTopic: "none" as never }]),
    { code: "config_invalid", field: "debaterArguments.0.perTopic" },
  );
  const prompt = agent.asked("insights/judge").messages.map(({ content }) => content).join("\n");
  assert.match(prompt, /trees#1.*\*\*verified\*\*/);
  assert.match(prompt, /trees#1.*\*\*not found\*\*/);
});

archiving.test("DebateCoordinator records only whole debates, in the configured folder", async (out) => {
  const coordinator = new DebateCoordinator({ ...OPTIONS, out });
  await coordinator.generateQuestions(TREES);
  const made = await coordinator.runDebate(TREES, QUESTION, TOPICS, THREE);
  await coordinator.judgeDebate(QUESTION, TOPICS, made);
  assert.deepEqual(await listConvenings(out), []);
  const report = await coordinator.runCompleteDebate(TREES, QUESTION, 2);
  const [kept] = await listConvenings(out);
  const { start, result } = await openConvening(kept!.dir);
  assert.deepEqual([start.kind, start.topic, result.status], [
    "paper-debate",
    QUESTION,
    "completed",
  ]);
  assert.equal(
    JSON.parse(await Deno.readTextFile(`${kept!.dir}/report.json`)).question,
    report.question,
  );
});

archiving.test("Two concurrent coordinators, and two debates of one, are independent", async (out) => {
  const one = new DebateCoordinator({ ...OPTIONS, out, seed: 2 });
  const other = new DebateCoordinator({ ...OPTIONS, out, seed: 3 });
  const reports = await Promise.all([
    one.runCompleteDebate(TREES, QUESTION, 2),
    one.runCompleteDebate(TREES, QUESTIONS[1]!, 3),
    other.runCompleteDebate(TREES, QUESTIONS[2]!, 4),
    other.generateQuestions(TREES),
  ]);
  assert.deepEqual(
    reports.slice(0, 3).map((report) =>
      Array.isArray(report) ? [] : [report.question, report.rankedPostures.length]
    ),
    [[QUESTION, 2], [QUESTIONS[1], 3], [QUESTIONS[2], 4]],
  );
  const kept = await listConvenings(out);
  assert.equal(kept.length, 3);
  for (const { dir } of kept) assert.deepEqual((await verify(dir)).findings, []);
});
