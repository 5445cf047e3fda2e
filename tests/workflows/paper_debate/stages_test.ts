// Stages of the debate coordinator and its steps.
import assert from "node:assert/strict";
import { DebateCoordinator, memoryRecord } from "../../../mod.ts";
import type {
  CoordinatorOptions,
  DebaterArgument,
  DebateReport,
  JudgeVerdict,
  Paper,
  StageData,
} from "../../../papers.ts";
import { type ModelReply, startModelServer } from "../../support/model_server.ts";
import { argumentFor, type PaperAsk, paperModel } from "../../support/paper_model.ts";
import { TREES } from "../support/paper_talkers.ts";

const POSTURES = ["It holds everywhere", "It depends", "It hardly holds"];
const TOPICS = ["Methodology", "Evidence", "Practice"];
const QUESTION = "To what extent do trees cool streets at night?";
const FAST = { retry: { minWait: 0, maxWait: 0 }, seed: 1 };

/** Arguments of a callback: one or two. */
type Called = readonly [stage: string, data?: StageData];

/** Uses a coordinator on a model server; returns the reported stages and the log. */
async function coordinated<T>(
  work: (coordinator: DebateCoordinator, onProgress: (...called: Called) => void) => Promise<T>,
  { say, ...options }: CoordinatorOptions & {
    readonly say?: (ask: PaperAsk) => ModelReply | undefined;
  } = {},
) {
  await using server = await startModelServer({ respond: paperModel(say) });
  const record = memoryRecord();
  const coordinator = new DebateCoordinator({
    model: "test-model",
    baseUrl: server.url,
    record,
    ...FAST,
    ...options,
  });
  const calls: Called[] = [];
  const done = await work(coordinator, (...called) => calls.push(called)).then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  return { ...done, calls, record, requests: server.requests.length };
}

/** Stages of a whole debate of three in order; debaters may finish in any order, so theirs are sorted. */
function expected({ generated, crossed = false }: { generated: boolean; crossed?: boolean }) {
  const questions = Array.from(
    { length: 8 },
    (_, i) => `To what extent does finding ${i + 1} hold?`,
  );
  const place = (debaterIndex: number) => ({
    debaterIndex,
    posture: POSTURES[debaterIndex],
    total: 3,
  });
  return {
    crossed,
    stages: [
      ...generated
        ? [
          ["Generating questions from paper..."],
          ["questions_generated", { questions }],
          ["question_selected", { question: questions[1] }],
        ]
        : [],
      ["Generating postures and topics..."],
      ["postures_generated", { postures: POSTURES, topics: TOPICS }],
      ["Running debate with 3 debaters..."],
      ...[0, 1, 2].map((index) => ["debater_started", place(index)]),
      ...[0, 1, 2].map((index) => ["debater_complete", place(index)]),
      ["debate_complete"],
      ["Judging arguments..."],
      ["judging_complete"],
      ["Generating final report..."],
      ["report_complete"],
    ],
  };
}

/** Returns the calls in order, those of finished debaters by number, without data that other tests check. */
function comparable(calls: readonly Called[]) {
  const finished = calls.filter(([name]) => name === "debater_complete")
    .toSorted(([, a], [, b]) => a!.debaterIndex! - b!.debaterIndex!);
  return calls.map((called) => {
    const [name, data] = called[0] === "debater_complete" ? finished.shift()! : called;
    if (data === undefined) return [name];
    const { argument: _a, arguments: _all, verdict: _v, report: _r, ...rest } = data;
    return Object.keys(rest).length === 0 ? [name] : [name, rest];
  });
}

