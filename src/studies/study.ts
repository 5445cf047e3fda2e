// The configuration of a study, its cells, and the results of each convening.
import type { JudgeConfig } from "../config/convening_config.ts";
import type { Usage } from "../core/message.ts";
import type { JudgeVote } from "../core/outcome.ts";
import type { ParticipantConfig } from "../core/participant.ts";

/** A topic of a study. */
export interface StudyTopic {
  /** Small letters, digits and `-`; unique in the study. */
  readonly id: string;
  /** The topic of the convenings. */
  readonly topic: string;
}

/** A contestant: the settings of the participant that takes one side. */
export interface Contestant extends Omit<Partial<ParticipantConfig>, "id" | "name" | "position"> {
  /** Small letters, digits and `-`; unique in the study. */
  readonly id: string;
}

/** Requests and tokens that a provider may be sent in a minute, over all workers of a study. */
export interface ProviderRate {
  /** Requests. @default no limit */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens of prompts and caps together. @default no limit */
  readonly tokensPerMinute?: number | undefined;
}

/** A study: every convening that a plan is made of, and the limits of its runs. */
export interface StudyConfig {
  /** Small letters, digits and `-`: the name of the study's folder. */
  readonly study: string;
  /** The configuration that all convenings share, of any kind; without a topic. */
  readonly base: Readonly<Record<string, unknown>> & { readonly kind: string };
  /** Topics, or a file of JSON lines with `id` and `topic`. @default none: papers give the topics */
  readonly topics?: readonly StudyTopic[] | { readonly file: string } | undefined;
  /** Of a study of paper debates: the papers' files. @default those of `base` */
  readonly papers?: readonly string[] | undefined;
  /** Of a study of paper debates: the number of the best questions of each paper that are debated. @default 1 */
  readonly questions?: number | undefined;
  /** Contestants, of kinds with sides. @default none: cells are topics, formats and seeds */
  readonly contestants?: readonly Contestant[] | undefined;
  /** Pairs of contestants. @default "all" */
  readonly pairs?:
    | "all"
    | readonly (readonly [string, string])[]
    | { readonly against: string }
    | { readonly sample: number }
    | undefined;
  /** `both`: each pair is held twice, with the seats exchanged. @default "both" */
  readonly sides?: "both" | "as-given" | undefined;
  /** Debate formats by name, or configurations over the base by a name of their own. @default the base alone */
  readonly formats?:
    | readonly string[]
    | Readonly<Record<string, Readonly<Record<string, unknown>>>>
    | undefined;
  /** Number of repeats of each pair, topic and format, each of another seed, or the seeds. @default 1 */
  readonly seeds?: number | readonly number[] | undefined;
  /** The seed of the study, of which those of the convenings follow. @default 1 */
  readonly seed?: number | undefined;
  /** Judges of every convening. @default those of `base` */
  readonly judges?: readonly JudgeConfig[] | undefined;
  /** True if no judge sits over a side of its own model. @default true */
  readonly excludeOwn?: boolean | undefined;
  /** Limits of the whole study. @default none */
  readonly limits?: StudyLimitSettings | undefined;
  /** Convenings at once, per worker. @default 4 */
  readonly concurrency?: number | undefined;
  /** Rates by provider, as models name it (`openai`, `ollama`) or by host. @default none */
  readonly rates?: Readonly<Record<string, ProviderRate>> | undefined;
  /** Options of the ratings. */
  readonly ratings?: RatingSettings | undefined;
  /** SPDX name of the licence that exports are given under. @default none, and `export --for-release` is refused */
  readonly license?: string | undefined;
}

/** Limits of a study. */
export interface StudyLimitSettings {
  /** US dollars of all convenings together; reserved before each call and never exceeded. @default no limit */
  readonly maxCost?: number | undefined;
  /** Convenings. @default no limit */
  readonly maxDebates?: number | undefined;
  /** Share of failed convenings, of those that ended, from which the study stops. @default 0.1 */
  readonly maxFailures?: number | undefined;
}

/** Options of a study's ratings. */
export interface RatingSettings {
  /** Ties as a third outcome, or as half a win each. @default "davidson" */
  readonly ties?: "davidson" | "half" | undefined;
  /** True if the advantage of the first seat is estimated. @default true */
  readonly side?: boolean | undefined;
  /** Covariates. @default ["length"] */
  readonly covariates?: readonly "length"[] | undefined;
  /** Precision of the prior on every strength. @default 0, or 0.01 where the data need a prior */
  readonly ridge?: number | undefined;
  /** Number of bootstrap samples. @default 0: intervals are by cluster sandwich */
  readonly bootstrap?: number | undefined;
}

/** A convening of a study's plan. */
export interface Cell {
  /** The first 16 hexadecimal digits of a hash of the resolved configuration and the repeat: the folder's name. */
  readonly key: string;
  /** The topic's id; of a paper debate the paper's. */
  readonly topic: string;
  /** The contestant in the first seat, which speaks first; absent without contestants. */
  readonly first?: string;
  /** The contestant in the second seat. */
  readonly second?: string;
  /** Name of the format; `base` where the study names none. */
  readonly format: string;
  /** Number of the repeat, from 1; the same for both seatings of a pair. */
  readonly repeat: number;
  /** The convening's seed; the same for both seatings of a pair. */
  readonly seed: number;
  /** Of a paper debate: the place of the question among the paper's best, from 1. */
  readonly question?: number;
}

/** Convenings at once, where a study names no number. */
export const CONCURRENCY = 4;

/** Unit of resampling: both seatings and all repeats of a pair on a topic. */
export function clusterOf({ topic, first = "", second = "" }: Cell): string {
  return [topic, ...[first, second].sort()].join(" ");
}

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

export interface SideResult {
  /** The contestant's id; of a side that is no contestant, the participant's. */
  readonly contestant: string;
  /** The id of the participant in the record. */
  readonly participant: string;
  /** The name of the model that served. */
  readonly model: string;
  readonly turns: number;
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
  readonly usage: Usage;
  /** ISO 8601, UTC; absent where it is planned. */
  readonly startedAt?: string;
  readonly endedAt?: string;
}
