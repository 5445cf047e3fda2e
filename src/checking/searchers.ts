// Searchers: the web with Tavily's search API, and a convening's own sources by words and by section.
import { z } from "zod";
import { Deadline, retryAfter } from "../core/clock.ts";
import {
  CancelledError,
  ConfigurationError,
  connectionProblem,
  SearchError,
  type SearchErrorDetail,
} from "../core/error.ts";
import {
  addressProblem,
  checkKeyUse,
  hostAndPort,
  type KeyRules,
  type RetryOptions,
} from "../core/key_rules.ts";
import type { Source } from "../core/paper.ts";
import { withRetries } from "../core/retry.ts";
import {
  chunkText,
  MAX_RESULTS,
  type Searcher,
  type SearchHit,
  type SearchOptions,
} from "../core/search.ts";
import {
  bodyText,
  counted,
  saidLine,
  statusText,
  thousands,
  withoutSecrets,
} from "../core/text.ts";
import { distinctBy, isObject, jsonIn, memo, objectIn } from "../core/values.ts";

const TAVILY_URL = "https://api.tavily.com";
/** Environment variables that {@linkcode tavilyFrom} reads. */
export const SEARCH_VARIABLES = ["TAVILY_API_KEY", "TAVILY_BASE_URL"] as const;

/** Tavily's documented limits: characters of a query, results of one search. */
const TAVILY_LIMITS = { query: 400, results: 20 } as const;
const REPLY_BYTES = 1_000_000;
/** The longest `Retry-After` to wait for, in milliseconds. */
const MAX_RETRY_AFTER = 30_000;

