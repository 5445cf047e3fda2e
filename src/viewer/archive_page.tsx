// Page of the archive: the filtered, sorted and paged list of convenings, with the messages that a search found.
/** @jsxImportSource hono/jsx */
import { basename } from "@std/path";
import { levelWords } from "../core/outcome.ts";
import { money } from "../core/message.ts";
import { counted, headingWords } from "../core/text.ts";
import type { ListFilter, ListRow } from "../operations/list.ts";
import { bidi, type Markup, pager, time } from "../record/html/markup.tsx";
import { kindWords } from "../record/transcript_outline.ts";
import { titleOf } from "../record/list.ts";
import type { ArchiveSearch } from "../record/search.ts";
import { STATUSES } from "../operations/outputs.ts";
import { messageHref } from "./convening_parts.tsx";
import { type Page, page } from "./page.tsx";
import { type Standing, STANDING_WORDS, standingBadge } from "./standing.tsx";

/** Query of the archive's page: a list filter, and the number of the page, from 1. */
type ArchiveQuery = ListFilter & { readonly page?: number | undefined };

const ROWS_A_PAGE = 25;
export const FOUND_A_PAGE = 50;

interface ArchiveView {
  readonly all: readonly ListRow[];
  readonly matching: readonly ListRow[];
  /** Kinds to filter by, in addition to the kinds of the rows. */
  readonly kinds: Iterable<string>;
  /** Messages with the words of the query. @default no search */
  readonly found?: ArchiveSearch | undefined;
  /** True on a read-only server: the page has no links and forms that change the archive. */
  readonly isReadOnly: boolean;
}

/** Returns the page with the convenings that match a query, and the messages that the query finds. */
export function archivePage(view: ArchiveView, query: ArchiveQuery): Page {
  const { q = "", folder } = query;
  const { page: wanted = 1, ...filter } = query;
  const last = Math.max(
    Math.ceil(view.matching.length / ROWS_A_PAGE),
    Math.ceil((view.found?.found ?? 0) / FOUND_A_PAGE),
  );
  const at = Math.min(wanted, Math.max(1, last));
  const heading = folder === "trash" ? "Deleted convenings" : "Convenings";
  return page({
    title: q !== "" ? `Search: ${q}` : folder === "trash" ? heading : "Archive",
    at: "archive",
    body: (
      <>
        <div class="title">
          <h1>{heading}</h1>
          {!view.isReadOnly && <a class="button" href="/new">New convening</a>}
        </div>
        {filterForm(view, query)}
        <div id="archive" data-live="">
          {list(view, { ...query, page: at })}
          {view.found !== undefined && results(view.found, { ...query, page: at })}
          {pager({
            ...{ at, last },
            hrefOf: (page) => {
              const given = Object.entries({ ...filter, page }).filter(([, each]) =>
                each !== undefined
              );
              return `/?${new URLSearchParams(given.map(([key, each]) => [key, String(each)]))}`;
            },
          })}
        </div>
      </>
    ),
  });
}

const SORT_WORDS: Readonly<Record<ListFilter["sort"], string>> = {
  newest: "Newest first",
  oldest: "Oldest first",
  cost: "Highest cost first",
  messages: "Most messages first",
};

function filterForm({ all, kinds }: ArchiveView, query: ArchiveQuery): Markup {
  const { q, kind, status, model, sort, parent, folder } = query;
  const field = (name: keyof ListFilter, type: string, words: string) => (
    <label>
      {words}
      <input
        type={type}
        name={name}
        value={query[name]}
        step={type === "number" ? "any" : undefined}
        min={type === "number" ? 0 : undefined}
        maxlength={type === "text" ? 200 : undefined}
      />
    </label>
  );
  const { winner, since, until, minCost, maxCost } = query;
  const isNarrow = [model, winner, since, until, minCost, maxCost].some((each) =>
    each !== undefined
  );
  return (
    <form class="filter" method="get" action="/" role="search">
      <label class="grow">
        Search topics and messages
        <input type="search" name="q" value={q} maxlength={200} />
      </label>
      {choice("kind", new Set([...kinds, ...all.flatMap(({ kind }) => kind ?? [])]), {
        chosen: kind,
        words: kindWords,
      })}
      {choice("status", STATUSES, {
        chosen: status,
        words: (value) => STANDING_WORDS[value as Standing],
      })}
      {choice("sort", Object.keys(SORT_WORDS), {
        chosen: sort,
        words: (value) => SORT_WORDS[value as ListFilter["sort"]],
      })}
      <button type="submit">Show</button>
      {parent !== undefined && <input type="hidden" name="parent" value={parent} />}
      {folder === "trash" && <input type="hidden" name="folder" value={folder} />}
      <details open={isNarrow}>
        <summary>Date, model, winner, cost</summary>
        <div class="filter">
          {field("since", "date", "From")}
          {field("until", "date", "To")}
          {choice("model", new Set(all.flatMap(({ models = [] }) => models).sort()), {
            chosen: model,
          })}
          {field("winner", "text", "Winner")}
          {field("minCost", "number", "US dollars, at least")}
          {field("maxCost", "number", "US dollars, at most")}
        </div>
      </details>
    </form>
  );
}

function choice(
  name: string,
  values: Iterable<string>,
  { chosen, words = (value) => value }: {
    readonly chosen: string | undefined;
    readonly words?: (value: string) => string;
  },
): Markup {
  return (
    <label>
      {headingWords(name)}
      <select name={name}>
        {name !== "sort" && <option value="">All</option>}
        {[...values].map((each) => (
          <option value={each} selected={each === chosen}>{words(each)}</option>
        ))}
      </select>
    </label>
  );
}

