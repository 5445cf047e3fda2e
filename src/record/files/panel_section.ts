import type { Score } from "../../core/fact.ts";
import { type Panel, panelStandings } from "../../judging/judge_panels.ts";
import type { Message } from "../../core/message.ts";
import { agreementOf } from "../../judging/panel.ts";
import type { Agreement, JudgeAgreement } from "../../core/outcome.ts";
import { decide, type RubricStandings } from "../../judging/scoring.ts";
import { round4 } from "../../core/statistics.ts";
import type { Standing } from "../../core/outcome.ts";
import { markdownText } from "../markdown.ts";
import type { RecordModel } from "../record_model.ts";
import { agreementSentence } from "./assessment_words.ts";
import { CUT, figure, nameAndPosition, ranked, shortName, tableLines } from "./page_words.ts";

/** One panel of judges in `scores.md`: standings, verdicts, and how far they agree. */
export function panelSection(model: RecordModel, panel: Panel): string {
  const whose = panel.own ? "The convening's own judges" : "Judged again";
  const standings = panelStandings(panel, model.names);
  const lines = [
    `## ${whose}: rubric ${words(panel.rubrics)}, ${words(panel.models)}`,
    "",
    ...standings.flatMap((each) => [
      ...(standings.length === 1 ? [] : [`### By rubric ${markdownText(each.rubric, 80)}`, ""]),
      ...standingLines(model, each, panel),
    ]),
    ...verdictLines(model, panel),
    ...agreementLines(model, panel),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function words(list: readonly string[]): string {
  return list.map((each) => markdownText(each, 80)).join(", ");
}

function standingLines(
  model: RecordModel,
  { scores, unscored, weights, rubric }: RubricStandings,
  panel: Panel,
): string[] {
  const given = panel.scores.filter((score) => score.rubric === rubric);
  return [
    ...ranked(scores).flatMap(([id, standing]) => [
      ...standingTable(nameAndPosition(model, id), standing, weights),
      ...notArguedLines(given.filter(({ participant }) => participant === id)),
    ]),
    ...unscored.flatMap((
      id,
    ) => [`### ${nameAndPosition(model, id)}`, "", "No turn was scored for every side.", ""]),
  ];
}

/** The topics that count with the least number because they were not argued. */
function notArguedLines(scores: readonly Score[]): string[] {
  const topics = new Set(
    scores.flatMap(({ topics = [] }) =>
      topics.flatMap(({ topic, argued }) => argued === false ? [topic] : [])
    ),
  );
  return topics.size === 0
    ? []
    : [`Not argued, and counted as ${scores[0]!.scale[0]}: ${words([...topics])}.`, ""];
}

function standingTable(
  heading: string,
  { breakdown, total, scored, missing, unmatched = 0 }: Standing,
  weights: Readonly<Record<string, number>>,
): string[] {
  const rows = Object.entries(breakdown).map(([id, mean]) => {
    const weight = weights[id] ?? 0;
    return [markdownText(id, 80), weight, mean, round4(mean * weight)];
  });
  return [
    `### ${heading}`,
    "",
    ...tableLines(["criterion", "weight", "mean", "weighted"], rows).slice(0, -1),
    `| **total** | | | **${total}** |`,
    "",
    `${scored} scored, ${missing} missing${unmatched === 0 ? "" : `, ${unmatched} left out`}.`,
    "",
  ];
}

function verdictLines(model: RecordModel, panel: Panel): string[] {
  if (panel.verdicts.length === 0) return [];
  const { outcome, winner, votes, ties } = decide(panel.verdicts, panel.scores, panel.messages);
  const nameOfSide = (id: string | null) => id === null ? "a tie" : nameAndPosition(model, id);
  const rows = panel.verdicts.map((verdict) => [
    shortName(model, verdict.judge),
    verdict.number,
    verdict.order.map((id) => markdownText(model.names.get(id) ?? id, CUT.name)).join(", "),
    verdict.status === "read" ? nameOfSide(verdict.winner) : "unread",
  ]);
  const counted = Object.entries(votes).map(([id, count]) => `${nameOfSide(id)}: ${count}`);
  return [
    "### Verdicts",
    "",
    ...tableLines(["judge", "number", "order shown", "winner"], rows),
    `Votes: ${counted.length === 0 ? "none" : counted.join(", ")}; ties: ${ties}. ${
      winner === null ? `Outcome: ${outcome}.` : `Winner: ${nameOfSide(winner)}.`
    }`,
    "",
  ];
}

function agreementLines(model: RecordModel, panel: Panel): string[] {
  const agreement = panel.own
    ? model.assessment.agreement
    : agreementOf(panel.scores, panel.verdicts, messagesOf(model));
  if (agreement === undefined) return [];
  return [
    "### Agreement",
    "",
    agreementSentence(agreement),
    "",
    ...spreadLines(agreement),
    ...judgeLines(model, agreement),
  ];
}

function messagesOf({ facts }: RecordModel): Message[] {
  return facts.filter((fact) => fact.type === "message");
}

function spreadLines({ spread }: Agreement): string[] {
  const rows = Object.entries(spread).map(([id, value]) => [markdownText(id, 80), value]);
  return rows.length === 0
    ? []
    : [...tableLines(["criterion", "spread (mean standard deviation)"], rows)];
}

/** What a reader needs to see of each judge: a prejudice for order or length shows here. */
function judgeLines(model: RecordModel, { judges }: Agreement): string[] {
  const rows = judges.map((each) => [
    shortName(model, each.judge),
    markdownText(each.model, 80),
    each.scored,
    figure(each.mean),
    figure(each.alphaWithout),
    figure(each.withOthers),
    figure(each.byLength),
    voteWords(model, each),
  ]);
  return [
    "With others is the correlation with the other judges' means; with length, that with the words of a speech: near 1, the",
    "judge prefers the longer one. Votes are in the order of the verdicts.",
    "",
    ...tableLines([
      "judge",
      "model",
      "scored",
      "mean",
      "alpha without it",
      "with others",
      "with length",
      "votes",
    ], rows),
  ];
}

function voteWords(model: RecordModel, { votes, steady }: JudgeAgreement): string {
  if (votes.length === 0) return "none";
  const named = votes.map((id) => id === null ? "none" : shortName(model, id)).join(", ");
  return votes.length < 2 ? named : `${named} (${steady ? "steady" : "changed with the order"})`;
}
