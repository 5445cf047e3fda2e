// A local HTTP server at a port that no server of the process had before.

/** Ports so far: what the program learns of a server, such as limits and profiles, belongs to the server's origin. */
const used = new Set<number>();

/** Notes the port of a server; returns true if no server of the process had the port before. */
export function isNewPort(port: number): boolean {
  return used.size < used.add(port).size;
}

/** Serves on a port of 127.0.0.1 that is new to the process. */
export function serveLocally(
  handler: Deno.ServeHandler<Deno.NetAddr>,
  { signal, ...tls }: {
    readonly signal?: AbortSignal;
    readonly cert?: string;
    readonly key?: string;
  } = {},
): Deno.HttpServer<Deno.NetAddr> {
  const place = { hostname: "127.0.0.1", port: 0, onListen() {}, ...tls };
  const taken: AbortController[] = [];
  for (;;) {
    // Of its own: to abort the signal of a server that has ended is an uncaught error.
    const stop = new AbortController();
    const server = Deno.serve({ ...place, signal: stop.signal }, handler);
    if (!isNewPort(server.addr.port)) {
      // Ended later, since the system gives no port twice at once.
      taken.push(stop);
      continue;
    }
    for (const each of taken) each.abort();
    signal?.addEventListener("abort", () => stop.abort());
    return server;
  }
}
