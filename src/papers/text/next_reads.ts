// Recommended reading: pages that were cited or found, and references of the papers.
import type { ConveningStart } from "../../core/convening_start.ts";
import type { Fact, LookUp } from "../../core/fact.ts";
import { oneLine } from "../../core/message.ts";
import { wordsOf } from "../../core/words.ts";
import { type DebaterRecord, debatersOf, subjectOf } from "./debaters.ts";
import type { WebSearchResult } from "../../core/evidence.ts";
import { pagesIn, WEB_SEARCH } from "../tools.ts";
import { linkableAddress, referencesIn } from "./references.ts";

/** The most next reads of a report. */
const MAX_READS = 7;

/** Recommended reading, or the reason why there is none. */
interface NextReads {
  /** At most seven, each page once. */
  readonly reads: readonly WebSearchResult[];
  /** One sentence, where there are none. */
  readonly why?: string | undefined;
}

/**
 * Recommended reading: pages that verified citations cite, then those that web searches returned, then what the papers
 * refer to, what shares most words with the question first. What nothing returned and no paper names is never among them.
 */
export function nextReads(
  start: ConveningStart,
  facts: readonly Fact[],
): NextReads {
  const searches = facts.filter((fact): fact is LookUp =>
    fact.type === "lookup" && fact.tool === WEB_SEARCH
  ).toSorted((a, b) => a.seq - b.seq || a.number - b.number);
  const returned = pagesIn(searches);
  const references = (start.papers ?? []).flatMap(referencesIn);
  const { question } = subjectOf(facts);
  const pages = [
    ...debatersOf(start, facts).flatMap(citedPages).map(pageOf),
    ...returned.map(({ title, url, snippet }) => pageOf({ title, url, snippet })),
  ];
  const found = [...pages, ...byQuestion(references, question)];
  const reads = distinct(found).slice(0, MAX_READS);
  return reads.length > 0 ? { reads } : { reads, why: whyNone(searches) };
}

/** Reasons why web searches failed, each once; and that none was set up, where the tool of earlier versions said so. */
export function searchFailures(facts: readonly Fact[]): string[] {
  const reasons = facts.flatMap((fact) => {
    if (fact.type !== "lookup" || fact.tool !== WEB_SEARCH) return [];
    if (fact.failed) return [`a web search failed: ${oneLine(fact.result, 200)}`];
    return NO_KEY.test(fact.result) && pagesIn([fact]).length === 0
      ? ["no search key was set (TAVILY_API_KEY), so that the web was not searched"]
      : [];
  });
  return [...new Set(reasons.map((reason) => reason.replace(/[.\s]+$/, "")))];
}

/** Words of the tool in records of earlier versions, where no search was set up. */
const NO_KEY = /\bTAVILY_API_KEY\b/;

function citedPages({ argument, evidence }: DebaterRecord): readonly WebSearchResult[] {
  const cited = [
    ...(argument?.perTopic ?? []).map(({ citations }) => citations),
    ...evidence.map(({ citations }) => citations),
  ];
  return cited.flatMap(({ web = [] }) => web).filter(({ status }) => status === "verified");
}

/** A page that a search returned, fit for a list. */
function pageOf({ title, url, snippet }: WebSearchResult): WebSearchResult {
  const address = linkableAddress(url) ?? "";
  return {
    title: oneLine(title, 200) || address,
    url: address,
    snippet: oneLine(snippet, 300),
    status: "verified",
  };
}

/** Each address and each title once; what has no title is left out. */
function distinct(reads: readonly WebSearchResult[]): WebSearchResult[] {
  const seen = new Set<string>();
  return reads.filter(({ title, url }) => {
    const keys = [
      ...(url === "" ? [] : [url.replace(/^https?:\/\/(?:www\.)?|#.*$|\/$/g, "").toLowerCase()]),
      title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim(),
    ];
    if (title === "" || keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

function byQuestion(references: readonly WebSearchResult[], question: string): WebSearchResult[] {
  const asked = stemsOf(question);
  const shared = new Map(references.map((reference) => {
    const found = stemsOf(`${reference.title} ${reference.snippet}`);
    return [reference, [...asked].filter((stem) => found.has(stem)).length] as const;
  }));
  return references.toSorted((a, b) => shared.get(b)! - shared.get(a)!);
}

/** The beginnings of longer words: endings differ, and short words say little. */
function stemsOf(text: string): Set<string> {
  const words = [...wordsOf(text)].map(({ text: word }) => word.toLowerCase());
  return new Set(words.filter((word) => word.length >= 5).map((word) => word.slice(0, 6)));
}

function whyNone(searches: readonly LookUp[]): string {
  const [failed] = searchFailures(searches);
  const web = searches.length === 0
    ? "no web search was made"
    : failed ?? "web searches returned nothing";
  return `There is nothing to recommend: ${web}, and the papers list no references that could be read.`;
}