/** Options of {@linkcode webSearch}. */
export interface WebSearchOptions {
  /** Base URL of a server with Tavily's API; searches are posted to `/search` below the URL. @default Tavily's own server */
  readonly baseUrl?: string | undefined;
  /** Bearer token, sent only to that server. @default none is sent */
  readonly apiKey?: string | undefined;
  /** Timeout in milliseconds of a request with its whole reply. @default 20000 */
  readonly timeout?: number | undefined;
  /** Number of retries after status 408, 429 or 5xx, a broken connection or a timeout. @default 2 */
  readonly retries?: number | undefined;
  /** Backoff in milliseconds before the first retry; doubles with each retry. @default 300 */
  readonly minWait?: number | undefined;
  /** Sends the requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Creates a searcher that uses Tavily's HTTP API, or another server with that API. The searcher connects only to that server and
 * opens none of the found URLs. Throws a `ConfigurationError` for an invalid base URL or key, and a `RangeError` for a timeout that
 * is not positive.
 */
export function webSearch(options: WebSearchOptions = {}): Searcher {
  return new TavilySearcher(options, "searchUrl");
}

interface TavilySettings extends Omit<WebSearchOptions, "baseUrl" | "apiKey">, KeyRules {
  /** Base URL of the server; takes precedence over `TAVILY_BASE_URL`. */
  readonly searchUrl?: string | undefined;
}

/**
 * Creates a web searcher from the environment: with `TAVILY_API_KEY`, or with the user's own server (`searchUrl` or
 * `TAVILY_BASE_URL`), which needs no key; undefined with neither. A key that is set is sent to that server. Throws a
 * `ConfigurationError` if the key is set and the URL does not come from the user.
 */
export function tavilyFrom(
  env: (name: string) => string | undefined,
  settings: TavilySettings = {},
): Searcher | undefined {
  const target = targetOf(env, settings);
  if (target === undefined) return undefined;
  return new TavilySearcher({ ...settings, ...target }, target.field);
}

/** Returns the server that {@linkcode tavilyFrom} would use, and the variable of the key sent to it; undefined if there is none. */
export function searchServer(
  env: (name: string) => string | undefined,
  settings: TavilySettings = {},
): { readonly url: string; readonly apiKeyEnv?: string | undefined } | undefined {
  const target = targetOf(env, settings);
  if (target === undefined) return undefined;
  const { href: url } = endpoint(target.baseUrl, target.field);
  return { url, apiKeyEnv: target.apiKey && "TAVILY_API_KEY" };
}

/** Returns the server's base URL, its key, and the setting that holds the URL. */
function targetOf(
  env: (name: string) => string | undefined,
  { searchUrl, ...rules }: TavilySettings,
) {
  // An empty variable counts as unset.
  const apiKey = env("TAVILY_API_KEY")?.trim() || undefined;
  const baseUrl = env("TAVILY_BASE_URL")?.trim() || undefined;
  if (searchUrl !== undefined) {
    const field = "searchUrl";
    if (apiKey !== undefined) {
      const { href: url } = endpoint(searchUrl, field);
      const use = { url, variable: "TAVILY_API_KEY", setting: field, field } as const;
      checkKeyUse({ ...use, fromEnvironment: baseUrl }, rules);
    }
    return { baseUrl: searchUrl, apiKey, field };
  }
  if (baseUrl !== undefined) return { baseUrl, apiKey, field: "TAVILY_BASE_URL" };
  return apiKey === undefined ? undefined : { baseUrl: TAVILY_URL, apiKey, field: "searchUrl" };
}

class TavilySearcher implements Searcher {
  readonly name = "webSearch";
  readonly #url: URL;
  readonly #apiKey: string | undefined;
  readonly #timeout: number;
  readonly #retry: RetryOptions;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: WebSearchOptions, field: string) {
    const { baseUrl = TAVILY_URL, apiKey, timeout = 20_000, retries = 2, minWait = 300 } = options;
    if (!(timeout > 0)) throw new RangeError(`Cannot wait ${timeout} ms for a search`);
    this.#url = endpoint(baseUrl, field);
    this.#apiKey = checkedKey(apiKey);
    this.#timeout = timeout;
    this.#retry = { retries, minWait, maxWait: Infinity, maxRetryAfter: MAX_RETRY_AFTER };
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  async search(query: string, options: SearchOptions = {}): Promise<readonly SearchHit[]> {
    const { maxResults = MAX_RESULTS, signal } = options;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const most = Math.min(Math.max(Math.trunc(maxResults) || 1, 1), TAVILY_LIMITS.results);
    const words = saidLine(query).slice(0, TAVILY_LIMITS.query).toWellFormed().trimEnd();
    if (words === "") return [];
    const body = JSON.stringify({ query: words, max_results: most, search_depth: "basic" });
    try {
      const hits = await withRetries(() => this.#ask(body, signal), { retry: this.#retry, signal });
      return hits.slice(0, most);
    } catch (error) {
      throw signal?.aborted ? new CancelledError(signal.reason) : error;
    }
  }

  async #ask(body: string, signal: AbortSignal | undefined): Promise<readonly SearchHit[]> {
    using deadline = new Deadline({ total: this.#timeout, signal });
    let response: Response;
    let text: string | undefined;
    try {
      response = await this.#fetch(this.#url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...this.#apiKey === undefined ? {} : { authorization: `Bearer ${this.#apiKey}` },
        },
        body,
        // The user has not named the host of a redirect, and may not have permitted it.
        redirect: "manual",
        signal: deadline.signal,
      });
      text = await bodyText(response, REPLY_BYTES);
    } catch (error) {
      throw this.#connectionError(error, deadline.expiry === "total");
    }
    if (text === undefined) throw this.#error(`its reply is over ${counted(REPLY_BYTES, "byte")}`);
    // Before any cut: a part of a key is not recognized.
    text = this.#masked(text);
    if (!response.ok) throw this.#statusError(response, text);
    const { data } = reply().safeParse(jsonIn(text), { jitless: true });
    if (data !== undefined) return data.results.flatMap((result) => hitOf(result) ?? []);
    const start = saidLine(text.slice(0, 200), 60);
    const state = `its reply ${start === "" ? "is empty" : `begins "${start}"`}`;
    throw this.#error(`${state}, and is no list of results`, { hint: SPEAKS_TAVILY });
  }

