import type { Mark, Message } from "./message.ts";
import type { Turn } from "./turn.ts";

/** One attempt at a turn, before it is accepted. */
export interface Draft {
  /** The turn that is attempted. */
  readonly turn: Turn;
  /** What was said. */
  readonly body: string;
  /** From 1. */
  readonly attempt: number;
  /** What the speaker had been given, oldest first. */
  readonly transcript: readonly Message[];
  /** The convening's topic. */
  readonly topic: string;
}

/** Why an attempt is turned down, and what happens when the retries are used up. */
export interface Objection {
  /** What was wrong and what would be right; the retry is told this. */
  readonly reason: string;
  /** How often this is asked again, at most. @default 3 */
  readonly maxRetries?: number;
  /** Marks the last attempt when it is accepted all the same. */
  readonly mark?: Mark;
  /** Stands in for the last attempt's text when it is accepted. */
  readonly replacement?: string;
  /** The turn fails instead of being accepted. @default false */
  readonly fatal?: boolean;
}

/** A reason to turn an attempt down, or none. Guards run in order; the first objection counts. */
export interface Guard {
  /** snake_case; `rejected/` files name it. */
  readonly name: string;
  /** Looks at one attempt; undefined where nothing is wrong with it. */
  check(draft: Draft): Objection | undefined | Promise<Objection | undefined>;
}

/** At most this many retries a turn, whatever the guards say (protocols.md, "Rules of every convening"). */
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

/** A range of words. */
export interface WordRange {
  /** The fewest words. */
  readonly min: number;
  /** The most words. */
  readonly max: number;
}

/** A turn's token cap under a range of words: at least twice its words. */
export function capFor(range: WordRange | undefined, maxTokens: number): number {
  return Math.max(maxTokens, 2 * (range?.max ?? 0));
}

/** Holds the turns `applies` picks to a range of words: one retry that says by how much, then a cut or a mark. */
export function lengthGuard(
  range: WordRange,
  applies: (turn: Turn) => boolean = () => true,
): Guard {
  return {
    name: "length",
    check({ body, turn }) {
      if (turn.text !== undefined || !applies(turn)) return undefined;
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

/** How many words a text has, by Unicode word boundaries. */
export function countWords(text: string): number {
  let count = 0;
  for (
    const part of new Intl.Segmenter(undefined, { granularity: "word" })
      .segment(text)
  ) {
    if (part.isWordLike) count++;
  }
  return count;
}

/** The longest run of whole sentences within `maxWords`; within the first sentence, whole words. */
export function cutAtSentence(text: string, maxWords: number): string {
  let kept = "";
  for (
    const { segment } of new Intl.Segmenter(undefined, {
      granularity: "sentence",
    }).segment(text)
  ) {
    if (countWords(kept + segment) > maxWords) break;
    kept += segment;
  }
  if (countWords(kept) > 0) return kept.trimEnd();
  let words = 0;
  let end = 0;
  for (
    const part of new Intl.Segmenter(undefined, { granularity: "word" })
      .segment(text)
  ) {
    if (part.isWordLike && ++words > maxWords) break;
    end = part.index + part.segment.length;
  }
  return text.slice(0, end).trimEnd();
}
