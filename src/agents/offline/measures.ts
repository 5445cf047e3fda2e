// Counts of the offline agent in a text: its length, the words that it shares with the topic, quotations.
import { mean } from "../../core/statistics.ts";
import { wordsOf } from "../../core/words.ts";
import type { ShownTurn } from "./prompt_view.ts";
import type { Writer } from "./writer.ts";

/** The words past which a text is long enough. */
const ENOUGH = 80;
/** Range of the seed's effect on the measure of a turn, and of one criterion. */
const DRAWN = { turn: 0.16, criterion: 0.1 } as const;

interface Counts {
  readonly words: number;
  /** The share of the topic's longer words that the text has, from 0 to 1. */
  readonly shared: number;
  readonly quotes: boolean;
}

/** The words of a text, lower case. */
export function termsIn(text: string): string[] {
  return Array.from(wordsOf(text), ({ text: word }) => word.toLowerCase());
}

/** Counts of a text, and of its words that the topic has too. */
export function countsOf(text: string, topic: string): Counts {
  const words = termsIn(text);
  return {
    words: words.length,
    shared: shareOf(termsIn(topic).filter((word) => word.length > 3), words),
    quotes: /[“"«„]/u.test(text),
  };
}

/** The share of `wanted` words that a text has; 0 without any. */
export function shareOf(wanted: readonly string[], words: readonly string[]): number {
  const own = new Set(words);
  const different = new Set(wanted);
  return different.size === 0 ? 0 : [...different].filter((word) => own.has(word)).length /
    different.size;
}

/** Measures of turns: the words of a topic, and the draws of a judge. */
interface Measuring {
  readonly topic: string;
  readonly own: Writer;
}

/** The measure of a turn, from 0 to 1: its counts, and a small difference by seed. */
function measureOf({ number, body }: ShownTurn, { topic, own }: Measuring): number {
  const { words, shared, quotes } = countsOf(body, topic);
  const counted = 0.36 + 0.2 * Math.min(1, words / ENOUGH) + 0.12 * shared + (quotes ? 0.06 : 0);
  return counted + (number === 0 ? 0 : (own.share("turn", number) - 0.5) * DRAWN.turn);
}

/** The measure of a turn by one criterion. */
export function criterionOf(id: string, turn: ShownTurn, measuring: Measuring): number {
  const drawn = (measuring.own.share("criterion", turn.number, id) - 0.5) * DRAWN.criterion;
  return Math.max(0, Math.min(1, measureOf(turn, measuring) + drawn));
}

/** Turns that are not scored by themselves. */
const UNSCORED = /examination|interruption|interjection/;

/** The mean measure of a speaker's turns; 0 where the speaker has none. */
export function meanOf(label: string, turns: readonly ShownTurn[], measuring: Measuring): number {
  const own = turns.filter(({ speaker, kind }) => speaker === label && !UNSCORED.test(kind));
  return mean(own.map((turn) => measureOf(turn, measuring))) ?? 0;
}
