// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
// Renders the result of a convening: the head of `index.md`, with bounded parts, and `summary.md`.
import { NO_MODEL, writersOf } from "../core/event.ts";
import { endWords, whyEnded } from "../core/fact.ts";
import { conditionLead, type ProposalStanding } from "../core/outcome.ts";
import { paperFile } from "../core/paper.ts";
import { counted, CUT, firstPoints, percentText, tableText } from "../core/text.ts";
import { changedSpeakers, lastStop, writtenSummary } from "../judging/assessment.ts";
import { panelOutcome } from "../judging/panels.ts";
import { FRONT_MATTER_TOKENS } from "./fact_row.ts";
import {
  blocks,
  boundedText,
  common,
  type FrontMatter,
  itemList,
  markdownText,
  type Measure,
  PAGES,
  QUOTED_WORDS,
  quotedWords,
  section,
  writeFrontMatter,
} from "./frontmatter.ts";
import { isNewFork, recordedStatus, waitingSentences } from "./metadata_file.ts";
import { PAPER_INDEX, type PaperFindings, paperIndexPath, paperSentences } from "./papers.ts";
import type { RecordModel } from "./record_model.ts";
import { totalItems, verdictLink } from "./scores_page.ts";
import {
  assessmentSentences,
  conditionsOf,
  type Cutter,
  cutter,
  findingSentences,
  forkSentences,
  judgedStart,
  kindWords,
  nameOf,
  noticesPart,
  outcomeSentence,
  QUOTED,
  ranked,
  reasonItems,
  shortName,
  valueSentences,
} from "./words.ts";

/** Maximum tokens of the parts of `index.md` whose length varies. */
const ROOM = {
  topic: 450,
  participants: 150,
  scores: 100,
  standings: 300,
  findings: 160,
  reasons: 260,
  papers: 0,
  evidence: 0,
};
/** Maximum named models. */
const MODELS = 5;
/** Limits for a debate over papers, which needs room for the items on papers. */
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
/** Limits for a consensus, which has findings instead of scores and reasons. */
const CONSENSUS_ROOM = { ...ROOM, findings: 560, reasons: 0, standings: 0 };

/** Maximum tokens of a judge's reason, and of the sentence on the strength of an outcome. */
const REASON_TOKENS = 70;
const FINDING_TOKENS = 52;
/** Maximum waiting turns in `index.md`. */
const WAITS = 2;
/** Maximum tokens of a name or key in a waiting turn. */
const WAIT_TOKENS = 24;
/** Maximum code points of a failure's message. */
const MAX_FAILURE = 300;

/** Inputs for the parts of `index.md`. */
interface HeadSources {
  readonly model: RecordModel;
  readonly measure: Measure;
  /** Cuts a text to the tokens of a name. */
  readonly cut: Cutter;
  /** Maximum tokens of the parts. */
  readonly room: typeof ROOM;
  /** Files to link to that only some convenings have. */
  readonly files: readonly string[];
}

/** Renders `index.md` up to the list of messages or pages. `files` lists the optional files to link to. */
export function indexHead(model: RecordModel, files: readonly string[], measure: Measure): string {
  const { start, recordedStart, assessment } = model;
  const room = recordedStart.papers !== undefined
    ? PAPER_ROOM
    : assessment.consensus === undefined
    ? ROOM
    : CONSENSUS_ROOM;
  const sources = { model, measure, cut: cutter(measure), room, files };
  const body = blocks(
    `# ${sources.cut(start.topic, 200)}`,
    `Record of a ${
      kindWords(start.kind)
    } with one markdown file per message. Below: the result, then the messages, or pages that list them.
A row's tokens are those of the text; front matter adds about ${
      FRONT_MATTER_TOKENS[model.layout]
    } to a file. ${QUOTED}`,
    noticesPart(model),
    itemList([...headPapers(sources), ...headResult(sources)]),
    headStandings(sources),
    linkLine(model, files),
  );
  return writeFrontMatter(indexData(sources), `${body}\n\n`);
}

