// The outline of a convening that pages and every form of transcript show, and the sentences they share.
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

export { nameOf } from "./words.ts";

/** The parts of a convening that transcripts are made of. */
export interface TranscriptRecord {
  readonly start: ConveningStart;
  readonly facts: readonly Fact[];
  readonly status: Status;
  /** The reason of the end; absent while it runs. */
  readonly endReason?: EndReason | undefined;
  /** ISO 8601, UTC; absent while it runs. */
  readonly endedAt?: string | undefined;
  /** @default the outcome by the verdicts */
  readonly outcome?: Outcome | undefined;
  /** The winner's id, where `outcome` is given. @default null */
  readonly winner?: string | null | undefined;
  /** Contradictions as `metadata.md` shows them. @default none */
  readonly contradictions?: readonly string[] | undefined;
}

/** The result of a convening. */
interface TranscriptResult extends Assessment {
  /** The verdicts of the convening's own judges. */
  readonly verdicts: readonly Verdict[];
  /** The message that sums the convening up, if any. */
  readonly summaryOf?: Message;
  /** The moderator's summary, or that of the last early end; empty where there is none. */
  readonly summary: string;
  /** Summed over every fact. */
  readonly usage: Usage;
}

/** One message with the facts about it. */
export interface TranscriptEntry {
  readonly message: Message;
  /** The message it answers, if that is on record. */
  readonly answered?: Message | undefined;
  /** Scores of the convening's judges in the record's order, then of judges who judged again. */
  readonly scores: readonly Score[];
  readonly check?: FactCheck | undefined;
  readonly evidence?: Evidence | undefined;
  /** The attempts before the message that guards rejected. */
  readonly rejected: readonly Rejection[];
  /** The parts of the speaker's draft that were not said. */
  readonly draft?: TurnDraft | undefined;
  /** True if a page shows it side by side with the message it answers, or that answers it. */
  readonly isHalf: boolean;
  /** True if a phase or a round begins with it. */
  readonly opens: boolean;
  /** True of the first message of its participant. */
  readonly isFirst: boolean;
}

/** Neighbouring messages of one phase and round; `round` is 0 outside the rounds. */
export interface TranscriptPart {
  readonly phase: string;
  readonly round: number;
  readonly entries: readonly TranscriptEntry[];
}

/** A convening in the order in which every transcript shows it. */
export interface TranscriptOutline {
  /** By number. */
  readonly entries: readonly TranscriptEntry[];
  readonly parts: readonly TranscriptPart[];
  readonly result: TranscriptResult;
  readonly verdicts: readonly Verdict[];
  /** The results of fact checks, audience, judges and participants, as sentences. */
  readonly findings: readonly string[];
  /** Turns that failed for good, as sentences. */
  readonly failures: readonly string[];
  /** One sentence when no model had a part in it; absent when one had. */
  readonly noModel?: string;
}

/** Sorts a record's facts into what transcripts show. */
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

/** The entry of a message, from the facts about the message and the message before. */
export function entryOf(
  start: ConveningStart,
  { before, scores, ...facts }: Omit<TranscriptEntry, "isHalf" | "opens"> & {
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
    isHalf: halvesOf(start).includes(kind),
    opens: before?.phase !== phase || before.round !== round,
  };
}

/** The kinds of messages that pages show side by side: of a debate with rebuttals, those of the two sides. */
export function halvesOf({ kind, configuration }: ConveningStart): readonly string[] {
  const { exchange = "rebuttals" } = configuration;
  return kind === "debate" && (exchange === "rebuttals" || exchange === "clash") ? HALVES : [];
}

const HALVES: readonly string[] = [
  "opening_statement",
  "argument",
  "rebuttal",
  "reply",
  "closing_statement",
];

/** The result of a record, from its facts; a panel added later changes nothing. */
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

/** A snake_case word as a heading shows it: `opening_statement` becomes `Opening statement`. */
export function headingWords(name: string): string {
  return capitalized(name.replace(/[_\s]+/gu, " ").trim());
}

/** The title of the phase and the round of a message, such as `Argument, round 2`. */
export function partTitle({ phase, round }: Pick<Message, "phase" | "round">): string {
  return headingWords(phase) + (round === 0 ? "" : `, round ${round}`);
}

/** The name of a kind in words: `paper-debate` becomes `Paper debate`. */
export function kindWords(kind: string): string {
  return headingWords(kind.replaceAll("-", " "));
}

/** The status of a convening, as one sentence. */
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

/** The result of a fact check, as one sentence. */
export function checkSentence(check: FactCheck): string {
  const why = check.reason === undefined ? "" : ` (${check.reason})`;
  return `${capitalized(checkWords(check))}${why}.`;
}

/** The title and the URL of a source. */
export function sourceWords({ title, url }: Pick<ClaimSource, "title" | "url">): string {
  return [title, url].filter((each) => each !== "").join(", ");
}

/** The result for a message's quotations and citations: the figures, then each that was not found. */
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

/** The papers that are debated, and the result for the debaters' quotations; failed turns are listed apart. */
function paperLines({ start, facts }: TranscriptRecord): string[] {
  const found = paperFindings(start, facts);
  if (found === undefined) return [];
  return [
    ...found.papers.map(({ id, title }) => `Paper ${id}: ${title}`),
    ...paperSentences(start, { ...found, failed: [] }),
  ];
}

/** The agreed and the open points, a sentence each: the first of an outline's findings that are no paper's. */
export function consensusLines(
  start: ConveningStart,
  { consensus }: Pick<TranscriptResult, "consensus">,
): string[] {
  if (consensus === undefined) return [];
  const line = (word: string) => ({ text, share, holds }: ProposalStanding) => {
    const held = Object.entries(holds).map(([id, { stance, strength, condition }]) =>
      `${nameOf(start, id)}: ${stance} ${strength}${
        condition === undefined ? "" : `, if ${condition}`
      }`
    );
    return `${word} (share ${share}): ${text} [${held.join("; ")}]`;
  };
  return [...consensus.agreed.map(line("Agreed")), ...consensus.open.map(line("Open"))];
}

/** The tokens and the cost, as one sentence. */
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
