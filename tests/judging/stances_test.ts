// Counting stances: the shift of an audience, and agreement on proposals.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  audienceKey,
  audienceOf,
  audienceOutcome,
  audienceTime,
  consensusOf,
  heldBy,
} from "../../src/judging/stances.ts";
import type { Stance } from "../../src/core/fact.ts";
import type { Proposal, StanceOn } from "../../src/core/outcome.ts";
import { stanceOf } from "../record/support/fixtures.ts";

const SIDES = ["a", "b"];

/** Returns a listener's stance: strength by side, negative for disagreement, 0 for abstention. */
function stance(
  when: "before" | "after",
  listener: string,
  held: Readonly<Record<string, number>>,
): Stance {
  return stanceOf({
    key: audienceKey(when, listener),
    seq: when === "before" ? 0 : 9,
    participant: listener,
    stances: Object.entries(held).map(([on, strength]) => ({
      on,
      stance: strength > 0 ? "agree" : strength < 0 ? "disagree" : "abstain",
      strength: Math.abs(strength),
    })),
  });
}

function pair(
  listener: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Stance[] {
  return [stance("before", listener, before), stance("after", listener, after)];
}

Deno.test("audienceOf() counts a listener for the side with the strongest agreement", () => {
  const audience = audienceOf([
    ...pair("1", { a: 0.4, b: 0.6 }, { a: 0.7, b: 0.6 }),
    ...pair("2", { a: 0.5, b: 0.5 }, { a: 0.9, b: -1 }),
    ...pair("3", { a: -1, b: -0.1 }, { a: 0, b: -0.1 }),
    ...pair("4", { a: -1, b: 0.1 }, { a: -1, b: 0.1 }),
  ], SIDES);
  assert.deepEqual(audience, {
    members: 4,
    missing: 0,
    sides: {
      a: { before: 0, after: 0.5, moved: 0.5 },
      b: { before: 0.5, after: 0.25, moved: -0.25 },
    },
    winner: "a",
  });
  assert.deepEqual(audienceOutcome(audience), { outcome: "decided", winner: "a" });
});

Deno.test("audienceOf() decides equal gains by the change of strength, otherwise not at all", () => {
  const closer = audienceOf([
    ...pair("1", { a: 0.9, b: -0.9 }, { a: 0.8, b: -0.2 }),
    ...pair("2", { a: -0.5, b: 0.5 }, { a: -0.5, b: 0.5 }),
  ], SIDES);
  assert.equal(closer?.winner, "b");
  const same = audienceOf([
    ...pair("1", { a: 0.3, b: 0.2 }, { a: 0.4, b: 0.3 }),
    ...pair("2", { a: 0.2, b: 0.3 }, { a: 0.3, b: 0.4 }),
  ], SIDES);
  assert.equal(same?.winner, null);
  assert.deepEqual(audienceOutcome(same), { outcome: "undecided", winner: null });
});

Deno.test("audienceOf() omits and counts listeners without two readable stances", () => {
  const unread: Stance = { ...stance("after", "2", {}), status: "unread", reason: "no JSON" };
  const audience = audienceOf([
    ...pair("1", { a: -1, b: 1 }, { a: 1, b: -1 }),
    stance("before", "2", { a: 1 }),
    unread,
    stance("before", "3", { a: 1 }),
  ], SIDES);
  assert.equal(audience?.members, 3);
  assert.equal(audience.missing, 2);
  assert.equal(audience.sides.a?.before, 0);
  const nobody = audienceOf([stance("before", "3", { a: 1 })], SIDES);
  assert.deepEqual(nobody, { members: 1, missing: 1, sides: {}, winner: null });
  assert.deepEqual(audienceOutcome(nobody), { outcome: "unscored", winner: null });
  assert.equal(audienceOf([stanceOf()], SIDES), undefined);
  assert.deepEqual(audienceOutcome(undefined), { outcome: "unscored", winner: null });
});

Deno.test("audienceOf() returns shares from 0 to 1 that do not depend on the order of the stances", () => {
  const strength = fc.integer({ min: -10, max: 10 }).map((each) => each / 10);
  const held = fc.record({ a: strength, b: strength });
  fc.assert(
    fc.property(fc.array(fc.tuple(held, held), { minLength: 1, maxLength: 6 }), (all) => {
      const stances = all.flatMap(([before, after], at) => pair(`${at}`, before, after));
      const audience = audienceOf(stances, SIDES)!;
      assert.deepEqual(audienceOf(stances.toReversed(), SIDES), audience);
      for (const { before, after, moved } of Object.values(audience.sides)) {
        assert.ok(before >= 0 && before <= 1 && after >= 0 && after <= 1);
        assert.ok(Math.abs(after - before - moved) < 2e-4);
        assert.equal(Object.is(moved, -0), false);
      }
    }),
  );
});

Deno.test("audienceTime() distinguishes the audience's stances from the participants'", () => {
  assert.equal(audienceTime(stanceOf({ key: "stance/before/x/y" })), "before");
  assert.equal(audienceTime(stanceOf({ key: "stance/after/x" })), "after");
  assert.equal(audienceTime(stanceOf({ key: "stance/2/x" })), undefined);
});

const PROPOSALS: Proposal[] = [
  { id: "p1", text: "Build more bus lanes.", by: ["a"] },
  { id: "p2", text: "Ban cars at night.", by: ["b", "c"] },
];

/** Returns a participant's stances on proposals. */
function held(
  participant: string,
  seq: number,
  ...stances: readonly (readonly [on: string, stance: StanceOn["stance"]])[]
): Stance {
  return stanceOf({
    key: `stance/round-2/${participant}/${seq}`,
    seq,
    participant,
    stances: stances.map(([on, stance]) => ({ on, stance, strength: 0.5 })),
  });
}

Deno.test("consensusOf() treats a share equal to the threshold, at four decimals, as agreed", () => {
  const stances = ["a", "b"].map((id) => held(id, 2, ["p1", "agree"]));
  const at = (threshold: number) =>
    consensusOf(PROPOSALS, stances, { participants: ["a", "b", "c"], threshold }).agreed.length;
  assert.equal(at(2 / 3), 1);
  assert.equal(at(0.6667), 1);
  assert.equal(at(0.6668), 0);
});

Deno.test("consensusOf() never treats a proposal without agreement as agreed, even at threshold 0", () => {
  const { agreed } = consensusOf(PROPOSALS, [held("a", 2, ["p1", "agree"])], {
    participants: ["a", "b"],
    threshold: 0,
  });
  assert.deepEqual(agreed.map(({ id }) => id), ["p1"]);
});

Deno.test("consensusOf() does not count abstentions and unknown participants as agreement", () => {
  const stances = [held("a", 2, ["p1", "abstain"]), held("x", 3, ["p1", "agree"])];
  assert.deepEqual(
    consensusOf(PROPOSALS, stances, { participants: ["a"], threshold: 0.8 }).open[0]!.share,
    0,
  );
});

Deno.test("consensusOf() lists every proposal once, and one more agreement never lowers a share", () => {
  const words = fc.constantFrom("agree", "disagree", "abstain") as fc.Arbitrary<
    StanceOn["stance"]
  >;
  fc.assert(fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (said) => {
    const participants = said.map((_, index) => `x${index}`);
    const all = said.map((each, index) => held(`x${index}`, index, ["p1", each]));
    const count = (stances: readonly Stance[]) => {
      const { agreed, open } = consensusOf(PROPOSALS, stances, { participants, threshold: 0.5 });
      assert.equal(agreed.length + open.length, 2);
      return [...agreed, ...open].find(({ id }) => id === "p1")!.share;
    };
    const more = [...all, held("x0", 99, ["p1", "agree"])];
    assert.ok(count(more) >= count(all));
  }));
});

Deno.test("heldBy() keeps an earlier stance on a proposal that a later answer omits", () => {
  const holds = heldBy([
    held("a", 2, ["p1", "agree"], ["p2", "abstain"]),
    held("a", 4, ["p2", "disagree"]),
  ]).get("a")!;
  assert.deepEqual([holds.get("p1")!.stance, holds.get("p2")!.stance], ["agree", "disagree"]);
});
