// The model server in a process of its own, so that a candidate's processor time is its own alone.
import { type ModelReply, type ModelRequest, startModelServer } from "../support/model_server.ts";
import { type BenchLatency, callKey, latencyOf, speechFor } from "./calls.ts";
import { paperReply } from "./paper_calls.ts";

/** What the server is told before a run. */
export interface Preparation {
  readonly latency: BenchLatency;
  /** Whether beginnings are compared; it takes time. @default false */
  readonly prefixes?: boolean;
}

/** Characters of requests, and those of them that repeat the beginning of an earlier request. */
export interface Compared {
  readonly characters: number;
  readonly repeated: number;
}

/** What the server saw since it was last prepared. */
export interface Seen {
  readonly calls: number;
  /** Of all messages of all requests. */
  readonly characters: number;
  /** Of these, those that repeat the beginning of an earlier request. */
  readonly repeated: number;
  /** Both by kind of request: a speech, or the name of the shape that is asked for. */
  readonly kinds: Readonly<Record<string, Compared>>;
  /** When the first request came, in milliseconds since 1970. */
  readonly firstAt: number;
}

function nothing() {
  const kinds: Record<string, Compared> = {};
  return { calls: 0, characters: 0, repeated: 0, kinds, firstAt: 0 };
}

class Watcher {
  #preparation: Preparation = { latency: 0 };
  readonly #texts = new Map<string, string>();
  /** Sorted: the longest common beginning is with a neighbour. */
  readonly #prompts: string[] = [];
  #seen = nothing();

  get seen(): Seen {
    return this.#seen;
  }

  prepare(preparation: Preparation): void {
    this.#preparation = preparation;
    this.#prompts.length = 0;
    this.#seen = nothing();
  }

  respond({ body }: ModelRequest): ModelReply {
    const { latency, prefixes = false } = this.#preparation;
    const seen = this.#seen;
    if (seen.calls++ === 0) seen.firstAt = performance.timeOrigin + performance.now();
    const characters = body.messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    seen.characters += characters;
    if (prefixes) {
      const repeated = this.#compare(body.messages.map(({ content }) => content).join("\u0000"));
      seen.repeated += repeated;
      const kind = body.response_format?.json_schema?.name ?? "speech";
      const { characters: before = 0, repeated: known = 0 } = seen.kinds[kind] ?? {};
      seen.kinds[kind] = { characters: before + characters, repeated: known + repeated };
    }
    const paper = paperReply(body);
    if (paper !== undefined) return { ...paper, latency: latencyOf(latency, "paper") };
    const key = callKey(body.messages.at(-1)?.content ?? "");
    const text = this.#text(key);
    const reply = body.response_format === undefined ? { text } : { json: structured(key, text) };
    return { ...reply, latency: latencyOf(latency, key) };
  }

  #text(key: string): string {
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, text = speechFor(key));
    return text;
  }

  /** The length of the longest beginning that an earlier prompt has, too. */
  #compare(prompt: string): number {
    const prompts = this.#prompts;
    let low = 0;
    let high = prompts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (prompts[middle]! < prompt) low = middle + 1;
      else high = middle;
    }
    const neighbours = [prompts[low - 1] ?? "", prompts[low] ?? ""];
    prompts.splice(low, 0, prompt);
    return Math.max(...neighbours.map((other) => commonStart(other, prompt)));
  }
}

/** A score, a verdict, always of the same side, or what a fact checker answers. */
function structured(key: string, reasons: string): unknown {
  if (key.startsWith("claims/")) {
    return { claims: ["one", "two", "three"].map((each) => ({ text: `Claim number ${each}` })) };
  }
  if (key.startsWith("claim-verdict/")) {
    return { reason: reasons, verdict: "true", omitted: "", confidence: 0.9, sources: [1] };
  }
  if (key.startsWith("verdict/")) return { reasons, winner: "Advocate A" };
  const scores = {
    ["logical_coherence"]: 7,
    ["evidence_quality"]: 6,
    ["responsiveness"]: 8,
    ["persuasiveness"]: 7.5,
    ["rule_adherence"]: 9,
  };
  return { reasons, scores };
}

function commonStart(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}

if (import.meta.main) {
  const watcher = new Watcher();
  const model = await startModelServer({
    journal: false,
    respond: (request) => watcher.respond(request),
  });
  const control = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { seen } = watcher;
      if (request.method === "POST") watcher.prepare(await request.json());
      return Response.json(seen);
    },
  );
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify({
    url: model.url,
    control: `http://127.0.0.1:${control.addr.port}/`,
  }));
}
