import { basename } from "@std/path";
import type { Context, Hono } from "hono";
import { listConvenings } from "../../library/convening.ts";
import type { ConveningRow } from "../../output/list.ts";
import { atConvening, withoutPlace } from "../at_convening.ts";
import type { ServerContext } from "../context.ts";
import { conveningJson, runJson, type ShownStatus } from "../convening_json.ts";
import { linksOf } from "../convening_links.ts";
import { after, cursorOf, placeIn } from "../cursor.ts";
import { wholeOf, wordOf } from "../query.ts";
import { jsonBody } from "../request_body.ts";
import { startRequested } from "../starting.ts";

/** What a list can be narrowed to. */
const STATUSES = [
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

/** `/api/convenings`: starts them, lists them, and tells of one. */
export function conveningRoutes(app: Hono, server: ServerContext): void {
  app.post("/api/convenings", async (context) => {
    const body = await jsonBody(context.req.raw);
    try {
      const run = await startRequested(server, body);
      context.header("location", linksOf(run.id)["self"]);
      return context.json(runJson(run), 201);
    } catch (error) {
      throw withoutPlace(error, server.out);
    }
  });
  app.get("/api/convenings", async (context) => context.json(await listJson(server, context)));
  app.get("/api/convenings/:id", (context) =>
    atConvening(
      server,
      context.req.param("id"),
      async (dir) => context.json(await conveningJson(server, dir)),
    ));
}

/** A convening of the list, with what this process knows of it. */
interface ListRow extends Omit<ConveningRow, "status"> {
  readonly id: string;
  readonly status: ShownStatus;
  readonly position: number | undefined;
}

async function listJson(server: ServerContext, { req }: Context): Promise<object> {
  const limit = wholeOf(req.query("limit"), "limit", { least: 1, most: 200, usual: 50 });
  const status = wordOf(req.query("status"), "status", STATUSES);
  const { kind = "", q = "", cursor = "" } = req.query();
  const place = cursor === "" ? undefined : placeIn(cursor);
  const all = (await listConvenings(server.out)).map((row) => listed(server, row));
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
    convenings: page.map((row) => rowJson(row, server)),
    next: last === undefined ? null : cursorOf(last),
    counts: {
      total: all.length,
      matching: matching.length,
      by_status: counted(all.map((row) => row.status)),
      by_kind: counted(all.map((row) => row.kind ?? "unreadable")),
    },
  };
}

function listed({ pool }: ServerContext, row: ConveningRow): ListRow {
  const id = basename(row.dir);
  const state = pool.run(id)?.state;
  const position = state?.state === "queued" ? state.position : undefined;
  return { ...row, id, position, status: position === undefined ? row.status : "queued" };
}

function rowJson(row: ListRow, { out }: ServerContext): object {
  const { id, position, problem } = row;
  return {
    id,
    kind: row.kind ?? null,
    topic: row.topic ?? null,
    status: row.status,
    queue_position: position ?? null,
    started_at: row.startedAt,
    messages: row.messages,
    outcome: row.outcome ?? null,
    winner: row.winner,
    winner_name: row.winnerName ?? null,
    ...problem === undefined ? {} : { problem: problem.replaceAll(`${out}/`, "") },
    links: linksOf(id),
  };
}

function counted(words: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => a < b ? -1 : 1));
}
