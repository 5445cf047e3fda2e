// The outline of a convening: data and sentences that pages and all transcript formats share.
import { capitalized } from "../core/text.ts";
import { assess, summaryMessage, summaryOf, withPositions } from "../judging/assessment.ts";
import type { Assessment, ProposalStanding } from "../core/outcome.ts";
import {
  type ClaimSource,
  type EndReason,
  endWords,
  type Evidence,
  type Fact,
  type FactCheck,
  type Outcome,
  type Rejection,
  type Score,
  type Status,
  type TurnDraft,
  type Verdict,
} from "../core/fact.ts";
import { figuresOf } from "../core/paper.ts";
import type { ConveningStart } from "../core/event.ts";
import { panelsOf } from "../judging/panels.ts";
import { costText, type Message, totalUsage, type Usage } from "../core/message.ts";
import { assessmentSentences, checkWords, nameOf } from "./words.ts";
import { figuresWords, paperFindings, paperSentences } from "./papers.ts";

/** Data of a convening that transcripts are rendered from. */
export interface TranscriptRecord {
  readonly start: ConveningStart;
  readonly facts: readonly Fact[];
  readonly status: Status;
  /** Reason for the end; absent while the convening runs. */
  readonly endReason?: EndReason | undefined;
  /** ISO 8601, UTC; absent while the convening runs. */
  readonly endedAt?: string | undefined;
  /** @default the outcome that follows from the verdicts */
  readonly outcome?: Outcome | undefined;
  /** Id of the winner; used only with `outcome`. @default null */
  readonly winner?: string | null | undefined;
  /** Contradictions listed in `metadata.md`. @default none */
  readonly contradictions?: readonly string[] | undefined;
}

interface TranscriptResult extends Assessment {
  /** Verdicts of the convening's own judges. */
  readonly verdicts: readonly Verdict[];
  /** Message that contains the summary. */
  readonly summaryOf?: Message;
  /** Summary by the moderator, else the text of the last early stop; empty if there is neither. */
  readonly summary: string;
  /** Sum over all facts. */
  readonly usage: Usage;
}

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

/** Consecutive messages of one phase and round; `round` is 0 outside rounds. */
export interface TranscriptPart {
  readonly phase: string;
  readonly round: number;
  readonly entries: readonly TranscriptEntry[];
}

/** Contents of a convening in the order of a transcript. */
export interface TranscriptOutline {
  /** Sorted by message number. */
  readonly entries: readonly TranscriptEntry[];
  readonly parts: readonly TranscriptPart[];
  readonly result: TranscriptResult;
  readonly verdicts: readonly Verdict[];
  /** Sentences about fact checks, audience, judges and participants. */
  readonly findings: readonly string[];
  /** Sentences about failed turns without a message. */
  readonly failures: readonly string[];
  /** Sentence that says that no model took part; absent if a model did. */
  readonly noModel?: string;
}

/** Builds the outline of a record. */
export function outlineTranscript(record: TranscriptRecord): TranscriptOutline {
  const { start, facts } = record;
  const entries = entriesOf(record);
  const seqs = new Set(entries.map(({ message }) => message.seq));
  const failures = facts.filter((fact) => fact.type === "failure");
  const noModel = noModelSentence(facts);
  const result = transcriptResult(record);
  return {
    entries,
    parts: partsOf(entries),
    result,
    verdicts: facts.filter((fact) => fact.type === "verdict"),
    findings: [
      ...paperLines(record),
      ...consensusLines(start, result),
      ...assessmentSentences(start, result),
      ...result.contradictions,
      ...result.notes,
    ],
    failures: failures.filter(({ seq }) => !seqs.has(seq)).map((each) =>
      `Turn ${each.seq} of ${nameOf(start, each.participant)} is missing: ${each.message}`
    ),
    ...(noModel === undefined ? {} : { noModel }),
  };
}

