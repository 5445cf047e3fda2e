// deno-lint-ignore-file camelcase -- the keys of the format are in snake_case
// `summary.md`: the result and the words that sum it up.
import type { Hold, ProposalStanding } from "../core/outcome.ts";
import { lackingWords } from "../judging/scoring.ts";
import { common, writeFrontMatter } from "./frontmatter.ts";
import { markdownText, QUOTED_WORDS, quotedWords } from "./markdown.ts";
import type { RecordModel } from "./record_model.ts";
import { assessmentSentences, boundedItems, nameAndPosition, ranked, shortName } from "./words.ts";
import { outcomeSentence, reasonItems } from "./outcome_words.ts";
import { verdictLink } from "./scores_page.ts";
import { waitingSentences } from "./metadata_file.ts";
import { PAPER_INDEX, paperIndexPath, paperLinks, paperSentences } from "./papers.ts";

/**
 * `summary.md`: the result first, then the moderator's or a judge's summary, or the last stop's, as a quotation; `there`
 * names the files that only some convenings have.
 */
export function summaryPage(model: RecordModel, there: readonly string[] = []): string {
  const { start, progress, outcome, winner } = model;
  const data = {
    ...common("summary"),
    index: "index.md",
    status: progress.status,
    end_reason: progress.endReason ?? null,
    outcome: outcome ?? null,
    winner,
  };
  const why = progress.endReason === undefined ? "" : ` (${progress.endReason})`;
  const parts = [
    `# Summary: ${markdownText(start.topic, 200)}`,
    "## Result",
    `Status: ${progress.status}${why}.${
      model.assessment.consensus === undefined
        ? ` ${outcomeSentence(start, model.decided, { show: markdownText, strong: true })}`
        : ""
    }`,
    ...listPart([
      ...reasonItems(start, model.assessment, { show: markdownText, link: verdictLink(model) }),
      ...waitingSentences(start, progress, markdownText),
      ...totalItems(model),
      ...assessmentSentences(start, model.assessment).map((each) => markdownText(each, 1000)),
    ]),
    ...evidencePart(model),
    ...contradictionPart(model),
    ...paperParts(model, there),
    ...consensusParts(model),
    "[index.md](index.md) lists what was said.",
    "## Summary",
    ...summaryParts(model),
  ];
  return writeFrontMatter(data, parts.join("\n\n") + "\n");
}

/** The question and the papers, with links to them and to the report; none without papers. */
function paperParts(model: RecordModel, there: readonly string[]): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const indexes = new Set(there.filter((path) => PAPER_INDEX.test(path)));
  const papers = found.papers.map((paper, index) =>
    paperLinks(paper, { index, isPaged: indexes.has(paperIndexPath(index)), cut: markdownText })
  );
  const reports = there.filter((path) => path.startsWith("report."));
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

/** Sentences on failed debaters, figures of quotations, and characters that prompts left out. */
function evidencePart(model: RecordModel): string[] {
  const found = model.paperFindings;
  if (found === undefined) return [];
  const items = paperSentences(model.start, found).map((each) => markdownText(each, 1000));
  return items.length === 0 ? [] : [
    "## Debaters and papers",
    boundedItems(items, "metadata.md, evidence/ and failures/").join("\n").trimEnd(),
  ];
}

/** The words that sum it up, behind a notice; or why there are none. */
function summaryParts({ summary, lastStop, progress }: RecordModel): string[] {
  const stop = summary === undefined && progress.status !== "completed" ? lastStop : undefined;
  const words = (summary ?? stop?.body ?? "").trim();
  return [
    ...stop === undefined
      ? []
      : [`It was stopped early (${stop.reason}) after message ${stop.lastSeq}.`],
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
    `Winner, numbers and reasons do not agree in ${contradictions.length} ${
      contradictions.length === 1 ? "place" : "places"
    }: see [scores.md](scores.md).`,
  ];
}

/** The points agreed and open, with the stance of each participant. */
function consensusParts(model: RecordModel): string[] {
  const { consensus } = model.assessment;
  if (consensus === undefined) return [];
  const { agreed, open, threshold } = consensus;
  return [
    "## Agreed",
    agreed.length === 0
      ? `Nothing: no point has the agreement of a share of ${threshold}.`
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
