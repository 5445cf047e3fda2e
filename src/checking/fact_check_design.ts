// Parts of a workflow's design that check facts.
import type { FactCheckConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Guard } from "../core/guard.ts";
import type { Observer } from "../core/observer.ts";
import type { Helper, Participant } from "../core/participant.ts";
import type { Searcher } from "../core/search.ts";
import { type ClaimNotes, createFactChecker, type FactChecker } from "./fact_checker.ts";
import { factCheckTemplates } from "./questions.ts";

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