function indexData({ model, measure, room }: HeadSources): FrontMatter {
  const { start, progress, winner } = model;
  const { parent } = start;
  const name = (text: string, most: number = CUT.tokens) => cutTo(text, most, measure);
  const totals = Object.entries(model.assessment.scores).map(([id, { total }]) => [id, total]);
  return {
    ...common("index"),
    pages: PAGES,
    kind: start.kind.slice(0, 80),
    topic: name(start.topic, room.topic),
    status: progress.status,
    end_reason: progress.endReason ?? null,
    waiting_for: progress.waitingFor?.slice(0, WAITS).map(({ participant, turn }) => ({
      participant: name(participant, WAIT_TOKENS),
      turn: name(turn, WAIT_TOKENS),
    })),
    outcome: model.outcome ?? null,
    winner: winner === null ? null : name(winner),
    scores: Object.fromEntries(
      fitting(totals, room.scores, ([id, total]) => measure(`${JSON.stringify(id)}: ${total}, `)),
    ),
    participants: fitting(
      start.participants.map((each) => name(each.name)),
      room.participants,
      (each) => measure(JSON.stringify(each)) + 6,
    ),
    started_at: start.startedAt,
    ended_at: progress.endedAt ?? null,
    parent: parent === undefined ? undefined : { dir: name(parent.dir), seq: parent.seq },
  };
}

/** Returns a text unchanged, or cut to a number of tokens with an ellipsis. */
function cutTo(text: string, maxTokens: number, measure: Measure): string {
  let length = Math.min([...text].length, 1000);
  let kept = firstPoints(text, length);
  while (length > 1 && measure(JSON.stringify(kept)) > maxTokens) {
    length = Math.floor(length * 0.8);
    kept = firstPoints(text, length);
  }
  return kept === text ? text : `${kept}…`;
}

function fitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let used = 0;
  const left = items.findIndex((item) => (used += tokensOf(item)) > room);
  return items.slice(0, left === -1 ? undefined : left);
}

/** Returns the leading items that fit into `room`, then the item of `more` with the number of the others. */
function boundedItems(
  items: readonly string[],
  { room, measure, more }: {
    readonly room: number;
    readonly measure: Measure;
    readonly more: (left: number) => string;
  },
): string[] {
  const shown = fitting(items, room, (item) => measure(`- ${item}\n`));
  const left = items.length - shown.length;
  return left === 0 ? shown : [...shown, more(left)];
}

function headResult({ model, measure, cut, room }: HeadSources): string[] {
  const { start, assessment, statistics } = model;
  const show = (maxTokens: number) => (text: string, max: number) =>
    boundedText(text, max, { maxTokens, measure });
  const waits = waitingSentences(start, model.progress, show(WAIT_TOKENS));
  const showReason = show(REASON_TOKENS);
  const reasons = reasonItems(start, assessment, {
    show: (text, max) => max > CUT.position ? showReason(text, max) : cut(text, max),
    link: verdictLink(model),
  });
  const findings = shortFindings(model).map((each) => show(FINDING_TOKENS)(each, 300));
  return [
    ...forkSentences(start, (text) => cut(text, CUT.name)),
    `Status: ${statusText(model, true)}, ${counted(statistics.messages ?? 0, "message")}`,
    ...resumeItems(model, (text) => showReason(text, MAX_FAILURE)),
    ...waits.slice(0, WAITS),
    ...waits.length > WAITS ? [`Waiting for ${waits.length - WAITS} more: see metadata.md.`] : [],
    outcomeSentence(start, model.decided, { show: cut, strong: true }),
    ...boundedItems(reasons, {
      room: room.reasons,
      measure,
      more: (left) => `${counted(left, "more judge")}: see scores.md`,
    }),
    ...boundedItems([...judgedAgainItems(model, cut), ...findings, ...modelItems(model, cut)], {
      room: room.findings,
      measure,
      more: (left) => `${counted(left, "more finding")}: see summary.md`,
    }),
  ];
}

/** Returns the findings for a page without room for sections: proposals without stances, contradictions as a number. */
function shortFindings({ start, assessment, facts, progress }: RecordModel): string[] {
  const { contradictions, consensus } = assessment;
  return [
    ...valueSentences(start, progress.value),
    ...assessmentSentences(start, assessment),
    ...(consensus?.agreed ?? []).flatMap((point) => [
      `Agreed: ${point.text}`,
      ...conditionsOf(point).map(([id, text]) => `Condition of ${nameOf(start, id)}: ${text}`),
    ]),
    ...(consensus?.open ?? []).map(({ text, share }) =>
      `Open (${percentText(share)} agree): ${text}`
    ),
    ...changedSpeakers(start, facts.filter((fact) => fact.type === "message")),
    ...contradictions.length === 0 ? [] : [
      `Winner, verdicts and scores do not agree in ${counted(contradictions.length, "place")}.`,
    ],
  ];
}

