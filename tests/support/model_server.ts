// Local HTTP server that speaks OpenAI's chat completions, embeddings, moderations and list of models.
import { type ChatBody, type ModelReply, streamedEvents, textOf, usageOf } from "./model_reply.ts";
import type { SampleValue } from "./sample_json.ts";
import { serveLocally } from "./local_server.ts";

export type { ChatBody, Fault, ModelReply } from "./model_reply.ts";

/** A chat request that the server received. */
export interface ModelRequest {
  /** Number of the request, from 0. */
  readonly index: number;
  readonly body: ChatBody;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Time when the whole reply was sent; absent until then. */
  endedAt?: number;
  /** Number of requests in flight at the start of this request, itself included. */
  readonly concurrent: number;
}

/** A request field that a server can reject by name. */
export type RefusedPart =
  | "json_schema"
  | "json_object"
  | "stream_options"
  | "max_tokens"
  | "temperature"
  | "seed";

/** Tokens that the server counts for each text at `/embeddings`. */
export const EMBEDDED_TOKENS = 7;

/** Response at `/embeddings`: vectors, or a whole response. */
export type EmbeddingsReply =
  | readonly (readonly number[])[]
  | { readonly status?: number; readonly body: string; readonly headers?: HeadersInit };

/** Options of {@linkcode startModelServer}. */
export interface ModelServerOptions {
  /** Returns the reply to a request. @default `reply` */
  readonly respond?: (request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>;
  /** Reply to every request if `respond` is absent. @default a valid reply */
  readonly reply?: ModelReply;
  /** Milliseconds before the headers of each reply. @default 0 */
  readonly latency?: number;
  /** Fields that are rejected with status 400 and their name. @default none */
  readonly rejects?: readonly RefusedPart[];
  /** Values in structured replies. @default the middle of each range, the first of each enum */
  readonly sample?: SampleValue;
  /** Listed models. @default 404 at `/models` */
  readonly models?: readonly string[];
  /** Result for every text at `/moderations`. @default 404 */
  readonly moderation?: { readonly flagged: boolean; readonly categories?: object };
  /** Returns the response to a request at `/embeddings`. @default 404 */
  readonly embed?: (texts: readonly string[], index: number) => EmbeddingsReply;
  /** JSON responses at other paths, such as `/api/ps`. @default none */
  readonly paths?: Readonly<Record<string, object>>;
  /** The only accepted API key; others get 401. @default any key, or none */
  readonly key?: string;
  /** True if requests are kept; long benchmarks switch this off. @default true */
  readonly journal?: boolean;
}

/** A local server that speaks OpenAI's chat completions. */
export interface ModelServer extends AsyncDisposable {
  /** Base URL; ends with `/v1`. */
  readonly url: string;
  /** Chat requests so far. */
  readonly requests: readonly ModelRequest[];
  /** Bodies of the requests at `/embeddings`. */
  readonly embedded: readonly { readonly model: string; readonly input: readonly string[] }[];
  /** Number of requests for the list of models. */
  readonly listed: number;
  /** Highest number of requests in flight at one time; may be set back. */
  mostConcurrent: number;
  /** Ends every open reply and stops the server. */
  close(): Promise<void>;
}

/** Breaks a connection; the short stack keeps Deno's output from looking like a failure. */
export const CUT = Object.assign(new Error("Cut"), { stack: "(cut on purpose)" });
const STREAM_HEADERS = { "content-type": "text/event-stream" };
const JSON_HEADERS = { "content-type": "application/json" };
const encoder = new TextEncoder();

/** Starts a model server on 127.0.0.1. */
export function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  return Promise.resolve(new LocalModelServer(options));
}

class LocalModelServer implements ModelServer {
  readonly url: string;
  readonly requests: ModelRequest[] = [];
  readonly embedded: { readonly model: string; readonly input: readonly string[] }[] = [];
  mostConcurrent = 0;
  listed = 0;
  readonly #options: ModelServerOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #closing = new AbortController();
  #count = 0;
  #active = 0;

  constructor(options: ModelServerOptions) {
    this.#options = options;
    this.#server = serveLocally(
      (request) => this.#handle(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}/v1`;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#server.shutdown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #handle(request: Request): Promise<Response> {
    const path = request.url.slice(request.url.indexOf("/", 8));
    const { key, models } = this.#options;
    const isList = path === "/v1/models";
    if (isList) this.listed++;
    const sent = request.headers.get("authorization");
    if (key !== undefined && sent !== `Bearer ${key}`) {
      return Response.json({ error: { message: "Incorrect API key provided" } }, { status: 401 });
    }
    if (path === "/v1/chat/completions" && request.method === "POST") {
      return await this.#chat(request);
    }
    const { moderation, embed } = this.#options;
    if (path === "/v1/embeddings" && embed !== undefined) {
      this.embedded.push(await request.json());
      const reply = embed(this.embedded.at(-1)!.input, this.embedded.length - 1);
      if ("body" in reply) return new Response(reply.body, reply);
      const data = reply.map((embedding, index) => ({ object: "embedding", index, embedding }));
      const usage = { ["prompt_tokens"]: data.length * EMBEDDED_TOKENS };
      return Response.json({ object: "list", data, usage });
    }
    if (path === "/v1/moderations" && moderation !== undefined) {
      return Response.json({ results: [moderation] });
    }
    if (isList && models !== undefined) {
      return Response.json({ object: "list", data: models.map((id) => ({ id })) });
    }
    const other = this.#options.paths?.[path];
    if (other !== undefined) return Response.json(other);
    return Response.json({ error: { message: `Nothing at ${path}` } }, { status: 404 });
  }

