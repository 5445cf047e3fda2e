import assert from "node:assert/strict";
import type { Verdict } from "../../src/core/fact.ts";
import { strengthOf } from "../../src/judging/strength.ts";
import type { JudgeNote, Strength } from "../../src/core/outcome.ts";
import { decide } from "../../src/judging/votes.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

const LABELS = new Map([["a", "Advocate A"], ["b", "Advocate B"]]);

function judge(id: string, winner: string | null, more: Partial<Verdict> = {}): Verdict[] {
  return [1, 2].map((pass) => verdictBy(id, { number: pass, pass, winner, model: id, ...more }));
}

function twice(verdicts: readonly Verdict[]): Verdict[] {
  return [...verdicts, ...verdicts.map((each) => ({ ...each, number: each.number + 2 }))];
}

function strength(
  verdicts: readonly Verdict[],
  { totals = [7, 6], notes = [] }: {
    readonly totals?: readonly [number, number];
    readonly notes?: readonly JudgeNote[];
  } = {},
): Strength | undefined {
  const [a, b] = totals;
  const scores = [["j", a], ["k", a + 0.2]].map(([by, total]) =>
    scoreBy(String(by), {
      participant: "a",
      criteria: { clarity: Number(total), wit: Number(total) },
    })
  );
  const decision = decide(verdicts, scores);
  return strengthOf({ decision, verdicts, scores, totals: { a, b }, notes, labels: LABELS });
}

const LENGTH: JudgeNote = { kind: "length", judge: "j", sentence: "" };
const cases: readonly [string, Strength["level"], Strength | undefined, string][] = [
  [
    "steady votes and a margin above the spread",
    "clear",
    strength(twice(judge("j", "a"))),
    "Clear: votes of 1 judge: Advocate A 1; steadiness was measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "three judges of two models or more",
    "clear",
    strength(["j", "k", "l"].flatMap((id) => judge(id, "a"))),
    "Clear: votes of 3 judges: Advocate A 3; steadiness was not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "one judge whose steadiness was not measured",
    "narrow",
    strength(judge("j", "a")),
    "Narrow: votes of 1 judge: Advocate A 1; steadiness was not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "three copies of one model",
    "narrow",
    strength(["j", "k", "l"].flatMap((id) => judge(id, "a", { model: "m" }))),
    "Narrow: votes of 3 judges: Advocate A 3; all votes are of one model; steadiness was not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "a margin within the spread",
    "narrow",
    strength(twice(judge("j", "a")), { totals: [6.1, 6] }),
    "Narrow: votes of 1 judge: Advocate A 1; steadiness was measured; the total is 0.1 ahead, within the judges' spread of 0.1414.",
  ],
  [
    "a vote for another side",
    "contested",
    strength([...judge("j", "a"), ...judge("k", "b"), ...judge("l", "a")]),
    "Contested: votes of 3 judges: Advocate A 2, Advocate B 1; steadiness was not measured; the total is 1 ahead, above the judges' spread of 0.1414.",
  ],
  [
    "scores that put another side first",
    "contested",
    strength(twice(judge("j", "a")), { totals: [5, 6] }),
    "Contested: votes of 1 judge: Advocate A 1; steadiness was measured; the total is 1 below the best.",
  ],
  [
    "a bias of the only judge",
    "contested",
    strength(twice(judge("j", "a")), { notes: [LENGTH] }),
    "Contested: votes of 1 judge: Advocate A 1; steadiness was measured; the total is 1 ahead, above the judges' spread of 0.1414; every judge for the winner has a named bias.",
  ],
  [
    "a tie-break",
    "contested",
    strength([...judge("j", null), ...judge("last", "a", { tiebreak: true })]),
    'Contested: votes of 1 judge: tie 1; the tie-break judge "last" decided; steadiness was not measured; the total is 1 ahead, above the judges\' spread of 0.1414.',
  ],
  [
    "no majority",
    "undecided",
    strength([...judge("j", "a"), ...judge("k", null)]),
    "Undecided: votes of 2 judges: Advocate A 1, tie 1; steadiness was not measured; the best totals are 1 apart, above the judges' spread of 0.1414.",
  ],
];

for (const [of, level, found, sentence] of cases) {
  Deno.test(`strengthOf() is ${level} for ${of}`, () => {
    assert.equal(found?.level, level);
    assert.equal(found.sentence, sentence);
  });
}

Deno.test("strengthOf() has votes, margin and spread as data, and nothing for verdicts of earlier versions", () => {
  const { votes, margin, spread, steadinessMeasured } = strength(twice(judge("j", "a")))!;
  assert.deepEqual(votes.map(({ winner, askings }) => [winner, askings]), [["a", 4]]);
  assert.deepEqual([margin, spread, steadinessMeasured], [1, 0.1414, true]);
  assert.equal(
    strength([1, 2].map((number) => verdictBy("j", { number, winner: "a" }))),
    undefined,
  );
});
