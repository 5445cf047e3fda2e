import type { ConveningStart } from "./convening_start.ts";
import type { ConveningEvent } from "./event.ts";
import type { Fact, Status } from "./fact.ts";

export type { ConveningStart, Parent, ParticipantInfo, Source } from "./convening_start.ts";

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
