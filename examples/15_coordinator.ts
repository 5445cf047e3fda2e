/**
 * The coordinator: a paper debate by methods, whole or step by step, with a callback for each stage.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/15_coordinator.ts
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { DebateCoordinator } from "../mod.ts";
import { type Paper, readPaper } from "../papers.ts";

const [out] = Deno.args;
const coordinator = new DebateCoordinator({
  model: "offline",
  ...out === undefined ? {} : { out },
});

const path = fileURLToPath(new URL("papers/four_day_week.md", import.meta.url));
const paper: Paper = await readPaper(path);

const questions = await coordinator.generateQuestions(paper);
console.log("Questions:", questions);

const report = await coordinator.runCompleteDebate(
  paper,
  questions[0]!,
  3,
  (stage, data) => console.log(`Progress: ${stage}`, Object.keys(data ?? {})),
);
console.log(report.rankedPostures);
assert.equal(report.question, questions[0]);
assert.equal(report.postures.length, 3);

// The same step by step; single steps keep no record.
const question = questions[1]!;
const { postures, topics } = await coordinator.generatePosturesAndTopics(paper, question, 2);
const debaterArguments = await coordinator.runDebate(paper, question, topics, postures);
const verdict = await coordinator.judgeDebate(question, topics, debaterArguments);
const again = await coordinator.generateReport(
  question,
  topics,
  postures,
  debaterArguments,
  verdict,
);
console.log(again.markdown.split("\n").slice(0, 12).join("\n"));
assert.equal(again.rankedPostures[0]?.score, Math.max(...verdict.perDebater.map(totalOf)));

function totalOf({ totals }: (typeof verdict)["perDebater"][number]): number {
  return totals.weighted ?? 0;
}
