// The transcript that a prompt shows, with older turns folded.
import type { Message } from "./message.ts";

/** Number of turns of one fold at most, and number of turns after which it is used. */
export const FOLD_BLOCK = 16;
/** See {@linkcode FOLD_BLOCK}. */
export const FOLD_DELAY = 8;
/** Number of turns of one fold at least, where that many fit into half of a prompt. */
const LEAST_BLOCK = 4;

/** Tokens of the tags around a turn. */
const TURN_TOKENS = 20;

/** Older turns that a summary stands for from some point on. */
export interface Fold {
  /** Number of messages that the summary covers. */
  readonly covers: number;
  /** Number of messages given when the summary was begun. */
  readonly begun: number;
  /** It is in use in prompts that see at least this many messages. */
  readonly usedFrom: number;
}

interface TranscriptOptions {
  /** The messages given so far, oldest first; more are added as they are given. */
  readonly messages: readonly Message[];
  /** The most tokens of a prompt. */
  readonly bound: number;
  /** True if folds end at the ends of rounds. */
  readonly byRounds: boolean;
}

/**
 * The folds of prompts with one bound. Where a fold begins and comes into use depends on the messages alone, never on
 * timing, so that a resumed run builds the same prompts.
 */
export class Transcript {
  readonly #options: TranscriptOptions;
  /** Running sum of tokens: `#sums[n]` is that of the first n messages. */
  readonly #sums: number[] = [0];
  readonly #folds: Fold[] = [];

  /** A transcript without folds. */
  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The most tokens of a prompt. */
  get bound(): number {
    return this.#options.bound;
  }

  /**
   * Counts the messages not counted yet, in order; gives the folds that are due with them. `reserved` is the tokens of
   * what stands before and after the transcript in every prompt.
   */
  weigh(count: (message: Message) => number, reserved: number): Fold[] {
    const { messages } = this.#options;
    const due: Fold[] = [];
    while (this.#sums.length <= messages.length) {
      const index = this.#sums.length - 1;
      this.#sums.push(this.#sums[index]! + count(messages[index]!) + TURN_TOKENS);
      const fold = this.#due(index + 1, reserved);
      if (fold === undefined) continue;
      this.#folds.push(fold);
      due.push(fold);
    }
    return due;
  }

  /** The fold in use in a prompt that sees the first `count` messages. */
  foldAt(count: number): Fold | undefined {
    return this.#folds.findLast((fold) => fold.usedFrom <= count);
  }

  #tokens(from: number, to: number): number {
    return this.#sums[to]! - this.#sums[from]!;
  }

  #due(count: number, reserved: number): Fold | undefined {
    const { bound } = this.#options;
    const last = this.#folds.at(-1);
    const from = last?.covers ?? 0;
    const recent = Math.min(count, FOLD_BLOCK);
    const mean = this.#tokens(count - recent, count) / recent;
    const turnsIn = (tokens: number) => Math.floor(tokens / 2 / mean);
    const least = clamp(turnsIn(bound), 1, LEAST_BLOCK);
    const block = clamp(turnsIn(bound - reserved), least, FOLD_BLOCK);
    const delay = Math.min(FOLD_DELAY, block);
    const expected = reserved + this.#tokens(from, count) + delay * mean;
    if (expected <= bound) return undefined;
    const covers = this.#cut(from, block, count);
    // The latest turns stay whole, however long they are.
    if (covers === undefined || covers > count - delay / 2) return undefined;
    return { covers, begun: count, usedFrom: count + delay };
  }

  /** End of a block that begins at `from`: after `block` turns, or with the round they end in. */
  #cut(from: number, block: number, count: number): number | undefined {
    let end = from + block;
    const { byRounds, messages } = this.#options;
    if (!byRounds) return end;
    while (end < count) {
      const round = messages[end - 1]!.round;
      if (round > 0 && messages[end]!.round !== round) return end;
      end++;
    }
    return undefined;
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
