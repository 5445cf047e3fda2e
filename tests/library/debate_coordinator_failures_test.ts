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
import { QUESTIONS, TOPICS, TREES } from "../workflows/support/paper_talkers.ts";
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

Deno.test("A second whole debate in a record that holds one is refused; one that failed there can be gone on with", async () => {
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

Deno.test("runDebate() goes on without a debater that fails, which is told by its number and reason", async () => {
  await talking(async () => {
    const failed: (number | undefined)[] = [];
    const made = await coordinatorOf().runDebate(TREES, QUESTION, TOPICS, THREE, (stage, data) => {
      if (stage !== "debater_error") return;
      failed.push(data?.debaterIndex);
      assert.deepEqual([data?.posture, data?.total], [THREE[1], 3]);
      assert.match(data?.error ?? "", /out of order/);
    });
    assert.deepEqual(made.map(({ posture }) => posture), [THREE[0], THREE[2]]);
    assert.deepEqual(failed, [1]);
  }, ({ context: { key } }) => {
    if (key === "argument/debater-b") throw new Error("The model is out of order");
    return undefined;
  });
});

Deno.test("Questions, topics, postures and their numbers that cannot be used are refused by name, before anything is asked", async () => {
  await talking(async (agent) => {
    const coordinator = coordinatorOf();
    for (const question of ["", "   ", "Why?", "x".repeat(1001)]) {
      const rest = {
        field: "question",
        says: /has \d+ characters, 10 to 1000|Cannot use question: /,
      };
      await refused(() => coordinator.generatePosturesAndTopics(TREES, question), rest);
      await refused(() => coordinator.runDebate(TREES, question, TOPICS, THREE), rest);
      await refused(
        () => coordinator.judgeDebate(question, TOPICS, THREE.map((each) => argumentOn(each))),
        rest,
      );
      await refused(() => coordinator.runCompleteDebate(TREES, question), rest);
    }
    for (const count of [1, 9, 2.5, 0, -3, Number.NaN]) {
      const rest = { field: "postures", says: /Cannot take .* postures|Cannot use postures/ };
      await refused(() => coordinator.generatePosturesAndTopics(TREES, QUESTION, count), rest);
      await refused(() => coordinator.runCompleteDebate(TREES, QUESTION, count), rest);
      await refused(
        () => coordinator.runCompleteDebateWithQuestionGeneration(TREES, 0, count),
        rest,
      );
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
      await refused(
        () => coordinator.judgeDebate(QUESTION, topics, postures.map((each) => argumentOn(each))),
        rest,
      );
    }
    for (const index of [-1, 0.5, Number.NaN, 12]) {
      await refused(
        () => coordinator.runCompleteDebateWithQuestionGeneration(TREES, index),
        { field: "questionIndex", says: /question index/, hint: /count from 0/ },
      );
    }
    await refused(
      () => coordinator.generateQuestions({ id: TREES.id, title: TREES.title, text: " \n " }),
      { field: "papers", says: /its text is empty/ },
    );
    await refused(() => coordinator.generateQuestions([]), { field: "papers", says: /no paper/ });
    assert.deepEqual(agent.keys, []);
  });
});

Deno.test("An index that no question has is refused with the list of them, counted as they are picked", async () => {
  await talking(async () => {
    const heard: string[] = [];
    await refused(
      () =>
        coordinatorOf().runCompleteDebateWithQuestionGeneration(
          TREES,
          8,
          3,
          (stage) => heard.push(stage),
        ),
      { field: "questionIndex", says: /question index 8/, hint: /case 1\?[\s\S]*case 8\?/ },
    );
    assert.deepEqual(heard, ["Generating questions from paper...", "questions_generated"]);
  });
});

Deno.test("A limit that stops a debate before its judges fails with the code stopped, and the record can be resumed", async () => {
  await archiving(async (out) => {
    const { record: _kept, ...options } = { ...OPTIONS, out, record: undefined };
    const short = new DebateCoordinator({ ...options, limits: { maxTurns: 3 } });
    await assert.rejects(short.runCompleteDebate(TREES, QUESTION), (error: unknown) => {
      assert.ok(error instanceof ConveningError);
      assert.equal(error.code, "stopped");
      assert.match(error.message, /max_turns/);
      assert.match(error.hint ?? "", /Raise the limit\. .*resumed/);
      return true;
    });
    const { dir } = (await listConvenings(out))[0]!;
    assert.equal((await openConvening(dir)).result.endReason, "max_turns");
    const result =
      await (await resume(dir, { host: OPTIONS.host, config: { limits: { maxTurns: 100 } } }))
        .run();
    assert.equal(result.status, "completed");
    assert.deepEqual((await verify(dir)).findings, []);
  });
});

Deno.test("A limit that stops a debate after its judges leaves a report of the numbers", async () => {
  await talking(async () => {
    const whole = await coordinatorOf().runCompleteDebate(TREES, QUESTION);
    const cut = await coordinatorOf({ limits: { maxTurns: 6 } }).runCompleteDebate(TREES, QUESTION);
    assert.deepEqual(cut.rankedPostures, whole.rankedPostures);
    assert.deepEqual(cut.appendix, whole.appendix);
  });
});

Deno.test("A step that a limit stops gives what was made, and fails with the code stopped where nothing was", async () => {
  await talking(async () => {
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
      await assert.rejects(step(limited(10)), (error: unknown) => {
        assert.ok(error instanceof ConveningError, String(error));
        assert.deepEqual([error.code, error.hint], ["stopped", "Raise the limit."]);
        assert.match(error.message, /^Cannot [a-z ]+: it was stopped \(max_tokens\)$/);
        return true;
      });
    }
    // The question, the postures and one argument.
    const some = await coordinatorOf({ limits: { maxTurns: 3 } })
      .runDebate(TREES, QUESTION, TOPICS, THREE);
    assert.ok(some.length >= 1 && some.length < 3, String(some.length));
  });
});

Deno.test("What onProgress throws is the method's error; the run is ended and its record can be resumed", async () => {
  await archiving(async (out, agent) => {
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
  });
});

Deno.test("Options that a paper debate does not have are refused by the constructor, each with the field that is meant", () => {
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
