import type { FactCheck } from "../core/fact.ts";
import { lackingWords } from "../judging/scoring.ts";
import { plainLine, plainText } from "../core/text.ts";
import { wrapText } from "./transcript_wrap.ts";
import {
  checkSentence,
  evidenceSentences,
  falseClaims,
  headingWords,
  type Ink,
  nameOf,
  outcomeSentence,
  outlineTranscript,
  scoreWords,
  sourceWords,
  statusSentence,
  type TranscriptEntry,
  type TranscriptOutline,
  type TranscriptRecord,
  usageSentence,
  verdictWords,
} from "./transcript_outline.ts";

const WIDTH = 80;
const INDENT = "    ";
const INK: Ink = { name: String, text: String, strong: String };

/**
 * A convening as plain text, no line wider than 80 columns. Only words that were said are indented by four, so that
 * nothing said can pass for a heading; unseen characters are shown as `�`.
 */
export function renderTextTranscript(record: TranscriptRecord): string {
  const outline = outlineTranscript(record);
  const blocks = [
    title(record.start.topic, "="),
    flow([
      `${headingWords(record.start.kind)}, begun ${record.start.startedAt}.`,
      statusSentence(record),
      outcomeSentence(record, outline.result),
      ...(outline.noModel === undefined ? [] : [outline.noModel]),
    ].join(" ")),
    title("Participants", "-"),
    ...participantBlocks(record),
    ...outline.parts.flatMap((part) => [
      title(
        headingWords(part.phase) +
          (part.round === 0 ? "" : `, round ${part.round}`),
        "-",
      ),
      ...part.entries.flatMap((entry) => entryBlocks(entry, record)),
    ]),
    ...outline.failures.map((failure) => flow(failure)),
    title("Result", "-"),
    ...resultBlocks(record, outline),
  ];
  return blocks.join("\n\n") + "\n";
}

function participantBlocks(
  { start }: TranscriptRecord,
): string[] {
  return [...start.participants, ...start.judges].map((each) => {
    const role = "role" in each ? each.role : "judge";
    const position = "position" in each ? each.position : undefined;
    return flow(
      `${each.name} (${headingWords(role).toLowerCase()}, ${each.model})` +
        (position === undefined ? "" : `: ${position}`),
    );
  });
}

function entryBlocks(
  { message, answered, scores, check, evidence }: TranscriptEntry,
  record: TranscriptRecord,
): string[] {
  const answers = answered === undefined ? "" : `, answering ${answered.seq} (${answered.name})`;
  const marks = message.marks.length === 0
    ? ""
    : ` [${message.marks.join(", ").replaceAll("_", " ")}]`;
  return [
    flow(
      `${message.seq}. ${message.name}, ${
        headingWords(message.kind).toLowerCase()
      }${answers}${marks}`,
    ),
    said(message.body),
    ...(check === undefined ? [] : checkBlocks(check)),
    ...(evidence === undefined ? [] : evidenceSentences(evidence).map(flow)),
    ...scores.map((score) => flow(scoreWords(score, record.start, INK))),
  ];
}

function checkBlocks(check: FactCheck): string[] {
  const wrong = falseClaims(check).map(({ text, sources }) =>
    flow(
      `False: ${text}${
        sources.length === 0 ? "" : ` (sources: ${sources.map(sourceWords).join("; ")})`
      }`,
    )
  );
  return [flow(checkSentence(check)), ...wrong];
}

function resultBlocks(
  record: TranscriptRecord,
  { result, verdicts, findings }: TranscriptOutline,
): string[] {
  const standings = Object.values(result.scores)
    .toSorted((a, b) => b.total - a.total)
    .map((each) => {
      const lacking = lackingWords(each);
      return flow(
        `${each.name}: ${each.total.toFixed(4)}, mean of ${each.scored} scored` +
          (lacking === "" ? "" : `, ${lacking}`),
      );
    });
  const judged = verdicts.map((verdict) => flow(verdictWords(verdict, record.start, INK)));
  return [
    flow(outcomeSentence(record, result)),
    ...standings,
    ...result.unscored.map((id) =>
      flow(`${nameOf(record.start, id)}: no turn was scored for every side`)
    ),
    ...judged,
    ...findings.map((each) => flow(each)),
    ...(result.summary === "" || result.summaryOf !== undefined
      ? []
      : ["Summary:", said(result.summary)]),
    ...(result.summaryOf === undefined
      ? []
      : [flow(`The summary is message ${result.summaryOf.seq}.`)]),
    flow(`Usage: ${usageSentence(result)}`),
  ];
}

function title(text: string, underline: string): string {
  const lines = flow(text);
  const longest = Math.max(...lines.split("\n").map((line) => line.length));
  return `${lines}\n${underline.repeat(Math.min(WIDTH, longest))}`;
}

function flow(text: string): string {
  return wrapText(plainLine(text), { width: WIDTH });
}

function said(body: string): string {
  return wrapText(plainText(body), { width: WIDTH, indent: INDENT });
}
