// Reading of replies of Tavily's search API.
import type { SearchHit } from "../core/search.ts";
import { saidLine } from "../core/said_text.ts";
import { jsonIn } from "../core/json_text.ts";

/** The most code points of a hit's title. */
const TITLE_LENGTH = 300;
/** The most code points of a hit's snippet. */
const SNIPPET_LENGTH = 1000;
/** The most characters of a hit's address; longer ones are dropped. */
const URL_LENGTH = 2000;

/** Hits of a reply, or the reason that the reply cannot be read. */
type ReadReply =
  | { readonly hits: readonly SearchHit[]; readonly problem?: undefined }
  | { readonly hits?: undefined; readonly problem: string };

/**
 * Reads `{results: [{title, url, content, score}]}`, the reply of Tavily's `POST /search`. Hits whose address is neither
 * http nor https are left out; addresses are only kept as text.
 */
export function readReply(text: string): ReadReply {
  const whole = jsonIn(text);
  if (whole === undefined) return { problem: `it is no JSON, ${quoted(text)}` };
  const results = isMap(whole) ? whole["results"] : undefined;
  if (!Array.isArray(results)) return { problem: 'it has no list "results"' };
  const hits: SearchHit[] = [];
  for (const [i, result] of results.entries()) {
    const problem = shapeProblem(result);
    if (problem !== undefined) return { problem: `results[${i}] ${problem}` };
    const hit = hitOf(result);
    if (hit !== undefined) hits.push(hit);
  }
  return { hits };
}

/** Error text of a reply of another status than 200, one line; empty where the reply has none that can be read. */
export function saidIn(text: string): string {
  const whole = jsonIn(text);
  if (!isMap(whole)) return "";
  const { detail, error, message } = whole;
  const inner = isMap(detail) ? detail["error"] ?? detail["message"] : detail;
  const said = [inner, error, message].find((each) => typeof each === "string");
  return said === undefined ? "" : saidLine(said, TITLE_LENGTH);
}

type Result = Readonly<Record<"title" | "url" | "content" | "score", unknown>>;

function shapeProblem(result: unknown): string | undefined {
  if (!isMap(result)) return "is no object";
  if (typeof result["url"] !== "string") return "has no url";
  for (const key of ["title", "content"]) {
    const value = result[key];
    if (value !== undefined && value !== null && typeof value !== "string") {
      return `has a ${key} that is no text`;
    }
  }
  return undefined;
}

function hitOf({ title, url, content, score }: Result): SearchHit | undefined {
  const address = URL.parse(String(url));
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined;
  address.username = "";
  address.password = "";
  if (address.href.length > URL_LENGTH) return undefined;
  return {
    title: saidLine(typeof title === "string" ? title : "", TITLE_LENGTH) || address.host,
    url: address.href,
    snippet: saidLine(typeof content === "string" ? content : "", SNIPPET_LENGTH),
    ...(typeof score === "number" && Number.isFinite(score)
      ? { score: Math.min(Math.max(score, 0), 1) }
      : {}),
  };
}

function isMap(value: unknown): value is Result & Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function quoted(text: string): string {
  const start = saidLine(text.slice(0, 200), 60);
  return start === "" ? "but empty" : `but begins "${start}"`;
}
