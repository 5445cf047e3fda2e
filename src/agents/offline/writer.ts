// Writes sentences of the offline agent from seeded patterns, parses the prompt, and measures its turns.
import type { ChatMessage } from "../../core/agent.ts";
import { mean, mixSeed } from "../../core/statistics.ts";
import { cutAtWord, oneLine } from "../../core/text.ts";
import { countWords, wordsOf } from "../../core/words.ts";
import phrases from "../../data/phrases/offline.en.json" with { type: "json" };

export const PHRASES = phrases;

/** A list of patterns in the phrase file. */
export type PhraseList = Exclude<keyof typeof phrases, "considerations" | "reasons">;

type Slots = Readonly<Record<string, string | number>>;

/** The most code points of a quotation, and of a topic or position. */
const LONGEST = { quote: 160, topic: 220 } as const;

/** Chooses patterns by seed and turn: the same seed and turn give the same sentences, consecutive turns give different ones. */
export class Writer {
  /** Offset into every list of patterns. */
  readonly turn: number;
  readonly #seed: number;
  readonly #slots: Slots;

  constructor({ seed, turn, slots }: {
    readonly seed: number;
    readonly turn: number;
    readonly slots: Slots;
  }) {
    this.#seed = seed;
    this.turn = turn;
    this.#slots = slots;
  }

  /** Writes a sentence of a list; `step` is an additional offset. */
  write(list: PhraseList, slots: Slots = {}, step = 0): string {
    const patterns = PHRASES[list];
    const pattern = patterns[(this.draw(list) + this.turn + step) % patterns.length]!;
    return this.fill(pattern, slots);
  }

  /** Writes up to `count` different sentences of a list. */
  writeSome(list: PhraseList, count: number): string[] {
    const length = Math.min(count, PHRASES[list].length);
    return Array.from({ length }, (_, step) => this.write(list, {}, step));
  }

