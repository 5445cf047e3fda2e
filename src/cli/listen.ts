import { createServer, type Server } from "node:http";
import { ConveningError } from "../core/error.ts";
import type { ConnectionInfo } from "../server/access.ts";

/** Where requests come in. */
export interface Listener {
  /** The port it was given, also where any free one was asked for. */
  readonly port: number;
  /** Takes no more requests; resolves once those that came are answered, or after two seconds. */
  close(): Promise<void>;
}

/** How long answers that are on their way are waited for, in milliseconds. */
const GRACE = 2000;
/** Where to listen. */
export interface ListenOptions {
  readonly hostname: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** How long the head of a request may take to come, in milliseconds; `Deno.serve` waits for ever. @default 10000 */
  readonly headersTimeout?: number | undefined;
}

/** Listens for requests. Fails with `taken` where another program has the port, and with `forbidden` where it may not be had. */
export async function listen(
  handler: (request: Request, connection: ConnectionInfo) => Promise<Response>,
  { hostname, port, headersTimeout = 10_000 }: ListenOptions,
): Promise<Listener> {
  // No other command answers requests.
  const { getRequestListener } = await import("@hono/node-server");
  const answer = getRequestListener(
    ({ url, method, headers, body, signal }, { incoming }) => {
      const hostname = incoming.socket.remoteAddress ?? "";
      // The adapter's own requests are none that another Request can be made of.
      const request = new Request(url, { method, headers, body, signal });
      return handler(request, { remoteAddr: { transport: "tcp", hostname } });
    },
    {
      overrideGlobalObjects: false,
      // The handler never fails: the request is none, or of a method that no Request has, such as TRACE.
      errorHandler: () => new Response(null, { status: 400 }),
    },
  );
  const server = createServer(
    { headersTimeout, connectionsCheckingInterval: headersTimeout / 5 },
    answer,
  );
  await opened(server, hostname, port);
  const address = server.address();
  return {
    port: typeof address === "object" ? address?.port ?? port : port,
    async close() {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeIdleConnections();
      // One who never reads on is not waited for.
      const timer = setTimeout(() => server.closeAllConnections(), GRACE);
      await closed;
      clearTimeout(timer);
    },
  };
}

async function opened(server: Server, hostname: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, hostname, () => resolve());
    });
  } catch (cause) {
    const { code, state, hint } = problemOf(cause);
    throw new ConveningError(code, `Cannot listen on ${hostname}:${port}: ${state}`, {
      field: "--port",
      hint,
      cause,
    });
  }
}

function problemOf(
  cause: unknown,
): {
  readonly code: "taken" | "forbidden" | "unexpected";
  readonly state: string;
  readonly hint: string;
} {
  const known = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (known === "EADDRINUSE") {
    return {
      code: "taken",
      state: "another program has this port",
      hint: "End that program, or give another --port; 0 takes any that is free.",
    };
  }
  const hint = "Give an address of this machine as --host, and a --port that you may use.";
  if (known === "EACCES") {
    return { code: "forbidden", state: "the system does not allow it", hint };
  }
  const state = cause instanceof Error ? cause.message : String(cause);
  return { code: "unexpected", state, hint };
}
