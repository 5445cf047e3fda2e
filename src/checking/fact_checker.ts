// Fact checking of a convening: the parts it adds to a workflow's design, and the fact checker as observer and guard.
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
import { freeId, type Helper, type Participant } from "../core/participant.ts";
import type { Searcher } from "../core/search.ts";
import { wordKey } from "../core/words.ts";
import { type FactCheck, LAST_OWN_LOOK_UP } from "../core/fact.ts";
import { addUsage, type Message, NO_USAGE, type Usage } from "../core/message.ts";
import { LimitStop } from "../core/limit.ts";
import {
  claimsQuestion,
  claimVerdictQuestion,
  FACT_CHECK_TEMPLATES,
  sourcesOf,
  type Statement,
  templatesWith,
} from "./questions.ts";
import {
  type CheckSettings,
  checkStatement,
  type FindClaims,
  type KnownClaims,
  type ReasonedClaim,
  type StatementCheck,
} from "./statement_check.ts";
import { reasonOf } from "../core/claims.ts";

/** Role of the helper that judges claims; a participant with this role takes no turns. */
export const FACT_CHECKER = "fact_checker";
/** Role of the helper that finds claims, if that is another model. */
const CLAIM_FINDER = "claim_finder";
/** Default of the most claims of a turn (context-network/rules/fact_checks.md). */
const MAX_CLAIMS = 5;
/** Default confidence from which a false claim rejects or interrupts a turn. */
export const REJECT_FROM = 0.7;

/** Participants, split into speakers and the fact checker. */
export interface SplitCast {
  /** All others, in order. */
  readonly speakers: readonly Participant[];
  /** The participant with the role `fact_checker`. */
  readonly checker?: Participant | undefined;
}

/** Separates the participant with the role `fact_checker`. Throws a `ConfigurationError` if there are several. */
export function checkerFrom(participants: readonly Participant[]): SplitCast {
  const [checker, ...more] = participants.filter(({ role }) => role === FACT_CHECKER);
  if (more.length > 0) {
    throw new ConfigurationError(
      `Cannot hold a convening with ${more.length + 1} fact checkers`,
      { field: "participants", hint: `Give the role ${FACT_CHECKER} to one participant at most.` },
    );
  }
  return { speakers: participants.filter(({ role }) => role !== FACT_CHECKER), checker };
}

interface FactCheckOptions extends SplitCast {
  /** Further ids in use, such as those of judges. @default none */
  readonly taken?: readonly string[] | undefined;
  /** Returns the searchers for claims; called only if claims are checked. Without searchers every claim is unverifiable. */
  readonly searchers: () => readonly Searcher[];
  /** True if judges use the checks. @default false */
  readonly isJudged?: boolean | undefined;
  /** Role whose turns are not checked, because it takes no side. @default none */
  readonly chair?: string | undefined;
  /** Notes on turns, which hold their claims. @default a model is asked for each turn's claims */
  readonly notes?: ClaimNotes | undefined;
  /** Prompt texts by name; other names than those of fact checking are ignored. */
  readonly prompts?: Readonly<Record<string, string>> | undefined;
}

/** Parts of a workflow's design for fact checking. */
export interface FactCheckDesign {
  readonly helpers: readonly Helper[];
  readonly observers: readonly Observer[];
  /** Guards that reject attempts; only in the mode `strict`. */
  readonly guards: readonly Guard[];
  /** Prompt texts of the helpers by role. */
  readonly roles: Readonly<Record<string, string>>;
  /** Waits for a message's recorded fact check; undefined for a message that is not checked, such as a moderator's or a template's. */
  checkOf(message: Message, tools: ObserverTools): Promise<FactCheck | undefined>;
}

/**
 * Returns the parts that check the turns of all participants except the chair; undefined if the mode is `off`. A participant with the
 * role `fact_checker` turns on the mode `standard` and determines the checker's name, model and persona.
 */
