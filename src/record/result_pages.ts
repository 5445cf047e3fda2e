// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
// Renders the result of a convening: the head of `index.md`, with bounded parts, and `summary.md`.
import { noModelSpoke } from "../core/event.ts";
import { endWords } from "../core/fact.ts";
import type { Hold, ProposalStanding } from "../core/outcome.ts";
import { type Paper, paperFile } from "../core/paper.ts";
import { counted } from "../core/text.ts";
import { lackingWords } from "../judging/scoring.ts";
import { FRONT_MATTER_TOKENS } from "./fact_row.ts";
import { common, type FrontMatter, PAGES, writeFrontMatter } from "./frontmatter.ts";
import { boundedText, markdownText, type Measure, QUOTED_WORDS, quotedWords } from "./markdown.ts";
import { isNewFork, NEW_FORK, waitingSentences } from "./metadata_file.ts";
import { PAPER_INDEX, paperIndexPath, paperSentences } from "./papers.ts";
import type { RecordModel } from "./record_model.ts";
import { findingItems, verdictLink } from "./scores_page.ts";
import {
  assessmentSentences,
  boundedItems,
  CUT,
  type Cutter,
  cutter,
  kindWords,
  nameAndPosition,
  outcomeSentence,
  QUOTED,
  ranked,
  reasonItems,
  shortName,
} from "./words.ts";

/** Maximum tokens of the parts of `index.md` whose length varies. */
const ROOM = {
  topic: 450,
  participants: 150,
  scores: 100,
  standings: 300,
  findings: 160,
  reasons: 260,
};
/** Limits for a debate over papers, which needs room for the lines on papers. */
const PAPER_ROOM = {
  ...ROOM,
  participants: 110,
  scores: 80,
  standings: 220,
  findings: 100,
  reasons: 220,
  papers: 90,
  evidence: 160,
};

/** Maximum tokens of a judge's reason, and of the sentence on the strength of an outcome. */
const REASON_TOKENS = 70;
/** Maximum tokens of a finding. */
const FINDING_TOKENS = 52;

/** Maximum waiting turns in `index.md`. */
const WAITS = 2;
/** Maximum tokens of a name or key in a waiting turn. */
const WAIT_TOKENS = 24;

/** Inputs for the lines of `index.md`. */
interface HeadSources {
  readonly model: RecordModel;
  readonly measure: Measure;
  /** Cuts a text to the tokens of a name. */
  readonly cut: Cutter;
  /** Maximum tokens of the parts. */
  readonly room: typeof ROOM;
}

/** Renders `index.md` up to the list of messages or pages. `optionalFiles` lists the files to link to. */
export function indexHead(
  model: RecordModel,
  optionalFiles: readonly string[],
  measure: Measure,
): string {
  const cut = cutter(measure);
  const { start, recordedStart } = model;
  const room = recordedStart.papers === undefined ? ROOM : PAPER_ROOM;
  const sources = { model, measure, cut, room };
  const lines = [
    `# ${cut(start.topic, 200)}`,
    "",
    `Record of a ${
      kindWords(start.kind)
    } with one markdown file per message. Below: the result, then the messages, or pages that list them.`,
    `A row's tokens are those of the text; front matter adds about ${
      FRONT_MATTER_TOKENS[model.layout]
    } to a file. ${QUOTED}`,
    "",
    ...(noModelSpoke(start.participants)
      ? [
        "**No model spoke here:** every text was written by the offline agent, which is a program.",
        "",
      ]
      : []),
    ...paperLines(sources, optionalFiles),
    ...resultLines(sources),
    ...standingLines(sources),
    linkLine(model, optionalFiles),
    "",
  ];
  return writeFrontMatter(indexData(sources), lines.join("\n") + "\n");
}