  async #chat(request: Request): Promise<Response> {
    const body: ChatBody = await request.json();
    const entry = this.#enter(request, body);
    const leave = (): void => {
      if (entry.endedAt !== undefined) return;
      entry.endedAt = performance.now();
      this.#active--;
    };
    const refused = this.#refusal(body);
    const reply = refused ??
      await this.#options.respond?.(entry, entry.index) ??
      this.#options.reply ?? {};
    const delay = reply.latency ?? this.#options.latency ?? 0;
    if (delay > 0) await this.#pause(delay);
    if (reply.fault === "hang") await this.#pause(Infinity);
    return this.#answer(reply, { body, index: entry.index, leave });
  }

  #enter(request: Request, body: ChatBody): ModelRequest {
    this.mostConcurrent = Math.max(this.mostConcurrent, ++this.#active);
    const keep = this.#options.journal ?? true;
    const entry: ModelRequest = {
      index: this.#count++,
      body,
      headers: keep ? Object.fromEntries(request.headers) : {},
      startedAt: performance.now(),
      concurrent: this.#active,
    };
    if (keep) this.requests.push(entry);
    return entry;
  }

  #refusal(body: ChatBody): ModelReply | undefined {
    for (const part of this.#options.rejects ?? []) {
      const format = part === "json_schema" || part === "json_object";
      if (format ? body.response_format?.type !== part : !(part in body)) continue;
      const instead = part === "max_tokens" ? " Use 'max_completion_tokens' instead." : "";
      const param = format ? "response_format" : part;
      const message = `Unsupported parameter: '${param}'.${instead}`;
      return { status: 400, error: { message, param, code: "unsupported" } };
    }
    return undefined;
  }

  #answer(
    reply: ModelReply,
    { body, index, leave }: {
      readonly body: ChatBody;
      readonly index: number;
      readonly leave: () => void;
    },
  ): Response {
    const { status = 200 } = reply;
    if (status !== 200 || reply.body !== undefined) {
      leave();
      const error = { message: `Status ${status}`, ...reply.error };
      return new Response(reply.body ?? JSON.stringify({ error }), {
        status,
        headers: { ...JSON_HEADERS, ...reply.headers },
      });
    }
    const text = textOf(reply, { body, index, sample: this.#options.sample });
    const usage = usageOf(reply, { body, text });
    const events = streamedEvents(reply, { body, text, usage });
    const headers = { ...STREAM_HEADERS, ...reply.headers };
    if (reply.fault === undefined && reply.chunkDelay === undefined) {
      leave();
      return new Response(events.join(""), { headers });
    }
    return new Response(this.#stream(events, reply, leave), { headers });
  }

  /** Streams the reply chunk by chunk, with delays and faults. */
  #stream(
    events: readonly string[],
    { fault, chunkDelay = 0 }: ModelReply,
    leave: () => void,
  ): ReadableStream<Uint8Array> {
    // Short replies, too, break before the finish reason.
    const half = Math.floor(events.length / 2);
    const pause = (delay: number): Promise<void> => this.#pause(delay);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for (const [i, event] of events.entries()) {
          if (i === half && fault === "cut") {
            // Without a pause the earlier chunks could be dropped with the connection.
            await pause(20);
            throw CUT;
          }
          if (i === half && fault === "unfinished") return;
          if (i === half && fault === "hang-midway") await pause(Infinity);
          if (i === half && fault === "malformed") {
            yield encoder.encode('data: {"choices":[{"delta":{"con\n\n');
          }
          if (i === half && fault === "error-midway") {
            yield encoder.encode('data: {"error":{"message":"Overloaded","code":502}}\n\n');
          }
          yield encoder.encode(event);
          if (chunkDelay > 0) await pause(chunkDelay);
        }
        if (fault === "never-closed") await pause(Infinity);
      } finally {
        leave();
      }
    }
    return ReadableStream.from(chunks());
  }

  /** Waits until the delay is over or the server closes. */
  #pause(delay: number): Promise<void> {
    return pauseBefore(this.#closing.signal, delay);
  }
}

/** Waits some milliseconds, `Infinity` too, but not beyond the signal's abort. */
export function pauseBefore(signal: AbortSignal, delay: number): Promise<void> {
  if (signal.aborted || delay <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = delay === Infinity ? undefined : setTimeout(done, delay);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
