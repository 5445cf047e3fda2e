// Renders `scores.md`: panels of judges, contradictions, fact checks, quotations, audience and baseline. The table of scores
// stands in `score_table.ts`.
import type { Choice, FactCheck, Score, Verdict } from "../core/fact.ts";
import {
  type Agreement,
  type Audience,
  type Baseline,
  claimCountsText,
  type FactCheckSummary,
  type JudgeAgreement,
  type JudgeReason,
  settledIn,
  type Standing,
} from "../core/outcome.ts";
import type { Message } from "../core/message.ts";
import { round4 } from "../core/statistics.ts";
import { counted } from "../core/text.ts";
import { changedSpeakers } from "../judging/assessment.ts";
import { decide, type Panel, panelStandings, reasonsOf } from "../judging/panels.ts";
import { agreementOf } from "../judging/agreement.ts";
import type { RubricStandings } from "../judging/scoring.ts";
import { factPath } from "./codec.ts";
import { markdownText, type Measure } from "./markdown.ts";
import type { PageText } from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { differenceLines, withScoreTable } from "./score_table.ts";
import {
  agreementSentence,
  assessmentSentences,
  boundedItems,
  CUT,
  figure,
  nameAndPosition,
  quotationWords,
  ranked,
  reasonItems,
  shortJudgeName,
  shortName,
  tableLines,
} from "./words.ts";

/**
 * Renders `scores.md`: a table of standings for each panel, the convening's own first, whose totals are sums of the weighted
 * rows; then contradictions, fact checks, audience and baseline; last the table of scores, by message and judge.
 */
export function scoresPages(model: RecordModel, measure: Measure): readonly PageText[] {
  const { panels } = model;
  const [own, ...later] = panels[0]?.own === true
    ? [panels[0], ...panels.slice(1)]
    : [undefined, ...panels];
  const differences = differenceLines(model);
  const sections = [
    ...(differences.length === 0 ? [] : [differences.join("\n")]),
    ...(own === undefined ? [] : [panelSection(model, own)]),
    ...findingSections(model),
    ...later.map((panel) => panelSection(model, panel)),
  ];
  const head = `# Scores: ${markdownText(model.start.topic, 200)}

A mean is over a participant's scored turns; weighted is weight × mean, and a total is the sum of its weighted rows.
Names, positions and claims are others' words, quoted: they give no orders.
A linked score leads to the judge's numbers and reasons, a verdict's number or a linked judge to the verdict. Up: [index.md](index.md)

${panels.length === 0 ? "Nothing was scored.\n\n" : ""}${sections.join("\n")}`;
  return withScoreTable(model, { head, panels: panels.length }, measure);
}

/** Renders the section of a panel: standings, verdicts, and agreement of the judges. */
function panelSection(model: RecordModel, panel: Panel): string {
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
    ...unscored.flatMap((id) => {
      const heading = `### ${nameAndPosition(model, id)}`;
      return [heading, "", "No turn was scored for every side.", ""];
    }),
    ...uncountedLines(given, weights),
  ];
}

/** Lists the criteria that some turns were scored by, but not turns of every side. */
function uncountedLines(
  scores: readonly Score[],
  weights: Readonly<Record<string, number>>,
): string[] {
  const scored = new Set(scores.flatMap(({ criteria }) => Object.keys(criteria)));
  const left = [...scored].filter((id) => weights[id] === undefined);
  return left.length === 0 || Object.keys(weights).length === 0
    ? []
    : [`Not scored for every side, so left out of totals: ${words(left)}.`, ""];
}

/** Lists the topics that count with the lowest number because they were not argued. */
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
  const nameOfSide = (id: string | null) => id === null ? "a tie" : shortName(model, id);
  const rows = panel.verdicts.map((verdict) => [
    shortJudgeName(model, verdict),
    `[${verdict.number}](${factPath(verdict, model)})`,
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
    ...boundedItems(
      reasonItems(model.start, {
        strength: panel.own ? model.assessment.strength : undefined,
        reasons: reasonsOf(panel.verdicts),
      }, { show: markdownText, link: verdictLink(model, panel.verdicts) }),
      "verdicts/",
    ),
  ];
}

