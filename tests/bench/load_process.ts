// Asks a server as fast as it answers, over connections that stay open; plain sockets, so that asking costs little.
import { now, quantile, serveControl } from "./control.ts";

/** What is asked, and for how long. */
export interface LoadTask {
  readonly port: number;
  /** Asked in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly milliseconds: number;
}

/** What was answered. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Of one answer, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Of the last one. */
  readonly status: number;
  readonly etag: string;
}

const HEAD_END = new TextEncoder().encode("\r\n\r\n");

/** One connection: a request, its whole answer, the next request. */
class Connection implements Disposable {
  readonly #socket: Deno.TcpConn;
  #held = new Uint8Array(1 << 17);
  status = 0;
  etag = "";

  constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
    socket.setNoDelay();
  }

  static async open(port: number): Promise<Connection> {
    return new Connection(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  async ask(request: Uint8Array): Promise<void> {
    let sent = 0;
    while (sent < request.length) sent += await this.#socket.write(request.subarray(sent));
    let [size, whole] = [0, Infinity];
    while (size < whole) {
      if (size === this.#held.length) this.#grow();
      const count = await this.#socket.read(this.#held.subarray(size));
      if (count === null) throw new Error("The server closed a connection");
      size += count;
      if (whole === Infinity) whole = this.#sizeOf(size);
    }
  }

  #grow(): void {
    const held = new Uint8Array(this.#held.length * 4);
    held.set(this.#held);
    this.#held = held;
  }

  /** How long the whole answer is; without end before its head is there. */
  #sizeOf(size: number): number {
    const end = indexOf(this.#held, HEAD_END, size);
    if (end === -1) return Infinity;
    const head = new TextDecoder().decode(this.#held.subarray(0, end));
    this.status = Number(head.slice(9, 12));
    this.etag = /^etag: (.+?)\r?$/im.exec(head)?.[1] ?? "";
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    if (length === undefined && this.status !== 304) throw new Error(`Of unknown length: ${head}`);
    return end + HEAD_END.length + Number(length ?? 0);
  }
}

function indexOf(bytes: Uint8Array, part: Uint8Array, size: number): number {
  for (let at = bytes.indexOf(part[0]!); at !== -1 && at + part.length <= size;) {
    if (part.every((byte, i) => bytes[at + i] === byte)) return at;
    at = bytes.indexOf(part[0]!, at + 1);
  }
  return -1;
}

async function load(
  { port, paths, headers = {}, connections, milliseconds }: LoadTask,
): Promise<Load> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const requests = paths.map((path) =>
    new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines}\r\n`)
  );
  const times: number[] = [];
  let asked = 0;
  let last: Connection | undefined;
  const started = now();
  const worker = async (): Promise<void> => {
    using connection = await Connection.open(port);
    while (now() - started < milliseconds) {
      const begun = performance.now();
      await connection.ask(requests[asked++ % requests.length]!);
      times.push(performance.now() - begun);
    }
    last = connection;
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (now() - started) / 1000;
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    status: last?.status ?? 0,
    etag: last?.etag ?? "",
  };
}

if (import.meta.main) serveControl(load);
