// The check of one statement: claims, look-ups by searchers, verdicts.
import { type AgentError, CancelledError, RecordError } from "../core/error.ts";
import type { CheckedClaim, ClaimSource, FactCheck, StatedClaim } from "../core/fact.ts";
import { factualityOf } from "../core/outcome.ts";
import { textWords } from "../core/words.ts";
import { addUsage, type Made, NO_USAGE, type Usage } from "../core/message.ts";
import { oneLine } from "../core/text.ts";
import type { Consult, Once } from "../core/guard.ts";
import { round4 } from "../core/statistics.ts";
import type { Searcher, SearchHit } from "../core/search.ts";
import type { Answer } from "../core/turn.ts";
import { exactWords } from "../core/quotations.ts";
import {
  claimsQuestion,
  claimVerdictQuestion,
  type ClaimVerdictReply,
  type FactCheckTemplates,
  isShown,
  sourcesOf,
  type Statement,
} from "./questions.ts";
import { z } from "zod";
import { memo } from "../core/values.ts";
import type { Schema } from "../core/schema.ts";

/** The most code points of a claim, and of a claim's reason. */
const LENGTHS = { claim: 500, reason: 400 } as const;

/** Models and searchers that check statements. */
export interface CheckSettings {
  /** Marks and keeps; or has a turn with a false claim said again, at most three times. */
  readonly mode: "standard" | "strict";
  /** The id of the party that finds the claims. */
  readonly extractor: string;
  /** The id of the party that judges each. */
  readonly verifier: string;
  /** Searchers; all of them are asked for each claim. */
  readonly searchers: readonly Searcher[];
  /** The most claims of a statement. */
  readonly maxClaims: number;
  /** Tasks of the two questions. */
  readonly templates: FactCheckTemplates;
}

/** Finds the claims of a statement. */
export type FindClaims = (
  statement: Statement,
  tools: { readonly consult: Consult },
) => Promise<FoundClaims>;

/** Claims of a statement, with what finding them used. */
interface FoundClaims extends Made {
  /** In the order of their weight, each once. */
  readonly claims: readonly StatedClaim[];
  /** Number of claims whose words are not in the statement. */
  readonly dropped: number;
  /** Reason that none could be found. */
  readonly problem?: string | undefined;
  /** Error of a model that may find them later. */
  readonly later?: AgentError | undefined;
  /** Usage of notes on an attempt, which have a fact of their own if the attempt is accepted. @default none */
  readonly noted?: Usage | undefined;
}

/** A claim, what came of it, and why. */
export interface ReasonedClaim extends CheckedClaim {
  /** One line. */
  readonly reason: string;
}

/** Result of checking one statement. */
export interface StatementCheck
  extends Made, Pick<FactCheck, "status" | "reason" | "factuality" | "dropped" | "reasons"> {
  /** Empty when `unchecked`. */
  readonly claims: readonly ReasonedClaim[];
  /** Usage of notes that the claims are from; in `usage` it is not. @default none */
  readonly noted?: Usage | undefined;
  /** Error of a model that may answer later; the check is without its answer. */
  readonly later?: AgentError | undefined;
  /** Every search, by claim. */
  readonly searches: readonly Search[];
  /** When the look-ups were begun. */
  readonly begunAt: string;
}

/** The verdicts of a convening by claim, those in the making too: a claim that was checked keeps its verdict. */
export type KnownClaims = Map<string, Promise<Outcome>>;

/** Outcome of one claim: judged, without a source, or not checked because of a failure. */
interface Outcome {
  readonly claim: ReasonedClaim;
  readonly searches: readonly Search[];
  readonly found: boolean;
  readonly failed: boolean;
  readonly answer?: Answer<ClaimVerdictReply>;
}

/** Means of checking a statement and its claims. */
interface Checking {
  readonly consult: Consult;
  readonly once: Once;
  readonly signal: AbortSignal;
  readonly settings: CheckSettings;
}

