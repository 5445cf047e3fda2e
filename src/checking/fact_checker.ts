// The fact checker of a convening: observer and guard.
import { type FactCheck, LAST_OWN_LOOK_UP, type LookUp } from "../core/fact.ts";
import { reasonOf } from "../core/fact_check_summary.ts";
import type { Draft, Guard, GuardTools, Objection } from "../core/guard.ts";
import { addUsage, type Message, NO_USAGE, type Usage } from "../core/message.ts";
import type { Observer, ObserverTools } from "../core/observer.ts";
import { LimitStop } from "../core/limit.ts";
import type { Search } from "./look_up.ts";
import { claimsQuestion, claimVerdictQuestion, type Statement } from "./questions.ts";
import {
  type CheckSettings,
  checkStatement,
  claimKey,
  type FindClaims,
  type KnownClaims,
  type ReasonedClaim,
  sourcesOf,
  type StatementCheck,
} from "./statement_check.ts";

interface FactCheckerOptions extends CheckSettings {
  /** The least confidence from which `strict` turns a turn down for a false claim, 0 to 1. */
  readonly rejectFrom: number;
  /** The ids of those whose turns are checked, of every kind. */
  readonly speakers: ReadonlySet<string>;
  /** True if judges go by the checks: a model that may answer later fails the run. @default false */
  readonly isJudged?: boolean | undefined;
  /** Notes of the turns, which hold their claims. @default each turn's claims are asked for */
  readonly notes?: ClaimNotes | undefined;
}

/** Source of claims: the notes of turns that are taken anyway. */
export interface ClaimNotes {
  /** Claims of a message. */
  claimsOf(message: Message, tools: ObserverTools): FindClaims;
  /** Claims of an attempt at a turn by a speaker who had been given the messages up to the number `previous`. */
  claimsOfAttempt(
    turn: { readonly participant: string; readonly previous?: number | undefined },
  ): FindClaims;
}

/** Checker of the claims of a convening. */
export interface FactChecker {
  /** Sees to it that every message it is there for has its fact check on record. */
  readonly observer: Observer;
  /** Turns attempts with false claims down; only where the mode is `strict`. */
  readonly guard: Guard | undefined;
  /** A message's fact check, once it is on record; undefined for one that is not checked: a template's, a moderator's. */
  checkOf(message: Message, tools: ObserverTools): Promise<FactCheck | undefined>;
}

/**
 * A checker that finds each turn's claims, looks them up at once and judges them by what was found (context-network/rules/fact_checks.md). What fails on the way rejects no turn and is recorded as not checked, except where `isJudged` is set.
 */
export function createFactChecker(options: FactCheckerOptions): FactChecker {
  const checker = new Checker(options);
  const checkOf: FactChecker["checkOf"] = (message, tools) => checker.checkOf(message, tools);
  return {
    observer: {
      name: "fact_checker",
      observe: async (message, tools) => void await checkOf(message, tools),
    },
    guard: options.mode === "strict"
      ? { name: "facts", check: (draft, tools) => checker.look(draft, tools) }
      : undefined,
    checkOf,
  };
}

/** Results of checking the attempts at a turn so far. */
interface Attempted {
  /** The latest attempt that was looked at, and what was said in it. */
  readonly attempt: number;
  readonly body: string;
  readonly check: StatementCheck;
  /** Usage of attempts that no file carries yet, the current attempt included. */
  readonly owed: Usage;
  /** The same without the notes of the current attempt, which have a file of their own once it is accepted. */
  readonly owedBesideNotes: Usage;
  /** True if the file of the attempt's rejection carries the usage, if the attempt is rejected. */
  readonly told: boolean;
}

class Checker {
  readonly #options: FactCheckerOptions;
  /** By message: all who wait for its check wait for the same one. */
  readonly #checks = new WeakMap<Message, Promise<FactCheck | undefined>>();
  readonly #known: KnownClaims = new Map();
  /** By turn key, until the turn's message is there. */
  readonly #attempts = new Map<string, Attempted>();

  constructor(options: FactCheckerOptions) {
    this.#options = options;
  }

  checkOf(message: Message, tools: ObserverTools): Promise<FactCheck | undefined> {
    let check = this.#checks.get(message);
    if (check === undefined) {
      check = this.#check(message, tools);
      this.#checks.set(message, check);
    }
    return check;
  }