  #connectionError(error: unknown, late: boolean): SearchError {
    const most = thousands(this.#timeout);
    if (late) return this.#error(`no whole reply within ${most} ms`, { retryable: true });
    const { reason, ...problem } = connectionProblem(error, hostAndPort(this.#url));
    return this.#error(`no connection, ${saidLine(reason, 300)}`, problem);
  }

  #statusError({ status, headers }: Response, text: string): SearchError {
    const shown = statusText(status, errorTextIn(text));
    const hasKey = this.#apiKey !== undefined;
    if (status === 401 || status === 403) {
      const state = hasKey ? "the key was refused" : "it asks for a key";
      const hint = `${hasKey ? "Check" : "Set"} TAVILY_API_KEY.`;
      return this.#error(`${state} (${shown})`, { status, hint });
    }
    if (status >= 300 && status < 400) {
      const state = `it redirects elsewhere (status ${status})`;
      return this.#error(state, { status, hint: "Give the address it redirects to." });
    }
    return this.#error(shown, {
      status,
      retryable: status === 408 || status === 429 || status >= 500,
      retryAfter: retryAfter(headers),
      hint: hintOf(status),
    });
  }

  #error(state: string, detail: SearchErrorDetail = {}): SearchError {
    const message = `Cannot search the web (${this.#url.host}): ${state}`;
    return new SearchError(this.#masked(message), detail);
  }

  #masked(text: string): string {
    return withoutSecrets(text, [this.#apiKey ?? ""]);
  }
}

const SPEAKS_TAVILY = "Check that the address is that of a server that speaks Tavily's API.";

function hintOf(status: number): string | undefined {
  if (status === 429) return "Wait, or check fewer claims at once.";
  return status === 404 || status === 405 ? SPEAKS_TAVILY : undefined;
}

