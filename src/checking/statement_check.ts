// Checks one statement: finds its claims, searches for them, and gets a verdict on each.
import {
  type AgentError,
  CancelledError,
  errorMessage,
  RecordError,
  SearchError,
} from "../core/error.ts";
import type { CheckedClaim, ClaimSource, FactCheck, StatedClaim } from "../core/fact.ts";
import { wordKey } from "../core/words.ts";
import { addUsage, type Made, NO_USAGE, type Usage } from "../core/message.ts";
import { firstPoints, oneLine, quotedSentence } from "../core/text.ts";
import type { Once } from "../core/guard.ts";
import { round4 } from "../core/statistics.ts";
import type { Searcher, SearchHit } from "../core/search.ts";
import type { Answer, Consult } from "../core/turn.ts";
import { exactWords } from "../core/quotations.ts";
import { searchHits } from "../core/schema.ts";
import { distinctBy } from "../core/values.ts";
import {
  claimsQuestion,
  claimVerdictQuestion,
  type ClaimVerdictReply,
  type FactCheckTemplates,
  isShown,
  sourcesOf,
  type Statement,
} from "./questions.ts";
import { factualityOf, FAILED_CHECKS } from "../core/claims.ts";

/** The most code points of a claim, and of a claim's reason. */
const LENGTHS = { claim: 500, reason: 400 } as const;

export interface CheckSettings {
  /** `standard` records verdicts; `strict` also rejects attempts with a false claim, at most three times. */
  readonly mode: "standard" | "strict";
  /** Id of the helper that finds the claims. */
  readonly extractor: string;
  /** Id of the helper that judges each claim. */
  readonly verifier: string;
  /** Searchers; each claim is searched for with all of them. */
  readonly searchers: readonly Searcher[];
  /** The most claims of a statement. */
  readonly maxClaims: number;
  /** Tasks of the two questions. */
  readonly templates: FactCheckTemplates;
}

export type FindClaims = (
  statement: Statement,
  tools: { readonly consult: Consult },
) => Promise<FoundClaims>;

/** Claims of a statement, with the provenance of the answer. */
interface FoundClaims extends Made {
  /** Distinct claims, the most important first. */
  readonly claims: readonly StatedClaim[];
  /** Number of dropped claims, whose words are not in the statement. */
  readonly dropped: number;
  /** Reason that the claims could not be found. */
  readonly problem?: string | undefined;
  /** Error of a model that may find the claims later. */
  readonly later?: AgentError | undefined;
  /** Usage of notes on an attempt, which become a fact of their own if the attempt is accepted. @default none */
  readonly noted?: Usage | undefined;
}

export interface ReasonedClaim extends CheckedClaim {
  /** Reason in one line. */
  readonly reason: string;
}

export interface StatementCheck
  extends Made, Pick<FactCheck, "status" | "reason" | "factuality" | "dropped" | "reasons"> {
  /** Checked claims; empty with the status `unchecked`. */
  readonly claims: readonly ReasonedClaim[];
  /** Usage of the notes that held the claims, not included in `usage`. @default none */
  readonly noted?: Usage | undefined;
  /** Error of a model that may answer later; its answer is missing in the check. */
  readonly later?: AgentError | undefined;
  /** All searches, by claim. */
  readonly searches: readonly Search[];
  /** Time of the first search in ISO 8601. */
  readonly begunAt: string;
}

/** Outcomes of a convening by claim key, including pending ones, so that a repeated claim keeps its verdict. */
export type KnownClaims = Map<string, Promise<ClaimOutcome>>;

interface ClaimOutcome {
  readonly claim: ReasonedClaim;
  readonly searches: readonly Search[];
  /** True if a search had results. */
  readonly found: boolean;
  /** True if the claim could not be checked because of an error. */
  readonly failed: boolean;
  readonly answer?: Answer<ClaimVerdictReply>;
}

/** Tools and settings for checking a statement and its claims. */
interface Checking {
  readonly consult: Consult;
  readonly once: Once;
  readonly signal: AbortSignal;
  readonly settings: CheckSettings;
}

/** Context of the check of one claim, whose number counts from 1. */
interface ClaimChecking extends Checking {
  readonly number: number;
  readonly statement: Statement;
}

