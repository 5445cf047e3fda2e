// The page of the archive: convenings narrowed and paged, or the messages that a search found.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { basename } from "@std/path";
import type { ConveningRow } from "../record/list.ts";
import { counted } from "../core/text.ts";
import { type Markup, own, time } from "../record/html/markup.tsx";
import { headingWords, kindWords } from "../record/transcript_outline.ts";
import type { ArchiveSearch } from "../record/search.ts";
import { messageHref } from "./exchange.tsx";
import { type Page, page } from "./page.tsx";
import { STATUSES } from "../operations/outputs.ts";
import { type Standing, standingBadge, standingWords } from "./standing.tsx";

/** The fields that narrow a list of convenings; empty texts narrow nothing. */
interface ArchiveFilter {
  /** Words of messages. */
  readonly q: string;
  readonly kind: string;
  readonly status: string;
  /** From 1. */
  readonly page: number;
}

/** A convening of the archive with the standing of its run in this process. */
export type ArchiveRow = Omit<ConveningRow, "status"> & {
  readonly status: Standing;
  /** The place in the queue, from 1. */
  readonly position?: number | undefined;
};

const ROWS_A_PAGE = 25;
/** The number of found messages on a page. */
export const FOUND_A_PAGE = 50;

/** Every convening of the archive, narrowed and paged; `kinds` are those to narrow by, besides those of the rows. */
export function archivePage(
  rows: readonly ArchiveRow[],
  filter: ArchiveFilter,
  { kinds, found }: { readonly kinds: Iterable<string>; readonly found?: ArchiveSearch },
): Page {
  const all = new Set([...kinds, ...rows.flatMap(({ kind }) => kind ?? [])]);
  return page({
    title: filter.q === "" ? "Archive" : `Search: ${filter.q}`,
    at: "archive",
    body: (
      <>
        <div class="title">
          <h1>Convenings</h1>
          <a class="button" href="/new">New convening</a>
        </div>
        {searchForm(filter, [...all])}
        {found === undefined ? list(rows, filter) : results(found, filter)}
      </>
    ),
  });
}

/** The rows of a kind and a status. */
export function rowsOf(
  rows: readonly ArchiveRow[],
  filter: Pick<ArchiveFilter, "kind" | "status">,
): readonly ArchiveRow[] {
  return rows.filter(({ kind, status }) =>
    (filter.kind === "" || kind === filter.kind) &&
    (filter.status === "" || status === filter.status)
  );
}

function searchForm({ q, kind, status }: ArchiveFilter, kinds: readonly string[]): Markup {
  const choice = (
    name: string,
    { values, chosen, words }: {
      readonly values: readonly string[];
      readonly chosen: string;
      readonly words: (value: string) => string;
    },
  ) => (
    <label>
      {headingWords(name)}
      <select name={name}>
        <option value="">All</option>
        {values.map((each) => <option value={each} selected={each === chosen}>{words(each)}
        </option>)}
      </select>
    </label>
  );
  return (
    <form class="filter" method="get" action="/" role="search">
      <label class="grow">
        Search the messages
        <input type="search" name="q" value={q} maxlength={200} />
      </label>
      {choice("kind", { values: kinds, chosen: kind, words: kindWords })}
      {choice("status", {
        values: STATUSES,
        chosen: status,
        words: (value) => standingWords(value as Standing),
      })}
      <button type="submit">Show</button>
    </form>
  );
}

function list(rows: readonly ArchiveRow[], filter: ArchiveFilter): Markup {
  const fits = rowsOf(rows, filter);
  const from = (filter.page - 1) * ROWS_A_PAGE;
  const shown = fits.slice(from, from + ROWS_A_PAGE);
  const count = fits.length === rows.length ? `${rows.length}` : `${fits.length} of ${rows.length}`;
  const part = shown.length === 0 ? "" : `, ${from + 1} to ${from + shown.length} shown`;
  return (
    <>
      <p class="note">{`${count} convening${rows.length === 1 ? "" : "s"}${part}`}</p>
      {shown.length === 0
        ? empty(rows.length)
        : <ul class="cards" role="list">{shown.map(card)}</ul>}
      {pager(filter, Math.ceil(fits.length / ROWS_A_PAGE), ["Newer", "Older"])}
    </>
  );
}

function empty(all: number): Markup {
  if (all > 0) {
    return (
      <p>
        No convening fits. <a href="/">Show all</a>
      </p>
    );
  }
  return (
    <p>
      There is no convening yet. <a href="/new">Start one</a>, or{" "}
      <a href="/papers">debate a paper</a>.
    </p>
  );
}

/** A convening of a list: topic, standing, kind, start, messages and winner. */
export function card(row: ArchiveRow): Markup {
  const id = basename(row.dir);
  const { kind, topic, status, startedAt, messages, outcome, winner, winnerName, position } = row;
  const note = [
    ...kind === undefined ? [] : [kindWords(kind)],
    counted(messages, "message"),
    ...outcome === "undecided" ? ["Undecided"] : [],
  ];
  return (
    <li class="card">
      <h2>
        <a href={`/convenings/${id}`} dir="auto">{topic ?? id}</a>
      </h2>
      <p class="note">
        {standingBadge(status, position === undefined ? "" : ` (${position})`)} {time(startedAt)}
        {` · ${note.join(" · ")}`}
        {outcome === "decided" && <>{" · Winner: "}{own(winnerName ?? winner ?? "")}</>}
      </p>
      {row.problem !== undefined && <p class="problem">{row.problem}</p>}
    </li>
  );
}

function pager(
  filter: ArchiveFilter,
  pages: number,
  [before, after]: readonly [before: string, after: string],
): Markup {
  if (pages <= 1) return <></>;
  const link = (to: number, words: string) => {
    const { q, kind, status } = filter;
    const query = new URLSearchParams({ q, kind, status, page: String(to) });
    return <a href={`/?${query}`}>{words}</a>;
  };
  return (
    <nav class="pager" aria-label="Pages">
      {filter.page > 1 && link(filter.page - 1, before)}
      <span>{`Page ${filter.page} of ${pages}`}</span>
      {filter.page < pages && link(filter.page + 1, after)}
    </nav>
  );
}

/** The messages that a search found; the rows end with those of the page. */
function results(
  { rows, found, messages, convenings, skipped }: ArchiveSearch,
  filter: ArchiveFilter,
): Markup {
  const from = (filter.page - 1) * FOUND_A_PAGE;
  const shown = rows.slice(from);
  const count = found === 0 ? "Nothing" : counted(found, "message");
  const whole = `${counted(messages, "message")} of ${counted(convenings, "convening")}`;
  const part = shown.length === found ? "" : `, ${from + 1} to ${from + shown.length} shown`;
  return (
    <>
      <p class="note">
        {`${count} found for “${filter.q}” in ${whole}, the best first${
          shown.length === 0 ? "" : part
        }. `}
        <a href="/">Show all</a>
      </p>
      <ul class="cards" role="list">{shown.map(foundCard)}</ul>
      {pager(filter, Math.ceil(found / FOUND_A_PAGE), ["Previous", "Next"])}
      {skipped.length > 0 && <p class="note">{`${skipped.length} could not be read.`}</p>}
    </>
  );
}

function foundCard({ dir, seq, topic, name, snippet }: ArchiveSearch["rows"][number]): Markup {
  return (
    <li class="card">
      <h2>
        <a href={messageHref(basename(dir), seq)} dir="auto">{topic}</a>
      </h2>
      <p class="note">{`Message ${seq}, `}{own(name)}</p>
      <p dir="auto">{snippet}</p>
    </li>
  );
}
