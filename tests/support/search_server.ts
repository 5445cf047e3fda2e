// Local HTTP server that speaks Tavily's search API.
import { CUT, pauseBefore } from "./model_server.ts";
import { serveLocally } from "./local_server.ts";

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
  /** The body has two megabytes. */
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
}

/** A search request that the server received. */
interface SearchRequest {
  readonly query: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
}

/** Options of {@linkcode startSearchServer}. */
interface SearchServerOptions {
  /**
   * Answers: a function of the request, or a table by a part of the query in any case, of which the first match counts; a
   * list is used in order, and its last answer repeats. @default no results
   */
  readonly answers?:
    | Readonly<Record<string, SearchAnswer | readonly SearchAnswer[]>>
    | ((request: SearchRequest) => SearchAnswer | Promise<SearchAnswer>);
  /** Answer to queries that match no key of the table. @default no results */
  readonly otherwise?: SearchAnswer;
  /** The only accepted API key. @default any key, or none */
  readonly key?: string;
}

/** A local server that speaks Tavily's search API. */
export interface SearchServer extends AsyncDisposable {
  /** Base URL, without a path. */
  readonly url: string;
  /** `host:port`, for permissions. */
  readonly host: string;
  /** Searches so far in the order of arrival, retries included. */
  readonly requests: readonly SearchRequest[];
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
  const requests: SearchRequest[] = [];
  const closing = new AbortController();
  const used = new Map<string, number>();
  const server = serveLocally(
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname !== "/search" || request.method !== "POST") {
        const detail = `Nothing at ${request.method} ${pathname}`;
        return Response.json({ detail }, { status: 404 });
      }
      const body: Readonly<Record<string, unknown>> = await request.json();
      const entry = {
        query: String(body["query"] ?? ""),
        body,
        headers: Object.fromEntries(request.headers),
        startedAt: performance.now(),
      };
      requests.push(entry);
      const answer = refusal(entry, options.key) ?? await answerTo(entry, options, used);
      if (answer.fault === "hang") await pauseBefore(closing.signal, Infinity);
      return respond(answer, entry, closing.signal);
    },
  );
  const close = async () => {
    closing.abort();
    await server.shutdown();
  };
  const host = `127.0.0.1:${server.addr.port}`;
  return Promise.resolve({
    url: `http://${host}`,
    host,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  });
}

/** Returns the API's rejection of an invalid request. */
function refusal({ query, headers }: SearchRequest, key?: string): SearchAnswer | undefined {
  if (key !== undefined && headers["authorization"] !== `Bearer ${key}`) {
    return { status: 401, error: "Unauthorized: missing or invalid API key." };
  }
  if (query.length > 400) {
    return { status: 400, error: "Query is too long. Max query length is 400 characters." };
  }
  return query.trim() === "" ? { status: 400, error: "Query is missing." } : undefined;
}

function answerTo(
  request: SearchRequest,
  { answers = {}, otherwise = {} }: SearchServerOptions,
  used: Map<string, number>,
): SearchAnswer | Promise<SearchAnswer> {
  if (typeof answers === "function") return answers(request);
  const query = request.query.toLowerCase();
  const fits = Object.entries(answers).find(([part]) => query.includes(part.toLowerCase()));
  if (fits === undefined) return otherwise;
  const [part, scripted] = fits;
  const times = used.get(part) ?? 0;
  used.set(part, times + 1);
  const list: readonly SearchAnswer[] = "at" in scripted ? scripted : [scripted];
  return list[Math.min(times, list.length - 1)] ?? otherwise;
}

function respond(answer: SearchAnswer, request: SearchRequest, closing: AbortSignal): Response {
  const { status = 200, fault } = answer;
  const type = fault === "html" ? "text/html" : "application/json";
  const init = { status, headers: { "content-type": type, ...answer.headers } };
  const body = bodyOf(answer, request);
  if (fault !== "cut" && fault !== "hang-midway") return new Response(body, init);
  async function* half(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(body.slice(0, body.length / 2));
    // Without a pause the earlier chunks could be dropped with the connection.
    await pauseBefore(closing, fault === "cut" ? 20 : Infinity);
    throw CUT;
  }
  return new Response(ReadableStream.from(half()), init);
}

function bodyOf(answer: SearchAnswer, { query, body }: SearchRequest): string {
  if (answer.body !== undefined) return answer.body;
  if (answer.fault === "html") {
    return "<!doctype html><html><body><h1>Sign in</h1></body></html>";
  }
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
