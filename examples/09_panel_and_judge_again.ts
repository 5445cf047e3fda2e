/**
 * Judges: a panel of three and its agreement. Then the finished record is judged again with another rubric, which leaves
 * the first scores unchanged.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/09_panel_and_judge_again.ts
 */
import assert from "node:assert/strict";
import { composeConvening, judge, loadRubric, openConvening, verify } from "../mod.ts";

const debate = await composeConvening({
  kind: "debate",
  topic: "Should voting be made compulsory?",
  model: "offline",
  roundCount: 1,
  seed: 6,
  judges: [{ name: "North" }, { name: "East" }, { name: "South" }],
  out: Deno.args[0] ?? "convenings",
});
const result = await debate.run();
console.log(`${result.outcome}: ${result.winner ?? "nobody"}`);
for (const { judge, mean, votes } of result.agreement?.judges ?? []) {
  console.log(`${judge}: ${mean} on average, ${votes.map((each) => each ?? "a tie").join(", ")}`);
}
console.log(`agreement (Krippendorff's alpha): ${result.agreement?.alpha ?? "too few"}`);
for (const note of [...result.notes, ...result.contradictions]) console.log(`note: ${note}`);
assert.equal(result.agreement?.judges.length, 3);

// At any later time, with only the directory: judge again with a rubric from a file.
const dir = result.dir!;
const scoresOf = async () =>
  (await openConvening(dir)).facts.filter(({ type }) => type === "score" || type === "verdict");
const before = await scoresOf();
const rubric = await loadRubric(
  `${import.meta.dirname}/configurations/rubrics/plain_speech.yaml`,
);
const { panel, convening } = await judge(dir, { judges: [{ name: "Editor", rubric }] });
for (const [side, { total }] of Object.entries(panel.scores)) {
  console.log(`${side}: ${total} by ${rubric.id}, ${result.scores[side]?.total} before`);
}

const after = await scoresOf();
assert.ok(after.length > before.length);
for (const fact of before) {
  assert.ok(after.some((each) => JSON.stringify(each) === JSON.stringify(fact)));
}
assert.deepEqual(convening.result.scores, result.scores);
assert.equal(convening.result.winner, result.winner);
assert.deepEqual((await verify(dir)).findings, []);
