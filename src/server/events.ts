// Events of a convening as server-sent events.
import { basename } from "@std/path";
import { z } from "zod";
import { ConveningError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import { onceEach } from "../core/once_each.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { ID, OF_CONVENING, type OperationContext, whole } from "../operations/operation.ts";
import { checkInput } from "../operations/check_input.ts";
import { logLine } from "../record/log.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readMetadata } from "../record/read.ts";
import { eventStream, type SentEvent, STREAM_HEADERS } from "./event_stream.ts";
import { EVENTS, type Route, route } from "./route.ts";

/** The number of an event, where a client continues. */
export const eventNumber = whole(
  0,
  Number.MAX_SAFE_INTEGER,
  "The number of the last event that is known.",
);

/**
 * `GET /api/convenings/{id}/events`: every numbered event once, as the log has it, with its number as id; deltas only
 * while they come.
 */
export function eventsRoute(places: StreamPlaces = new StreamPlaces()): Route {
  return route({
    name: "events",
    summary:
      "Sends every event of a convening as server-sent events until the run ends; the id is " +
      "the event's number, and Last-Event-ID or after continues from there.",
    tags: ["reading"],
    method: "get",
    path: "/api/convenings/{id}/events",
    writes: false,
    errors: ["busy", ...OF_CONVENING],
    input: z.strictObject({ id: ID, after: eventNumber.optional() }),
    headers: { "Last-Event-ID": "The id of the last event that is known; stands over after." },
    answers: {
      200: { about: "The events, until the run ends.", content: EVENTS },
      204: { about: "The convening has completed, and no event follows." },
    },
    async respond({ req }, { id, after }, server) {
      const dir = await conveningDir(server.out, id);
      const last = req.header("last-event-id") ?? "";
      const from = last === "" ? after : numberIn(last);
      // 204 tells a client to stay away.
      if (from !== undefined && await isHeard(server, dir, from)) {
        return new Response(null, { status: 204 });
      }
      if (req.raw.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
      return eventStream((signal) => sentEvents(server, dir, { after: from ?? 0, signal }), {
        signal: server.signal,
        onEnd: places.take(),
      });
    },
  });
}

/** The number in the header `Last-Event-ID`. Fails with `config_invalid`. */
function numberIn(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : text;
  const schema = z.object({ "Last-Event-ID": eventNumber });
  const names = { whole: "header", part: "header" };
  return checkInput(schema, { "Last-Event-ID": value }, names)["Last-Event-ID"];
}

/** Tells whether no event follows a number. */
async function isHeard({ pool }: OperationContext, dir: string, after: number): Promise<boolean> {
  if (pool.liveRun(basename(dir)) !== undefined) return false;
  // Asked by everyone who waits for more: the messages are not read for it.
  if ((await readMetadata(recordFiles(dir), dir)).progress.status !== "completed") return false;
  const events = pool.events(dir, { after });
  try {
    return (await events.next()).done === true;
  } finally {
    await events.return(undefined);
  }
}

/** The events of a convening as they are sent, after a number. */
export async function* sentEvents(
  { pool }: OperationContext,
  dir: string,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<SentEvent> {
  for await (const event of pool.events(dir, options)) yield sent(event);
}

/** An event as it is sent: made once, for all clients. */
const sent = onceEach((event: ConveningEvent): SentEvent => {
  const { type: name, n } = event;
  return name === "message-delta"
    ? { event: name, data: event }
    : { event: name, id: String(n), data: logged(event) };
});

/** Event as the log has it: without the texts of sources and papers. */
function logged(event: ConveningEvent): unknown {
  return event.type === "convening-start" ? JSON.parse(logLine(event)) : event;
}

/** The number of open streams is bounded. */
export class StreamPlaces {
  readonly #most: number;
  #taken = 0;

  /** All places free. */
  constructor(most = 1000) {
    this.#most = most;
  }

  /** Takes a place and gives the function that leaves it, safe to call twice. Fails with `busy`. */
  take(): () => void {
    if (this.#taken >= this.#most) {
      throw new ConveningError("busy", `Cannot send events: ${this.#most} streams are open`, {
        hint: "Close one, or read the messages as they are: GET /api/convenings/ID/messages.",
      });
    }
    this.#taken++;
    let isTaken = true;
    return () => {
      if (isTaken) this.#taken--;
      isTaken = false;
    };
  }
}