function indexData({ model, measure, room }: HeadSources): FrontMatter {
  const { start, progress } = model;
  const totals = Object.entries(model.assessment.scores)
    .map(([id, { total }]) => [id, total] as const);
  const { parent } = start;
  return {
    ...common("index"),
    pages: PAGES,
    kind: start.kind.slice(0, 80),
    topic: cutTo(start.topic, room.topic, measure),
    status: progress.status,
    end_reason: progress.endReason ?? null,
    waiting_for: progress.waitingFor?.slice(0, WAITS).map(({ participant, turn }) => ({
      participant: cutTo(participant, WAIT_TOKENS, measure),
      turn: cutTo(turn, WAIT_TOKENS, measure),
    })),
    outcome: model.outcome ?? null,
    winner: model.winner === null ? null : cutTo(model.winner, CUT.tokens, measure),
    scores: Object.fromEntries(
      fitting(
        totals,
        room.scores,
        ([id, total]) => measure(`${JSON.stringify(id)}: ${total}, `),
      ),
    ),
    participants: fitting(
      start.participants.map(({ name }) => cutTo(name, CUT.tokens, measure)),
      room.participants,
      (name) => measure(JSON.stringify(name)) + 6,
    ),
    started_at: start.startedAt,
    ended_at: progress.endedAt ?? null,
    parent: parent === undefined
      ? undefined
      : { dir: cutTo(parent.dir, CUT.tokens, measure), seq: parent.seq },
  };
}

/** Returns a text unchanged, or cut to a number of tokens with an ellipsis. */
function cutTo(text: string, maxTokens: number, measure: Measure): string {
  const points = [...text];
  let length = Math.min(points.length, 1000);
  let kept = length === points.length ? text : points.slice(0, length).join("");
  while (length > 1 && measure(JSON.stringify(kept)) > maxTokens) {
    length = Math.floor(length * 0.8);
    kept = points.slice(0, length).join("");
  }
  return length === points.length ? text : `${kept}…`;
}

/** Returns the leading items whose tokens fit into `room`. */
function fitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let used = 0;
  const left = items.findIndex((item) => (used += tokensOf(item)) > room);
  return items.slice(0, left === -1 ? undefined : left);
}

function resultLines({ model, measure, cut, room }: HeadSources): string[] {
  const { start, assessment, statistics } = model;
  const show = (maxTokens: number) => (text: string, max: number) =>
    boundedText(text, max, { maxTokens, measure });
  const waits = waitingSentences(start, model.progress, show(WAIT_TOKENS));
  const showReason = show(REASON_TOKENS);
  const reasons = reasonItems(start, assessment, {
    show: (text, max) => max > CUT.position ? showReason(text, max) : cut(text, max),
    link: verdictLink(model),
  });
  return [
    `- Status: ${statusWords(model, true)}, ${counted(statistics.messages ?? 0, "message")}`,
    ...resumeItems(model, (text) => showReason(text, MAX_FAILURE)).map((each) => `- ${each}`),
    ...waits.slice(0, WAITS).map((sentence) => `- ${sentence}`),
    ...waits.length > WAITS ? [`- Waiting for ${waits.length - WAITS} more: see metadata.md.`] : [],
    ...assessment.consensus === undefined
      ? [`- ${outcomeSentence(start, model.decided, { show: cut, strong: true })}`]
      : [],
    ...boundedLines(reasons.map((each) => `- ${each}`), {
      room: room.reasons,
      measure,
      more: (left) => `- ${counted(left, "more judge")}: see scores.md`,
    }),
    ...boundedLines(findingItems(model, (text) => show(FINDING_TOKENS)(text, 300)), {
      room: room.findings,
      measure,
      more: (left) => `- ${counted(left, "more finding")}: see summary.md`,
    }),
    "",
  ];
}

/** Maximum code points of a failure's message. */
const MAX_FAILURE = 300;

/** Describes the status, with the reason for the end unless the reason repeats the status. */
function statusWords(model: RecordModel, isBold = false): string {
  const { status, endReason } = model.progress;
  const words = isNewFork(model.start, model.progress) ? NEW_FORK : status;
  const why = endReason === undefined || endReason === status ? "" : ` (${endWords(endReason)})`;
  return `${isBold ? `**${words}**` : words}${why}`;
}

/** Says why a convening failed, and how a failed convening or a new fork is resumed; empty for other convenings. */
function resumeItems(model: RecordModel, cut: (text: string) => string): string[] {
  const { status, failure } = model.progress;
  if (status !== "failed" && !isNewFork(model.start, model.progress)) return [];
  return [
    ...failure === undefined ? [] : [`Failure: ${cut(failure)}`],
    "To resume it: `convenings resume DIR`, where DIR is this folder.",
  ];
}

