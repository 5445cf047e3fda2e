// Model that streams words at a steady pace with their send times, and viewers that compute delays from these times.
import { speechFor } from "./calls.ts";
import { now, quantile, say, serveControl } from "./child.ts";

/** Requests to this process. */
type ViewersTask =
  /** Sets the next replies, which wait until `open` is true. */
  | { readonly tokens: number; readonly delay: number; readonly open: boolean }
  /** Answered when all viewers are connected. */
  | { readonly port: number; readonly id: string; readonly viewers: number }
  /** Answered with {@linkcode Viewed} when every stream has ended. */
  | null;

/** Events that viewers received; times are milliseconds since a token was sent. */
export interface Viewed extends Readonly<Record<"p50" | "p95" | "p99", number>> {
  /** Number of viewers that received every numbered event once, in order, to the end. */
  readonly whole: number;
  /** Highest number of numbered events of a viewer. */
  readonly events: number;
  /** Number of deltas of all viewers. */
  readonly deltas: number;
}

let pace = { tokens: 10, delay: 10, open: true };
let gate = Promise.withResolvers<void>();
let replies = 0;

function chunk(delta: object, end: string | null = null): Uint8Array {
  const choices = [{ index: 0, delta, finish_reason: end }];
  const data = {
    id: "bench",
    object: "chat.completion.chunk",
    created: 0,
    model: "bench",
    choices,
  };
  return new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`);
}

async function* reply(): AsyncGenerator<Uint8Array> {
  const { tokens, delay } = pace;
  const words = speechFor(`argument/${++replies}`).split(/\s+/);
  if (!pace.open) await gate.promise;
  yield chunk({ role: "assistant", content: "" });
  for (let i = 0; i < tokens; i++) {
    yield chunk({ content: `${words[i % words.length]} <${now().toFixed(3)}> ` });
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
  yield chunk({}, "stop");
  yield new TextEncoder().encode("data: [DONE]\n\n");
}

/** A stream of events. */
class Viewer {
  readonly times: number[] = [];
  events = 0;
  deltas = 0;
  isWhole = true;
  hasEnded = false;
  #rest = "";
  readonly #decoder = new TextDecoder();
  readonly #bytes = new Uint8Array(1 << 14);
  readonly #socket: Deno.TcpConn;

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
    while (!this.hasEnded && await this.#read());
    this.#socket.close();
  }

  async #read(): Promise<boolean> {
    const count = await this.#socket.read(this.#bytes);
    if (count === null) return false;
    const at = now();
    const text = this.#rest +
      this.#decoder.decode(this.#bytes.subarray(0, count), { stream: true });
    const end = text.lastIndexOf("\n\n");
    this.#rest = text.slice(end + 1);
    for (const line of text.slice(0, end + 1).split("\n")) this.#hear(line, at);
    return true;
  }

  #hear(line: string, at: number): void {
    if (line.startsWith("id: ")) {
      if (Number(line.slice(4)) !== ++this.events) this.isWhole = false;
    } else if (line === "event: message-delta") this.deltas++;
    else if (line === "event: convening-end") this.hasEnded = true;
    else if (line.includes('"message-delta"')) {
      for (const [, stamp] of line.matchAll(/<(\d+\.\d+)>/g)) this.times.push(at - Number(stamp));
    }
  }
}

let viewers: Viewer[] = [];
let followed: Promise<unknown> = Promise.resolve();

async function viewed(): Promise<Viewed> {
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

serveControl(async (task: ViewersTask) => {
  if (task === null) return await viewed();
  if ("open" in task) {
    pace = task;
    if (!task.open) return;
    gate.resolve();
    gate = Promise.withResolvers();
    return;
  }
  viewers = [];
  // Connections in batches: a listener's backlog is limited.
  while (viewers.length < task.viewers) {
    const next = Array.from({ length: Math.min(50, task.viewers - viewers.length) });
    viewers.push(...await Promise.all(next.map(() => Viewer.open(task.port, task.id))));
  }
  followed = Promise.all(viewers.map((viewer) => viewer.follow()));
});
const { addr } = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  async (request) => {
    // The check before a run asks for the list of models; 404 answers it at once.
    if (request.method === "GET") return new Response(null, { status: 404 });
    await request.body?.cancel();
    const headers = { "content-type": "text/event-stream" };
    return new Response(ReadableStream.from(reply()), { headers });
  },
);
say({ url: `http://127.0.0.1:${addr.port}/v1` });
