// Verdict of a paper debate from its scores.
import assert from "node:assert/strict";
import { assess } from "../../../src/judging/assessment.ts";
import type { Fact } from "../../../src/core/fact.ts";
import { debateResults } from "../../../src/papers/text/debaters.ts";
import { weightedTotal } from "../../../src/judging/scoring.ts";
import {
  argumentOf,
  insightsOf,
  openingOf,
  paperFacts,
  paperStart,
  POSTURES,
  scoreFor,
  VECTOR,
  WEIGHTS,
} from "./support/paper_record.ts";

const START = paperStart();
const SECOND = { id: "judge-2", name: "Judge 2", model: "gpt-4o", rubric: "conceptual" };
const OF_TWO = paperStart({ judges: [...START.judges, SECOND] });

Deno.test("debateResults() equals the convening's standings, with several judges too", () => {
  const facts: Fact[] = [
    ...openingOf(),
    ...[0, 1, 2].flatMap((index) => argumentOf(index)),
    ...[0, 1, 2].flatMap((index) => [
      scoreFor(index, [[0.11 * index + 0.1, 0.37, 0.41, 0.777, 0.333], [0.2, 0.3, 0.1, 0.5, 0.71]]),
      scoreFor(index, [[0.63, 0.1, 0.77, 0.3, 0.5], [0.91, 0.13, 0.17, 0.19, 0.23]], {
        judge: "judge-2",
      }),
    ]),
  ];
  const { scores } = assess(OF_TWO, facts);
  const { perDebater } = debateResults(OF_TWO, facts).verdict;
  for (const [index, { totals, perTopic }] of perDebater.entries()) {
    const standing = scores[`debater-${"abc"[index]}`]!;
    assert.deepEqual([totals.weighted, totals.byCriterion], [standing.total, standing.breakdown]);
    assert.equal(totals.weighted, weightedTotal(totals.byCriterion, WEIGHTS));
    assert.equal(
      perTopic[0]!.notes,
      "Judge 1: Notes on Methodology. Judge 2: Notes on Methodology.",
    );
  }
  assert.equal(perDebater[0]!.perTopic[0]!.scores.value, 0.365);
});

Deno.test("debateResults() reports equal totals as tied", () => {
  const facts = [
    ...openingOf(),
    ...[0, 1, 2].flatMap((index) => argumentOf(index)),
    scoreFor(0, [VECTOR]),
    scoreFor(1, [[0.1, 0.1, 0.1, 0.1, 0.1]]),
    scoreFor(2, [VECTOR]),
  ];
  assert.equal(
    debateResults(START, facts).verdict.bestOverall,
    `Tie: ${POSTURES[0]} | ${POSTURES[2]}`,
  );
});

Deno.test("debateResults() includes every debater with an argument; without a readable score the total is null", () => {
  const { total: _total, topics: _topics, ...unread } = scoreFor(1, [VECTOR], {
    status: "unscored",
    criteria: {},
    reason: "no JSON",
  });
  const facts = [...openingOf(), ...argumentOf(0), ...argumentOf(1), unread];
  const { perDebater, bestOverall, insights } = debateResults(START, facts).verdict;
  assert.deepEqual(perDebater.map(({ totals, perTopic }) => [totals, perTopic]), [
    [{ weighted: null, byCriterion: {} }, []],
    [{ weighted: null, byCriterion: {} }, []],
  ]);
  assert.deepEqual([bestOverall, insights], ["", []]);
  assert.deepEqual(debateResults(START, []).verdict.perDebater, []);
});

Deno.test("debateResults() uses the convening's own panel and does not depend on the order of the facts", () => {
  const facts = paperFacts();
  const again = [0, 1, 2].map((index) =>
    scoreFor(index, [[0.1 * index, 1, 1, 1, 1]], { judge: "again-gpt-4o", model: "gpt-4o" })
  );
  const later = insightsOf({ insights: ["Later."] }, { participant: "again-gpt-4o", seq: 9 });
  const before = debateResults(START, facts).verdict;
  assert.deepEqual(debateResults(START, [...facts, ...again, later]).verdict, before);
  assert.deepEqual(debateResults(START, facts.toReversed()).verdict, before);
});

Deno.test("debateResults() collects the distinct insights of every judge and ignores other values", () => {
  const facts = [
    insightsOf({ insights: ["A.", 7, " ", "B. "], controversialPoints: "none" }),
    insightsOf({ insights: ["B.", "C."], controversialPoints: ["D."] }, {
      number: 2,
      participant: "judge-2",
    }),
    insightsOf(null, { number: 3 }),
  ];
  const { insights, controversialPoints } = debateResults(OF_TWO, facts).verdict;
  assert.deepEqual([insights, controversialPoints], [["A.", "B.", "C."], ["D."]]);
});
