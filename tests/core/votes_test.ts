// Votes and decisions from verdicts.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Verdict } from "../../src/core/fact.ts";
import { consistentWinnerOf, decide, reasonsOf, votesOf } from "../../src/judging/panels.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

function verdictOf(judge: string, number: number, winner: string | null | undefined): Verdict {
  return verdictBy(judge, { number, ...winner === undefined ? {} : { winner } });
}

/** Returns a judge's verdicts, two repeats per pass: those of pass 1, then those of pass 2. */
function passes(...winners: readonly (string | null)[]): Verdict[] {
  return winners.map((winner, index) =>
    verdictBy("j", { number: index + 1, pass: index < winners.length / 2 ? 1 : 2, winner })
  );
}

describe("decide()", () => {
  const cases: [string, Verdict[], { outcome: string; winner: string | null; ties: number }][] = [
    ["gives the vote of a judge that names one side in both orders", [
      verdictOf("j", 1, "a"),
      verdictOf("j", 2, "a"),
    ], {
      outcome: "decided",
      winner: "a",
      ties: 0,
    }],
    ["takes a judge that changes with the order for a tie", [
      verdictOf("j", 1, "a"),
      verdictOf("j", 2, "b"),
    ], {
      outcome: "undecided",
      winner: null,
      ties: 1,
    }],
    ["takes an unread answer for a tie", [verdictOf("j", 1, "a"), verdictOf("j", 2, undefined)], {
      outcome: "undecided",
      winner: null,
      ties: 1,
    }],
    ["takes one order alone for a tie", [verdictOf("j", 1, "a")], {
      outcome: "undecided",
      winner: null,
      ties: 1,
    }],
    [
      "goes by the majority over all judges",
      ["j", "k", "l"].flatMap((judge) => [
        verdictOf(judge, 1, judge === "l" ? "b" : "a"),
        verdictOf(judge, 2, judge === "l" ? "b" : "a"),
      ]),
      { outcome: "decided", winner: "a", ties: 0 },
    ],
    ["needs more than half of all judges", [
      verdictOf("j", 1, "a"),
      verdictOf("j", 2, "a"),
      verdictOf("k", 1, null),
      verdictOf("k", 2, null),
    ], { outcome: "undecided", winner: null, ties: 1 }],
    ["is unscored where nothing could be read", [verdictOf("j", 1, undefined)], {
      outcome: "unscored",
      winner: null,
      ties: 1,
    }],
  ];
  for (const [name, verdicts, expected] of cases) {
    it(`decide() ${name}`, () => {
      const { votes: _votes, ...rest } = decide(verdicts, []);
      assert.deepEqual(rest, expected);
    });
  }

  it("decide() is unscored without verdicts and scores, and undecided with a readable score", () => {
    assert.equal(decide([], []).outcome, "unscored");
    assert.equal(decide([], [scoreBy("j", { participant: "a" })]).outcome, "unscored");
    assert.equal(
      decide([], [scoreBy("j", { participant: "a", criteria: { clarity: 1, wit: 1 } })]).outcome,
      "undecided",
    );
  });
});

describe("votesOf()", () => {
  const cases: [string, Verdict[], string | null, string | undefined][] = [
    ["a vote where all askings of all passes agree", passes("a", "a", "a", "a"), "a", undefined],
    ["a tie where all of them are ties", passes(null, null), null, undefined],
    ["order or label where passes disagree", passes("a", "a", "b", "b"), null, "order or label"],
    ["order or label where one pass is a tie", passes("a", null), null, "order or label"],
    [
      "order where verdicts of an earlier version, without passes, differ",
      passes("a", "b").map(({ pass: _pass, ...verdict }) => verdict),
      null,
      "order",
    ],
    ["chance where askings of one pass disagree", passes("a", "b", "b", "b"), null, "chance"],
    ["one pass where there is no other", passes("a").slice(0, 1), null, "one pass"],
    [
      "one pass where an earlier version and this one set out the same side first",
      [
        verdictBy("j", { number: 1, winner: "a", order: ["a", "b"] }),
        verdictBy("j", { number: 2, pass: 2, winner: "a", order: ["a", "b"] }),
      ],
      null,
      "one pass",
    ],
  ];
  for (const [name, verdicts, winner, split] of cases) {
    it(`votesOf() returns ${name}`, () => {
      const [vote, ...more] = votesOf(verdicts);
      assert.deepEqual(more, []);
      assert.deepEqual([vote?.winner, vote?.split, vote?.askings], [
        winner,
        split,
        verdicts.length,
      ]);
    });
  }

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
    const found = decide([...passes("a", "b"), ...last], []);
    assert.deepEqual(found, {
      outcome: "decided",
      winner: "b",
      votes: {},
      ties: 1,
      tiebreak: "last",
    });
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

Deno.test("consistentWinnerOf() is the side named in every order, or nobody", () => {
  assert.equal(consistentWinnerOf([verdictOf("j", 1, "a"), verdictOf("j", 2, "a")]), "a");
  assert.equal(consistentWinnerOf([verdictOf("j", 1, "a"), verdictOf("j", 2, "b")]), null);
  assert.equal(consistentWinnerOf([verdictOf("j", 1, "a")]), null, "asked once");
  assert.equal(
    consistentWinnerOf([verdictOf("j", 1, "a"), { ...verdictOf("j", 2, "a"), status: "unread" }]),
    null,
  );
  assert.equal(consistentWinnerOf([verdictOf("j", 1, null), verdictOf("j", 2, null)]), null);
  assert.equal(consistentWinnerOf([]), null);
});

describe("reasonsOf()", () => {
  const read = (number: number, winner: string | null, reasons: string, mainReason?: string) => ({
    ...verdictOf("j", number, winner),
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
  });

  it("states why a judge has no vote and whose side the quoted verdict took, and shortens a long sentence", () => {
    const [reason] = reasonsOf([read(1, "a", "word ".repeat(200)), read(2, "b", "B.")]);
    assert.deepEqual(
      [reason?.winner, reason?.split, reason?.named],
      [null, "order", "a"],
    );
    assert.ok([...reason!.quote].length <= 240);
  });
});