/** Finds a statement's claims, looks all of them up at once, and has each judged by what was found. */
export async function checkStatement(
  statement: Statement,
  { known, findClaims, ...checking }: Checking & {
    readonly known: KnownClaims;
    /** Source of the claims. @default the extractor is asked */
    readonly findClaims?: FindClaims | undefined;
  },
): Promise<StatementCheck> {
  const { settings } = checking;
  const find = findClaims ?? claimsBy(settings);
  const { claims: stated, dropped, problem, noted, later, ...made } = await find(
    statement,
    checking,
  );
  if (problem !== undefined) {
    const reason = `The claims could not be found: ${problem}`;
    return { noted, later, ...madeOf(made, []), ...uncheckedFor(reason, []) };
  }
  const outcomes = await Promise.all(
    stated.slice(0, settings.maxClaims).map((claim, index) =>
      checkOnce(
        claim,
        { number: index + 1, known, mode: settings.mode },
        () => checkClaim(claim, { number: index + 1, statement, ...checking }),
      )
    ),
  );
  const { reasons, ...sum } = sumUp(outcomes, settings);
  const line = `- dropped: ${dropped} of the claims found, whose words are not in the statement`;
  return {
    noted,
    later: outcomes.find(({ answer }) => answer?.later !== undefined)?.answer?.later,
    ...madeOf(made, outcomes),
    ...sum,
    ...dropped === 0 ? { reasons } : { reasons: `${reasons}\n${line}`, dropped },
  };
}

function claimsBy({ extractor, templates, maxClaims }: CheckSettings): FindClaims {
  return async (statement, { consult }) => {
    const { value, problem = "no answer", text: _, ...made } = await consult(
      claimsQuestion(statement, { asked: extractor, task: templates.claims, max: maxClaims }),
    );
    return value === undefined
      ? { claims: [], dropped: 0, problem, ...made }
      : { ...statedClaims(value.claims, statement.body), ...made };
  };
}

/** The claims that say something, each once, with the words they rest on; others are dropped. */
export function statedClaims(
  claims: readonly StatedClaim[],
  body: string,
): Pick<FoundClaims, "claims" | "dropped"> {
  const given = distinct(claims);
  const stated = given.flatMap((claim) => asStated(claim, body) ?? []);
  return { claims: stated, dropped: given.length - stated.length };
}

/** A claim with the words it rests on as the statement has them; undefined where they are not in the statement. */
function asStated({ text, quote }: StatedClaim, body: string): StatedClaim | undefined {
  const words = exactWords(quote, body);
  return words === undefined ? undefined : { text, quote: words };
}

/** The outcome that a claim had before, else what `check` gives; a claim that was not judged is checked again. */
async function checkOnce(
  { text, quote }: StatedClaim,
  { number, known, mode }: {
    readonly number: number;
    readonly known: KnownClaims;
    readonly mode: CheckSettings["mode"];
  },
  check: () => Promise<Outcome>,
): Promise<Outcome> {
  const key = claimKey(text);
  const before = known.get(key);
  const kept = before && await before;
  if (kept !== undefined && (kept.claim.verdict !== "unverifiable" || kept.claim.confidence > 0)) {
    // The searches of an attempt that was turned down are recorded with the message that makes the claim again.
    const searches = mode === "strict"
      ? kept.searches.map((each) => ({ ...each, claim: number }))
      : [];
    return { claim: { ...kept.claim, text, quote }, searches, found: true, failed: false };
  }
  const outcome = check();
  known.set(key, outcome);
  outcome.catch(() => known.delete(key));
  return await outcome;
}

/** Key of a claim: equal for claims of the same words, letter case and punctuation aside. */
export function claimKey(text: string): string {
  return textWords(text).map(({ word }) => word).join(" ");
}

/** The claims that say something, each once, within their bounds. */
function distinct(claims: readonly StatedClaim[]): StatedClaim[] {
  const seen = new Set<string>();
  return claims.map(({ text, quote }) => ({ text: oneLine(text, LENGTHS.claim), quote }))
    .filter(({ text }) => {
      const key = claimKey(text);
      return key !== "" && !seen.has(key) && seen.add(key);
    });
}

