// The guard against repetition.
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
import { memo, memoByObject, tally } from "../core/values.ts";
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
/** The most earlier turns that an attempt is compared with. */
const MAX_CANDIDATES = 4;
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
 * the whole attempt. Each attempt is compared with the four turns that share the most words with it. One guard can serve several runs.
 */
export function repetitionGuard(options: RepetitionOptions = {}): Guard {
  const { threshold = REPETITION_THRESHOLD, mode = "reject", compare = likenessOf } = checkFields(
    options,
    OPTIONS,
    "repetition guard",
  );
  // Share of the earlier turn's words that a similarity of `threshold` requires. Another `compare` may count synonyms.
  const leastInCommon = compare === likenessOf ? threshold / (2 - threshold) : 0;
  return {
    name: "repetition",
    async check({ turn, body, transcript }) {
      if (!isContribution(turn)) return undefined;
      const own = new Speech(body);
      const answered = transcript.find(({ seq, participant }) =>
        seq === turn.replyTo && participant !== turn.speaker
      );
      let restated: ReadonlySet<Sentence> | undefined;
      for (const message of candidatesFor(own, transcript, leastInCommon)) {
        const earlier = speechOf(message);
        const again = matchingSentences(earlier.sentences(), own.sentences());
        const isOwn = message.participant === turn.speaker;
        if (wordsIn(again) < (isOwn ? 1 : LEAST_OF_OTHERS)) continue;
        const isWhole = wordsIn(again) >= threshold * own.words.length;
        restated ??= new Set(
          answered && matchingSentences(speechOf(answered).sentences(), own.sentences()),
        );
        const isNew = (each: Sentence) => restated?.has(each) === false;
        const share = wordsIn(again.filter(isNew)) / wordsIn(own.sentences().filter(isNew));
        // `share` is NaN if the attempt has only sentences of the answered turn.
        if (!isWhole && (message === answered || !(share >= LEAST_SHARE))) continue;
        const likeness = await compare(
          textOfWords(earlier.words),
          textOfWords(again.flat()),
          threshold,
        );
        if (likeness !== undefined && likeness.ratio >= threshold) {
          return inMode(mode, objectionTo(message, likeness, isOwn));
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

const speechOf = memoByObject(({ body }: Pick<Message, "body">) => new Speech(body));

/**
 * Returns the turns that share the most words with a speech, at most {@linkcode MAX_CANDIDATES}, of equals the latest first. Each has at
 * least a share of its words in common with the speech.
 */
function candidatesFor(
  speech: Speech,
  transcript: readonly Message[],
  least: number,
): Message[] {
  return transcript.filter(({ kind }) => !CHAIR_KINDS.has(kind)).flatMap((message) => {
    const { words, counts } = speechOf(message);
    const missing = missingCount(counts, speech.counts, (1 - least) * words.length + 1e-9);
    return missing === undefined ? [] : [{ message, common: words.length - missing }];
  }).sort((a, b) => b.common - a.common || b.message.seq - a.message.seq)
    .slice(0, MAX_CANDIDATES).map(({ message }) => message);
}

/** Returns the number of a text's words that another text lacks; undefined if it is over `most`. */
function missingCount(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
  most: number,
): number | undefined {
  let missing = 0;
  for (const [word, count] of a) {
    missing += Math.max(0, count - (b.get(word) ?? 0));
    if (missing > most) return undefined;
  }
  return missing;
}

/** A text without marked quotations, with its words, their counts and its sentences. */
class Speech {
  readonly words: readonly TextWord[];
  readonly counts: ReadonlyMap<string, number>;
  /** Splits the text into sentences. */
  readonly sentences: () => readonly Sentence[];

  constructor(text: string) {
    let own = text.replace(/^ {0,3}>.*$/gmu, (line) => " ".repeat(line.length));
    for (const { text: quoted } of quotedPassages(own)) {
      own = own.replace(quoted, () => " ".repeat(quoted.length));
    }
    this.words = textWords(own);
    this.counts = tally(textOfWords(this.words));
    this.sentences = memo(() => {
      const starts = sentenceStarts(own);
      if (starts.length > MAX_SENTENCES) return [this.words];
      const sentenceOf = ({ start }: TextWord) => starts.findLastIndex((each) => each <= start);
      return [...Map.groupBy(this.words, sentenceOf).values()];
    });
  }
}

const countsOf = memoByObject((sentence: Sentence) => tally(textOfWords(sentence)));

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
  if (2 * commonCount(tally(earlier), tally(attempt)) < atLeast * total - 1e-9) {
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

/** Returns the size of the multiset intersection of two texts' words. */
function commonCount(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  // `forEach` avoids an array for each word.
  a.forEach((count, word) => common += Math.min(count, b.get(word) ?? 0));
  return common;
}

function objectionTo(message: Message, { ratio, passage }: Likeness, isOwn: boolean): Objection {
  const words = speechOf(message).words.slice(passage.from, passage.to);
  const quote = oneLine(message.body.slice(words[0]?.start, words.at(-1)?.end), 160);
  const percent = Math.floor(ratio * 100);
  return {
    reason: `The reply repeats what ${
      isOwn ? "you said" : "was said"
    } in turn ${message.seq} (${percent} % the same): "${quote}". Say something new, or say it in the light of what was answered.`,
    mark: "repeated",
  };
}
