import { common, padded } from "./files/renderer.ts";
import { writeFrontMatter } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import { partition, runs } from "./page_tree.ts";

const PAGE_TOKENS = 1900;
const HEAD_TOKENS = 150;
const PAGES_A_PAGE = 50;

/** One row of a list that is read newest first. */
export interface ListRow {
  /** Shown for the row where a page stands for many, such as a time. */
  readonly label: string;
  /** The row as a line of the table; `up` leads from the page to the list's own folder. */
  line(up: string): string;
}

/** A list in a folder: its `index.md`, and `pages/` where it does not fit. */
export interface BoundedList {
  readonly title: string;
  /** Under the title. */
  readonly intro: string;
  /** The heads of the table's columns. */
  readonly columns: readonly string[];
  /** Oldest first. */
  readonly rows: readonly ListRow[];
}

interface ListPage {
  readonly path: string;
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

/**
 * The files of a list, each of at most 2,000 tokens, by path in its folder. Pages are cut from the oldest row on, so
 * that a new row changes the last page only.
 */
export function boundedList(
  list: BoundedList,
  measure: Measure,
): Map<string, string> {
  const texts = new Map<string, string>();
  const lines = list.rows.map((row) => row.line("../"));
  const costs = lines.map((line) => ({ cost: measure(line), group: "" }));
  const head = `# ${list.title}\n\n${list.intro}\n\n`;
  const room = PAGE_TOKENS - HEAD_TOKENS - measure(head);
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= room) {
    const own = list.rows.map((row) => row.line(""));
    texts.set("index.md", page(head + table(list.columns, own)));
    return texts;
  }
  const starts = partition(costs, room);
  let pages = starts.map((start, i): ListPage => {
    const path = `pages/${padded(i + 1, 3)}.md`;
    const end = starts[i + 1] ?? lines.length;
    texts.set(path, page(under(list) + table(list.columns, lines.slice(start, end))));
    const first = list.rows[start]!.label;
    return { path, first, last: list.rows[end - 1]!.label, count: end - start };
  });
  for (let level = 2; pages.length > PAGES_A_PAGE; level++) {
    pages = above(pages, { texts, list, level });
  }
  texts.set("index.md", page(head + pageTable(pages, "")));
  return texts;
}

function above(
  pages: readonly ListPage[],
  { texts, list, level }: {
    texts: Map<string, string>;
    list: BoundedList;
    level: number;
  },
): ListPage[] {
  return runs(pages.length, PAGES_A_PAGE).map(({ start, end }, i) => {
    const part = pages.slice(start, end);
    const path = `pages/${level}_${padded(i + 1, 3)}.md`;
    texts.set(path, page(under(list) + pageTable(part, "../")));
    return {
      path,
      first: part[0]!.first,
      last: part[part.length - 1]!.last,
      count: part.reduce((sum, { count }) => sum + count, 0),
    };
  });
}

function under({ title }: BoundedList): string {
  return `# ${title}, a part\n\nUp: [index.md](../index.md)\n\n`;
}

function page(body: string): string {
  return writeFrontMatter(common("index"), body);
}

function pageTable(pages: readonly ListPage[], up: string): string {
  const lines = pages.map(({ path, first, last, count }) =>
    `| [${first} to ${last}](${up}${path}) | ${count} |\n`
  );
  return table(["from, to", "count"], lines);
}

function table(columns: readonly string[], lines: readonly string[]): string {
  const rule = columns.map(() => "---").join(" | ");
  return `| ${columns.join(" | ")} |\n| ${rule} |\n${lines.toReversed().join("")}`;
}
