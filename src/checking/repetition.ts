// The guard against repetition, and its index of turns, which finds candidates by shared runs of words.
import { z } from "zod";
import { callable, checkFields } from "../core/check_fields.ts";
import {
  type ActiveGuardMode,
  activeMode,
  CHAIR_KINDS,
  type Guard,
  inMode,
  isContribution,
  type Objection,
  threshold as share,
} from "../core/guard.ts";
import type { Message } from "../core/message.ts";
import { oneLine } from "../core/text.ts";
import { memoByObject } from "../core/values.ts";
import { quotedPassages } from "../core/quotations.ts";
import { sentenceStarts, type TextWord, textWords } from "../core/words.ts";

/** Default similarity from which a turn repeats an earlier one (context-network/rules/every_convening.md). */
export const REPETITION_THRESHOLD = 0.95;

/** The fewest repeated words of another participant that count, so that short agreement is not a repetition. */
const LEAST_OF_OTHERS = 12;
/** The least share of an attempt that must be repeated. */
const LEAST_SHARE = 0.5;
/** Share of common words above which two sentences count as the same. */
const SAME_SENTENCE = 0.6;
/** The most sentences of a text; a text with more is compared as a single sentence. */
const MAX_SENTENCES = 200;

/** Similarity of two texts. */
export interface Likeness {
  /** From 0, nothing in common, to 1, equal. */
  readonly ratio: number;
  /** The longest common run of words, as word positions in the earlier text; `to` is exclusive. */
  readonly passage: { readonly from: number; readonly to: number };
}

/** Options of a repetition guard. */
export interface RepetitionOptions {
  /** Similarity from which an attempt is a repetition, 0 to 1. @default 0.95 */
  readonly threshold?: number | undefined;
  /** Mode: `reject` rejects an attempt, `warn` marks it. @default "reject" */
  readonly mode?: ActiveGuardMode | undefined;
  /** Compares the words of an earlier turn and an attempt; may return undefined below `atLeast`. @default {@linkcode likenessOf} */
  readonly compare?: typeof likenessOf | undefined;
}

const OPTIONS = z.strictObject({
  threshold: share.optional(),
  mode: activeMode,
  compare: callable.optional(),
});

/**
 * Creates a guard against attempts of which at least half nearly repeats an earlier turn of any participant, in any order of
 * sentences. The objection quotes the passage. Marked quotations do not count. Words of the answered turn count only if they make up
 * the whole attempt. Each attempt is compared with at most four candidates, so the cost does not grow with the debate. One guard can
 * serve several runs.
 */
export function repetitionGuard(options: RepetitionOptions = {}): Guard {
  const { threshold = REPETITION_THRESHOLD, mode = "reject", compare = likenessOf } = checkFields(
    options,
    OPTIONS,
    "repetition guard",
  );
  const indexes = new WeakMap<Message, TurnIndex>();
  // Share of the earlier turn's words that a similarity of `threshold` requires. Another `compare` may count synonyms.
  const leastInCommon = compare === likenessOf ? threshold / (2 - threshold) : 0;
  return {
    name: "repetition",
    async check({ turn, body, transcript }) {
      const first = transcript[0];
      if (first === undefined || !isContribution(turn)) return undefined;
      let index = indexes.get(first);
      if (index?.continues(transcript) !== true) indexes.set(first, index = new TurnIndex());
      index.read(transcript);
      const own = speechOf(body);
      const answered = transcript.find(({ seq, participant }) =>
        seq === turn.replyTo && participant !== turn.speaker
      );
      let restated: ReadonlySet<Sentence> | undefined;
      for (const { message, words } of index.candidates(textWords(body), transcript.length)) {
        if (CHAIR_KINDS.has(message.kind)) continue;
        const earlier = speechOf(message.body, words);
        const common = commonCount(earlier.counts, own.counts);
        if (common < leastInCommon * earlier.words.length - 1e-9) continue;
        const again = matchingSentences(earlier.sentences, own.sentences);
        const isOwn = message.participant === turn.speaker;
        if (wordsIn(again) < (isOwn ? 1 : LEAST_OF_OTHERS)) continue;
        const isWhole = wordsIn(again) >= threshold * own.words.length;
        restated ??= new Set(
          answered && matchingSentences(speechOf(answered.body).sentences, own.sentences),
        );
        const isNew = (each: Sentence) => restated?.has(each) === false;
        const share = wordsIn(again.filter(isNew)) / wordsIn(own.sentences.filter(isNew));
        // `share` is NaN if the attempt has only sentences of the answered turn.
        if (!isWhole && (message === answered || !(share >= LEAST_SHARE))) continue;
        const likeness = await compare(
          textOfWords(earlier.words),
          textOfWords(again.flat()),
          threshold,
        );
        if (likeness !== undefined && likeness.ratio >= threshold) {
          return inMode(mode, objectionTo({ message, words: earlier.words }, likeness, isOwn));
        }
      }
      return undefined;
    },
  };
}

