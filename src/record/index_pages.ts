// `index.md` and `pages/` of a convening: a list of messages, in pages of bounded size.
import { onceEach } from "../core/values.ts";
import { gist } from "../core/text.ts";
import { languageOf, termReader } from "../core/words.ts";
import type { Message } from "../core/message.ts";
import { FRONT_MATTER_TOKENS, type Layout, padded } from "./fact_row.ts";
import { common, type FrontMatter, writeFrontMatter } from "./frontmatter.ts";
import { boundedText, type Measure } from "./markdown.ts";
import { type ListPage, type PageText, pageTree, partition, type SizedRow } from "./page_tree.ts";
import { figuresWords } from "./papers.ts";
import type { MessageRow, RecordModel } from "./record_model.ts";
import { checkWords, CUT, cutter, QUOTED } from "./words.ts";

/** Tokens of an index page, with room for what counting line by line misses. */
const PAGE_TOKENS = 1900;
/** Tokens of a page's own front matter, heading and note, at most. */
const HEAD_TOKENS = 230;
/** Tokens of the rows on a page, at most. */
const CAPACITY = PAGE_TOKENS - HEAD_TOKENS;
/**
 * Forms of `pages/` without a page for each round: tokens of the rows on a page, rows of a page of pages, and if the words
 * of a page are shown. Short pages cost a reader little, and long records need long pages.
 */
const FORMS = [
  { capacity: 700, perPage: 20, shown: true },
  { capacity: CAPACITY, perPage: 30, shown: true },
  { capacity: CAPACITY, perPage: 50, shown: false },
] as const;
/** Rows of a page of pages where each page lists a round. */
const ROUNDS_PER_PAGE = 30;
/** The fewest messages of a round, on average, that have a page for each round. */
const ROUND_MESSAGES = 4;

/** Form of the table of messages in `index.md`: the most tokens of the page, and code points of a gist. */
const TABLES = [
  { page: 1100, gist: CUT.gist },
  { page: PAGE_TOKENS, gist: 44 },
] as const;

const MESSAGE_TABLE = "| seq | round | speaker | kind | answers | tokens | gist |\n" +
  "| --- | --- | --- | --- | --- | --- | --- |\n";
const PAGE_TABLE = "| messages | rounds | tokens | words |\n| --- | --- | --- | --- |\n";

/** A message's row, measured. */
interface Row extends SizedRow {
  readonly row: MessageRow;
  /** The row as a line of a table in `pages/`. */
  readonly line: string;
  /** The row as a line of each of {@linkcode TABLES}. */
  readonly tops: readonly string[];
  /** Tokens of each of `tops`. */
  readonly costs: readonly number[];
  /** Of the body. */
  readonly tokens: number;
}

/** Rows by how they are measured, then by what they show: a row is measured once. */
const known = onceEach((_: Measure) => new WeakMap<MessageRow, Row>());

/**
 * The pages of messages, then `index.md`, which begins with `head`: bounded pages over any number of messages. `measure`
 * counts tokens.
 */
export async function indexPages(
  model: RecordModel,
  head: string,
  measure: Measure,
): Promise<readonly PageText[]> {
  const rows = model.rows.map((row) => known(measure).get(row) ?? measuredRow(row, measure));
  const used = measure(head) + measure(MESSAGE_TABLE) + 60;
  const form = TABLES.findIndex(({ page }, i) =>
    rows.reduce((sum, { costs }) => sum + costs[i]!, used) <= page
  );
  if (form !== -1) return [{ path: "index.md", text: head + messageTable(rows, form) }];
  const room = PAGE_TOKENS - used;
  const subjectOf = await subjectsOf(model, rows, measure);
  const rounds = roundStarts(rows);
  const forms = [
    ...rounds === undefined ? [] : [{ starts: rounds, perPage: ROUNDS_PER_PAGE, shown: true }],
    ...FORMS.map(({ capacity, ...form }) => ({ ...form, starts: partition(rows, capacity) })),
  ];
  // The first form with at most three levels holds.
  for (const { starts, perPage, shown } of forms) {
    const subjects = shown ? subjectOf : () => "";
    const { pages, top, levels } = pageTree(rows, {
      starts,
      perPage,
      path: "pages/",
      leaf: (page) => leafText(page, model.layout),
      above: (page, listed) => aboveText(page, listed, subjects),
      fits: (listed) => pagesCost(listed, subjects, measure) <= room,
    });
    if (levels > MOST_LEVELS && shown) continue;
    const list = top.map((page) => pageLine(page, "pages/", subjects)).join("");
    const rule = starts === rounds && levels > 1 ? roundRule(rounds.length) : "";
    return [...pages, { path: "index.md", text: `${head}## Pages\n\n${rule}${PAGE_TABLE}${list}` }];
  }
  throw new Error("The last form of pages takes any number of messages");
}

/** Levels of `pages/`, at most. */
const MOST_LEVELS = 2;

