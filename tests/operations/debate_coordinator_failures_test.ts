// Failures of the debate coordinator.
import assert from "node:assert/strict";
import {
  ConveningError,
  DebateCoordinator,
  listConvenings,
  openConvening,
  resume,
  verify,
} from "../../mod.ts";
import type { DebateProgress } from "../../papers.ts";
import { QUESTIONS, TOPICS, TREES } from "../papers/debate/support/paper_talkers.ts";
import {
  archiving,
  argumentOn,
  coordinatorOf,
  OPTIONS,
  QUESTION,
  refused,
  talking,
  THREE,
} from "./support/coordinators.ts";

Deno.test("A second whole debate in the same record is rejected, and a failed one can be resumed", async () => {
  let broken = true;
  await talking(async (agent) => {
    const coordinator = coordinatorOf();
    await assert.rejects(coordinator.runCompleteDebate(TREES, QUESTION), /out of order/);
    broken = false;
    const report = await coordinator.runCompleteDebate(TREES, QUESTION);
    assert.equal(report.question, QUESTION);
    assert.equal(agent.keys.filter((key) => key === "argument/debater-a").length, 1);
    await refused(
      () => coordinator.runCompleteDebate(TREES, QUESTIONS[0]!),
      { field: "record", says: /second debate in the record/, hint: /Give out/ },
    );
    assert.equal((await coordinator.generateQuestions(TREES)).length, QUESTIONS.length);
  }, ({ context: { key } }) => {
    if (broken && key === "report") throw new Error("The model is out of order");
    return undefined;
  });
});

talking.test(
  "runDebate() continues without a debater that fails and reports its number and reason",
  async () => {
    const failed: (number | undefined)[] = [];
    const made = await coordinatorOf().runDebate(TREES, QUESTION, TOPICS, THREE, (stage, data) => {
      if (stage !== "debater_error") return;
      failed.push(data?.debaterIndex);
      assert.deepEqual([data?.posture, data?.total], [THREE[1], 3]);
      assert.match(data?.error ?? "", /out of order/);
    });
    assert.deepEqual(made.map(({ posture }) => posture), [THREE[0], THREE[2]]);
    assert.deepEqual(failed, [1]);
    const verdict = await coordinatorOf().judgeDebate(QUESTION, TOPICS, made);
    const { notes } = await coordinatorOf().generateReport(QUESTION, TOPICS, THREE, made, verdict);
    assert.ok(notes.includes(`Nobody argued for "${THREE[1]}".`), notes.join("\n"));
  },
  ({ context: { key } }) => {
    if (key === "argument/debater-b") throw new Error("The model is out of order");
    return undefined;
  },
);

talking.test("Invalid questions, topics, postures and counts are rejected by name before any request", async (agent) => {
  const coordinator = coordinatorOf();
  const judged = (question: string, topics: readonly string[], postures: readonly string[]) =>
    coordinator.judgeDebate(question, topics, postures.map((each) => argumentOn(each)));
  for (const question of ["", "   ", "Why?", "x".repeat(1001)]) {
    const says = /has \d+ characters, 10 to 1,000|Cannot use question: /;
    for (
      const act of [
        () => coordinator.generatePosturesAndTopics(TREES, question),
        () => coordinator.runDebate(TREES, question, TOPICS, THREE),
        () => judged(question, TOPICS, THREE),
        () => coordinator.runCompleteDebate(TREES, question),
      ]
    ) await refused(act, { field: "question", says });
  }
  for (const count of [1, 9, 2.5, 0, -3, Number.NaN]) {
    const says = /Cannot take .* postures|Cannot use postures/;
    for (
      const act of [
        () => coordinator.generatePosturesAndTopics(TREES, QUESTION, count),
        () => coordinator.runCompleteDebate(TREES, QUESTION, count),
        () => coordinator.runCompleteDebateWithQuestionGeneration(TREES, 0, count),
      ]
    ) await refused(act, { field: "postures", says });
  }
  for (
    const [topics, postures, field, says] of [
      [[], THREE, "topics", /without topics/],
      [TOPICS, [], "postures", /without postures/],
      [["Evidence", " "], THREE, "topics", /blank topics/],
      [TOPICS, ["Yes", "yes "], "postures", /two of the same postures/],
    ] as const
  ) {
    const rest = { field, says, hint: /generatePosturesAndTopics/ };
    await refused(() => coordinator.runDebate(TREES, QUESTION, topics, postures), rest);
    await refused(() => judged(QUESTION, topics, postures), rest);
  }
  for (const index of [-1, 0.5, Number.NaN, 12]) {
    await refused(
      () => coordinator.runCompleteDebateWithQuestionGeneration(TREES, index),
      { field: "questionIndex", says: /question index/, hint: /count from 0/ },
    );
  }
  const blank = { id: TREES.id, title: TREES.title, text: " \n " };
  const papers = { field: "papers", says: /its text is empty|no paper/ };
  await refused(() => coordinator.generateQuestions(blank), papers);
  await refused(() => coordinator.generateQuestions([]), papers);
  // Values that untyped code may pass.
  for (const paper of [null, undefined, "a text", { id: "trees", fullText: "a text" }]) {
    const untyped: unknown = paper;
    await refused(
      () => coordinator.generateQuestions(untyped as typeof TREES),
      { field: "papers", says: /not an object|no text|no paper/ },
    );
  }
  assert.deepEqual(agent.keys, []);
});