  async look(draft: Draft, tools: GuardTools): Promise<Objection | undefined> {
    const { turn, attempt, body } = draft;
    if (!this.#options.speakers.has(turn.speaker) || turn.text !== undefined) return undefined;
    const { phase, round, speaker: participant } = turn;
    const statement = { seq: tools.seq, attempt, body, phase, round };
    const previous = draft.transcript.at(-1)?.seq;
    const findClaims = this.#options.notes?.claimsOfAttempt({ participant, previous });
    const check = await this.#checkWithinLimits(statement, tools, findClaims);
    if (check === undefined) return undefined;
    const before = this.#attempts.get(turn.key);
    const owedBesideNotes = addUsage(owedBy(before, attempt), check.usage);
    const owed = addUsage(owedBesideNotes, check.noted ?? NO_USAGE);
    const reason = objectionTo(check.claims, this.#options.rejectFrom);
    const told = reason !== undefined;
    this.#attempts.set(turn.key, { attempt, body, check, owed, owedBesideNotes, told });
    if (reason === undefined) return undefined;
    return { reason, mark: "accepted_with_false_claims", usage: owed };
  }

  /** Check of a statement; undefined past a limit, where the statement is kept as it is. */
  async #checkWithinLimits(
    statement: Statement,
    { consult, once, signal }: GuardTools,
    findClaims: FindClaims | undefined,
  ): Promise<StatementCheck | undefined> {
    try {
      return await this.#checkStatement(statement, { consult, once, signal }, findClaims);
    } catch (error) {
      if (error instanceof LimitStop) return undefined;
      throw error;
    }
  }

  async #check(message: Message, tools: ObserverTools): Promise<FactCheck | undefined> {
    const { participant, attempts: attempt, seq, body, phase, round } = message;
    if (!this.#options.speakers.has(participant) || message.model === "template") return undefined;
    if (tools.factCheck !== undefined) return this.#recall(tools.factCheck);
    const statement = { seq, attempt, body, phase, round };
    if (body === "") return this.#foresee(statement, tools);
    const before = this.#attempts.get(message.turn);
    this.#attempts.delete(message.turn);
    if (before?.attempt === attempt && before.body === body) {
      return await this.#record(message, { ...before.check, usage: before.owedBesideNotes }, tools);
    }
    const findClaims = this.#options.notes?.claimsOf(message, tools);
    const check = await this.#checkStatement(statement, tools, findClaims);
    const usage = addUsage(owedBy(before, attempt), check.usage);
    return await this.#record(message, { ...check, usage }, tools);
  }

  #checkStatement(
    statement: Statement,
    { consult, once, signal }: Pick<ObserverTools, "consult" | "once" | "signal">,
    findClaims: FindClaims | undefined,
  ): Promise<StatementCheck> {
    const [settings, known] = [this.#options, this.#known];
    return checkStatement(statement, { consult, once, signal, settings, known, findClaims });
  }

  /** A check on record: its claims keep their verdicts. */
  #recall(check: FactCheck): FactCheck {
    for (const claim of check.claims) {
      const reason = reasonOf(claim, check);
      const outcome = { claim: { ...claim, reason }, searches: [], found: true, failed: false };
      this.#known.set(claimKey(claim.text), Promise.resolve(outcome));
    }
    return check;
  }

  /** A message of a plan has no words yet: all that can be asked about it is asked at once, to be counted. */
  #foresee(statement: Statement, { consult }: ObserverTools): Promise<undefined> {
    const { extractor, verifier, templates, maxClaims, searchers, notes } = this.#options;
    const { claims, claimVerdict } = templates;
    const planned = { ...statement, body: `[What is said in turn ${statement.seq}.]` };
    const asked: Promise<unknown>[] = notes !== undefined
      ? []
      : [consult(claimsQuestion(planned, { asked: extractor, task: claims, max: maxClaims }))];
    for (let number = 1; searchers.length > 0 && number <= maxClaims; number++) {
      const question = claimVerdictQuestion(planned, {
        asked: verifier,
        task: claimVerdict,
        number,
        claim: `[Claim ${number} of turn ${statement.seq}.]`,
        quote: "[The words that make it.]",
        hits: [],
      });
      asked.push(consult(question));
    }
    return Promise.all(asked).then(() => undefined);
  }

  async #record(
    message: Message,
    { claims, searches, begunAt, noted: _, later, ...check }: StatementCheck,
    { record }: ObserverTools,
  ): Promise<FactCheck> {
    if (later !== undefined && this.#options.isJudged === true) throw later;
    const outside = searches.filter((search) => search.outside);
    for (const [index, search] of outside.entries()) {
      await record(lookUpOf(message, search, { number: LAST_OWN_LOOK_UP + 1 + index, begunAt }));
    }
    const fact: FactCheck = {
      type: "fact-check",
      message: message.seq,
      participant: message.participant,
      mode: this.#options.mode,
      ...check,
      claims: claims.map(({ reason: _, ...claim }) => claim),
    };
    await record(fact);
    return this.#recall(fact);
  }
}

/** Usage that no file carries yet, of the attempts before the given attempt. */
function owedBy(before: Attempted | undefined, attempt: number): Usage {
  const carried = before === undefined || before.told && before.attempt < attempt;
  return carried ? NO_USAGE : before.owed;
}

/** The objection to claims that are false for sure, quoting the words that make them; undefined without such claims. */
function objectionTo(claims: readonly ReasonedClaim[], rejectFrom: number): string | undefined {
  const wrong = claims.filter(({ verdict, confidence }) =>
    verdict === "false" && confidence >= rejectFrom
  );
  if (wrong.length === 0) return undefined;
  const named = wrong.map((claim) => `“${claim.quote}”: ${claim.reason}${sourcesOf(claim)}`);
  return wrong.length === 1
    ? `A claim in it is false by what was found. ${named[0]} Leave it out, or correct it.`
    : `${wrong.length} claims in it are false by what was found. ${
      named.map((each, index) => `(${index + 1}) ${each}`).join(" ")
    } Leave them out, or correct them.`;
}

function lookUpOf(
  message: Message,
  { tool, claim, query, hits, error }: Search,
  { number, begunAt }: { readonly number: number; readonly begunAt: string },
): LookUp {
  return {
    type: "lookup",
    seq: message.seq,
    number,
    turn: message.turn,
    participant: message.participant,
    tool,
    args: { query, claim },
    failed: error !== undefined,
    result: error ?? JSON.stringify(hits),
    createdAt: begunAt,
  };
}
