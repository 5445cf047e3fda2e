import { gist } from "../core/message.ts";
import { checkWords } from "./files/assessment_words.ts";
import { figuresWords } from "./files/paper_words.ts";
import { cutter, FRONT_MATTER_TOKENS, indexHead, QUOTED } from "./files/index_page.ts";
import { CUT } from "./files/page_words.ts";
import { common, type Layout, padded } from "./files/renderer.ts";
import { type FrontMatter, writeFrontMatter } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import { partition, runs, type SizedRow } from "./page_tree.ts";
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
  readonly speaker: string;
  readonly gist: string;
  /** Of the body. */
  readonly tokens: number;
}

/** A page of messages or of pages, as the page above it shows it. */
interface Span {
  readonly path: string;
  readonly first: Row;
  readonly last: Row;
  readonly count: number;
  readonly tokens: number;
  /** Equal keys, equal text. */
  readonly key: string;
}

/** What an update of the index brought: texts that changed by path, and the pages there are. */
export interface IndexUpdate {
  readonly texts: ReadonlyMap<string, string>;
  /** How many of the pages of messages, and of pages of pages, are in use. */
  readonly pages: readonly string[];
}

/**
 * `index.md` and `pages/`: bounded pages over any number of messages. It keeps what each row measures, so that a
 * message touches the page that shows it and those above.
 */
export class IndexPages {
  readonly #model: RecordModel;
  readonly #rows: Row[] = [];
  readonly #keys = new Map<string, string>();
  readonly #speakers = new Map<string, string>();
  #starts: number[] = [];
  #spans: Span[] = [];
  #cost = 0;

  /** The index of one record. */
  constructor(model: RecordModel) {
    this.#model = model;
  }

  /** What changed since the last update; `there` names the files that only some convenings have. `measure` counts tokens. */
  update(there: readonly string[], measure: Measure): IndexUpdate {
    const from = this.#measureRows(measure);
    const head = indexHead(this.#model, there, measure);
    const room = PAGE_TOKENS - measure(head) - measure(MESSAGE_TABLE) - 40;
    const texts = new Map<string, string>();
    if (this.#rows.length === 0 || this.#cost <= room) {
      this.#put(texts, "index.md", head + this.#direct());
      this.#starts = [];
      this.#spans = [];
      return { texts, pages: [] };
    }
    const leaves = this.#leaves(texts, from);
    let top = leaves;
    const pages = leaves.map(({ path }) => path);
    for (let level = 2; spanCost(top, measure) > room; level++) {
      top = this.#level(texts, top, level);
      pages.push(...top.map(({ path }) => path));
    }
    const list = `## Pages\n\n${PAGE_TABLE}${top.map((each) => spanLine(each, "pages/")).join("")}`;
    this.#put(texts, "index.md", head + list);
    return { texts, pages };
  }

  /** Gives the files at these paths again: they could not be written. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) this.#keys.delete(path);
    this.#spans = [];
  }

  #put(texts: Map<string, string>, path: string, text: string): void {
    if (this.#keys.get(path) === text) return;
    this.#keys.set(path, text);
    texts.set(path, text);
  }

  #direct(): string {
    if (this.#rows.length === 0) return "## Messages\n\nNone yet.\n";
    return `## Messages\n\n${MESSAGE_TABLE}${this.#rows.map((row) => rowLine(row, "")).join("")}`;
  }

  /** Measures rows that are new; gives the index of the first. */
  #measureRows(measure: Measure): number {
    const { rows } = this.#model;
    const from = this.#model.firstNewRow;
    this.#model.firstNewRow = rows.length;
    for (let i = from; i < rows.length; i++) {
      const row = rows[i]!;
      const before = this.#rows[i];
      if (before?.row === row) continue;
      const isChanged = before?.row.seq === row.seq;
      this.#rows.splice(
        i,
        isChanged ? 1 : 0,
        this.#measured(row, { measure, before: isChanged ? before : undefined }),
      );
    }
    return from;
  }

  /** A row's measures; those that hold for what it showed `before` are not taken again. */
  #measured(
    row: MessageRow,
    { measure, before }: { readonly measure: Measure; readonly before: Row | undefined },
  ): Row {
    const cut = cutter(measure);
    const { name, body } = row;
    let speaker = this.#speakers.get(name);
    if (speaker === undefined) {
      this.#speakers.set(name, speaker = cut(name, CUT.name));
    }
    const measured: Row = {
      row,
      speaker,
      gist: before?.gist ?? cut(gist(body), CUT.gist),
      tokens: before?.tokens ?? measure(body),
      group: `${row.round}/${row.phase}`,
      cost: 0,
    };
    const cost = measure(rowLine(measured, "../"));
    this.#cost += cost - (before?.cost ?? 0);
    return { ...measured, cost };
  }

  /** The pages of messages; those whose rows changed are among the texts. */
  #leaves(texts: Map<string, string>, from: number): Span[] {
    const capacity = PAGE_TOKENS - HEAD_TOKENS;
    const before = this.#starts;
    this.#starts = partition(this.#rows, capacity, { from, before });
    const firstChanged = this.#firstChanged(before, from);
    this.#spans.length = Math.min(this.#spans.length, firstChanged);
    for (let i = this.#spans.length; i < this.#starts.length; i++) {
      const rows = this.#rows.slice(this.#starts[i], this.#starts[i + 1]);
      const path = `pages/${padded(i + 1, 3)}.md`;
      const span = spanOf(path, rows);
      this.#spans.push(span);
      if (this.#keys.get(path) === span.key) continue;
      this.#keys.set(path, span.key);
      texts.set(path, leafText(span, rows, this.#model.layout));
    }
    return this.#spans;
  }

  /** The first page that does not have just the rows it had. */
  #firstChanged(before: readonly number[], from: number): number {
    const end = (starts: readonly number[], i: number) => starts[i + 1] ?? Infinity;
    let i = 0;
    while (
      i < before.length && before[i] === this.#starts[i] &&
      end(before, i) === end(this.#starts, i) && end(before, i) <= from
    ) i++;
    return i;
  }

  /** Pages over the pages below. */
  #level(
    texts: Map<string, string>,
    below: readonly Span[],
    level: number,
  ): Span[] {
    return runs(below.length, PAGES_A_PAGE).map(({ start, end }, i) => {
      const part = below.slice(start, end);
      const path = `pages/${level}_${padded(i + 1, 3)}.md`;
      const span = spanOver(path, part);
      if (this.#keys.get(path) !== span.key) {
        this.#keys.set(path, span.key);
        texts.set(path, spanText(span, part));
      }
      return span;
    });
  }
}

