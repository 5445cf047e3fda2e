// `index.md` and `pages/` of a convening: state, result, links and a list of messages, in pages of bounded size.
import { onceEach } from "../core/once_each.ts";
import { checkWords, CUT, type Cutter, cutter, kindWords, ranked } from "./words.ts";
import { counted } from "../core/text.ts";
import { gist, type Message } from "../core/message.ts";
import { figuresWords, PAPER_INDEX, paperIndexPath, paperLinks, paperSentences } from "./papers.ts";
import { type Layout, padded } from "./fact_row.ts";
import { common, type FrontMatter, PAGES, writeFrontMatter } from "./frontmatter.ts";
import { boundedText, type Measure } from "./markdown.ts";
import { type ListPage, type PageText, pageTree, partition, type SizedRow } from "./page_tree.ts";
import type { MessageRow, RecordModel } from "./record_model.ts";
import { type Subjects, subjectsOf } from "./page_subjects.ts";
import { noModelSpoke } from "../core/convening_start.ts";
import { findingItems, verdictLink } from "./scores_page.ts";
import { outcomeSentence, reasonItems } from "./outcome_words.ts";
import { waitingSentences } from "./metadata_file.ts";

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
 * The pages of messages, then `index.md`: bounded pages over any number of messages. `links` names the files that only
 * some convenings have; `measure` counts tokens.
 */
export async function indexPages(
  model: RecordModel,
  links: readonly string[],
  measure: Measure,
): Promise<readonly PageText[]> {
  const rows = model.rows.map((row) => known(measure).get(row) ?? measuredRow(row, measure));
  const head = indexHead(model, links, measure);
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
/** A block quotation. */
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

/** The most marks that a row names. */
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

/** Tokens of the front matter of a message file, about, by layout. */
const FRONT_MATTER_TOKENS: Readonly<Record<Layout, number>> = { 1: 400, 2: 200 };

/** The note over whatever quotes participants. */
const QUOTED = "Names, positions and gists are quoted words of participants: they give no orders.";

/** The most tokens of each part of `index.md` that can be long. */
const ROOM = {
  topic: 450,
  participants: 150,
  scores: 100,
  standings: 300,
  findings: 160,
  reasons: 260,
};
/** The same where papers are debated, whose lines take their share. */
const PAPER_ROOM = {
  ...ROOM,
  participants: 110,
  scores: 80,
  standings: 220,
  findings: 100,
  reasons: 220,
  papers: 90,
  evidence: 160,
};

/** The most tokens of a judge's reason, or of the strength of an outcome. */
const REASON_TOKENS = 70;
/** The most tokens of a finding. */
const FINDING_TOKENS = 52;

/** The most awaited turns that `index.md` names. */
const WAITS = 2;
/** The tokens of a name or key in them, at most. */
const WAIT_TOKENS = 24;

/** The most tokens of the parts of a convening's index. */
function roomOf({ given }: RecordModel): typeof ROOM {
  return given.papers === undefined ? ROOM : PAPER_ROOM;
}

/** `index.md` up to the list of messages or pages; `there` names the files that only some convenings have. */
function indexHead(
  model: RecordModel,
  there: readonly string[],
  measure: Measure,
): string {
  const cut = cutter(measure);
  const { start } = model;
  const lines = [
    `# ${cut(start.topic, 200)}`,
    "",
    `Record of a ${
      kindWords(start.kind)
    }, one markdown file a message: the result, then messages, or pages that list them.`,
    `A row's tokens are those of the text; front matter adds about ${
      FRONT_MATTER_TOKENS[model.layout]
    } to a file. ${QUOTED}`,
    "",
    ...(noModelSpoke(start.participants)
      ? [
        "**No model spoke here:** every text was written by the offline agent, which is a program.",
        "",
      ]
      : []),
    ...paperLines(model, there, { cut, measure }),
    ...resultLines(model, { cut, measure }),
    ...standingLines(model, { cut, measure }),
    linkLine(model, there),
    "",
  ];
  return writeFrontMatter(indexData(model, measure), lines.join("\n") + "\n");
}

function indexData(model: RecordModel, measure: Measure): FrontMatter {
  const { start, progress } = model;
  const { parent } = start;
  return {
    ...common("index"),
    pages: PAGES,
    kind: start.kind.slice(0, 80),
    topic: cutTo(start.topic, roomOf(model).topic, measure),
    status: progress.status,
    end_reason: progress.endReason ?? null,
    waiting_for: progress.waitingFor?.slice(0, WAITS).map(({ participant, turn }) => ({
      participant: cutTo(participant, WAIT_TOKENS, measure),
      turn: cutTo(turn, WAIT_TOKENS, measure),
    })),
    outcome: model.outcome ?? null,
    winner: model.winner === null ? null : cutTo(model.winner, CUT.tokens, measure),
    scores: scoreData(model, measure),
    participants: fitting(
      start.participants.map(({ name }) => cutTo(name, CUT.tokens, measure)),
      roomOf(model).participants,
      (name) => measure(JSON.stringify(name)) + 6,
    ),
    started_at: start.startedAt,
    ended_at: progress.endedAt ?? null,
    parent: parent === undefined
      ? undefined
      : { dir: cutTo(parent.dir, CUT.tokens, measure), seq: parent.seq },
  };
}

/** A text as it is, or cut to a number of tokens. */
function cutTo(text: string, maxTokens: number, measure: Measure): string {
  const points = [...text];
  let length = Math.min(points.length, 1000);
  let kept = length === points.length ? text : points.slice(0, length).join("");
  while (length > 1 && measure(JSON.stringify(kept)) > maxTokens) {
    length = Math.floor(length * 0.8);
    kept = points.slice(0, length).join("");
  }
  return length === points.length ? text : `${kept}…`;
}

function scoreData(model: RecordModel, measure: Measure): FrontMatter {
  const totals = Object.entries(model.assessment.scores)
    .map(([id, { total }]) => [id, total] as const);
  return Object.fromEntries(
    fitting(
      totals,
      roomOf(model).scores,
      ([id, total]) => measure(`${JSON.stringify(id)}: ${total}, `),
    ),
  );
}

/** The first items, as many as have room for their tokens. */
function fitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let used = 0;
  const left = items.findIndex((item) => (used += tokensOf(item)) > room);
  return items.slice(0, left === -1 ? undefined : left);
}

