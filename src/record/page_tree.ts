// Splits lists and texts of any length into pages of bounded size, with pages of links above them.
import { firstPoints } from "../core/text.ts";
import { padded } from "./fact_row.ts";
import { common, type FrontMatter, type Measure, writeFrontMatter } from "./frontmatter.ts";

/** A derived page. */
export interface PageText {
  /** Path in the convening's directory, with `/`. */
  readonly path: string;
  /** Text of the whole file. */
  readonly text: string;
}

/** Folders of a convening's directory with derived pages only, except those of papers. */
export const PAGE_FOLDERS = {
  index: "pages",
  report: "report",
  arguments: "arguments",
  claims: "claims",
  files: "files",
  scores: "score-table",
} as const;

export interface SizedRow {
  /** Tokens of the row's line. */
  readonly cost: number;
  /** Adjacent rows of the same group stay on one page if they fit. */
  readonly group: string;
}

export interface ListPage<R> {
  readonly path: string;
  readonly rows: readonly R[];
}

interface PageTreeOptions<R extends SizedRow> {
  /** Index of each page's first row, such as the result of {@linkcode partition}. */
  readonly starts: readonly number[];
  /** Maximum links on a page of pages. */
  readonly perPage: number;
  /** Prefix of a page's path, before the number. */
  readonly path: string;
  /** Renders a page of rows. */
  leaf(page: ListPage<R>): string;
  /** Renders a page of links to `pages`. */
  above(page: ListPage<R>, pages: readonly ListPage<R>[]): string;
  /** Returns true if the top page has room for links to the pages. */
  fits(pages: readonly ListPage<R>[]): boolean;
}

interface PageTree<R> {
  readonly pages: readonly PageText[];
  /** Pages that the top page links to. */
  readonly top: readonly ListPage<R>[];
  /** Number of levels below the top page. */
  readonly levels: number;
}

/** Renders a list as pages, and returns the pages that the top page must link to. */
export function pageTree<R extends SizedRow>(
  rows: readonly R[],
  { starts, perPage, path, leaf, above, fits }: PageTreeOptions<R>,
): PageTree<R> {
  const pages: PageText[] = [];
  let top = starts.map((start, i): ListPage<R> => {
    const page = {
      path: `${path}${padded(i + 1, 3)}.md`,
      rows: rows.slice(start, starts[i + 1]),
    };
    pages.push({ path: page.path, text: leaf(page) });
    return page;
  });
  let levels = 1;
  while (top.length > 1 && !fits(top)) {
    levels++;
    const below = top;
    top = [];
    for (let start = 0; start < below.length; start += perPage) {
      const listed = below.slice(start, start + perPage);
      const number = padded(start / perPage + 1, 3);
      const page = {
        path: `${path}${levels}_${number}.md`,
        rows: listed.flatMap((each) => each.rows),
      };
      pages.push({ path: page.path, text: above(page, listed) });
      top.push(page);
    }
  }
  return { pages, top, levels };
}

/** Splits rows into pages of at most `capacity` tokens; splits no group that fits. Returns the index of each page's first row. */
export function partition(rows: readonly SizedRow[], capacity: number): number[] {
  const starts: number[] = [];
  // No page has been begun, or the last page is full.
  let room = -1;
  for (let at = 0; at < rows.length;) {
    const { end, cost } = groupAt(rows, at, capacity);
    const isLarge = cost > capacity;
    if (room < (isLarge ? rows[at]!.cost : cost)) {
      starts.push(at);
      room = capacity;
    }
    if (!isLarge) {
      room -= cost;
      at = end;
      continue;
    }
    do room -= rows[at++]!.cost; while (at < rows.length && rows[at]!.cost <= room);
    room = -1;
  }
  return starts;
}

/** Returns the end and the cost of the group that starts at a row; stops once the group is larger than a page. */
function groupAt(
  rows: readonly SizedRow[],
  start: number,
  capacity: number,
): { end: number; cost: number } {
  const group = rows[start]!.group;
  let cost = 0;
  let end = start;
  while (end < rows.length && rows[end]!.group === group && cost <= capacity) {
    cost += rows[end]!.cost;
    end++;
  }
  return { end, cost };
}

const PAGE_TOKENS = 1900;
const HEAD_TOKENS = 150;
const LINKS_PER_PAGE = 50;

/** A row of a table that may continue on further pages. */
interface TableRow {
  /** Name of the row in the range of a page, such as a time. */
  readonly label: string;
  /** Adjacent rows of the same group stay on one page if they fit. @default all rows are in one group */
  readonly group?: string;
}

export interface ListRow extends TableRow {
  /** Renders the row as a line of the table; `up` is the relative path from the page to the list's folder. */
  line(up: string): string;
}

