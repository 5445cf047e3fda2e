// Page of the archive: the filtered, sorted and paged list of convenings, with the messages that a search found.
/** @jsxImportSource hono/jsx */
import { basename } from "@std/path";
import { levelWords } from "../core/outcome.ts";
import { money } from "../core/message.ts";
import { counted } from "../core/text.ts";
import type { ListFilter, ListRow } from "../operations/list.ts";
import { bidi, type Markup, pager, time } from "../record/html/markup.tsx";
import { kindWords } from "../record/transcript_outline.ts";
import { titleOf } from "../record/list.ts";
import type { ArchiveSearch } from "../record/search.ts";
import { STATUSES } from "../operations/outputs.ts";
import { messageHref } from "./convening_parts.tsx";
import { field, isFilled } from "./forms.tsx";
import { type Page, page } from "./page.tsx";
import { EMPTY_FORM } from "./sent_forms.ts";
import { type Standing, STANDING_WORDS, standingBadge } from "./standing.tsx";

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

const ALL = ["", "All"] as const;

const SORTS: readonly (readonly [ListFilter["sort"], string])[] = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["cost", "Highest cost first"],
  ["messages", "Most messages first"],
];

/** Fields that are collapsed unless one has a value. */
const NARROW: readonly (keyof ListFilter)[] = [
  "since",
  "until",
  "model",
  "winner",
  "minCost",
  "maxCost",
];

const DOLLARS = { type: "number", least: 0, step: "any" } as const;

function filterForm({ all, kinds }: ArchiveView, query: ArchiveQuery): Markup {
  const { q, parent, folder, page: _page, ...narrowing } = query;
  const given = Object.entries(narrowing).filter(([, each]) => each !== undefined);
  const values = Object.fromEntries(given.map(([name, each]) => [name, String(each)]));
  const form = { ...EMPTY_FORM, values, scope: "filter" };
  const choices = (ids: Iterable<string>, words = (id: string) => id) =>
    [...ids].map((id) => [id, words(id)] as const);
  return (
    <form class="filter" method="get" action="/" role="search">
      <label class="grow">
        Search topics and messages
        <input type="search" name="q" value={q} maxlength={200} />
      </label>
      {field(form, {
        ...{ name: "kind", label: "Kind" },
        choices: [
          ALL,
          ...choices(new Set([...kinds, ...all.flatMap(({ kind }) => kind ?? [])]), kindWords),
        ],
      })}
      {field(form, {
        ...{ name: "status", label: "Status" },
        choices: [ALL, ...choices(STATUSES, (id) => STANDING_WORDS[id as Standing])],
      })}
      {field(form, { name: "sort", label: "Sort", choices: SORTS })}
      <button type="submit">Show</button>
      {parent !== undefined && <input type="hidden" name="parent" value={parent} />}
      {folder === "trash" && <input type="hidden" name="folder" value={folder} />}
      <details open={isFilled(form, NARROW)}>
        <summary>Date, model, winner, cost</summary>
        <div class="filter">
          {field(form, { name: "since", label: "From", type: "date" })}
          {field(form, { name: "until", label: "To", type: "date" })}
          {field(form, {
            ...{ name: "model", label: "Model" },
            choices: [ALL, ...choices(new Set(all.flatMap(({ models = [] }) => models).sort()))],
          })}
          {field(form, { name: "winner", label: "Winner", most: 200 })}
          {field(form, { ...DOLLARS, name: "minCost", label: "US dollars, at least" })}
          {field(form, { ...DOLLARS, name: "maxCost", label: "US dollars, at most" })}
        </div>
      </details>
    </form>
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
