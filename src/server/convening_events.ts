import { basename } from "@std/path";
import type { ConveningEvent } from "../core/event.ts";
import { onceEach } from "../core/once_each.ts";
import { logLine } from "../record/event_log.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readMetadata } from "../record/read.ts";
import type { ServerContext } from "../operations/server_context.ts";
import { eventStream, type SentEvent, STREAM_HEADERS } from "./event_stream.ts";
import { wholeOf } from "./query.ts";
import type { StreamPlaces } from "./stream_places.ts";

/**
 * A convening's events as an answer: every numbered one once, as the log has it, with its number as id; deltas only while
 * they come. It goes on after the `Last-Event-ID`, or `after`. To a client that names either, and has heard all of one
 * that has completed, it is 204, which tells it to stay away. Fails with `busy` where too many listen.
 */
export async function toldEvents(
  server: ServerContext,
  dir: string,
  { request, places }: { readonly request: Request; readonly places: StreamPlaces },
): Promise<Response> {
  const last = request.headers.get("last-event-id") ?? "";
  const query = new URL(request.url).searchParams.get("after") ?? "";
  const after = wholeOf(last === "" ? query : last, last === "" ? "after" : "Last-Event-ID", {
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    usual: 0,
  });
  const isBack = last !== "" || query !== "";
  if (isBack && await isHeard(server, dir, after)) return new Response(null, { status: 204 });
  // What asks for the head alone is told nothing.
  if (request.method === "HEAD") {
    return new Response(null, { headers: STREAM_HEADERS });
  }
  return eventStream((signal) => sentEvents(server, dir, { after, signal }), {
    signal: server.signal,
    onEnd: places.take(),
  });
}

/** Whether nothing comes any more after a number. */
async function isHeard({ pool }: ServerContext, dir: string, after: number): Promise<boolean> {
  if (pool.run(basename(dir))?.feed.ended === false) return false;
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
  { pool }: ServerContext,
  dir: string,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<SentEvent> {
  for await (const event of pool.events(dir, options)) yield sent(event);
}

/** An event as it is sent: once made, it goes to all who follow. */
const sent = onceEach((event: ConveningEvent): SentEvent => {
  const { type: name, n } = event;
  return name === "message-delta"
    ? { event: name, data: event }
    : { event: name, id: String(n), data: logged(event) };
});

/** As the log has it: without the texts of sources and papers. */
function logged(event: ConveningEvent): unknown {
  return event.type === "convening-start" ? JSON.parse(logLine(event)) : event;
}