/**
 * The index of each page's first row where page N lists round N whole, the first and last page also what was said before
 * and after the rounds; none where a round is missing, or rounds are short or longer than a page.
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
  // The last round may have begun just now.
  return last !== undefined && last >= (starts.length - 1) * ROUND_MESSAGES &&
      starts.every(isOnePage)
    ? starts
    : undefined;
}

/** The rule by which a reader finds the page of a round without the pages above. */
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
  const line = (up: string, length: number) =>
    `| [${seq}](${up}messages/${row.file}) | ${cells} | ${cut(own, length)} |\n`;
  const below = line("../", CUT.gist);
  const tops = TABLES.map(({ gist }) => line("", gist));
  const measured = {
    ...{ row, line: below, tops, tokens, group: `${round}/${phase}`, cost: measure(below) },
    costs: tops.map(measure),
  };
  known(measure).set(row, measured);
  return measured;
}

/** A sentence that hardly says more than a quotation, such as `She said: “…”.`, at the beginning of a text. */
const QUOTING = /^[^.!?“”"«»]{0,120}[“"«][^“”"«»]{20,1000}[”"»][.!?…]?(?:\s+|$)/u;
const QUOTED_LINES = /^[ \t]*>.*$/gm;

/** Code points of a first sentence that says too little, such as `I disagree.`. */
const SHORT_SENTENCE = 20;

/** The gist of a message in the speaker's own words: quotations at the beginning are left out. */
function ownGist(body: string): string {
  let own = body.slice(0, 4000).replace(QUOTED_LINES, "").trim();
  for (let rest = own; QUOTING.test(rest);) {
    rest = rest.replace(QUOTING, "");
    if (rest !== "") own = rest;
  }
  if (own === "") return gist(body);
  const first = gist(own);
  return first.length < SHORT_SENTENCE && own.startsWith(first)
    ? `${first} ${gist(own.slice(first.length).trimStart())}`.trimEnd()
    : first;
}

function messageTable(rows: readonly Row[], form: number): string {
  const lines = rows.map(({ tops }) => tops[form]).join("");
  return `## Messages\n\n${rows.length === 0 ? "None yet.\n" : MESSAGE_TABLE + lines}`;
}

const MARKS = 2;

/** The kind of a message, its marks, the outcome of its fact check and the figures of its quotations. */
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

function pagesCost(
  pages: readonly ListPage<Row>[],
  subjects: Subjects<Row>,
  measure: Measure,
): number {
  return pages.reduce((sum, page) => sum + measure(pageLine(page, "pages/", subjects)), 0);
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

/** Words of bodies that can show a subject, by message. */
const knownWords = new WeakMap<Message, ReadonlySet<string>>();

/** The words that show the subject of a page, as a cell. */
type Subjects<R> = (rows: readonly R[]) => string;

/** Words that show the subject of a page, and their most tokens. */
const SUBJECT = { words: 8, tokens: 24 } as const;
/** A word in a larger share of the messages sets no page apart. */
const COMMON_SHARE = 0.3;

/**
 * The words that set a page apart: in many of its messages, and in few of all messages up to its end, so that later
 * messages change no page's words.
 */
async function subjectsOf<R extends { readonly row: MessageRow }>(
  { start }: RecordModel,
  rows: readonly R[],
  measure: Measure,
): Promise<Subjects<R>> {
  const reader = await termReader();
  const named = start.participants.flatMap(({ name, position = "" }) => [name, position]);
  const plain = new Set([start.topic, ...named].flatMap((text) => [...subjectWords(text, reader)]));
  const wordsIn = (message: Message) => {
    let found = knownWords.get(message);
    if (found === undefined) knownWords.set(message, found = subjectWords(message.body, reader));
    return found;
  };
  /** Numbers of the rows that each word is in. */
  const places = new Map<string, number[]>();
  const numbers = new Map(rows.map((row, number) => [row, number]));
  for (const [number, { row: { message } }] of rows.entries()) {
    for (const word of wordsIn(message)) {
      const list = places.get(word);
      if (list === undefined) places.set(word, [number]);
      else list.push(number);
    }
  }
  const known = new Map<string, string>();
  return (page) => {
    const [from, to] = [numbers.get(page[0]!)!, numbers.get(page.at(-1)!)! + 1];
    const span = `${from} ${to}`;
    const before = known.get(span);
    if (before !== undefined) return before;
    const found = new Set(page.flatMap(({ row }) => [...wordsIn(row.message)]));
    const weighed = [...found].filter((word) => !plain.has(word)).map((word) => {
      const list = places.get(word)!;
      const so = countBelow(list, to);
      const here = so - countBelow(list, from);
      return { word, weight: so > to * COMMON_SHARE ? 0 : here * Math.log(to / so) };
    });
    const best = weighed.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
      .slice(0, SUBJECT.words).filter(({ weight }) => weight > 0);
    const text = best.map(({ word }) => word).join(", ");
    const cell = boundedText(text, 200, { maxTokens: SUBJECT.tokens, measure });
    known.set(span, cell);
    return cell;
  };
}

/** The number of items of a rising list that are less than `end`. */
function countBelow(list: readonly number[], end: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The words of the beginning of a text that can show a subject: stop words and short words of alphabets cannot. */
function subjectWords(text: string, reader: Awaited<ReturnType<typeof termReader>>): Set<string> {
  const read = reader.read(text.slice(0, 8000));
  const language = languageOf(read);
  return new Set(
    [...new Set(read.words)].filter((word) =>
      word.length < 40 && !reader.isStopWord(word, language) &&
      !/^(?:\p{N}.*|[\p{Script=Latin}'’]{1,3})$/u.test(word)
    ),
  );
}
