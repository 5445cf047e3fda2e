// Transcripts as plain text, 80 columns wide.
import type { FactCheck } from "../core/fact.ts";
import { plainLine, plainText } from "../core/text.ts";
import { lackingWords } from "../judging/scoring.ts";
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

/** How {@linkcode wrapText} breaks lines. */
interface WrapTextOptions {
  /** Columns. @default 80 */
  readonly width?: number;
  /** Stands before every line that is not empty. @default "" */
  readonly indent?: string;
}

/**
 * The text with every line broken at white space to fit `width` columns; a longer word is cut. A line keeps its leading
 * white space, for what was broken off it too. Wide characters count as two columns.
 */
function wrapText(text: string, options: WrapTextOptions = {}): string {
  const { width = 80, indent = "" } = options;
  return text.split("\n")
    .flatMap((line) => wrapLine(line.replaceAll("\t", "    "), width - columns(indent)))
    .map((line) => line === "" ? "" : indent + line)
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  const trimmed = line.trimEnd();
  const lead = /^ */.exec(trimmed)?.[0].slice(0, width >> 1) ?? "";
  const room = width - lead.length;
  const lines: string[] = [];
  let current = "";
  let used = 0;
  for (const word of trimmed.trim().split(/\s+/u)) {
    for (const piece of pieces(word, room)) {
      const size = columns(piece);
      if (current !== "" && used + 1 + size > room) {
        lines.push(lead + current);
        current = "";
        used = 0;
      }
      used += size + (current === "" ? 0 : 1);
      current += (current === "" ? "" : " ") + piece;
    }
  }
  lines.push(current === "" ? "" : lead + current);
  return lines;
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A word in pieces of at most `room` columns: itself, nearly always. */
function* pieces(word: string, room: number): Generator<string> {
  // A code unit takes two columns at most.
  if (word.length * 2 <= room || columns(word) <= room) {
    yield word;
    return;
  }
  let piece = "";
  let used = 0;
  for (const segment of segments(word, room)) {
    const size = columns(segment);
    if (piece !== "" && used + size > room) {
      yield piece;
      piece = "";
      used = 0;
    }
    piece += segment;
    used += size;
  }
  yield piece;
}

/** Graphemes; code points where one grapheme alone would not fit. */
function* segments(word: string, room: number): Generator<string> {
  for (const { segment } of GRAPHEMES.segment(word)) {
    if (columns(segment) <= room) yield segment;
    else yield* segment;
  }
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** How many columns a text takes: wide characters two, marks that join the one before none. */
export function columns(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const char of text) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) continue;
    count += WIDE.test(char) ? 2 : 1;
  }
  return count;
}