function textOfWords(words: readonly TextWord[]): string[] {
  return words.map(({ word }) => word);
}

type Sentence = readonly TextWord[];

function wordsIn(sentences: readonly Sentence[]): number {
  return sentences.reduce((sum, { length }) => sum + length, 0);
}

const speeches = new WeakMap<readonly TextWord[], Speech>();

/** Returns the parsed speech of a text, memoized by its words, which an attempt shares with its message. */
function speechOf(text: string, words: readonly TextWord[] = textWords(text)): Speech {
  let speech = speeches.get(words);
  if (speech === undefined) speeches.set(words, speech = new Speech(text));
  return speech;
}

/** A text without marked quotations, with its words, their counts and its sentences. */
class Speech {
  readonly #text: string;
  readonly words: readonly TextWord[];
  readonly counts: ReadonlyMap<string, number>;
  #sentences: readonly Sentence[] | undefined;

  constructor(text: string) {
    let own = text.replace(/^ {0,3}>.*$/gmu, (line) => " ".repeat(line.length));
    for (const { text: quoted } of quotedPassages(own)) {
      own = own.replace(quoted, () => " ".repeat(quoted.length));
    }
    this.#text = own;
    this.words = textWords(own);
    this.counts = wordCounts(textOfWords(this.words));
  }

  /** Sentences, split on first use: few texts are compared by sentence. */
  get sentences(): readonly Sentence[] {
    return this.#sentences ??= this.#split();
  }

  #split(): Sentence[] {
    const starts = sentenceStarts(this.#text);
    if (starts.length > MAX_SENTENCES) return [this.words];
    const sentenceOf = ({ start }: TextWord) => starts.findLastIndex((each) => each <= start);
    return [...Map.groupBy(this.words, sentenceOf).values()];
  }
}

const countsOf = memoByObject((sentence: Sentence) => wordCounts(textOfWords(sentence)));

/** Returns the sentences of an attempt that match sentences of an earlier text, in the order of the earlier text. */
function matchingSentences(earlier: readonly Sentence[], attempt: readonly Sentence[]): Sentence[] {
  const left = new Set(attempt);
  return earlier.flatMap((sentence) => {
    let best: Sentence | undefined;
    let most = SAME_SENTENCE;
    for (const each of left) {
      const total = sentence.length + each.length;
      if (2 * Math.min(sentence.length, each.length) / total <= most) continue;
      const share = 2 * commonCount(countsOf(sentence), countsOf(each)) / total;
      if (share > most) [best, most] = [each, share];
    }
    if (best !== undefined) left.delete(best);
    return best === undefined ? [] : [best];
  });
}

/**
 * Returns twice the words that two texts share in order, divided by all their words (the ratio of Python's `SequenceMatcher`, on
 * words); undefined if it is below `atLeast`.
 */
export async function likenessOf(
  earlier: readonly string[],
  attempt: readonly string[],
  atLeast: number,
): Promise<Likeness | undefined> {
  const total = earlier.length + attempt.length;
  // 1e-9 compensates rounding of an exact threshold.
  const maxEditLength = Math.floor((1 - atLeast) * total + 1e-9);
  if (total === 0 || Math.abs(earlier.length - attempt.length) > maxEditLength) return undefined;
  // Upper bound: texts share at least as many words in any order as in their own.
  if (2 * commonCount(wordCounts(earlier), wordCounts(attempt)) < atLeast * total - 1e-9) {
    return undefined;
  }
  const { diffArrays } = await import("diff");
  const changes = diffArrays([...earlier], [...attempt], { maxEditLength });
  if (changes === undefined) return undefined;
  let shared = 0;
  let at = 0;
  let passage = { from: 0, to: 0 };
  for (const { added, removed, count } of changes) {
    if (added) continue;
    if (!removed) {
      shared += count;
      if (count > passage.to - passage.from) passage = { from: at, to: at + count };
    }
    at += count;
  }
  return { ratio: 2 * shared / total, passage };
}