function entriesOf({ start, facts }: TranscriptRecord): TranscriptEntry[] {
  const messages = facts.filter((fact) => fact.type === "message")
    .sort((a, b) => a.seq - b.seq);
  const bySeq = new Map(messages.map((message) => [message.seq, message]));
  const scores = Map.groupBy(facts.filter((fact) => fact.type === "score"), (each) => each.message);
  const rejected = Map.groupBy(facts.filter((fact) => fact.type === "rejected"), ({ seq }) => seq);
  const checks = new Map(
    facts.filter((fact) => fact.type === "fact-check").map((each) => [each.message, each]),
  );
  const evidence = new Map(
    facts.filter((fact) => fact.type === "evidence").map((each) => [each.seq, each]),
  );
  const drafts = new Map(
    facts.filter((fact) => fact.type === "draft").map((each) => [each.seq, each]),
  );
  const firsts = new Map(
    messages.toReversed().map(({ participant, seq }) => [participant, seq]),
  );
  return messages.map((message, at) =>
    entryOf(start, {
      message,
      isFirst: firsts.get(message.participant) === message.seq,
      before: messages[at - 1],
      answered: message.replyTo === undefined ? undefined : bySeq.get(message.replyTo),
      scores: scores.get(message.seq) ?? [],
      check: checks.get(message.seq),
      evidence: evidence.get(message.seq),
      rejected: rejected.get(message.seq) ?? [],
      draft: drafts.get(message.seq),
    })
  );
}

/** Creates the entry of a message. `before` is the previous message. */
export function entryOf(
  start: ConveningStart,
  { before, scores, ...facts }: Omit<TranscriptEntry, "isSideBySide" | "opens"> & {
    readonly before: Message | undefined;
  },
): TranscriptEntry {
  const { kind, phase, round } = facts.message;
  const place = ({ judge }: Score) => {
    const at = start.judges.findIndex(({ id }) => id === judge);
    return at === -1 ? start.judges.length : at;
  };
  const key = ({ judge, rubric }: Score) => `${judge} ${rubric}`;
  return {
    ...facts,
    scores: scores.toSorted((a, b) => place(a) - place(b) || (key(a) < key(b) ? -1 : 1)),
    isSideBySide: sideBySideKinds(start).includes(kind),
    opens: before?.phase !== phase || before.round !== round,
  };
}

/** Returns the kinds of messages that are shown side by side: those of the two sides in a debate with rebuttals or clashes. */
export function sideBySideKinds({ kind, configuration }: ConveningStart): readonly string[] {
  const { exchange = "rebuttals" } = configuration;
  return kind === "debate" && (exchange === "rebuttals" || exchange === "clash") ? SIDE_KINDS : [];
}

/** Kinds of messages of the sides of a debate. */
export const SIDE_KINDS: readonly string[] = [
  "opening_statement",
  "argument",
  "rebuttal",
  "reply",
  "closing_statement",
];

/** Returns the result of a record. Judges added later do not change it. */
function transcriptResult(record: TranscriptRecord): TranscriptResult {
  const { facts, status } = record;
  const start = withPositions(record.start, facts);
  const assessment = assess(start, facts, { recorded: record.contradictions });
  const own = panelsOf(start, facts).find((panel) => panel.own);
  const summing = summaryMessage(facts);
  const summary = summaryOf(facts, status) || (summing?.body ?? "");
  return {
    ...assessment,
    ...(record.outcome === undefined
      ? {}
      : { outcome: record.outcome, winner: record.winner ?? null }),
    verdicts: own?.verdicts ?? [],
    ...(summing === undefined || summing.body !== summary ? {} : { summaryOf: summing }),
    summary,
    usage: totalUsage(facts),
  };
}

/** Converts a snake_case word to a heading: `opening_statement` becomes `Opening statement`. */
export function headingWords(name: string): string {
  return capitalized(name.replace(/[_\s]+/gu, " ").trim());
}

/** Returns a title with phase and round, such as `Argument, round 2`. */
export function partTitle({ phase, round }: Pick<Message, "phase" | "round">): string {
  return headingWords(phase) + (round === 0 ? "" : `, round ${round}`);
}

