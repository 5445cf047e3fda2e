// Files of a paper debate's report.
import assert from "node:assert/strict";
import { debateReport } from "../../src/papers/text/report.ts";
import { reportFiles } from "../../src/record/paper_pages.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import {
  messageOf,
  openingOf,
  PAPER,
  paperFacts,
  paperStart,
  stopOf,
} from "../papers/text/support/paper_record.ts";

const START = paperStart();
const measure = await loadTokenCounter();

Deno.test("reportFiles() returns the report as a page and as JSON", () => {
  const facts = paperFacts();
  const report = debateReport(START, facts)!;
  const [page, json] = reportFiles(START, facts, measure);
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

Deno.test("reportFiles() returns nothing without a report and for other kinds", () => {
  assert.deepEqual(reportFiles(START, [], measure), []);
  assert.deepEqual(reportFiles(START, [...openingOf(), stopOf()], measure), []);
  assert.deepEqual(reportFiles(paperStart({ kind: "debate" }), paperFacts(), measure), []);
});

Deno.test("reportFiles() keeps hostile words out of front matter and lone surrogates out of files", () => {
  const question = '---\nstatus: "won"\n--- <script> \ud800 [x]: y';
  const facts = [
    ...openingOf({ question }),
    messageOf(9, "report", { body: "---\nformat: other\n---\n# Not a heading \udfff" }),
  ];
  const papers = [{ ...PAPER, id: "p: [1]", title: "T\ud800" }];
  const files = reportFiles(paperStart({ papers }), facts, measure);
  const { data, body } = readFrontMatter(files[0]!.text, "report.md");
  assert.equal(data.question, question.toWellFormed());
  assert.deepEqual(data.papers, ["p: [1]"]);
  assert.doesNotMatch(body, /^(?:---|# Not)|<script/m);
  for (const { text } of files) assert.equal(text, text.toWellFormed());
});

Deno.test("reportFiles() cuts a long report into parts of at most 2,000 tokens without loss", () => {
  const word = (at: number) =>
    `Point ${at} says what was argued at length about gardens and memory.`;
  const long = Array.from({ length: 120 }, (_, at) => word(at));
  const body = [...long.slice(0, 60), long.join(" ")].join("\n\n");
  const facts = [
    ...paperFacts().filter((fact) => !("kind" in fact && fact.kind === "report")),
    messageOf(9, "report", { body }),
  ];
  const files = new Map(reportFiles(START, facts, measure).map(({ path, text }) => [path, text]));
  const parts = [...files.keys()].filter((path) => /^report(?:\.md|\/\d+\.md)$/.test(path));
  assert.ok(parts.length >= 3, parts.join());
  for (const path of parts) assert.ok(measure(files.get(path)!) <= 2000, path);
  // Each part links to the next, and the first to all parts and to the whole.
  assert.deepEqual(parts.slice(1), parts.slice(1).map((_, at) => `report/00${at + 2}.md`));
  for (const [at, path] of parts.slice(1).entries()) {
    assert.ok(files.get("report.md")!.includes(`](${path})`), path);
    assert.equal(files.get(path)!.includes("after: ["), at < parts.length - 2, path);
  }
  assert.match(files.get("report.md")!, /\(report\/whole\.md\)/);
  assert.match(files.get("report.md")!, /\(report\/002\.md\): Executive Summary, continued/);
  // A part that does not begin with a heading names those above it.
  assert.match(
    files.get("report/002.md")!,
    /^Part 2 of \d+ of a report, within “Executive Summary”\. /m,
  );
  const report = debateReport(START, facts)!;
  const bodyOf = (path: string) => readFrontMatter(files.get(path)!, path).body;
  assert.equal(bodyOf("report/whole.md"), report.markdown);
  const words = (text: string) => text.replace(/\s+/g, " ").trim();
  const said = parts.map((path) =>
    path === "report.md"
      ? bodyOf(path).split("## Parts of this report")[0]!
      : bodyOf(path).replace(/^Part .*\n\n/, "")
  );
  assert.equal(words(said.join(" ")), words(report.markdown));
});

Deno.test("A part of a report that begins with a heading names the headings above it", () => {
  const others = paperFacts().filter((fact) => !("kind" in fact && fact.kind === "report"));
  // Reports of growing length: some are cut before a debater's heading.
  const parts = Array.from({ length: 30 }, (_, at) => "A word. ".repeat(300 + 20 * at))
    .flatMap((body) => reportFiles(START, [...others, messageOf(9, "report", { body })], measure))
    .filter(({ path, text }) => /^report\/\d+\.md$/.test(path) && /\nPart .*\n\n#### /.test(text));
  assert.ok(parts.length > 0);
  for (const { text } of parts) {
    assert.match(text, /\nPart \d of \d of a report, within “(?:Key Claims|Scoring Table)”\. /);
  }
});
