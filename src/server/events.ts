// Server-sent events: streams, and the events of a convening and of an archive.
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
    async respond({ req }, _input, server) {
      if (req.raw.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
      return await Promise.resolve(eventStream((signal) => archiveEvents(server, signal), {
        signal: server.signal,
        onEnd: places.take(),
      }));
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

/** One server-sent event. */
export interface SentEvent {
  /** @default "message" */
  readonly event?: string | undefined;
  /** A client that comes back says the last one it had. @default none */
  readonly id?: string | undefined;
  /** Sent as JSON. */
  readonly data: unknown;
}

interface EventStreamOptions {
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** More headers. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time between comments while nothing happens, in milliseconds, so that proxies keep the connection. @default 15000 */
  readonly heartbeat?: number | undefined;
  /** Called once it is over, however it ended. @default nothing */
  readonly onEnd?: (() => void) | undefined;
}

/** The headers of every stream. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
} as const;

/**
 * A response of server-sent events. A client that goes away ends the source, and nothing else; one that reads slowly is
 * waited for. A source that fails is sent as an event `error` with the body of a refusal, the last one.
 */
export function eventStream(
  events: (signal: AbortSignal) => AsyncIterable<SentEvent>,
  { signal, headers = {}, heartbeat = 15_000, onEnd = () => {} }: EventStreamOptions,
): Response {
  const source = new EventSourceBody(events, { signal, heartbeat, onEnd });
  return new Response(new ReadableStream(source), {
    headers: { ...STREAM_HEADERS, ...headers },
  });
}

const encoder = new TextEncoder();

/** An event that many are sent is written once. */
const bytesOf = onceEach((event: SentEvent) => encoder.encode(written(event)));

/** The bytes of a stream of events, made as they are read. */
class EventSourceBody implements UnderlyingDefaultSource<Uint8Array> {
  readonly #gone = new AbortController();
  readonly #signal: AbortSignal;
  readonly #iterator: AsyncIterator<SentEvent>;
  readonly #heartbeat: number;
  readonly #onEnd: () => void;
  #beating: ReturnType<typeof setInterval> | undefined;

  constructor(
    events: (signal: AbortSignal) => AsyncIterable<SentEvent>,
    { signal, heartbeat, onEnd }: {
      readonly signal: AbortSignal;
      readonly heartbeat: number;
      readonly onEnd: () => void;
    },
  ) {
    this.#signal = AbortSignal.any([signal, this.#gone.signal]);
    this.#iterator = events(this.#signal)[Symbol.asyncIterator]();
    this.#heartbeat = heartbeat;
    this.#onEnd = onEnd;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    // Headers and a first byte at once: the client knows that it is heard.
    this.#send(controller, ": here\n\n");
    this.#beating = setInterval(() => {
      // One who does not read what there is needs no sign of life.
      if ((controller.desiredSize ?? 0) > 0) this.#send(controller, ": alive\n\n");
    }, this.#heartbeat);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const step = this.#signal.aborted ? undefined : await this.#iterator.next();
      if (this.#gone.signal.aborted) return;
      if (step !== undefined && step.done !== true && !this.#signal.aborted) {
        return controller.enqueue(bytesOf(step.value));
      }
    } catch (error) {
      if (this.#gone.signal.aborted) return;
      if (!this.#signal.aborted) {
        this.#send(controller, written({ event: "error", data: problemOf(error) }));
      }
    }
    this.#over();
    controller.close();
    // A source that is still at work when the server ends is not waited for.
    this.#iterator.return?.().catch(() => {});
  }

  async cancel(): Promise<void> {
    this.#over();
    this.#gone.abort("the client left");
    await this.#iterator.return?.().catch(() => {});
  }

  #over(): void {
    clearInterval(this.#beating);
    this.#onEnd();
  }

  #send(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
    controller.enqueue(encoder.encode(text));
  }
}

/** An event as it goes over the wire; JSON has no line breaks of its own. */
export function written({ event, id, data }: SentEvent): string {
  const lines = [
    ...event === undefined ? [] : [`event: ${event}`],
    ...id === undefined ? [] : [`id: ${id}`],
    `data: ${JSON.stringify(data ?? null)}`,
  ];
  return `${lines.join("\n")}\n\n`;
}
