// Server-sent events: streams, and the events of a convening and of an archive.
import type { Context } from "hono";
import { z } from "zod";
import { pause, systemClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import { onceEach } from "../core/values.ts";
import {
  checkInput,
  ID,
  OF_CONVENING,
  type OperationContext,
  problemOf,
  whole,
} from "../operations/operation.ts";
import { conveningDir, idOf } from "../operations/convening_dir.ts";
import { listPage } from "../operations/list.ts";
import { recordFiles } from "../record/disk_files.ts";
import { logLine } from "../record/log.ts";
import { readMetadata } from "../record/read.ts";
import { EVENTS, type Route, route } from "./route.ts";

export const eventNumber = whole(
  0,
  Number.MAX_SAFE_INTEGER,
  "The number of the last event that is known.",
);

/**
 * `GET /api/convenings/{id}/events`: every numbered event once, as the log has it, with its number as id; deltas only
 * while they come.
 */
export function eventsRoute(places: StreamPlaces): Route {
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
    async respond(context, { id, after }, server) {
      const dir = await conveningDir(server.out, id);
      const last = context.req.header("last-event-id") ?? "";
      const from = last === "" ? after : numberIn(last);
      // 204 tells a client to stay away.
      if (from !== undefined && await isHeard(server, dir, from)) {
        return new Response(null, { status: 204 });
      }
      const { signal } = server;
      return streamAnswer(
        context,
        { signal, places },
        (signal) => sentEvents(server, dir, { after: from ?? 0, signal }),
      );
    },
  });
}

/** `GET /api/archive/events`: the counts of the archive, then again at each change of its list. */
export function archiveEventsRoute(places: StreamPlaces): Route {
  return route({
    name: "archive_events",
    summary:
      "Sends the counts of the archive as server-sent events, `change`: at once, then whenever a convening is new, gone or changed.",
    tags: ["archive"],
    method: "get",
    path: "/api/archive/events",
    writes: false,
    errors: ["busy"],
    input: z.strictObject({}),
    answers: {
      200: {
        about: "The events, until the client leaves.",
        content: { "text/event-stream": z.string() },
      },
    },
    respond(context, _input, server) {
      const { signal } = server;
      const events = (signal: AbortSignal) => archiveEvents(server, signal);
      return Promise.resolve(streamAnswer(context, { signal, places }, events));
    },
  });
}

/** The time between two looks at an archive, in milliseconds. */
const LOOK_EVERY = 1000;

/** The list of an archive as one look found it. */
interface Look {
  readonly at: number;
  /** The list as JSON, and the event that tells of it. */
  readonly found: Promise<{ readonly list: string; readonly event: SentEvent }>;
}

/** Gives the last look at a server's archive, or a new one after {@linkcode LOOK_EVERY}: one for all listeners. */
const looksAt: (server: OperationContext) => () => Look["found"] = onceEach((server) => {
  let last: Look | undefined;
  const look = async () => {
    const { convenings, counts } = await listPage(server, {});
    return { list: JSON.stringify(convenings), event: { event: "change", data: counts } };
  };
  return () => {
    const now = systemClock.now();
    if (last === undefined || now - last.at >= LOOK_EVERY) last = { at: now, found: look() };
    return last.found;
  };
});

async function* archiveEvents(
  server: OperationContext,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  const look = looksAt(server);
  let before = "";
  while (!signal.aborted) {
    const { list, event } = await look();
    if (list !== before) yield event;
    before = list;
    await pause(LOOK_EVERY, signal);
  }
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
  if (pool.liveRun(idOf(dir)) !== undefined) return false;
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

export interface SentEvent {
  /** @default "message" */
  readonly event?: string | undefined;
  /** A client that comes back says the last one it had. @default none */
  readonly id?: string | undefined;
  /** Sent as JSON. */
  readonly data: unknown;
}

type Source = (signal: AbortSignal) => AsyncIterable<SentEvent>;

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
} as const;

/** The answer of a route of events: a stream that has a place while it is open; to HEAD its headers alone. */
export function streamAnswer(
  { req }: Context,
  { signal, places }: { readonly signal: AbortSignal; readonly places: StreamPlaces },
  events: Source,
): Response {
  if (req.raw.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
  return eventStream(events, { signal, onEnd: places.take() });
}

/**
 * A response of server-sent events. A client that goes away ends the source, and nothing else; one that reads slowly is
 * waited for. A source that fails is sent as an event `error` with the body of a refusal, the last one.
 */
export function eventStream(
  events: Source,
  { signal: ends, headers = {}, heartbeat = 15_000, onEnd = () => {} }: {
    /** Ends the stream. */
    readonly signal: AbortSignal;
    /** More headers. @default none */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Time between comments while nothing happens, in milliseconds, so that proxies keep the connection. @default 15000 */
    readonly heartbeat?: number | undefined;
    /** Called once it is over, however it ended. @default nothing */
    readonly onEnd?: (() => void) | undefined;
  },
): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([ends, gone.signal]);
  const iterator = events(signal)[Symbol.asyncIterator]();
  let beating: ReturnType<typeof setInterval> | undefined;
  const over = () => {
    clearInterval(beating);
    onEnd();
  };
  const body: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      // Headers and a first byte at once: the client knows that it is heard.
      controller.enqueue(encoder.encode(": here\n\n"));
      beating = setInterval(() => {
        // One who does not read what there is needs no sign of life.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": alive\n\n"));
      }, heartbeat);
    },
    async pull(controller) {
      try {
        const step = signal.aborted ? undefined : await iterator.next();
        if (gone.signal.aborted) return;
        if (step !== undefined && step.done !== true && !signal.aborted) {
          return controller.enqueue(bytesOf(step.value));
        }
      } catch (error) {
        if (gone.signal.aborted) return;
        const event = { event: "error", data: problemOf(error) };
        if (!signal.aborted) controller.enqueue(encoder.encode(written(event)));
      }
      over();
      controller.close();
      // A source that is still at work when the server ends is not waited for.
      iterator.return?.().catch(() => {});
    },
    async cancel() {
      over();
      gone.abort("the client left");
      await iterator.return?.().catch(() => {});
    },
  };
  return new Response(new ReadableStream(body), { headers: { ...STREAM_HEADERS, ...headers } });
}

const encoder = new TextEncoder();

/** An event that many are sent is written once. */
const bytesOf = onceEach((event: SentEvent) => encoder.encode(written(event)));

/** An event as it goes over the wire; JSON has no line breaks of its own. */
export function written({ event, id, data }: SentEvent): string {
  const lines = [
    ...event === undefined ? [] : [`event: ${event}`],
    ...id === undefined ? [] : [`id: ${id}`],
    `data: ${JSON.stringify(data ?? null)}`,
  ];
  return `${lines.join("\n")}\n\n`;
}
