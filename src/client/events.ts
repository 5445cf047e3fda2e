// Server-sent events of a convening, read by fetch: each once, over lost connections too.
import type { ConveningEvent } from "../core/event.ts";
import { ClientError } from "./answers.ts";

interface SentEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Time before a connection is opened again, in milliseconds; each failure doubles it. */
const PAUSE = 1000;
const LONGEST_PAUSE = 15_000;
/** States of a convening that can go on by itself or by a person. */
const RESTING: readonly string[] = ["waiting", "paused"];

/**
 * The events after a number: `open` opens a stream after the last one. Fails with {@linkcode ClientError} where the server
 * refuses, and as the signal does once it is aborted.
 */
export async function* followedEvents(
  open: (last: number) => Promise<Response>,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<ConveningEvent> {
  let last = after;
  let pause = PAUSE;
  for (;;) {
    try {
      const response = await open(last);
      if (response.status === 204 || response.body === null) return;
      let hasEnded = false;
      for await (const { event, id, data } of sentEvents(response.body)) {
        if (event === "error") throw new ClientError(500, JSON.parse(data).error);
        const sent: ConveningEvent = JSON.parse(data);
        if (id !== undefined) last = Number(id);
        pause = PAUSE;
        hasEnded = sent.type === "convening-end" && !RESTING.includes(sent.ending.status);
        yield sent;
      }
      if (hasEnded) return;
    } catch (error) {
      signal?.throwIfAborted();
      const isBusy = error instanceof ClientError && error.status === 503;
      if (error instanceof ClientError && !isBusy) throw error;
    }
    await waited(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** The events in the body of an sent stream; a comment is none. */
async function* sentEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<SentEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = new Map(
          block.split("\n").map((line) => {
            const at = line.indexOf(": ");
            return [line.slice(0, at), line.slice(at + 2)] as const;
          }),
        );
        const data = fields.get("data");
        if (data === undefined) continue;
        yield { event: fields.get("event") ?? "message", id: fields.get("id"), data };
      }
    }
  } finally {
    // Whoever leaves the loop closes the connection.
    await reader.cancel().catch(() => {});
  }
}

function waited(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
