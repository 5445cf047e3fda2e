// Transcripts as one markdown page.
import markdownIt from "markdown-it";
import type { FactCheck } from "../core/fact.ts";
import type { Standing } from "../core/outcome.ts";
import { plainText } from "../core/text.ts";
import { common } from "./frontmatter.ts";
import { writeFrontMatter } from "./frontmatter.ts";
import { markdownText, QUOTED_WORDS } from "./markdown.ts";
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
  type TranscriptPart,
  type TranscriptRecord,
  type TranscriptResult,
  usageSentence,
  verdictWords,
} from "./transcript_outline.ts";

/**
 * A convening as one markdown page. What was said stands in block quotes, its headings, HTML and link definitions made
 * plain text, so that the page's structure is the transcript's alone.
 */
export function renderMarkdownTranscript(record: TranscriptRecord): string {
  const outline = outlineTranscript(record);
  const blocks = [
    `# ${inline(record.start.topic)}`,
    ...introBlocks(record, outline),
    "## Participants",
    participantList(record),
    ...outline.parts.flatMap((part, index) => [
      ...partHeadings(part, outline.parts[index - 1]),
      ...part.entries.flatMap((entry) => entryBlocks(entry, record)),
    ]),
    ...outline.failures.map((failure) => `*${inline(failure)}*`),
    "## Result",
    ...resultBlocks(record, outline),
  ];
  const data = { ...common("transcript"), index: "index.md" };
  return writeFrontMatter(data, blocks.join("\n\n") + "\n");
}

function introBlocks(
  record: TranscriptRecord,
  outline: TranscriptOutline,
): string[] {
  const { kind, startedAt, parent } = record.start;
  return [
    [
      `${inline(headingWords(kind))}, begun ${startedAt}.`,
      statusSentence(record),
      inline(outcomeSentence(record, outline.result)),
      ...(parent === undefined
        ? []
        : [`Forked from ${inline(parent.dir)} after message ${parent.seq}.`]),
    ].join(" "),
    ...(outline.noModel === undefined ? [] : [`**${inline(outline.noModel)}**`]),
    QUOTED_WORDS,
  ];
}

function participantList({ start }: TranscriptRecord): string {
  const speakers = start.participants.map(({ name, role, model, position }) =>
    `- **${inline(name)}** (${inline(headingWords(role).toLowerCase())}, ${inline(model)})` +
    (position === undefined ? "" : `: ${inline(position)}`)
  );
  const judges = start.judges.map(({ name, model, rubric }) =>
    `- **${inline(name)}** (judge, ${inline(model)}, rubric ${inline(rubric)})`
  );
  return [...speakers, ...judges].join("\n");
}

function partHeadings(part: TranscriptPart, before?: TranscriptPart): string[] {
  return [
    ...(part.phase === before?.phase ? [] : [`## ${inline(headingWords(part.phase))}`]),
    ...(part.round === 0 ? [] : [`### Round ${part.round}`]),
  ];
}

function entryBlocks(
  { message, answered, scores, check, evidence }: TranscriptEntry,
  record: TranscriptRecord,
): string[] {
  const level = message.round === 0 ? "###" : "####";
  const notes = [
    ...(answered === undefined ? [] : [`Answers ${answered.seq} (${answered.name}).`]),
    ...(message.marks.length === 0
      ? []
      : [`Marked ${message.marks.join(", ").replaceAll("_", " ")}.`]),
    ...(message.edited === true ? ["Edited in this fork."] : []),
  ];
  return [
    `${level} ${message.seq}. ${inline(message.name)}: ${
      inline(headingWords(message.kind).toLowerCase())
    }`,
    ...(notes.length === 0 ? [] : [`*${inline(notes.join(" "))}*`]),
    containMarkdown(message.body),
    ...(check === undefined ? [] : [checkItems(check)]),
    ...(evidence === undefined
      ? []
      : [evidenceSentences(evidence).map((each) => `- ${inline(each)}`).join("\n")]),
    ...(scores.length === 0
      ? []
      : [scores.map((score) => `- ${scoreWords(score, record.start, INK)}`).join("\n")]),
  ];
}

function checkItems(check: FactCheck): string {
  const wrong = falseClaims(check).flatMap(({ text, sources }) => [
    `  - False: ${inline(text)}`,
    ...sources.map((source) => `    - ${inline(sourceWords(source))}`),
  ]);
  return [`- ${inline(checkSentence(check))}`, ...wrong].join("\n");
}

