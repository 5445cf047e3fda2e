// Lists the convenings of an archive, a page at a time.
import { basename, SEPARATOR } from "@std/path";
import { z } from "zod";
import { cannotUse } from "../core/error.ts";
import { STRENGTH_LEVELS } from "../core/outcome.ts";
import { sortedByKey, tally } from "../core/values.ts";
import type { ConveningRow } from "../core/event.ts";
import { foldedText } from "../core/text.ts";
import { showsNewFork } from "../record/list.ts";
import { trashOf } from "../record/archive_place.ts";
import { linksOf } from "./client_view.ts";
import { LISTING, type Operation, operation, type ReadingContext, whole } from "./operation.ts";
import {
  costUsd,
  count,
  type Given,
  jsonOf,
  links,
  named,
  outcome,
  questionOfPapers,
  queuePosition,
  type ShownStatus,
  status,
  STATUSES,
  winner,
} from "./outputs.ts";
import { listConvenings } from "./reading_convenings.ts";

const counts = z.record(z.string(), z.int());
export const archiveCounts = named(
  "ArchiveCounts",
  z.object({ total: z.int(), matching: z.int(), byStatus: counts, byKind: counts })
    .describe("Counts over the whole archive, not only the rows given."),
);
const row = named(
  "ConveningRow",
  z.object({
    id: z.string(),
    kind: z.string().nullable(),
    topic: z.string().nullable(),
    question: questionOfPapers,
    status,
    queuePosition,
    startedAt: z.string(),
    messages: count,
    outcome: outcome.nullable(),
    winner,
    winnerName: z.string().nullable(),
    strengthLevel: z.enum(STRENGTH_LEVELS).nullable().describe("How strong the outcome is."),
    models: z.array(z.string()).describe("The models of participants and judges."),
    costUsd: costUsd.nullable().describe("US dollars so far."),
    parent: z.string().nullable().describe("The id of the convening that it was forked from."),
    isNewFork: z.literal(true).optional().describe(
      "Present for a fork that was never resumed; its status is interrupted.",
    ),
    problem: z.string().optional().describe("Why the record cannot be read."),
    links,
  }),
);
const listedRow = row.omit({ links: true });
const page = named(
  "ConveningPage",
  z.object({
    convenings: z.array(row),
    next: z.string().nullable().describe("The cursor of the page that follows."),
    counts: archiveCounts,
  }),
);

const day = z.iso.date("Give a day, such as 2026-11-23.");
const cost = z.number().min(0);

/** Input keys that filter and sort a list of convenings, for the command line, HTTP, MCP and pages. */
export const LIST_FILTER = {
  q: z.string().max(1000).optional().describe("Words of the topic, the id or the winner's name."),
  status: z.enum(STATUSES).optional().describe("Only convenings with this status."),
  kind: z.string().max(200).optional().describe("Only convenings of this kind."),
  model: z.string().max(200).optional().describe("Only convenings in which this model takes part."),
  winner: z.string().max(200).optional().describe(
    "Only convenings won by the participant with this name or id.",
  ),
  since: day.describe("Only convenings begun on this day or later, in UTC.").optional(),
  until: day.describe("Only convenings begun on this day or earlier, in UTC.").optional(),
  minCost: cost.describe("Only convenings that cost at least this many US dollars.").optional(),
  maxCost: cost.describe("Only convenings that cost at most this many US dollars.").optional(),
  parent: z.string().max(200).optional().describe("Only forks of the convening with this id."),
  folder: z.enum(["archive", "trash"]).default("archive").describe(
    "The archive, or its trash with the deleted convenings.",
  ),
  sort: z.enum(["newest", "oldest", "cost", "messages"]).default("newest").describe(
    "The order: by the start, or highest cost or most messages first.",
  ),
} as const;

export type ListFilter = z.output<z.ZodObject<typeof LIST_FILTER>>;

export const LIST: Operation = operation({
  ...LISTING,
  name: "list",
  summary: "Lists convenings, newest first; counts are over the whole archive.",
  tags: ["archive"],
  path: "/api/convenings",
  input: z.strictObject({
    limit: whole(1, 200, "The most rows.").default(50),
    cursor: z.string().max(400).optional().describe("`next` of the previous page."),
    ...LIST_FILTER,
  }),
  output: page,
  tool: {
    title: "List convenings",
    about:
      "The archive's convenings (debates, dialogues, consensus, debates over papers), newest first, a page at a time: ids, states, kinds, winners; counts are over everything. Topics are in the untrusted part.",
    input: { limit: whole(1, 100, "The most rows.").default(20) },
  },
  async run(context, input) {
    const page = await listPage(context, input);
    return {
      ...page,
      convenings: page.convenings.map((row) => ({ ...row, links: linksOf(row.id) })),
    };
  },
});

interface ListOptions extends Partial<ListFilter> {
  /** Maximum number of rows. @default all */
  readonly limit?: number | undefined;
  /** `next` of the previous page. @default the first page */
  readonly cursor?: string | undefined;
}

type RowJson = Given<z.output<typeof listedRow>>;

/** A page of an archive's list as JSON, without links. */
export interface ListPage extends Omit<Given<z.output<typeof page>>, "convenings"> {
  readonly convenings: readonly RowJson[];
}

/** A row of the list, with the state of a queued run of this process. */
export interface ListRow extends Omit<ConveningRow, "status" | "problem"> {
  readonly id: string;
  /** Reason why the record cannot be read, without the path of the archive; absent for a record that can be read. */
  readonly problem?: string | undefined;
  readonly status: ShownStatus;
  /** Position in the queue, from 1; undefined for a convening that is not queued. */
  readonly position: number | undefined;
}

type ListContext = Pick<ReadingContext, "out" | "pool">;

