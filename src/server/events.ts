// Server-sent events of a convening, of an archive and of a study, and the streams that send them.
import { z } from "zod";
import { pause, steadyClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import { memoByObject } from "../core/values.ts";
import { conveningDir, type ErrorScope, idOf, problemOf } from "../operations/client_view.ts";
import { archiveCounts, countsOf, filteredList } from "../operations/list.ts";
import { ID, OF_CONVENING, type OperationContext, whole } from "../operations/operation.ts";
import { OF_STUDY, STUDY_ID, studyDir, studyJson, studyOutput } from "../operations/study_json.ts";
import { recordFiles } from "../record/disk_files.ts";
import { logLine } from "../record/log.ts";
import { readMetadata } from "../record/read.ts";
import { belowBase, conveningEvent, queryOf, type Route, route, streamOf } from "./route.ts";

export const eventNumber = whole(
  0,
  Number.MAX_SAFE_INTEGER,
  "The number of the last event that is known.",
);

const LAST_EVENT = z.object({ "Last-Event-ID": eventNumber.optional() });

export const EVENT_ROUTES: readonly Route[] = [
  // Every numbered event once, in the form of the log, with the number as id; message deltas only while the message is written.
  route({
    name: "events",
    summary:
      "Sends every event of a convening as server-sent events until the run ends; the id is " +
      "the event's number, and Last-Event-ID or `after` continues from there.",
    tags: ["reading"],
    method: "get",
    path: "/api/convenings/{id}/events",
    writes: false,
    errors: ["busy", ...OF_CONVENING],
    input: z.strictObject({ id: ID, after: eventNumber.optional() }),
    headers: {
      "Last-Event-ID": "The id of the last event that is known; takes precedence over `after`.",
    },
    answers: {
      200: {
        about: "The events, until the run ends.",
        content: { "text/event-stream": streamOf(conveningEvent) },
      },
      204: {
        about:
          "The convening has completed, and no event follows. A stopped or failed one may be " +
          "resumed: its stream ends at once, and a client that reconnects follows the resume.",
      },
    },
    async respond(context, { id, after }, server) {
      const dir = await conveningDir(server.out, id);
      const { "Last-Event-ID": from = after } = queryOf(LAST_EVENT, {
        "Last-Event-ID": context.req.header("last-event-id") ?? "",
      });
      // 204 stops an EventSource from reconnecting.
      if (from !== undefined && await isUpToDate(server, dir, from)) {
        return new Response(null, { status: 204 });
      }
      const options = { after: from ?? 0 };
      return streamAnswer(server, (signal) => sentEvents(server, dir, { ...options, signal }));
    },
  }),
  route({
    name: "archive_events",
    summary:
      "Sends the counts of the archive as server-sent events named `change`: at once, then whenever a convening is added, removed or changed.",
    tags: ["archive"],
    method: "get",
    path: "/api/archive/events",
    writes: false,
    errors: ["busy"],
    input: z.strictObject({}),
    answers: {
      200: {
        about: "The events, until the client leaves.",
        content: { "text/event-stream": streamOf(archiveCounts) },
      },
    },
    respond: (_context, _input, server) =>
      Promise.resolve(streamAnswer(server, (signal) => archiveEvents(server, signal))),
  }),
  route({
    ...OF_STUDY,
    name: "study_events",
    summary: "Sends the state of a study as server-sent events: progress while it runs, then end.",
    method: "get",
    path: "/api/studies/{id}/events",
    writes: false,
    errors: ["not_found", "busy"],
    input: z.strictObject({ id: STUDY_ID }),
    answers: {
      200: {
        about: "The events, until the run ends.",
        content: { "text/event-stream": streamOf(studyOutput) },
      },
    },
    async respond(context, { id }, server) {
      await studyDir(server, id);
      return streamAnswer(server, async function* (signal) {
        for await (const each of studyEvents(server, id, signal)) yield belowBase(context, each);
      });
    },
  }),
];

/** Interval of polling an archive, in milliseconds. */
const POLL_EVERY = 1000;
/** Minimum interval of polling a large archive, as a multiple of the time that reading the list takes. */
const READ_TIMES = 10;

/** Returns a function that polls a server's list, for all streams together. */
const pollerOf = memoByObject((server: OperationContext) => {
  let freshUntil = 0;
  const read = async () => {
    const start = steadyClock.now();
    freshUntil = Infinity;
    try {
      const list = await filteredList(server, {});
      const data = countsOf(list);
      return { list: JSON.stringify(list.all), event: { event: "change", data } };
    } finally {
      const took = steadyClock.now() - start;
      freshUntil = start + Math.max(POLL_EVERY, READ_TIMES * took);
    }
  };
  let found: ReturnType<typeof read> | undefined;
  return () => found !== undefined && steadyClock.now() < freshUntil ? found : (found = read());
});

async function* archiveEvents(
  server: OperationContext,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  const poll = pollerOf(server);
  let before = "";
  while (!signal.aborted) {
    const { list, event } = await poll();
    if (list !== before) yield event;
    before = list;
    await pause(POLL_EVERY, signal);
  }
}

/** Intervals of polling an own run, and another process's run, in milliseconds. */
const POLLS = { own: 500, other: 2000 } as const;

/** Yields the state of a study at every change, until no process runs the study. */
async function* studyEvents(
  server: OperationContext,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  let before = "";
  while (!signal.aborted) {
    const study = await studyJson(server, id);
    if (study.state !== "running") return yield { event: "end", data: study };
    const now = JSON.stringify(study);
    if (now !== before) yield { event: "progress", data: study };
    before = now;
    await pause(server.pool.studies.run(id) === undefined ? POLLS.other : POLLS.own, signal);
  }
}

/** Returns true if a convening is completed and has no event after a number. */
async function isUpToDate(
  { pool }: OperationContext,
  dir: string,
  after: number,
): Promise<boolean> {
  if (pool.liveRun(idOf(dir)) !== undefined) return false;
  // Waiting clients reconnect often, so read only the metadata before the events.
  if ((await readMetadata(recordFiles(dir), dir)).progress.status !== "completed") return false;
  const events = pool.events(dir, { after });
  try {
    return (await events.next()).done === true;
  } finally {
    await events.return(undefined);
  }
}

/** Yields the events of a convening after a number, in the form in which they are sent. */
export async function* sentEvents(
  { pool }: OperationContext,
  dir: string,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<SentEvent> {
  for await (const event of pool.events(dir, options)) yield toSent(event);
}

/** Converts an event to the form in which it is sent; memoized, because all clients get the same event. */
const toSent = memoByObject((event: ConveningEvent): SentEvent => {
  const { type: name, n } = event;
  if (name === "message-delta") return { event: name, data: event };
  // The log has no texts of sources and papers.
  const data = name === "convening-start" ? JSON.parse(logLine(event)) : event;
  return { event: name, id: String(n), data };
});

export class StreamPlaces {
  readonly #most: number;
  #taken = 0;

  constructor(most = 1000) {
    this.#most = most;
  }

  /** Takes a place; returns the function that releases the place, to be called once. Fails with `busy`. */
  take(): () => void {
    if (this.#taken >= this.#most) {
      throw new ConveningError("busy", `Cannot send events: ${this.#most} streams are open`, {
        hint: "Close one, or read the messages as they are: GET /api/convenings/ID/messages.",
      });
    }
    this.#taken++;
    return () => this.#taken--;
  }
}

export interface SentEvent {
  /** @default "message" */
  readonly event?: string | undefined;
  /** Id that a reconnecting client sends as `Last-Event-ID`. @default none */
  readonly id?: string | undefined;
  /** Sent as JSON. */
  readonly data: unknown;
}

type Source = (signal: AbortSignal) => AsyncIterable<SentEvent>;

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
} as const;

const placesOf = memoByObject((_server: OperationContext) => new StreamPlaces());

/** Returns the response of an event route: a stream that holds a place while it is open. */
function streamAnswer(server: OperationContext, events: Source): Response {
  const { signal } = server;
  return eventStream(events, { signal, scope: server, onEnd: placesOf(server).take() });
}

/**
 * Creates a response of server-sent events. A client that disconnects ends only its own source. The next event is read from
 * the source when the client has read the last event. If the source fails, the last event is `error` with the JSON body of
 * an error response.
 */
export function eventStream(
  events: Source,
  { signal: ends, scope, headers = {}, heartbeat = 15_000, onEnd = () => {} }: {
    /** Ends the stream. */
    readonly signal: AbortSignal;
    /** Server whose errors are shown. */
    readonly scope: ErrorScope;
    /** Headers in addition to those of a stream. @default none */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Milliseconds between comments that keep proxies from closing an idle connection. @default 15000 */
    readonly heartbeat?: number | undefined;
    /** Called when the stream has ended for any reason. @default no callback */
    readonly onEnd?: (() => void) | undefined;
  },
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const gone = new AbortController();
  writer.closed.catch(() => gone.abort("the client left"));
  const signal = AbortSignal.any([ends, gone.signal]);
  const write = (text: string) => writer.write(encoder.encode(text));
  const beating = setInterval(() => {
    // A client with unread bytes needs no heartbeat.
    if (writer.desiredSize === 1) write(": alive\n\n").catch(() => {});
  }, heartbeat);
  const send = async () => {
    try {
      // A first byte at once, so that the client gets the headers.
      await write(": here\n\n");
      for await (const event of signal.aborted ? [] : events(signal)) {
        if (signal.aborted) break;
        await writer.write(bytesOf(event));
      }
    } catch (error) {
      if (!signal.aborted) {
        const event = { event: "error", data: problemOf(error, scope) };
        write(formatEvent(event)).catch(() => {});
      }
    }
    clearInterval(beating);
    onEnd();
    await writer.close();
  };
  // A client that left has closed the stream already.
  send().catch(() => {});
  return new Response(readable, { headers: { ...STREAM_HEADERS, ...headers } });
}

const encoder = new TextEncoder();

/** Encodes an event; memoized, because many clients get the same event. */
const bytesOf = memoByObject((event: SentEvent) => encoder.encode(formatEvent(event)));

function formatEvent({ event, id, data }: SentEvent): string {
  const lines = [
    ...event === undefined ? [] : [`event: ${event}`],
    ...id === undefined ? [] : [`id: ${id}`],
    `data: ${JSON.stringify(data ?? null)}`,
  ];
  return `${lines.join("\n")}\n\n`;
}
