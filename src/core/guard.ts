// The seams to observers, which see accepted messages, and to guards, which check attempts; the guards that need no more than the text.
import type { Fact, FactCheck, Flow } from "./fact.ts";
import type { Message, Usage } from "./message.ts";
import type { Schema } from "./schema.ts";
import type { Answer, FieldsProblem, GuardMode, Question, Turn } from "./turn.ts";
import { memo } from "./values.ts";
import { z } from "zod";
import { checkFields } from "./check_fields.ts";
import { countWords, cutAtSentence, type WordRange } from "./words.ts";
import { refusedIn } from "./topic.ts";

/** A structured question that leaves no fact of its own: whoever asks keeps what came of it. */
export type Consultation<T = unknown> = Omit<Question<T>, "toFact" | "matches" | "seq">;

/** Asks without leaving a fact; an agent that fails gives an answer with its `problem`. */
export type Consult = <T>(question: Consultation<T>) => Promise<Answer<T>>;

/**
 * Has something done once for a message: gives what came of it before the run was interrupted, else what `make` gives,
 * which is kept, as JSON, until everything about the message is on record. What fails is not kept.
 */
export type Once = <T>(
  key: string,
  options: { readonly schema: Schema<T>; readonly make: () => Promise<T> },
) => Promise<T>;

/** Services for an observer. */
export interface ObserverTools {
  /** Asks a structured question about the message, which sees what the message saw, then the message; the answer is recorded. */
  ask<T, F extends Fact>(question: Question<T, F>): Promise<F>;
  /**
   * Asks a structured question whose answer the caller keeps, in a fact it records. It sees what the message saw, and of
   * the message what the question itself quotes.
   */
  readonly consult: Consult;
  /** Has something done that costs, such as a search, and does not have it done again. */
  readonly once: Once;
  /** Records a fact the observer made of what it found; a fact that is on record already is not recorded again. */
  record(fact: Fact): Promise<void>;
  /** The facts on record: of earlier runs, and what was found in this run. */
  recorded(): readonly Fact[];
  /** The message's fact check, where the record already holds one. */
  readonly factCheck: FactCheck | undefined;
  /** The message's points, where the record already holds them. */
  readonly flow: Flow | undefined;
  /** Ends with the run. */
  readonly signal: AbortSignal;
  /** The messages given so far, oldest first. */
  readonly transcript: readonly Message[];
}

/** Runs alongside: looks at each accepted message while the next turn is already being made. */
export interface Observer {
  /** snake_case, for messages about it. */
  readonly name: string;
  /** After a resume it sees every message again; a question the record answers is not asked again. */
  observe(message: Message, tools: ObserverTools): Promise<void>;
}

/** One attempt at a turn, before it is accepted. */
export interface Draft {
  /** The turn that is attempted. */
  readonly turn: Turn;
  /** Text of the attempt. */
  readonly body: string;
  /** The speaker's own words, where the body shows more than them. @default the body */
  readonly said?: string | undefined;
  /** From 1. */
  readonly attempt: number;
  /** Messages that the speaker had been given, oldest first. */
  readonly transcript: readonly Message[];
  /** The convening's topic. */
  readonly topic: string;
  /** Position of the speaker. */
  readonly position?: string | undefined;
  /** The speaker's persona, as text. */
  readonly persona?: string | undefined;
}

/** Services for a guard. */
export interface GuardTools {
  /** Asks a structured question that sees what the speaker saw; the answer is recorded. */
  ask<T, F extends Fact>(question: Question<T, F>): Promise<F>;
  /** Asks without leaving a fact; what it used goes into the objection. */
  readonly consult: Consult;
  /** Has something done that costs, such as a search, and does not have it done again. */
  readonly once: Once;
  /** The number of the message that is attempted. */
  readonly seq: number;
  /** Ends with the run. */
  readonly signal: AbortSignal;
}

/** Reason for rejecting an attempt, and the consequence when the retries are used up. */
export interface Objection extends FieldsProblem {
  /** Stands in for the last attempt's text when it is accepted. */
  readonly replacement?: string;
  /** Only marks: the attempt is not turned down, and the guards after this one look at it too. @default false */
  readonly warn?: boolean;
  /** Usage of the check, where a model was asked; a rejected attempt carries it. */
  readonly usage?: Usage;
}

