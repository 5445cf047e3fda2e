// Strength of an outcome.
import assert from "node:assert/strict";
import type { Verdict } from "../../src/core/fact.ts";
import { audienceStrengthOf, marginOf, strengthOf } from "../../src/judging/agreement.ts";
import type { JudgeNote, Strength } from "../../src/core/outcome.ts";
import { decide } from "../../src/judging/panels.ts";
import { standingsByRubric } from "../../src/judging/scoring.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

const NAMES = new Map([["a", "Advocate A"], ["b", "Advocate B"], ["last", "Tie-break judge"]]);

function judge(id: string, winner: string | null, more: Partial<Verdict> = {}): Verdict[] {
  return [1, 2].map((pass) => verdictBy(id, { number: pass, pass, winner, model: id, ...more }));
}

function twice(verdicts: readonly Verdict[]): Verdict[] {
  return [...verdicts, ...verdicts.map((each) => ({ ...each, number: each.number + 2 }))];
}

function strength(
  verdicts: readonly Verdict[],
  { leads = [0.9, 1, 1.1], judges = ["j"], notes = [] }: {
    /** Lead of side "a" at each place of the order. */
    readonly leads?: readonly number[];
    readonly judges?: readonly string[];
    readonly notes?: readonly JudgeNote[];
  } = {},
): Strength | undefined {
  const scores = judges.flatMap((by) =>
    leads.flatMap((lead, at) =>
      [["a", 6 + lead] as const, ["b", 6] as const].map(([participant, total], side) =>
        scoreBy(by, {
          message: 2 * at + side + 1,
          participant,
          criteria: { clarity: total, wit: total },
        })
      )
    )
  );
  const [standings = { scores: {}, matched: [] }] = standingsByRubric(scores, NAMES);
  const decision = decide(verdicts, scores);
  return strengthOf({ decision, verdicts, standings, notes, names: NAMES });
}

const LENGTH: JudgeNote = { kind: "length", judge: "j", sentence: "" };
const cases: Readonly<Record<string, readonly [Strength | undefined, sentence: string]>> = {
  "steady votes and a margin above its error": [
    strength(twice(judge("j", "a"))),
    "Clear: 1 vote for Advocate A; steadiness measured; the total is 1 ahead, above the margin of error of 0.2484.",
  ],
  "three judges of two models or more": [
    strength(["j", "k", "l"].flatMap((id) => judge(id, "a"))),
    "Clear: 3 votes for Advocate A; steadiness not measured; the total is 1 ahead, above the margin of error of 0.2484.",
  ],
  "one judge whose steadiness was not measured": [
    strength(judge("j", "a")),
    "Narrow: 1 vote for Advocate A; steadiness not measured; the total is 1 ahead, above the margin of error of 0.2484.",
  ],
  "steady votes without scores": [
    strength(twice(judge("j", "a")), { leads: [] }),
    "Clear: 1 vote for Advocate A; steadiness measured.",
  ],
  "a lead on a single turn of each side": [
    strength(twice(judge("j", "a")), { leads: [1] }),
    "Narrow: 1 vote for Advocate A; steadiness measured; the total is 1 ahead, with too few turns for a margin of error.",
  ],
  "a lead of a panel from one of three turns": [
    strength(twice(["j", "k"].flatMap((id) => judge(id, "a"))), {
      judges: ["j", "k"],
      leads: [0, 3, 0],
    }),
    "Narrow: 2 votes for Advocate A; steadiness measured; the total is 1 ahead, within the margin of error of 4.3027.",
  ],
  "two turns that differ by more than the scale could bear out": [
    strength(judge("j", "a"), { leads: [4, -3] }),
    "Narrow: 1 vote for Advocate A; steadiness not measured; the total is 0.5 ahead, within the margin of error of 10.",
  ],
  "equal totals": [
    strength(judge("j", "a"), { leads: [1, -1, 0] }),
    "Narrow: 1 vote for Advocate A; steadiness not measured; the totals are equal.",
  ],
  "three copies of one model": [
    strength(["j", "k", "l"].flatMap((id) => judge(id, "a", { model: "m" }))),
    "Narrow: 3 votes for Advocate A; 3 judges of one model; steadiness not measured; the total is 1 ahead, above the margin of error of 0.2484.",
  ],
  "a margin within its error": [
    strength(twice(judge("j", "a")), { leads: [0, 0.1, 0.2] }),
    "Narrow: 1 vote for Advocate A; steadiness measured; the total is 0.1 ahead, within the margin of error of 0.2484.",
  ],
  "a vote for another side": [
    strength([...judge("j", "a"), ...judge("k", "b"), ...judge("l", "a")]),
    "Contested: 2 votes for Advocate A, 1 vote for Advocate B; steadiness not measured; the total is 1 ahead, above the margin of error of 0.2484.",
  ],
  "scores that put another side first": [
    strength(twice(judge("j", "a")), { leads: [-1, -1, -1] }),
    "Contested: 1 vote for Advocate A; steadiness measured; the total is 1 below the best.",
  ],
  "a bias of the only judge": [
    strength(twice(judge("j", "a")), { notes: [LENGTH] }),
    "Contested: 1 vote for Advocate A; steadiness measured; the total is 1 ahead, above the margin of error of 0.2484; every judge for the winner has a bias that the notes name.",
  ],
  "a tie-break": [
    strength([...judge("j", null), ...judge("last", "a", { tiebreak: true })]),
    "Contested: 1 tie; Tie-break judge decided the tie; steadiness not measured; the total is 1 ahead, above the margin of error of 0.2484.",
  ],
  "judges of one model under two names": [
    strength([...judge("j", "a"), ...judge("k", "a", { model: "vllm:j" })]),
    "Narrow: 2 votes for Advocate A; 2 judges of one model; steadiness not measured; the total is 1 ahead, above the margin of error of 0.2484.",
  ],
  "a tie-break judge without a side": [
    strength([...judge("j", null), ...judge("last", null, { tiebreak: true })]),
    "1 tie; Tie-break judge, asked because of the tie, named no side; steadiness not measured; the best totals are 1 apart, above the margin of error of 0.2484.",
  ],
  "no majority": [
    strength([...judge("j", "a"), ...judge("k", null)]),
    "1 vote for Advocate A, 1 tie; steadiness not measured; the best totals are 1 apart, above the margin of error of 0.2484.",
  ],
  "ties and judges without a vote, which differ": [
    strength([
      ...judge("j", null),
      ...judge("k", null, { status: "unread" }),
      verdictBy("l", { pass: 1, winner: "a", model: "l" }),
    ]),
    "1 tie, 2 judges without a vote; steadiness not measured; the best totals are 1 apart, above the margin of error of 0.2484.",
  ],
};

