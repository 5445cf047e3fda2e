// WebSocket of a convening: sends events, and takes a client's messages to the convening.
import { setTimeout as delay } from "node:timers/promises";
import { join } from "@std/path";
import { z } from "zod";
import { ConfigurationError } from "../core/error.ts";
import { ID, OF_CONVENING, type OperationContext } from "../operations/operation.ts";
import { conveningDir, problemOf } from "../operations/client_view.ts";
import { checkInput } from "../core/check_fields.ts";
import { pauseForClient, sayForClient, sayRequest } from "../operations/client_runs.ts";
import { heldStatus } from "../record/archive.ts";
import { recordFiles } from "../record/disk_files.ts";
import { readMetadata } from "../record/read.ts";
import { eventNumber, sentEvents, StreamPlaces } from "./events.ts";
import { parsedJson } from "./request_body.ts";
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
      const handlers = () => handlersOf({ server, dir }, { after, places });
      const answer = await upgrade(handlers)(context as never, async () => {});
      return answer instanceof Response ? answer : context.res;
    },
  });
}

interface Served {
  readonly server: OperationContext;
  readonly dir: string;
}

/** A client of a convening; `signal` aborts when the client leaves or the server ends. */
interface Client extends Served {
  readonly socket: OpenSocket;
  readonly signal: AbortSignal;
}

function handlersOf(
  served: Served,
  { after, places }: { readonly after: number; readonly places: StreamPlaces },
): SocketHandlers {
  const gone = new AbortController();
  const signal = AbortSignal.any([served.server.signal, gone.signal]);
  /** Resolves when every message of the client is answered. */
  let answered = Promise.resolve();
  let waiting = 0;
  const close = (socket: OpenSocket, why: keyof typeof CLOSED, reason: string) => {
    if (!gone.signal.aborted) socket.close(CLOSED[why], reason);
  };
  return {
    async onOpen(_event, socket) {
      let leave = () => {};
      try {
        leave = places.take();
        const status = await follow({ ...served, socket, signal }, after);
        await answered;
        if (!signal.aborted) close(socket, "ended", status);
      } catch (error) {
        if (!signal.aborted) {
          const problem = problemOf(error, served.server);
          socket.send(JSON.stringify({ type: "error", id: null, ...problem }));
          const { code } = problem.error;
          close(socket, code === "busy" ? "busy" : "failed", code);
        }
      }
      if (signal.aborted) close(socket, "serverEnds", "the server is ending");
      leave();
    },
    onMessage({ data }, socket) {
      if (typeof data !== "string") return close(socket, "noText", "messages are JSON as text");
      if (++waiting > MAX_WAITING) {
        return close(socket, "tooMany", `more than ${MAX_WAITING} messages wait`);
      }
      answered = answered.then(async () => {
        await send({ ...served, socket, signal }, await replyTo(served, data));
        waiting--;
      });
    },
    onClose: () => gone.abort("the client left"),
  };
}

/** Sends all events until the convening ends or the signal aborts; returns the convening's status. */
async function follow(client: Client, after: number): Promise<string> {
  const { server, dir, signal } = client;
  const files = recordFiles(dir);
  const logSize = async () => (await files.stat(join(dir, "log.jsonl")))?.size ?? 0;
  for (let last = after;;) {
    const size = await logSize();
    for await (const { id, data } of sentEvents(server, dir, { after: last, signal })) {
      await send(client, data);
      if (id !== undefined) last = Number(id);
    }
    const { progress: { status } } = await readMetadata(files, dir);
    if (signal.aborted || !RESTING.includes(status)) return await heldStatus(files, dir, status);
    while (!signal.aborted && size === await logSize()) await delay(POLL_EVERY);
  }
}

/** Sends a value as JSON; waits while more than {@linkcode MAX_UNSENT} bytes are buffered. */
async function send({ socket, signal }: Client, value: unknown): Promise<void> {
  while (!signal.aborted && unsent(socket) > MAX_UNSENT) await delay(POLL_EVERY);
  if (!signal.aborted) socket.send(JSON.stringify(value));
}

/** Parses and performs a message of the client; returns the reply, or the error as a reply. */
async function replyTo(served: Served, text: string): Promise<object> {
  let message: unknown;
  try {
    message = parsedJson(text, refusal);
    const asked = checkInput(clientMessage, message, { whole: "message", part: "field" });
    return { type: "reply", id: asked.id ?? null, ...await act(served, asked) };
  } catch (error) {
    const sent = message instanceof Object && "id" in message ? message.id : undefined;
    const problem = problemOf(error, served.server);
    return { type: "error", id: id.safeParse(sent).data ?? null, ...problem };
  }
}

async function act({ server, dir }: Served, asked: z.infer<typeof clientMessage>): Promise<object> {
  checkWritable(server);
  if (asked.type === "pause") return await pauseForClient(server, dir);
  const { type, id: _, ...said } = asked;
  return await sayForClient(server, dir, {
    ...said,
    ...type === "interject" ? { interject: true } : {},
  });
}

function refusal(state: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`Cannot use the message: ${state}`, {
    field: "message",
    hint: 'Send an object, such as {"type": "say", "text": "…"}.',
    cause,
  });
}

/** Returns the number of bytes that are buffered for the client. */
function unsent({ raw }: OpenSocket): number {
  return raw instanceof Object && "bufferedAmount" in raw ? Number(raw.bufferedAmount) : 0;
}