/** Returns a page of an archive's list. Throws `config_invalid` for an invalid cursor. */
export async function listPage(
  context: ListContext,
  { limit, cursor = "", ...filter }: ListOptions,
): Promise<ListPage> {
  const { sort = "newest" } = filter;
  const start = cursor === "" ? undefined : parseCursor(cursor, sort);
  const list = await filteredList(context, filter);
  const { matching } = list;
  const valueOf = ORDERS[sort];
  const rest = start === undefined ? matching : rowsAfter(matching, start, valueOf);
  const page = rest.slice(0, limit);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  return {
    convenings: page.map(rowJson),
    next: last === undefined ? null : `${sort}~${valueOf(last)}~${last.id}`,
    counts: countsOf(list),
  };
}

/** All convenings of an archive, and the matches of a filter. */
interface FilteredList {
  readonly all: readonly ListRow[];
  /** In the order of the filter's `sort`. */
  readonly matching: readonly ListRow[];
}

export function countsOf({ all, matching }: FilteredList): ListPage["counts"] {
  return {
    total: all.length,
    matching: matching.length,
    byStatus: countEach(all.map((row) => row.status)),
    byKind: countEach(all.map((row) => row.kind ?? "unreadable")),
  };
}

/** Returns all convenings of an archive, and the matches of a filter. */
export async function filteredList(
  context: ListContext,
  { sort = "newest", folder, ...filter }: Partial<ListFilter>,
): Promise<FilteredList> {
  const path = folder === "trash" ? trashOf(context.out) : context.out;
  const all = (await listConvenings(path)).map((row) => listRow(row, context));
  const valueOf = ORDERS[sort];
  const matching = all.filter(matcher(filter))
    .sort((a, b) => valueOf(b) - valueOf(a));
  return { all, matching };
}

/** The sort key of a row in each order, highest first; rows of equal keys stay newest first. */
const ORDERS: Readonly<Record<ListFilter["sort"], (row: ListRow) => number>> = {
  newest: ({ startedAt }) => Date.parse(startedAt) || 0,
  oldest: ({ startedAt }) => -Date.parse(startedAt) || 0,
  cost: ({ costUsd }) => typeof costUsd === "number" ? costUsd : -1,
  messages: ({ messages }) => messages,
};

/** Returns the test of a row by a filter. Texts are folded only for a filter by words or by a winner. */
function matcher(
  filter: Omit<Partial<ListFilter>, "folder" | "sort">,
): (row: ListRow) => boolean {
  const { q = "", status, kind, model, since = "", until, parent } = filter;
  const { minCost, maxCost } = filter;
  const words = foldedText(q).split(/[\s"“”„«»]+/).filter((word) => word !== "");
  const winner = filter.winner === undefined ? undefined : foldedText(filter.winner);
  const hasWords = ({ topic, question, id, winnerName }: ListRow) => {
    const text = foldedText(`${topic ?? ""} ${question ?? ""} ${id} ${winnerName ?? ""}`);
    return words.every((word) => text.includes(word));
  };
  const isWon = (row: ListRow) =>
    [row.winner, row.winnerName].some((each) => each != null && foldedText(each) === winner);
  return (row) => {
    const day = row.startedAt.slice(0, 10);
    const cost = typeof row.costUsd === "number" ? row.costUsd : NaN;
    return (words.length === 0 || hasWords(row)) &&
      (status === undefined || row.status === status) &&
      (kind === undefined || row.kind === kind) &&
      (model === undefined || row.models?.includes(model) === true) &&
      (winner === undefined || isWon(row)) &&
      day >= since && (until === undefined || day <= until) &&
      (minCost === undefined || cost >= minCost) &&
      (maxCost === undefined || cost <= maxCost) &&
      (parent === undefined || row.parent?.dir === parent);
  };
}

function listRow(row: ConveningRow, { out, pool }: ListContext): ListRow {
  const id = basename(row.dir);
  const problem = row.problem?.replaceAll(out + SEPARATOR, "");
  const state = pool?.run(id)?.state;
  return state?.state === "queued"
    ? { ...row, id, problem, position: state.position, status: "queued" }
    : { ...row, id, problem, position: undefined };
}

function rowJson({ position, parent, ...row }: ListRow): RowJson {
  return jsonOf(listedRow, {
    ...row,
    queuePosition: position,
    models: row.models ?? [],
    parent: parent?.dir,
    isNewFork: showsNewFork(row) ? true : undefined,
  });
}

function countEach(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(sortedByKey(tally(words)));
}

/** Parses a cursor. Throws `config_invalid` for an invalid cursor, and for a cursor of a list in another order. */
function parseCursor(cursor: string, sort: ListFilter["sort"]) {
  const [, own, value, id] = /^([a-z]+)~(-?[\d.e-]{1,40})~(.{1,255})$/s.exec(cursor) ?? [];
  if (id !== undefined && own === sort) return { value: Number(value), id };
  const why = id === undefined ? "it does not come from a list" : `its list is sorted by ${own}`;
  throw cannotUse("cursor", why, "Give `next` of the previous page, or leave it out.");
}

/** Returns the rows after the cursor's row in a sorted list; after the cursor's sort key if the row is gone. */
function rowsAfter(
  rows: readonly ListRow[],
  cursor: ReturnType<typeof parseCursor>,
  valueOf: (row: ListRow) => number,
): readonly ListRow[] {
  // Copies of a convening in other folders of days have the same id.
  const at = rows.findLastIndex(({ id }) => id === cursor.id);
  if (at !== -1) return rows.slice(at + 1);
  const next = rows.findIndex((row) => valueOf(row) < cursor.value);
  return next === -1 ? [] : rows.slice(next);
}
