import type { DebateReport, DebaterScores, DebaterVerification } from "./debate_report.ts";
import type { WebSearchResult } from "../../core/evidence.ts";
import { missedWords } from "./judge_verdict.ts";
import { lineMarkdown, proseMarkdown, wordsMarkdown } from "./prose_markdown.ts";
import { linkableAddress } from "./references.ts";
import { reportAppendix } from "./report_appendix.ts";
import { bulleted, criterionWords, linked, tableOf } from "./report_words.ts";

/** One debater, or a posture that nobody could argue for, as a row of the ranking. */
interface RankedRow {
  readonly posture: string;
  readonly scores?: DebaterScores | undefined;
  readonly verification?: DebaterVerification | undefined;
}

/**
 * A report as a page of markdown. The words of models, papers and the web stand in it as words: no heading, list, table,
 * link, image or HTML in them takes effect, and only addresses that a search returned or a paper names are links.
 */
export function reportMarkdown(report: Omit<DebateReport, "markdown">): string {
  const blocks = [
    `# ${wordsMarkdown(report.question)}`,
    debatedOver(report),
    "## Executive Summary",
    report.summary.trim() === "" ? "There is none." : proseMarkdown(report.summary),
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

function listed(words: readonly string[]): string {
  const [last = "", ...before] = words.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`;
}

function rankingBlocks(report: Omit<DebateReport, "markdown">): string[] {
  const { rubric, rankedPostures } = report;
  const rows = rowsOf(report);
  const criteria = Object.keys(rubric?.weights ?? {});
  const table = tableOf(
    [
      ...["rank", "posture", "total"],
      ...criteria.map(criterionWords),
      ...["verified", "not found"],
    ],
    rows.map((row) => [
      rankOf(row, rankedPostures),
      postureWords(row),
      totalOf(row),
      ...criteria.map((id) => row.scores?.totals.byCriterion[id] ?? "–"),
      row.verification?.verified ?? "–",
      row.verification?.notFound ?? "–",
    ]),
    [1],
  );
  const how = rubric === null ? [] : [
    `A total is the weighted sum of the criteria's means over the topics, by the rubric ${
      wordsMarkdown(rubric.id)
    }, from ${rubric.scale[0]} to ${
      rubric.scale[1]
    }. Verified and not found count quotations and citations.`,
  ];
  return [table, ...how, verdictWords(report)];
}

/** By total, the best first; then those without one. */
function rowsOf(
  { verification, appendix, postures }: Omit<DebateReport, "markdown">,
): RankedRow[] {
  const known = verification.map((each, index) => ({
    posture: each.posture,
    verification: each,
    scores: appendix.scoringTable[index],
  })).sort((a, b) => sortKey(b) - sortKey(a));
  const rest = postures.filter((posture) => known.every((each) => each.posture !== posture));
  return [...known, ...rest.map((posture) => ({ posture }))];
}

function sortKey({ scores }: RankedRow): number {
  return scores?.totals.weighted ?? -Number.MAX_VALUE;
}

function rankOf(
  { scores }: RankedRow,
  ranked: DebateReport["rankedPostures"],
): string {
  const total = scores?.totals.weighted ?? null;
  if (total === null) return "–";
  const above = ranked.filter(({ score }) => score > total).length;
  const isShared = ranked.filter(({ score }) => score === total).length > 1;
  return `${above + 1}${isShared ? " (tie)" : ""}`;
}

function postureWords({ posture, verification }: RankedRow): string {
  const by = verification === undefined ? "" : ` (${wordsMarkdown(verification.debater)})`;
  return wordsMarkdown(posture) + by;
}

function totalOf({ scores, verification }: RankedRow): string {
  if (verification === undefined) return "–";
  if (verification.message === null) return "failed";
  return `${scores?.totals.weighted ?? "unscored"}${missedWords(scores)}`;
}

/** What the judges said when they compared the sides, beside what the totals say. */
function verdictWords({ verdict, rankedPostures }: Omit<DebateReport, "markdown">): string {
  const best = rankedPostures.filter(({ score }) => score === rankedPostures[0]?.score)
    .map(({ posture }) => posture);
  const highest = best.length === 0
    ? "no total can be had"
    : best.length === 1
    ? `the highest total is that of **${wordsMarkdown(best[0]!)}**`
    : `the highest total is shared: ${
      best.map((each) => `**${wordsMarkdown(each)}**`).join(" and ")
    }`;
  if (verdict.winner === null) {
    const none = verdict.outcome === "unscored"
      ? "The judges' comparison of the sides could not be had"
      : "The judges' comparison of the sides, apart from the numbers, names no winner";
    return `**Verdict:** ${none}; ${highest}.`;
  }
  const winner = `**${wordsMarkdown(verdict.winner)}**`;
  const named = `The judges' comparison of the sides, apart from the numbers, names ${winner}`;
  return best.length === 1 && best[0] === verdict.winner
    ? `**Verdict:** ${named}, which has the highest total too.`
    : `**Verdict:** ${named}. The numbers do not agree: ${highest}.`;
}

/** A page or a reference: its title, as a link where it has an address, and what it says, which may begin with the title. */
function readWords({ title, url, snippet }: WebSearchResult): string {
  const isLinked = linkableAddress(url) !== undefined;
  if (!isLinked && snippet.includes(title)) return lineMarkdown(snippet, 300);
  const words = isLinked ? linked(title, url) : lineMarkdown(title, 200);
  return snippet === "" || snippet === title ? words : `${words}: ${wordsMarkdown(snippet, 300)}`;
}
