// Fact checking in a workflow's design, and the checker of a convening: observer and guard.
import type { FactCheckConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import type {
  Draft,
  Guard,
  GuardTools,
  Objection,
  Observer,
  ObserverTools,
} from "../core/guard.ts";
import type { Helper, Participant } from "../core/participant.ts";
import type { Searcher } from "../core/search.ts";
import {
  claimsQuestion,
  claimVerdictQuestion,
  factCheckTemplates,
  sourcesOf,
  type Statement,
} from "./questions.ts";
import { type FactCheck, LAST_OWN_LOOK_UP, type LookUp } from "../core/fact.ts";
import { reasonOf } from "../core/outcome.ts";
import { addUsage, type Message, NO_USAGE, type Usage } from "../core/message.ts";
import { LimitStop } from "../core/limit.ts";
import {
  type CheckSettings,
  checkStatement,
  claimKey,
  type FindClaims,
  type KnownClaims,
  type ReasonedClaim,
  type Search,
  type StatementCheck,
} from "./statement_check.ts";

/** The role of who judges claims; a participant of this role speaks in no turn. */
export const FACT_CHECKER = "fact_checker";
/** The role of who finds claims, where that is another model. */
const CLAIM_FINDER = "claim_finder";
/** The most claims of a turn (context-network/rules/fact_checks.md). */
const MAX_CLAIMS = 5;
/** The least confidence from which a false claim has a turn said again, or interrupted. */
export const REJECT_FROM = 0.7;

/** Participants that speak, and the fact checker named among them. */
export interface Checked {
  /** All others, in order. */
  readonly speakers: readonly Participant[];
  /** The participant of the role `fact_checker`. */
  readonly checker?: Participant | undefined;
}

/** Sets the participant of the role `fact_checker` apart; refused where there are several. */
export function checkerFrom(participants: readonly Participant[]): Checked {
  const [checker, ...more] = participants.filter(({ role }) => role === FACT_CHECKER);
  if (more.length > 0) {
    throw new ConfigurationError(
      `Cannot hold a convening with ${more.length + 1} fact checkers`,
      { field: "participants", hint: `Give the role ${FACT_CHECKER} to one participant at most.` },
    );
  }
  return { speakers: participants.filter(({ role }) => role !== FACT_CHECKER), checker };
}

interface FactCheckOptions extends Checked {
  /** Ids that are taken besides, such as the judges'. @default none */
  readonly taken?: readonly string[] | undefined;
  /** Searchers for claims; called where claims are checked. Without any, every claim is unverifiable. */
  readonly searchers: () => readonly Searcher[];
  /** True if judges go by the checks. @default false */
  readonly isJudged?: boolean | undefined;
  /** Role of participants that take no side: their turns are not checked. @default none */
  readonly chair?: string | undefined;
  /** Notes of the turns, with their claims. @default each turn's claims are asked for */
  readonly notes?: ClaimNotes | undefined;
  /** Templates by name; those that are not about fact checking are left alone. */
  readonly prompts?: Readonly<Record<string, string>> | undefined;
}

/** Parts of a workflow's design that check facts. */
export interface FactCheckDesign {
  /** Helpers that are asked. */
  readonly helpers: readonly Helper[];
  /** Observers that check messages. */
  readonly observers: readonly Observer[];
  /** Guards that reject attempts; none but in the mode `strict`. */
  readonly guards: readonly Guard[];
  /** By role: the templates of those who are asked. */
  readonly roles: Readonly<Record<string, string>>;
  /** A message's fact check, for those who go by it. */
  readonly checkOf: FactChecker["checkOf"];
}

/**
 * Fact checking of the turns of all but the chair; undefined where nothing is checked. A participant of the role
 * `fact_checker` turns `standard` checking on and gives the checker its name, model and persona.
 */
export function factCheckDesign(
  config: FactCheckConfig | undefined,
  options: FactCheckOptions,
): FactCheckDesign | undefined {
  const { speakers, checker, prompts, searchers, chair } = options;
  const asked = config !== undefined || checker !== undefined;
  const mode = config?.mode ?? (asked ? "standard" : "off");
  if (mode === "off") {
    if (checker !== undefined) throw idleChecker(checker);
    refuseIdle(config ?? {});
    return undefined;
  }
  const { verifier, finder } = partiesOf(config ?? {}, options);
  const templates = factCheckTemplates(prompts);
  const { observer, guard, checkOf } = createFactChecker({
    mode,
    maxClaims: maxClaimsOf(config),
    notes: options.notes,
    isJudged: options.isJudged,
    rejectFrom: config?.rejectFrom ?? REJECT_FROM,
    extractor: (finder ?? verifier).id,
    verifier: verifier.id,
    searchers: searchers(),
    templates,
    speakers: new Set(speakers.filter(({ role }) => role !== chair).map(({ id }) => id)),
  });
  return {
    helpers: finder === undefined ? [verifier] : [verifier, finder],
    observers: [observer],
    guards: guard === undefined ? [] : [guard],
    roles: { [FACT_CHECKER]: templates.factChecker, [CLAIM_FINDER]: templates.factChecker },
    checkOf,
  };
}

/** The task of finding a turn's claims, and the most claims. */
export function claimsAsked(
  config: FactCheckConfig | undefined,
  prompts: Readonly<Record<string, string>> | undefined,
): { readonly task: string; readonly max: number } {
  return { task: factCheckTemplates(prompts).claims, max: maxClaimsOf(config) };
}

function maxClaimsOf(config: FactCheckConfig | undefined): number {
  return config?.maxClaims ?? MAX_CLAIMS;
}

function idleChecker({ name }: Participant): ConfigurationError {
  return new ConfigurationError(
    `Cannot use factCheck.mode "off": "${name}" is there to check facts`,
    {
      field: "factCheck.mode",
      hint: `Use "standard" or "strict", or leave the ${FACT_CHECKER} out of the participants.`,
    },
  );
}

/** Refuses settings of checking where nothing is checked. */
function refuseIdle(config: FactCheckConfig): void {
  for (const key of ["extractionModel", "verificationModel", "searchUrl"] as const) {
    const value = config[key];
    if (value === undefined) continue;
    throw new ConfigurationError(
      `Cannot use factCheck.${key} ${
        JSON.stringify(value)
      } with factCheck.mode "off": no claim is checked`,
      {
        field: `factCheck.${key}`,
        hint: `Use the mode "standard" or "strict", or leave factCheck.${key} out.`,
      },
    );
  }
}

/** Judge of claims, and finder of claims where that is another model. */
function partiesOf(
  { extractionModel, verificationModel }: FactCheckConfig,
  { speakers, checker, taken = [] }: FactCheckOptions,
): { verifier: Helper; finder?: Helper } {
  const ids = new Set([...speakers.map(({ id }) => id), ...taken]);
  if (checker !== undefined && ids.has(checker.id)) {
    throw new ConfigurationError(
      `Cannot tell participants apart: two have the id "${checker.id}"`,
      {
        field: "participants",
        hint: "Give each an id of its own.",
      },
    );
  }
  const model = verificationModel ?? checker?.model;
  const texts = [checker?.persona, checker?.systemPrompt].filter((text) => text !== undefined);
  const verifier: Helper = {
    id: checker?.id ?? freeId("fact-checker", ids),
    name: checker?.name ?? "Fact checker",
    role: FACT_CHECKER,
    recorded: true,
    needsModel: true,
    persona: texts.length === 0 ? undefined : texts.join("\n\n"),
    model,
    agent: verificationModel === undefined ? checker?.agent : undefined,
    temperature: checker?.temperature,
  };
  if (extractionModel === undefined || extractionModel === (verifier.agent?.model ?? model)) {
    return { verifier };
  }
  const finder: Helper = {
    id: freeId("claim-finder", ids.add(verifier.id)),
    name: "Claim finder",
    role: CLAIM_FINDER,
    needsModel: true,
    model: extractionModel,
    temperature: checker?.temperature,
  };
  return { verifier, finder };
}

/** An id that is not taken: with `the-` before it, as often as it takes. */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  return taken.has(id) ? freeId(`the-${id}`, taken) : id;
}

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
interface FactChecker {
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
function createFactChecker(options: FactCheckerOptions): FactChecker {
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
