// Listens for HTTP requests and WebSockets by node:http, since Deno.serve has no timeout for the head of a request.
import type { IncomingMessage, Server } from "node:http";
import { ConveningError, type ErrorCode, errorMessage } from "../core/error.ts";
import type { ConnectionInfo } from "../server/access.ts";
import { MAX_BODY } from "../server/request_body.ts";
import type { SocketUpgrade } from "../server/socket.ts";
import { canOpenFiles } from "./io.ts";

interface Listener {
  /** The actual port, also if port 0 was requested. */
  readonly port: number;
  /** Stops accepting requests; resolves once open requests are answered, or after two seconds. */
  close(): Promise<void>;
}

/** Time for open requests to finish at the end, in milliseconds. */
const GRACE = 2000;
/** Interval of attempts to open a closed port again, in milliseconds. */
const REOPEN_EVERY = 500;
/** Interval of pings that keep a socket open through proxies, in milliseconds. */
const PING_EVERY = 15_000;
/** Maximum number of requests of a connection without an answer. */
const MOST_UNANSWERED = 100;

export interface Tls {
  readonly cert: string;
  readonly key: string;
}

interface ListenOptions extends Partial<Tls> {
  readonly hostname: string;
  /** Port number; 0 for any free port. */
  readonly port: number;
  /** Maximum time for the head of a request, in milliseconds. @default 10000 */
  readonly headersTimeout?: number | undefined;
}

/** Listens for requests. Throws `taken` if another program has the port, and `forbidden` if the system denies the port. */
export async function listen(
  handler: (request: Request, connection: ConnectionInfo) => Promise<Response>,
  { hostname, port: given, cert, key, headersTimeout = 10_000 }: ListenOptions,
): Promise<Listener> {
  // Lazy import: only this command needs the HTTP server.
  const { createAdaptorServer } = await import("@hono/node-server");
  const options = {
    headersTimeout,
    connectionsCheckingInterval: headersTimeout / 5,
    // Other upgrades, such as that to HTTP/2 by `curl --http2`, are ignored: without this they would never be answered.
    // An upgrade that is refused gets no body, so only requests of a socket are upgrades.
    shouldUpgradeCallback: ({ headers, method, url = "" }: IncomingMessage) =>
      headers.upgrade?.toLowerCase() === "websocket" && method === "GET" &&
      /^[^?]*\/socket(?:\?|$)/.test(url),
  };
  const sockets = await socketServer();
  const earlierAnswers = answersInOrder();
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    ...cert === undefined ? { serverOptions: options } : {
      createServer: (await import("node:https")).createServer,
      serverOptions: { ...options, cert, key },
    },
    websocket: { server: sockets },
    fetch: async ({ url, method, headers, body, signal }, env) => {
      // An upgrade has no answer.
      if (env.outgoing !== undefined) await earlierAnswers(env.incoming.socket, env.outgoing);
      const remoteAddr = { transport: "tcp", hostname: env.incoming.socket.remoteAddress ?? "" };
      try {
        // Copy the request: `new Request()` does not accept the adapter's request objects.
        const request = new Request(url, { method, headers, body, signal });
        return handler(request, Object.assign(env, { remoteAddr }));
      } catch {
        // Only `new Request()` can throw here, for a method such as TRACE.
        return new Response(null, { status: 400 });
      }
    },
  }) as Server;
  await openPort(server, hostname, given);
  const address = server.address();
  const port = typeof address === "object" ? address?.port ?? given : given;
  const stopWatch = closeWhileFull(server, () => server.listen(port, hostname));
  return {
    port,
    async close() {
      stopWatch();
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeIdleConnections();
      // Do not wait longer for a client that stopped reading, or that leaves the end of its socket unanswered.
      const timer = setTimeout(() => {
        server.closeAllConnections();
        for (const each of sockets.clients) each.terminate();
      }, GRACE);
      await closed;
      clearTimeout(timer);
    },
  };
}

type Connection = IncomingMessage["socket"];

interface Answer {
  once(event: "close", end: () => void): unknown;
}

/**
 * Returns a function that waits until a connection's earlier requests are answered. Thousands of requests that a client sends at
 * once, without reading answers, would hold up all others: too many end the connection.
 */
function answersInOrder() {
  const unanswered = new WeakMap<Connection, Answer[]>();
  return async (socket: Connection, answer: Answer) => {
    const all = unanswered.getOrInsert(socket, []);
    const before = all.at(-1);
    all.push(answer);
    answer.once("close", () => all.shift());
    if (all.length > MOST_UNANSWERED) socket.destroy();
    if (before) await new Promise<void>((resolve) => before.once("close", resolve));
  };
}

export async function socketUpgrade(): Promise<SocketUpgrade> {
  return (await import("@hono/node-server")).upgradeWebSocket;
}

/** Creates the WebSocket server. The maximum size of a message is that of a request's body, checked before reading. */
async function socketServer() {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY });
  server.on("connection", (socket: { ping(): void; on(event: "close", end: () => void): void }) => {
    const pinging = setInterval(() => socket.ping(), PING_EVERY);
    socket.on("close", () => clearInterval(pinging));
  });
  return server;
}

/**
 * Closes the port while the process can open no more files: Deno's listener accepts nothing more after a connection that it
 * could not accept. Returns a function that ends this.
 */
function closeWhileFull(server: Server, reopen: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  // Another program may take the port meanwhile.
  server.on("error", () => {});
  server.on("listening", () => clearInterval(timer));
  server.on("connection", () => {
    if (!server.listening || canOpenFiles()) return;
    server.close();
    timer = setInterval(() => {
      if (canOpenFiles()) reopen();
    }, REOPEN_EVERY);
  });
  return () => clearInterval(timer);
}

async function openPort(server: Server, hostname: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, hostname, () => resolve());
    });
  } catch (cause) {
    const known = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const { code, ...problem } = PROBLEMS[known] ??
      { code: "unexpected", state: errorMessage(cause), hint: OTHER };
    throw new ConveningError(code, `Cannot listen on ${hostname}:${port}: ${problem.state}`, {
      field: "--port",
      hint: problem.hint,
      cause,
    });
  }
}

const OTHER = "Give an address of this machine as --host, and a --port that you may use.";

/** Problems of opening a port, by the system's error code. */
const PROBLEMS: Readonly<
  Record<string, { readonly code: ErrorCode; readonly state: string; readonly hint: string }>
> = {
  EADDRINUSE: {
    code: "taken",
    state: "another program has this port",
    hint: "End that program, or give another --port; 0 for any free port.",
  },
  EACCES: { code: "forbidden", state: "the system does not allow it", hint: OTHER },
};
