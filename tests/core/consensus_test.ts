// Agreement from stances.
import assert from "node:assert/strict";
import fc from "fast-check";
import { consensusOf, heldBy } from "../../src/judging/stances.ts";
import type { Proposal, StanceOn } from "../../src/core/outcome.ts";
import type { Stance } from "../../src/core/fact.ts";
import { stanceOf } from "../output/support/fixtures.ts";

const PROPOSALS: Proposal[] = [
  { id: "p1", text: "Build more bus lanes.", by: ["a"] },
  { id: "p2", text: "Ban cars at night.", by: ["b", "c"] },
];

function stance(
  participant: string,
  seq: number,
  ...stances: readonly (readonly [on: string, stance: StanceOn["stance"], condition?: string])[]
): Stance {
  return stanceOf({
    key: `stance/round-2/${participant}/${seq}`,
    seq,
    participant,
    status: stances.length === 0 ? "unread" : "read",
    stances: stances.map(([on, stance, condition]) => ({
      on,
      stance,
      strength: 0.5,
      ...condition === undefined ? {} : { condition },
    })),
  });
}

const ids = (...names: string[]) => ({ participants: names, threshold: 0.8 });

Deno.test("consensusOf() computes shares of all participants, with or without a stance", () => {
  const stances = [stance("a", 2, ["p1", "agree"]), stance("b", 3, ["p1", "agree"])];
  const { agreed, open } = consensusOf(PROPOSALS, stances, ids("a", "b", "c"));
  assert.deepEqual(agreed, []);
  assert.equal(open[0]!.share, 0.6667);
  assert.deepEqual(Object.keys(open[0]!.holds), ["a", "b"]);
  const two = consensusOf(PROPOSALS, stances, ids("a", "b"));
  assert.deepEqual(two.agreed.map(({ id, share }) => [id, share]), [["p1", 1]]);
  assert.deepEqual(two.open.map(({ id, share, by }) => [id, share, by]), [["p2", 0, ["b", "c"]]]);
});

Deno.test("consensusOf() uses the latest stance by message, whatever the order of the facts", () => {
  const stances = [stance("a", 7, ["p1", "disagree"]), stance("a", 2, ["p1", "agree"])];
  const { open } = consensusOf(PROPOSALS, stances, ids("a", "b"));
  assert.deepEqual(open[0]!.holds, { a: { stance: "disagree", strength: 0.5 } });
});

Deno.test("consensusOf() ignores an unreadable stance and keeps the earlier one", () => {
  const { agreed } = consensusOf(
    PROPOSALS,
    [stance("a", 2, ["p1", "agree"]), stance("a", 5)],
    ids("a"),
  );
  assert.deepEqual(agreed.map(({ id }) => id), ["p1"]);
});

Deno.test("consensusOf() counts an agreement with a condition and shows the condition", () => {
  const { agreed } = consensusOf(
    PROPOSALS,
    [stance("a", 2, ["p1", "agree", "trams come first"])],
    ids("a"),
  );
  assert.equal(agreed[0]!.holds["a"]!.condition, "trams come first");
});

Deno.test("consensusOf() treats a share equal to the threshold, at four decimals, as agreed", () => {
  const stances = ["a", "b"].map((id) => stance(id, 2, ["p1", "agree"]));
  const at = (threshold: number) =>
    consensusOf(PROPOSALS, stances, { participants: ["a", "b", "c"], threshold }).agreed.length;
  assert.equal(at(2 / 3), 1);
  assert.equal(at(0.6667), 1);
  assert.equal(at(0.6668), 0);
});

Deno.test("consensusOf() never treats a proposal without agreement as agreed, even at threshold 0", () => {
  const { agreed } = consensusOf(PROPOSALS, [stance("a", 2, ["p1", "agree"])], {
    participants: ["a", "b"],
    threshold: 0,
  });
  assert.deepEqual(agreed.map(({ id }) => id), ["p1"]);
});

Deno.test("consensusOf() does not count abstentions and unknown participants as agreement", () => {
  const stances = [stance("a", 2, ["p1", "abstain"]), stance("x", 3, ["p1", "agree"])];
  assert.deepEqual(consensusOf(PROPOSALS, stances, ids("a")).open[0]!.share, 0);
});

Deno.test("consensusOf() lists every proposal once, and one more agreement never lowers a share", () => {
  const words = fc.constantFrom("agree", "disagree", "abstain") as fc.Arbitrary<
    StanceOn["stance"]
  >;
  fc.assert(fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (held) => {
    const participants = held.map((_, index) => `x${index}`);
    const all = held.map((each, index) => stance(`x${index}`, index, ["p1", each]));
    const count = (stances: readonly Stance[]) => {
      const { agreed, open } = consensusOf(PROPOSALS, stances, { participants, threshold: 0.5 });
      assert.equal(agreed.length + open.length, 2);
      return [...agreed, ...open].find(({ id }) => id === "p1")!.share;
    };
    const more = [...all, stance("x0", 99, ["p1", "agree"])];
    assert.ok(count(more) >= count(all));
  }));
});

Deno.test("heldBy() keeps an earlier stance on a proposal that a later answer omits", () => {
  const held = heldBy([
    stance("a", 2, ["p1", "agree"], ["p2", "abstain"]),
    stance("a", 4, ["p2", "disagree"]),
  ]).get("a")!;
  assert.deepEqual([held.get("p1")!.stance, held.get("p2")!.stance], ["agree", "disagree"]);
});
