// A local HTTP server at a port that no server of the process had before.

/** Ports so far: what the program learns of a server, such as limits and profiles, belongs to the server's origin. */
const used = new Set<number>();

/** Serves on a port of 127.0.0.1 that is new to the process. */
export function serveLocally(
  handler: Deno.ServeHandler<Deno.NetAddr>,
  options: { readonly signal?: AbortSignal; readonly cert?: string; readonly key?: string } = {},
): Deno.HttpServer<Deno.NetAddr> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {}, ...options }, handler);
  const { port } = server.addr;
  if (!used.has(port)) {
    used.add(port);
    return server;
  }
  // The system gives no port twice at once.
  const other = serveLocally(handler, options);
  void server.shutdown();
  return other;
}