async function checkClaim(
  claim: StatedClaim,
  { number, statement, consult, once, signal, settings }: Checking & {
    readonly number: number;
    readonly statement: Statement;
  },
): Promise<Outcome> {
  const { searchers, verifier, templates } = settings;
  const place = `${statement.seq}/${statement.attempt}`;
  const searches = await lookUp(claim.text, { place, claim: number, searchers, signal, once });
  const hits = foundIn(searches);
  if (hits.length === 0) {
    const errors = searches.flatMap(({ error }) => error ?? []);
    const failed = errors.length > 0;
    const reason = failed
      ? `It could not be looked up: ${errors.join("; ")}`
      : searchers.length === 0
      ? "There was no source to check it against."
      : "Nothing was found on it.";
    return { claim: unverifiable(claim, reason), searches, found: false, failed };
  }
  const answer = await consult(
    claimVerdictQuestion(statement, {
      asked: verifier,
      task: templates.claimVerdict,
      number,
      claim: claim.text,
      quote: claim.quote,
      hits,
    }),
  );
  if (answer.value !== undefined) {
    return {
      claim: judged(claim, answer.value, hits),
      searches,
      found: true,
      failed: false,
      answer,
    };
  }
  const reason = `What was found could not be judged: ${answer.problem ?? "no answer"}`;
  return { claim: unverifiable(claim, reason), searches, found: true, failed: true, answer };
}

function judged(
  claim: StatedClaim,
  { verdict, omitted, confidence, sources, reason }: ClaimVerdictReply,
  hits: readonly SearchHit[],
): ReasonedClaim {
  const shown = new Set(sources.filter((each) => isShown(each, hits.length)));
  return {
    ...claim,
    verdict,
    ...verdict === "misleading" ? { omitted: oneLine(omitted, LENGTHS.reason) } : {},
    confidence: round4(confidence),
    sources: hits.filter((_, index) => shown.has(index + 1)).map(sourceOf),
    reason: oneLine(reason, LENGTHS.reason),
  };
}

function sourceOf(hit: SearchHit): ClaimSource {
  const { title, url, snippet } = cut(
    { ...hit, snippet: hit.passage ?? hit.snippet },
    SNIPPET_LENGTH,
  );
  return { title, url, snippet };
}

function unverifiable(claim: StatedClaim, reason: string): ReasonedClaim {
  const line = oneLine(reason, LENGTHS.reason);
  return { ...claim, verdict: "unverifiable", confidence: 0, sources: [], reason: line };
}

type Finding = Pick<StatementCheck, "status" | "reason" | "factuality" | "claims" | "reasons">;

/** Result of all claims: not checked where each of them failed. */
function sumUp(outcomes: readonly Outcome[], { searchers }: CheckSettings): Finding {
  const claims = outcomes.map(({ claim }) => claim);
  if (claims.length === 0) {
    const reasons = "No claim was found that a source could support or contradict.";
    return { status: "checked", factuality: null, claims, reasons };
  }
  if (outcomes.every(({ failed }) => failed)) {
    const reasons = [...new Set(claims.map(({ reason }) => reason))];
    return uncheckedFor(reasons.join(" "), claims);
  }
  const reason = outcomes.every(({ found }) => !found) ? noSource(searchers) : undefined;
  return {
    status: "checked",
    ...(reason === undefined ? {} : { reason }),
    factuality: factualityOf([{ claims }]),
    claims,
    reasons: claims.map(lineOf).join("\n"),
  };
}

function noSource(searchers: readonly Searcher[]): string {
  return searchers.length === 0
    ? "There was no source to check against: no search key is set and the convening has no sources."
    : `There was no source to check against: nothing was found on any claim (searched: ${
      searchers.map(({ name }) => name).join(", ")
    }).`;
}

function uncheckedFor(reason: string, claims: readonly ReasonedClaim[]): Finding {
  const line = oneLine(reason, 3 * LENGTHS.reason);
  return {
    status: "unchecked",
    reason: line,
    factuality: null,
    claims: [],
    reasons: claims.length === 0
      ? line
      : claims.map(({ text, reason }) => `- not checked: “${text}”. ${reason}`).join("\n"),
  };
}

