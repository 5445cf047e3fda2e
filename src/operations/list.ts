// Lists the convenings of an archive, a page at a time.
import { basename } from "@std/path";
import { z } from "zod";
import { ConfigurationError } from "../core/error.ts";
import type { ConveningRow } from "../record/list.ts";
import { type Given, linksOf, named, type Operation, operation, whole } from "./operation.ts";
import { links, outcome, queuePosition, status, STATUSES, winner } from "./outputs.ts";
import type { RunPool } from "./run_pool.ts";
import { listConvenings } from "./showing.ts";
import type { ShownStatus } from "./standing_json.ts";

const counts = z.record(z.string(), z.int());
const row = named(
  "ConveningRow",
  z.object({
    id: z.string(),
    kind: z.string().nullable(),
    topic: z.string().nullable(),
    status,
    queuePosition,
    startedAt: z.string(),
    messages: z.int().min(0),
    outcome: outcome.nullable(),
    winner,
    winnerName: z.string().nullable(),
    problem: z.string().optional().describe("Why the record cannot be read."),
    links,
  }),
);
const page = named(
  "ConveningPage",
  z.object({
    convenings: z.array(row),
    next: z.string().nullable().describe("The cursor of the page that follows."),
    counts: z.object({ total: z.int(), matching: z.int(), byStatus: counts, byKind: counts })
      .describe("Counts over the whole archive, however few rows are given."),
  }),
);

/** `GET /api/convenings`. */
export const LIST: Operation = operation({
  name: "list",
  summary: "Lists convenings, newest first; counts are over the whole archive.",
  tags: ["archive"],
  method: "get",
  path: "/api/convenings",
  writes: false,
  errors: [],
  input: z.strictObject({
    limit: whole(1, 200, "The most rows.").default(50),
    cursor: z.string().max(400).optional().describe("`next` of the page before."),
    status: z.enum(STATUSES).optional().describe("Only convenings of the status."),
    kind: z.string().max(200).optional().describe("Only convenings of the kind."),
    q: z.string().max(1000).optional().describe("Words of the topic, the id or the winner's name."),
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

/** Part of an archive's list. */
interface ListOptions {
  /** The most rows. @default all */
  readonly limit?: number | undefined;
  /** `next` of the page before. @default the newest first */
  readonly cursor?: string | undefined;
  /** @default any */
  readonly status?: ShownStatus | undefined;
  /** @default any */
  readonly kind?: string | undefined;
  /** Words that a row must have in its topic, its id or its winner's name. @default none */
  readonly q?: string | undefined;
}

/** A page of an archive's list as JSON, without links. */
export interface ListPage extends Omit<Given<z.output<typeof page>>, "convenings"> {
  readonly convenings: readonly Omit<Given<z.output<typeof row>>, "links">[];
}

/** A convening of the list, with what this process knows of it. */
interface ListRow extends Omit<ConveningRow, "status"> {
  readonly id: string;
  readonly status: ShownStatus;
  readonly position: number | undefined;
}

/** A part of an archive's list. Fails with `config_invalid` for a cursor that no list gave. */
export async function listPage(
  { out, pool }: { readonly out: string; readonly pool?: RunPool | undefined },
  { limit, cursor = "", status, kind = "", q = "" }: ListOptions,
): Promise<ListPage> {
  const place = cursor === "" ? undefined : placeIn(cursor);
  const rows = await listConvenings(out);
  const all = rows.map((row) => listed(row, pool));
  const words = q.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const matching = all.filter((row) => {
    const text = `${row.topic ?? ""} ${row.id} ${row.winnerName ?? ""}`.toLowerCase();
    return (status === undefined || row.status === status) && (kind === "" || row.kind === kind) &&
      words.every((word) => text.includes(word));
  });
  const rest = place === undefined ? matching : after(matching, place);
  const page = rest.slice(0, limit);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  return {
    convenings: page.map((row) => rowJson(row, out)),
    next: last === undefined ? null : cursorOf(last),
    counts: {
      total: all.length,
      matching: matching.length,
      byStatus: counted(all.map((row) => row.status)),
      byKind: counted(all.map((row) => row.kind ?? "unreadable")),
    },
  };
}

function listed(row: ConveningRow, pool: RunPool | undefined): ListRow {
  const id = basename(row.dir);
  const state = pool?.run(id)?.state;
  if (state?.state === "queued") return { ...row, id, position: state.position, status: "queued" };
  return { ...row, id, position: undefined };
}

function rowJson(row: ListRow, out: string): ListPage["convenings"][number] {
  const { id, position, problem } = row;
  return {
    id,
    kind: row.kind ?? null,
    topic: row.topic ?? null,
    status: row.status,
    queuePosition: position ?? null,
    startedAt: row.startedAt,
    messages: row.messages,
    outcome: row.outcome ?? null,
    winner: row.winner,
    winnerName: row.winnerName ?? null,
    ...problem === undefined ? {} : { problem: problem.replaceAll(`${out}/`, "") },
  };
}

function counted(words: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1));
}

/** The convening that a page of the archive's list ended with. */
interface ListPlace {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Its id. */
  readonly id: string;
}

/** An opaque cursor. */
function cursorOf({ startedAt, id }: ListPlace): string {
  return btoa(`${startedAt} ${id}`).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The row that a cursor stands for. Fails with `config_invalid` for a text that no list gave. */
function placeIn(cursor: string): ListPlace {
  const [, startedAt, id] = /^(\S{1,40}) (\S{1,200})$/.exec(decoded(cursor)) ?? [];
  if (startedAt !== undefined && id !== undefined) return { startedAt, id };
  throw new ConfigurationError("Cannot use cursor: no list has given it", {
    field: "cursor",
    hint: "Give the next of the page before, or leave it out.",
  });
}

function decoded(cursor: string): string {
  try {
    return cursor.length > 400 ? "" : atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** The rows after a row, in a list that is sorted newest first; a row that is gone counts by its time. */
function after<T extends ListPlace>(rows: readonly T[], place: ListPlace): readonly T[] {
  const at = rows.findIndex(({ id }) => id === place.id);
  if (at !== -1) return rows.slice(at + 1);
  const next = rows.findIndex(({ startedAt }) => startedAt < place.startedAt);
  return next === -1 ? [] : rows.slice(next);
}
