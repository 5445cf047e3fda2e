// Interfaces of observers, which see accepted messages, and of guards, which check attempts; guards that need only the text.
import { z } from "zod";
import type { Fact, FactCheck, Flow } from "./fact.ts";
import type { Message, Usage } from "./message.ts";
import type { Consult, FieldsProblem, GuardMode, Question, Turn } from "./turn.ts";
import { defined, memo, type Schema } from "./values.ts";
import { checkFields } from "./check_fields.ts";
import { countWords, cutAtSentence, type WordRange } from "./words.ts";
import { refusedTermIn } from "./topic.ts";

/**
 * Runs `make` once per message and key. The result is stored as JSON until everything about the message is recorded, so
 * that a resumed run gets it without another call. Failures are not stored.
 */
export type Once = <T>(
  key: string,
  options: { readonly schema: Schema<T>; readonly make: () => Promise<T> },
) => Promise<T>;

/** Services for an observer. */
export interface ObserverTools {
  /** Asks a structured question and records the answer. The prompt shows the messages that the speaker saw, then the message. */
  ask<T, F extends Fact>(question: Question<T, F>): Promise<F>;
  /**
   * Asks a structured question without recording the answer. The prompt shows the messages that the speaker saw, but of the
   * message only the quotations in the question.
   */
  readonly consult: Consult;
  /** Runs an expensive step, such as a search, at most once. */
  readonly once: Once;
  /**
   * Records a fact; does nothing if the fact is already recorded. Throws a `ConfigurationError` for a fact that only the run
   * makes, such as a message.
   */
  record(fact: Fact): Promise<void>;
  /** Returns the facts of the record, including those of this run. */
  recorded(): readonly Fact[];
  /** Fact check of the message, if it is already recorded. */
  readonly factCheck: FactCheck | undefined;
  /** Points of the message, if they are already recorded. */
  readonly flow: Flow | undefined;
  /** Aborted when the run ends; the run waits for the observer. */
  readonly signal: AbortSignal;
  /** Messages so far, oldest first. */
  readonly transcript: readonly Message[];
}

/** Processes each accepted message while the next turn is under way. */
export interface Observer {
  /** Name for messages, in snake_case. */
  readonly name: string;
  /** Called with each message, again after a resume; questions that the record answers are not sent again. */
  observe(message: Message, tools: ObserverTools): void | Promise<void>;
}

/** Attempt at a turn, before its acceptance. */
export interface Draft {
  /** Turn that is attempted. */
  readonly turn: Turn;
  /** Text of the attempt. */
  readonly body: string;
  /** Part of `body` that the speaker wrote, if the body contains more. @default `body` */
  readonly said?: string | undefined;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Messages that the speaker had seen, oldest first. */
  readonly transcript: readonly Message[];
  /** Topic of the convening. */
  readonly topic: string;
  /** Position of the speaker. */
  readonly position?: string | undefined;
  /** Text of the speaker's persona. */
  readonly persona?: string | undefined;
}

