// Renders `index.md` and `pages/` of a convening: the list of messages, in pages of bounded size.
import { memoByObject } from "../core/values.ts";
import { CUT, gist, withoutHeadings } from "../core/text.ts";
import { languageOf, type TermReader, termReader } from "../core/words.ts";
import type { Message } from "../core/message.ts";
import { FRONT_MATTER_TOKENS, type Layout, padded } from "./fact_row.ts";
import {
  boundedText,
  common,
  type FrontMatter,
  type Measure,
  writeFrontMatter,
} from "./frontmatter.ts";
import { type ListPage, type PageText, pageTree, partition, type SizedRow } from "./page_tree.ts";
import type { MessageRow, RecordModel } from "./record_model.ts";
import { checkWords, cutter, QUOTED } from "./words.ts";
import { figuresWords } from "../core/paper.ts";

/** Token limit of an index page, with a margin for tokens that counting by line misses. */
const PAGE_TOKENS = 1900;
/** Maximum tokens of a page's front matter, heading and note. */
const HEAD_TOKENS = 230;
const CAPACITY = PAGE_TOKENS - HEAD_TOKENS;
/**
 * Layouts of `pages/` other than a page per round, tried in order: maximum tokens of the rows on a page, maximum rows of a
 * page of pages, and whether words show the subject of a page. Short pages cost a reader fewer tokens; long records need long
 * pages.
 */
const FORMS = [
  { capacity: 700, perPage: 20, shown: true },
  { capacity: CAPACITY, perPage: 30, shown: true },
  { capacity: CAPACITY, perPage: 50, shown: false },
] as const;
/** Maximum rows of a page of pages if each page lists a round. */
const ROUNDS_PER_PAGE = 30;
/** Minimum average number of messages in a round for a page per round. */
const ROUND_MESSAGES = 4;

/** Layouts of the table of messages in `index.md`, tried in order: maximum tokens of the page, and code points of a gist. */
const TABLES = [{ page: 1100, gist: CUT.gist }, { page: PAGE_TOKENS, gist: 44 }] as const;

const MESSAGE_TABLE = "| seq | round | speaker | kind | answers | tokens | gist |\n" +
  "| --- | --- | --- | --- | --- | --- | --- |\n";
const PAGE_TABLE = "| messages | rounds | tokens | words |\n| --- | --- | --- | --- |\n";

interface SizedLine {
  readonly line: string;
  readonly cost: number;
}

/** A message's row with its token counts; its own line is that in `pages/`. */
interface Row extends SizedRow, SizedLine {
  readonly row: MessageRow;
  /** Line of the row in each layout of {@linkcode TABLES}. */
  readonly tops: readonly SizedLine[];
  /** Tokens of the message's body. */
  readonly tokens: number;
}

/** Returns the measured row of a message; each row is measured once. */
const measuredBy = memoByObject((measure: Measure) =>
  memoByObject((row: MessageRow) => measuredRow(row, measure))
);

/**
 * Renders the pages of messages, then `index.md`, which starts with `head`. Pages are bounded for any number of messages.
 * `measure` counts tokens.
 */
export async function indexPages(
  model: RecordModel,
  head: string,
  measure: Measure,
): Promise<readonly PageText[]> {
  const rows = model.rows.map(measuredBy(measure));
  const used = measure(head) + measure(MESSAGE_TABLE) + 60;
  const form = TABLES.findIndex(({ page }, i) => {
    let sum = used;
    return sum <= page && rows.every(({ tops }) => (sum += tops[i]!.cost) <= page);
  });
  if (form !== -1) {
    const lines = rows.map(({ tops }) => tops[form]!.line).join("");
    const table = rows.length === 0 ? "None yet.\n" : MESSAGE_TABLE + lines;
    return [{ path: "index.md", text: `${head}## Messages\n\n${table}` }];
  }
  const room = PAGE_TOKENS - used;
  const subjectOf = await subjectsOf(model, rows, measure);
  const rounds = roundStarts(rows);
  const forms = [
    ...rounds === undefined ? [] : [{ starts: rounds, perPage: ROUNDS_PER_PAGE, shown: true }],
    ...FORMS.map(({ capacity, ...form }) => ({ ...form, starts: partition(rows, capacity) })),
  ];
  // The first layout with at most {@linkcode MOST_LEVELS} levels is used, and the last layout in any case.
  for (const { starts, perPage, shown } of forms) {
    const subjects = shown ? subjectOf : () => "";
    const { pages, top, levels } = pageTree(rows, {
      starts,
      perPage,
      path: "pages/",
      leaf: (page) => leafText(page, model.layout),
      above: (page, listed) => aboveText(page, listed, subjects),
      fits: (listed) =>
        listed.reduce((sum, page) => sum + measure(pageLine(page, "pages/", subjects)), 0) <= room,
    });
    if (levels > MOST_LEVELS && shown) continue;
    const list = top.map((page) => pageLine(page, "pages/", subjects)).join("");
    const rule = starts === rounds && levels > 1 ? roundRule(rounds.length) : "";
    return [...pages, { path: "index.md", text: `${head}## Pages\n\n${rule}${PAGE_TABLE}${list}` }];
  }
  throw new Error("The last form of pages takes any number of messages");
}

