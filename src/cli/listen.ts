import { ConveningError } from "../core/error.ts";

/** Where requests come in. */
export interface Listener {
  /** The port it was given, also where any free one was asked for. */
  readonly port: number;
  /** Takes no more requests; resolves once those that came are answered, or after two seconds. */
  close(): Promise<void>;
}

/** How long answers that are on their way are waited for, in milliseconds. */
const GRACE = 2000;

/** Listens for requests. Fails with `taken` where another program has the port, and with `forbidden` where it may not be had. */
export function listen(
  handler: (request: Request, connection: Deno.ServeHandlerInfo) => Promise<Response>,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): Listener {
  const server = opened(
    hostname,
    port,
    () =>
      Deno.serve({
        hostname,
        port,
        onListen() {},
        onError: () => new Response(null, { status: 500 }),
      }, handler),
  );
  return {
    port: server.addr.port,
    async close() {
      // One who never reads on is not waited for.
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, GRACE);
      await Promise.race([server.shutdown(), late]);
      clearTimeout(timer);
    },
  };
}

function opened<T>(hostname: string, port: number, open: () => T): T {
  try {
    return open();
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
  if (cause instanceof Deno.errors.AddrInUse) {
    return {
      code: "taken",
      state: "another program has this port",
      hint: "End that program, or give another --port; 0 takes any that is free.",
    };
  }
  const hint = "Give an address of this machine as --host, and a --port that you may use.";
  if (cause instanceof Deno.errors.PermissionDenied) {
    return { code: "forbidden", state: "the system does not allow it", hint };
  }
  const state = cause instanceof Error ? cause.message : String(cause);
  return { code: "unexpected", state, hint };
}
