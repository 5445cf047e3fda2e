// Rules of fact checks, scores, verdicts and memory, and their defaults.
import assert from "node:assert/strict";
import { withFolder } from "../support/cli.ts";
import { memoryOf } from "../../protocol.ts";
import { proposeTopics } from "../../src/operations/topics.ts";
import { TOPIC } from "../support/talkers.ts";
import { hold, person, settingsOf } from "./support/holding.ts";

const SCORED = ["opening_statement", "argument", "rebuttal", "reply", "closing_statement"];

Deno.test('Rule "Scores": every advocate\'s turn, the same kinds for each side, to four decimals', async () => {
  const { messages, facts } = await hold(settingsOf("debate", { roundCount: 2 }));
  const scored = new Set(facts.flatMap((fact) => fact.type === "score" ? [fact.message] : []));
  for (const { seq, kind } of messages) assert.equal(scored.has(seq), SCORED.includes(kind), kind);
  for (const fact of facts) {
    if (fact.type === "score") assert.equal(Number(fact.total!.toFixed(4)), fact.total);
  }
});

for (const sides of [2, 3]) {
  Deno.test(`Rule "Verdict": each judge compares ${sides} sides in ${sides} orders, each side first once`, async () => {
    const participants = ["Ada", "Ben", "Cleo"].slice(0, sides).map((name) => person(name));
    const { facts } = await hold(settingsOf("debate", { participants, judges: [{}, {}] }));
    const verdicts = facts.filter((fact) => fact.type === "verdict");
    for (const judge of ["judge-1", "judge-2"]) {
      const orders = verdicts.filter((verdict) => verdict.judge === judge)
        .map(({ order }) => order);
      assert.deepEqual(
        orders.map(([first]) => first).sort(),
        participants.map(({ id }) => id).sort(),
      );
    }
  });
}

Deno.test('Rule "Verdict": a judge whose winner changes with the order counts as a tie; without a majority the outcome is undecided', async () => {
  const { result } = await hold(settingsOf("debate"), {
    say: ({ context: { kind, data } }) => {
      if (kind !== "verdict") return undefined;
      const [winner] = Object.values((data as { labels: Record<string, string> }).labels);
      return { text: JSON.stringify({ reasons: "The first.", winner }) };
    },
  });
  assert.deepEqual([result?.outcome, result?.winner], ["undecided", null]);
});

withFolder.test('Rule "Memory": the three most relevant earlier convenings are quoted', async (out) => {
  for (const city of ["Oslo", "Ghent", "Paris", "Madrid"]) {
    await hold(settingsOf("debate", { out, topic: `Should ${city} ban private cars?` }));
  }
  assert.equal((await memoryOf(out, TOPIC)).length, 3);
});

Deno.test('Rule "Topics": eight are proposed, and each is a valid topic', async () => {
  const { topics } = await proposeTopics("trams in small towns", { model: "offline", seed: 1 });
  assert.equal(topics.length, 8);
  for (const topic of topics) {
    assert.equal((await hold(settingsOf("dialogue", { topic }))).error, undefined);
  }
});
