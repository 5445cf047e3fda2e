// Votes and decisions from verdicts.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Verdict } from "../../src/core/fact.ts";
import { decide, reasonsOf, voteOf, votesOf } from "../../src/judging/panels.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

/** Returns a judge's verdicts in turn; undefined is an unreadable one. */
function asked(judge: string, ...winners: readonly (string | null | undefined)[]): Verdict[] {
  return winners.map((winner, index) =>
    verdictBy(judge, { number: index + 1, ...winner === undefined ? {} : { winner } })
  );
}

/** Returns a judge's verdicts, two repeats per pass: those of pass 1, then those of pass 2. */
function passes(...winners: readonly (string | null)[]): Verdict[] {
  return winners.map((winner, index) =>
    verdictBy("j", { number: index + 1, pass: index < winners.length / 2 ? 1 : 2, winner })
  );
}

describe("decide()", () => {
  const cases: Record<string, [Verdict[], [outcome: string, winner: string | null, ties: number]]> =
    {
      "a judge that names one side in both orders": [asked("j", "a", "a"), ["decided", "a", 0]],
      "a judge that changes with the order": [asked("j", "a", "b"), ["undecided", null, 1]],
      "an unread answer": [asked("j", "a", undefined), ["undecided", null, 1]],
      "one order alone": [asked("j", "a"), ["undecided", null, 1]],
      "the majority of all judges": [
        [...asked("j", "a", "a"), ...asked("k", "a", "a"), ...asked("l", "b", "b")],
        ["decided", "a", 0],
      ],
      "half of all judges": [
        [...asked("j", "a", "a"), ...asked("k", null, null)],
        ["undecided", null, 1],
      ],
      "nothing that could be read": [asked("j", undefined), ["unscored", null, 1]],
    };
  for (const [name, [verdicts, expected]] of Object.entries(cases)) {
    it(`decide() of ${name} is ${expected[0]}`, () => {
      const { outcome, winner, ties } = decide(verdicts, []);
      assert.deepEqual([outcome, winner, ties], expected);
    });
  }

  it("decide() is unscored without verdicts and scores, and undecided with a readable score", () => {
    const read = scoreBy("j", { participant: "a", criteria: { clarity: 1, wit: 1 } });
    const outcomes = [[], [scoreBy("j", { participant: "a" })], [read]]
      .map((scores) => decide([], scores).outcome);
    assert.deepEqual(outcomes, ["unscored", "unscored", "undecided"]);
  });
});

describe("votesOf()", () => {
  const earlier = passes("a", "b").map(({ pass: _pass, ...verdict }) => verdict);
  const order = ["a", "b"];
  const cases: Record<string, [Verdict[], string | null, string?]> = {
    "a vote where all askings of all passes agree": [passes("a", "a", "a", "a"), "a"],
    "a tie where all of them are ties": [passes(null, null), null],
    "a split where passes disagree": [passes("a", "a", "b", "b"), null, "order or label"],
    "a split where one pass is a tie": [passes("a", null), null, "order or label"],
    "a split of verdicts of an earlier version, without passes": [earlier, null, "order"],
    "chance where askings of one pass disagree": [passes("a", "b", "b", "b"), null, "chance"],
    "a vote of two models, the first of which a resume replaced after a pass": [
      passes("a", "a").map((each, at) => ({ ...each, model: `m${at}` })),
      "a",
    ],
    "one pass where there is no other": [passes("a").slice(0, 1), null, "one pass"],
    "one pass where an earlier version and this one set out the same side first": [
      [
        verdictBy("j", { number: 1, winner: "a", order }),
        verdictBy("j", { number: 2, pass: 2, winner: "a", order }),
      ],
      null,
      "one pass",
    ],
  };
  for (const [name, [verdicts, winner, split]] of Object.entries(cases)) {
    it(`votesOf() returns ${name}`, () => {
      const votes = votesOf(verdicts).map((vote) => [vote.winner, vote.split, vote.askings]);
      assert.deepEqual(votes, [[winner, split, verdicts.length]]);
    });
  }

  it("votesOf() counts models of one question apart only for the judge that has them", () => {
    const replaced = passes("a", "a").map((each, at) => ({ ...each, model: `m${at}` }));
    const asked = ["m", "n"].flatMap((model) =>
      passes("b", "b").map((each) => ({ ...each, judge: "k", model }))
    );
    const votes = votesOf([...asked, ...replaced]).map(({ judge, winner }) => [judge, winner]);
    assert.deepEqual(votes, [["j", "a"], ["k", "b"], ["k", "b"]]);
  });

  it("votesOf() gives a random judge at most 1 vote in 8 with two repeats per pass, 1 in 2 with one", () => {
    const sides = ["a", "b"];
    const once = sides.flatMap((x) => sides.map((y) => passes(x, y)));
    const twice = once.flatMap(([x, y]) =>
      sides.flatMap((z) => sides.map((w) => passes(x!.winner, y!.winner, z, w)))
    );
    const share = (all: readonly Verdict[][]) =>
      all.filter((each) => votesOf(each)[0]!.winner !== null).length / all.length;
    assert.deepEqual([share(once), share(twice)], [1 / 2, 1 / 8]);
  });
});

