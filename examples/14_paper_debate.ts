/**
 * A debate over two papers: questions and postures are proposed, debaters argue at once and look passages up, every
 * quotation and citation is verified, judges score topic by topic, and a report is written.
 *
 *     deno run --no-prompt --allow-read examples/14_paper_debate.ts
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createPaperDebateWorkflow, memoryRecord } from "../mod.ts";
import { readPapers } from "../papers.ts";

const file = (name: string) => fileURLToPath(new URL(`papers/${name}`, import.meta.url));
const papers = await readPapers([file("four_day_week.pdf"), file("compressed_week.md")]);
for (const { id, title, pages } of papers) {
  console.log(`${id}: ${title} (${pages?.length ?? "no"} pages)`);
}

const record = memoryRecord();
const debate = createPaperDebateWorkflow(papers, {
  model: "offline",
  postures: 3,
  crossExamine: true,
  seed: 1,
  record,
});

for await (const event of debate.stream()) {
  switch (event.type) {
    case "stage":
      console.log(`· ${event.name}`);
      break;
    case "lookup":
      console.log(`  ${event.lookup.participant} looks up ${JSON.stringify(event.lookup.args)}`);
      break;
    case "evidence":
      for (const { text, status, source, page } of event.evidence.quotations) {
        console.log(`  ${status}: “${text}” (${source ?? "nowhere"}, page ${page ?? "–"})`);
        assert.notEqual(status, "not found");
      }
      break;
    case "convening-end":
      for (const [id, { total }] of Object.entries(event.ending.scores)) {
        console.log(`${id}: ${total}`);
      }
  }
}

const report = record.files.get("report.md") ?? "";
console.log(report.slice(0, 600));
assert.match(report, /## Executive Summary/);
assert.ok(record.files.has("paper.md") && record.files.has("paper-2.md"));