/** Finds a statement's claims, searches for all of them in parallel, and gets a verdict on each. */
export async function checkStatement(
  statement: Statement,
  { known, findClaims, ...checking }: Checking & {
    readonly known: KnownClaims;
    /** Finds the claims. @default the extractor is asked */
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
      checkOnce(claim, { number: index + 1, statement, known, ...checking })
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

/** Returns the distinct claims whose words are in the statement, with these exact words, and the number of dropped claims. */
export function statedClaims(
  claims: readonly StatedClaim[],
  body: string,
): Pick<FoundClaims, "claims" | "dropped"> {
  const lines = claims.map(({ text, quote }) => ({ text: oneLine(text, LENGTHS.claim), quote }));
  const byKey = Map.groupBy(lines, ({ text }) => wordKey(text));
  byKey.delete("");
  const stated = [...byKey.values()].flatMap(([claim]) => {
    const quote = exactWords(claim!.quote, body);
    return quote === undefined ? [] : [{ text: claim!.text, quote }];
  });
  return { claims: stated, dropped: byKey.size - stated.length };
}

/** Returns the known outcome of a claim, else checks the claim. A claim without a verdict is checked again. */
async function checkOnce(
  claim: StatedClaim,
  { known, ...checking }: ClaimChecking & { readonly known: KnownClaims },
): Promise<ClaimOutcome> {
  const { number, settings: { mode } } = checking;
  const key = wordKey(claim.text);
  const before = known.get(key);
  const kept = before && await before;
  if (kept !== undefined && (kept.claim.verdict !== "unverifiable" || kept.claim.confidence > 0)) {
    // A rejected attempt records no searches, so they are recorded with the message that repeats the claim.
    const searches = mode === "strict"
      ? kept.searches.map((each) => ({ ...each, claim: number }))
      : [];
    return { claim: { ...kept.claim, ...claim }, searches, found: true, failed: false };
  }
  const outcome = checkClaim(claim, checking);
  known.set(key, outcome);
  outcome.catch(() => known.delete(key));
  return await outcome;
}

async function checkClaim(
  claim: StatedClaim,
  { number, statement, consult, once, signal, settings }: ClaimChecking,
): Promise<ClaimOutcome> {
  const { searchers, verifier, templates } = settings;
  const place = `${statement.seq}/${statement.attempt}`;
  const searches = await lookUp(claim.text, { place, claim: number, searchers, signal, once });
  const hits = foundIn(searches);
  if (hits.length === 0) {
    const errors = searches.flatMap(({ error }) => error ?? []);
    const failed = errors.length > 0;
    const reason = failed
      ? `${FAILED_CHECKS.lookUp}${errors.join("; ")}`
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
      claim: judgedClaim(claim, answer.value, hits),
      searches,
      found: true,
      failed: false,
      answer,
    };
  }
  const reason = `${FAILED_CHECKS.verdict}${answer.problem ?? "no answer"}`;
  return { claim: unverifiable(claim, reason), searches, found: true, failed: true, answer };
}

function judgedClaim(
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

/** Summarizes the outcomes of all claims; `unchecked` if every claim failed. */
function sumUp(outcomes: readonly ClaimOutcome[], { searchers }: CheckSettings): Finding {
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
    : `There was no source to check against: a search of ${
      searchers.map(({ name }) => name).join(", ")
    } found nothing on any claim.`;
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
      : claims.map(({ text, reason }) => `- not checked: ${quotedSentence(text)} ${reason}`).join(
        "\n",
      ),
  };
}

function lineOf(claim: ReasonedClaim): string {
  const { text, verdict, confidence, reason } = claim;
  const left = claim.omitted === undefined ? "" : ` Left out: ${claim.omitted}`;
  return `- ${verdict} (${confidence}): ${quotedSentence(text)} ${reason}${
    sourcesOf(claim)
  }${left}`;
}

/** Combines the provenance of all answers; the latency is that of the slowest verdict, because claims are judged in parallel. */
function madeOf(
  extraction: Made,
  outcomes: readonly ClaimOutcome[],
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

/** Name of the searcher of a convening's own sources, whose searches are not recorded because the record has the sources. */
const OWN_SOURCES = "sources";
/** The most code points of a hit's text in the record, and of a web page in a question. */
const SNIPPET_LENGTH = 1000;
/** The most code points of a hit from the convening's own sources in a question; long enough for whole sections. */
const SECTION_LENGTH = 6000;

interface Search {
  /** Name of the searcher. */
  readonly tool: string;
  readonly claim: number;
  readonly query: string;
  /** True for a search outside the record, whose result the record must keep. */
  readonly outside: boolean;
  /** Hits, best first; empty after a failure. */
  readonly hits: readonly SearchHit[];
  /** Reason for the failure. */
  readonly error?: string;
}

/** Searches for one claim with all searchers in parallel; a failed search returns its error. */
function lookUp(
  query: string,
  { place, claim, searchers, signal, once }: {
    /** Number and attempt of the statement, part of the key of each search. */
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
        ? await once(key, { schema: searchHits(), make: search })
        : await search();
      return { ...made, hits };
    } catch (error) {
      if (signal.aborted) throw new CancelledError(signal.reason);
      if (error instanceof RecordError) throw error;
      // The message of a search's own error names the place; that of another error does not.
      const named = error instanceof SearchError ? "" : `searcher "${searcher.name}" failed: `;
      return { ...made, hits: [], error: named + errorMessage(error) };
    }
  }));
}

function foundIn(searches: readonly Search[]): SearchHit[] {
  const hits = searches.flatMap((search) => search.hits);
  return distinctBy(hits, ({ url, snippet }) => JSON.stringify([url, snippet]));
}

/** Cuts a hit's snippet to `length` code points. Throws for a hit that a program's own searcher did not make of texts. */
function cut(hit: SearchHit, length: number): SearchHit {
  for (const key of ["title", "url", "snippet"] as const) {
    if (typeof hit[key] !== "string") throw new TypeError(`a result has no ${key}`);
  }
  const snippet = firstPoints(hit.snippet, length);
  return snippet === hit.snippet ? hit : { ...hit, snippet };
}