const FLOWS: [
  string,
  boolean,
  (coordinator: DebateCoordinator, told: (...c: Called) => void) => Promise<DebateReport>,
][] = [
  [
    "runCompleteDebate()",
    false,
    (coordinator, told) => coordinator.runCompleteDebate(TREES, QUESTION, 3, told),
  ],
  [
    "runCompleteDebateWithQuestionGeneration()",
    true,
    (coordinator, told) => coordinator.runCompleteDebateWithQuestionGeneration(TREES, 1, 3, told),
  ],
];
for (const [name, generated, flow] of FLOWS) {
  for (const crossExamine of [false, true]) {
    Deno.test(`${name} reports its stages in order, with their data (cross-examination: ${crossExamine})`, async () => {
      const { calls, value: report, error, record } = await coordinated(flow, { crossExamine });
      assert.equal(error, undefined);
      assert.deepEqual(comparable(calls), expected({ generated }).stages);
      for (const called of calls) {
        const alone = / /.test(called[0]);
        assert.equal(called.length, alone ? 1 : 2, called[0]);
      }
      const dataOf = (stage: string) => calls.find(([each]) => each === stage)![1]!;
      const complete = calls.filter(([stage]) => stage === "debater_complete");
      const made: DebaterArgument[] = [];
      for (const [, data] of complete) made[data!.debaterIndex!] = data!.argument!;
      assert.deepEqual(dataOf("debate_complete").arguments, made);
      assert.deepEqual(made.map(({ posture }) => posture), POSTURES);
      assert.deepEqual(Object.keys(made[0]!), ["posture", "perTopic", "overallPosition"]);
      assert.deepEqual(
        dataOf("judging_complete").verdict!.perDebater,
        report!.appendix.scoringTable,
      );
      assert.deepEqual(dataOf("report_complete").report, report);
      const logged = record.files.get("log.jsonl")!.trim().split("\n")
        .map((line) => JSON.parse(line)).filter(({ type }) => type === "stage");
      assert.deepEqual(logged.map((event) => event.name), calls.map(([stage]) => stage));
      for (const event of logged) {
        assert.equal(event.data === null, / /.test(event.name), event.name);
        assert.ok("data" in event);
      }
    });
  }
}

/** Runs the steps of a debate one by one. */
async function chained(
  coordinator: DebateCoordinator,
  onProgress: (...called: Called) => void,
  paper: Paper = TREES,
): Promise<{ report: DebateReport; verdict: JudgeVerdict; made: DebaterArgument[] }> {
  const questions = await coordinator.generateQuestions(paper, onProgress);
  const question = questions[1]!;
  const { postures, topics } = await coordinator.generatePosturesAndTopics(
    paper,
    question,
    3,
    onProgress,
  );
  const made = await coordinator.runDebate(paper, question, topics, postures, onProgress);
  const verdict = await coordinator.judgeDebate(question, topics, made, onProgress);
  const report = await coordinator.generateReport(
    question,
    topics,
    postures,
    made,
    verdict,
    onProgress,
  );
  return { report, verdict, made };
}

/** Returns scores that differ between debaters. */
function scoring({ kind, prompt, topics }: PaperAsk): ModelReply | undefined {
  if (kind !== "topic_scores") return undefined;
  const debater = /Score the argument of Debater ([A-C]) \(turn \d+\)/.exec(prompt)![1]!;
  const less = { A: 0, B: 0.1, C: 0.2 }[debater]!;
  const scores = {
    value: .9 - less,
    cohesiveness: .85,
    relevance: .95,
    clarity: .88,
    engagement: .8,
  };
  return { json: { perTopic: topics.map((topic) => ({ topic, notes: `On ${topic}.`, scores })) } };
}

Deno.test("The separate steps give a report with the totals of the verdict's scores", async () => {
  const { value, error, calls, record } = await coordinated(chained, { say: scoring });
  assert.equal(error, undefined);
  const { report, verdict, made } = value!;
  assert.deepEqual(made.map(({ posture }) => posture), POSTURES);
  assert.deepEqual(made[0]!.perTopic.map(({ topic }) => topic), TOPICS);
  assert.equal(made[0]!.perTopic[0]!.citations.paper![0]!.status, "verified");
  assert.deepEqual(verdict.perDebater.map(({ totals }) => totals.weighted), [
    0.8845,
    0.8545,
    0.8245,
  ]);
  assert.equal(verdict.bestOverall, POSTURES[0]);
  assert.deepEqual(report.appendix.scoringTable, verdict.perDebater);
  assert.deepEqual(report.rankedPostures, [
    { posture: POSTURES[0], score: 0.8845 },
    { posture: POSTURES[1], score: 0.8545 },
    { posture: POSTURES[2], score: 0.8245 },
  ]);
  assert.deepEqual(report.validatedInsights, verdict.insights);
  assert.deepEqual(report.controversialPoints, verdict.controversialPoints);
  assert.equal(report.summary, "It was argued in three ways.\n\nThe first was judged best.");
  assert.deepEqual(report.topics, TOPICS);
  assert.match(report.markdown, /0\.8845/);
  assert.deepEqual(comparable(calls).filter(([name]) => name !== "question_selected"), [
    ["Generating questions from paper..."],
    ["questions_generated", calls[1]![1]],
    ["Generating postures and topics..."],
    ["postures_generated", { postures: POSTURES, topics: TOPICS }],
    ...[0, 1, 2].map((
      debaterIndex,
    ) => ["debater_started", { debaterIndex, posture: POSTURES[debaterIndex], total: 3 }]),
    ...[0, 1, 2].map((
      debaterIndex,
    ) => ["debater_complete", { debaterIndex, posture: POSTURES[debaterIndex], total: 3 }]),
    ["Judging arguments..."],
    ["judging_complete"],
    ["Generating final report..."],
    ["report_complete"],
  ]);
  assert.equal(record.files.size, 0, "a step by itself leaves nothing");
});

