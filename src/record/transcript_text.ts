// Renders transcripts as text: one structure in two styles, markdown and plain text with 80 columns.
import markdownIt from "markdown-it";
import type { ConveningStart } from "../core/event.ts";
import type { FactCheck, Score } from "../core/fact.ts";
import {
  capitalized,
  columns,
  headingWords,
  plainLine,
  plainText,
  tableText,
  wrappedLine,
} from "../core/text.ts";
import { common, markdownText, QUOTED_WORDS, writeFrontMatter } from "./frontmatter.ts";
import {
  evidenceSentences,
  kindWords,
  outlineTranscript,
  sourceWords,
  statusSentence,
  type TranscriptEntry,
  type TranscriptOutline,
  usageSentence,
} from "./transcript_outline.ts";
import { conveningTitle } from "./papers.ts";
import type { RecordModel } from "./record_model.ts";
import {
  answerWords,
  cappedWords,
  castOf,
  checkSentence,
  criteriaWords,
  findingSentences,
  forkSentences,
  judgeName,
  nameOf,
  outcomeSentence,
  ranked,
  reasonItems,
} from "./words.ts";
import { isWrong, omittedBy } from "../core/claims.ts";

/** An item of a nested list; `depth` is the nesting level. */
type Item = readonly [depth: number, text: string];

/** Text style of a transcript format. All methods except `inline` and `said` take text that is already escaped. */
interface TextStyle {
  /** Escapes participants' words as a single line. */
  inline(text: string): string;
  strong(text: string): string;
  emphasis(text: string): string;
  heading(level: number, text: string): string;
  paragraph(text: string): string;
  list(items: readonly Item[]): string;
  table(heads: readonly string[], rows: readonly (readonly string[])[]): string;
  /** Renders a message's body. */
  said(body: string): string;
}

function transcriptBlocks(model: RecordModel, style: TextStyle): string[] {
  const { start } = model;
  const outline = outlineTranscript(model);
  const { inline, heading } = style;
  return [
    heading(1, inline(conveningTitle(start, model.facts))),
    ...introBlocks(model, outline, style),
    heading(2, "Participants"),
    style.list(participantItems(start, style)),
    ...outline.entries.flatMap((entry, index) => [
      ...entry.opens ? partHeadings(entry.message, outline.entries[index - 1], style) : [],
      ...entryBlocks(entry, start, style),
    ]),
    ...outline.failures.map((failure) => style.emphasis(inline(failure))).map(style.paragraph),
    heading(2, "Result"),
    ...resultBlocks(model, outline, style),
  ];
}

function introBlocks(
  model: RecordModel,
  { notices }: TranscriptOutline,
  { inline, strong, paragraph }: TextStyle,
): string[] {
  const { start, decided } = model;
  const { kind, startedAt } = start;
  const sentences = [
    `${inline(kindWords(kind))}, begun ${startedAt}.`,
    statusSentence(model),
    inline(outcomeSentence(start, decided)),
    ...forkSentences(start, inline),
  ];
  return [
    paragraph(sentences.join(" ")),
    ...notices.map((each) => paragraph(strong(inline(each)))),
    paragraph(QUOTED_WORDS),
  ];
}

function participantItems(start: ConveningStart, { inline, strong }: TextStyle): Item[] {
  return castOf(start).map(({ name, about, position }): Item => {
    const rest = position === undefined ? "" : `: ${inline(position)}`;
    return [0, `${strong(inline(name))} (${inline(about)})${rest}`];
  });
}

