// A list of an archive as pages of bounded size.
import { common } from "./files/renderer.ts";
import { writeFrontMatter } from "./frontmatter.ts";
import type { Measure } from "./markdown.ts";
import { type ListPage, type PageText, pageTree, type SizedRow } from "./page_tree.ts";

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
interface BoundedList {
  readonly title: string;
  /** Under the title. */
  readonly intro: string;
  /** The heads of the table's columns. */
  readonly columns: readonly string[];
  /** Oldest first. */
  readonly rows: readonly ListRow[];
}

/** A row, measured. */
interface Row extends SizedRow {
  readonly row: ListRow;
  readonly line: string;
}

/**
 * The pages of a list, each of at most 2,000 tokens, with paths in its folder; `index.md` is the last. Pages are cut from the oldest row on, so
 * that a new row changes the last page only.
 */
export function boundedList(
  list: BoundedList,
  measure: Measure,
): readonly PageText[] {
  const { title, intro, columns } = list;
  const rows = list.rows.map((row): Row => {
    const line = row.line("../");
    return { row, line, cost: measure(line), group: "" };
  });
  const head = `# ${title}\n\n${intro}\n\n`;
  const room = PAGE_TOKENS - HEAD_TOKENS - measure(head);
  if (rows.reduce((sum, { cost }) => sum + cost, 0) <= room) {
    const own = list.rows.map((row) => row.line(""));
    return [{ path: "index.md", text: page(head + table(columns, own)) }];
  }
  const under = `# ${title}, a part\n\nUp: [index.md](../index.md)\n\n`;
  const { pages, top } = pageTree(rows, {
    capacity: room,
    perPage: PAGES_A_PAGE,
    path: "pages/",
    leaf: (each) => page(under + table(columns, each.rows.map(({ line }) => line))),
    above: (_page, listed) => page(under + pageTable(listed, "../")),
    fits: ({ length }) => length <= PAGES_A_PAGE,
  });
  return [...pages, { path: "index.md", text: page(head + pageTable(top, "")) }];
}

function page(body: string): string {
  return writeFrontMatter(common("index"), body);
}

function pageTable(pages: readonly ListPage<Row>[], up: string): string {
  const lines = pages.map(({ path, rows }) =>
    `| [${rows[0]!.row.label} to ${rows.at(-1)!.row.label}](${up}${path}) | ${rows.length} |\n`
  );
  return table(["from, to", "count"], lines);
}

function table(columns: readonly string[], lines: readonly string[]): string {
  const rule = columns.map(() => "---").join(" | ");
  return `| ${columns.join(" | ")} |\n| ${rule} |\n${lines.toReversed().join("")}`;
}
