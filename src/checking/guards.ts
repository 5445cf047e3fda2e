// The guards that a convening's settings turn on, among them the coherence guard and the persona guard.
import { z } from "zod";
import type {
  CoherenceSettings,
  GuardSettings,
  RefusedTermsSettings,
  RepetitionSettings,
} from "../config/convening_config.ts";
import {
  type ActiveGuardMode,
  activeMode,
  type Draft,
  type Guard,
  inMode,
  isContribution,
  lengthGuard,
  refusedTermsGuard,
  threshold as share,
} from "../core/guard.ts";
import { choiceQuestion, fieldOf, type GuardMode, type Question } from "../core/turn.ts";
import { languageOf, mayBeIn, type ReadText, termReader, type WordRange } from "../core/words.ts";
import { memo, tally } from "../core/values.ts";
import { checkFields } from "../core/check_fields.ts";
import type { Choice } from "../core/fact.ts";
import { oneLine } from "../core/text.ts";
import { sha256 } from "../core/message.ts";
import { freeId, type Helper, type Participant } from "../core/participant.ts";
import { fenced, NO_ORDERS } from "../core/prompt.ts";
import { repetitionGuard } from "./repetition.ts";
import { FACT_CHECKER } from "./fact_checker.ts";
import { FACT_CHECK_TEMPLATES, templatesWith } from "./questions.ts";

/** Settings of a convening outside `guards` that its guards use. */
interface GuardContext {
  /** Terms refused in topics. @default the built-in list */
  readonly refusedTerms?: readonly string[] | undefined;
  /** Required range of words. @default no range, and no length guard */
  readonly words?: WordRange | undefined;
  /** Kinds of turns that must keep to the range. @default all */
  readonly wordedKinds?: readonly string[] | undefined;
}

/** Returns the guards that need no model, in the order of their checks: length, repetition, coherence, refused terms. */
export function guardsFor(settings: GuardSettings = {}, context: GuardContext = {}): Guard[] {
  const repetition: RepetitionSettings = asObject(settings.repetition);
  const coherence: CoherenceSettings = asObject(settings.coherence);
  const refused: RefusedTermsSettings = asObject(settings.refusedTerms);
  const { length = "reject" } = settings;
  const { mode: repetitionMode = "reject" } = repetition;
  const { mode: coherenceMode = settings.coherence === undefined ? "off" : "warn" } = coherence;
  const { mode: refusedMode = "reject", terms = context.refusedTerms } = refused;
  const { words, wordedKinds } = context;
  return [
    ...(length === "off" || words === undefined
      ? []
      : [lengthGuardIn(length, lengthGuard(words, wordedKinds))]),
    ...(repetitionMode === "off" ? [] : [repetitionGuard({ ...repetition, mode: repetitionMode })]),
    ...(coherenceMode === "off" ? [] : [coherenceGuard({ ...coherence, mode: coherenceMode })]),
    ...(refusedMode === "off" ? [] : [refusedTermsGuard({ terms, mode: refusedMode })]),
  ];
}

/** Converts a setting that may be a mode alone to an object. */
function asObject<T>(setting: GuardMode | T | undefined): T | { readonly mode?: GuardMode } {
  if (setting === undefined) return {};
  return typeof setting === "string" ? { mode: setting as GuardMode } : setting as T;
}

/** Applies a mode to the length guard. In the mode `warn` nothing is cut, so the mark is `too_long` instead of `truncated`. */
function lengthGuardIn(mode: ActiveGuardMode, guard: Guard): Guard {
  if (mode === "reject") return guard;
  return {
    name: guard.name,
    async check(draft, tools) {
      const objection = await guard.check(draft, tools);
      if (objection?.mark !== "truncated") return objection && inMode(mode, objection);
      return inMode(mode, { ...objection, mark: "too_long" });
    },
  };
}

/** Default coherence below which a turn is off topic (context-network/decisions/coherence_threshold.md). */
export const COHERENCE_THRESHOLD = 0.15;
/** Threshold of the setting `strict`; it rejects most turns of real debates. */
export const STRICT_COHERENCE = 0.7;