/** A table on a page, with further pages if the rows do not fit. */
interface TableList<R extends TableRow> {
  readonly path: string;
  /** Beginning of the paths of further pages, before the number. */
  readonly prefix: string;
  /** Returns the front matter of a page with rows; `up` is the relative path from the page to the list's folder. */
  front(up: string, rows: readonly R[]): FrontMatter;
  readonly title: string;
  /** Text of the first page above the table. */
  readonly head: string;
  /** Note below the title of the further pages. @default none */
  readonly note?: string;
  readonly rows: readonly R[];
  /** Returns the tokens of a row. */
  cost(row: R): number;
  tableOf(rows: readonly R[], up: string): string;
  /** True to show links to further pages in reverse order. @default false */
  readonly newestFirst?: boolean;
  /** Maximum tokens of the rows on the first page. */
  readonly room: number;
  /** Maximum tokens of the rows on a further page. */
  readonly capacity: number;
}

interface Row<R> extends SizedRow {
  readonly row: R;
}

/** Returns the functions of a {@linkcode TableList} whose rows are lines. */
export function lineTable(
  columns: readonly string[],
  measure: Measure,
  newestFirst = false,
): Pick<TableList<ListRow>, "cost" | "tableOf" | "newestFirst"> {
  return {
    newestFirst,
    cost: (row) => measure(row.line("../")),
    tableOf(rows, up) {
      const lines = rows.map((row) => row.line(up));
      return table(columns, newestFirst ? lines.reverse() : lines);
    },
  };
}

/** Renders a table's pages, the first page last. Pages fill from the first row on: an appended row changes only the last. */
export function tablePages<R extends TableRow>(
  list: TableList<R>,
  measure: Measure,
): readonly PageText[] {
  const { path, prefix, front, title, head, note = "", room, capacity, newestFirst = false } = list;
  const { tableOf } = list;
  const rows = list.rows.map((row): Row<R> => {
    return { row, cost: list.cost(row), group: row.group ?? "" };
  });
  const first = (text: string) => ({
    path,
    text: writeFrontMatter(front("", list.rows), head + text),
  });
  const sum = rows.reduce((all, { cost }) => all + cost, 0);
  // Costs of rows may be estimates, so a table near the limit is measured.
  if (sum <= room || sum <= 2 * room && measure(tableOf(list.rows, "")) <= room) {
    return [first(tableOf(list.rows, ""))];
  }
  const up = prefix.includes("/") ? "../" : "";
  const under = (shown: readonly Row<R>[], textOf: (rows: readonly R[]) => string) => {
    const own = shown.map(({ row }) => row);
    const body = `# ${title}, a part\n\n${note}Up: [${path}](${up}${path})\n\n${textOf(own)}`;
    return writeFrontMatter(front(up, own), body);
  };
  const pageTable = (pages: readonly ListPage<Row<R>>[], up: string) => {
    const lines = pages.map(({ path, rows }) => {
      const span = `${rows[0]!.row.label} to ${rows.at(-1)!.row.label}`;
      return `| [${span}](${up}${path}) | ${rows.length} |\n`;
    });
    return table(["from, to", "count"], newestFirst ? lines.reverse() : lines);
  };
  const { pages, top } = pageTree(rows, {
    starts: partition(rows, capacity),
    perPage: LINKS_PER_PAGE,
    path: prefix,
    leaf: (each) => under(each.rows, (rows) => tableOf(rows, up)),
    above: (each, listed) => under(each.rows, () => pageTable(listed, up)),
    fits: (listed) => measure(pageTable(listed, "")) <= room,
  });
  return [...pages, first(pageTable(top, ""))];
}

export function table(columns: readonly string[], lines: readonly string[]): string {
  const rule = columns.map(() => "---").join(" | ");
  return `| ${columns.join(" | ")} |\n| ${rule} |\n${lines.join("")}`;
}

/** A list in a folder: an `index.md`, with `pages/` if the rows do not fit. */
interface BoundedList {
  readonly title: string;
  readonly columns: readonly string[];
  /** Text below the title. */
  readonly intro: string;
  /** Rows, oldest first; the tables show the newest first. */
  readonly rows: readonly ListRow[];
}

/** Renders the pages of a list, each of at most 2,000 tokens, with paths relative to its folder; `index.md` is the last. */
export function boundedList(
  { title, intro, columns, rows }: BoundedList,
  measure: Measure,
): readonly PageText[] {
  const head = `# ${title}\n\n${intro}\n\n`;
  const room = PAGE_TOKENS - HEAD_TOKENS - measure(head);
  return tablePages({
    ...{ path: "index.md", prefix: "pages/", title, head, rows, room },
    ...lineTable(columns, measure, true),
    capacity: PAGE_TOKENS - HEAD_TOKENS - 100,
    front: () => common("index"),
  }, measure);
}

/** A text that continues on further pages if it is long. */
interface LongText {
  readonly markdown: string;
  readonly path: string;
  /** Beginning of the paths of further pages, before the number. */
  readonly prefix: string;
  /** Maximum tokens of the text on the first page, which lists the parts. */
  readonly room: number;
  /** Word for the whole text, such as `report`. */
  readonly noun: string;
  readonly note?: string;
  readonly links?: readonly string[];
  front(part: number): FrontMatter;
  /** Changes the text of further pages, such as the paths of its links. @default unchanged */
  below?(text: string): string;
}

