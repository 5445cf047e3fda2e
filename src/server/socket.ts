// WebSocket of a convening: sends events, and takes a client's messages to the convening.
import { setTimeout as delay } from "node:timers/promises";
import { join } from "@std/path";
import { z } from "zod";
import { ConfigurationError } from "../core/error.ts";
import {
  checkInput,
  ID,
  OF_CONVENING,
  type OperationContext,
  problemOf,
} from "../operations/operation.ts";
import { conveningDir, withoutPaths } from "../operations/convening_dir.ts";
import { pauseForClient, sayForClient, sayRequest } from "../operations/client_runs.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readMetadata } from "../record/read.ts";
import { eventNumber, sentEvents, StreamPlaces } from "./events.ts";
import { isDeep } from "./request_body.ts";
import { checkWritable, type Route, route } from "./route.ts";

/** An open socket. */
export interface OpenSocket {
  /** Socket of the adapter; its `bufferedAmount` is the number of unsent bytes. */
  readonly raw?: unknown;
  /** Sends a text. */
  send(text: string): void;
  /** Closes the socket with a code of RFC 6455 and a reason. */
  close(code: number, reason: string): void;
}

/** Handlers of a socket's events. */
export interface SocketHandlers {
  /** Called when the socket is open. */
  readonly onOpen: (event: unknown, socket: OpenSocket) => void;
  /** Called with each message of the client, as text or bytes. */
  readonly onMessage: (event: { readonly data: unknown }, socket: OpenSocket) => void;
  /** Called when the socket is closed. */
  readonly onClose: () => void;
}

/** Opens a socket: the type of `upgradeWebSocket` of hono's adapters for `node:http` and `Deno.serve`. */
export type SocketUpgrade = (
  handlers: () => SocketHandlers,
) => (context: never, next: () => Promise<void>) => Promise<Response | void>;

/** Maximal number of unanswered messages of a client. */
const MAX_WAITING = 16;
/** Maximal bytes that are buffered for a slow client. */
const MAX_UNSENT = 1 << 20;
/** Interval of polling a slow client's buffer, or the log of a convening at rest, in milliseconds. */
const POLL_EVERY = 200;
/** Statuses of a convening that can continue after a client's message. */
const RESTING: readonly string[] = ["waiting", "paused"];
/** Close codes of RFC 6455, by reason. */
const CLOSED = {
  ended: 1000,
  serverEnds: 1001,
  noText: 1003,
  tooMany: 1008,
  failed: 1011,
  busy: 1013,
} as const;

const id = z.union([z.string().max(200), z.int()]).optional();
const { interject: _, ...say } = sayRequest.shape;

/** Schema of a client's message; the reply repeats the `id`. */
export const clientMessage = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("say"), id, ...say }),
  z.strictObject({ type: z.literal("interject"), id, text: say.text }),
  z.strictObject({ type: z.literal("pause"), id }),
]);

/**
 * `GET /api/convenings/{id}/socket`: opens a WebSocket, if the listener supports WebSockets. Sends the events of the event
 * stream after number `after`; a client can say, interject and pause. Closes with 1000 when the convening has ended.
 */
export function socketRoute(upgrade: SocketUpgrade | undefined): Route {
  const places = new StreamPlaces();
  return route({
    name: "socket",
    summary:
      "Opens a WebSocket: the events of the event stream; takes say, interject and pause as JSON.",
    tags: ["convenings"],
    method: "get",
    path: "/api/convenings/{id}/socket",
    writes: true,
    errors: OF_CONVENING,
    input: z.strictObject({ id: ID, after: eventNumber.default(0) }),
    answers: {
      101: { about: "The socket; it is closed with 1000 once the convening has ended." },
    },
    async respond(context, { id, after }, server) {
      const dir = await conveningDir(server.out, id);
      if (context.req.header("upgrade")?.toLowerCase() !== "websocket" || upgrade === undefined) {
        throw new ConfigurationError("Cannot open a socket: this is not a WebSocket request", {
          field: "Upgrade",
          hint: "Open it with a WebSocket client, or follow GET /api/convenings/ID/events.",
        });
      }
      const socket = new ConveningSocket(server, dir, { after, places });
      const answer = await upgrade(() => socket.handlers)(context as never, async () => {});
      return answer instanceof Response ? answer : context.res;
    },
  });
}

