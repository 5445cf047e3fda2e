// How the processes of a benchmark are told what to do: JSON over a port of their own.

/** Answers whoever started this process, on a port that its first line names. */
export function serveControl<T>(answer: (asked: T) => unknown): Deno.HttpServer {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => Response.json(await answer(await request.json()) ?? null),
  );
  const line = JSON.stringify({ control: `http://127.0.0.1:${server.addr.port}/` });
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(line);
  return server;
}

/** The value below which a share of sorted values lie. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds since 1970, on a clock that all processes of the machine share. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
