// Sentences of the offline agent, drawn by seed and filled with quoted words; the parts of a prompt and their measures.
import type { ChatMessage } from "../../core/agent.ts";
import { mean, mixSeed } from "../../core/statistics.ts";
import { oneLine } from "../../core/text.ts";
import { countWords, wordsOf } from "../../core/words.ts";
import phrases from "../../data/phrases/offline.en.json" with { type: "json" };

export const PHRASES = phrases;

/** A list of patterns in the phrase file. */
export type PhraseList = Exclude<keyof typeof phrases, "considerations" | "reasons">;

type Slots = Readonly<Record<string, string | number>>;

/** The most code points of a quotation, and of a topic or position. */
const LONGEST = { quote: 160, topic: 220 } as const;

/** Draws patterns: the same seed and turn give the same sentences, consecutive turns different sentences. */
export class Writer {
  /** The number that moves every list on by one pattern. */
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

/** A turn as the prompt shows it. */
export interface ShownTurn {
  /** Number of the message; 0 in a record that is set out by side, which has other numbers in each pass. */
  readonly number: number;
  readonly speaker: string;
  /** Such as `opening statement`. */
  readonly kind: string;
  readonly body: string;
}

/** A side as the preamble names it. */
type ShownSide = { readonly label: string; readonly position: string | undefined };

/** The marked parts of one prompt. */
export interface PromptView {
  readonly sides: readonly ShownSide[];
  readonly turns: readonly ShownTurn[];
  /** Texts of others inside tags, by the tag or the source's name. */
  readonly quoted: readonly { readonly name: string; readonly text: string }[];
  /** The words after the last turn. */
  readonly task: string;
  /** The turn that the task names by its number. */
  readonly named: ShownTurn | undefined;
}

const TURN =
  /<turn(?: number="([\d.]+)")? speaker="([^"]*)" kind="([^"]*)"(?: answers="[\d.]+")?>\n([\s\S]*?)\n<\/turn>/g;
const QUOTED =
  /<(source|statement|claim|persona|result)(?: name="([^"]*)")?[^>\n]*>\n([\s\S]*?)\n<\/\1>/g;
const SIDES = /^Participants:\n((?:- .*\n?)+)/m;
const NAMED = /\b(?:turn|argument|message)\s+(\d+)/g;

/** Reads the first request of a prompt; the words of later attempts are left out. */
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
