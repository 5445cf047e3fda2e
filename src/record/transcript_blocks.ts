// The blocks of transcripts in text, in their order; a style says how each is written.
import type { FactCheck, Score, Verdict } from "../core/fact.ts";
import type { ConveningStart } from "../core/event.ts";
import { QUOTED_WORDS } from "./markdown.ts";
import {
  checkSentence,
  evidenceSentences,
  headingWords,
  kindWords,
  nameOf,
  outlineTranscript,
  sourceWords,
  statusSentence,
  type TranscriptEntry,
  type TranscriptOutline,
  type TranscriptPart,
  type TranscriptRecord,
  usageSentence,
} from "./transcript_outline.ts";
import { outcomeSentence, reasonItems } from "./outcome_words.ts";

/** An item of a list, under items of a smaller depth. */
export type Item = readonly [depth: number, text: string];

/** The way that a form of transcript writes text; every text but that of `inline` and `said` is already inline. */
export interface TextStyle {
  /** Words of a participant on one line. */
  inline(text: string): string;
  strong(text: string): string;
  emphasis(text: string): string;
  heading(level: number, text: string): string;
  paragraph(text: string): string;
  list(items: readonly Item[]): string;
  table(heads: readonly string[], rows: readonly (readonly string[])[]): string;
  /** Words of a participant as they were said. */
  said(body: string): string;
}

/** A convening as blocks of text. */
export function transcriptBlocks(record: TranscriptRecord, style: TextStyle): string[] {
  const outline = outlineTranscript(record);
  const { inline, heading } = style;
  return [
    heading(1, inline(record.start.topic)),
    ...introBlocks(record, outline, style),
    heading(2, "Participants"),
    style.list(participantItems(record.start, style)),
    ...outline.parts.flatMap((part, index) => [
      ...partHeadings(part, outline.parts[index - 1], style),
      ...part.entries.flatMap((entry) => entryBlocks(entry, record.start, style)),
    ]),
    ...outline.failures.map((failure) => style.emphasis(inline(failure))).map(style.paragraph),
    heading(2, "Result"),
    ...resultBlocks(record, outline, style),
  ];
}

function introBlocks(
  record: TranscriptRecord,
  { result, noModel }: TranscriptOutline,
  { inline, strong, paragraph }: TextStyle,
): string[] {
  const { kind, startedAt, parent } = record.start;
  const sentences = [
    `${inline(kindWords(kind))}, begun ${startedAt}.`,
    statusSentence(record),
    inline(outcomeSentence(record.start, result)),
    ...parent === undefined ? [] : [
      `Forked from ${inline(parent.dir)} after message ${parent.seq}.`,
    ],
  ];
  return [
    paragraph(sentences.join(" ")),
    ...noModel === undefined ? [] : [paragraph(strong(inline(noModel)))],
    paragraph(QUOTED_WORDS),
  ];
}

function participantItems(
  { participants, judges }: ConveningStart,
  { inline, strong }: TextStyle,
): Item[] {
  return [
    ...participants.map(({ name, role, model, position }): Item => {
      const about = `(${inline(headingWords(role).toLowerCase())}, ${inline(model)})`;
      const rest = position === undefined ? "" : `: ${inline(position)}`;
      return [0, `${strong(inline(name))} ${about}${rest}`];
    }),
    ...judges.map(({ name, model, rubric }): Item => [
      0,
      `${strong(inline(name))} (judge, ${inline(model)}, rubric ${inline(rubric)})`,
    ]),
  ];
}

function partHeadings(
  { phase, round }: TranscriptPart,
  before: TranscriptPart | undefined,
  { inline, heading }: TextStyle,
): string[] {
  return [
    ...phase === before?.phase ? [] : [heading(2, inline(headingWords(phase)))],
    ...round === 0 ? [] : [heading(3, `Round ${round}`)],
  ];
}

