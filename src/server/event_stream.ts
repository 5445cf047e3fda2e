// Responses of server-sent events.
import { onceEach } from "../core/values.ts";
import { problemOf } from "../operations/operation.ts";

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
