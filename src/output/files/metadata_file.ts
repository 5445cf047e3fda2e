// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
import type { EndReason, Outcome, Status } from "../../core/fact.ts";
import type { Usage } from "../../core/message.ts";
import type { ConveningStart, ParticipantInfo } from "../../core/record.ts";
import type { Standing } from "../../core/scoring.ts";
import { type FrontMatter, writeFrontMatter } from "../frontmatter.ts";
import { markdownText } from "../markdown.ts";
import { common, jsonData, usageData } from "./renderer.ts";

/** How far a convening has come. */
export interface Progress {
  readonly status: Status;
  readonly endReason?: EndReason;
  readonly endedAt?: string;
  /** When it was resumed, oldest first. */
  readonly resumes: readonly string[];
}

/** What follows from the truth files: shown, never read back. */
export interface Results {
  readonly outcome?: Outcome;
  readonly winner: string | null;
  readonly scores: Readonly<Record<string, Standing>>;
  readonly unscored: readonly string[];
  /** The sum over all truth files. */
  readonly usage: Usage;
  readonly statistics: Statistics;
}

/** Counts over the truth files. */
export interface Statistics {
  readonly messages: number;
  readonly scores: number;
  readonly verdicts: number;
  readonly rejected: number;
  readonly failures: number;
  readonly lookups: number;
  /** The highest round. */
  readonly rounds: number;
}

/** What `metadata.md` holds that is truth. */
export interface Metadata {
  /** Without the texts of its sources. */
  readonly start: ConveningStart;
  readonly progress: Progress;
  /** The names of the files under `sources/`. */
  readonly sources: readonly string[];
  /** As last shown; what counts is what the truth files say. */
  readonly outcome?: Outcome;
  readonly winner?: string | null;
}

/** `metadata.md` as text. */
export function renderMetadata(
  start: ConveningStart,
  progress: Progress,
  results: Results,
): string {
  const data: FrontMatter = {
    ...common("metadata"),
    kind: start.kind,
    topic: start.topic,
    status: progress.status,
    end_reason: progress.endReason ?? null,
    outcome: results.outcome ?? null,
    winner: results.winner,
    scores: jsonData(results.scores),
    unscored: results.unscored,
    participants: start.participants.map(participantData),
    judges: start.judges.map(({ id, name, model, rubric }) => ({
      id,
      name,
      model,
      rubric,
    })),
    usage: usageData(results.usage),
    statistics: { ...results.statistics },
    seed: start.seed,
    started_at: start.startedAt,
    ended_at: progress.endedAt ?? null,
    resumes: progress.resumes,
    expected_messages: start.expectedMessages,
    sources: start.sources.map(({ name }) => name),
    parent: start.parent === undefined ? undefined : { ...start.parent },
    configuration: jsonData(start.configuration),
  };
  return writeFrontMatter(data, metadataBody(start, progress, results));
}

function participantData(participant: ParticipantInfo): FrontMatter {
  const { id, name, role, label, position, model } = participant;
  return { id, name, role, label, position, model };
}

function metadataBody(
  start: ConveningStart,
  { status }: Progress,
  { statistics }: Results,
): string {
  const names = start.participants.map((each) => markdownText(each.name, 80));
  return `# ${markdownText(start.topic, 200)}

A ${
    markdownText(start.kind, 80)
  }, ${status}: ${statistics.messages} messages, ${names.length} participants. The configuration, the participants and the numbers are in the
front matter above; what was said is listed in [index.md](index.md).
`;
}