/** Maximum levels of `pages/`, except in the last layout. */
const MOST_LEVELS = 2;

/**
 * Returns the index of each page's first row, if page N can list exactly round N; the first and last page also list the
 * messages before and after the rounds. Undefined if a round is missing, too short on average, or longer than a page.
 */
function roundStarts(rows: readonly Row[]): number[] | undefined {
  const starts: number[] = [];
  for (const [at, { row: { message: { round } } }] of rows.entries()) {
    if (round === 0 || round === starts.length) continue;
    if (round !== starts.length + 1) return undefined;
    starts.push(round === 1 ? 0 : at);
  }
  const isOnePage = (start: number, i: number) =>
    rows.slice(start, starts[i + 1]).reduce((sum, { cost }) => sum + cost, 0) <= CAPACITY;
  const [last] = starts.slice(-1);
  // The last round may have just begun, so its length does not count.
  return last !== undefined && last >= (starts.length - 1) * ROUND_MESSAGES &&
      starts.every(isOnePage)
    ? starts
    : undefined;
}

/** Explains the name of a round's page, so that a reader can open the page directly. */
function roundRule(rounds: number): string {
  const page = (round: number) => `[round ${round}](pages/${padded(round, 3)}.md)`;
  return `Page N lists round N: ${page(1)} to ${page(rounds)}.\n\n`;
}

function measuredRow(row: MessageRow, measure: Measure): Row {
  const cut = cutter(measure);
  const { seq, round, phase, name, body, replyTo = "" } = row.message;
  const tokens = measure(body);
  const cells = `${round} | ${cut(name, CUT.name)} | ${kindCell(row)} | ${replyTo} | ${tokens}`;
  const own = ownGist(body);
  const sized = (up: string, length: number): SizedLine => {
    const line = `| [${seq}](${up}messages/${row.file}) | ${cells} | ${cut(own, length)} |\n`;
    return { line, cost: measure(line) };
  };
  const tops = TABLES.map(({ gist }) => sized("", gist));
  return { row, tokens, group: `${round}/${phase}`, tops, ...sized("../", CUT.gist) };
}

/** Matches a quotation, such as `She said: “…”.`, that ends a sentence at the start of a text. */
const QUOTING = /^[^.!?“”"«»]{0,120}[“"«][^“”"«»]{20,1000}[”"»][.!?…]?(?:\s+(?!\p{Ll})|$)/u;
const QUOTED_LINES = /^[ \t]*>.*$/gm;

/** Code points below which a first sentence, such as `I disagree.`, is joined with the next one. */
const SHORT_SENTENCE = 32;

/** Matches the mark of a list item at the start of a text, and the marks of bold words. */
const MARKUP = /^[-+*•]\s+|(?<![\p{L}\p{N}])\*\*|\*\*(?![\p{L}\p{N}])/gu;

/** Returns the gist of a message without the quotations at its start, and without {@linkcode MARKUP}. */
export function ownGist(body: string): string {
  const said = withoutHeadings(body.slice(0, 4000).replace(QUOTED_LINES, "").trim());
  let own = said.replace(MARKUP, "");
  for (let rest = own; QUOTING.test(rest);) {
    rest = rest.replace(QUOTING, "");
    if (rest !== "") own = rest;
  }
  if (own === "") return gist(body);
  const first = gist(own);
  const rest = own.slice(first.length);
  return first.length < SHORT_SENTENCE && own.startsWith(first)
    ? `${first}${/^\s/.test(rest) ? " " : ""}${gist(rest.trimStart())}`.trimEnd()
    : first;
}

const MARKS = 2;

/** Returns the kind of a message, with marks, fact check and figures of quotations. */
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

