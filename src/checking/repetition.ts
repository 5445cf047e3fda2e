// The guard against repetition, with an index of turns that finds runs of words.
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
import { onceEach } from "../core/values.ts";
import { quotedPassages } from "../core/quotations.ts";
import { sentenceStarts, type TextWord, textWords } from "../core/words.ts";

/** From this similarity on a turn repeats an earlier one (context-network/rules/every_convening.md). */
export const REPETITION_THRESHOLD = 0.95;

/** Words of others are repeated from this many on: short agreement is none. */
const LEAST_OF_OTHERS = 12;
/** The least share of an attempt that is said again. */
const LEAST_SHARE = 0.5;
/** From this share of common words on, two sentences are taken for the same one. */
const SAME_SENTENCE = 0.6;
/** A text of more sentences is compared as one. */
const MAX_SENTENCES = 200;

/** The likeness of two texts. */
export interface Likeness {
  /** From 0, nothing in common, to 1, the same. */
  readonly ratio: number;
  /** The longest run of words that both have, as positions of words in the earlier one, `to` exclusive. */
  readonly passage: { readonly from: number; readonly to: number };
}

/** The settings of a repetition guard. */
export interface RepetitionOptions {
  /** Similarity from which an attempt is a repetition, 0 to 1. @default 0.95 */
  readonly threshold?: number | undefined;
  /** Mode: the attempt is rejected, or marked. @default "reject" */
  readonly mode?: ActiveGuardMode | undefined;
  /** Compares the words of an earlier turn and an attempt; may answer undefined below `atLeast`. @default {@linkcode likenessOf} */
  readonly compare?: typeof likenessOf | undefined;
}

const OPTIONS = z.strictObject({
  threshold: share.optional(),
  mode: activeMode,
  compare: callable.optional(),
});

/**
 * Refuses an attempt of which half or more is nearly the same as an earlier turn of any participant, in whatever order of
 * the sentences, and names the passage. Marked quotations do not count, nor do the words of the turn that the attempt
 * answers, unless they are all of it. Compares with a few likely turns, so a turn costs the same however long the debate
 * is; one guard may serve several runs.
 */