function lineOf(claim: ReasonedClaim): string {
  const { text, verdict, confidence, reason } = claim;
  const left = claim.omitted === undefined ? "" : ` Left out: ${claim.omitted}`;
  return `- ${verdict} (${confidence}): “${text}”. ${reason}${sourcesOf(claim)}${left}`;
}

/** Provenance of the whole check: claims are judged at the same time. */
function madeOf(
  extraction: Made,
  outcomes: readonly Outcome[],
): Pick<StatementCheck, keyof Made | "searches" | "begunAt"> {
  const answers = outcomes.flatMap(({ answer }) => answer ?? []);
  const all = [extraction, ...answers];
  return {
    model: answers[0]?.model ?? extraction.model,
    usage: all.map(({ usage }) => usage).reduce<Usage>(addUsage, NO_USAGE),
    latencyMs: extraction.latencyMs + Math.max(0, ...answers.map(({ latencyMs }) => latencyMs)),
    createdAt: all.map(({ createdAt }) => createdAt).reduce((a, b) => a > b ? a : b),
    searches: outcomes.flatMap(({ searches }) => searches),
    begunAt: extraction.createdAt,
  };
}

/** The name of the searcher of a convening's own sources: they are in the record, so that searches in them leave no look-up. */
const OWN_SOURCES = "sources";
/** The most code points of a hit's text that a record keeps, and a question shows of a page of the web. */
const SNIPPET_LENGTH = 1000;
/** The most code points that a question shows of a hit in the convening's own sources: sections are shown whole. */
const SECTION_LENGTH = 6000;

/** One search for one claim. */
export interface Search {
  /** The searcher's name. */
  readonly tool: string;
  /** The claim's, from 1. */
  readonly claim: number;
  /** Query of the search. */
  readonly query: string;
  /** True if the record has to keep the result. */
  readonly outside: boolean;
  /** Best first; empty when it failed. */
  readonly hits: readonly SearchHit[];
  /** Reason for the failure. */
  readonly error?: string;
}

/** Hits of a web search, as kept: the same query is not searched for twice. */
const kept = memo((): Schema<readonly SearchHit[]> =>
  z.array(z.object({
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    score: z.number().exactOptional(),
  }))
);

/** Looks one claim up everywhere at once; a search that fails says so and stops nothing. */
function lookUp(
  query: string,
  { place, claim, searchers, signal, once }: {
    /** Tells the statement from others. */
    readonly place: string;
    readonly claim: number;
    readonly searchers: readonly Searcher[];
    readonly signal: AbortSignal;
    readonly once: Once;
  },
): Promise<Search[]> {
  return Promise.all(searchers.map(async (searcher) => {
    const made = {
      tool: searcher.name,
      claim,
      query,
      outside: searcher.name !== OWN_SOURCES,
    };
    const search = async () =>
      (await searcher.search(query, { signal }))
        .map((hit) => cut(hit, made.outside ? SNIPPET_LENGTH : SECTION_LENGTH));
    const key = `search/${place}/${claim}/${searcher.name} ${query}`;
    try {
      const hits = made.outside
        ? await once(key, { schema: kept(), make: search })
        : await search();
      return { ...made, hits };
    } catch (error) {
      if (signal.aborted) throw new CancelledError(signal.reason);
      if (error instanceof RecordError) throw error;
      return { ...made, hits: [], error: error instanceof Error ? error.message : String(error) };
    }
  }));
}

/** Hits of searches, each once. */
function foundIn(searches: readonly Search[]): SearchHit[] {
  const seen = new Set<string>();
  return searches.flatMap(({ hits }) => hits).filter(({ url, snippet }) => {
    const key = JSON.stringify([url, snippet]);
    return !seen.has(key) && seen.add(key);
  });
}

/** A hit with at most so many code points of its text. */
function cut(hit: SearchHit, length: number): SearchHit {
  if (hit.snippet.length <= length) return hit;
  return { ...hit, snippet: [...hit.snippet].slice(0, length).join("") };
}