describe("decide() with a tie-break judge", () => {
  const last = [1, 2].map((number) =>
    verdictBy("last", { number, pass: number, winner: "b", tiebreak: true })
  );

  it("decide() follows the tie-break judge's vote when the panel ties, and states it", () => {
    const { winner, votes, ties, tiebreak } = decide([...passes("a", "b"), ...last], []);
    assert.deepEqual([winner, votes, ties, tiebreak], ["b", {}, 1, "last"]);
  });

  it("decide() ignores the tie-break judge's vote when the panel has a majority", () => {
    const { winner, votes, tiebreak } = decide([...passes("a", "a"), ...last], []);
    assert.deepEqual([winner, votes, tiebreak], ["a", { a: 1 }, undefined]);
  });

  it("decide() is undecided when the tie-break judge's verdicts differ too", () => {
    const torn = last.map((each, index) => ({ ...each, winner: index === 0 ? "a" : "b" }));
    assert.equal(decide([...passes("a", "b"), ...torn], []).outcome, "undecided");
  });
});

Deno.test("voteOf() is for the side named in every order, or nobody", () => {
  assert.equal(voteOf(asked("j", "a", "a")).winner, "a");
  for (const winners of [["a", "b"], ["a"], ["a", undefined], [null, null]]) {
    assert.equal(voteOf(asked("j", ...winners)).winner, null, winners.join());
  }
});

describe("reasonsOf()", () => {
  const read = (number: number, winner: string | null, reasons: string, mainReason?: string) => ({
    ...verdictBy("j", { number, winner }),
    reasons,
    ...mainReason === undefined ? {} : { mainReason },
  });

  it("quotes the main reason of a verdict that agrees with the vote", () => {
    const [reason] = reasonsOf([
      read(1, "a", "Both argued well. Side B was late.", "Side A met every attack."),
      read(2, "a", "Side A again."),
    ]);
    assert.deepEqual(
      [reason?.winner, reason?.split, reason?.verdict, reason?.quote],
      ["a", undefined, 1, "Side A met every attack."],
    );
  });

  it("quotes the beginning if there is no main reason, and nothing unreadable", () => {
    const reasons = "Ada is ahead on evidence.\n\nNovelty differs less.";
    const [reason] = reasonsOf([read(1, "a", reasons), read(2, "a", "Ada.")]);
    assert.equal(reason?.quote, "Ada is ahead on evidence. Novelty differs less.");
    const unread = { ...read(1, null, '{"winner"'), status: "unread" as const };
    assert.equal(reasonsOf([unread])[0]?.quote, "");
    // Another model of the judge answered the second question.
    const other = { ...read(2, "a", "Ada."), model: "n" };
    const [quoted] = reasonsOf([unread, other]);
    assert.deepEqual([quoted?.model, quoted?.verdict, quoted?.quote], ["n", 2, "Ada."]);
  });

  it("states why a judge has no vote and whose side the quoted verdict took, and shortens a long sentence", () => {
    const [reason] = reasonsOf([read(1, "a", "word ".repeat(200)), read(2, "b", "B.")]);
    assert.deepEqual([reason?.winner, reason?.split, reason?.named], [null, "order", "a"]);
    assert.ok([...reason!.quote].length <= 240);
  });
});