for (const [of, [found, sentence]] of Object.entries(cases)) {
  Deno.test(`strengthOf() of ${of}`, () => {
    assert.equal(found?.sentence, sentence);
    const [, level = "Undecided"] = /^(Clear|Narrow|Contested): /.exec(sentence) ?? [];
    assert.equal(found?.level, level.toLowerCase());
  });
}

Deno.test("strengthOf() returns votes, margin and spread as data, and nothing for verdicts of earlier versions", () => {
  const { votes, margin, spread, steadinessMeasured } = strength(twice(judge("j", "a")))!;
  assert.deepEqual(votes.map(({ winner, askings }) => [winner, askings]), [["a", 4]]);
  assert.deepEqual([margin, spread, steadinessMeasured], [1, 0.2484, true]);
  assert.equal(
    strength([1, 2].map((number) => verdictBy("j", { number, winner: "a" }))),
    undefined,
  );
});

Deno.test("marginOf() compares turns on several topics topic by topic", () => {
  const topicsOf = (...numbers: readonly number[]) =>
    numbers.map((clarity, topic) => ({
      topic: `t${topic}`,
      criteria: { clarity, wit: clarity },
      notes: "",
    }));
  const scores = [["a", 6.9, 7, 7.1] as const, ["b", 6, 6, 6] as const].map(
    ([participant, ...own], at) => {
      const criteria = { clarity: own[1], wit: own[1] };
      return scoreBy("j", { message: at + 1, participant, criteria, topics: topicsOf(...own) });
    },
  );
  const [standings] = standingsByRubric(scores, NAMES);
  assert.deepEqual(marginOf(standings!, "a"), { margin: 1, spread: 0.2484 });
  assert.deepEqual(marginOf(standings!, null), { margin: 1, spread: 0.2484 });
  assert.deepEqual(marginOf(standings!, "b"), { margin: -1, spread: 0.2484 });
});

Deno.test("marginOf() compares topics of a turn that a refuted claim caps by their capped numbers", () => {
  const scores = [[1, "a", 9, 6], [2, "b", 5, 5], [3, "a", 7, 7], [4, "b", 5, 5]] as const;
  const [standings] = standingsByRubric(
    scores.map(([message, participant, judged, capped]) =>
      scoreBy("j", {
        message,
        participant,
        criteria: { clarity: capped, wit: capped },
        ...judged === capped ? {} : { judged: { clarity: judged, wit: judged } },
        topics: [{ topic: "t", criteria: { clarity: judged, wit: judged }, notes: "" }],
      })
    ),
    NAMES,
  );
  // The leads are 1 and 2.
  assert.deepEqual(marginOf(standings!, "a"), { margin: 1.5, spread: 6.3531 });
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
    return audienceStrengthOf(audience, { decision, verdicts, notes: [], names: NAMES })!;
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
      "Clear: of 10 listeners, Advocate A gained 4 and Advocate B lost 3.",
      "Narrow: of 10 listeners, Advocate A gained 2 and Advocate B lost 1.",
      "Contested: of 10 listeners, Advocate A gained 1 and Advocate B gained 1; the strength of agreement decided.",
      "Contested: of 10 listeners, Advocate A gained 2 and Advocate B lost 1; the judges named Advocate B.",
      "Of 10 listeners, Advocate A gained none and Advocate B gained none.",
    ],
  );
});