talking.test("An unknown question index is rejected with the list of questions, counted as they are chosen", async () => {
  const heard: string[] = [];
  const hear = (stage: string) => heard.push(stage);
  await refused(
    () => coordinatorOf().runCompleteDebateWithQuestionGeneration(TREES, 8, 3, hear),
    { field: "questionIndex", says: /question index 8/, hint: /case 1\?[\s\S]*case 8\?/ },
  );
  assert.deepEqual(heard, ["Generating questions from paper...", "questions_generated"]);
});

archiving.test("A limit before the judges fails with the code stopped, and the record can be resumed", async (out) => {
  const { record: _kept, ...options } = { ...OPTIONS, out, record: undefined };
  const short = new DebateCoordinator({ ...options, limits: { maxTurns: 3 } });
  await assert.rejects(short.runCompleteDebate(TREES, QUESTION), {
    code: "stopped",
    message: /max_turns/,
    hint: /Raise the limit\. .*resumed/,
  });
  const { dir } = (await listConvenings(out))[0]!;
  assert.equal((await openConvening(dir)).result.endReason, "max_turns");
  const result =
    await (await resume(dir, { host: OPTIONS.host, config: { limits: { maxTurns: 100 } } }))
      .run();
  assert.equal(result.status, "completed");
  assert.deepEqual((await verify(dir)).findings, []);
});

talking.test("A cancelled step or debate fails with the code cancelled", async () => {
  const coordinator = coordinatorOf({ signal: AbortSignal.abort() });
  await assert.rejects(coordinator.generateQuestions(TREES), { code: "cancelled" });
  await assert.rejects(coordinator.runCompleteDebate(TREES, QUESTION), { code: "cancelled" });
});

talking.test("A step that a limit stops returns its partial result, or fails with the code stopped without any", async () => {
  const made = THREE.map((each) => argumentOn(each));
  const limited = (maxTokens: number) => coordinatorOf({ limits: { maxTokens } });
  const verdict = await coordinatorOf().judgeDebate(QUESTION, TOPICS, made);
  const steps: readonly ((coordinator: DebateCoordinator) => Promise<unknown>)[] = [
    (each) => each.generateQuestions(TREES),
    (each) => each.generatePosturesAndTopics(TREES, QUESTION),
    (each) => each.runDebate(TREES, QUESTION, TOPICS, THREE),
    (each) => each.judgeDebate(QUESTION, TOPICS, made),
    (each) => each.generateReport(QUESTION, TOPICS, THREE, made, verdict),
  ];
  for (const step of steps) {
    await assert.rejects(step(limited(10)), {
      code: "stopped",
      hint: "Raise the limit.",
      message: /^Cannot [a-z ]+: it was stopped \(max_tokens\)$/,
    });
  }
  // The question, the postures and one argument.
  const some = await coordinatorOf({ limits: { maxTurns: 3 } })
    .runDebate(TREES, QUESTION, TOPICS, THREE);
  assert.ok(some.length >= 1 && some.length < 3, String(some.length));
});

