// Types of a study: configuration, cells, and the results of each convening.
import type { JudgeConfig } from "../config/convening_config.ts";
import type { Usage } from "../core/message.ts";
import type { JudgeVote } from "../core/outcome.ts";
import type { ParticipantConfig } from "../core/participant.ts";

/** A topic of a study. */
export interface StudyTopic {
  /** Lower-case letters, digits and `-`; unique in the study. */
  readonly id: string;
  /** Topic of the convenings. */
  readonly topic: string;
}

/** A contestant: settings of the participant that takes one side. */
export interface Contestant extends Omit<Partial<ParticipantConfig>, "id" | "name" | "position"> {
  /** Lower-case letters, digits and `-`; unique in the study. */
  readonly id: string;
}

/** Rate limits of a provider, over all workers of a study. */
export interface ProviderRate {
  /** Maximum requests per minute. @default no limit */
  readonly requestsPerMinute?: number | undefined;
  /** Maximum tokens per minute: prompts plus output caps. @default no limit */
  readonly tokensPerMinute?: number | undefined;
}

/** Configuration of a study: the convenings of its plan, and the limits of its runs. */
export interface StudyConfig {
  /** Name of the study and its folder: lower-case letters, digits and `-`. */
  readonly study: string;
  /** Configuration that all convenings share, of any kind; without a topic. */
  readonly base: Readonly<Record<string, unknown>> & { readonly kind: string };
  /** Topics, or a file of JSON lines with `id` and `topic`. @default none: in paper debates each paper is a topic */
  readonly topics?: readonly StudyTopic[] | { readonly file: string } | undefined;
  /** Files of the papers of a study of paper debates. @default those of `base` */
  readonly papers?: readonly string[] | undefined;
  /** Number of questions debated per paper, the best first; for paper debates. @default 1 */
  readonly questions?: number | undefined;
  /** Contestants, for kinds with sides. @default none: cells are topics, formats and seeds */
  readonly contestants?: readonly Contestant[] | undefined;
  /** Pairs of contestants. @default "all" */
  readonly pairs?:
    | "all"
    | readonly (readonly [string, string])[]
    | { readonly against: string }
    | { readonly sample: number }
    | undefined;
  /** Seatings of a pair; with `both` each pair meets twice, with exchanged seats. @default "both" */
  readonly sides?: "both" | "as-given" | undefined;
  /** Names of debate formats, or named configurations that override the base. @default the base alone */
  readonly formats?:
    | readonly string[]
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
  /** Number of repeats of each pair, topic and format, each with a different seed; or a list of seeds. @default 1 */
  readonly seeds?: number | readonly number[] | undefined;
  /** Seed of the study, from which the seeds of convenings are derived. @default 1 */
  readonly seed?: number | undefined;
  /** Judges of every convening. @default those of `base` */
  readonly judges?: readonly JudgeConfig[] | undefined;
  /** True if a convening has no judge of a side's model. @default true */
  readonly excludeOwn?: boolean | undefined;
  /** Limits of the whole study. @default none */
  readonly limits?: StudyLimitSettings | undefined;
  /** Concurrent convenings per worker. @default 4 */
  readonly concurrency?: number | undefined;
  /** Rate limits by provider name (`openai`, `ollama`) or host. @default none */
  readonly rates?: Readonly<Record<string, ProviderRate>> | undefined;
  /** Options of the ratings. */
  readonly ratings?: RatingSettings | undefined;
  /** SPDX identifier of the licence of exports. @default none; `export --for-release` then fails */
  readonly license?: string | undefined;
}

/** Limits of a study. */
export interface StudyLimitSettings {
  /** Maximum cost of all convenings in US dollars; reserved before each call and never exceeded. @default no limit */
  readonly maxCost?: number | undefined;
  /** Maximum number of convenings. @default no limit */
  readonly maxDebates?: number | undefined;
  /** Share of failures among ended convenings at which the study stops, 0 to 1. @default 0.1 */
  readonly maxFailures?: number | undefined;
}

/** Options of a study's ratings. */
export interface RatingSettings {
  /** Ties as a third outcome (`davidson`), or as half a win each. @default "davidson" */
  readonly ties?: "davidson" | "half" | undefined;
  /** True if the advantage of the first seat is estimated. @default true */
  readonly side?: boolean | undefined;
  /** Covariates of the model. @default ["length"] */
  readonly covariates?: readonly "length"[] | undefined;
  /** Precision of the prior on every strength. @default 0; 0.01 if results do not connect all contestants */
  readonly ridge?: number | undefined;
  /** Number of bootstrap samples. @default 0: intervals come from the cluster sandwich */
  readonly bootstrap?: number | undefined;
}

/** A convening of a study's plan. */
export interface Cell {
  /** First 16 hexadecimal digits of a hash of the resolved configuration and the repeat; name of the record's folder. */
  readonly key: string;
  /** Id of the topic; in a paper debate of the paper. */
  readonly topic: string;
  /** Contestant in the first seat, which speaks first; absent without contestants. */
  readonly first?: string;
  /** Contestant in the second seat. */
  readonly second?: string;
  /** Name of the format; `base` if the study has no formats. */
  readonly format: string;
  /** Number of the repeat, counted from 1; the same for both seatings of a pair. */
  readonly repeat: number;
  /** Seed of the convening; the same for both seatings of a pair. */
  readonly seed: number;
  /** Rank of the question among the paper's best, counted from 1; in paper debates only. */
  readonly question?: number;
}

