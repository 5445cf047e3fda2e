// The outline of a convening: data and sentences that pages and all transcript formats share.
import { counted, headingWords, thousands } from "../core/text.ts";
import { SPEECHES } from "../debate/rules.ts";
import { summaryMessage, summaryOf } from "../judging/assessment.ts";
import type { Assessment } from "../core/outcome.ts";
import {
  type ClaimSource,
  type Evidence,
  type Fact,
  type FactCheck,
  messagesOf,
  type Rejection,
  type Score,
  type TurnDraft,
  type Verdict,
  whyEnded,
} from "../core/fact.ts";
import { citationsOf, figuresOf, figuresWords } from "../core/paper.ts";
import { type ConveningStart, noticesOf } from "../core/event.ts";
import { sideOf, sidesOf } from "../core/participant.ts";
import { type Message, money, type Usage } from "../core/message.ts";
import { aboutOf } from "./codec.ts";
import { nameOf, valueSentences } from "./words.ts";
import { paperSentences } from "./papers.ts";
import type { RecordModel } from "./record_model.ts";
import { recordedStatus } from "./metadata_file.ts";

export interface TranscriptEntry {
  readonly message: Message;
  /** Message that this message replies to, if it is recorded. */
  readonly answered?: Message | undefined;
  /** Scores of the convening's judges, in the order of the start, then scores of judges added later. */
  readonly scores: readonly Score[];
  readonly check?: FactCheck | undefined;
  readonly evidence?: Evidence | undefined;
  /** Attempts before the message that guards rejected. */
  readonly rejected: readonly Rejection[];
  /** Parts of the speaker's draft that were not spoken. */
  readonly draft?: TurnDraft | undefined;
  /** True if the message is shown side by side with the message of the other side. */
  readonly isSideBySide: boolean;
  /** True if the message starts a phase or a round. */
  readonly opens: boolean;
  /** True for the first message of its participant. */
  readonly isFirst: boolean;
}

/** Contents of a convening in the order of a transcript. */
export interface TranscriptOutline {
  readonly entries: readonly TranscriptEntry[];
  /** Recorded result; before the end, the result that follows from the facts. */
  readonly result: Assessment;
  /** Summary by the moderator, else the text of the last early stop; empty if there is neither. */
  readonly summary: string;
  readonly summaryOf?: Message | undefined;
  readonly verdicts: readonly Verdict[];
  /** Sentences about the value of a program's own kind, the papers, and the debaters' quotations. */
  readonly findings: readonly string[];
  /** Sentences about failed turns without a message. */
  readonly failures: readonly string[];
  /** Sentences that a reader needs first, see {@linkcode noticesOf}. */
  readonly notices: readonly string[];
}

export function outlineTranscript(model: RecordModel): TranscriptOutline {
  const { start, facts, assessment, outcome, winner, progress } = model;
  const entries = entriesOf(start, facts);
  const seqs = new Set(entries.map(({ message }) => message.seq));
  const failures = facts.filter((fact) => fact.type === "failure");
  const result = outcome === undefined ? assessment : { ...assessment, outcome, winner };
  const summing = summaryMessage(facts);
  const summary = summaryOf(facts, progress.status) || (summing?.body ?? "");
  return {
    entries,
    result,
    summary,
    summaryOf: summing?.body === summary ? summing : undefined,
    verdicts: facts.filter((fact) => fact.type === "verdict"),
    findings: [...valueSentences(start, progress.value), ...paperLines(model)],
    failures: failures.filter(({ seq }) => !seqs.has(seq)).map((each) =>
      `Turn ${each.seq} of ${nameOf(start, each.participant)} is missing: ${each.message}`
    ),
    notices: noticesOf(start, facts),
  };
}

function entriesOf(start: ConveningStart, facts: readonly Fact[]): TranscriptEntry[] {
  const messages = messagesOf(facts);
  const bySeq = new Map(messages.map((message) => [message.seq, message]));
  const about = Map.groupBy(facts, (fact) => `${fact.type} ${aboutOf(fact)}`);
  const factsAbout = <T extends Fact["type"]>(seq: number, type: T) =>
    (about.get(`${type} ${seq}`) ?? []) as Extract<Fact, { readonly type: T }>[];
  const firsts = new Map(messages.toReversed().map(({ participant, seq }) => [participant, seq]));
  const sideBySide = sideBySideKinds(start);
  return messages.map((message, at) => {
    const { seq, replyTo, participant, kind, phase, round } = message;
    const before = messages[at - 1];
    return {
      message,
      answered: replyTo === undefined ? undefined : bySeq.get(replyTo),
      scores: inOrder(start, factsAbout(seq, "score")),
      check: factsAbout(seq, "fact-check").at(-1),
      evidence: factsAbout(seq, "evidence").at(-1),
      rejected: factsAbout(seq, "rejected"),
      draft: factsAbout(seq, "draft").at(-1),
      isSideBySide: sideBySide.includes(kind),
      opens: before?.phase !== phase || before.round !== round,
      isFirst: firsts.get(participant) === seq,
    };
  });
}

