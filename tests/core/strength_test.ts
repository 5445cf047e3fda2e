// Strength of an outcome.
import assert from "node:assert/strict";
import type { Verdict } from "../../src/core/fact.ts";
import { audienceStrengthOf, strengthOf } from "../../src/judging/agreement.ts";
import type { JudgeNote, Strength } from "../../src/core/outcome.ts";
import { decide } from "../../src/judging/panels.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

const LABELS = new Map([["a", "Advocate A"], ["b", "Advocate B"], ["last", "Tie-break judge"]]);

function judge(id: string, winner: string | null, more: Partial<Verdict> = {}): Verdict[] {
  return [1, 2].map((pass) => verdictBy(id, { number: pass, pass, winner, model: id, ...more }));
}

function twice(verdicts: readonly Verdict[]): Verdict[] {
  return [...verdicts, ...verdicts.map((each) => ({ ...each, number: each.number + 2 }))];
}

function strength(
  verdicts: readonly Verdict[],
  { totals = [7, 6], judges = ["j", "k"], notes = [] }: {
    readonly totals?: readonly [number, number];
    readonly judges?: readonly [string, string];
    readonly notes?: readonly JudgeNote[];
  } = {},
): Strength | undefined {
  const [a, b] = totals;
  const scores = judges.map((by, at) => {
    const total = a + 0.2 * at;
    const criteria = { clarity: total, wit: total };
    return scoreBy(by, { message: judges[0] === by ? 1 + at : 1, participant: "a", criteria });
  });
  const decision = decide(verdicts, scores);
  return strengthOf({ decision, verdicts, scores, totals: { a, b }, notes, labels: LABELS });
}

const LENGTH: JudgeNote = { kind: "length", judge: "j", sentence: "" };
const cases: readonly [string, Strength["level"], Strength | undefined, string][] = [
  [
    "steady votes and a margin above the spread",
    "clear",
    strength(twice(judge("j", "a"))),
    "Clear: 1 vote for Advocate A; steadiness measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "three judges of two models or more",
    "clear",
    strength(["j", "k", "l"].flatMap((id) => judge(id, "a"))),
    "Clear: 3 votes for Advocate A; steadiness not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "one judge whose steadiness was not measured",
    "narrow",
    strength(judge("j", "a")),
    "Narrow: 1 vote for Advocate A; steadiness not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "one judge, whose totals have an error but no spread",
    "narrow",
    strength(judge("j", "a"), { judges: ["j", "j"] }),
    "Narrow: 1 vote for Advocate A; steadiness not measured; the total is 1 ahead, above the totals' standard error of 0.1.",
  ],
  [
    "equal totals",
    "narrow",
    strength(judge("j", "a"), { totals: [7, 7] }),
    "Narrow: 1 vote for Advocate A; steadiness not measured; the totals are equal.",
  ],
  [
    "three copies of one model",
    "narrow",
    strength(["j", "k", "l"].flatMap((id) => judge(id, "a", { model: "m" }))),
    "Narrow: 3 votes for Advocate A; 3 votes of one model; steadiness not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "a margin within the spread",
    "narrow",
    strength(twice(judge("j", "a")), { totals: [6.1, 6] }),
    "Narrow: 1 vote for Advocate A; steadiness measured; the total is 0.1 ahead, within the judges' spread of 0.1414.",
  ],
  [
    "a vote for another side",
    "contested",
    strength([...judge("j", "a"), ...judge("k", "b"), ...judge("l", "a")]),
    "Contested: 2 votes for Advocate A, 1 vote for Advocate B; steadiness not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "scores that put another side first",
    "contested",
    strength(twice(judge("j", "a")), { totals: [5, 6] }),
    "Contested: 1 vote for Advocate A; steadiness measured; the total is 1 below the best.",
  ],
  [
    "a bias of the only judge",
    "contested",
    strength(twice(judge("j", "a")), { notes: [LENGTH] }),
    "Contested: 1 vote for Advocate A; steadiness measured; the total is 1 ahead, above the judges' spread of 0.1414; every judge for the winner has a named bias.",
  ],
  [
    "a tie-break",
    "contested",
    strength([...judge("j", null), ...judge("last", "a", { tiebreak: true })]),
    "Contested: 1 tie; Tie-break judge decided the tie; steadiness not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "a tie-break judge without a side",
    "undecided",
    strength([...judge("j", null), ...judge("last", null, { tiebreak: true })]),
    "1 tie; Tie-break judge, asked because of the tie, named no side; steadiness not measured; the best totals are 1 apart, above the judges' spread of 0.1414.",
  ],
  [
    "no majority",
    "undecided",
    strength([...judge("j", "a"), ...judge("k", null)]),
    "1 vote for Advocate A, 1 tie; steadiness not measured; the best totals are 1 apart, above the judges' spread of 0.1414.",
  ],
];

for (const [of, level, found, sentence] of cases) {
  Deno.test(`strengthOf() is ${level} for ${of}`, () => {
    assert.equal(found?.level, level);
    assert.equal(found.sentence, sentence);
  });
}

Deno.test("strengthOf() returns votes, margin and spread as data, and nothing for verdicts of earlier versions", () => {
  const { votes, margin, spread, steadinessMeasured } = strength(twice(judge("j", "a")))!;
  assert.deepEqual(votes.map(({ winner, askings }) => [winner, askings]), [["a", 4]]);
  assert.deepEqual([margin, spread, steadinessMeasured], [1, 0.1414, true]);
  assert.equal(
    strength([1, 2].map((number) => verdictBy("j", { number, winner: "a" }))),
    undefined,
  );
});

Deno.test("audienceStrengthOf() depends on the gained listeners relative to the next side", () => {
  const of = (
    [a, b]: readonly [number, number],
    { winner = "a", judges = "a" }: { winner?: string | null; judges?: string } = {},
  ) => {
    const verdicts = judge("j", judges);
    const side = (moved: number) => ({ before: 0.5, after: 0.5 + moved / 10, moved: moved / 10 });
    const audience = { members: 11, missing: 1, sides: { a: side(a), b: side(b) }, winner };
    const decision = decide(verdicts, []);
    return audienceStrengthOf(audience, { decision, verdicts, notes: [], labels: LABELS })!;
  };
  assert.deepEqual(
    [
      of([4, -3]),
      of([2, -1]),
      of([1, 1]),
      of([2, -1], { judges: "b" }),
      of([0, 0], { winner: null }),
    ]
      .map(({ sentence }) => sentence),
    [
      "Clear: listeners moved, of 10: Advocate A +4, Advocate B -3.",
      "Narrow: listeners moved, of 10: Advocate A +2, Advocate B -1.",
      "Contested: listeners moved, of 10: Advocate A +1, Advocate B +1; the strength of agreement decided.",
      "Contested: listeners moved, of 10: Advocate A +2, Advocate B -1; the judges named Advocate B.",
      "Listeners moved, of 10: Advocate A 0, Advocate B 0.",
    ],
  );
});
