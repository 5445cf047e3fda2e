// The seam to guards: checks of an attempt before it is accepted.
import { memo } from "./once_each.ts";
import { z } from "zod";
import { checkFields } from "./check_fields.ts";
import { countWords, cutAtSentence, type WordRange } from "./words.ts";
import type { Fact } from "./fact.ts";
import type { Message, Usage } from "./message.ts";
import type { Consult, Once } from "./observer.ts";
import type { FieldsProblem, Question, Turn } from "./turn.ts";

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