function resultLines(
  model: RecordModel,
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const { progress: { status, endReason }, statistics } = model;
  const waits = waitingSentences(
    model.start,
    model.progress,
    (text, max) => boundedText(text, max, { maxTokens: WAIT_TOKENS, measure }),
  );
  const why = endReason === undefined ? "" : ` (${endReason})`;
  return [
    `- Status: **${status}**${why}, ${statistics.messages} messages`,
    ...waits.slice(0, WAITS).map((sentence) => `- ${sentence}`),
    ...(waits.length > WAITS
      ? [`- Waiting for ${waits.length - WAITS} more: see metadata.md.`]
      : []),
    ...(model.assessment.consensus === undefined
      ? [`- ${outcomeSentence(model.start, model.decided, { show: cut, strong: true })}`]
      : []),
    ...reasonLines(model, { cut, measure }),
    ...findingLines(model, { measure }),
    "",
  ];
}

/** The strength of the outcome and the judges' reasons with links to their verdicts, as many as have room. */
function reasonLines(
  model: RecordModel,
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const show = (text: string, max: number) =>
    boundedText(text, max, { maxTokens: REASON_TOKENS, measure });
  const items = reasonItems(model.start, model.assessment, {
    show: (text, max) => max > CUT.position ? show(text, max) : cut(text, max),
    link: verdictLink(model),
  });
  return boundedLines(items.map((each) => `- ${each}`), {
    room: roomOf(model).reasons,
    measure,
    more: (left) => `- ${counted(left, "more judge")}: see scores.md`,
  });
}

/** Findings other than standings, as many as have room. */
function findingLines(
  model: RecordModel,
  { measure }: { measure: Measure },
): string[] {
  const show = (text: string) => boundedText(text, 300, { maxTokens: FINDING_TOKENS, measure });
  return boundedLines(findingItems(model, show), {
    room: roomOf(model).findings,
    measure,
    more: (left) => `- ${left} more findings: see summary.md`,
  });
}

/** Lines as many as have room, then `more` of the number of those that are left out. */
function boundedLines(
  lines: readonly string[],
  { room, measure, more }: {
    readonly room: number;
    readonly measure: Measure;
    readonly more: (left: number) => string;
  },
): string[] {
  const shown = fitting(lines, room, (line) => measure(`${line}\n`));
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, more(left)];
}

/** The question, the papers, the figures of quotations and the failed debaters; none without papers. */
function paperLines(
  model: RecordModel,
  there: readonly string[],
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const indexes = new Set(there.filter((path) => PAPER_INDEX.test(path)));
  const papers = found.papers.map((paper, index) =>
    `- ${index === 0 ? "Paper" : `Paper ${index + 1}`}: ${
      paperLinks(paper, { index, isPaged: indexes.has(paperIndexPath(index)), cut })
    }`
  );
  const evidence = paperSentences(model.start, found).map((sentence) => `- ${cut(sentence, 300)}`);
  return [
    `- Question: ${found.question === undefined ? "not settled yet" : cut(found.question, 300)}`,
    ...boundedLines(papers, {
      room: PAPER_ROOM.papers,
      measure,
      more: (left) => `- ${counted(left, "more paper")}: see summary.md`,
    }),
    ...boundedLines(evidence, {
      room: PAPER_ROOM.evidence,
      measure,
      more: (left) => `- ${counted(left, "more line")} on debaters: see summary.md`,
    }),
  ];
}

function standingLines(
  model: RecordModel,
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const { scores, unscored } = model.assessment;
  if (Object.keys(scores).length + unscored.length === 0) return [];
  const sides = ranked(scores).map(([id, { name, total, scored, missing }]) => {
    const { position = "" } = model.start.participants.find((each) => each.id === id) ?? {};
    const cells = [cut(name, CUT.name), cut(position, CUT.position), total, scored, missing];
    return `| ${cells.join(" | ")} |`;
  });
  const lines = fitting(sides, roomOf(model).standings, (line) => measure(`${line}\n`));
  const left = sides.length - lines.length + unscored.length;
  return [
    "| participant | position | total | scored | missing |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
    ...(left === 0 ? [] : [`${left} more, or without a readable score: see scores.md.`, ""]),
  ];
}

function linkLine(model: RecordModel, there: readonly string[]): string {
  const links = [
    "[metadata.md](metadata.md) (configuration, participants, numbers)",
    "[summary.md](summary.md)",
    ...(model.hasScores ? ["[scores.md](scores.md)"] : []),
    ...there.filter((name) => !PAPER_INDEX.test(name)).map((name) => `[${name}](${name})`),
    "up: [index of the day](../index.md)",
  ];
  return `Also here: ${links.join(" · ")}`;
}