function judgedAgainItems({ start, panels }: RecordModel, show: Cutter): string[] {
  return panels.filter(({ own }) => !own).map((panel) => {
    const by = [...panel.rubrics, ...panel.models].map((each) => show(each, CUT.name));
    const result = panel.verdicts.length === 0
      ? "Scores only."
      : outcomeSentence(judgedStart(start), panelOutcome(panel), { show });
    return `Judged again, rubric ${
      by.join(", ")
    }, without effect on the outcome: ${result} See [scores.md](scores.md).`;
  });
}

/** Describes the status, with the reason for the end unless the reason repeats the status. */
function statusText(model: RecordModel, isBold = false): string {
  const words = recordedStatus(model);
  return `${isBold ? `**${words}**` : words}${whyEnded(model.progress)}`;
}

/** Names the models that spoke, judged or checked; empty if none did. */
function modelItems({ facts }: RecordModel, show: Cutter): string[] {
  const models = [...writersOf(facts)].filter((name) => !NO_MODEL.test(name)).sort();
  if (models.length === 0) return [];
  const names = models.slice(0, MODELS).map((name) => show(name, CUT.name));
  const more = models.length > MODELS ? `, ${models.length - MODELS} more: see metadata.md` : "";
  return [`Models: ${names.join(", ")}${more}`];
}

/** Says why a convening failed, and how a convening that stands still is resumed; empty for other convenings. */
function resumeItems(model: RecordModel, cut: (text: string) => string): string[] {
  const { status, failure } = model.progress;
  const standsStill = status === "failed" || status === "stopped" || status === "paused";
  if (!standsStill && !isNewFork(model.start, model.progress)) return [];
  return [
    ...failure === undefined ? [] : [`Failure: ${cut(failure)}`],
    "To resume it: `convenings resume DIR`, where DIR is this folder.",
  ];
}

/** Describes the question, the papers, the figures of quotations and the failed debaters; empty without papers. */
function headPapers({ model, measure, cut, room, files }: HeadSources): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const papers = paperItems(found, files, cut).map((links, index) =>
    `${index === 0 ? "Paper" : `Paper ${index + 1}`}: ${links}`
  );
  const evidence = paperSentences(model.start, found).map((sentence) => cut(sentence, 300));
  return [
    `Question: ${found.question === undefined ? "not settled yet" : cut(found.question, 300)}`,
    ...boundedItems(papers, {
      room: room.papers,
      measure,
      more: (left) => `${counted(left, "more paper")}: see summary.md`,
    }),
    ...boundedItems(evidence, {
      room: room.evidence,
      measure,
      more: (left) => `${counted(left, "more line")} on debaters: see summary.md`,
    }),
  ];
}

/** Links each paper's title to its file, and to its pages if `files` contains them. */
function paperItems({ papers }: PaperFindings, files: readonly string[], cut: Cutter): string[] {
  return papers.map(({ title }, index) => {
    const [file, pages, name] = [paperFile(index), paperIndexPath(index), cut(title, 140)];
    return `${name === "" ? "" : `${name}: `}[${file}](${file})${
      files.includes(pages) ? `, in parts: [${pages}](${pages})` : ""
    }`;
  });
}

function headStandings({ model, measure, cut, room }: HeadSources): string {
  const { scores, unscored } = model.assessment;
  if (Object.keys(scores).length + unscored.length === 0) return "";
  const sides = ranked(scores).map(([id, { name, total, scored, missing }]) => {
    const { position = "" } = model.start.participants.find((each) => each.id === id) ?? {};
    return [cut(name, CUT.name), cut(position, CUT.position), total, scored, missing];
  });
  const rows = fitting(sides, room.standings, (cells) => measure(`| ${cells.join(" | ")} |\n`));
  const left = sides.length - rows.length + unscored.length;
  return blocks(
    rows.length === 0
      ? ""
      : tableText(["participant", "position", "total", "scores", "missing"], rows),
    left === 0 ? "" : `${left} more, or without a total: see scores.md.`,
  );
}

function linkLine(model: RecordModel, files: readonly string[]): string {
  const links = [
    "[metadata.md](metadata.md) (configuration, participants, numbers)",
    "[summary.md](summary.md)",
    ...(model.hasScores ? ["[scores.md](scores.md)"] : []),
    ...files.filter((name) => !PAPER_INDEX.test(name)).map((name) => `[${name}](${name})`),
    "up: [index of the day](../index.md)",
  ];
  return `Also here: ${links.join(" · ")}`;
}