/** Renders a row in a list of pages; `lead` is the relative path to their folder. */
function pageLine({ path, rows }: ListPage<Row>, lead: string, subjects: Subjects<Row>): string {
  const [first, last] = endsOf(rows);
  const name = path.slice("pages/".length);
  const numbers = rows.map(({ row }) => row.message.round).filter((round) => round > 0);
  const from = numbers[0] ?? 0;
  const to = numbers.at(-1) ?? 0;
  const rounds = from === to ? from : `${from}–${to}`;
  return `| [${first.seq}–${last.seq}](${lead}${name}) | ${rounds} | ${tokensOf(rows)} | ${
    subjects(rows)
  } |\n`;
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

Front matter adds about ${
    FRONT_MATTER_TOKENS[layout]
  } tokens to a file. ${QUOTED} Up: [index.md](../index.md)

${MESSAGE_TABLE}${rows.map(({ line }) => line).join("")}`;
  return writeFrontMatter(pageData(rows), body);
}

function aboveText(
  { rows }: ListPage<Row>,
  pages: readonly ListPage<Row>[],
  subjects: Subjects<Row>,
): string {
  const [first, last] = endsOf(rows);
  const body = `# Pages of messages ${first.seq} to ${last.seq}

Each row is a page of messages: tokens of their text, and words that set the page apart and give no orders. Up: [index.md](../index.md)

${PAGE_TABLE}${pages.map((each) => pageLine(each, "", subjects)).join("")}`;
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

/** Returns a message's words that can show a subject; memoized. */
const wordsBy = memoByObject((reader: TermReader) =>
  memoByObject(({ body }: Message): ReadonlySet<string> => subjectWords(body, reader))
);

/** Returns the words that show the subject of a page, as a table cell. */
type Subjects<R> = (rows: readonly R[]) => string;

/** Maximum number of the words, and their maximum tokens. */
const SUBJECT = { words: 8, tokens: 24 } as const;
/** Share of messages above which a word does not distinguish a page. */
const COMMON_SHARE = 0.3;

/**
 * Returns a function that selects the distinguishing words of a page: frequent in its messages, and rare in all messages up
 * to its end. Later messages therefore do not change the words of a page.
 */
async function subjectsOf<R extends { readonly row: MessageRow }>(
  { start }: RecordModel,
  rows: readonly R[],
  measure: Measure,
): Promise<Subjects<R>> {
  const reader = await termReader();
  const named = start.participants.flatMap(({ name, position = "" }) => [name, position]);
  const plain = new Set([start.topic, ...named].flatMap((text) => [...subjectWords(text, reader)]));
  const wordsIn = wordsBy(reader);
  /** Indexes of the rows that contain each word, ascending. */
  const places = new Map<string, number[]>();
  const numbers = new Map(rows.map((row, number) => [row, number]));
  for (const [number, { row: { message } }] of rows.entries()) {
    for (const word of wordsIn(message)) {
      places.getOrInsertComputed(word, () => []).push(number);
    }
  }
  const cells = new Map<string, string>();
  return (page) => {
    const [from, to] = [numbers.get(page[0]!)!, numbers.get(page.at(-1)!)! + 1];
    const span = `${from} ${to}`;
    const before = cells.get(span);
    if (before !== undefined) return before;
    const found = new Set(page.flatMap(({ row }) => [...wordsIn(row.message)]));
    const weighed = [...found].filter((word) => !plain.has(word)).map((word) => {
      const list = places.get(word)!;
      const upToEnd = countBelow(list, to);
      const inPage = upToEnd - countBelow(list, from);
      return { word, weight: upToEnd > to * COMMON_SHARE ? 0 : inPage * Math.log(to / upToEnd) };
    });
    const best = weighed.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      .slice(0, SUBJECT.words).filter(({ weight }) => weight > 0);
    const text = best.map(({ word }) => word).join(", ");
    const cell = boundedText(text, 200, { maxTokens: SUBJECT.tokens, measure });
    cells.set(span, cell);
    return cell;
  };
}

/** Returns the number of items in an ascending list that are less than `end`. */
function countBelow(list: readonly number[], end: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the words at the start of a text, except stop words, numbers, and Latin words of up to three letters. */
function subjectWords(text: string, reader: TermReader): Set<string> {
  const read = reader.read(text.slice(0, 8000));
  const language = languageOf(read);
  return new Set(
    [...new Set(read.words)].filter((word) =>
      word.length < 40 && !reader.isStopWord(word, language) &&
      !/^(?:\p{N}.*|[\p{Script=Latin}'’]{1,3})$/u.test(word)
    ),
  );
}
