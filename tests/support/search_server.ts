/**
 * Local HTTP server that speaks Tavily's search API: `POST /search`, a bearer key, `{results: [{title, url, content,
 * score}]}`, errors as `{detail: {error}}`. Searchers under test connect to the server over HTTP.
 *
 * ```ts
 * await using server = await startSearchServer({
 *   answers: {
 *     // Key: a part of the query, case-insensitive; the first match counts. A list is used in order; its last answer repeats.
 *     "bus lanes": [finding("Bus lanes cut nothing."), finding("Bus lanes cut delays by 11 %.")],
 *     "cold fusion": { status: 500 },
 *     "slow": { fault: "hang" },
 *   },
 *   otherwise: finding("Something else."), // for other queries; no results by default
 * });
 * // --search-url ${server.url}, or TAVILY_BASE_URL, or webSearch({ baseUrl: server.url })
 * server.requests.map(({ query }) => query); // in the order of arrival, retries included
 * server.mostConcurrent; // 2 or more proves that look-ups ran concurrently
 * ```
 *
 * `answers` may be an asynchronous function of the request. The function can delay all answers until a number of
 * requests has arrived: this proves concurrency without measuring time.
 *
 * @module
 */

import { pauseBefore } from "./model_server.ts";

/** A search result of the API. */
interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly content: string;
  readonly score?: number;
}

/** Failure of an answer with status 200. */
type SearchFault =
  /** The server never answers. */
  | "hang"
  /** The server sends headers and half of the body, then stays silent. */
  | "hang-midway"
  /** The server sends headers and half of the body, then breaks the connection. */
  | "cut"
  /** The body is the first half of the JSON. */
  | "malformed"
  /** The body is HTML. */
  | "html"
  /** The body is two megabytes of HTML. */
  | "huge";

/** Answer to a request. */
export interface SearchAnswer {
  /** Results; no more than the requested number are sent. @default none */
  readonly results?: readonly SearchResult[];
  /** @default 200 */
  readonly status?: number;
  /** Error message for a status other than 200. */
  readonly error?: string;
  /** Additional headers, such as `{"retry-after": "1"}`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole body; replaces all fields above except the status. */
  readonly body?: string;
  readonly fault?: SearchFault;
  /** Milliseconds before the headers. @default the server's latency */
  readonly latency?: number;
}

/** A search request that the server received. */
interface SearchRequest {
  /** Number of the request in the order of arrival, from 0. */
  readonly index: number;
  readonly query: string;
  /** Number of earlier requests with the same query, retries included. */
  readonly before: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds of `performance.now()`, as in the model server. */
  readonly startedAt: number;
  /** Time when the answer was sent; absent until then. */
  endedAt?: number;
  /** Number of requests in flight at the start of this request, itself included. */
  readonly concurrent: number;
}

/** Answers by a part of the query; a list is used in order, and its last answer repeats. */
type SearchTable = Readonly<Record<string, SearchAnswer | readonly SearchAnswer[]>>;

/** Options of {@linkcode startSearchServer}. */
interface SearchServerOptions {
  /** Answers: a table, or a function of the request. @default no results */
  readonly answers?:
    | SearchTable
    | ((request: SearchRequest) => SearchAnswer | Promise<SearchAnswer>);
  /** Answer to queries that match no key of the table. @default no results */
  readonly otherwise?: SearchAnswer;
  /** The only accepted API key. @default any key, or none */
  readonly key?: string;
  /** Milliseconds before the headers of each answer. @default 0 */
  readonly latency?: number;
}

/** A local server that speaks Tavily's search API. */
export interface SearchServer extends AsyncDisposable {
  /** Base URL, without a path. */
  readonly url: string;
  /** `host:port`, for permissions. */
  readonly host: string;
  /** Searches so far in the order of arrival, retries included. */
  readonly requests: readonly SearchRequest[];
  /** Highest number of requests in flight at one time. */
  readonly mostConcurrent: number;
  /** Ends every open answer and stops the server. */
  close(): Promise<void>;
}

/** Returns an answer with one result whose snippet is `content`. */
export function finding(content: string, more: Partial<SearchResult> = {}): SearchAnswer {
  const result = { title: "A report", url: "https://example.org/report", score: 0.9 };
  return { results: [{ ...result, content, ...more }] };
}

/** Answers that refute and that support any claim. */
export const FALSE = finding("The count contradicts that.", { title: "The count of 2024" });
export const TRUE = finding("The count confirms that.");

/** Starts a search server on 127.0.0.1. */
export function startSearchServer(options: SearchServerOptions = {}): Promise<SearchServer> {
  return Promise.resolve(new LocalSearchServer(options));
}