/** Sorts scores by the order of the judges at the start; scores of judges added later follow. */
function inOrder({ judges }: ConveningStart, scores: readonly Score[]): Score[] {
  const place = ({ judge }: Score) => {
    const at = judges.findIndex(({ id }) => id === judge);
    return at === -1 ? judges.length : at;
  };
  const key = ({ judge, rubric }: Score) => `${judge} ${rubric}`;
  return scores.toSorted((a, b) => place(a) - place(b) || (key(a) < key(b) ? -1 : 1));
}

/** Returns the side in the left column, which spoke first, if two sides are shown side by side; else undefined. */
export function leftSide(
  start: ConveningStart,
  entries: readonly TranscriptEntry[],
): number | undefined {
  if (sidesOf(start).length !== 2) return undefined;
  const first = entries.find(({ isSideBySide }) => isSideBySide);
  return first === undefined ? undefined : sideOf(start, first.message.participant);
}

/** Returns the kinds of messages that are shown side by side: those of the two sides in a debate with rebuttals or clashes. */
export function sideBySideKinds({ kind, configuration }: ConveningStart): readonly string[] {
  const { exchange = "rebuttals" } = configuration;
  return kind === "debate" && (exchange === "rebuttals" || exchange === "clash") ? SIDE_KINDS : [];
}

/** Kinds of messages of the sides of a debate with rebuttals or clashes. */
export const SIDE_KINDS: readonly string[] = SPEECHES.filter((kind) => kind !== "statement");

/** Returns a title with phase and round, such as `Argument, round 2`. */
export function partTitle({ phase, round }: Pick<Message, "phase" | "round">): string {
  return headingWords(phase) + (round === 0 ? "" : `, round ${round}`);
}

/** Converts the name of a kind to words: `paper-debate` becomes `Paper debate`. */
export function kindWords(kind: string): string {
  return headingWords(kind.replaceAll("-", " "));
}

export function statusSentence(model: RecordModel): string {
  const { status } = model.progress;
  const why = whyEnded(model.progress);
  if (status === "completed") return `Completed${why}.`;
  const state = status === "failed"
    ? `Failed${why}`
    : status === "stopped"
    ? `Stopped early${why}`
    : `Not finished (${recordedStatus(model)})`;
  return `${state}: what follows is what had been said by then.`;
}

export function sourceWords({ title, url }: Pick<ClaimSource, "title" | "url">): string {
  return [title, url].filter((each) => each !== "").join(", ");
}

/** Describes the quotations and citations of a message: the figures, then each that was not found. */
export function evidenceSentences(evidence: Evidence): readonly string[] {
  const missing = [
    ...evidence.quotations.map(({ text, status }) => ({ text: `“${text}”`, status })),
    ...citationsOf(evidence).flatMap(({ paper = [], web = [] }) => [
      ...paper.map(({ chunkId, status }) => ({ text: `passage ${chunkId}`, status })),
      ...web.map(({ title, url, status }) => ({ text: sourceWords({ title, url }), status })),
    ]),
  ].filter(({ status }) => status === "not found");
  return [
    `Quotations and citations: ${figuresWords(figuresOf(evidence))}.`,
    ...missing.map(({ text }) => `Not found: ${text}`),
  ];
}

/** Lists the papers, and describes the debaters' quotations. Failed turns are listed separately. */
function paperLines({ start, paperFindings: found }: RecordModel): string[] {
  if (found === undefined) return [];
  return [
    ...found.papers.map(({ id, title }) => `Paper ${id}: ${title}`),
    ...paperSentences(start, { ...found, failed: [] }),
  ];
}

export function usageSentence(usage: Usage): string {
  return `${counted(usage.inputTokens, "token")} read (${
    thousands(usage.cachedInputTokens)
  } cached), ${thousands(usage.outputTokens)} written, cost ${money(usage)}.`;
}
