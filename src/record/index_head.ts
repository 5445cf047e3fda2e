// The head of `index.md`: state, result and links of a convening, each part of bounded size.
import { CUT, type Cutter, cutter, kindWords, QUOTED, ranked } from "./words.ts";
import { counted } from "../core/text.ts";
import { PAPER_INDEX, paperIndexPath, paperLinks, paperSentences } from "./papers.ts";
import { FRONT_MATTER_TOKENS } from "./fact_row.ts";
import { common, type FrontMatter, PAGES, writeFrontMatter } from "./frontmatter.ts";
import { boundedText, type Measure } from "./markdown.ts";
import type { RecordModel } from "./record_model.ts";
import { noModelSpoke } from "../core/event.ts";
import { findingItems, verdictLink } from "./scores_page.ts";
import { outcomeSentence, reasonItems } from "./outcome_words.ts";
import { waitingSentences } from "./metadata_file.ts";

/** The most tokens of each part of `index.md` that can be long. */
const ROOM = {
  topic: 450,
  participants: 150,
  scores: 100,
  standings: 300,
  findings: 160,
  reasons: 260,
};
/** The same where papers are debated, whose lines take their share. */
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

/** The most tokens of a judge's reason, or of the strength of an outcome. */
const REASON_TOKENS = 70;
/** The most tokens of a finding. */
const FINDING_TOKENS = 52;

/** The most awaited turns that `index.md` names. */
const WAITS = 2;
/** The tokens of a name or key in them, at most. */
const WAIT_TOKENS = 24;

/** The most tokens of the parts of a convening's index. */
function roomOf({ given }: RecordModel): typeof ROOM {
  return given.papers === undefined ? ROOM : PAPER_ROOM;
}

/** `index.md` up to the list of messages or pages; `there` names the files that only some convenings have. */
export function indexHead(
  model: RecordModel,
  there: readonly string[],
  measure: Measure,
): string {
  const cut = cutter(measure);
  const { start } = model;
  const lines = [
    `# ${cut(start.topic, 200)}`,
    "",
    `Record of a ${
      kindWords(start.kind)
    }, one markdown file a message: the result, then messages, or pages that list them.`,
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
    ...paperLines(model, there, { cut, measure }),
    ...resultLines(model, { cut, measure }),
    ...standingLines(model, { cut, measure }),
    linkLine(model, there),
    "",
  ];
  return writeFrontMatter(indexData(model, measure), lines.join("\n") + "\n");
}

function indexData(model: RecordModel, measure: Measure): FrontMatter {
  const { start, progress } = model;
  const { parent } = start;
  return {
    ...common("index"),
    pages: PAGES,
    kind: start.kind.slice(0, 80),
    topic: cutTo(start.topic, roomOf(model).topic, measure),
    status: progress.status,
    end_reason: progress.endReason ?? null,
    waiting_for: progress.waitingFor?.slice(0, WAITS).map(({ participant, turn }) => ({
      participant: cutTo(participant, WAIT_TOKENS, measure),
      turn: cutTo(turn, WAIT_TOKENS, measure),
    })),
    outcome: model.outcome ?? null,
    winner: model.winner === null ? null : cutTo(model.winner, CUT.tokens, measure),
    scores: scoreData(model, measure),
    participants: fitting(
      start.participants.map(({ name }) => cutTo(name, CUT.tokens, measure)),
      roomOf(model).participants,
      (name) => measure(JSON.stringify(name)) + 6,
    ),
    started_at: start.startedAt,
    ended_at: progress.endedAt ?? null,
    parent: parent === undefined
      ? undefined
      : { dir: cutTo(parent.dir, CUT.tokens, measure), seq: parent.seq },
  };
}

/** A text as it is, or cut to a number of tokens. */
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

function scoreData(model: RecordModel, measure: Measure): FrontMatter {
  const totals = Object.entries(model.assessment.scores)
    .map(([id, { total }]) => [id, total] as const);
  return Object.fromEntries(
    fitting(
      totals,
      roomOf(model).scores,
      ([id, total]) => measure(`${JSON.stringify(id)}: ${total}, `),
    ),
  );
}

