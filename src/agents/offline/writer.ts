// Sentences of the offline agent: patterns of the phrase file, drawn by seed and filled with quoted words.
import { oneLine } from "../../core/message.ts";
import { mixSeed } from "../../core/random.ts";
import { countWords } from "../../core/words.ts";
import phrases from "../../data/phrases/offline.en.json" with { type: "json" };

/** The phrase file. */
export const PHRASES = phrases;

/** A list of patterns in the phrase file. */
export type PhraseList = Exclude<keyof typeof phrases, "considerations" | "reasons">;

/** The values of a pattern's slots. */
type Slots = Readonly<Record<string, string | number>>;

/** The most code points of a quotation, and of a topic or position. */
const LONGEST = { quote: 160, topic: 220 } as const;

/** Draws patterns: the same seed and turn give the same sentences, consecutive turns different sentences. */
export class Writer {
  /** The number that moves every list on by one pattern. */
  readonly turn: number;
  readonly #seed: number;
  readonly #slots: Slots;

  /** A writer of one reply. */
  constructor({ seed, turn, slots }: {
    readonly seed: number;
    readonly turn: number;
    readonly slots: Slots;
  }) {
    this.#seed = seed;
    this.turn = turn;
    this.#slots = slots;
  }

  /** A sentence of a list; `step` moves on within the list. */
  write(list: PhraseList, slots: Slots = {}, step = 0): string {
    const patterns = PHRASES[list];
    const pattern = patterns[(this.draw(list) + this.turn + step) % patterns.length]!;
    return this.fill(pattern, slots);
  }

  /** As many different sentences of a list as there are, `count` at most. */
  writeSome(list: PhraseList, count: number, slots: Slots = {}): string[] {
    const length = Math.min(count, PHRASES[list].length);
    return Array.from({ length }, (_, step) => this.write(list, slots, step));
  }

  /** A pattern with its slots filled, a capital letter first and a full stop where no other mark ends it. */
  fill(pattern: string, slots: Slots = {}): string {
    const values = { ...this.#slots, ...slots };
    const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
    const sentence = text.replace(/([?!？！])(”?)[.?](?=\s|$)/gu, "$1$2");
    return sentence.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
  }

  /** A whole number of this seed and `parts`. */
  draw(...parts: readonly (string | number)[]): number {
    return mixSeed(this.#seed, ...parts) >>> 8;
  }

  /** A number from 0 to 1 of this seed and `parts`. */
  share(...parts: readonly (string | number)[]): number {
    return this.draw(...parts) % 10_007 / 10_006;
  }
}

/** A text in quotation marks: one line, without marks of markdown, quotation marks inside made single. */
export function quote(text: string, longest: number = LONGEST.quote): string {
  return `“${bare(text, longest)}”`;
}

/** A topic or a position in quotation marks. */
export function quoteTopic(text: string): string {
  return quote(text, LONGEST.topic);
}

/** A text as part of a sentence: one line without quotation marks and a full stop at its end. */
export function bare(text: string, longest: number = LONGEST.topic): string {
  const line = text.replace(/^\s*(?:#{1,6}|>|[-*+])\s+|\*\*|__|`/gmu, "")
    .replace(/["„“]([^"„“”]*)["“”]/gu, "‘$1’").replace(/["„“”]/gu, "");
  return cutAtWord(oneLine(line, Infinity), longest).replace(/[\s.,;:]+$/u, "");
}

function cutAtWord(line: string, longest: number): string {
  const points = [...line];
  if (points.length <= longest) return line;
  const cut = points.slice(0, longest - 2).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > cut.length / 2 ? cut.slice(0, space) : cut} …`;
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
/** The words of a sentence that can be quoted. */
const QUOTABLE = { least: 5, enough: 9, most: 32 } as const;

/** Whole sentences of a text that can be quoted word for word, in order: of a readable length, without quotation marks. */
export function sentencesOf(text: string): string[] {
  const prose = text.replace(/^\s*(?:#{1,6}\s.*|\|.*|```.*)$/gmu, "\n");
  const paragraphs = prose.split(/\n\s*\n|(?:^|\n)\s*(?:[-*+]|\d+[.)])\s/u);
  return paragraphs.flatMap((paragraph) =>
    Array.from(SENTENCES.segment(oneLine(paragraph, Infinity)), ({ segment }) => segment.trim())
      .filter(isQuotable)
  );
}

function isQuotable(sentence: string): boolean {
  if (/^\p{Ll}|["„“”«»*_`\[\]|<>]|\d{1,2}\.$/u.test(sentence)) return false;
  const words = countWords(sentence);
  return /[.!?。！？।]$/u.test(sentence) && words >= QUOTABLE.least && words <= QUOTABLE.most;
}

/** Patterns whose sentences say nothing of their own. */
const STOCK = [
  ...[phrases.rebuttal, phrases.farewell, phrases.critique],
  ...[phrases.topicClaim, phrases.topicReasoning, phrases.counterpoints],
].flat().join(" ");
const OWN_SIDE = /\bmy (?:view|position|posture)\b|\bthe (?:affirmative|negative) side\b/;

/** A sentence of a text to quote, by number: a long sentence, else words that the text quotes, else its beginning. */
export function quotation(text: string, at = 0): string {
  const all = sentencesOf(text).filter((each) => !STOCK.includes(each) && !OWN_SIDE.test(each));
  const long = all.filter((each) => countWords(each) >= QUOTABLE.enough);
  const quoted = Array.from(text.matchAll(/“([^”]{20,})”/gu), ([, words]) => words!);
  const sentences = [long, quoted, all, [text]].find(({ length }) => length > 0)!;
  return quote(sentences[at % sentences.length]!);
}