function entryBlocks(
  { message, answered, scores, check, evidence }: TranscriptEntry,
  start: ConveningStart,
  style: TextStyle,
): string[] {
  const { inline } = style;
  const { seq, name, kind, round, marks, edited, body } = message;
  const notes = [
    ...answered === undefined ? [] : [`Answers ${answered.seq} (${answered.name}).`],
    ...marks.length === 0 ? [] : [`Marked ${marks.join(", ").replaceAll("_", " ")}.`],
    ...edited === true ? ["Edited in this fork."] : [],
  ];
  const lists = [
    check === undefined ? [] : checkItems(check, style),
    (evidence === undefined ? [] : evidenceSentences(evidence)).map((each): Item => [
      0,
      inline(each),
    ]),
    scores.map((score): Item => [0, scoreWords(score, start, style)]),
  ];
  const title = `${seq}. ${inline(name)}: ${inline(headingWords(kind).toLowerCase())}`;
  return [
    style.heading(round === 0 ? 3 : 4, title),
    ...notes.length === 0 ? [] : [style.paragraph(style.emphasis(inline(notes.join(" "))))],
    style.said(body),
    ...lists.filter((items) => items.length > 0).map(style.list),
  ];
}

function checkItems(check: FactCheck, { inline }: TextStyle): Item[] {
  const wrong = check.claims.filter(({ verdict }) => verdict === "false");
  return [
    [0, inline(checkSentence(check))],
    ...wrong.flatMap(({ text, sources }): Item[] => [
      [1, `False: ${inline(text)}`],
      ...sources.map((source): Item => [2, inline(sourceWords(source))]),
    ]),
  ];
}

function scoreWords(score: Score, start: ConveningStart, { inline, strong }: TextStyle): string {
  const judge = inline(nameOf(start, score.judge));
  if (score.status === "unscored") {
    return `Not scored by ${judge}: ${inline(score.reason ?? "no reason given")}`;
  }
  const criteria = Object.entries(score.criteria)
    .map(([id, value]) => `${headingWords(id).toLowerCase()} ${value}`).join(", ");
  const total = strong(String(score.total));
  return `Scored by ${judge}: ${total} of ${score.scale[1]} (${inline(criteria)})`;
}

function resultBlocks(
  record: TranscriptRecord,
  { result, verdicts, findings }: TranscriptOutline,
  style: TextStyle,
): string[] {
  const { inline, paragraph } = style;
  const { start } = record;
  const { summary, summaryOf } = result;
  const reasons = reasonItems(start, result);
  const lists = [
    verdicts.map((verdict): Item => [0, verdictWords(verdict, start, style)]),
    findings.map((each): Item => [0, inline(each)]),
  ];
  return [
    paragraph(style.strong(inline(outcomeSentence(start, result)))),
    ...reasons.length === 0 ? [] : [style.list(reasons.map((each): Item => [0, inline(each)]))],
    ...standings(result, style),
    ...result.unscored.map((id) =>
      paragraph(`${inline(nameOf(start, id))}: no turn was scored for every side.`)
    ),
    ...lists.filter((items) => items.length > 0).map(style.list),
    ...summaryOf !== undefined
      ? [paragraph(`The summary is message ${summaryOf.seq}.`)]
      : summary === ""
      ? []
      : [style.heading(3, "Summary"), style.said(summary)],
    paragraph(`Usage: ${usageSentence(result)}`),
  ];
}

function verdictWords(
  { judge, number, status, winner }: Verdict,
  start: ConveningStart,
  { inline }: TextStyle,
): string {
  const named = winner === null ? "a tie" : inline(nameOf(start, winner));
  const won = status === "unread" ? "could not be read" : named;
  return `${inline(nameOf(start, judge))}, verdict ${number}: ${won}`;
}

function standings(
  { scores }: TranscriptOutline["result"],
  { inline, table }: TextStyle,
): string[] {
  const rows = Object.values(scores).toSorted((a, b) => b.total - a.total);
  if (rows.length === 0) return [];
  const criteria = Object.keys(rows[0]?.breakdown ?? {});
  const heads = [...criteria.map((id) => inline(headingWords(id))), "Total", "Scored", "Missing"];
  const cells = rows.map(({ name, breakdown, total, scored, missing }) => [
    inline(name),
    ...criteria.map((id) => (breakdown[id] ?? 0).toFixed(4)),
    total.toFixed(4),
    `${scored}`,
    `${missing}`,
  ]);
  return [table(["Participant", ...heads], cells)];
}
