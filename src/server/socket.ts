// The WebSocket of a convening: its events as they come, and what a client says into it.
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
import { pauseForClient, sayForClient, sayRequest } from "../operations/attending.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readMetadata } from "../record/read.ts";
import { eventNumber, sentEvents, StreamPlaces } from "./events.ts";
import { isDeep } from "./request_body.ts";
import { checkWritable, type Route, route } from "./route.ts";

/** A socket that is open. */
export interface OpenSocket {
  /** The adapter's own socket; `bufferedAmount` says how many bytes wait to be sent. */
  readonly raw?: unknown;
  /** Sends a text. */
  send(text: string): void;
  /** Closes the socket with a code of RFC 6455 and a reason. */
  close(code: number, reason: string): void;
}

/** Handlers of a socket's events. */
export interface SocketHandlers {
  /** Called once it is open. */
  readonly onOpen: (event: unknown, socket: OpenSocket) => void;
  /** Called with each message of the client, a text or bytes. */
  readonly onMessage: (event: { readonly data: unknown }, socket: OpenSocket) => void;
  /** Called once it is closed. */
  readonly onClose: () => void;
}

/** Opens sockets, as `upgradeWebSocket` of hono's adapters for `node:http` and `Deno.serve` does. */
export type SocketUpgrade = (
  handlers: () => SocketHandlers,
) => (context: never, next: () => Promise<void>) => Promise<Response | void>;

/** The most messages of a client that wait for their answers. */
const MAX_WAITING = 16;
/** The most bytes that wait for a client that reads slowly. */
const MAX_UNSENT = 1 << 20;
/** Time between looks at a slow client, or at a convening at rest, in milliseconds. */
const LOOK_EVERY = 200;
/** States of a convening in which a client's words can bring more events. */
const RESTING: readonly string[] = ["waiting", "paused"];
/** Reasons for which a socket is closed, as RFC 6455 numbers them. */
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

/** A message of a client; the reply has its `id`. */
export const clientMessage = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("say"), id, ...say }),
  z.strictObject({ type: z.literal("interject"), id, text: say.text }),
  z.strictObject({ type: z.literal("pause"), id }),
]);

/**
 * `GET /api/convenings/{id}/socket`: a WebSocket, where the listener opens sockets. Events are those of the event stream,
 * after `after`; a client says, interjects and pauses. Closes with 1000 once the convening has ended.
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
        throw new ConfigurationError("Cannot open a socket: this is no request for a WebSocket", {
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
  /** Resolves once every message of the client is answered. */
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

  /** Sends every event until the convening has ended, the server ends or the client leaves. */
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
        const status = await this.#status();
        if (!RESTING.includes(status)) return await this.#end(socket, status);
        while (!this.#signal.aborted && size === await this.#logSize()) await delay(LOOK_EVERY);
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

  /** Closes the socket once the client's messages are answered. */
  async #end(socket: OpenSocket, status: string): Promise<void> {
    await this.#answered;
    this.#close(socket, "ended", status);
  }

  async #status(): Promise<string> {
    return (await readMetadata(recordFiles(this.#dir), this.#dir)).progress.status;
  }

  async #logSize(): Promise<number> {
    const log = join(this.#dir, "log.jsonl");
    return (await recordFiles(this.#dir).stat(log))?.size ?? 0;
  }

  /** Sends a value as JSON, once the client has read most of what was sent before. */
  async #send(socket: OpenSocket, value: unknown): Promise<void> {
    while (!this.#signal.aborted && unsent(socket) > MAX_UNSENT) await delay(LOOK_EVERY);
    if (!this.#signal.aborted) socket.send(JSON.stringify(value));
  }

  /** Takes a message of the client, to be answered after those before it. */
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

  /** The answer to a message of the client. */
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
    throw refusal("it is no JSON", cause);
  }
  if (isDeep(value)) throw refusal("it is nested too deep");
  return value;
}

/** Bytes that the client has not read yet. */
function unsent({ raw }: OpenSocket): number {
  return raw instanceof Object && "bufferedAmount" in raw ? Number(raw.bufferedAmount) : 0;
}