/** Breaks a connection; the short stack keeps Deno's output from looking like a failure. */
const CUT = Object.assign(new Error("Cut"), { stack: "(cut on purpose)" });
const HTML = "<!doctype html><html><body><h1>Sign in</h1></body></html>";
const TOO_LONG = "Query is too long. Max query length is 400 characters.";
const NOBODY = "Unauthorized: missing or invalid API key.";
const encoder = new TextEncoder();

class LocalSearchServer implements SearchServer {
  readonly url: string;
  readonly host: string;
  readonly requests: SearchRequest[] = [];
  mostConcurrent = 0;
  readonly #options: SearchServerOptions;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #closing = new AbortController();
  readonly #used = new Map<string, number>();
  #active = 0;

  constructor(options: SearchServerOptions) {
    this.#options = options;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => this.#handle(request),
    );
    this.host = `127.0.0.1:${this.#server.addr.port}`;
    this.url = `http://${this.host}`;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#server.shutdown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname !== "/search" || request.method !== "POST") {
      return Response.json({ detail: `Nothing at ${request.method} ${pathname}` }, { status: 404 });
    }
    const entry = this.#enter(request, await request.json());
    const leave = (): void => {
      if (entry.endedAt !== undefined) return;
      entry.endedAt = performance.now();
      this.#active--;
    };
    const answer = this.#refusal(entry) ?? await this.#answerTo(entry);
    await this.#pause(answer.latency ?? this.#options.latency ?? 0);
    if (answer.fault === "hang") await this.#pause(Infinity);
    return this.#respond(answer, entry, leave);
  }

  #enter(request: Request, body: Readonly<Record<string, unknown>>): SearchRequest {
    this.mostConcurrent = Math.max(this.mostConcurrent, ++this.#active);
    const query = String(body["query"] ?? "");
    const entry: SearchRequest = {
      index: this.requests.length,
      query,
      before: this.requests.filter((each) => each.query === query).length,
      body,
      headers: Object.fromEntries(request.headers),
      startedAt: performance.now(),
      concurrent: this.#active,
    };
    this.requests.push(entry);
    return entry;
  }

  /** Returns the API's rejection of an invalid request. */
  #refusal({ query, headers }: SearchRequest): SearchAnswer | undefined {
    const { key } = this.#options;
    if (key !== undefined && headers["authorization"] !== `Bearer ${key}`) {
      return { status: 401, error: NOBODY };
    }
    if (query.length > 400) return { status: 400, error: TOO_LONG };
    return query.trim() === "" ? { status: 400, error: "Query is missing." } : undefined;
  }

  #answerTo(request: SearchRequest): SearchAnswer | Promise<SearchAnswer> {
    const { answers = {}, otherwise = {} } = this.#options;
    if (typeof answers === "function") return answers(request);
    const query = request.query.toLowerCase();
    const fits = Object.entries(answers).find(([part]) => query.includes(part.toLowerCase()));
    if (fits === undefined) return otherwise;
    const [part, scripted] = fits;
    const used = this.#used.get(part) ?? 0;
    this.#used.set(part, used + 1);
    const list: readonly SearchAnswer[] = "at" in scripted ? scripted : [scripted];
    return list[Math.min(used, list.length - 1)] ?? otherwise;
  }

  #respond(answer: SearchAnswer, request: SearchRequest, leave: () => void): Response {
    const { status = 200, fault } = answer;
    const headers = {
      "content-type": fault === "html" ? "text/html" : "application/json",
      ...answer.headers,
    };
    const body = bodyOf(answer, request);
    if (fault === "cut" || fault === "hang-midway") {
      return new Response(this.#half(body, fault, leave), { status, headers });
    }
    leave();
    return new Response(body, { status, headers });
  }

  #half(body: string, fault: SearchFault, leave: () => void): ReadableStream<Uint8Array> {
    const pause = (delay: number): Promise<void> => this.#pause(delay);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        yield encoder.encode(body.slice(0, body.length / 2));
        // Without a pause the earlier chunks could be dropped with the connection.
        await pause(fault === "cut" ? 20 : Infinity);
        throw CUT;
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

function bodyOf(answer: SearchAnswer, { query, body }: SearchRequest): string {
  if (answer.body !== undefined) return answer.body;
  if (answer.fault === "html") return HTML;
  const { status = 200, results = [] } = answer;
  if (status !== 200) {
    return JSON.stringify({ detail: { error: answer.error ?? `Status ${status}` } });
  }
  const most = body["max_results"];
  const whole = JSON.stringify({
    query,
    follow_up_questions: null,
    answer: answer.fault === "huge" ? "x".repeat(2_000_000) : null,
    images: [],
    results: results.slice(0, typeof most === "number" ? most : 5)
      .map((each) => ({ raw_content: null, score: 0.5, ...each })),
    response_time: 0.1,
  });
  return answer.fault === "malformed" ? whole.slice(0, whole.length / 2) : whole;
}
