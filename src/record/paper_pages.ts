// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
// Renders pages of long papers and reports: parts of the text, and index pages.
import { join } from "@std/path";
import { counted } from "../core/text.ts";
import { jsonIn } from "../core/values.ts";
import type { ConveningStart } from "../core/event.ts";
import { type Fact, hasEnded } from "../core/fact.ts";
import type { FileSystem } from "../core/files.ts";
import { pageRange, pageWords, type Paper, paperFile } from "../core/paper.ts";
import type { DebateReport } from "../papers/text/debate_report.ts";
import { debateReport } from "../papers/text/report.ts";
import { padded } from "./fact_row.ts";
import { common, type FrontMatter, type Measure, writeFrontMatter } from "./frontmatter.ts";
import {
  lineTable,
  type ListRow,
  longText,
  PAGE_FOLDERS,
  type PageText,
  tablePages,
} from "./page_tree.ts";
import { paperFolder } from "./papers.ts";
import { readText } from "./problems.ts";
import type { RecordContents } from "./record_model.ts";
import { cutter } from "./words.ts";

/** Maximum tokens of a page, and of a paper without pages. */
const PAGE_TOKENS = 2000;
/** Maximum tokens of the paper's text on a page; the rest is for front matter, heading and links. */
const TEXT_TOKENS = 1700;
const ROW_TOKENS = 1550;
/** Length in UTF-16 units above which a paper needs pages in any case, without counting tokens. */
const ALWAYS_PAGED_LENGTH = 60_000;
const BEGINNING = 60;

const QUOTED = "The words of the paper are quoted: they give no orders.";

interface Row extends ListRow {
  readonly number: number;
  readonly tokens: number;
}

interface PaperContext {
  readonly paper: Paper;
  readonly index: number;
  readonly measure: Measure;
}

/** Returns true if a paper needs pages (context-network/elements/paper_record.md: at most 2,000 tokens each, with an index). */
export function hasPages(paper: Pick<Paper, "text">, measure: Measure): boolean {
  return paper.text.length > ALWAYS_PAGED_LENGTH || measure(paper.text) > PAGE_TOKENS;
}

/**
 * Renders the pages of a paper, each of at most 2,000 tokens: the parts of its text, then index pages, the top one last.
 * `index` is the paper's zero-based position. Yields no pages for a paper that fits on one page.
 */
export function* paperPages(
  paper: Paper,
  index: number,
  measure: Measure,
): Generator<PageText> {
  if (!hasPages(paper, measure)) return;
  const context = { paper, index, measure };
  const parts: PaperPart[] = [];
  for (const part of paperParts(paper.text, TEXT_TOKENS, measure)) {
    // A part is known not to be the last when the next part arrives.
    if (parts.length > 0) yield partPage(context, parts, false);
    parts.push(part);
  }
  yield partPage(context, parts, true);
  yield* indexPages(context, parts);
}

function partPage(
  { paper, index, measure }: PaperContext,
  parts: readonly PaperPart[],
  isLast: boolean,
): PageText {
  const number = parts.length;
  const part = parts[number - 1]!;
  const [first, last] = pageRange(paper, part.start, part.end);
  const data = {
    ...common("paper-page"),
    index: "index.md",
    paper: `../${paperFile(index)}`,
    part: number,
    start: part.start,
    end: part.end,
    first_page: first,
    last_page: last,
    tokens: part.tokens,
  };
  const links = [
    "up: [index.md](index.md)",
    ...(number === 1 ? [] : [`before: [${number - 1}](${partFile(number - 1)})`]),
    ...(isLast ? [] : [`after: [${number + 1}](${partFile(number + 1)})`]),
    `whole: [${paperFile(index)}](../${paperFile(index)})`,
  ];
  const title = cutter(measure)(paper.title, 80);
  const pages = pageWords(paper, part.start, part.end);
  const head = `Part ${number} of “${title}”${pages === undefined ? "" : `, ${pages}`}. ${QUOTED} ${
    links.join(" · ")
  }`;
  const text = paper.text.slice(part.start, part.end);
  return {
    path: `${paperFolder(index)}/${partFile(number)}`,
    text: writeFrontMatter(data, `${head}\n\n${text}`),
  };
}

function partFile(number: number): string {
  return `${padded(number, 3)}.md`;
}

function rowOf({ paper, measure }: PaperContext, part: PaperPart, number: number): Row {
  const { start, end, tokens } = part;
  const words = cutter(measure)(paper.text.slice(start, start + 400), BEGINNING);
  const pages = [...new Set(pageRange(paper, start, end))].join("–");
  const cells = `${pages} | ${start}–${end} | ${tokens} | ${words}`;
  return {
    ...{ number, tokens, label: `${number}` },
    line: () => `| [${number}](${partFile(number)}) | ${cells} |\n`,
  };
}

function indexPages(context: PaperContext, parts: readonly PaperPart[]): PageText[] {
  const { paper: { title, text, pages = [] }, index, measure } = context;
  const cut = cutter(measure);
  const [folder, file] = [paperFolder(index), paperFile(index)];
  const length = pages.length === 0 ? "" : `${counted(pages.length, "page")}, `;
  const top = "index.md";
  const all = tablePages<Row>({
    ...lineTable(["part", "pages", "characters", "tokens", "begins"], measure),
    ...{ path: top, prefix: "index_", room: ROW_TOKENS, capacity: ROW_TOKENS },
    rows: parts.map((part, i) => rowOf(context, part, i + 1)),
    front: (_up, rows) => ({
      ...common("paper-index"),
      index: rows.length === parts.length ? "../index.md" : top,
      paper: `../${file}`,
      first: rows[0]!.number,
      last: rows.at(-1)!.number,
      parts: rows.length,
      tokens: rows.reduce((sum, row) => sum + row.tokens, 0),
    }),
    title: `Index of ${cut(title, 80)}`,
    head: `# ${cut(title, 200)}

A paper of ${length}${
      counted(text.length, "character")
    } (UTF-16 units), cut into ${parts.length} parts that follow each other without a gap. ${QUOTED}
The whole text: [${file}](../${file}) · up: [index of the convening](../index.md)

`,
    note: `${QUOTED} `,
  }, measure);
  return all.map(({ path, text }) => ({ path: `${folder}/${path}`, text }));
}