archiving.test(
  "An error of onProgress is the method's error; the run ends and its record can be resumed",
  async (out, agent) => {
    const coordinator = new DebateCoordinator({ ...OPTIONS, out });
    const thrown = new Error("The screen is gone");
    const throwing = (at: string): DebateProgress => (stage) => {
      if (stage === at) throw thrown;
    };
    await assert.rejects(
      coordinator.runCompleteDebate(TREES, QUESTION, 3, throwing("debate_complete")),
      (error: unknown) => error === thrown,
    );
    assert.ok(!agent.keys.includes("report"), agent.keys.join(" "));
    const { dir } = (await listConvenings(out))[0]!;
    const result = await (await resume(dir, { host: OPTIONS.host })).run();
    assert.equal(result.status, "completed");
    assert.equal(agent.keys.filter((key) => key === "argument/debater-a").length, 1);
    assert.deepEqual((await verify(dir)).findings, []);
    for (const stage of ["debater_started", "debater_complete"]) {
      await assert.rejects(
        coordinator.runDebate(TREES, QUESTION, TOPICS, THREE, throwing(stage)),
        (error: unknown) => error === thrown,
      );
    }
  },
);

talking.test("Untyped calls of the steps get the field of a missing or wrong argument", async () => {
  // The cast is the point: a program in JavaScript has no types to hold it back.
  const steps = coordinatorOf() as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  const made = THREE.map((each) => argumentOn(each));
  const verdict = { perDebater: [], insights: [], controversialPoints: [] };
  const scores = {
    value: 0.9,
    cohesiveness: 0.85,
    relevance: 0.95,
    clarity: 0.88,
    engagement: 0.8,
  };
  const calls: readonly (readonly [name: string, args: readonly unknown[], field: string])[] = [
    ["generatePosturesAndTopics", [TREES], "question"],
    ["runDebate", [TREES, QUESTION], "topics"],
    ["runDebate", [TREES, QUESTION, TOPICS, "no"], "postures"],
    ["runDebate", [TREES, QUESTION, [7], THREE], "topics.0"],
    ["judgeDebate", [QUESTION, undefined, made], "topics"],
    ["generateReport", [QUESTION, TOPICS, undefined, made, verdict], "postures"],
    ["generateReport", [QUESTION, TOPICS, THREE, made], "verdict"],
    ["generateReport", [QUESTION, TOPICS, THREE, made, {}], "verdict.perDebater"],
    [
      "generateReport",
      [QUESTION, TOPICS, THREE, made, { ...verdict, perDebater: [{ posture: THREE[0] }] }],
      "verdict.perDebater.0.perTopic",
    ],
    ...[{}, { value: 0.9 }, { ...scores, value: 9 }].map((given) => {
      const perTopic = [{ topic: TOPICS[0], scores: given, notes: "" }];
      const other = { ...verdict, perDebater: [{ posture: THREE[0], perTopic }] };
      return ["generateReport", [QUESTION, TOPICS, THREE, made, other], "verdict"] as const;
    }),
  ];
  for (const [name, args, field] of calls) {
    const call = async () => await steps[name]!(...args);
    await assert.rejects(call, { code: "config_invalid", field }, `${name} ${field}`);
  }
});

Deno.test("The constructor rejects unknown options, each with the likely field", () => {
  const wrong: readonly (readonly [object, string, string])[] = [
    [{ modle: "offline" }, "modle", "model"],
    [{ limits: { maxTurn: 3 } }, "limits.maxTurn", "maxTurns"],
    [{ retrieval: "semantc" }, "retrieval", "semantic"],
  ];
  for (const [options, field, meant] of wrong) {
    assert.throws(() => new DebateCoordinator(options), (error: unknown) => {
      assert.ok(error instanceof ConveningError);
      assert.deepEqual([error.code, error.field], ["config_invalid", field]);
      assert.match(`${error.message} ${error.hint}`, new RegExp(`Did you mean "${meant}"`));
      return true;
    });
  }
});