  /** Fills a pattern's slots, capitalizes the first letter, and removes a full stop after a question or exclamation mark. */
  fill(pattern: string, slots: Slots = {}): string {
    const values = { ...this.#slots, ...slots };
    const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
    const sentence = text.replace(/([?!？！])(”?)[.?](?=\s|$)/gu, "$1$2");
    return sentence.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
  }

  /** Returns a non-negative integer determined by the seed and `parts`. */
  draw(...parts: readonly (string | number)[]): number {
    return mixSeed(this.#seed, ...parts) >>> 8;
  }

  /** Returns a number from 0 to 1 determined by the seed and `parts`. */
  share(...parts: readonly (string | number)[]): number {
    return this.draw(...parts) % 10_007 / 10_006;
  }
}

/** Quotes a text as one line, without markdown marks, with single quotation marks inside. */
export function quote(text: string, longest: number = LONGEST.quote): string {
  return `“${bare(text, longest)}”`;
}

export function quoteTopic(text: string): string {
  return quote(text, LONGEST.topic);
}

/** Prepares a text for use within a sentence: one line, without markdown marks, double quotation marks and final punctuation. */
export function bare(text: string, longest: number = LONGEST.topic): string {
  const line = text.replace(/^\s*(?:#{1,6}|>|[-*+])\s+|\*\*|__|`/gmu, "")
    .replace(/["„“]([^"„“”]*)["“”]/gu, "‘$1’").replace(/["„“”]/gu, "");
  return cutAtWord(oneLine(line), longest, " …").replace(/[\s.,;:]+$/u, "");
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });
/** Word counts of quotable sentences; sentences of at least `enough` words are preferred. */
const QUOTABLE = { least: 5, enough: 9, most: 32 } as const;

/** Returns the whole sentences of a text that can be quoted verbatim: of a readable length, without quotation marks. */
export function sentencesOf(text: string): string[] {
  const prose = text.replace(/^\s*(?:#{1,6}\s.*|\|.*|```.*)$/gmu, "\n");
  const paragraphs = prose.split(/\n\s*\n|(?:^|\n)\s*(?:[-*+]|\d+[.)])\s/u);
  return paragraphs.flatMap((paragraph) =>
    Array.from(SENTENCES.segment(oneLine(paragraph)), ({ segment }) => segment.trim())
      .filter(isQuotable)
  );
}

function isQuotable(sentence: string): boolean {
  if (/^\p{Ll}|["„“”«»*_`\[\]|<>]|#\s|\d{1,2}\.$/u.test(sentence)) return false;
  const words = countWords(sentence);
  return /[.!?。！？।]$/u.test(sentence) && words >= QUOTABLE.least && words <= QUOTABLE.most;
}

/** Stock sentences without content of their own. */
const STOCK = [
  ...[phrases.rebuttal, phrases.farewell, phrases.critique],
  ...[phrases.topicClaim, phrases.topicReasoning, phrases.counterpoints],
].flat().join(" ");
const OWN_SIDE = /\bmy (?:view|position|posture)\b|\bthe (?:affirmative|negative) side\b/;

/** Returns the sentences of at least `least` words that say more than whose side is spoken for. @default long ones */
export function pointsIn(text: string, least: number = QUOTABLE.enough): string[] {
  return sentencesOf(text).filter((each) =>
    countWords(each) >= least && !STOCK.includes(each) && !OWN_SIDE.test(each)
  );
}

/** Quotes a sentence of a text by index: a long sentence, else a quotation in the text, else any sentence, else the beginning. */
export function quotation(text: string, at = 0): string {
  const sentences = [pointsIn(text), quotedIn(text), pointsIn(text, 0), [text]].find(({ length }) =>
    length > 0
  )!;
  return quote(sentences[at % sentences.length]!);
}

export function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(/“([^”]{20,})”/gu), ([, words]) => words!);
}

/** A turn in the prompt. */
export interface ShownTurn {
  /** Number of the message; 0 in a record that is ordered by side, whose numbers differ in each pass. */
  readonly number: number;
  readonly speaker: string;
  /** Kind of the turn, such as `opening statement`. */
  readonly kind: string;
  readonly body: string;
}

type ShownSide = { readonly label: string; readonly position: string | undefined };

/** The parsed parts of a prompt. */
export interface PromptView {
  readonly sides: readonly ShownSide[];
  readonly turns: readonly ShownTurn[];
  /** Quoted texts in tags, named by the tag or the source. */
  readonly quoted: readonly { readonly name: string; readonly text: string }[];
  /** The text after the last turn. */
  readonly task: string;
  /** The turn that the task refers to by number. */
  readonly named: ShownTurn | undefined;
}

const TURN =
  /<turn(?: number="([\d.]+)")? speaker="([^"]*)" kind="([^"]*)"(?: answers="[\d.]+")?>\n([\s\S]*?)\n<\/turn>/g;
const QUOTED =
  /<(source|statement|points|claim|persona|result)(?: name="([^"]*)")?[^>\n]*>\n([\s\S]*?)\n<\/\1>/g;
const SIDES = /^Participants:\n((?:- .*\n?)+)/m;
const NAMED = /\b(?:turn|argument|message)\s+(\d+)/g;

/** Parses a prompt; ignores the messages of repeated attempts. */
export function viewOf(messages: readonly ChatMessage[]): PromptView {
  const instructions = messages.find(({ role }) => role === "system")?.content ?? "";
  const prompt = messages.find(({ role }) => role === "user")?.content ?? "";
  const turns = [...prompt.matchAll(TURN)].map(([, number, speaker, kind, body]): ShownTurn => ({
    number: number === undefined || number.includes(".") ? 0 : Number(number),
    speaker: plain(speaker!),
    kind: kind!,
    body: plain(body!),
  }));
  const end = prompt.lastIndexOf("</turn>");
  const task = end === -1 ? prompt : prompt.slice(end + "</turn>".length);
  const numbers = [...task.matchAll(NAMED)].map(([, number]) => Number(number));
  return {
    sides: sidesIn(instructions),
    turns,
    quoted: [...`${instructions}\n${prompt}`.matchAll(QUOTED)].map(([, tag, name, text]) => ({
      name: plain(name ?? tag!),
      text: plain(text!),
    })),
    task,
    named: turns.findLast(({ number }) => numbers.includes(number)),
  };
}

function sidesIn(instructions: string): ShownSide[] {
  const lines = SIDES.exec(instructions)?.[1]?.trim().split("\n") ?? [];
  return lines.map((line) => {
    const [, label = "", position] = /^- (.*?)(?:: (.*))?$/.exec(line) ?? [];
    return { label, position };
  });
}

function plain(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** Number of words from which the measure counts a text as long enough. */
const ENOUGH = 80;
/** Range of the seed's effect on the measure of a turn, and on that of one criterion. */
const DRAWN = { turn: 0.16, criterion: 0.1 } as const;

interface Counts {
  readonly words: number;
  /** Share of the topic's longer words that the text has, from 0 to 1. */
  readonly shared: number;
  readonly quotes: boolean;
}

/** Returns the words of a text in lower case. */
export function termsIn(text: string): string[] {
  return Array.from(wordsOf(text), ({ text: word }) => word.toLowerCase());
}

/** Counts a text's words and its share of the topic's words. */
export function countsOf(text: string, topic: string): Counts {
  const words = termsIn(text);
  return {
    words: words.length,
    shared: shareOf(termsIn(topic).filter((word) => word.length > 3), words),
    quotes: /[“"«„]/u.test(text),
  };
}

/** Returns the share of `wanted` words that `words` has; 0 if `wanted` is empty. */
export function shareOf(wanted: readonly string[], words: readonly string[]): number {
  const own = new Set(words);
  const different = new Set(wanted);
  return different.size === 0 ? 0 : [...different].filter((word) => own.has(word)).length /
    different.size;
}

/** Inputs of a measure: the topic, and the writer of the judge for seeded differences. */
interface Measuring {
  readonly topic: string;
  readonly own: Writer;
}

/** Measures a turn, from 0 to 1, by its counts and a small difference by seed. */
function measureOf({ number, body }: ShownTurn, { topic, own }: Measuring): number {
  const { words, shared, quotes } = countsOf(body, topic);
  const counted = 0.36 + 0.2 * Math.min(1, words / ENOUGH) + 0.12 * shared + (quotes ? 0.06 : 0);
  return counted + (number === 0 ? 0 : (own.share("turn", number) - 0.5) * DRAWN.turn);
}

export function criterionOf(id: string, turn: ShownTurn, measuring: Measuring): number {
  const drawn = (measuring.own.share("criterion", turn.number, id) - 0.5) * DRAWN.criterion;
  return Math.max(0, Math.min(1, measureOf(turn, measuring) + drawn));
}

/** Matches kinds of turns that are not scored. */
const UNSCORED = /examination|interruption|interjection/;

/** Returns the mean measure of a speaker's turns; 0 without turns. */
export function meanOf(label: string, turns: readonly ShownTurn[], measuring: Measuring): number {
  const own = turns.filter(({ speaker, kind }) => speaker === label && !UNSCORED.test(kind));
  return mean(own.map((turn) => measureOf(turn, measuring))) ?? 0;
}