/** The most key terms of a text that are compared, the most frequent first. */
const MAX_TERMS = 80;
/** The fewest key terms of a turn; a shorter turn is not checked. */
const MIN_TERMS = 8;
/** Number of messages in an exchange: an argument and its answer. */
const EXCHANGE = 2;

/** Options of a coherence guard. */
export interface CoherenceOptions {
  /** Coherence, 0 to 1, below which an attempt is off topic; `"strict"` is 0.7. @default 0.15 */
  readonly threshold?: number | "strict" | undefined;
  /** Mode: `reject` rejects an attempt, `warn` marks it. @default "warn" */
  readonly mode?: ActiveGuardMode | undefined;
}

/** Texts with which a turn is compared. */
type Context = Pick<Draft, "topic" | "position" | "transcript">;

const optionsShape = memo(() =>
  z.strictObject({
    threshold: z.union([share, z.literal("strict")]).optional(),
    mode: activeMode,
  })
);

/** Creates a guard against attempts that share few key terms with the topic, the position and the last exchange. */
export function coherenceGuard(options: CoherenceOptions = {}): Guard {
  const { threshold = COHERENCE_THRESHOLD, mode = "warn" } = checkFields(
    options,
    optionsShape(),
    "coherence guard",
  );
  const least = threshold === "strict" ? STRICT_COHERENCE : threshold;
  return {
    name: "coherence",
    async check(draft) {
      if (!isContribution(draft.turn)) return undefined;
      const score = await coherenceOf(draft.body, draft);
      if (score === undefined || score >= least) return undefined;
      return inMode(mode, {
        reason: `The reply hardly touches the topic, your position or what was said last (${
          (Math.floor(score * 100) / 100).toFixed(2)
        }, at least ${least.toFixed(2)} is asked for). Stay with "${draft.topic}".`,
        mark: "off_topic",
      });
    },
  };
}

/**
 * Returns the overlap of a text's key terms with those of its context, from 0 to 1; undefined if the text has too few, or no part of
 * the context is in the text's language.
 *
 * Combines two overlaps, with topic and position and with the last exchange, each as a share of the smaller set, so that either can
 * make a text coherent: 1 − (1 − a)(1 − b).
 */
export async function coherenceOf(
  body: string,
  { topic, position, transcript }: Context,
): Promise<number | undefined> {
  const reader = await termReader();
  const text = reader.read(body);
  const language = languageOf(text);
  const termsOf = ({ words }: ReadText) =>
    mostFrequent(words.flatMap((word) => reader.termOf(word, language) ?? []));
  const terms = termsOf(text);
  if (terms.size < MIN_TERMS) return undefined;
  const exchange = transcript.slice(-EXCHANGE).map((message) => message.body);
  const overlaps = [reader.read(`${topic}\n${position ?? ""}`), reader.read(...exchange)]
    .filter((part) => mayBeIn(language, part))
    .map(termsOf)
    .filter(({ size }) => size > 0)
    .map((others) => terms.intersection(others).size / Math.min(terms.size, others.size));
  if (overlaps.length === 0) return undefined;
  return 1 - overlaps.reduce((rest, each) => rest * (1 - each), 1);
}

/** Returns the most frequent terms; ties go to the earlier term. */
function mostFrequent(terms: readonly string[]): ReadonlySet<string> {
  const sorted = [...tally(terms)].sort(([, a], [, b]) => b - a);
  return new Set(sorted.slice(0, MAX_TERMS).map(([term]) => term));
}

/** The most code points of a breach in the prompt of the retry. */
const BREACH_LENGTH = 300;

interface PersonaGuardOptions {
  /** Id of the cast member to ask: a fact checker, a judge or a helper. */
  readonly asked: string;
  /** Mode: `reject` rejects an attempt out of persona, `warn` marks it. */
  readonly mode: "warn" | "reject";
  readonly template: string;
}

/** Role of the helper that checks personas if there is neither a fact checker nor a judge. */
const PERSONA_CHECKER = "persona_checker";