export function repetitionGuard(options: RepetitionOptions = {}): Guard {
  const { threshold = REPETITION_THRESHOLD, mode = "reject", compare = likenessOf } = checkFields(
    options,
    OPTIONS,
    "repetition guard",
  );
  const indexes = new WeakMap<Message, TurnIndex>();
  // As much of an earlier turn is in an attempt that is as like it as that; another comparison may know words of one sense.
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
        const common = inCommon(earlier.counts, own.counts);
        if (common < leastInCommon * earlier.words.length - 1e-9) continue;
        const again = matched(earlier.sentences, own.sentences);
        const isOwn = message.participant === turn.speaker;
        if (wordsIn(again) < (isOwn ? 1 : LEAST_OF_OTHERS)) continue;
        const isWhole = wordsIn(again) >= threshold * own.words.length;
        restated ??= new Set(answered && matched(speechOf(answered.body).sentences, own.sentences));
        const isNew = (each: Sentence) => restated?.has(each) === false;
        const share = wordsIn(again.filter(isNew)) / wordsIn(own.sentences.filter(isNew));
        // Of nothing but what is answered there is no share.
        if (!isWhole && (message === answered || !(share >= LEAST_SHARE))) continue;
        const likeness = await compare(
          textOfWords(earlier.words),
          textOfWords(again.flat()),
          threshold,
        );
        if (likeness !== undefined && likeness.ratio >= threshold) {
          return inMode(mode, repeats({ message, words: earlier.words }, likeness, isOwn));
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

/** A text's speech, kept as long as its words: an attempt and the message that it becomes have one. */
function speechOf(text: string, words: readonly TextWord[] = textWords(text)): Speech {
  let speech = speeches.get(words);
  if (speech === undefined) speeches.set(words, speech = new Speech(text));
  return speech;
}

/** A text without marked quotations: its words, how often each is said, and its sentences. */
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

  /** Parted when they are first asked for: few texts are compared so closely. */
  get sentences(): readonly Sentence[] {
    return this.#sentences ??= this.#parted();
  }

  #parted(): Sentence[] {
    const starts = sentenceStarts(this.#text);
    if (starts.length > MAX_SENTENCES) return [this.words];
    const sentenceOf = ({ start }: TextWord) => starts.findLastIndex((each) => each <= start);
    return [...Map.groupBy(this.words, sentenceOf).values()];
  }
}

const countsOf = onceEach((sentence: Sentence) => wordCounts(textOfWords(sentence)));

/** The sentences of an attempt that stand in an earlier text, in the order of that text. */
function matched(earlier: readonly Sentence[], attempt: readonly Sentence[]): Sentence[] {
  const left = new Set(attempt);
  return earlier.flatMap((sentence) => {
    let best: Sentence | undefined;
    let most = SAME_SENTENCE;
    for (const each of left) {
      const total = sentence.length + each.length;
      if (2 * Math.min(sentence.length, each.length) / total <= most) continue;
      const share = 2 * inCommon(countsOf(sentence), countsOf(each)) / total;
      if (share > most) [best, most] = [each, share];
    }
    if (best !== undefined) left.delete(best);
    return best === undefined ? [] : [best];
  });
}

/**
 * The words that two texts share in order, doubled, over all their words (the ratio of Python's `SequenceMatcher`, on
 * words); undefined where it is below `atLeast`.
 */
export async function likenessOf(
  earlier: readonly string[],
  attempt: readonly string[],
  atLeast: number,
): Promise<Likeness | undefined> {
  const total = earlier.length + attempt.length;
  // A difference of one part in 10^9 is what floating point makes of an exact threshold.
  const maxEditLength = Math.floor((1 - atLeast) * total + 1e-9);
  if (total === 0 || Math.abs(earlier.length - attempt.length) > maxEditLength) return undefined;
  // In any order they share at least as much as in theirs.
  if (2 * inCommon(wordCounts(earlier), wordCounts(attempt)) < atLeast * total - 1e-9) {
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

/** Number of words that two texts have in common, each as often as in both. */
function inCommon(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  // Without an array for each word.
  a.forEach((count, word) => common += Math.min(count, b.get(word) ?? 0));
  return common;
}

function repeats(
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
  /** As it stands in the transcript. */
  readonly message: Message;
  /** Of its body. */
  readonly words: readonly TextWord[];
}

/** Place of a run of words. */
interface Posting {
  /** In how many turns, those no longer listed included. */
  count: number;
  /** Positions of the latest turns, oldest first. */
  readonly latest: number[];
}

/** At most this many earlier turns are looked at closely, however long the debate is. */
export const MAX_CANDIDATES = 4;
/** Words in a run; a shorter text is one run. */
const RUN = 3;
/** At most this many runs stand for a text: those with the smallest hashes, so that equal texts have equal ones. */
const MAX_RUNS = 64;
/** A run that more turns have than this is a phrase of habit: only the latest are kept. */
const MAX_POSTINGS = 8;

/** Finds the earlier turns that are likely to be like a text; each message is read once. */
class TurnIndex {
  readonly #turns: IndexedTurn[] = [];
  readonly #postings = new Map<number, Posting>();

  /** True if a transcript is the indexed transcript, or a longer one that begins with it. */
  continues(transcript: readonly Message[]): boolean {
    const last = Math.min(this.#turns.length, transcript.length) - 1;
    return last < 0 || this.#turns[last]!.message === transcript[last];
  }

  /** Reads the messages that came since. */
  read(transcript: readonly Message[]): void {
    while (this.#turns.length < transcript.length) {
      this.#add(transcript[this.#turns.length]!);
    }
  }

  /** The turns among the first `length` messages that share the most, and the rarest, runs with a text. */
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

/** Hashes of the runs of words that stand for a text: an attempt has those of the message it becomes. */
const runsOf = onceEach((words: readonly TextWord[]): Uint32Array => {
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

/** FNV-1a, 32 bits: two runs with one hash cost a look at one turn more. */
function hashOf(text: string): number {
  let hash = START;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  }
  return hash >>> 0;
}
