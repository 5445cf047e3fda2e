// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
import type { Assessment } from "../../core/outcome.ts";
import type { WaitedFor } from "../../core/event.ts";
import type { EndReason, Outcome, Status } from "../../core/fact.ts";
import type { Usage } from "../../core/message.ts";
import { paperFile } from "../../core/paper.ts";
import type { ConveningStart, ParticipantInfo } from "../../core/record.ts";
import type { StatedPositions } from "../../judging/stated_positions.ts";
import { type FrontMatter, writeFrontMatter } from "../frontmatter.ts";
import { markdownText } from "../markdown.ts";
import { paperData, type PaperFindings } from "../paper_findings.ts";
import { assessmentData } from "./assessment_data.ts";
import { common, jsonData, type Layout, usageData } from "./renderer.ts";

/** How far a convening has come. */
export interface Progress {
  readonly status: Status;
  readonly endReason?: EndReason;
  readonly endedAt?: string;
  /** Whose turns it waits for, while it waits. */
  readonly waitingFor?: readonly WaitedFor[];
  /** What the protocol returned, of kinds that keep it. */
  readonly value?: unknown;
  /** When it was resumed, oldest first. */
  readonly resumes: readonly string[];
}

/** What follows from the truth files: shown, never read back. */
export interface Results extends Omit<Assessment, "outcome"> {
  readonly outcome?: Outcome;
  /** How files of messages are laid out. */
  readonly layout: Layout;
  /** The sum over all truth files. */
  readonly usage: Usage;
  readonly statistics: Statistics;
  /** The positions that the convening brought itself. @default none */
  readonly stated?: StatedPositions | undefined;
  /** What a debate over papers brought. */
  readonly paper?: PaperFindings | undefined;
}

/** Counts over the truth files. */
export interface Statistics {
  readonly messages: number;
  readonly scores: number;
  readonly verdicts: number;
  readonly rejected: number;
  readonly failures: number;
  readonly lookups: number;
  readonly fact_checks: number;
  readonly stances: number;
  /** Absent where there is none. */
  readonly evidence?: number;
  readonly choices: number;
  /** The highest round. */
  readonly rounds: number;
}

/** What `metadata.md` holds that is truth. */
export interface Metadata {
  /** Without the texts of its sources, and without its papers. */
  readonly start: ConveningStart;
  readonly progress: Progress;
  /** How files of messages are laid out: as when the convening began. */
  readonly layout: Layout;
  /** The names of the files under `sources/`. */
  readonly sources: readonly string[];
  /** The names of the papers' files. */
  readonly papers: readonly string[];
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
    layout: results.layout === 1 ? undefined : results.layout,
    kind: start.kind,
    topic: start.topic,
    status: progress.status,
    end_reason: progress.endReason ?? null,
    waiting_for: waitingData(progress),
    outcome: results.outcome ?? null,
    winner: results.winner,
    value: progress.value === undefined ? undefined : jsonData(progress.value),
    scores: jsonData(results.scores),
    unscored: results.unscored,
    ...assessmentData(results),
    ...paperData(results.paper),
    participants: start.participants.map((each) => participantData(each, results.stated)),
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
    papers: start.papers?.map(({ id, title }, index) => ({ file: paperFile(index), id, title })),
    parent: start.parent === undefined ? undefined : { ...start.parent },
    configuration: jsonData(start.configuration),
  };
  return writeFrontMatter(data, metadataBody(start, progress, results));
}

/** The turns that are waited for, as front matter; undefined where none is. */
export function waitingData({ waitingFor = [] }: Progress): FrontMatter[] | undefined {
  return waitingFor.length === 0
    ? undefined
    : waitingFor.map(({ participant, turn }) => ({ participant, turn }));
}

/** The turns that are waited for, a sentence each; names and keys are cut by `cut`. */
export function waitingSentences(
  { participants }: ConveningStart,
  { waitingFor = [] }: Progress,
  cut: (text: string, max: number) => string,
): string[] {
  return waitingFor.map(({ participant, turn }) => {
    const name = participants.find(({ id }) => id === participant)?.name ?? participant;
    return `Waiting for ${cut(name, 80)} (turn ${cut(turn, 140)}).`;
  });
}

/** A participant; `position_from` is the number of the message that its position is shown from, and not read back. */
function participantData(participant: ParticipantInfo, stated?: StatedPositions): FrontMatter {
  const { id, name, role, label, position, model } = participant;
  const from = stated?.get(id);
  return {
    id,
    name,
    role,
    label,
    position: from?.position ?? position,
    position_from: from?.seq,
    model,
  };
}

function metadataBody(
  start: ConveningStart,
  progress: Progress,
  { statistics }: Results,
): string {
  const { status } = progress;
  const waiting = waitingSentences(start, progress, markdownText)
    .map((sentence) => `\n${sentence}\n`);
  const names = start.participants.map((each) => markdownText(each.name, 80));
  return `# ${markdownText(start.topic, 200)}

A ${
    markdownText(start.kind, 80)
  }, ${status}: ${statistics.messages} messages, ${names.length} participants. The configuration, the participants and the numbers are in the
front matter above; what was said is listed in [index.md](index.md).
${waiting.join("")}`;
}