/** A reason to turn an attempt down, or none. Guards run in order; the first objection counts. */
export interface Guard {
  /** snake_case; `rejected/` files name it. */
  readonly name: string;
  /** Looks at one attempt; undefined where nothing is wrong with it. */
  check(
    draft: Draft,
    tools: GuardTools,
  ): Objection | undefined | Promise<Objection | undefined>;
}

/** At most this many retries a turn, whatever the guards say (context-network/rules/every_convening.md). */
export const MAX_RETRIES = 3;

/** Refuses an attempt without a word in it. Never accepted: the turn fails. */
export function emptyGuard(): Guard {
  return {
    name: "empty",
    check: ({ body }) =>
      /[\p{L}\p{N}]/u.test(body)
        ? undefined
        : { reason: "The reply was empty. Say something.", fatal: true },
  };
}

/** A turn's token cap under a range of words: at least twice its words. */
export function capFor(range: WordRange | undefined, maxTokens: number): number {
  return Math.max(maxTokens, 2 * (range?.max ?? 0));
}

const rangeShape = memo(() =>
  z.strictObject({ min: z.number().min(0), max: z.number().min(1) })
    .refine(({ min, max }) => min <= max, { path: ["max"], error: "Give at least min." })
);

/** Holds turns of some kinds to a range of words: one retry that says by how much, then a cut or a mark. */
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
      if (words > range.max) {
        return {
          reason: `The reply had ${words} words, ${
            words - range.max
          } over the ${range.max} allowed. Say it in ${range.min} to ${range.max} words.`,
          maxRetries: 1,
          mark: "truncated",
          replacement: cutAtSentence(body, range.max),
        };
      }
      if (words < range.min) {
        return {
          reason: `The reply had ${words} words, ${
            range.min - words
          } under the ${range.min} asked for. Say it in ${range.min} to ${range.max} words.`,
          maxRetries: 1,
          mark: "too_short",
        };
      }
      return undefined;
    },
  };
}

/** Schemas of what every guard is set by. */
export const threshold: z.ZodNumber = z.number().min(0).max(1);
export const activeMode: z.ZodType = z.enum(["warn", "reject"]).optional();

/** The modes of a guard that is on. */
export type ActiveGuardMode = Exclude<GuardMode, "off">;

/** Kinds of turns by templates and the chair: summaries and introductions may repeat. */
export const CHAIR_KINDS: ReadonlySet<string> = new Set([
  "introduction",
  "round_summary",
  "summary",
  "interruption",
]);

/** True if a turn argues: no template's text, no summary alongside, none of the moderator's own kinds. */
export function isContribution({ text, aside, kind }: Turn): boolean {
  return text === undefined && aside !== true && !CHAIR_KINDS.has(kind);
}

/** An objection as a mode has it: under `warn` the attempt stands as it is and is only marked. */
export function inMode(mode: ActiveGuardMode, objection: Objection): Objection {
  if (mode === "reject") return objection;
  const { reason, mark, usage } = objection;
  return {
    reason,
    maxRetries: 0,
    warn: true,
    ...(mark === undefined ? {} : { mark }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Terms that a refused-terms guard looks for. */
export interface RefusedTermsOptions {
  /** Matched as whole words, letter case aside, as in topics. @default the built-in list */
  readonly terms?: readonly string[] | undefined;
  /** Mode: the attempt is rejected, or marked. @default "reject" */
  readonly mode?: ActiveGuardMode | undefined;
}

/** Refuses an attempt that says a refused term, and names it. */
export function refusedTermsGuard(
  { terms, mode = "reject" }: RefusedTermsOptions = {},
): Guard {
  return {
    name: "refused_terms",
    check({ turn, body }) {
      if (turn.text !== undefined) return undefined;
      const term = refusedIn(body, terms);
      if (term === undefined) return undefined;
      return inMode(mode, {
        reason: `The reply says "${term}", which may not be said here. Say it without this term.`,
        mark: "refused_term",
      });
    },
  };
}