/** Returns a function that links a judge's name to the verdict with the judge's reason. */
export function verdictLink(
  model: RecordModel,
  verdicts: readonly Verdict[] = model.panels.find(({ own }) => own)?.verdicts ?? [],
): (name: string, reason: JudgeReason) => string {
  return (name, { judge, model: by, verdict }) => {
    const fact = verdicts.find((each) =>
      each.judge === judge && each.model === by && each.number === verdict
    );
    return fact === undefined ? name : `[${name}](${factPath(fact, model)})`;
  };
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
    : tableLines(["criterion", "spread (mean standard deviation)"], rows);
}

/** Renders the table of judges, which shows bias for order or length. */
function judgeLines(model: RecordModel, { judges }: Agreement): string[] {
  const rows = judges.map((each) => [
    shortJudgeName(model, each),
    markdownText(each.model, 80),
    each.scored,
    figure(each.mean),
    figure(each.alphaWithout),
    figure(each.withOthers),
    figure(each.byLength),
    voteWords(model, each),
  ]);
  return [
    "“With others” is the correlation with the other judges' means. “With length” is the correlation with the words of a",
    "speech: near 1, the judge prefers longer speeches. Votes are in the order of the verdicts.",
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

/** Renders the sections on contradictions, notes, fact checks, quotations, audience and baseline. */
function findingSections(model: RecordModel): string[] {
  const { contradictions, notes, factChecks, audience, baseline } = model.assessment;
  return [
    ...sentenceSection("Contradictions", contradictions, "`contradictions` in metadata.md"),
    ...sentenceSection("Notes", notes, "`notes` in metadata.md"),
    ...(factChecks === undefined ? [] : [factCheckSection(model, factChecks)]),
    ...evidenceSection(model),
    ...(audience === undefined ? [] : [audienceSection(model, audience)]),
    ...(baseline === undefined ? [] : [baselineSection(model, baseline)]),
  ];
}

function sentenceSection(heading: string, sentences: readonly string[], where: string): string[] {
  if (sentences.length === 0) return [];
  const items = sentences.map((each) => markdownText(each, 1000));
  return [[`## ${heading}`, "", ...boundedItems(items, where)].join("\n")];
}

function factCheckSection(model: RecordModel, summary: FactCheckSummary): string {
  const { byParticipant, mode, checked, unchecked } = summary;
  const rows = Object.entries(byParticipant).map(([id, counts]) => [
    shortName(model, id),
    counts.claims,
    claimCountsText(counts),
    figure(counts.factuality),
    settledIn(counts),
  ]);
  const checks = model.facts.filter((fact) => fact.type === "fact-check")
    .toSorted((a, b) => a.message - b.message);
  const wrong = checks.flatMap((check) => falseClaims(model, check));
  const failed = checks.filter(({ status }) => status === "unchecked").map((check) =>
    `${linkTo(model, check)} ${shortName(model, check.participant)}: not checked, ${
      markdownText(check.reason ?? "no reason given", 300)
    }`
  );
  return [
    "## Fact checks",
    "",
    `Mode: ${mode}; ${
      counted(checked, "message")
    } checked, ${unchecked} not. Factuality is (true + 0.5 × (misleading + disputed)) / settled claims; unverifiable claims are not settled.`,
    "",
    ...tableLines(["participant", "claims", "verdicts", "factuality", "settled claims"], rows),
    ...(wrong.length === 0
      ? []
      : ["False claims, by message:", "", ...boundedItems(wrong, "fact-checks/")]),
    ...(failed.length === 0 ? [] : boundedItems(failed, "fact-checks/")),
  ].join("\n");
}

function falseClaims(model: RecordModel, check: FactCheck): string[] {
  return check.claims.filter(({ verdict }) => verdict === "false").map(({ text }) =>
    `${linkTo(model, check)} ${shortName(model, check.participant)}: ${markdownText(text, 300)}`
  );
}

function linkTo(model: RecordModel, check: FactCheck): string {
  return `[${check.message}](${factPath(check, model)})`;
}

/** Renders the figures of quotations and citations, and the quotations that were not found. */
function evidenceSection(model: RecordModel): string[] {
  const found = model.paperFindings;
  if (found === undefined || found.figures.size === 0) return [];
  const rows = [...found.figures].map(([id, { verified, notFound }]) => [
    shortName(model, id),
    verified,
    notFound,
  ]);
  const missing = model.facts.filter((fact) => fact.type === "evidence")
    .toSorted((a, b) => a.seq - b.seq).flatMap((evidence) =>
      evidence.quotations.filter(({ status }) => status === "not found").map((quotation) =>
        `[${evidence.seq}](${factPath(evidence, model)}) ${
          shortName(model, evidence.participant)
        }: ${quotationWords(quotation)}`
      )
    );
  return [[
    "## Quotations and citations",
    "",
    "Each was looked up at the place that the debater names; the marks are in `evidence/`.",
    "",
    ...tableLines(["debater", "verified", "not found"], rows),
    ...(missing.length === 0 ? [] : boundedItems(missing, "evidence/")),
  ].join("\n")];
}

function audienceSection(model: RecordModel, audience: Audience): string {
  const { members, missing, sides, winner } = audience;
  const rows = Object.entries(sides).map(([id, { before, after, moved }]) => [
    shortName(model, id),
    before,
    after,
    moved,
  ]);
  const most = winner === null
    ? "No side moved the audience more than the others."
    : `The audience moved most to ${shortName(model, winner)}.`;
  const decides = model.start.configuration.decision === "audience"
    ? "The audience decides."
    : "The judges decide, not the audience.";
  return [
    "## Audience",
    "",
    `${counted(members, "listener")}, ${missing} not counted. ${most} ${decides}`,
    "",
    ...tableLines(["side", "share before", "share after", "moved"], rows),
  ].join("\n");
}

function baselineSection(model: RecordModel, baseline: readonly Baseline[]): string {
  const side = (id: string | null) => id === null ? "neither side" : shortName(model, id);
  const rows = baseline.map(({ judge, model: name, before, after, changed }) => [
    answerLink(model, judge),
    markdownText(name, 80),
    side(before),
    after === undefined ? "no verdict" : side(after),
    after === undefined ? "–" : changed ? "yes" : "no",
  ]);
  return [
    "## Baseline",
    "",
    "Each judge's own answer before the debate, and each judge's verdict after the debate.",
    "",
    ...tableLines(["judge", "model", "alone", "after the debate", "changed"], rows),
  ].join("\n");
}

/** Links a judge's name to the judge's answer before the debate. */
function answerLink(model: RecordModel, judge: string): string {
  const answer = model.facts.find((fact): fact is Choice =>
    fact.type === "choice" && fact.kind === "baseline" && fact.participant === judge
  );
  const name = shortName(model, judge);
  return answer === undefined ? name : `[${name}](${factPath(answer, model)})`;
}

/** Returns the findings as list items, for pages without room for sections. */
export function findingItems(model: RecordModel, cut: (text: string) => string): string[] {
  const { contradictions, consensus } = model.assessment;
  const { agreed = [] } = consensus ?? {};
  return [
    ...assessmentSentences(model.start, model.assessment),
    ...agreed.map(({ text }) => `Agreed: ${text}`),
    ...changedSpeakers(model.start, messagesOf(model)),
    ...(contradictions.length === 0 ? [] : [
      `Winner, numbers and reasons do not agree in ${counted(contradictions.length, "place")}.`,
    ]),
  ].map((sentence) => `- ${cut(sentence)}`);
}
