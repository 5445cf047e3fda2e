// Stages of the debate coordinator and its steps.
import assert from "node:assert/strict";
import { DebateCoordinator, memoryRecord } from "../../../mod.ts";
import type {
  CoordinatorOptions,
  DebaterArgument,
  DebateReport,
  StageData,
} from "../../../papers.ts";
import { type ModelReply, startModelServer } from "../../support/model_server.ts";
import { argumentFor, type PaperAsk, paperModel } from "../../support/paper_model.ts";
import { TREES } from "./support/paper_talkers.ts";

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
function expected(generated: boolean) {
  const questions = Array.from(
    { length: 8 },
    (_, i) => `To what extent does finding ${i + 1} hold?`,
  );
  const place = (debaterIndex: number) => ({
    debaterIndex,
    posture: POSTURES[debaterIndex],
    total: 3,
  });
  return [
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
  ];
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
  Deno.test(`${name} reports its stages in order, with their data (cross-examination: ${generated})`, async () => {
    const options = { crossExamine: generated };
    const { calls, value: report, error, record } = await coordinated(flow, options);
    assert.equal(error, undefined);
    assert.deepEqual(comparable(calls), expected(generated));
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
