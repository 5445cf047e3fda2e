// `index.md` and `pages/` of a convening.
import { gist, type Message } from "../core/message.ts";
import { checkWords, CUT } from "./files/assessment_words.ts";
import { figuresWords } from "./paper_findings.ts";
import { cutter, FRONT_MATTER_TOKENS, indexHead, QUOTED } from "./files/index_page.ts";
import { common, type Layout } from "./files/renderer.ts";
import { type FrontMatter, writeFrontMatter } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import { type ListPage, type PageText, pageTree, type SizedRow } from "./page_tree.ts";
import type { MessageRow, RecordModel } from "./record_model.ts";

/** Tokens of an index page, with room for what counting line by line misses. */
const PAGE_TOKENS = 1900;
/** Tokens of a page's own front matter, heading and note, at most. */
const HEAD_TOKENS = 230;
/** How many pages a page of pages lists; a row has 30 tokens at most. */
const PAGES_A_PAGE = 50;

const MESSAGE_TABLE = "| seq | round | speaker | kind | tokens | gist |\n" +
  "| --- | --- | --- | --- | --- | --- |\n";
const PAGE_TABLE = "| messages | rounds | count | tokens |\n" +
  "| --- | --- | --- | --- |\n";

/** A message's row, measured. */
interface Row extends SizedRow {
  readonly row: MessageRow;
  /** The row as a line of a table in `pages/`, and in `index.md`. */
  readonly lines: { readonly below: string; readonly top: string };
  /** Of the body. */
  readonly tokens: number;
}

/** Rows by what they show: a row is measured once. */
const known = new WeakMap<MessageRow, Row>();

/**
 * The pages of messages, then `index.md`: bounded pages over any number of messages. `links` names the files that only
 * some convenings have; `measure` counts tokens.
 */
export function indexPages(
  model: RecordModel,
  links: readonly string[],
  measure: Measure,
): readonly PageText[] {
  const rows = model.rows.map((row) => known.get(row) ?? measuredRow(row, measure));
  const head = indexHead(model, links, measure);
  const room = PAGE_TOKENS - measure(head) - measure(MESSAGE_TABLE) - 40;
  if (rows.reduce((sum, { cost }) => sum + cost, 0) <= room) {
    return [{ path: "index.md", text: head + messageTable(rows) }];
  }
  const { pages, top } = pageTree(rows, {
    capacity: PAGE_TOKENS - HEAD_TOKENS,
    perPage: PAGES_A_PAGE,
    path: "pages/",
    leaf: (page) => leafText(page, model.layout),
    above: aboveText,
    fits: (listed) => pagesCost(listed, measure) <= room,
  });
  const list = top.map((page) => pageLine(page, "pages/")).join("");
  return [...pages, { path: "index.md", text: `${head}## Pages\n\n${PAGE_TABLE}${list}` }];
}

function measuredRow(row: MessageRow, measure: Measure): Row {
  const cut = cutter(measure);
  const { seq, round, phase, name, body } = row.message;
  const tokens = measure(body);
  const cells = `${round} | ${cut(name, CUT.name)} | ${kindCell(row)} | ${tokens} | ${
    cut(gist(body), CUT.gist)
  }`;
  const line = (up: string) => `| [${seq}](${up}messages/${row.file}) | ${cells} |\n`;
  const lines = { below: line("../"), top: line("") };
  const measured = { row, lines, tokens, group: `${round}/${phase}`, cost: measure(lines.below) };
  known.set(row, measured);
  return measured;
}

function messageTable(rows: readonly Row[]): string {
  const lines = rows.map(({ lines }) => lines.top).join("");
  return `## Messages\n\n${rows.length === 0 ? "None yet.\n" : MESSAGE_TABLE + lines}`;
}

/** How many marks a row names. */
const MARKS = 2;

/** What kind of message it is, what it is marked with, and what looking its claims up brought. */
function kindCell({ message: { kind, marks }, check, figures }: MessageRow): string {
  const notes = [
    ...marks.slice(0, MARKS).map((mark) => plainWord(mark, 30)),
    ...(check === undefined || check.claims.length === 0 && check.status === "checked"
      ? []
      : [checkWords(check)]),
    ...(figures === undefined ? [] : [figuresWords(figures)]),
  ];
  return plainWord(kind, 40) + (notes.length === 0 ? "" : ` (${notes.join("; ")})`);
}

function plainWord(word: string, max: number): string {
  return word.replace(/[^a-zA-Z0-9_-]+/g, " ").slice(0, max);
}

/** A row of a list of pages; `lead` leads to their folder. */
function pageLine({ path, rows }: ListPage<Row>, lead: string): string {
  const [first, last] = endsOf(rows);
  const name = path.slice("pages/".length);
  const rounds = first.round === last.round ? first.round : `${first.round}–${last.round}`;
  return `| [${first.seq}–${last.seq}](${lead}${name}) | ${rounds} | ${rows.length} | ${
    tokensOf(rows)
  } |\n`;
}

function pagesCost(pages: readonly ListPage<Row>[], measure: Measure): number {
  // Rows differ by digits only: measuring the longest stands for all.
  const lines = pages.slice(-1).map((each) => measure(pageLine(each, "pages/")));
  return (Math.max(0, ...lines) + 3) * pages.length;
}

function endsOf(rows: readonly Row[]): [first: Message, last: Message] {
  return [rows[0]!.row.message, rows.at(-1)!.row.message];
}

function tokensOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { tokens }) => sum + tokens, 0);
}

function leafText({ rows }: ListPage<Row>, layout: Layout): string {
  const [first, last] = endsOf(rows);
  const body = `# Messages ${first.seq} to ${last.seq}

${QUOTED} A message's front matter adds about ${
    FRONT_MATTER_TOKENS[layout]
  } tokens to its file. Up: [index.md](../index.md)

${MESSAGE_TABLE}${rows.map(({ lines }) => lines.below).join("")}`;
  return writeFrontMatter(pageData(rows), body);
}

function aboveText({ rows }: ListPage<Row>, pages: readonly ListPage<Row>[]): string {
  const [first, last] = endsOf(rows);
  const body = `# Pages of messages ${first.seq} to ${last.seq}

Each row is a page that lists messages; its tokens are those of the messages' text. Up: [index.md](../index.md)

${PAGE_TABLE}${pages.map((each) => pageLine(each, "")).join("")}`;
  return writeFrontMatter(pageData(rows), body);
}

function pageData(rows: readonly Row[]): FrontMatter {
  const [first, last] = endsOf(rows);
  return {
    ...common("page"),
    index: "../index.md",
    first: first.seq,
    last: last.seq,
    messages: rows.length,
    tokens: tokensOf(rows),
  };
}
