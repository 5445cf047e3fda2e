// Load generator: sends requests over keep-alive connections as fast as the server answers; plain sockets keep its own cost low.
import { now, quantile, serveControl } from "./child.ts";

/** Requests to repeat in turn, and for how long. */
export interface LoadTask {
  readonly port: number;
  readonly paths: readonly string[];
  readonly etag?: string | undefined;
  readonly connections: number;
  readonly milliseconds: number;
}

/** Number of responses, their latency in milliseconds, and status and ETag of the last one. */
export interface Load
  extends Readonly<Record<"requests" | "perSecond" | "p50" | "p99" | "status", number>> {
  readonly etag: string;
}

const HEAD_END = new TextEncoder().encode("\r\n\r\n");
const decoder = new TextDecoder();

/** Sends a request and reads the whole response; returns its head. */
async function ask(socket: Deno.TcpConn, request: Uint8Array, held: Uint8Array): Promise<string> {
  for (let sent = 0; sent < request.length;) sent += await socket.write(request.subarray(sent));
  let [size, whole, head] = [0, Infinity, ""];
  while (size < whole) {
    if (size === held.length) throw new Error("An answer is too long");
    const count = await socket.read(held.subarray(size));
    if (count === null) throw new Error("The server closed a connection");
    size += count;
    const end = head === "" ? endOfHead(held, size) : -1;
    if (end === -1) continue;
    head = decoder.decode(held.subarray(0, end));
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    if (length === undefined && !head.includes(" 304 ")) throw new Error(`Unknown length: ${head}`);
    whole = end + HEAD_END.length + Number(length ?? 0);
  }
  return head;
}

function endOfHead(bytes: Uint8Array, size: number): number {
  for (let at = bytes.indexOf(13); at !== -1 && at + 4 <= size; at = bytes.indexOf(13, at + 1)) {
    if (HEAD_END.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

async function load(
  { port, paths, etag, connections, milliseconds }: LoadTask,
): Promise<Load> {
  const match = etag === undefined ? "" : `If-None-Match: ${etag}\r\n`;
  const requests = paths.map((path) =>
    new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${match}\r\n`)
  );
  const times: number[] = [];
  let [asked, head] = [0, ""];
  const started = now();
  await Promise.all(Array.from({ length: connections }, async () => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    socket.setNoDelay();
    const held = new Uint8Array(1 << 22);
    do {
      const begun = performance.now();
      head = await ask(socket, requests[asked++ % requests.length]!, held);
      times.push(performance.now() - begun);
    } while (now() - started < milliseconds);
  }));
  const seconds = (now() - started) / 1000;
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    status: Number(head.slice(9, 12)),
    etag: /^etag: (.+?)\r?$/im.exec(head)?.[1] ?? "",
  };
}

serveControl(load);
