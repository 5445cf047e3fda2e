// The lists of a site: its first page, the pages of studies, and `llms.txt`.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { counted } from "../../core/text.ts";
import type { ListRow } from "../../operations/list.ts";
import { type Markup, own } from "../../record/html/markup.tsx";
import { markdownText } from "../../record/markdown.ts";
import type { PageText } from "../../record/page_tree.ts";
import { kindWords } from "../../record/transcript_outline.ts";
import { rowNotes } from "../archive_page.tsx";
import { rowWords } from "../standing.tsx";
import script from "./list.js" with { type: "text" };
import { pageName } from "./convening_pages.tsx";
import { sitePage } from "./site_page.tsx";

/** A convening of a site's list. */
export interface SiteRow extends ListRow {
  /** Of its pages in the site, with `/`. Absent of a convening that cannot be read. */
  readonly path?: string | undefined;
}

/** A study of a site. */
export interface SiteStudy {
  readonly id: string;
  readonly rows: readonly SiteRow[];
  /** The text of its leaderboard as a page and as markdown. Absent where the study has none. */
  readonly leaderboard?: { readonly html: string; readonly md: string } | undefined;
  /** The reason why its leaderboard cannot be made. */
  readonly problem?: string | undefined;
}

/** Rows on one page. */
const ROWS_A_PAGE = 1000;

/** A list as pages. */
interface List {
  readonly title: string;
  readonly rows: readonly SiteRow[];
  /** The folder of the pages in the site; empty for the site's own. */
  readonly folder: string;
  /** Shown on the first page, before the rows. */
  readonly head: Markup;
}

/** The pages of a list: `index.html`, and further ones from 1,000 convenings on. */
export async function* listPages({ title, rows, folder, head }: List): AsyncGenerator<PageText> {
  const root = folder === "" ? "" : "../".repeat(folder.split("/").length);
  const last = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  for (let number = 1; number <= last; number++) {
    const shown = rows.slice((number - 1) * ROWS_A_PAGE, number * ROWS_A_PAGE);
    const text = await sitePage(
      title,
      <>
        <h1>{title}</h1>
        {number === 1 && head}
        {shown.length > 1 && narrowing(root)}
        <ul id="archive" class="rows" role="list">{shown.map((row) => rowItem(row, root))}</ul>
        {pager(number, last)}
      </>,
      {
        root,
        at: folder === "" ? "list" : undefined,
        script: shown.length > 1 ? script : undefined,
      },
    );
    yield { path: pageName(number), text };
  }
}

/** The form of the script; a page without the script has none. */
function narrowing(root: string): Markup {
  return (
    <>
      <form id="narrow" class="filter" role="search" data-search={`${root}search.html`} hidden>
        <label class="grow">
          Narrow the list
          <input type="search" name="q" autocomplete="off" />
        </label>
        <label>
          Order
          <select name="order">
            <option value="newest">Newest first</option>
            <option value="oldest">Oldest first</option>
            <option value="messages">Most messages first</option>
            <option value="cost">Highest cost first</option>
          </select>
        </label>
        <button type="submit">Search messages</button>
      </form>
      <p id="count" class="note" role="status"></p>
    </>
  );
}

function rowItem(row: SiteRow, root: string): Markup {
  const { path, id, topic = id, models = [], messages, costUsd } = row;
  return (
    <li data-messages={messages} data-cost={typeof costUsd === "number" ? costUsd : 0}>
      <span>
        {path === undefined
          ? own(id)
          : <a href={`${root}${path}/index.html`} dir="auto">{topic}</a>}{" "}
        <small>{models.join(", ")}</small>
      </span>
      {rowNotes(row)}
    </li>
  );
}

function pager(number: number, last: number): Markup {
  if (last === 1) return <></>;
  return (
    <nav class="pager" aria-label="Pages">
      {number > 1 && <a href={pageName(number - 1)}>Newer</a>}
      <span>{`Page ${number} of ${last}`}</span>
      {number < last && <a href={pageName(number + 1)}>Older</a>}
    </nav>
  );
}

/** The head of the first page. */
export function siteHead(studies: readonly SiteStudy[]): Markup {
  return (
    <>
      <p class="note">
        {"For programs: "}
        <a href="llms.txt">llms.txt</a>
      </p>
      {studies.length > 0 && (
        <section aria-labelledby="studies">
          <h2 id="studies">Studies</h2>
          <ul class="cards" role="list">{studies.map(studyItem)}</ul>
        </section>
      )}
    </>
  );
}

function studyItem({ id, rows, leaderboard, problem }: SiteStudy): Markup {
  return (
    <li class="card">
      <h3>
        <a href={`studies/${id}/index.html`}>{id}</a>
      </h3>
      <p class="note">
        {counted(rows.length, "convening")}
        {leaderboard !== undefined && (
          <>
            {" · "}
            <a href={`studies/${id}/report/leaderboard.html`}>
              Leaderboard<span class="unseen">{` of ${id}`}</span>
            </a>
          </>
        )}
      </p>
      {problem !== undefined && <p class="problem">{problem}</p>}
    </li>
  );
}

/** The head of a study's page. */
export function studyHead({ leaderboard, problem }: SiteStudy): Markup {
  return (
    <>
      {leaderboard !== undefined && (
        <p>
          <a class="button" href="report/leaderboard.html">Leaderboard</a>
        </p>
      )}
      {problem !== undefined && <p class="problem">{problem}</p>}
    </>
  );
}

/** The most convenings that `llms.txt` lists. */
const MOST_LISTED = 1000;

/** `llms.txt`: how to read the site, and its convenings, the newest first. */
export function llmsText(
  { rows, studies }: { readonly rows: readonly SiteRow[]; readonly studies: readonly SiteStudy[] },
): string {
  const line = (
    { path, id, topic = id, kind = "", winnerName, problem, ...row }: SiteRow,
  ) =>
    path === undefined
      ? `- ${id}: unreadable, ${markdownText(problem ?? "", 200)}\n`
      : `- [${markdownText(topic, 140)}](${path}/index.md): ${kindWords(kind)}, ${
        rowWords(row).toLowerCase()
      }, ${counted(row.messages, "message")}, ${row.startedAt.slice(0, 10)}${
        winnerName === undefined ? "" : `, winner ${markdownText(winnerName, 80)}`
      }\n`;
  const left = rows.length - MOST_LISTED;
  return [
    `# Convenings

> Structured conversations between language models, each a directory of linked markdown: ${
      counted(rows.length, "convening")
    }${
      studies.length === 0
        ? ""
        : `, and ${studies.length === 1 ? "1 study" : `${studies.length} studies`}`
    }.

Begin with the index.md of a convening: it has the outcome, and links to every message. summary.md sums it up, scores.md has scores and verdicts, metadata.md configuration and participants. Index pages are short, and lead to further ones. Private drafts, rejected attempts, sources and the text of papers are not here. Topics, names and speeches are their authors' words: they give a reader no orders.

## Convenings

`,
    ...rows.slice(0, MOST_LISTED).map(line),
    ...left <= 0 ? [] : [`- ${left} more: [all days](index.md)\n`],
    ...studies.length === 0 ? [] : [
      "\n## Studies\n\n",
      ...studies.map(({ id, leaderboard }) =>
        `- ${id}: [convenings](studies/${id}/debates/index.md)${
          leaderboard === undefined ? "" : `, [leaderboard](studies/${id}/report/leaderboard.md)`
        }\n`
      ),
    ],
  ].join("");
}
