import { weightedTotal } from "../../judging/scoring.ts";
import type { DebateReport, DebaterScores, DebaterVerification } from "./debate_report.ts";
import {
  type Citations,
  type LookupHit,
  markOf,
  placeWords,
  type Quotation,
  type TopicArgument,
  type Verification,
  type WebSearchResult,
} from "../../core/evidence.ts";
import { codeMarkdown, lineMarkdown, wordsMarkdown } from "./prose_markdown.ts";
import { bulleted, criterionWords, linked, tableOf, unlinked } from "./report_words.ts";

/** The most code points of a passage or quotation: the whole stands in the message and its evidence. */
const SHOWN = 200;

/** The blocks of the appendix: key claims with their evidence, the scoring table, notes, papers. */
export function reportAppendix(report: Omit<DebateReport, "markdown">): string[] {
  const { verification, notes, papers } = report;
  const argued = verification.filter(({ message }) => message !== null);
  return [
    "## Appendix",
    "### Key Claims",
    ...(argued.length === 0 ? ["Nobody argued."] : [
      "A passage or page is verified when a look-up of the debater really returned it, a quotation when its words stand " +
      "where they could have been read. Characters count from a paper's beginning.",
      ...argued.flatMap((each) => claimBlocks(each, papers)),
    ]),
    "### Scoring Table",
    ...scoringBlocks(report),
    "### Notes",
    bulleted(notes.map((note) => lineMarkdown(note))),
    "### Papers",
    bulleted(papers.map(({ id, title }) => `${codeMarkdown(id)}: ${wordsMarkdown(title)}`)),
  ];
}

type Papers = DebateReport["papers"];

function claimBlocks(
  { posture, debater, message, verified, notFound, perTopic, citations, quotations }:
    DebaterVerification,
  papers: Papers,
): string[] {
  const figures = verified + notFound === 0
    ? "It quotes and cites nothing."
    : `Quotations and citations: ${verified} verified, ${
      notFound === 0 ? "0 not found" : `**${notFound} not found**`
    }.`;
  const beside = quotations.filter(({ topic }) => perTopic.every((each) => each.topic !== topic));
  const rest = evidenceItems(citations, beside, papers);
  return [
    `#### ${wordsMarkdown(debater)}: ${wordsMarkdown(posture)}`,
    `Message ${message} holds the whole argument. ${figures}`,
    ...perTopic.flatMap((argument) => topicBlocks(argument, quotations, papers)),
    ...(rest.length === 0 ? [] : ["**Beside the topics:**", bulleted(rest)]),
  ];
}

function topicBlocks(
  { topic, claim, citations }: TopicArgument,
  quotations: readonly Quotation[],
  papers: Papers,
): string[] {
  const own = quotations.filter((each) => each.topic === topic);
  const items = evidenceItems(citations, own, papers);
  return [
    `**${wordsMarkdown(topic)}:** ${lineMarkdown(claim)}`,
    bulleted(items.length === 0 ? ["Nothing is cited or quoted."] : items),
  ];
}

function evidenceItems(
  { paper = [], web = [] }: Citations,
  quotations: readonly Quotation[],
  papers: Papers,
): string[] {
  return [
    ...paper.map((hit) => passageItem(hit, papers)),
    ...web.map(pageItem),
    ...quotations.map((quotation) => quotationItem(quotation, papers)),
  ];
}

function passageItem(hit: LookupHit, papers: Papers): string {
  const text = hit.text.trim() === "" ? "" : `: ${quoted(hit.text)}`;
  const where = hit.status === "verified" ? `, ${placeIn(hit, papers)}` : "";
  return `Passage ${codeMarkdown(hit.chunkId, 80)}${text} — ${statusWords(hit.status)}${where}`;
}

function pageItem({ title, url, status }: WebSearchResult): string {
  const words = status === "verified" ? linked(title, url) : unlinked(title, url);
  return `Page ${words} — ${statusWords(status)}`;
}

function quotationItem(quotation: Quotation, papers: Papers): string {
  const { text, status, from, source = "" } = quotation;
  const mark = status === "not found" ? statusWords(status) : markOf(quotation);
  const words = `Quotation ${quoted(text)} — ${mark}`;
  if (status !== "verified" || from === undefined) return words;
  if (from === "message") return `${words}, message ${wordsMarkdown(source, 80)}`;
  if (from === "web") {
    return [`${words}, page ${linked("", source)}`, placeWords(quotation)].filter(Boolean).join(
      ", ",
    );
  }
  return `${words}, ${placeIn({ ...quotation, paper: source }, papers)}`;
}

/** A paper's title, and the page and characters where a passage stands in it. */
function placeIn(
  place: Pick<LookupHit, "paper"> & Parameters<typeof placeWords>[0],
  papers: Papers,
): string {
  const { paper = "" } = place;
  const title = papers.find(({ id }) => id === paper)?.title ?? paper;
  return [`*${wordsMarkdown(title === "" ? "untitled" : title)}*`, placeWords(place)]
    .filter(Boolean).join(", ");
}

function statusWords(status: Verification | undefined): string {
  if (status === undefined) return "not looked up";
  return status === "verified" ? status : "**not found**";
}

function quoted(text: string): string {
  return `“${wordsMarkdown(text, SHOWN)}”`;
}

function scoringBlocks(report: Omit<DebateReport, "markdown">): string[] {
  const { appendix: { scoringTable }, rubric, verification } = report;
  if (rubric === null || scoringTable.length === 0) return ["Nothing was scored."];
  return scoringTable.flatMap((scores, index) => [
    `#### ${wordsMarkdown(verification[index]?.debater ?? "")}: ${wordsMarkdown(scores.posture)}`,
    ...(scores.totals.weighted === null ? ["It has no score."] : [
      scoresTable(scores, rubric.weights),
      ...notesList(scores),
    ]),
  ]);
}

/** Topic by criterion, then the means, whose weighted sum is the total. */
function scoresTable(
  { perTopic, totals }: DebaterScores,
  weights: Readonly<Record<string, number>>,
): string {
  const ids = Object.keys(weights);
  const row = (
    first: string,
    numbers: Readonly<Record<string, number>>,
    last: string | number,
  ) => [first, ...ids.map((id) => numbers[id] ?? "–"), last];
  return tableOf(["topic", ...ids.map(criterionWords), "weighted"], [
    ...perTopic.map(({ topic, scores, argued }) =>
      row(
        `${wordsMarkdown(topic)}${argued === false ? " (not argued)" : ""}`,
        scores,
        weightedTotal(scores, weights),
      )
    ),
    row("**mean, and total**", totals.byCriterion, `**${totals.weighted}**`),
    row("weight", weights, ""),
  ], [0]);
}

function notesList({ perTopic }: DebaterScores): string[] {
  const noted = perTopic.filter(({ notes }) => notes !== "");
  if (noted.length === 0) return [];
  return [
    bulleted(noted.map(({ topic, notes }) => `*${wordsMarkdown(topic)}:* ${lineMarkdown(notes)}`)),
  ];
}