/** Services for a guard. */
export interface GuardTools {
  /** Asks a structured question and records the answer. The prompt shows the messages that the speaker saw. */
  ask<T, F extends Fact>(question: Question<T, F>): Promise<F>;
  /** Asks without recording a fact; add the answer's usage to the objection. */
  readonly consult: Consult;
  /** Runs an expensive step, such as a search, at most once. */
  readonly once: Once;
  /** Number of the message. */
  readonly seq: number;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

/** Reason to reject an attempt, and the consequence when no retry is left. */
export interface Objection extends FieldsProblem {
  /** Text that replaces the last attempt when it is accepted. */
  readonly replacement?: string | undefined;
  /** True if the attempt is only marked, not rejected; the later guards then check it too. @default false */
  readonly warn?: boolean | undefined;
  /** Usage of the check, if a model was asked; recorded with the rejection. */
  readonly usage?: Usage | undefined;
}

/** Check of attempts. Guards run in order; the first objection counts. */
export interface Guard {
  /** Name in snake_case, shown in `rejected/` files. */
  readonly name: string;
  /** True if `check` asks a model about attempts, before `check` awaits anything else: a plan then counts the questions. @default false */
  readonly asks?: boolean | undefined;
  /** Checks one attempt; undefined if it passes. */
  check(draft: Draft, tools: GuardTools): Objection | undefined | Promise<Objection | undefined>;
}

/** Maximum number of retries per turn, whatever the guards ask for (context-network/rules/every_convening.md). */
export const MAX_RETRIES = 3;

/** Rejects an attempt without a letter or digit. Without a retry left, the turn fails. */
export function emptyGuard(): Guard {
  return {
    name: "empty",
    check: ({ body }) =>
      /[\p{L}\p{N}]/u.test(body)
        ? undefined
        : { reason: "The reply was empty. Say something.", fatal: true },
  };
}

/** Returns the token cap of a turn: `maxTokens`, or twice the maximum of words if that is more. */
export function capFor(range: WordRange | undefined, maxTokens: number): number {
  return Math.max(maxTokens, 2 * (range?.max ?? 0));
}

const rangeShape = memo(() =>
  z.strictObject({ min: z.number().min(0), max: z.number().min(1) })
    .refine(({ min, max }) => min <= max, { path: ["max"], error: "Give at least min." })
);

/** Limits turns (of some kinds) to a range of words: one retry that states the excess, then a cut or a mark. */
export function lengthGuard(
  range: WordRange,
  kinds?: readonly string[],
): Guard {
  checkFields(range, rangeShape(), "range of words");
  return {
    name: "length",
    check({ turn, body: whole, said: body = whole }) {
      if (turn.text !== undefined || kinds?.includes(turn.kind) === false) return undefined;
      const words = countWords(body);
      const { min, max } = range;
      const objection = (state: string) => ({
        reason: `The reply had ${words} words, ${state}. Say it in ${min} to ${max} words.`,
        maxRetries: 1,
      });
      if (words > max) {
        const replacement = cutAtSentence(body, max);
        return {
          ...objection(`${words - max} over the ${max} allowed`),
          mark: "truncated",
          replacement,
        };
      }
      return words < min
        ? { ...objection(`${min - words} under the ${min} asked for`), mark: "too_short" }
        : undefined;
    },
  };
}

/** Schema of a guard's threshold, from 0 to 1. */
export const threshold: z.ZodNumber = z.number().min(0).max(1);
/** Schema of the mode of a guard that is on. */
export const activeMode: z.ZodType = z.enum(["warn", "reject"]).optional();

/** Modes of a guard that is on. */
export type ActiveGuardMode = Exclude<GuardMode, "off">;

/** Kinds of turns by templates and the moderator, which may repeat earlier text. */
export const CHAIR_KINDS: ReadonlySet<string> = new Set([
  "introduction",
  "round_summary",
  "summary",
  "interruption",
]);

/** Returns true if a turn argues: no template text, no aside, no kind of the moderator's. */
export function isContribution({ text, aside, kind }: Turn): boolean {
  return text === undefined && aside !== true && !CHAIR_KINDS.has(kind);
}

/** Applies a mode to an objection: `warn` accepts the attempt unchanged and only marks it. */
export function inMode(mode: ActiveGuardMode, objection: Objection): Objection {
  if (mode === "reject") return objection;
  const { reason, mark, usage } = objection;
  return { reason, maxRetries: 0, warn: true, ...defined({ mark, usage }) };
}

/** Options of {@linkcode refusedTermsGuard}. */
export interface RefusedTermsOptions {
  /** Terms, matched as whole words without regard to case, as in topics. @default the built-in list */
  readonly terms?: readonly string[] | undefined;
  /** Rejects or only marks the attempt. @default "reject" */
  readonly mode?: ActiveGuardMode | undefined;
}

/** Rejects an attempt that contains a refused term; the reason names the term. */
export function refusedTermsGuard(
  { terms, mode = "reject" }: RefusedTermsOptions = {},
): Guard {
  return {
    name: "refused_terms",
    check({ turn, body }) {
      if (turn.text !== undefined) return undefined;
      const term = refusedTermIn(body, terms);
      if (term === undefined) return undefined;
      return inMode(mode, {
        reason: `The reply says "${term}", which may not be said here. Say it without this term.`,
        mark: "refused_term",
      });
    },
  };
}
