// Concurrency of a debate's requests in virtual time and against a server.
import assert from "node:assert/strict";
import { debateOf, VirtualTime } from "../support/talkers.ts";

const UNBOUNDED = { maxPromptTokens: 0 };

/** Numbers of calls in the chain of a debate: per round, and besides the rounds. */
const CHAINS = [
  [{}, 4, 4],
  [{ pacing: "simultaneous" }, 2, 3],
  [{ exchange: "clash" }, 6, 4],
  [{ exchange: "clash", pacing: "simultaneous" }, 3, 3],
] as const;
for (const [config, perRound, besides] of CHAINS) {
  Deno.test(`A debate with ${JSON.stringify(config)} takes exactly its chain of ${perRound}R+${besides} calls`, async () => {
    for (const roundCount of [0, 1, 4]) {
      const time = new VirtualTime();
      const { workflow } = debateOf(time.agent, { roundCount, ...config, ...UNBOUNDED });
      const { chain } = await workflow.plan();
      await time.run(workflow.run());
      assert.deepEqual([time.now, chain], Array(2).fill(perRound * roundCount + besides));
    }
  });
}

Deno.test("Scoring of a turn overlaps the next turn, and round summaries overlap the next round", async () => {
  const time = new VirtualTime();
  await time.run(debateOf(time.agent, { roundCount: 2, ...UNBOUNDED }).workflow.run());
  assert.ok(time.during("score/4/j").includes("round-1/rebuttal/b/a"));
  assert.ok(time.during("score/5/j").includes("round-1/argument/b"));
  assert.ok(time.during("round-1/summary/m").includes("round-2/argument/a"));
  assert.ok(time.during("opening/a").includes("opening/b"));
  assert.ok(time.during("verdict/j/1").includes("verdict/j/2"));
  assert.ok(time.during("verdict/j/1").includes("summary/m"));
});

Deno.test("A slow judge delays only the end", async () => {
  const time = new VirtualTime(({ schema }) => schema === undefined ? 1 : 100);
  const { workflow } = debateOf(time.agent, { roundCount: 2, ...UNBOUNDED });
  const result = await time.run(workflow.run());
  const summary = time.spans.find(({ key }) => key === "summary/m")!;
  assert.equal(summary.end, 12);
  assert.equal(time.now, 111, "the verdicts are the last to be begun, at 11");
  assert.equal(result.outcome, "decided");
});

Deno.test("A late round summary delays the final summary alone, and the order of replies changes no number", async () => {
  const slow = new VirtualTime(({ context }) =>
    context.key === "round-1/summary/m" ? 50 : context.key === "opening/a" ? 5 : 1
  );
  const even = new VirtualTime();
  const a = debateOf(slow.agent, UNBOUNDED);
  const b = debateOf(even.agent, UNBOUNDED);
  const [one, other] = [await slow.run(a.workflow.run()), await even.run(b.workflow.run())];
  const closing = slow.spans.find(({ key }) => key === "closing/b")!;
  assert.ok(closing.end < 50);
  assert.ok(slow.spans.find(({ key }) => key === "summary/m")!.start >= 50);
  assert.deepEqual(
    one.messages.map(({ seq, turn, previous }) => [seq, turn, previous]),
    other.messages.map(({ seq, turn, previous }) => [seq, turn, previous]),
  );
});
