// An index of turns that finds runs of words.
import type { Message } from "../../core/message.ts";
import { onceEach } from "../../core/once_each.ts";
import { type TextWord, textWords } from "../../core/text_words.ts";

/** An indexed message. */
export interface IndexedTurn {
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
export class TurnIndex {
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