function list(
  { all, matching, found, isReadOnly }: ArchiveView,
  { page = 1, q, parent, folder }: ArchiveQuery,
): Markup {
  const isTrash = folder === "trash";
  const from = (page - 1) * ROWS_A_PAGE;
  const shown = matching.slice(from, from + ROWS_A_PAGE);
  const count = matching.length === all.length
    ? `${all.length}`
    : `${matching.length} of ${all.length}`;
  const part = shown.length === matching.length || shown.length === 0
    ? ""
    : `, ${from + 1} to ${from + shown.length} shown`;
  return (
    <>
      <p class="note">
        {`${count} ${isTrash ? "deleted " : ""}convening${all.length === 1 ? "" : "s"}${part}`}
        {parent !== undefined && (
          <>
            {", forks of "}
            <a href={`/convenings/${parent}`}>{parent}</a>
          </>
        )}
        {(q !== undefined || matching.length < all.length) && (
          <>
            {". "}
            <a href={isTrash ? "/?folder=trash" : "/"}>Show all</a>
          </>
        )}
      </p>
      {shown.length > 0
        ? isTrash
          ? <ul class="rows" role="list">{shown.map((row) => deletedItem(row, isReadOnly))}</ul>
          : (
            <form method="get" action="/compare">
              <ul class="rows choice" role="list">
                {shown.map((row) => rowItem(row, { isChoice: true }))}
              </ul>
              {shown.length > 1 && <button type="submit" class="second">Compare two</button>}
            </form>
          )
        : found === undefined && !isTrash && empty(all.length, isReadOnly)}
      <p class="note">
        {isTrash
          ? <a href="/">Back to the archive</a>
          : <a href="/?folder=trash">Deleted convenings</a>}
      </p>
    </>
  );
}

function empty(all: number, isReadOnly: boolean): Markup {
  if (all > 0) return <p>No convening matches.</p>;
  if (isReadOnly) return <p>There is no convening yet.</p>;
  return (
    <p>
      There are no convenings yet. Debates, dialogues and consensus talks of language models are
      kept here. <a href="/new">Start one</a>, or{" "}
      <a href="/papers">debate a paper</a>. Without a model's key the offline agent speaks: a
      program that fills fixed sentences.
    </p>
  );
}

/** Returns a convening as a list item: topic, standing, kind, winner, messages, cost and start. */
export function rowItem(
  row: ListRow,
  { isChoice = false }: { readonly isChoice?: boolean } = {},
): Markup {
  return (
    <li>
      {isChoice && (
        <input
          type="checkbox"
          name="id"
          value={row.id}
          aria-label={`Compare ${titleOf(row)}`}
        />
      )}
      <a href={`/convenings/${row.id}`} dir="auto">{titleOf(row)}</a>
      {rowNotes(row)}
    </li>
  );
}

function deletedItem(row: ListRow, isReadOnly: boolean): Markup {
  const title = <span dir="auto">{titleOf(row)}</span>;
  return (
    <li>
      {isReadOnly
        ? title
        : (
          <form class="row" method="post" action={`/convenings/${row.id}/actions/restore`}>
            {title}
            <button type="submit" class="quiet">
              Restore<span class="unseen">{` ${titleOf(row)}`}</span>
            </button>
          </form>
        )}
      {rowNotes(row)}
    </li>
  );
}

/** Returns standing, kind, winner, messages, cost, start and problem of a listed convening. */
export function rowNotes(row: ListRow): Markup {
  const { kind, status, startedAt, messages, outcome, strengthLevel, position, costUsd } = row;
  return (
    <>
      <p class="note">
        <span>
          {standingBadge(status, position === undefined ? "" : ` (${position})`, row.isNewFork)}
        </span>
        <span>{kind !== undefined && kindWords(kind)}</span>
        <span>
          {outcome === "decided" && (
            <>
              {"Winner: "}
              {bidi(row.winnerName ?? row.winner ?? "")}
              {levelWords(strengthLevel)}
            </>
          )}
          {outcome === "undecided" && "Undecided"}
        </span>
        <span>{counted(messages, "message")}</span>
        <span>
          {typeof costUsd === "number" && costUsd > 0 && money({ costUsd })}
        </span>
        {time(startedAt)}
      </p>
      {row.problem !== undefined && <p class="problem">{row.problem}</p>}
    </>
  );
}

/** Returns the messages that a search found; `rows` holds the first messages up to the end of the page. */
function results(
  { rows, found, messages, convenings, skipped }: ArchiveSearch,
  { page = 1, q = "" }: ArchiveQuery,
): Markup {
  const from = (page - 1) * FOUND_A_PAGE;
  const shown = rows.slice(from);
  const count = found === 0 ? "Nothing" : counted(found, "message");
  const whole = `${counted(messages, "message")} of ${counted(convenings, "convening")}`;
  const part = shown.length === found ? "" : `, ${from + 1} to ${from + shown.length} shown`;
  return (
    <>
      <h2>Messages</h2>
      <p class="note">
        {`${count} found for “${q}” in ${whole}${
          shown.length === 0 ? "" : `, the best first${part}`
        }.`}
      </p>
      <ul class="cards" role="list">{shown.map(foundCard)}</ul>
      {skipped.length > 0 && <p class="note">{`${skipped.length} could not be read.`}</p>}
    </>
  );
}

function foundCard(row: ArchiveSearch["rows"][number]): Markup {
  const { dir, seq, name, snippet } = row;
  return (
    <li class="card">
      <h3>
        <a href={messageHref(basename(dir), seq)} dir="auto">{titleOf(row)}</a>
      </h3>
      <p class="note">{`Message ${seq}, `}{bidi(name)}</p>
      <p dir="auto">{snippet}</p>
    </li>
  );
}