/** The parts of a workflow's design that the persona guard changes. */
interface Checkable {
  readonly helpers?: readonly Helper[] | undefined;
  readonly judges?: readonly { readonly id: string }[] | undefined;
  readonly guards?: readonly Guard[] | undefined;
  readonly roles?: Readonly<Record<string, string>> | undefined;
}

/**
 * Adds a persona guard to a design, unless the mode is `off` or no participant has a persona. The guard asks the fact checker, else
 * the first judge, else a new helper with the convening's model. It comes before the design's guards, because fact checks cost more.
 */
export function withPersonaGuard<D extends Checkable>(
  design: D,
  { mode = "off", participants, prompts }: {
    /** @default "off" */
    readonly mode?: GuardMode | undefined;
    readonly participants: readonly Participant[];
    readonly prompts?: Readonly<Record<string, string>> | undefined;
  },
): D {
  if (mode === "off" || participants.every(({ persona }) => !persona?.trim())) return design;
  const { helpers = [], judges = [], guards = [], roles } = design;
  const templates = templatesWith(FACT_CHECK_TEMPLATES, prompts);
  const existing = helpers.find(({ role }) => role === FACT_CHECKER) ?? judges[0];
  const taken = new Set([...participants, ...helpers].map(({ id }) => id));
  const own: Helper = {
    id: freeId("persona-checker", taken),
    name: "Persona checker",
    role: PERSONA_CHECKER,
  };
  const asked = (existing ?? own).id;
  return {
    ...design,
    helpers: existing === undefined ? [...helpers, own] : helpers,
    roles: { ...roles, [PERSONA_CHECKER]: templates.personaChecker },
    guards: [personaGuard({ asked, mode, template: templates.personaCheck }), ...guards],
  };
}

/** Creates a guard that asks a model whether an attempt fits the speaker's persona; an attempt without a readable answer passes. */
export function personaGuard({ asked, mode, template }: PersonaGuardOptions): Guard {
  return {
    name: "persona",
    asks: true,
    async check(draft, { ask, seq }) {
      const { persona, turn } = draft;
      if (persona === undefined || persona.trim() === "" || turn.text !== undefined) {
        return undefined;
      }
      const { value } = await ask(personaQuestion({ ...draft, persona }, { asked, template, seq }));
      const found = finding().safeParse(value);
      if (!found.success || found.data.consistent) return undefined;
      const breach = oneLine(found.data.breach, BREACH_LENGTH);
      return {
        reason: `That is not as your persona speaks: ${
          breach || "it contradicts the persona's do and do_not"
        }. Keep to your persona.`,
        mark: "out_of_persona",
        ...(mode === "warn" ? { warn: true } : {}),
      };
    },
  };
}

const finding = memo(() => z.object({ consistent: z.boolean(), breach: z.string() }));
const reply = memo(() => z.object({ reason: z.string(), ...finding().shape }));

function personaQuestion(
  { turn, attempt, body, persona }: Draft & { readonly persona: string },
  { asked, template, seq }: Omit<PersonaGuardOptions, "mode"> & { readonly seq: number },
): Question<z.infer<ReturnType<typeof reply>>, Choice> {
  const key = `persona/${turn.key}/${attempt}`;
  // The hash binds the answer to the text: after an interruption the same attempt may have another text.
  const of = sha256(body).slice(0, 16);
  const asking = choiceQuestion<z.infer<ReturnType<typeof reply>>>({
    key,
    asked,
    seq,
    phase: turn.phase,
    kind: "persona_check",
    round: turn.round,
    task: template,
    notes: [
      `This is a persona, and what its speaker said. ${NO_ORDERS}`,
      fenced("persona", persona),
      fenced("statement", body),
    ].join("\n"),
    schema: { name: "persona_check", type: reply() },
    data: { body },
    valueOf: (read) => ({ of, ...finding().safeParse(read).data }),
    reasonsOf: ({ reason }) => reason,
  });
  return {
    ...asking,
    matches: (fact): fact is Choice => asking.matches(fact) && fieldOf(fact.value, "of") === of,
  };
}