/** Maximum tokens of the text on a further page. */
const PART_TOKENS = 1700;
/** Maximum parts listed on the first page; each part links to the next. */
const LISTED = 12;
/** Maximum headings listed for a part, and their maximum code points. */
const SHOWN = { headings: 4, length: 80 } as const;

/** Renders a text in parts: the first with a list of the others, which are pages of at most 2,000 tokens. */
export function longText(
  text: LongText,
  measure: Measure,
): { readonly first: string; readonly further: readonly PageText[] } {
  const { markdown, path, prefix, noun, note = "", links = [], front, below = String } = text;
  const parts = partsOf(markdown, text.room, measure);
  const up = `../${path}`;
  const nameOf = (part: number) => `${prefix}${padded(part, 3)}.md`;
  const linkTo = (part: number) =>
    `[${part}](${part === 1 ? up : nameOf(part).slice(prefix.indexOf("/") + 1)})`;
  // Headings that the text before a part leaves open at the part's beginning.
  const openBefore = (part: readonly string[]) => {
    const own = part.slice(0, HEADING.test(part[0]!) ? 1 : 0);
    const open = headingsOf([...parts.slice(0, parts.indexOf(part)).flat(), ...own]);
    return open.slice(0, open.length - own.length);
  };
  const further = parts.slice(1).map((part, at): PageText => {
    const number = at + 2;
    const lead = [
      `up: [${path}](${up})`,
      `before: ${linkTo(number - 1)}`,
      ...(number === parts.length ? [] : [`after: ${linkTo(number + 1)}`]),
      ...links,
    ].join(" · ");
    const under = openBefore(part);
    const within = under.length === 0 ? "" : `, within “${under.join(" › ")}”`;
    const body = below(part.join("\n\n"));
    return {
      path: nameOf(number),
      text: writeFrontMatter(
        front(number),
        `Part ${number} of ${parts.length} of a ${noun}${within}. ${lead}\n\n${body}\n`,
      ),
    };
  });
  if (further.length === 0) return { first: `${parts[0]!.join("\n\n")}\n`, further };
  const listed = parts.slice(1, 1 + LISTED).map((part, at) => {
    const titles = [/^## /, /^### /, HEADING]
      .map((level) => part.filter((block) => level.test(block)))
      .find((found) => found.length > 0) ?? [];
    const names = [
      ...openBefore(part).slice(0, 1).map((title) => `${title}, continued`),
      ...titles.map((title) => shortened(title.replace(HEADING, ""))),
    ].slice(0, SHOWN.headings);
    return `- [Part ${at + 2}](${nameOf(at + 2)})${
      names.length === 0 ? "" : `: ${names.join("; ")}`
    }`;
  });
  const more = further.length - listed.length;
  if (more > 0) listed.push(`- and ${more} more, each linked from the one before`);
  const about = `This page is part 1 of ${parts.length}.${note}`;
  const first = [...parts[0]!, `## Parts of this ${noun}`, about, listed.join("\n")].join("\n\n");
  return { first: `${first}\n`, further };
}

/** Splits the blocks of a text into parts that fit on pages; a heading stays with the next block. */
function partsOf(markdown: string, first: number, measure: Measure): (readonly string[])[] {
  const blocks = markdown.trimEnd().split("\n\n")
    .flatMap((block) => piecesOf(block, PART_TOKENS / 2, measure));
  const parts: string[][] = [[]];
  let room = first;
  for (const [at, block] of blocks.entries()) {
    const next = HEADING.test(block) ? measure(blocks[at + 1] ?? "") : 0;
    const cost = measure(block) + 2;
    if (cost + next > room && parts.at(-1)!.length > 0) {
      parts.push([]);
      room = PART_TOKENS;
    }
    parts.at(-1)!.push(block);
    room -= cost;
  }
  return parts;
}

const HEADING = /^#{1,6} /;

/** Returns the headings in force after the blocks, without the title; at most the two lowest. */
function headingsOf(blocks: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const block of blocks) {
    const level = HEADING.exec(block)?.[0].length ?? 0;
    if (level > 0) found.splice(level - 2, Infinity, shortened(block.replace(HEADING, "")));
  }
  return found.slice(1).slice(-2);
}

/** Splits a block by lines or words until the pieces fit. */
function piecesOf(block: string, most: number, measure: Measure): string[] {
  if (measure(block) <= most) return [block];
  const mark = block.includes("\n") ? "\n" : " ";
  const words = block.split(mark);
  // Each piece of a table has the table's heading.
  const heads = /^\| -/.test(words[1] ?? "") ? words.splice(0, 2) : [];
  if (words.length < 2) return [block];
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half), words.slice(half)]
    .flatMap((some) => piecesOf([...heads, ...some].join(mark), most, measure));
}

/** Shortens the text of a heading, without splitting an escape sequence. */
function shortened(words: string): string {
  const cut = firstPoints(words, SHOWN.length);
  return cut === words ? words : `${cut.replace(/[\\&][^\s;]*$/, "").trimEnd()}…`;
}
