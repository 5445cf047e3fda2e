import assert from "node:assert/strict";
import { debateReport } from "../../src/papers/text/report.ts";
import { reportFiles } from "../../src/record/files/report_files.ts";
import { readFrontMatter } from "../../src/record/frontmatter_reader.ts";
import {
  messageOf,
  openingOf,
  PAPER,
  paperFacts,
  paperStart,
  stopOf,
} from "../core/paper/support/paper_record.ts";

const START = paperStart();

Deno.test("reportFiles() is the report as a page and as JSON", () => {
  const facts = paperFacts();
  const report = debateReport(START, facts)!;
  const [page, json] = reportFiles(START, facts);
  assert.deepEqual([page!.path, json!.path], ["report.md", "report.json"]);
  const { data, body } = readFrontMatter(page!.text, page!.path);
  assert.deepEqual(data, {
    format: "convenings/1",
    type: "report",
    index: "index.md",
    question: report.question,
    papers: [PAPER.id],
    data: "report.json",
  });
  assert.equal(body, report.markdown);
  assert.deepEqual(JSON.parse(json!.text), JSON.parse(JSON.stringify(report)));
  assert.match(json!.text, /^\{\n {2}"question": /);
  assert.match(json!.text, /[^\n]\n$/);
});

Deno.test("reportFiles() are none while there is no report, and of other kinds", () => {
  assert.deepEqual(reportFiles(START, []), []);
  assert.deepEqual(reportFiles(START, [...openingOf(), stopOf()]), []);
  assert.deepEqual(reportFiles(paperStart({ kind: "debate" }), paperFacts()), []);
});

Deno.test("reportFiles() keeps hostile words out of front matter, and halves of characters out of files", () => {
  const question = '---\nstatus: "won"\n--- <script> \ud800 [x]: y';
  const facts = [
    ...openingOf({ question }),
    messageOf(9, "report", { body: "---\nformat: other\n---\n# Not a heading \udfff" }),
  ];
  const papers = [{ ...PAPER, id: "p: [1]", title: "T\ud800" }];
  const files = reportFiles(paperStart({ papers }), facts);
  const { data, body } = readFrontMatter(files[0]!.text, "report.md");
  assert.equal(data.question, question.toWellFormed());
  assert.deepEqual(data.papers, ["p: [1]"]);
  assert.doesNotMatch(body, /^(?:---|# Not)|<script/m);
  for (const { text } of files) assert.equal(text, text.toWellFormed());
});
