import { basename } from "@std/path";
import type { ConveningRow } from "../record/list.ts";
import { listConvenings } from "./showing.ts";
import { after, cursorOf, placeIn } from "./cursor.ts";
import type { RunPool } from "./run_pool.ts";
import type { ShownStatus } from "./standing_json.ts";

/** What a list can be narrowed to. */
export const STATUSES = [
  "queued",
  "running",
  "waiting",
  "paused",
  "completed",
  "stopped",
  "failed",
  "interrupted",
  "unreadable",
] as const satisfies readonly ShownStatus[];

/** Which part of an archive's list. */
export interface ListOptions {
  /** The most rows. */
  readonly limit: number;
  /** `next` of the page before. @default the newest first */
  readonly cursor?: string | undefined;
  /** @default any */
  readonly status?: ShownStatus | undefined;
  /** @default any */
  readonly kind?: string | undefined;
  /** Words that a row must have in its topic, its id or its winner's name. @default none */
  readonly q?: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** A part of an archive's list, as programs are told it. */
export interface ListPage {
  /** Newest first. */
  readonly convenings: readonly (Json & { readonly id: string })[];
  /** The cursor of what is behind it; null where nothing is. */
  readonly next: string | null;
  /** Over the whole archive, however little is shown. */
  readonly counts: Json;
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

function rowJson(row: ListRow, out: string): Json & { readonly id: string } {
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