class ConveningSocket {
  readonly #server: OperationContext;
  readonly #dir: string;
  readonly #places: StreamPlaces;
  readonly #gone = new AbortController();
  readonly #signal: AbortSignal;
  #after: number;
  #leave = () => {};
  /** Resolves when every message of the client is answered. */
  #answered: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(
    server: OperationContext,
    dir: string,
    { after, places }: { readonly after: number; readonly places: StreamPlaces },
  ) {
    this.#server = server;
    this.#dir = dir;
    this.#after = after;
    this.#places = places;
    this.#signal = AbortSignal.any([server.signal, this.#gone.signal]);
  }

  get handlers(): SocketHandlers {
    return {
      onOpen: (_event, socket) => void this.#follow(socket),
      onMessage: ({ data }, socket) => this.#take(data, socket),
      onClose: () => {
        this.#gone.abort("the client left");
        this.#leave();
      },
    };
  }

  /** Sends all events until the convening ends, the server ends or the client disconnects. */
  async #follow(socket: OpenSocket): Promise<void> {
    try {
      this.#leave = this.#places.take();
      for (;;) {
        const size = await this.#logSize();
        const events = sentEvents(this.#server, this.#dir, {
          after: this.#after,
          signal: this.#signal,
        });
        for await (const { id, data } of events) {
          await this.#send(socket, data);
          if (id !== undefined) this.#after = Number(id);
        }
        const { progress: { status } } = await readMetadata(recordFiles(this.#dir), this.#dir);
        if (!RESTING.includes(status)) {
          await this.#answered;
          return this.#close(socket, "ended", status);
        }
        while (!this.#signal.aborted && size === await this.#logSize()) await delay(POLL_EVERY);
        if (this.#signal.aborted) return this.#close(socket, "serverEnds", "the server is ending");
      }
    } catch (error) {
      if (this.#signal.aborted) return this.#close(socket, "serverEnds", "the server is ending");
      const problem = problemOf(withoutPaths(error, this.#server.out));
      socket.send(JSON.stringify({ type: "error", id: null, ...problem }));
      const { code } = problem.error;
      this.#close(socket, code === "busy" ? "busy" : "failed", code);
    }
  }

  async #logSize(): Promise<number> {
    const log = join(this.#dir, "log.jsonl");
    return (await recordFiles(this.#dir).stat(log))?.size ?? 0;
  }

  /** Sends a value as JSON; waits while more than {@linkcode MAX_UNSENT} bytes are buffered. */
  async #send(socket: OpenSocket, value: unknown): Promise<void> {
    while (!this.#signal.aborted && unsent(socket) > MAX_UNSENT) await delay(POLL_EVERY);
    if (!this.#signal.aborted) socket.send(JSON.stringify(value));
  }

  /** Queues a message of the client; messages are answered in order. */
  #take(data: unknown, socket: OpenSocket): void {
    if (typeof data !== "string") return this.#close(socket, "noText", "messages are JSON as text");
    if (++this.#waiting > MAX_WAITING) {
      return this.#close(socket, "tooMany", `more than ${MAX_WAITING} messages wait`);
    }
    this.#answered = this.#answered.then(async () => {
      await this.#send(socket, await this.#answer(data));
      this.#waiting--;
    });
  }

  /** Parses and performs a message of the client; returns the reply, or the error as a reply. */
  async #answer(text: string): Promise<object> {
    let message: unknown;
    try {
      message = parsed(text);
      const asked = checkInput(clientMessage, message, { whole: "message", part: "field" });
      return { type: "reply", id: asked.id ?? null, ...await this.#act(asked) };
    } catch (error) {
      const given = message instanceof Object && "id" in message ? message.id : undefined;
      return {
        type: "error",
        id: id.safeParse(given).data ?? null,
        ...problemOf(withoutPaths(error, this.#server.out)),
      };
    }
  }

  async #act(asked: z.infer<typeof clientMessage>): Promise<object> {
    checkWritable(this.#server);
    if (asked.type === "pause") return await pauseForClient(this.#server, this.#dir);
    const { type, id: _, ...said } = asked;
    return await sayForClient(this.#server, this.#dir, {
      ...said,
      ...type === "interject" ? { interject: true } : {},
    });
  }

  #close(socket: OpenSocket, why: keyof typeof CLOSED, reason: string): void {
    if (!this.#gone.signal.aborted) socket.close(CLOSED[why], reason);
  }
}

function parsed(text: string): unknown {
  const refusal = (state: string, cause?: unknown) =>
    new ConfigurationError(`Cannot use the message: ${state}`, {
      hint: 'Send an object, such as {"type": "say", "text": "…"}.',
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refusal("it is not JSON", cause);
  }
  if (isDeep(value)) throw refusal("it is nested too deep");
  return value;
}

/** Returns the number of bytes that are buffered for the client. */
function unsent({ raw }: OpenSocket): number {
  return raw instanceof Object && "bufferedAmount" in raw ? Number(raw.bufferedAmount) : 0;
}