/** Returns the URL for searches, `/search` below a base URL. Throws a `ConfigurationError` for an invalid URL. */
function endpoint(baseUrl: string, field: string): URL {
  const url = URL.parse(baseUrl.trim());
  const problem = addressProblem(url);
  if (url === null || problem !== undefined) {
    const shown = baseUrl.replace(/(^|\/\/)[^/]*@/, "$1…@").replace(/\?.*$/s, "?…");
    throw new ConfigurationError(`Cannot use search URL "${shown}": ${problem}`, {
      field,
      hint: "Give an address such as http://127.0.0.1:8080, and the key in TAVILY_API_KEY.",
    });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/search`;
  url.hash = "";
  return url;
}

function checkedKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim() || undefined;
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigurationError("Cannot use the search key: it has characters that no key has", {
    field: "TAVILY_API_KEY",
    hint: "Set TAVILY_API_KEY to the key alone, without line breaks or quotes.",
  });
}

/** The most code points of a hit's title. */
const TITLE_LENGTH = 300;
/** The most code points of a hit's snippet. */
const SNIPPET_LENGTH = 1000;
/** The most characters of a hit's URL; a hit with a longer URL is dropped. */
const URL_LENGTH = 2000;

/** Schema of the reply of Tavily's `POST /search`. */
const reply = memo(() =>
  z.object({
    results: z.array(z.object({
      url: z.string(),
      title: z.string().nullish(),
      content: z.string().nullish(),
      score: z.number().optional().catch(undefined),
    })),
  })
);

/** Returns the error in a reply of Tavily or of a gateway before a server; empty for any other text. */
function errorTextIn(text: string): string {
  const { detail, error, message } = objectIn(jsonIn(text));
  const said = [isObject(detail) ? detail["error"] : detail, error, message]
    .find((each) => typeof each === "string");
  return said === undefined ? "" : saidLine(said, TITLE_LENGTH);
}

/** Returns a result as a hit; undefined if its URL is neither http nor https. */
function hitOf(
  { title, url, content, score }: z.infer<ReturnType<typeof reply>>["results"][number],
): SearchHit | undefined {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined;
  address.username = "";
  address.password = "";
  if (address.href.length > URL_LENGTH) return undefined;
  return {
    title: saidLine(title ?? "", TITLE_LENGTH) || address.host,
    url: address.href,
    snippet: saidLine(content ?? "", SNIPPET_LENGTH),
    ...score === undefined ? {} : { score: Math.min(Math.max(score, 0), 1) },
  };
}

const MAX_SECTIONS = 3;
/** The most characters of a source that is returned whole, about the length of five chunks. */
const WHOLE_LENGTH = 2500;
/** Matches a markdown heading, or a line that begins with a number: `## Scope`, `Section 2. Grant`, `4.1) Notices`. */
const HEADING =
  /^[ \t]*(?:(#{1,6})[ \t]+)?(?:(?:section|article|clause|chapter|part|§)[ \t]*)?(?:(\d{1,3}(?:\.\d{1,3})*)[.):]?[ \t]+)?(\S.*)$/gimu;
/** Matches references to sections in a query: `Section 4`, `clauses 2 and 7.1`. */
const NAMED =
  /(?:\b(?:sections?|sec\.|articles?|clauses?|chapters?|parts?|paragraphs?)|§+)\s*((?:\d+(?:\.\d+)*(?:\s*(?:,|and|or|&)\s*)?)+)/giu;

interface Section {
  readonly source: string;
  /** Number, such as `4.1`; empty if the heading has none. */
  readonly number: string;
  /** Words of the heading up to a full stop or colon, in lower case. */
  readonly title: string;
  readonly text: string;
}

/**
 * Creates a searcher over a convening's background files, by words. A section that the query names, by number or by a heading of two
 * or more words, is a whole hit and comes first. A short file is a single hit. Any other hit is a chunk of a file: the title names
 * the file and the first character, the URL is the file's path in the convening's directory, the snippet is the unchanged text.
 */
export function sourceSearcher(sources: readonly Pick<Source, "name" | "text">[]): Searcher {
  let loading: ReturnType<typeof load> | undefined;
  return {
    name: "sources",
    async search(query, { maxResults = MAX_RESULTS, signal } = {}) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const { sections, ranked } = await (loading ??= load(sources));
      const named = namedIn(query, sections).map(({ source, number, title, text }) => ({
        title: `${source}, section ${number || title}`,
        url: `sources/${source}`,
        snippet: text,
        score: 1,
      }));
      const found = ranked(query).map(({ item, score }): SearchHit => {
        const { title: source, start, text, file } = item;
        const url = `sources/${source}`;
        return file.length <= WHOLE_LENGTH
          ? { title: source, url, snippet: file.trim(), passage: text, score }
          : { title: `${source}, from character ${start + 1}`, url, snippet: text, score };
      });
      const isIn = (hits: readonly SearchHit[], { snippet }: SearchHit) =>
        hits.some((hit) => hit.snippet.includes(snippet));
      // Show each text once: drop sections of a whole file, and chunks of a shown section.
      const wholes = found.filter(({ passage }) => passage !== undefined);
      const shown = named.filter((hit) => !isIn(wholes, hit));
      const others = distinctBy(found, ({ snippet }) => snippet)
        .filter((hit) => !isIn(shown, hit));
      return [...shown, ...others].slice(0, maxResults);
    },
  };
}

/** Returns the sections that a query names; sections of files that the query also names come first. */
function namedIn(query: string, sections: readonly Section[]): Section[] {
  const words = query.toLowerCase();
  const numbers = new Set(
    [...query.matchAll(NAMED)].flatMap(([, list]) => list!.match(/[\d.]*\d/g)),
  );
  const isNamed = ({ source }: Section) =>
    source.toLowerCase().split(/[^\p{L}\p{N}]+/u).some((part) =>
      part.length > 2 && words.includes(part)
    );
  return sections.filter(({ number, title }) =>
    numbers.has(number) || (/\s/.test(title) && words.includes(title))
  ).toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a))).slice(0, MAX_SECTIONS);
}

/** Splits a text into sections, each up to the next heading of the same or a higher level. */
function sectionsOf({ name, text }: Pick<Source, "name" | "text">): Section[] {
  const headings = [...text.matchAll(HEADING)]
    .filter(([, marks, number]) => marks !== undefined || number !== undefined)
    .map(({ index, 1: marks, 2: number = "", 3: rest = "" }) => ({
      index,
      number,
      level: marks?.length ?? 7 + number.split(".").length,
      title: rest.split(/[.:]/u)[0]!.trim().toLowerCase(),
    }));
  return headings.map(({ index, level, number, title }, at) => {
    let next = at + 1;
    while (level < (headings[next]?.level ?? 0)) next++;
    const end = headings[next]?.index;
    return { source: name, number, title, text: text.slice(index, end).trim() };
  });
}

async function load(sources: readonly Pick<Source, "name" | "text">[]) {
  // Import on first use: most convenings do not search their sources.
  const { keywordIndex } = await import("../core/keyword_index.ts");
  const chunks = sources.flatMap(({ name, text: file }) =>
    chunkText(file).map((chunk) => ({ ...chunk, title: name, file }))
  );
  return { sections: sources.flatMap(sectionsOf), ranked: await keywordIndex(chunks) };
}