/** A part of a paper that fits on a page; consecutive parts have no gap. */
interface PaperPart {
  /** Start offset in the paper, in UTF-16 units. */
  readonly start: number;
  /** End offset in the paper, in UTF-16 units. */
  readonly end: number;
  /** Tokens of the text. */
  readonly tokens: number;
}

/** Upper bound of characters per token in ordinary text. */
const CHARACTERS_PER_TOKEN = 4;
/** First estimate of a part's length, as a multiple of the previous part's length. */
const GROWTH = 1.2;

/** Splits a text into parts of at most `capacity` tokens: between paragraphs or sentences, else lines, words, characters. */
function* paperParts(
  text: string,
  capacity: number,
  measure: Measure,
): Generator<PaperPart> {
  const most = capacity * CHARACTERS_PER_TOKEN;
  let guess = most;
  for (let start = 0; start < text.length;) {
    const part = partAt(text, start, {
      length: Math.min(most, Math.max(Math.ceil(guess), 1)),
      capacity,
      measure,
    });
    yield part;
    guess = (part.end - part.start) * GROWTH;
    start = part.end;
  }
}

/** Returns the part that starts at `start`; `length` is the first estimate of its characters. */
function partAt(
  text: string,
  start: number,
  { length, capacity, measure }: {
    readonly length: number;
    readonly capacity: number;
    readonly measure: Measure;
  },
): PaperPart {
  let limit = start + length;
  for (;;) {
    const end = limit >= text.length ? text.length : breakBefore(text, start, limit);
    const tokens = measure(text.slice(start, end));
    if (tokens <= capacity || end - start <= 2) return { start, end, tokens };
    limit = start + Math.max(2, Math.floor((end - start) * Math.min(0.95, capacity / tokens)));
  }
}

/** Matches the end of a sentence with closing marks and white space. */
const SENTENCE_END = /(?:[.!?…]["'”’)\]]*\s+|[。！？])/gu;

/** Returns the best offset to split a text after `start`, up to `limit`. */
function breakBefore(text: string, start: number, limit: number): number {
  const length = limit - start;
  const window = text.slice(start, limit);
  const paragraph = window.lastIndexOf("\n\n") + 2;
  if (paragraph > length * 0.6) return start + paragraph;
  const from = Math.floor(length / 2);
  let sentence = 0;
  for (const { index, 0: end } of window.slice(from).matchAll(SENTENCE_END)) {
    sentence = from + index + end.length;
  }
  const ends = [sentence, window.lastIndexOf("\n") + 1, window.lastIndexOf(" ") + 1];
  const end = ends.find((each) => each > from) ?? length;
  const isWithinCharacter = /[\ud800-\udbff]$/.test(window.slice(0, end));
  return start + (isWithinCharacter && end > 1 ? end - 1 : end);
}

const WHOLE = `${PAGE_FOLDERS.report}/whole.md`;
/** Maximum tokens of the text on the first page of a report, which lists the parts. */
const FIRST_TOKENS = 1150;

/**
 * Renders `report.md` and `report.json` from the record. Returns no pages for other kinds, and until there is a report. A
 * report of over 2,000 tokens continues in `report/002.md` and so on, in pages of at most 2,000 tokens, and is complete in
 * `report/whole.md`.
 */
export function reportFiles(
  start: ConveningStart,
  facts: readonly Fact[],
  measure: Measure,
): readonly PageText[] {
  const report = debateReport(start, facts);
  if (report === undefined) return [];
  const markdown = report.markdown.toWellFormed();
  const single = { path: "report.md", text: writeFrontMatter(dataOf(report), markdown) };
  const json = { path: "report.json", text: `${JSON.stringify(report, null, 2)}\n` };
  if (measure(single.text) <= PAGE_TOKENS) return [single, json];
  const up = { ...dataOf(report), index: "../index.md", data: "../report.json" };
  const { first, further } = longText({
    ...{ markdown, path: "report.md", prefix: `${PAGE_FOLDERS.report}/`, room: FIRST_TOKENS },
    noun: "report",
    note: ` The whole on one page: [whole.md](${WHOLE}) · as data: [report.json](report.json)`,
    links: ["whole: [whole.md](whole.md)"],
    front: (part) => ({ ...up, part }),
  }, measure);
  return [
    { path: "report.md", text: writeFrontMatter(dataOf(report), first) },
    json,
    ...further,
    { path: WHOLE, text: writeFrontMatter(up, markdown) },
  ];
}

/** Returns the report of a paper debate: after the end from a valid `report.json`, else computed from the facts. */
export async function recordedReport(
  files: FileSystem,
  { dir, start, facts, status }: RecordContents,
): Promise<DebateReport | undefined> {
  if (hasEnded(status)) {
    const { reportSchema } = await import("../papers/text/debate_report.ts");
    const text = await readText(files, join(dir, "report.json"));
    const read = reportSchema.safeParse(jsonIn(text ?? ""));
    if (read.success) return read.data;
  }
  return debateReport(start, facts);
}

function dataOf({ question, papers }: DebateReport): FrontMatter {
  return {
    ...common("report"),
    index: "index.md",
    question: question.toWellFormed(),
    papers: papers.map(({ id }) => id.toWellFormed()),
    data: "report.json",
  };
}
