// Concurrency of a debate's requests in virtual time and against a server.
import assert from "node:assert/strict";
import { createAgent, createDebateWorkflow, memoryRecord } from "../../../mod.ts";
import { startModelServer } from "../../support/model_server.ts";
import { cast, debateOf, VirtualTime } from "../support/talkers.ts";

const UNBOUNDED = { maxPromptTokens: 0 };

for (const rounds of [0, 1, 4]) {
  Deno.test(`A sequential debate of ${rounds} rounds takes exactly its chain of 4R+4 calls`, async () => {
    const time = new VirtualTime();
    const { workflow } = debateOf(time.agent, { roundCount: rounds, ...UNBOUNDED });
    const { chain } = await workflow.plan();
    await time.run(workflow.run());
    assert.equal(time.now, 4 * rounds + 4);
    assert.equal(chain, 4 * rounds + 4);
  });

  Deno.test(`A simultaneous debate of ${rounds} rounds takes its chain of 2R+3 calls`, async () => {
    const time = new VirtualTime();
    const { workflow } = debateOf(time.agent, {
      roundCount: rounds,
      pacing: "simultaneous",
      ...UNBOUNDED,
    });
    const { chain } = await workflow.plan();
    await time.run(workflow.run());
    assert.equal(time.now, 2 * rounds + 3);
    assert.equal(chain, 2 * rounds + 3);
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

Deno.test("Against a server, the scoring of turn k is in flight together with turn k+1", async () => {
  await using server = await startModelServer({ latency: 40 });
  const agent = createAgent("m", { baseUrl: server.url });
  await createDebateWorkflow("Should cities ban private cars?", cast(agent), {
    roundCount: 1,
    record: memoryRecord(),
  }).run();
  const scores = server.requests.filter(({ body }) =>
    body.response_format?.json_schema?.name === "score"
  );
  assert.equal(scores.length, 8);
  for (const score of scores.slice(0, -1)) {
    const together = server.requests.filter((each) =>
      each !== score && each.startedAt <= score.endedAt! && each.endedAt! >= score.startedAt
    );
    assert.ok(together.some(({ body }) => body.response_format === undefined));
  }
  assert.ok(server.mostConcurrent >= 2);
});