/** Returns the leading lines that fit into `room`, then the line of `more` with the number of lines left out. */
function boundedLines(
  lines: readonly string[],
  { room, measure, more }: {
    readonly room: number;
    readonly measure: Measure;
    readonly more: (left: number) => string;
  },
): string[] {
  const shown = fitting(lines, room, (line) => measure(`${line}\n`));
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, more(left)];
}

/** Lists the question, the papers, the figures of quotations and the failed debaters; no lines without papers. */
function paperLines(
  { model, measure, cut }: HeadSources,
  optionalFiles: readonly string[],
): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const papers = paperItems(found.papers, optionalFiles, cut).map((links, index) =>
    `- ${index === 0 ? "Paper" : `Paper ${index + 1}`}: ${links}`
  );
  const evidence = paperSentences(model.start, found).map((sentence) => `- ${cut(sentence, 300)}`);
  return [
    `- Question: ${found.question === undefined ? "not settled yet" : cut(found.question, 300)}`,
    ...boundedLines(papers, {
      room: PAPER_ROOM.papers,
      measure,
      more: (left) => `- ${counted(left, "more paper")}: see summary.md`,
    }),
    ...boundedLines(evidence, {
      room: PAPER_ROOM.evidence,
      measure,
      more: (left) => `- ${counted(left, "more line")} on debaters: see summary.md`,
    }),
  ];
}

/** Links each paper's title to its file, and to its pages if `optionalFiles` contains them. */
function paperItems(
  papers: readonly Paper[],
  optionalFiles: readonly string[],
  cut: Cutter,
): string[] {
  return papers.map(({ title }, index) => {
    const [file, pages, name] = [paperFile(index), paperIndexPath(index), cut(title, 140)];
    return `${name === "" ? "" : `${name}: `}[${file}](${file})${
      optionalFiles.includes(pages) ? `, in parts: [${pages}](${pages})` : ""
    }`;
  });
}

function standingLines({ model, measure, cut, room }: HeadSources): string[] {
  const { scores, unscored } = model.assessment;
  if (Object.keys(scores).length + unscored.length === 0) return [];
  const sides = ranked(scores).map(([id, { name, total, scored, missing }]) => {
    const { position = "" } = model.start.participants.find((each) => each.id === id) ?? {};
    const cells = [cut(name, CUT.name), cut(position, CUT.position), total, scored, missing];
    return `| ${cells.join(" | ")} |`;
  });
  const lines = fitting(sides, room.standings, (line) => measure(`${line}\n`));
  const left = sides.length - lines.length + unscored.length;
  return [
    "| participant | position | total | scored | missing |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
    ...(left === 0 ? [] : [`${left} more, or without a readable score: see scores.md.`, ""]),
  ];
}

function linkLine(model: RecordModel, optionalFiles: readonly string[]): string {
  const links = [
    "[metadata.md](metadata.md) (configuration, participants, numbers)",
    "[summary.md](summary.md)",
    ...(model.hasScores ? ["[scores.md](scores.md)"] : []),
    ...optionalFiles.filter((name) => !PAPER_INDEX.test(name)).map((name) => `[${name}](${name})`),
    "up: [index of the day](../index.md)",
  ];
  return `Also here: ${links.join(" · ")}`;
}

/**
 * Renders `summary.md`: the result, then the quoted summary by the moderator or a judge, else the text of the last early
 * stop. `optionalFiles` lists the files to link to.
 */
export function summaryPage(model: RecordModel, optionalFiles: readonly string[] = []): string {
  const { start, progress, outcome, winner } = model;
  const data = {
    ...common("summary"),
    index: "index.md",
    status: progress.status,
    end_reason: progress.endReason ?? null,
    outcome: outcome ?? null,
    winner,
  };
  const parts = [
    `# Summary: ${markdownText(start.topic, 200)}`,
    "## Result",
    `Status: ${statusWords(model)}.${
      model.assessment.consensus === undefined
        ? ` ${outcomeSentence(start, model.decided, { show: markdownText, strong: true })}`
        : ""
    }`,
    ...listPart([
      ...resumeItems(model, (text) => markdownText(text, MAX_FAILURE)),
      ...reasonItems(start, model.assessment, { show: markdownText, link: verdictLink(model) }),
      ...waitingSentences(start, progress, markdownText),
      ...totalItems(model),
      ...assessmentSentences(start, model.assessment).map((each) => markdownText(each, 1000)),
    ]),
    ...evidencePart(model),
    ...contradictionPart(model),
    ...paperParts(model, optionalFiles),
    ...consensusParts(model),
    "[index.md](index.md) lists what was said.",
    "## Summary",
    ...summaryParts(model),
  ];
  return writeFrontMatter(data, parts.join("\n\n") + "\n");
}

