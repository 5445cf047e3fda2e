// Options of a paper debate and their defaults.
import { standardsOf } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { CommonConfig, PaperDebateConfig } from "../../config/convening_config.ts";
import type { Retriever } from "../../core/retriever.ts";
import type { PaperCharacters } from "../text/excerpt.ts";
import type { Participant } from "../../core/participant.ts";
import type { DebateJudge } from "../../debate/debate_options.ts";
import type { WorkflowOptions } from "../../engine/workflow_options.ts";

/** The keys of a paper debate's own rules, as in the configuration. */
export type PaperDebateKeys =
  | "topic"
  | Exclude<
    keyof PaperDebateConfig,
    keyof CommonConfig | "kind" | "papers" | "title" | "judges" | "rubric" | "retrieval"
  >;

/** Options of a paper debate. Defaults: see `PAPER_DEBATE_DEFAULTS`. */
export interface PaperDebateOptions
  extends WorkflowOptions, Readonly<Pick<PaperDebateConfig, PaperDebateKeys | "rubric">> {
  /** The debaters, and the questioner and the reporter where they are not to be the usual ones. @default as many debaters as postures */
  readonly participants?: readonly Participant[] | undefined;
  /** Judges. @default one judge with the convening's model */
  readonly judges?: readonly DebateJudge[] | undefined;
  /** Retrieval of passages: by words, by meaning, by both, or by an instance. @default "keyword" */
  readonly retrieval?: PaperDebateConfig["retrieval"] | Retriever;
  /** Postures and topics that were settled before; without them they are taken from the papers. */
  readonly given?:
    | { readonly postures: readonly string[]; readonly topics: readonly string[] }
    | undefined;
}

/** The defaults of a paper debate (context-network/rules/paper_debate.md). */
export const PAPER_DEBATE_DEFAULTS:
  & {
    readonly [
      K in
        | Exclude<PaperDebateKeys, "topic" | "question" | "paperCharacters" | "embeddingModel">
        | "retrieval"
        | "temperature"
        | "maxPromptTokens"
    ]: NonNullable<PaperDebateConfig[K]>;
  }
  & { readonly paperCharacters: PaperCharacters } = standardsOf(SETTINGS, "paper-debate") as never;

/** At least and at most this many postures. */
export const POSTURE_COUNT = { min: 2, max: 8 } as const;