Deno.test("Given arguments are judged and reported in the order of the postures, without failed ones", async () => {
  const own = (posture: string): DebaterArgument => ({
    posture,
    perTopic: TOPICS.map((topic) => ({
      topic,
      claim: `${topic} bears it out.`,
      reasoning: "Because of what was counted.",
      counterpoints: [],
      citations: {},
    })),
    overallPosition: "So it is.",
  });
  const given = [own(POSTURES[2]!), own(POSTURES[0]!)];
  const { value, error } = await coordinated(async (coordinator) => {
    const verdict = await coordinator.judgeDebate(QUESTION, TOPICS, given);
    const report = await coordinator.generateReport(QUESTION, TOPICS, POSTURES, given, verdict);
    return { verdict, report };
  }, { say: scoring });
  assert.equal(error, undefined);
  const { verdict, report } = value!;
  assert.deepEqual(verdict.perDebater.map(({ posture }) => posture), [POSTURES[2], POSTURES[0]]);
  const totals = new Map(report.rankedPostures.map(({ posture, score }) => [posture, score]));
  for (const { posture, totals: { weighted } } of verdict.perDebater) {
    assert.equal(totals.get(posture), weighted);
  }
  assert.deepEqual(report.postures, POSTURES, "one that nobody argued is among them");
});

Deno.test("runDebate() fails only when every debater fails", async () => {
  const failing =
    (names: string): (ask: PaperAsk) => ModelReply | undefined => ({ debater, kind }) =>
      kind === "debater_argument" && names.includes(debater.at(-1)!) ? { status: 401 } : undefined;
  const some = await coordinated(
    (coordinator, told) => coordinator.runDebate(TREES, QUESTION, TOPICS, POSTURES, told),
    { say: failing("AB") },
  );
  assert.deepEqual(some.value!.map(({ posture }) => posture), [POSTURES[2]]);
  assert.equal(some.calls.filter(([stage]) => stage === "debater_error").length, 2);
  const none = await coordinated(
    (coordinator) => coordinator.runDebate(TREES, QUESTION, TOPICS, POSTURES),
    { say: failing("ABC") },
  );
  assert.match(String(none.error), /401/);
});

Deno.test("cites is accepted as citations, and its lists may be absent", async () => {
  const { value, error } = await coordinated(
    (coordinator) => coordinator.runDebate(TREES, QUESTION, TOPICS, POSTURES.slice(0, 2)),
    {
      say: (ask) => {
        if (ask.kind !== "debater_argument" || ask.results.length === 0) return undefined;
        const { perTopic, overallPosition } = argumentFor(ask);
        return {
          json: {
            perTopic: perTopic.map(({ citations: { paper }, counterpoints: _none, ...each }) => ({
              ...each,
              cites: { paper: paper.map(({ chunkId }) => chunkId) },
            })),
            overallPosition,
            // The original format repeats the posture.
            posture: ask.debater,
          },
        };
      },
    },
  );
  assert.equal(error, undefined);
  const [first] = value![0]!.perTopic;
  assert.equal(first!.citations.paper![0]!.status, "verified");
  assert.deepEqual(first!.counterpoints, []);
});
