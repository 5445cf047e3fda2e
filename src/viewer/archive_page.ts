import { basename } from "@std/path";
import { html } from "hono/html";
import type { ConveningRow } from "../record/list.ts";
import { counted } from "../record/files/assessment_words.ts";
import { headingWords } from "../record/transcript_outline.ts";
import type { ArchiveSearch } from "../record/remembered.ts";
import { messageHref } from "./exchange.ts";
import { type Markup, own, type Page, page, time } from "./page.ts";
import { STATUSES } from "../operations/outputs.ts";
import { type Standing, standingWords } from "./standing.ts";

/** What a list of convenings is narrowed by; empty texts narrow nothing. */
interface ArchiveFilter {
  /** Words that were said. */
  readonly q: string;
  readonly kind: string;
  readonly status: string;
  /** From 1. */
  readonly page: number;
}

/** A row with where its run stands in this process. */
export type ArchiveRow = Omit<ConveningRow, "status"> & {
  readonly status: Standing;
  /** From 1, while it is queued. */
  readonly position?: number | undefined;
};

const KINDS = ["debate", "paper-debate", "consensus", "dialogue"];
/** How many rows a page has. */
const ROWS_A_PAGE = 25;
/** How many found messages a page has. */
export const FOUND_A_PAGE = 50;

/** Every convening of the archive, narrowed and paged. */
export function archivePage(
  rows: readonly ArchiveRow[],
  filter: ArchiveFilter,
  found?: ArchiveSearch,
): Page {
  return page({
    title: filter.q === "" ? "Archive" : `Search: ${filter.q}`,
    at: "archive",
    body: html`
      <div class="head">
        <h1>Convenings</h1>
        <a class="button" href="/new">New convening</a>
      </div>
      ${searchForm(filter)}
      ${found === undefined
        ? list(rowsOf(rows, filter), { filter, all: rows.length })
        : results(found, filter)}
    `,
  });
}

/** The rows that a filter leaves; words that were said narrow nothing here. */
export function rowsOf(
  rows: readonly ArchiveRow[],
  filter: Pick<ArchiveFilter, "kind" | "status">,
): readonly ArchiveRow[] {
  return rows.filter(({ kind, status }) =>
    (filter.kind === "" || kind === filter.kind) &&
    (filter.status === "" || status === filter.status)
  );
}

function searchForm({ q, kind, status }: ArchiveFilter): Markup {
  const options = (values: readonly string[], chosen: string, words: (value: string) => string) =>
    values.map((value) =>
      html`
        <option value="${value}" ${value === chosen
          ? html`
            selected
          `
          : ""}>${words(value)}</option>
      `
    );
  return html`
    <form class="filter" method="get" action="/" role="search">
      <label class="grow">Search what was said
        <input type="search" name="q" value="${q}" maxlength="200" /></label>
      <label>Kind
        <select name="kind"><option value="">All</option>${options(
          KINDS,
          kind,
          (value) => headingWords(value.replace("-", " ")),
        )}</select></label>
      <label>Status
        <select name="status"><option value="">All</option>${options(
          STATUSES,
          status,
          (value) => standingWords(value as Standing),
        )}</select></label>
      <button type="submit">Show</button>
    </form>
  `;
}

function list(
  rows: readonly ArchiveRow[],
  { filter, all }: { readonly filter: ArchiveFilter; readonly all: number },
): Markup {
  const from = (filter.page - 1) * ROWS_A_PAGE;
  const shown = rows.slice(from, from + ROWS_A_PAGE);
  const count = rows.length === all ? `${all}` : `${rows.length} of ${all}`;
  return html`
    <p class="note">${count} convening${all === 1 ? "" : "s"}${shown.length === 0
      ? ""
      : `, ${from + 1} to ${from + shown.length} shown`}</p>
    ${shown.length === 0 ? empty(all) : html`<ul class="cards" role="list">${shown.map(card)}</ul>`}
    ${pager(filter, { pages: Math.ceil(rows.length / ROWS_A_PAGE) })}
  `;
}

function empty(all: number): Markup {
  return all === 0
    ? html`<p>Nothing was held yet. <a href="/new">Start one</a>, or <a href="/papers">debate a paper</a>.</p>`
    : html`<p>None fits. <a href="/">Show all</a></p>`;
}

function card(row: ArchiveRow): Markup {
  const id = basename(row.dir);
  const { kind, topic, status, startedAt, messages, outcome, winner, winnerName, position } = row;
  const won = outcome === "decided"
    ? html`
      · Winner: ${own(winnerName ?? winner ?? "")}
    `
    : outcome === "undecided"
    ? html`
      · Undecided
    `
    : "";
  return html`<li class="card">
    <h2><a href="/convenings/${id}" dir="auto">${topic ?? id}</a></h2>
    <p class="note">
      <span class="badge" data-standing="${status}">${standingWords(status)}${
    position === undefined ? "" : ` (${position})`
  }</span>
      ${
    kind === undefined ? "" : html`
      ${headingWords(kind.replace("-", " "))} ·
    `
  }${time(startedAt)}
      · ${counted(messages, "message")}${won}
    </p>
    ${row.problem === undefined ? "" : html`<p class="problem">${row.problem}</p>`}
  </li>`;
}

function pager(
  filter: ArchiveFilter,
  { pages, words: [before, after] = ["Newer", "Older"] }: {
    readonly pages: number;
    readonly words?: readonly [string, string] | undefined;
  },
): Markup | "" {
  if (pages <= 1) return "";
  const link = (to: number, words: string) => {
    const { q, kind, status } = filter;
    const query = new URLSearchParams({ q, kind, status, page: String(to) });
    return html`<a href="/?${query.toString()}">${words}</a>`;
  };
  return html`<nav class="pager" aria-label="Pages">
    ${filter.page > 1 ? link(filter.page - 1, before) : ""}
    <span>Page ${filter.page} of ${pages}</span>
    ${filter.page < pages ? link(filter.page + 1, after) : ""}
  </nav>`;
}

/** What a search found; the rows end with those of the page. */
function results(
  { rows, found, messages, convenings, skipped }: ArchiveSearch,
  filter: ArchiveFilter,
): Markup {
  const from = (filter.page - 1) * FOUND_A_PAGE;
  const shown = rows.slice(from);
  const part = shown.length === found ? "" : `, ${from + 1} to ${from + shown.length} shown`;
  return html`
    <p
      class="note">${found === 0 ? "Nothing" : counted(found, "message")} found for “${filter
        .q}” in ${counted(messages, "message")} of ${counted(
          convenings,
          "convening",
        )}, the best first${shown.length === 0 ? "" : part}. <a href="/">Show all</a></p>
    <ul class="cards" role="list">${shown.map(foundCard)}</ul>
    ${pager(filter, { pages: Math.ceil(found / FOUND_A_PAGE), words: ["Previous", "Next"] })}
    ${skipped.length === 0 ? "" : html`<p class="note">${skipped.length} could not be read.</p>`}
  `;
}

function foundCard({ dir, seq, topic, name, snippet }: ArchiveSearch["rows"][number]): Markup {
  return html`
    <li class="card">
      <h2><a href="${messageHref(basename(dir), seq)}" dir="auto">${topic}</a></h2>
      <p class="note">Message ${seq}, ${own(name)}</p>
      <p dir="auto">${snippet}</p>
    </li>
  `;
}
