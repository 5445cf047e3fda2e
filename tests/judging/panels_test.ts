// Panels in a record: the convening's own judges and later ones.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Score, Verdict } from "../../src/core/fact.ts";
import { panelsOf, panelStandings } from "../../src/judging/panels.ts";
import { scoreOf, verdictOf } from "../record/support/fixtures.ts";

const JUDGES = [
  { id: "judge-2", name: "Judge 2", model: "openai:gpt-4o", rubric: "academic" },
  { id: "judge-1", name: "Judge 1", model: "gpt-4o", rubric: "debate" },
];
const own = scoreOf(1, "advocate-a", [6, 7]);
const dated: Score = { ...own, message: 2, model: "gpt-4o-2024-08-06" };
const second: Score = {
  ...own,
  judge: "judge-2",
  rubric: "academic",
  scale: [0, 1],
  criteria: { logic: 0.5, evidence: 0.5 },
  total: 0.5,
};
const later: Score = { ...own, judge: "judge-1", model: "o9" };
const again: Score = { ...own, judge: "judge-1", rubric: "conceptual" };
const other: Verdict = { ...verdictOf(1, "advocate-b"), judge: "judge-9", rubric: "conceptual" };
const ALL = [own, dated, second, later, again, other, verdictOf(1, "advocate-a")];

Deno.test("panelsOf() separates the convening's own judges from later ones by id, rubric and model", () => {
  const [first, ...others] = panelsOf({ judges: JUDGES }, ALL);
  assert.equal(first?.own, true);
  assert.deepEqual(first.rubrics, ["academic", "debate"], "in the order of the judges");
  assert.deepEqual(first.scores, [own, second, dated]);
  assert.deepEqual(first.verdicts, [verdictOf(1, "advocate-a")]);
  assert.deepEqual(others.map(({ rubrics, own }) => [rubrics, own]), [
    [["conceptual"], false],
    [["debate"], false],
  ]);
  assert.deepEqual(others[0]?.scores, [again]);
  assert.deepEqual(others[0]?.verdicts, [other]);
  assert.deepEqual(others[1]?.scores, [later]);
});

Deno.test("panelsOf() recognizes a judge's facts when its model reports another name", () => {
  const renamed = [{ ...own, model: "deployment-7" }];
  assert.equal(panelsOf({ judges: JUDGES }, renamed)[0]?.own, true);
  assert.equal(panelsOf({ judges: JUDGES }, [...renamed, own]).length, 2);
  assert.deepEqual(panelsOf({ judges: [] }, []), []);
});

Deno.test("panelsOf() counts a judge's answers from another model after a resume as the convening's own", () => {
  const swapped = { ...own, message: 3, model: "o9" };
  const verdict = { ...verdictOf(1, "advocate-a"), model: "o9" };
  const [panel, ...others] = panelsOf({ judges: JUDGES }, [own, swapped, verdict]);
  assert.deepEqual([panel?.scores, panel?.verdicts], [[own, swapped], [verdict]]);
  assert.deepEqual(others, []);
});

Deno.test("panelsOf() leaves a judge that a resume replaced its vote when other models judge later", () => {
  const verdict = (number: number, model: string, winner: string, day: number) => ({
    ...verdictOf(number, winner),
    model,
    createdAt: `2026-11-2${day}T00:00:00.000Z`,
  });
  const first = [verdict(1, "o9", "advocate-a", 1), verdict(2, "o9", "advocate-a", 2)];
  const last = [1, 2].map((number) => verdict(number, "a1", "advocate-b", 3));
  const panels = panelsOf({ judges: JUDGES }, [...last, ...first]);
  assert.deepEqual(panels.map(({ own, verdicts }) => [own, verdicts]), [
    [true, first],
    [false, last],
  ]);
});

Deno.test("panelsOf() does not depend on the order of the facts", () => {
  const expected = panelsOf({ judges: JUDGES }, ALL);
  fc.assert(
    fc.property(fc.shuffledSubarray(ALL, { minLength: ALL.length }), (shuffled) => {
      assert.deepEqual(panelsOf({ judges: JUDGES }, shuffled), expected);
    }),
  );
});

Deno.test("panelStandings() separates scores by rubric, the first judge's first", () => {
  const [panel] = panelsOf({ judges: JUDGES }, ALL);
  const ada = { id: "advocate-a", name: "Ada", role: "", label: "Ada", model: "offline" };
  const standings = panelStandings({ participants: [ada] }, panel!);
  assert.deepEqual(
    standings.map(({ rubric, scores }) => [rubric, scores["advocate-a"]?.total]),
    [["academic", 0.5], ["debate", 6.4]],
  );
});
