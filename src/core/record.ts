import type { ConveningStart } from "./convening_start.ts";
import type { ConveningEvent } from "./event.ts";
import type { Fact, Status } from "./fact.ts";

export type { ConveningStart, Parent, ParticipantInfo, Source } from "./convening_start.ts";

/** What somebody outside the run left for it: a person's turn, an interjection, the wish to pause. */
export type Submission =
  & { /** Unique among what was left. */ readonly id: string }
  & (
    | {
      readonly type: "say";
      /** The id of the participant whose turn it is. */
      readonly participant: string;
      /** The key of the turn it is for; left for another turn, it is stale. @default the next of the participant */
      readonly turn?: string | undefined;
      /** What is said, in markdown. */
      readonly text: string;
    }
    | { readonly type: "interjection"; readonly text: string }
    | { readonly type: "pause" }
  );

/** Where other processes leave what they want of a run. */
export interface Inbox {
  /** What was left and not taken out, oldest first. */
  read(): Promise<readonly Submission[]>;
  /** Takes one out, once what it asked for is on record. */
  done(id: string): Promise<void>;
}

/** An answer that is part of something which is not on record yet. */
export interface KeptAnswer {
  /** What it is part of: the key of a turn, a question or a summary. */
  readonly of: string;
  /** Tells it from the others; one of the same id takes its place. */
  readonly id: string;
  /** JSON; what was read may be anything. */
  readonly value: unknown;
}

/** Where answers are kept as long as what they are part of waits for more than they say. */
export interface AnswerShelf {
  /** What is kept. */
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

/** Where vectors of texts are kept as long as the record. */
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
  /** How the convening started: of a resumed record, as it was then. */
  readonly start: ConveningStart;
  /** Whether it already held a convening when it was opened. */
  readonly resumed: boolean;
  /** Where it stood when it was opened. */
  readonly status: Status;
  /** What it held when it was opened; messages by number, the rest in the order of their files. */
  readonly facts: readonly Fact[];
  /** The number of the last event it held. */
  readonly lastEvent: number;
  /** The latest time on record, in ISO 8601: no later event is given an earlier one. @default that of the start */
  readonly lastTime?: string | undefined;
  /** What other processes left for the run; absent where none can. */
  readonly inbox?: Inbox;
  /** Where answers are kept that no fact carries yet; absent where they end with the process. */
  readonly answers?: AnswerShelf;
  /** Where vectors of texts are kept; absent where they end with the process. */
  readonly vectors?: VectorShelf;
  /** Applies one numbered event; when this returns, the truth file it stands for is on disk. */
  apply(event: ConveningEvent): Promise<void>;
  /** Brings the derived files up to date and lets go of the record. */
  close(): Promise<void>;
}

/** Where a convening is kept: a new directory in an archive, one to resume, or memory. */
export interface RecordStore {
  /** Claims a new record for `start`, or opens the store's own and ignores `start` but for the check that the kinds agree. */
  open(start: ConveningStart): Promise<OpenRecord>;
}
