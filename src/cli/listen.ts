// Listens for HTTP requests and WebSockets, through node:http: Deno.serve has no limit on the time of a request's head.
import type { Server } from "node:http";
import { ConveningError, type ErrorCode } from "../core/error.ts";
import type { ConnectionInfo } from "../server/access.ts";
import { MAX_BODY } from "../server/request_body.ts";
import type { SocketUpgrade } from "../server/socket.ts";

export interface Listener {
  /** The port, also where any free port was asked for. */
  readonly port: number;
  /** Takes no more requests; resolves once open requests are answered, or after two seconds. */
  close(): Promise<void>;
}

/** The time that open requests get to finish, in milliseconds. */
const GRACE = 2000;
/** The time between pings of an open socket, so that nothing in between closes it, in milliseconds. */
const PING_EVERY = 15_000;

export interface Tls {
  readonly cert: string;
  readonly key: string;
}

interface ListenOptions extends Partial<Tls> {
  readonly hostname: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** The longest time for the head of a request, in milliseconds. @default 10000 */
  readonly headersTimeout?: number | undefined;
}

/** Listens for requests. Fails with `taken` where another program has the port, and with `forbidden` where it may not be had. */
export async function listen(
  handler: (request: Request, connection: ConnectionInfo) => Promise<Response>,
  { hostname, port, cert, key, headersTimeout = 10_000 }: ListenOptions,
): Promise<Listener> {
  // No other command answers requests.
  const { createAdaptorServer } = await import("@hono/node-server");
  const timing = { headersTimeout, connectionsCheckingInterval: headersTimeout / 5 };
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    ...cert === undefined ? { serverOptions: timing } : {
      createServer: (await import("node:https")).createServer,
      serverOptions: { ...timing, cert, key },
    },
    websocket: { server: await socketServer() },
    fetch: ({ url, method, headers, body, signal }, env) => {
      const remoteAddr = { transport: "tcp", hostname: env.incoming.socket.remoteAddress ?? "" };
      try {
        // The adapter's own requests are none that another Request can be made of.
        const request = new Request(url, { method, headers, body, signal });
        return handler(request, Object.assign(env, { remoteAddr }));
      } catch {
        // The handler never fails: the request has a method that no Request has, such as TRACE.
        return new Response(null, { status: 400 });
      }
    },
  }) as Server;
  await opened(server, hostname, port);
  const address = server.address();
  return {
    port: typeof address === "object" ? address?.port ?? port : port,
    async close() {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeIdleConnections();
      // A client that never reads on is not waited for.
      const timer = setTimeout(() => server.closeAllConnections(), GRACE);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Opens WebSockets for the requests of a {@linkcode Listener}. */
export async function socketUpgrade(): Promise<SocketUpgrade> {
  return (await import("@hono/node-server")).upgradeWebSocket;
}

/** The server of sockets: a message is no longer than a body, and its length is checked before it is read. */
async function socketServer() {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY });
  server.on("connection", (socket: { ping(): void; on(event: "close", end: () => void): void }) => {
    const pinging = setInterval(() => socket.ping(), PING_EVERY);
    socket.on("close", () => clearInterval(pinging));
  });
  return server;
}

async function opened(server: Server, hostname: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, hostname, () => resolve());
    });
  } catch (cause) {
    const known = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const state = cause instanceof Error ? cause.message : String(cause);
    const { code, ...problem } = PROBLEMS[known] ?? { code: "unexpected", state, hint: OTHER };
    throw new ConveningError(code, `Cannot listen on ${hostname}:${port}: ${problem.state}`, {
      field: "--port",
      hint: problem.hint,
      cause,
    });
  }
}

const OTHER = "Give an address of this machine as --host, and a --port that you may use.";

/** Reasons why a port is not opened, by the codes of the system. */
const PROBLEMS: Readonly<
  Record<string, { readonly code: ErrorCode; readonly state: string; readonly hint: string }>
> = {
  EADDRINUSE: {
    code: "taken",
    state: "another program has this port",
    hint: "End that program, or give another --port; 0 takes any that is free.",
  },
  EACCES: { code: "forbidden", state: "the system does not allow it", hint: OTHER },
};
