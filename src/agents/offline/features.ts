import { wordsOf } from "./domains.ts";
import { sentencesOf } from "./quotation.ts";

/** What can be counted about a turn, each from 0 to 1. */
export interface Features {
  /** How often reasons are connected. */
  readonly logic: number;
  /** Examples, numbers, quotations. */
  readonly evidence: number;
  /** How much of what it answers it takes up; of the topic, where it answers nothing. */
  readonly response: number;
  /** Variety of words, sentences of a readable and varied length. */
  readonly style: number;
  /** How near it is to the usual length. */
  readonly length: number;
  /** How much of the topic's words it uses. */
  readonly topic: number;
}

const CONNECTED =
  /\b(because|so|therefore|thus|hence|if|unless|until|whereas|although|though|while|but|yet|since|when|whether|which means|for that reason|follows?)\b/giu;
const EVIDENCE =
  /\b(imagine|picture|example|instance|consider|suppose|compare|take|think of|look|watch|ask|evidence|measure|observe|show|shows|case|cases|test)\b|\d|“/giu;

/** Counts a turn's features, beside what it answers and the topic. */
export function featuresOf(text: string, answered: string, topic: string): Features {
  const sentences = sentencesOf(text);
  const words = wordsOf(text);
  const n = Math.max(1, sentences.length);
  const hits = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const own = new Set(words);
  const topical = overlap(keyTerms(topic), own);
  const variety = own.size / Math.max(1, words.length) * Math.min(1, words.length / 60);
  const lengths = sentences.map((each) => wordsOf(each).length);
  const mean = words.length / n;
  const spread = Math.sqrt(lengths.reduce((sum, each) => sum + (each - mean) ** 2, 0) / n);
  return {
    logic: saturate(hits(CONNECTED) / n, 1.6),
    evidence: saturate(hits(EVIDENCE) / n, 0.9),
    response: answered === ""
      ? 0.35 + 0.5 * topical
      : saturate(overlap(keyTerms(answered), own), 0.22) * 0.8 + (text.includes("“") ? 0.2 : 0),
    style: clamp(variety * 0.7 + saturate(spread, 9) * 0.5),
    length: clamp(1 - Math.abs(Math.log(Math.max(1, words.length) / 150)) / 2.2),
    topic: topical,
  };
}

function keyTerms(text: string): Set<string> {
  return new Set(wordsOf(text).filter((word) => word.length > 4));
}

function overlap(terms: ReadonlySet<string>, words: ReadonlySet<string>): number {
  if (terms.size === 0) return 0;
  let shared = 0;
  for (const term of terms) if (words.has(term)) shared++;
  return shared / terms.size;
}

function saturate(value: number, half: number): number {
  return value / (value + half * 0.5);
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value));
}
