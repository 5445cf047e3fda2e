// One convening of a study as reports and exports read it.
import type { JudgeVote } from "../core/outcome.ts";
import type { Usage } from "../core/message.ts";
import type { Cell } from "./study.ts";

/** Every state of a cell. */
export const CELL_STATUSES = [
  "planned",
  "running",
  "interrupted",
  "paused",
  "waiting",
  "completed",
  "stopped",
  "failed",
] as const;

/** State of a cell: not begun, or the status of its record. */
export type CellStatus = typeof CELL_STATUSES[number];

/** Vote of a judge; sides are contestants. */
export interface StudyVote extends Omit<JudgeVote, "winner"> {
  /** The contestant named in every verdict; null for a tie. */
  readonly winner: string | null;
  /** Each verdict: the contestant shown first, and the one named; null for a tie, undefined where it could not be read. */
  readonly verdicts: readonly {
    readonly shownFirst: string;
    readonly winner: string | null | undefined;
    readonly pass?: number;
  }[];
}

/** Results of one contestant in a convening. */
export interface SideResult {
  /** The contestant's id; of a side that is no contestant, the participant's. */
  readonly contestant: string;
  /** The id of the participant in the record. */
  readonly participant: string;
  /** The name of the model that served. */
  readonly model: string;
  /** Number of turns. */
  readonly turns: number;
  /** Words of all turns. */
  readonly words: number;
  /** Mean total by the judges; absent where nothing was scored. */
  readonly total?: number;
  /** Total by judge id. */
  readonly totals: Readonly<Record<string, number>>;
}

/** A convening of a study, read from its record. */
export interface StudyDebate {
  /** Its place in the plan. */
  readonly cell: Cell;
  /** Absolute path of the record, which is not there while it is `planned`. */
  readonly dir: string;
  readonly status: CellStatus;
  /** Code of the error, of one that failed; `record_corrupt` of a record that cannot be read. */
  readonly code?: string;
  /** The topic, or the question of a debate over papers; absent where it is planned. */
  readonly question?: string;
  /** The contestant that won; null for a tie or an undecided one. Absent until it ended with an outcome. */
  readonly winner?: string | null;
  /** The sides, the first seat first; those that are no contestants as they first spoke. */
  readonly sides: readonly SideResult[];
  readonly votes: readonly StudyVote[];
  /** Usage of the whole record. */
  readonly usage: Usage;
  /** ISO 8601, UTC; absent where it is planned. */
  readonly startedAt?: string;
  readonly endedAt?: string;
}