function wordCounts(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Returns the size of the multiset intersection of two texts' words. */
function commonCount(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  // `forEach` avoids an array for each word.
  a.forEach((count, word) => common += Math.min(count, b.get(word) ?? 0));
  return common;
}

function objectionTo(
  { message, words }: IndexedTurn,
  { ratio, passage }: Likeness,
  isOwn: boolean,
): Objection {
  const quote = oneLine(textOf(message.body, words.slice(passage.from, passage.to)), 160);
  const percent = Math.floor(ratio * 100);
  return {
    reason: `The reply repeats what ${
      isOwn ? "you said" : "was said"
    } in message ${message.seq} (${percent} % the same): "${quote}" Say something new, or say it in the light of what was answered.`,
    mark: "repeated",
  };
}

function textOf(body: string, words: readonly TextWord[]): string {
  return body.slice(words[0]?.start, words.at(-1)?.end);
}

/** An indexed message. */
interface IndexedTurn {
  /** Message of the transcript. */
  readonly message: Message;
  /** Words of the body. */
  readonly words: readonly TextWord[];
}

/** Postings list of a run of words. */
interface Posting {
  /** Number of turns with the run, including those dropped from `latest`. */
  count: number;
  /** Positions of the latest turns with the run, oldest first. */
  readonly latest: number[];
}

/** The most earlier turns that an attempt is compared with. */
export const MAX_CANDIDATES = 4;
/** Words in a run; a shorter text is a single run. */
const RUN = 3;
/** The most runs that represent a text: those with the smallest hashes (min-hash), so that equal texts have equal runs. */
const MAX_RUNS = 64;
/** The most positions kept per run: a run in more turns is a stock phrase. */
const MAX_POSTINGS = 8;

/** Inverted index that finds earlier turns similar to a text; each message is indexed once. */
class TurnIndex {
  readonly #turns: IndexedTurn[] = [];
  readonly #postings = new Map<number, Posting>();

  /** True if a transcript begins with the indexed transcript. */
  continues(transcript: readonly Message[]): boolean {
    const last = Math.min(this.#turns.length, transcript.length) - 1;
    return last < 0 || this.#turns[last]!.message === transcript[last];
  }

  /** Indexes the messages added since the last call. */
  read(transcript: readonly Message[]): void {
    while (this.#turns.length < transcript.length) {
      this.#add(transcript[this.#turns.length]!);
    }
  }

  /** Returns the turns among the first `length` messages that share the most runs with a text; rare runs weigh more. */
  candidates(words: readonly TextWord[], length: number): readonly IndexedTurn[] {
    const votes = new Map<number, number>();
    for (const run of runsOf(words)) {
      const posting = this.#postings.get(run);
      for (const position of posting?.latest ?? []) {
        if (position < length) {
          votes.set(position, (votes.get(position) ?? 0) + 1 / posting!.count);
        }
      }
    }
    return [...votes]
      .sort(([a, votesA], [b, votesB]) => votesB - votesA || b - a)
      .slice(0, MAX_CANDIDATES)
      .map(([position]) => this.#turns[position]!);
  }

  #add(message: Message): void {
    const words = textWords(message.body);
    const position = this.#turns.push({ message, words }) - 1;
    for (const run of runsOf(words)) {
      const posting = this.#postings.get(run) ?? { count: 0, latest: [] };
      posting.count++;
      posting.latest.push(position);
      if (posting.latest.length > MAX_POSTINGS) posting.latest.shift();
      this.#postings.set(run, posting);
    }
  }
}

/** Returns the smallest hashes of a text's runs, memoized by the words, which an attempt shares with its message. */
const runsOf = memoByObject((words: readonly TextWord[]): Uint32Array => {
  const each = words.map(({ word }) => hashOf(word));
  const hashes = new Set<number>();
  for (let start = 0; start < Math.max(Math.min(1, each.length), each.length - RUN + 1); start++) {
    let hash = START;
    for (let at = start; at < Math.min(start + RUN, each.length); at++) {
      hash = Math.imul(hash ^ each[at]!, PRIME);
    }
    hashes.add(hash >>> 0);
  }
  return new Uint32Array(hashes).sort().slice(0, MAX_RUNS);
});

const START = 0x811c9dc5;
const PRIME = 0x01000193;

/** 32-bit FNV-1a hash; a collision only adds a candidate. */
function hashOf(text: string): number {
  let hash = START;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  }
  return hash >>> 0;
}