/** The first items, as many as have room for their tokens. */
function fitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let used = 0;
  const left = items.findIndex((item) => (used += tokensOf(item)) > room);
  return items.slice(0, left === -1 ? undefined : left);
}

function resultLines(
  model: RecordModel,
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const { progress: { status, endReason }, statistics } = model;
  const waits = waitingSentences(
    model.start,
    model.progress,
    (text, max) => boundedText(text, max, { maxTokens: WAIT_TOKENS, measure }),
  );
  const why = endReason === undefined ? "" : ` (${endReason})`;
  return [
    `- Status: **${status}**${why}, ${statistics.messages} messages`,
    ...waits.slice(0, WAITS).map((sentence) => `- ${sentence}`),
    ...(waits.length > WAITS
      ? [`- Waiting for ${waits.length - WAITS} more: see metadata.md.`]
      : []),
    ...(model.assessment.consensus === undefined
      ? [`- ${outcomeSentence(model.start, model.decided, { show: cut, strong: true })}`]
      : []),
    ...reasonLines(model, { cut, measure }),
    ...findingLines(model, { measure }),
    "",
  ];
}

/** The strength of the outcome and the judges' reasons with links to their verdicts, as many as have room. */
function reasonLines(
  model: RecordModel,
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const show = (text: string, max: number) =>
    boundedText(text, max, { maxTokens: REASON_TOKENS, measure });
  const items = reasonItems(model.start, model.assessment, {
    show: (text, max) => max > CUT.position ? show(text, max) : cut(text, max),
    link: verdictLink(model),
  });
  return boundedLines(items.map((each) => `- ${each}`), {
    room: roomOf(model).reasons,
    measure,
    more: (left) => `- ${counted(left, "more judge")}: see scores.md`,
  });
}

/** Findings other than standings, as many as have room. */
function findingLines(
  model: RecordModel,
  { measure }: { measure: Measure },
): string[] {
  const show = (text: string) => boundedText(text, 300, { maxTokens: FINDING_TOKENS, measure });
  return boundedLines(findingItems(model, show), {
    room: roomOf(model).findings,
    measure,
    more: (left) => `- ${left} more findings: see summary.md`,
  });
}

/** Lines as many as have room, then `more` of the number of those that are left out. */
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

/** The question, the papers, the figures of quotations and the failed debaters; none without papers. */
function paperLines(
  model: RecordModel,
  there: readonly string[],
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const indexes = new Set(there.filter((path) => PAPER_INDEX.test(path)));
  const papers = found.papers.map((paper, index) =>
    `- ${index === 0 ? "Paper" : `Paper ${index + 1}`}: ${
      paperLinks(paper, { index, isPaged: indexes.has(paperIndexPath(index)), cut })
    }`
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

function standingLines(
  model: RecordModel,
  { cut, measure }: { cut: Cutter; measure: Measure },
): string[] {
  const { scores, unscored } = model.assessment;
  if (Object.keys(scores).length + unscored.length === 0) return [];
  const sides = ranked(scores).map(([id, { name, total, scored, missing }]) => {
    const { position = "" } = model.start.participants.find((each) => each.id === id) ?? {};
    const cells = [cut(name, CUT.name), cut(position, CUT.position), total, scored, missing];
    return `| ${cells.join(" | ")} |`;
  });
  const lines = fitting(sides, roomOf(model).standings, (line) => measure(`${line}\n`));
  const left = sides.length - lines.length + unscored.length;
  return [
    "| participant | position | total | scored | missing |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
    ...(left === 0 ? [] : [`${left} more, or without a readable score: see scores.md.`, ""]),
  ];
}

function linkLine(model: RecordModel, there: readonly string[]): string {
  const links = [
    "[metadata.md](metadata.md) (configuration, participants, numbers)",
    "[summary.md](summary.md)",
    ...(model.hasScores ? ["[scores.md](scores.md)"] : []),
    ...there.filter((name) => !PAPER_INDEX.test(name)).map((name) => `[${name}](${name})`),
    "up: [index of the day](../index.md)",
  ];
  return `Also here: ${links.join(" · ")}`;
}