function rowLine({ row, speaker, gist, tokens }: Row, up: string): string {
  return `| [${row.seq}](${up}messages/${row.file}) | ${row.round} | ${speaker} | ${
    kindCell(row)
  } | ${tokens} | ${gist} |\n`;
}

/** How many marks a row names. */
const MARKS = 2;

/** What kind of message it is, what it is marked with, and what looking its claims up brought. */
function kindCell({ kind, marks, check, figures }: MessageRow): string {
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

function spanLine({ path, first, last, count, tokens }: Span, lead: string) {
  const name = path.slice("pages/".length);
  const [a, b] = [first.row.round, last.row.round];
  return `| [${first.row.seq}–${last.row.seq}](${lead}${name}) | ${
    a === b ? a : `${a}–${b}`
  } | ${count} | ${tokens} |\n`;
}

function spanCost(spans: readonly Span[], measure: Measure): number {
  // Rows differ by digits only: measuring the longest stands for all.
  const lines = spans.slice(-1).map((each) => measure(spanLine(each, "pages/")));
  return (Math.max(0, ...lines) + 3) * spans.length;
}

function spanOf(path: string, rows: readonly Row[]): Span {
  const first = rows[0]!;
  const last = rows[rows.length - 1]!;
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  const noted = rows.map(({ row: { check, figures } }) =>
    (check === undefined ? "" : checkWords(check)) +
    (figures === undefined ? "" : figuresWords(figures))
  );
  const key = `${first.row.seq} ${last.row.seq} ${rows.length} ${tokens} ${noted.join("")}`;
  return { path, first, last, count: rows.length, tokens, key };
}

function spanOver(path: string, spans: readonly Span[]): Span {
  const { first } = spans[0]!;
  const { last } = spans[spans.length - 1]!;
  const sum = (of: (span: Span) => number) => spans.reduce((total, span) => total + of(span), 0);
  const count = sum((span) => span.count);
  const key = spans.map((span) => span.key).join("|");
  return { path, first, last, count, tokens: sum((span) => span.tokens), key };
}

function leafText(span: Span, rows: readonly Row[], layout: Layout): string {
  const body = `# Messages ${span.first.row.seq} to ${span.last.row.seq}

${QUOTED} A message's front matter adds about ${
    FRONT_MATTER_TOKENS[layout]
  } tokens to its file. Up: [index.md](../index.md)

${MESSAGE_TABLE}${rows.map((row) => rowLine(row, "../")).join("")}`;
  return writeFrontMatter(spanData(span), body);
}

function spanText(span: Span, spans: readonly Span[]): string {
  const body = `# Pages of messages ${span.first.row.seq} to ${span.last.row.seq}

Each row is a page that lists messages; its tokens are those of the messages' text. Up: [index.md](../index.md)

${PAGE_TABLE}${spans.map((each) => spanLine(each, "")).join("")}`;
  return writeFrontMatter(spanData(span), body);
}

function spanData({ first, last, count, tokens }: Span): FrontMatter {
  return {
    ...common("page"),
    index: "../index.md",
    first: first.row.seq,
    last: last.row.seq,
    messages: count,
    tokens,
  };
}