/**
 * Renders `summary.md`: the result, then the quoted summary by the moderator or a judge, else the text of the last early
 * stop. `files` lists the optional files to link to.
 */
export function summaryPage(model: RecordModel, files: readonly string[]): string {
  const { start, progress, outcome, winner, assessment } = model;
  const data = {
    ...common("summary"),
    index: "index.md",
    status: progress.status,
    end_reason: progress.endReason ?? null,
    outcome: outcome ?? null,
    winner,
  };
  const body = blocks(
    `# Summary: ${markdownText(start.topic, 200)}`,
    noticesPart(model),
    "## Result",
    `Status: ${statusText(model)}. ${
      outcomeSentence(start, model.decided, { show: markdownText, strong: true })
    }`,
    itemList([
      ...resumeItems(model, (text) => markdownText(text, MAX_FAILURE)),
      ...reasonItems(start, assessment, { show: markdownText, link: verdictLink(model) }),
      ...waitingSentences(start, progress, markdownText),
      ...judgedAgainItems(model, markdownText),
      ...totalItems(model),
      ...[
        ...valueSentences(start, progress.value),
        ...findingSentences(start, { ...assessment, consensus: undefined }),
      ].map((each) => markdownText(each, 1000)),
      ...modelItems(model, markdownText),
    ]),
    evidencePart(model),
    papersPart(model, files),
    consensusPart(model),
    "[index.md](index.md) lists what was said.",
    "## Summary",
    saidPart(model),
  );
  return writeFrontMatter(data, `${body}\n`);
}

/** Renders the question and the papers, with links to them and to the report; empty without papers. */
function papersPart(model: RecordModel, files: readonly string[]): string {
  const found = model.paperFindings;
  if (found === undefined) return "";
  const reports = files.filter((path) => path.startsWith("report."))
    .map((path) => `[${path}](${path})`);
  return blocks(
    `Question: ${
      found.question === undefined ? "not settled yet." : markdownText(found.question, 1000)
    }`,
    section("Papers:", itemList(paperItems(found, files, markdownText), "metadata.md")),
    reports.length === 0 ? "" : `The report: ${reports.join(", ")}.`,
  );
}

function evidencePart({ start, paperFindings }: RecordModel): string {
  if (paperFindings === undefined) return "";
  const items = paperSentences(start, paperFindings).map((each) => markdownText(each, 1000));
  return section("## Debaters and papers", itemList(items, "metadata.md, evidence/ and failures/"));
}

function saidPart({ facts, progress }: RecordModel): string {
  const summary = writtenSummary(facts);
  const isCompleted = progress.status === "completed";
  const stop = summary === undefined && !isCompleted ? lastStop(facts) : undefined;
  const words = (summary ?? stop?.body ?? "").trim();
  const none = isCompleted
    ? "No summary was made."
    : "It is not finished: there is no summary yet.";
  return blocks(
    stop === undefined
      ? ""
      : `It was stopped early (${endWords(stop.reason)}) after message ${stop.lastSeq}.`,
    words !== "" ? blocks(QUOTED_WORDS, quotedWords(words)) : stop === undefined ? none : "",
  );
}

function consensusPart(model: RecordModel): string {
  const { consensus } = model.assessment;
  if (consensus === undefined) return "";
  const { agreed, open, threshold } = consensus;
  const points = (all: readonly ProposalStanding[], none: string) =>
    all.length === 0 ? none : all.map((each) => proposalText(model, each)).join("\n");
  return blocks(
    "## Agreed",
    points(
      agreed,
      `Nothing: no proposal reached the required agreement, ${percentText(threshold)}.`,
    ),
    "## Open",
    points(open, "Nothing."),
  );
}

function proposalText(
  model: RecordModel,
  { id, text, by, share, holds }: ProposalStanding,
): string {
  const from = by.length === 0
    ? ""
    : `, proposed by ${by.map((each) => shortName(model, each)).join(", ")}`;
  const words = { agree: "agrees", disagree: "disagrees", abstain: "abstains" };
  const lines = Object.entries(holds).map(([each, { stance, strength, condition }]) =>
    `  - ${shortName(model, each)} ${words[stance]} (strength ${strength})${
      condition === undefined
        ? ""
        : `, ${conditionLead({ stance })}: ${markdownText(condition, 500)}`
    }`
  );
  return [
    `- **${markdownText(id, 40)}** (${percentText(share)} agree${from}): ${
      markdownText(text, 1000)
    }`,
    ...lines,
  ].join("\n");
}