function resultBlocks(
  record: TranscriptRecord,
  { result, verdicts, findings }: TranscriptOutline,
): string[] {
  const { start } = record;
  const standings = Object.values(result.scores)
    .toSorted((a, b) => b.total - a.total);
  return [
    `**${inline(outcomeSentence(record, result))}**`,
    ...(standings.length === 0 ? [] : [standingsTable(standings)]),
    ...result.unscored.map((id) =>
      `${inline(nameOf(start, id))}: no turn was scored for every side.`
    ),
    ...(verdicts.length === 0 ? [] : [
      verdicts.map((verdict) => `- ${verdictWords(verdict, start, INK)}`).join("\n"),
    ]),
    ...(findings.length === 0 ? [] : [findings.map((each) => `- ${inline(each)}`).join("\n")]),
    ...summaryBlocks(result),
    `Usage: ${usageSentence(result)}`,
  ];
}

function summaryBlocks({ summary, summaryOf }: TranscriptResult): string[] {
  if (summaryOf !== undefined) {
    return [`The summary is message ${summaryOf.seq}.`];
  }
  return summary === "" ? [] : ["### Summary", containMarkdown(summary)];
}

function standingsTable(standings: readonly Standing[]): string {
  const criteria = Object.keys(standings[0]?.breakdown ?? {});
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row([
      "Participant",
      ...criteria.map((id) => inline(headingWords(id))),
      "Total",
      "Scored",
      "Missing",
    ]),
    row(["---", ...criteria.map(() => "---:"), "---:", "---:", "---:"]),
    ...standings.map((each) =>
      row([
        inline(each.name),
        ...criteria.map((id) => (each.breakdown[id] ?? 0).toFixed(4)),
        each.total.toFixed(4),
        `${each.scored}`,
        `${each.missing}`,
      ])
    ),
  ].join("\n");
}

const INK: Ink = { name: inline, text: inline, strong: (text) => `**${text}**` };

function inline(text: string): string {
  return markdownText(text, Infinity);
}

// Any other markdown reader that allows HTML sees the same blocks once no `<` is left outside code.
const parser = markdownIt("commonmark", { html: false });
const PASSES = 8;

/**
 * What was said as a block quote that stays inside itself: headings and link definitions become plain text, `<` becomes
 * `&lt;` outside code blocks, and no line stands at the page's own level. What cannot be made so is shown as code.
 */
export function containMarkdown(body: string): string {
  // A tab's width depends on its column, which the quote moves.
  const text = plainText(body).replaceAll("\t", "    ")
    .replace(/^\n+/, "").trimEnd();
  return (flatten(text) ?? fenced(text)).split("\n")
    .map((line) => line === "" ? ">" : `> ${line}`)
    .join("\n");
}

/** The text without headings, definitions and HTML; undefined if some remain after several passes. */
function flatten(text: string): string | undefined {
  if (!/[<#]|\]:|^[ >*+\-\d.)=]*[=-] *$/mu.test(text)) return text;
  let lines = text.split("\n");
  for (let pass = 0; pass < PASSES; pass++) {
    const { headings, code, definitions } = survey(lines);
    if (headings.length === 0 && !definitions) {
      return lines.map((line, at) => code.has(at) ? line : line.replaceAll("<", "&lt;")).join("\n");
    }
    const marked = new Set(headings);
    lines = lines.map((line, at) => {
      if (code.has(at)) return line;
      const plain = definitions ? line.replaceAll("]:", "]\\:") : line;
      return marked.has(at) ? plain.replace(/#+|=+|-+(?=\s*$)/, "\\$&") : plain;
    });
  }
  return undefined;
}

/** Which lines make headings, which are code, and whether there are link definitions. */
function survey(
  lines: readonly string[],
): { headings: number[]; code: Set<number>; definitions: boolean } {
  const env: NonNullable<Parameters<typeof parser.parse>[1]> = {};
  const headings: number[] = [];
  const code = new Set<number>();
  for (const token of parser.parse(lines.join("\n"), env)) {
    const [from, to] = token.map ?? [0, 0];
    if (token.type === "heading_open") {
      headings.push(token.markup.startsWith("#") ? from : to - 1);
    } else if (token.type === "fence" || token.type === "code_block") {
      for (let at = from; at < to; at++) code.add(at);
    }
  }
  return {
    headings,
    code,
    definitions: Object.keys(env.references ?? {}).length > 0,
  };
}

function fenced(text: string): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