/** Converts the name of a kind to words: `paper-debate` becomes `Paper debate`. */
export function kindWords(kind: string): string {
  return headingWords(kind.replaceAll("-", " "));
}

export function statusSentence(record: TranscriptRecord): string {
  const { status, endReason } = record;
  const why = endReason === undefined || endReason === status ? "" : ` (${endWords(endReason)})`;
  switch (status) {
    case "completed":
      return `Completed${why}.`;
    case "stopped":
      return `Stopped early${why}: what follows is what had been said by then.`;
    case "failed":
      return `Failed${why}: what follows is what had been said by then.`;
    default:
      return `Not finished (${status}): what follows is what had been said by then.`;
  }
}

export function checkSentence(check: FactCheck): string {
  const why = check.reason === undefined ? "" : ` (${check.reason.replace(/\.$/, "")})`;
  return `${capitalized(checkWords(check))}${why}.`;
}

export function sourceWords({ title, url }: Pick<ClaimSource, "title" | "url">): string {
  return [title, url].filter((each) => each !== "").join(", ");
}

/** Describes the quotations and citations of a message: the figures, then each that was not found. */
export function evidenceSentences(evidence: Evidence): readonly string[] {
  const cited = [...evidence.perTopic.map(({ citations }) => citations), evidence.citations];
  const missing = [
    ...evidence.quotations.map(({ text, status }) => ({ text: `“${text}”`, status })),
    ...cited.flatMap(({ paper = [], web = [] }) => [
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
function paperLines({ start, facts }: TranscriptRecord): string[] {
  const found = paperFindings(start, facts);
  if (found === undefined) return [];
  return [
    ...found.papers.map(({ id, title }) => `Paper ${id}: ${title}`),
    ...paperSentences(start, { ...found, failed: [] }),
  ];
}

/** Describes the agreed and the open points, a sentence each. They follow the papers in an outline's findings. */
export function consensusLines(
  start: ConveningStart,
  { consensus }: Pick<TranscriptResult, "consensus">,
): string[] {
  if (consensus === undefined) return [];
  const line = (word: string) => ({ id, text, share, holds }: ProposalStanding) => {
    const held = Object.entries(holds).map(([id, { stance, strength, condition }]) =>
      `${nameOf(start, id)}: ${stance} ${strength}${
        condition === undefined ? "" : `, if ${condition}`
      }`
    );
    return `${word} (share ${share}), ${id}: ${text} [${held.join("; ")}]`;
  };
  return [...consensus.agreed.map(line("Agreed")), ...consensus.open.map(line("Open"))];
}

export function usageSentence({ usage }: TranscriptResult): string {
  return `${usage.inputTokens} tokens read (${usage.cachedInputTokens} cached), ${usage.outputTokens} written, cost ${
    costText(usage)
  }.`;
}

function partsOf(entries: readonly TranscriptEntry[]): TranscriptPart[] {
  const parts: (TranscriptPart & { entries: TranscriptEntry[] })[] = [];
  for (const entry of entries) {
    const { phase, round } = entry.message;
    if (entry.opens) parts.push({ phase, round, entries: [] });
    parts.at(-1)!.entries.push(entry);
  }
  return parts;
}

const NO_MODELS = new Set(["offline", "template", "human"]);

function noModelSentence(facts: readonly Fact[]): string | undefined {
  const models = new Set<string>();
  for (const fact of facts) {
    if ("model" in fact && fact.model !== undefined) models.add(fact.model);
  }
  if ([...models].some((model) => !NO_MODELS.has(model))) return undefined;
  const writers = [
    ...(models.has("offline") ? ["the offline writer, a program"] : []),
    ...(models.has("template") ? ["templates"] : []),
    ...(models.has("human") ? ["people"] : []),
  ];
  return writers.length === 0
    ? "No model spoke."
    : `No model spoke: the words are those of ${writers.join(" and ")}.`;
}