function partHeadings(
  { phase, round }: TranscriptEntry["message"],
  before: TranscriptEntry | undefined,
  { inline, heading }: TextStyle,
): string[] {
  return [
    ...phase === before?.message.phase ? [] : [heading(2, inline(headingWords(phase)))],
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
  return [
    [0, inline(checkSentence(check))],
    ...check.claims.filter(isWrong).flatMap((claim): Item[] => [
      [1, inline(`${capitalized(claim.verdict)}: “${claim.text}”${omittedBy(claim)}`)],
      ...claim.sources.map((source): Item => [2, inline(sourceWords(source))]),
    ]),
  ];
}

function scoreWords(score: Score, start: ConveningStart, { inline, strong }: TextStyle): string {
  const judge = inline(judgeName(start, score));
  if (score.status === "unscored") {
    return `Not scored by ${judge}: ${inline(score.reason ?? "no reason given")}`;
  }
  const capped = cappedWords(score);
  const criteria = criteriaWords(score.criteria) + (capped === undefined ? "" : `; ${capped}`);
  const total = strong(String(score.total));
  return `Scored by ${judge}: ${total} of ${score.scale[1]} (${inline(criteria)})`;
}

function resultBlocks(
  { start, usage, decided }: RecordModel,
  { result, summary, summaryOf, verdicts, findings }: TranscriptOutline,
  style: TextStyle,
): string[] {
  const { inline, paragraph } = style;
  const reasons = reasonItems(start, result);
  const lists = [
    verdicts.map((verdict): Item => [
      0,
      inline(
        `${judgeName(start, verdict)}, verdict ${verdict.number}: ${answerWords(start, verdict)}`,
      ),
    ]),
    [...findings, ...findingSentences(start, result)].map((each): Item => [0, inline(each)]),
  ];
  return [
    paragraph(style.strong(inline(outcomeSentence(start, decided)))),
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
    paragraph(`Usage: ${usageSentence(usage)}`),
  ];
}

function standings(
  { scores }: TranscriptOutline["result"],
  { inline, table }: TextStyle,
): string[] {
  const rows = ranked(scores).map(([, standing]) => standing);
  if (rows.length === 0) return [];
  const criteria = Object.keys(rows[0]?.breakdown ?? {});
  const heads = [...criteria.map((id) => inline(headingWords(id))), "Total", "Scores", "Missing"];
  const cells = rows.map(({ name, breakdown, total, scored, missing }) => [
    inline(name),
    ...criteria.map((id) => (breakdown[id] ?? 0).toFixed(4)),
    total.toFixed(4),
    `${scored}`,
    `${missing}`,
  ]);
  return [table(["Participant", ...heads], cells)];
}

/**
 * Renders a convening as a markdown page. Participants' words are in block quotes, where headings, HTML and link definitions
 * become plain text, so that they cannot alter the page's structure.
 */
export function renderMarkdownTranscript(model: RecordModel): string {
  const data = { ...common("transcript"), index: "index.md" };
  return writeFrontMatter(data, transcriptBlocks(model, MARKDOWN).join("\n\n") + "\n");
}

const MARKDOWN: TextStyle = {
  inline: (text) => markdownText(text, Infinity),
  strong: (text) => `**${text}**`,
  emphasis: (text) => `*${text}*`,
  heading: (level, text) => `${"#".repeat(level)} ${text}`,
  paragraph: (text) => text,
  list: (items) => items.map(([depth, text]) => `${"  ".repeat(depth)}- ${text}`).join("\n"),
  table: (heads, rows) => tableText(heads, rows, 0),
  said: containMarkdown,
};

// With no `<` left outside code, a markdown reader that allows HTML sees the same blocks as one of these parsers. They differ
// in tables: with tables, the first line of a code block may become the heading of a table.
const parsers = [
  markdownIt("commonmark", { html: false }),
  markdownIt("commonmark", { html: false }).enable("table"),
];

/**
 * Renders text as a block quote: headings and link definitions become plain text, `<` becomes `&lt;` outside code blocks, and
 * every line stays in the quote. Text that cannot be made plain is shown as code.
 */
export function containMarkdown(body: string): string {
  // Tabs become spaces, because the quote prefix would change the width of a tab.
  const text = plainText(body).replaceAll("\t", "    ")
    .replace(/^\n+/, "").trimEnd();
  return (flatten(text) ?? fenced(text)).split("\n")
    .map((line) => line === "" ? ">" : `> ${line}`)
    .join("\n");
}

/** Returns the text without headings, definitions and HTML; undefined if some remain. */
function flatten(text: string): string | undefined {
  if (!/[<#]|\]:|^[ >*+\-\d.)=]*[=-] *$/mu.test(text)) return text;
  const lines = text.split("\n");
  const { headings, code, definitions } = parseBlocks(lines);
  const marked = new Set(headings);
  const shown = lines.map((line, at) => {
    if (code.has(at)) return line;
    const plain = (definitions ? line.replaceAll("]:", "]\\:") : line).replaceAll("<", "&lt;");
    return marked.has(at) ? plain.replace(/#+|=+|-+(?=\s*$)/, "\\$&") : plain;
  });
  const after = parseBlocks(shown);
  // An escaped heading can continue a list, which then ends a code block before its last line.
  const isCode = [...code].every((at) => after.code.has(at));
  return after.headings.length === 0 && !after.definitions && isCode ? shown.join("\n") : undefined;
}

interface Blocks {
  readonly headings: readonly number[];
  readonly code: ReadonlySet<number>;
  readonly definitions: boolean;
}

/** Finds heading lines of any parser, lines that are code in all parsers, and whether there are link definitions. */
function parseBlocks(lines: readonly string[]): Blocks {
  const all = parsers.map((parser) => parseBlocksWith(parser, lines));
  return {
    headings: all.flatMap(({ headings }) => headings),
    code: all.map(({ code }) => code).reduce((some, more) => some.intersection(more)),
    definitions: all.some(({ definitions }) => definitions),
  };
}

function parseBlocksWith(parser: ReturnType<typeof markdownIt>, lines: readonly string[]): Blocks {
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

const WIDTH = 80;
const INDENT = "    ";

/**
 * Renders a convening as plain text of at most 80 columns. Only participants' words are indented, by four columns, so that
 * they cannot imitate a heading; invisible characters are shown as `�`.
 */
export function renderTextTranscript(model: RecordModel): string {
  return transcriptBlocks(model, PLAIN).join("\n\n") + "\n";
}

const PLAIN: TextStyle = {
  inline: plainLine,
  strong: (text) => text,
  emphasis: (text) => text,
  heading: (level, text) => {
    const lines = wrappedLine(text, WIDTH);
    const longest = Math.max(...lines.split("\n").map(columns));
    return level > 2 ? lines : `${lines}\n${(level === 1 ? "=" : "-").repeat(longest)}`;
  },
  paragraph: (text) => wrappedLine(text, WIDTH),
  list: (items) =>
    items.map(([depth, text]) => wrappedLine(`${" ".repeat(depth)}- ${text}`, WIDTH)).join("\n"),
  table: ([, ...heads], rows) =>
    rows.map(([name, ...cells]) =>
      wrappedLine(
        `- ${name}: ${heads.map((head, at) => `${head} ${cells[at]}`).join(", ")}`,
        WIDTH,
      )
    ).join("\n"),
  said: (body) =>
    plainText(body).replaceAll("\t", INDENT).split("\n")
      .map((line) => wrappedLine(`${INDENT}${line}`.trimEnd(), WIDTH)).join("\n"),
};