/** Default number of concurrent convenings. */
export const CONCURRENCY = 4;

/** Returns the id of a cell's resampling unit: both seatings and all repeats of a pair on a topic. */
export function clusterOf({ topic, first = "", second = "" }: Cell): string {
  return [topic, ...[first, second].sort()].join(" ");
}

/** States of a cell: `planned` without a record, else the status of the record. */
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

export type CellStatus = typeof CELL_STATUSES[number];

/** A judge's vote, with contestants instead of participants. */
export interface StudyVote extends Omit<JudgeVote, "winner"> {
  /** Contestant that every verdict names; null for a tie. */
  readonly winner: string | null;
  /** Verdicts with the contestant shown first and the winner: null for a tie, undefined if unreadable. */
  readonly verdicts: readonly {
    readonly shownFirst: string;
    readonly winner: string | null | undefined;
    readonly pass?: number;
  }[];
}

export interface SideResult {
  /** Contestant id; the participant id of a side that is no contestant. */
  readonly contestant: string;
  /** Participant id in the record. */
  readonly participant: string;
  /** Model of the last turn. */
  readonly model: string;
  readonly turns: number;
  readonly words: number;
  /** Mean total over the judges; absent without scores. */
  readonly total?: number;
  /** Total by judge id, as a share of the scale of the judge's rubric. */
  readonly totals: Readonly<Record<string, number>>;
}

/** Results of a study's convening, read from its record. */
export interface StudyDebate {
  readonly cell: Cell;
  /** Absolute path of the record; does not exist while the status is `planned`. */
  readonly dir: string;
  readonly status: CellStatus;
  /** Error code of a failed convening; `record_corrupt` for an unreadable record. */
  readonly code?: string;
  /** Topic, or the question of a paper debate; absent while planned. */
  readonly question?: string;
  /** Contestant that won; null for a tie or an undecided outcome. Absent until the convening ends with an outcome. */
  readonly winner?: string | null;
  /** Sides in the order of the seats, then sides that are no contestants in the order of their first turns. */
  readonly sides: readonly SideResult[];
  readonly votes: readonly StudyVote[];
  /** Numbers of proposals that a completed consensus dialogue agreed on and left open. */
  readonly proposals?: { readonly agreed: number; readonly open: number };
  readonly usage: Usage;
  /** ISO 8601, UTC; absent while planned. */
  readonly startedAt?: string;
  readonly endedAt?: string;
}

/** Status of a study. */
export interface StudyStatus {
  /** Id of the study. */
  readonly study: string;
  /** Absolute path of the study's folder. */
  readonly dir: string;
  /** Number of convenings of the plan. */
  readonly planned: number;
  /** Number of ended convenings, without failed ones. */
  readonly done: number;
  /** Number of failed convenings. */
  readonly failed: number;
  /** Number of convenings in progress. */
  readonly running: number;
  /** Number of failed convenings by error code. */
  readonly codes: Readonly<Record<string, number>>;
  /** True while a process runs the study, or workers have it in their queue. */
  readonly isRunning: boolean;
  /** True if the workers of a queue have convenings of the study; absent otherwise, and in the progress of a run. */
  readonly isQueued?: true | undefined;
  /** Numbers of running convenings by process, such as `process 4711 on alpha`; absent without any, and in the progress of a run. */
  readonly processes?: Readonly<Record<string, number>> | undefined;
  /** True if the budget stopped a convening. */
  readonly isSpent: boolean;
  /** True if more convenings failed than `limits.maxFailures` allows, so that a run stopped; absent otherwise. */
  readonly hasFailed?: true;
  /** Total cost in US dollars; unknown costs count 0. */
  readonly costUsd: number;
  /** Budget in US dollars; absent without a budget. */
  readonly maxCost?: number;
  /** Recent convenings per minute; absent if the study is not running or fewer than two convenings have ended. */
  readonly perMinute?: number;
  /** Estimated minutes until all convenings have ended; absent like `perMinute`. */
  readonly minutesLeft?: number;
}

/** Forecast of a study. */
export interface StudyForecast {
  /** Id of the study. */
  readonly study: string;
  /** Absolute path of the folder that a run creates or resumes. */
  readonly dir: string;
  /** Number of convenings. */
  readonly planned: number;
  /** Number of requests to agents, without retries and repairs. */
  readonly calls: number;
  /** Maximum tokens of prompts and replies. */
  readonly maxTokens: number;
  /** Maximum cost of those tokens in US dollars, or the study's budget if lower; "unknown" if a price is missing. */
  readonly maxCost: number | "unknown";
  /** Number of calls by model. */
  readonly models: Readonly<Record<string, number>>;
  /**
   * Half the width of the widest 95 % interval of a rating, in points, if contestants are equal and a fifth of the debates tie;
   * absent without contestants, and if the pairs or the number of debates give no rating.
   */
  readonly interval?: number;
  /** Keys of `rates` that apply to no model of the study. */
  readonly unusedRates: readonly string[];
}

/** A table of an export: convenings as JSON lines or Parquet, judgements, preferences, or chats for fine-tuning. */
export type ExportFormat = "jsonl" | "parquet" | "judgements" | "preferences" | "sft";

/** Contents that an export omits unless allowed. */
export type AllowedContent = "sources" | "papers" | "people";

/** Contents omitted from a table. */
export interface LeftOut {
  /** File name of the table. */
  readonly file: string;
  /** Reason, as part of a sentence. */
  readonly why: string;
  /** Number of rows, turns or texts. */
  readonly count: number;
}
