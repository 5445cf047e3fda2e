// The seam to records: facts, inbox, stores of answers and vectors.
import type { ConveningEvent, ConveningStart } from "./event.ts";
import type { Fact, Status } from "./fact.ts";

/** Submission from outside the run: a person's turn, an interjection, a request to pause. */
export type Submission =
  & { /** Unique among what was left. */ readonly id: string }
  & (
    | {
      readonly type: "say";
      /** The id of the participant whose turn it is. */
      readonly participant: string;
      /** The key of the turn it is for; left for another turn, it is stale. @default the next of the participant */
      readonly turn?: string | undefined;
      /** Text in markdown. */
      readonly text: string;
    }
    | { readonly type: "interjection"; readonly text: string }
    | { readonly type: "pause" }
  );

/** Inbox of a run for submissions of other processes. */
export interface Inbox {
  /** Submissions that are waiting, oldest first. */
  read(): Promise<readonly Submission[]>;
  /** Takes one out, once what it asked for is on record. */
  done(id: string): Promise<void>;
}

/** An answer that is part of something which is not on record yet. */
export interface KeptAnswer {
  /** Key of the turn, question or summary that the answer is part of. */
  readonly of: string;
  /** Tells it from the others; one of the same id takes its place. */
  readonly id: string;
  /** JSON; what was read may be anything. */
  readonly value: unknown;
}

/** Store of answers until their turn or question is on record. */
export interface AnswerShelf {
  /** Answers in the store. */
  read(): Promise<readonly KeptAnswer[]>;
  /** Keeps one; when this returns, a crash does not lose it. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Takes out what is part of `of`: that is on record. */
  drop(of: string): Promise<void>;
  /** Takes out everything: nothing is missing any more. */
  clear(): Promise<void>;
}

/** The vector of a text, under an id that names text and model. */
export interface KeptVector {
  /** The same for the same text and model. */
  readonly id: string;
  /** As the model made it, in 32 bits a number. */
  readonly vector: Float32Array;
}

/** Store of vectors of texts, kept with the record. */
export interface VectorShelf {
  /** The vectors that are kept; of one id, the last counts. */
  read(): AsyncIterable<KeptVector>;
  /** Keeps more of them. */
  add(vectors: readonly KeptVector[]): Promise<void>;
}

/** A record that is open for writing, by one process alone. */
export interface OpenRecord {
  /** The absolute path of the directory; absent for a record that is none. */
  readonly dir?: string;
  /** Start of the convening: of a resumed record, as it was then. */
  readonly start: ConveningStart;
  /** True if the record held a convening when it was opened. */
  readonly resumed: boolean;
  /** Status when the record was opened. */
  readonly status: Status;
  /** Facts when the record was opened; messages by number, the rest in the order of their files. */
  readonly facts: readonly Fact[];
  /** The number of the last event it held. */
  readonly lastEvent: number;
  /** The latest time on record, in ISO 8601: no later event is given an earlier one. @default that of the start */
  readonly lastTime?: string | undefined;
  /** Inbox for submissions of other processes; absent where there can be none. */
  readonly inbox?: Inbox;
  /** Store of answers that are in no fact yet; absent where answers end with the process. */
  readonly answers?: AnswerShelf;
  /** Store of vectors of texts; absent where vectors end with the process. */
  readonly vectors?: VectorShelf;
  /** Applies one numbered event; when this returns, the truth file it stands for is on disk. */
  apply(event: ConveningEvent): Promise<void>;
  /** Brings the derived files up to date and lets go of the record. */
  close(): Promise<void>;
}

/** Store of a convening: a new directory in an archive, a directory to resume, or memory. */
export interface RecordStore {
  /** Claims a new record for `start`, or opens the store's own and ignores `start` but for the check that the kinds agree. */
  open(start: ConveningStart): Promise<OpenRecord>;
}
