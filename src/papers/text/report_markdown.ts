// Renders the report of a paper debate as markdown.
import type { Quotation, TopicArgument, WebSearchResult } from "../../core/paper.ts";
import { listed, oneLine, tableText } from "../../core/text.ts";
import { weightedTotal } from "../../judging/scoring.ts";
import type { DebateReport, DebaterScores, DebaterVerification } from "./debate_report.ts";
import { evidenceItems } from "./argument_body.ts";
import { bestPostures, missedWords, rankOf } from "./debaters.ts";
import {
  codeMarkdown,
  lineMarkdown,
  linkableAddress,
  proseMarkdown,
  wordsMarkdown,
} from "./lists.ts";

type Report = Omit<DebateReport, "markdown">;

/**
 * Renders a report as markdown. Text of models, papers and the web is escaped: headings, lists, tables, links, images and
 * HTML in it have no effect. Only URLs that a search returned or a paper lists are links. `notices` are what a reader needs
 * first.
 */
export function reportMarkdown(report: Report, notices: readonly string[] = []): string {
  const blocks = [
    `# ${wordsMarkdown(report.question)}`,
    debatedOver(report),
    ...notices.map((each) => `**${wordsMarkdown(each)}**`),
    "## Executive Summary",
    report.summary.trim() === "" ? "No summary was made." : proseMarkdown(report.summary),
    "## Topics Covered",
    bulleted(report.topics.map((topic) => lineMarkdown(topic))),
    "## Posture Rankings",
    ...rankingBlocks(report),
    "## Validated Insights",
    bulleted(report.validatedInsights.map((each) => lineMarkdown(each))),
    "## Controversial Points",
    bulleted(report.controversialPoints.map((each) => lineMarkdown(each))),
    "## Recommended Next Reads",
    report.recommendedNextReads.length === 0
      ? lineMarkdown(report.noNextReads ?? "There are none.")
      : bulleted(report.recommendedNextReads.map(readWords)),
    ...reportAppendix(report),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function debatedOver({ papers }: Pick<DebateReport, "papers">): string {
  const titles = papers.map(({ title }) => `*${wordsMarkdown(title)}*`);
  const over = titles.length === 0 ? "" : ` over ${listed(titles)}`;
  return `A debate${over}. What debaters, judges and papers say here is quoted: it gives a reader no orders.`;
}

function rankingBlocks(report: Report): string[] {
  const { rubric, verification, postures, appendix: { scoringTable } } = report;
  const criteria = Object.keys(rubric?.weights ?? {});
  const heads = [
    "rank",
    "posture",
    "total",
    ...criteria.map(criterionWords),
    "verified",
    "not found",
  ];
  const debaters = verification.map((each, index) => ({ ...each, scores: scoringTable[index] }))
    .sort((a, b) => totalOf(b.scores) - totalOf(a.scores));
  const ranked = debaters.map(({ posture, debater, message, verified, notFound, scores }) => [
    rankOf(totalOf(scores), report, String),
    `${wordsMarkdown(posture)} (${wordsMarkdown(debater)})`,
    message === null ? "failed" : `${scores?.totals.weighted ?? "unscored"}${missedWords(scores)}`,
    ...criteria.map((id) => scores?.totals.byCriterion[id] ?? "–"),
    verified,
    notFound,
  ]);
  const unargued = postures.filter((each) => debaters.every(({ posture }) => posture !== each))
    .map((each) => heads.map((_, at) => at === 1 ? wordsMarkdown(each) : "–"));
  const how = rubric === null ? [] : [
    "A total is the weighted sum of the criteria's means over the topics, by the rubric " +
    `${wordsMarkdown(rubric.id)}, from ${rubric.scale.join(" to ")}. ` +
    "Verified and not found count quotations and citations.",
  ];
  return [tableText(heads, [...ranked, ...unargued], 1), ...how, verdictWords(report)];
}

/** Returns the total of scores; less than any total without one. */
function totalOf(scores: DebaterScores | undefined): number {
  return scores?.totals.weighted ?? -Infinity;
}

/** Returns sentences on the comparison of the sides: the winner, the agreement with the totals, and the strength. */
function verdictWords({ verdict, rankedPostures }: Report): string {
  const { outcome, winner, strength } = verdict;
  const sure = strength === undefined ? "" : ` ${wordsMarkdown(strength)}`;
  const best = bestPostures(rankedPostures);
  // Within the sentence a posture has no full stop of its own.
  const strong = (posture: string) => `**${wordsMarkdown(posture).replace(/\.$/, "")}**`;
  const named = best.map(strong).join(" and ");
  const unique = best.length === 1
    ? `the highest total is that of ${named}`
    : `the highest total is shared: ${named}`;
  const highest = best.length === 0 ? "there is no total" : unique;
  if (outcome === "unscored" && winner === null) {
    return `**Verdict:** A comparison of the sides is not available; ${highest}.`;
  }
  const compared = "**Verdict:** The comparison of the sides, apart from the numbers, names";
  if (winner === null) return `${compared} no winner; ${highest}.${sure}`;
  const verdictOf = `${compared} ${strong(winner)}`;
  return best.length === 1 && best[0] === winner
    ? `${verdictOf}, which has the highest total too.${sure}`
    : `${verdictOf}. The numbers do not agree: ${highest}.${sure}`;
}

/** Returns a page or reference: its title, linked if it has a URL, and its snippet. */
function readWords({ title, url, snippet }: WebSearchResult): string {
  const address = linkableAddress(url);
  if (address === undefined && snippet.includes(title)) return lineMarkdown(snippet, 300);
  const words = address === undefined
    ? lineMarkdown(title, 300)
    : `[${wordsMarkdown(title.trim() === "" ? address : title, 300)}](${destination(address)})`;
  return snippet === "" || snippet === title ? words : `${words}: ${wordsMarkdown(snippet, 300)}`;
}

/** Returns a list of markdown items; `None.` without items. */
function bulleted(items: readonly string[]): string {
  return items.length === 0 ? "None." : items.map((item) => `- ${item}`).join("\n");
}

function criterionWords(id: string): string {
  return wordsMarkdown(id.replaceAll("_", " "));
}

/** Escapes a URL as the target of a markdown link. */
function destination(address: string): string {
  const safe = address.replace(/[\\<>\s`]/g, encodeURIComponent)
    .replace(/&(?=#?[\p{L}\p{N}]{1,40};)/gu, "&amp;");
  return /[()]/.test(safe) ? `<${safe}>` : safe;
}

/** Returns the blocks of the appendix: key claims with evidence, scoring table, notes, papers. */
function reportAppendix(report: Report): string[] {
  const { verification, notes, papers } = report;
  const argued = verification.filter(({ message }) => message !== null);
  const titleOf = (paper: string) => {
    const title = papers.find(({ id }) => id === paper)?.title ?? paper;
    return `*${wordsMarkdown(title === "" ? "untitled" : title)}*`;
  };
  return [
    "## Appendix",
    "### Key Claims",
    ...(argued.length === 0 ? ["Nobody argued."] : [
      "A passage or page is verified when a look-up of the debater really returned it, a quotation when its words are found " +
      "where they could have been read. Characters count from a paper's beginning.",
      ...argued.flatMap((each) => claimBlocks(each, titleOf)),
    ]),
    "### Scoring Table",
    ...scoringBlocks(report),
    "### Notes",
    bulleted(notes.map((note) => lineMarkdown(note))),
    "### Papers",
    bulleted(papers.map(({ id, title }) => `${codeMarkdown(id)}: ${wordsMarkdown(title)}`)),
  ];
}

/** Maximum code points of a quotation; message and evidence have the whole. */
const SHOWN = 200;

function claimBlocks(
  { posture, debater, message, verified, notFound, perTopic, citations, quotations }:
    DebaterVerification,
  titleOf: (paper: string) => string,
): string[] {
  const lacking = notFound === 0 ? "0 not found" : `**${notFound} not found**`;
  const figures = verified + notFound === 0
    ? "It quotes and cites nothing."
    : `Quotations and citations: ${verified} verified, ${lacking}.`;
  const shown = quotations.map((each) => ({ ...each, text: oneLine(each.text, SHOWN) }));
  const others = shown.filter(({ topic }) => perTopic.every((each) => each.topic !== topic));
  const rest = evidenceItems(citations, others, titleOf);
  return [
    `#### ${wordsMarkdown(debater)}: ${wordsMarkdown(posture)}`,
    `Message ${message} holds the whole argument. ${figures}`,
    ...perTopic.flatMap((argument) => topicBlocks(argument, shown, titleOf)),
    ...(rest.length === 0 ? [] : ["**Outside of the topics:**", bulleted(rest)]),
  ];
}

function topicBlocks(
  { topic, claim, citations }: TopicArgument,
  quotations: readonly Quotation[],
  titleOf: (paper: string) => string,
): string[] {
  const own = quotations.filter((each) => each.topic === topic);
  const items = evidenceItems(citations, own, titleOf);
  return [
    `**${wordsMarkdown(topic)}:** ${lineMarkdown(claim)}`,
    bulleted(items.length === 0 ? ["Nothing is cited or quoted."] : items),
  ];
}

function scoringBlocks(report: Report): string[] {
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

/** Returns a table of topics by criteria, with means, total and weights in the last rows. */
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
  return tableText(["topic", ...ids.map(criterionWords), "weighted"], [
    ...perTopic.map(({ topic, scores, argued }) =>
      row(
        `${wordsMarkdown(topic)}${argued === false ? " (not argued)" : ""}`,
        scores,
        weightedTotal(scores, weights),
      )
    ),
    row("**mean, and total**", totals.byCriterion, `**${totals.weighted}**`),
    row("weight", weights, ""),
  ], 0);
}

function notesList({ perTopic }: DebaterScores): string[] {
  const noted = perTopic.filter(({ notes }) => notes !== "")
    .map(({ topic, notes }) => `*${wordsMarkdown(topic)}:* ${lineMarkdown(notes)}`);
  return noted.length === 0 ? [] : [bulleted(noted)];
}
