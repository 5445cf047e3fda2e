import type { Guard, Objection } from "../guard.ts";
import { type Message, oneLine } from "../message.ts";
import { type ActiveGuardMode, checkThreshold, inMode, isContribution } from "./guard_mode.ts";
import { type TextWord, textWords } from "./text_words.ts";
import { type IndexedTurn, TurnIndex } from "./turn_index.ts";

/** From this similarity on a turn repeats an earlier one (protocols.md, "Rules of every convening"). */
export const REPETITION_THRESHOLD = 0.95;

/** How alike two texts are. */
export interface Likeness {
  /** From 0, nothing in common, to 1, the same. */
  readonly ratio: number;
  /** The longest run of words that both have, as positions of words in the earlier one, `to` exclusive. */
  readonly passage: { readonly from: number; readonly to: number };
}

/** How a repetition guard judges. */
export interface RepetitionOptions {
  /** Similarity from which an attempt is a repetition, 0 to 1. @default 0.95 */
  readonly threshold?: number | undefined;
  /** Whether the attempt is turned down or only marked. @default "reject" */
  readonly mode?: ActiveGuardMode | undefined;
  /** Compares the words of an earlier turn and an attempt; may answer undefined below `atLeast`. @default {@linkcode likenessOf} */
  readonly compare?: typeof likenessOf | undefined;
}

/**
 * Refuses an attempt that is nearly the same as an earlier turn of the same participant, and names the passage. Compares
 * with a few likely turns, so a turn costs the same however long the debate is; one guard may serve several runs.
 */
export function repetitionGuard(
  { threshold = REPETITION_THRESHOLD, mode = "reject", compare = likenessOf }: RepetitionOptions =
    {},
): Guard {
  checkThreshold(threshold, "repetition");
  const indexes = new WeakMap<Message, TurnIndex>();
  return {
    name: "repetition",
    async check({ turn, body, transcript }) {
      const first = transcript[0];
      if (first === undefined || !isContribution(turn)) return undefined;
      let index = indexes.get(first);
      if (index?.continues(transcript) !== true) indexes.set(first, index = new TurnIndex());
      index.read(transcript);
      const words = textWords(body);
      const likely = index.candidates(words, {
        participant: turn.speaker,
        length: transcript.length,
      });
      const said = words.map(({ word }) => word);
      for (const earlier of likely) {
        const likeness = await compare(earlier.words.map(({ word }) => word), said, threshold);
        if (likeness !== undefined && likeness.ratio >= threshold) {
          return inMode(mode, repeats(earlier, likeness));
        }
      }
      return undefined;
    },
  };
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
  if (2 * inCommon(earlier, attempt) < atLeast * total - 1e-9) return undefined;
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

/** How many words two texts have in common, each as often as in both. */
function inCommon(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    common++;
  }
  return common;
}

function repeats({ message, words }: IndexedTurn, { ratio, passage }: Likeness): Objection {
  const quote = oneLine(textOf(message.body, words.slice(passage.from, passage.to)), 160);
  const percent = Math.floor(ratio * 100);
  return {
    reason:
      `The reply repeats what you said in message ${message.seq} (${percent} % the same): "${quote}" Say something new, or say it in the light of what was answered.`,
    mark: "repeated",
  };
}

function textOf(body: string, words: readonly TextWord[]): string {
  return body.slice(words[0]?.start, words.at(-1)?.end);
}
