// Viewers of a run: each holds a stream of events open, and says what it heard.
import { now, quantile, serveControl } from "./control.ts";
import { STAMP } from "./token_process.ts";

/** Who looks on: `watch` resolves once all do, `end` once every stream has ended. */
export type ViewersTask =
  | { readonly type: "watch"; readonly port: number; readonly id: string; readonly viewers: number }
  | { readonly type: "end" };

/** What viewers heard. */
export interface Viewed {
  /** How many heard every numbered event once, in order, to the end. */
  readonly whole: number;
  /** Numbered events of a viewer, at most. */
  readonly events: number;
  /** Deltas, of all viewers. */
  readonly deltas: number;
  /** Milliseconds from the sending of a token by its model. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

class Viewer {
  readonly times: number[] = [];
  events = 0;
  deltas = 0;
  isWhole = true;
  hasEnded = false;
  readonly #socket: Deno.TcpConn;
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
  }

  static async open(port: number, id: string): Promise<Viewer> {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    const head = `GET /api/convenings/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    await socket.write(new TextEncoder().encode(head));
    const viewer = new Viewer(socket);
    await viewer.#read();
    return viewer;
  }

  async follow(): Promise<void> {
    try {
      while (!this.hasEnded && await this.#read());
    } finally {
      this.#socket.close();
    }
  }

  readonly #bytes = new Uint8Array(1 << 14);

  async #read(): Promise<boolean> {
    const count = await this.#socket.read(this.#bytes);
    if (count === null) return false;
    const at = now();
    const text = this.#rest +
      this.#decoder.decode(this.#bytes.subarray(0, count), { stream: true });
    const end = text.lastIndexOf("\n\n");
    this.#rest = text.slice(end + 1);
    this.#hear(text.slice(0, end + 1), at);
    return true;
  }

  #hear(text: string, at: number): void {
    for (const line of text.split("\n")) {
      if (line.startsWith("id: ")) {
        if (Number(line.slice(4)) !== ++this.events) this.isWhole = false;
      } else if (line === "event: message-delta") this.deltas++;
      else if (line === "event: convening-end") this.hasEnded = true;
      else if (line.includes('"message-delta"')) {
        for (const [, stamp] of line.matchAll(STAMP)) this.times.push(at - Number(stamp));
      }
    }
  }
}

let viewers: Viewer[] = [];
let followed: Promise<unknown> = Promise.resolve();

async function watch(
  { port, id, viewers: count }: Extract<ViewersTask, { readonly type: "watch" }>,
): Promise<void> {
  viewers = [];
  // A listener's backlog has room for so many at once.
  while (viewers.length < count) {
    const next = Array.from({ length: Math.min(50, count - viewers.length) });
    viewers.push(...await Promise.all(next.map(() => Viewer.open(port, id))));
  }
  followed = Promise.all(viewers.map((viewer) => viewer.follow()));
}

async function ended(): Promise<Viewed> {
  await followed;
  const times = viewers.flatMap((each) => each.times).sort((a, b) => a - b);
  return {
    whole: viewers.filter(({ isWhole, hasEnded }) => isWhole && hasEnded).length,
    events: Math.max(...viewers.map(({ events }) => events)),
    deltas: viewers.reduce((sum, { deltas }) => sum + deltas, 0),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}

if (import.meta.main) {
  serveControl((task: ViewersTask) => task.type === "watch" ? watch(task) : ended());
}