/** Renders the question and the papers, with links to them and to the report; empty without papers. */
function paperParts(model: RecordModel, optionalFiles: readonly string[]): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const papers = paperItems(found.papers, optionalFiles, markdownText);
  const reports = optionalFiles.filter((path) => path.startsWith("report."));
  return [
    `Question: ${
      found.question === undefined ? "not settled yet." : markdownText(found.question, 1000)
    }`,
    ["Papers:", "", ...boundedItems(papers, "metadata.md")].join("\n").trimEnd(),
    ...(reports.length === 0
      ? []
      : [`The report: ${reports.map((path) => `[${path}](${path})`).join(", ")}.`]),
  ];
}

function evidencePart(model: RecordModel): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const items = paperSentences(model.start, found).map((each) => markdownText(each, 1000));
  return items.length === 0 ? [] : [
    "## Debaters and papers",
    boundedItems(items, "metadata.md, evidence/ and failures/").join("\n").trimEnd(),
  ];
}

/** Renders the summary as a quotation below a notice, or a sentence that there is none. */
function summaryParts({ summary, lastStop, progress }: RecordModel): string[] {
  const stop = summary === undefined && progress.status !== "completed" ? lastStop : undefined;
  const words = (summary ?? stop?.body ?? "").trim();
  return [
    ...stop === undefined
      ? []
      : [`It was stopped early (${endWords(stop.reason)}) after message ${stop.lastSeq}.`],
    ...words !== "" ? [QUOTED_WORDS, quotedWords(words)] : stop !== undefined ? [] : [
      progress.status === "completed"
        ? "No summary was made."
        : "It is not finished: there is no summary yet.",
    ],
  ];
}

function listPart(items: readonly string[]): string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${item}`).join("\n")];
}

function totalItems(model: RecordModel): string[] {
  const { scores, unscored } = model.assessment;
  return [
    ...ranked(scores).map(([id, standing]) => {
      const lacking = lackingWords(standing);
      return `${nameAndPosition(model, id)}: **${standing.total}**${
        lacking === "" ? "" : ` (${lacking})`
      }`;
    }),
    ...unscored.map((id) => `${nameAndPosition(model, id)}: no turn was scored for every side`),
  ];
}

function contradictionPart({ assessment: { contradictions } }: RecordModel): string[] {
  return contradictions.length === 0 ? [] : [
    `Winner, numbers and reasons do not agree in ${
      counted(contradictions.length, "place")
    }: see [scores.md](scores.md).`,
  ];
}

/** Renders the agreed and the open points, with the stance of each participant. */
function consensusParts(model: RecordModel): string[] {
  const { consensus } = model.assessment;
  if (consensus === undefined) return [];
  const { agreed, open, threshold } = consensus;
  return [
    "## Agreed",
    agreed.length === 0
      ? `Nothing: no point reached the required share of agreement, ${threshold}.`
      : agreed.map((each) => proposalText(model, each)).join("\n"),
    "## Open",
    open.length === 0 ? "Nothing." : open.map((each) => proposalText(model, each)).join("\n"),
  ];
}

function proposalText(
  model: RecordModel,
  { id, text, by, share, holds }: ProposalStanding,
): string {
  const from = by.length === 0
    ? ""
    : `, proposed by ${by.map((each) => shortName(model, each)).join(", ")}`;
  const lines = Object.entries(holds).map(([each, hold]) =>
    `  - ${shortName(model, each)} ${holdWords(hold)}`
  );
  return [
    `- **${markdownText(id, 40)}** (share ${share}${from}): ${markdownText(text, 1000)}`,
    ...lines,
  ].join("\n");
}

function holdWords({ stance, strength, condition }: Hold): string {
  const word = { agree: "agrees", disagree: "disagrees", abstain: "abstains" }[stance];
  return `${word} (strength ${strength})${
    condition === undefined ? "" : `, if: ${markdownText(condition, 500)}`
  }`;
}