export function factCheckDesign(
  config: FactCheckConfig | undefined,
  options: FactCheckOptions,
): FactCheckDesign | undefined {
  const { speakers, checker, prompts, searchers, chair } = options;
  const asked = config !== undefined || checker !== undefined;
  const mode = config?.mode ?? (asked ? "standard" : "off");
  if (mode === "off") {
    if (checker !== undefined) throw unusedChecker(checker);
    rejectUnusedSettings(config ?? {});
    return undefined;
  }
  const { verifier, finder } = helpersOf(config ?? {}, options);
  const templates = templatesWith(FACT_CHECK_TEMPLATES, prompts);
  const checks = new Checker({
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
    observers: [{
      name: "fact_checker",
      observe: async (message, tools) => void await checks.checkOf(message, tools),
    }],
    guards: mode === "strict"
      ? [{ name: "facts", check: (draft, tools) => checks.guard(draft, tools) }]
      : [],
    roles: { [FACT_CHECKER]: templates.factChecker, [CLAIM_FINDER]: templates.factChecker },
    checkOf: (message, tools) => checks.checkOf(message, tools),
  };
}

/** Returns the task of finding a turn's claims, and the most claims. */
export function claimsAsked(
  config: FactCheckConfig | undefined,
  prompts: Readonly<Record<string, string>> | undefined,
): { readonly task: string; readonly max: number } {
  return { task: templatesWith(FACT_CHECK_TEMPLATES, prompts).claims, max: maxClaimsOf(config) };
}

function maxClaimsOf(config: FactCheckConfig | undefined): number {
  return config?.maxClaims ?? MAX_CLAIMS;
}

function unusedChecker({ name }: Participant): ConfigurationError {
  const hint = `Use "standard" or "strict", or leave the ${FACT_CHECKER} out of the participants.`;
  const message = `Cannot use factCheck.mode "off": "${name}" is a fact checker`;
  return new ConfigurationError(message, { field: "factCheck.mode", hint });
}

function rejectUnusedSettings(config: FactCheckConfig): void {
  for (const key of ["extractionModel", "verificationModel", "searchUrl"] as const) {
    const value = config[key];
    if (value === undefined) continue;
    const field = `factCheck.${key}`;
    const state = `${JSON.stringify(value)} with factCheck.mode "off": no claim is checked`;
    const hint = 'Use the mode "standard" or "strict", or leave it out.';
    throw new ConfigurationError(`Cannot use ${field} ${state}`, { field, hint });
  }
}

/** Returns the helper that judges claims, and the helper that finds claims if that is another model. */
function helpersOf(
  { extractionModel, verificationModel }: FactCheckConfig,
  { speakers, checker, taken = [] }: FactCheckOptions,
): { verifier: Helper; finder?: Helper } {
  const ids = new Set([...speakers.map(({ id }) => id), ...taken]);
  if (checker !== undefined && ids.has(checker.id)) {
    const message = `Cannot tell participants apart: two have the id "${checker.id}"`;
    const hint = "Give each an id of its own.";
    throw new ConfigurationError(message, { field: "participants", hint });
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

interface FactCheckerOptions extends CheckSettings {
  /** Confidence, 0 to 1, from which the mode `strict` rejects an attempt because of a false claim. */
  readonly rejectFrom: number;
  /** Ids of the participants whose turns are checked. */
  readonly speakers: ReadonlySet<string>;
  /** True if judges use the checks: the run then fails if a model may answer later. @default false */
  readonly isJudged?: boolean | undefined;
  /** Notes on turns, which hold their claims. @default a model is asked for each turn's claims */
  readonly notes?: ClaimNotes | undefined;
}

/** Source of claims: the notes that another part takes on turns. */
export interface ClaimNotes {
  claimsOf(message: Message, tools: ObserverTools): FindClaims;
  /** Returns the finder of an attempt's claims; `previous` is the number of the last message that the speaker knew. */
  claimsOfAttempt(
    turn: { readonly participant: string; readonly previous?: number | undefined },
  ): FindClaims;
}

interface CheckedAttempts {
  /** Number of the last checked attempt. */
  readonly attempt: number;
  readonly body: string;
  readonly check: StatementCheck;
  /** Usage of all attempts that no fact holds yet, without the notes on the last: an accepted attempt's notes are a fact. */
  readonly usage: Usage;
  /** True if the check objected: a rejection then records the usage. */
  readonly objected: boolean;
}

/**
 * Finds each turn's claims, searches for all of them in parallel, and has each judged by the results
 * (context-network/rules/fact_checks.md). A failure rejects no turn: the turn is recorded as not checked. With `isJudged`, a temporary
 * failure fails the run instead.
 */
class Checker {
  readonly #options: FactCheckerOptions;
  /** Checks by message, shared by all callers. */
  readonly #checks = new WeakMap<Message, Promise<FactCheck | undefined>>();
  readonly #known: KnownClaims = new Map();
  /** By turn key, until the turn's message is accepted. */
  readonly #attempts = new Map<string, CheckedAttempts>();

  constructor(options: FactCheckerOptions) {
    this.#options = options;
  }

  checkOf(message: Message, tools: ObserverTools): Promise<FactCheck | undefined> {
    return this.#checks.getOrInsertComputed(message, () => this.#check(message, tools));
  }

  /** Checks an attempt; objects to false claims. */
  async guard(draft: Draft, tools: GuardTools): Promise<Objection | undefined> {
    const { turn, attempt, body } = draft;
    if (!this.#options.speakers.has(turn.speaker) || turn.text !== undefined) return undefined;
    const { phase, round, speaker: participant } = turn;
    const statement = { seq: tools.seq, attempt, body, phase, round };
    const previous = draft.transcript.at(-1)?.seq;
    const findClaims = this.#options.notes?.claimsOfAttempt({ participant, previous });
    // At a limit the attempt is accepted unchecked.
    const check = await this.#checkStatement(statement, tools, findClaims).catch((error) => {
      if (!(error instanceof LimitStop)) throw error;
    });
    if (check === undefined) return undefined;
    const before = this.#attempts.get(turn.key);
    const usage = addUsage(unrecordedOf(before, attempt), check.usage);
    const reason = objectionTo(check.claims, this.#options.rejectFrom);
    const checked = { attempt, body, check, usage, objected: reason !== undefined };
    this.#attempts.set(turn.key, checked);
    if (reason === undefined) return undefined;
    return { reason, mark: "accepted_with_false_claims", usage: withNotes(checked) };
  }

  async #check(message: Message, tools: ObserverTools): Promise<FactCheck | undefined> {
    const { participant, attempts: attempt, seq, body, phase, round } = message;
    if (!this.#options.speakers.has(participant) || message.model === "template") return undefined;
    if (tools.factCheck !== undefined) return this.#recall(tools.factCheck);
    const statement = { seq, attempt, body, phase, round };
    if (body === "") return this.#askPlanned(statement, tools);
    const before = this.#attempts.get(message.turn);
    this.#attempts.delete(message.turn);
    if (before?.attempt === attempt && before.body === body) {
      return await this.#record(message, { ...before.check, usage: before.usage }, tools);
    }
    const findClaims = this.#options.notes?.claimsOf(message, tools);
    const check = await this.#checkStatement(statement, tools, findClaims);
    const usage = addUsage(unrecordedOf(before, attempt), check.usage);
    return await this.#record(message, { ...check, usage }, tools);
  }

  #checkStatement(
    statement: Statement,
    { consult, once, signal }: Pick<ObserverTools, "consult" | "once" | "signal">,
    findClaims: FindClaims | undefined,
  ): Promise<StatementCheck> {
    const settings = this.#options;
    const known = this.#known;
    return checkStatement(statement, { consult, once, signal, settings, known, findClaims });
  }

  /** Remembers the verdicts of a recorded check, so that the same claims are not checked again; returns the check. */
  #recall(check: FactCheck): FactCheck {
    for (const claim of check.claims) {
      const reason = reasonOf(claim, check);
      const outcome = { claim: { ...claim, reason }, searches: [], found: true, failed: false };
      this.#known.set(wordKey(claim.text), Promise.resolve(outcome));
    }
    return check;
  }

  /** Asks all possible questions about a planned message, which has no words yet, so that the plan counts them. */
  #askPlanned(statement: Statement, { consult }: ObserverTools): Promise<undefined> {
    const { extractor, verifier, templates, maxClaims, searchers, notes } = this.#options;
    const { claims, claimVerdict } = templates;
    const planned = { ...statement, body: `[What is said in turn ${statement.seq}.]` };
    const answers: Promise<unknown>[] = notes !== undefined
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
      answers.push(consult(question));
    }
    return Promise.all(answers).then(() => undefined);
  }

  async #record(
    message: Message,
    { claims, searches, begunAt, noted: _, later, ...check }: StatementCheck,
    { record }: ObserverTools,
  ): Promise<FactCheck> {
    if (later !== undefined && this.#options.isJudged === true) throw later;
    const { seq, turn, participant } = message;
    const outside = searches.filter((search) => search.outside);
    for (const [index, { tool, claim, query, hits, error }] of outside.entries()) {
      await record({
        type: "lookup",
        seq,
        number: LAST_OWN_LOOK_UP + 1 + index,
        turn,
        participant,
        tool,
        args: { query, claim },
        failed: error !== undefined,
        result: error ?? JSON.stringify(hits),
        createdAt: begunAt,
      });
    }
    const fact: FactCheck = {
      type: "fact-check",
      message: seq,
      participant,
      mode: this.#options.mode,
      ...check,
      claims: claims.map(({ reason: _, ...claim }) => claim),
    };
    await record(fact);
    return this.#recall(fact);
  }
}

/** Returns the usage of the attempts before the given one that no fact holds yet. */
function unrecordedOf(before: CheckedAttempts | undefined, attempt: number): Usage {
  const isRecorded = before === undefined || before.objected && before.attempt < attempt;
  return isRecorded ? NO_USAGE : withNotes(before);
}

function withNotes({ usage, check: { noted = NO_USAGE } }: CheckedAttempts): Usage {
  return addUsage(usage, noted);
}

/** Returns the objection to claims judged false with enough confidence, with quotations; undefined if there are none. */
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
