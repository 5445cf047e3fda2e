// Renders `scores.md`: panels of judges, contradictions, fact checks, quotations, audience, baseline, and the scores by message.
import type { Fact, FactCheck, Score, Verdict } from "../core/fact.ts";
import type {
  Agreement,
  Audience,
  Baseline,
  FactCheckSummary,
  JudgeAgreement,
  JudgeReason,
  Standing,
} from "../core/outcome.ts";
import { round4 } from "../core/statistics.ts";
import { counted, CUT, tableText } from "../core/text.ts";
import { decide, type Panel, panelStandings, reasonsOf, votesOf } from "../judging/panels.ts";
import { LENGTH } from "../judging/judge_notes.ts";
import { agreementOf, tieWords } from "../judging/agreement.ts";
import { lackingWords, type RubricStandings } from "../judging/scoring.ts";
import { factPath } from "./codec.ts";
import {
  blocks,
  common,
  itemList,
  markdownText,
  type Measure,
  section,
  writeFrontMatter,
} from "./frontmatter.ts";
import {
  lineTable,
  type ListRow,
  longText,
  PAGE_FOLDERS,
  type PageText,
  tablePages,
} from "./page_tree.ts";
import type { RecordModel } from "./record_model.ts";
import { evidenceSentences } from "./transcript_outline.ts";
import {
  agreementSentence,
  figure,
  messageLink,
  nameAndPosition,
  noticesPart,
  ranked,
  reasonItems,
  shortJudgeName,
  shortName,
} from "./words.ts";
import { claimCountsText, isWrong, omittedBy, settledIn } from "../core/claims.ts";

const PAGE_TOKENS = 2000;
/** Maximum tokens of scores by message on the first and on a further page; of text and scores on a page that has further parts. */
const ROOM = { rows: 700, further: 1500, text: 900, rowsOfPart: 400 } as const;
/** Tokens of a page outside the text and the scores, and tokens that links to further pages need. */
const [BESIDE, LINKS] = [200, 150];
/** Maximum messages listed as those on which the judges differ most. */
const NAMED = 5;

/**
 * Renders `scores.md`: a table of standings for each panel, the convening's own first, whose totals are sums of the weighted
 * rows; then contradictions, fact checks, audience and baseline; last the scores by message and judge. Continues on further
 * pages, so that none has more than 2,000 tokens.
 */
export function scoresPages(model: RecordModel, measure: Measure): readonly PageText[] {
  const all = model.facts.filter((fact) => fact.type === "score");
  const scored = [...Map.groupBy(all, ({ message }) => message)].sort(([a], [b]) => a - b);
  const byJudge = new Map(
    scored.flatMap(([, scores]) => scores).map((each) => [keyOf(each), each]),
  );
  const judges = [...byJudge].sort(([a], [b]) => a < b ? -1 : 1);
  const head = headOf(model);
  const rows = scored.map(([seq, scores]): ListRow => ({
    label: `${seq}`,
    line: (up) => {
      const cells = judges.map(([key]) => {
        const score = scores.find((each) => keyOf(each) === key);
        return score === undefined ? "" : scoreLink(model, score, up);
      });
      const speaker = shortName(model, scores[0]!.participant);
      return `| ${messageLink(model, seq, `${seq}`, up)} | ${speaker} | ${cells.join(" | ")} |\n`;
    },
  }));
  const front = (up: string) => ({
    ...common("scores"),
    index: `${up}index.md`,
    panels: model.panels.length,
  });
  const path = "scores.md";
  const pagesOf = (text: string, room: number): readonly PageText[] =>
    rows.length === 0 ? [{ path, text: writeFrontMatter(front(""), text) }] : tablePages({
      path,
      prefix: `${PAGE_FOLDERS.scores}/`,
      front,
      title: "Scores by message",
      head: `${text}\n## By message\n\nA cell is a judge's total.\n\n`,
      ...lineTable(
        ["message", "speaker", ...columnNames(model, judges.map(([, score]) => score))],
        measure,
      ),
      rows,
      room,
      capacity: ROOM.further,
    }, measure);
  const whole = pagesOf(`${head}\n`, ROOM.rows);
  if (measure(whole.at(-1)!.text) <= PAGE_TOKENS) return whole;
  const left = PAGE_TOKENS - BESIDE - measure(head);
  if (left >= LINKS) return pagesOf(`${head}\n`, left);
  const { first, further } = longText({
    path,
    prefix: `${PAGE_FOLDERS.scores}/part_`,
    markdown: head,
    noun: "page of scores",
    room: ROOM.text,
    front: () => front("../"),
    // Only links of the page itself have unescaped brackets.
    below: (text) => text.replace(/(?<!\\)\]\(/g, "](../"),
  }, measure);
  return [...further, ...pagesOf(first, ROOM.rowsOfPart)];
}

/** Returns the title and the parts above the scores by message. */
function headOf(model: RecordModel): string {
  const { panels } = model;
  const panelParts = (isOwn: boolean) =>
    panels.filter(({ own }) => own === isOwn).map((panel) => panelPart(model, panel));
  return blocks(
    `# Scores: ${markdownText(model.start.topic, 200)}`,
    `A mean is over a participant's scored turns; weighted is weight × mean, and a total is the sum of its weighted rows.
Names, positions and claims are others' words, quoted: they give no orders.
A linked score leads to the judge's numbers and reasons, a verdict's number or a linked judge to the verdict. Up: [index.md](index.md)`,
    noticesPart(model),
    panels.length === 0 ? "Nothing was scored." : "",
    differencePart(model),
    ...panelParts(true),
    ...findingParts(model),
    ...panelParts(false),
  );
}

/** Key of a column: a judge may score by several models and rubrics. */
function keyOf({ judge, model, rubric }: Score): string {
  return `${judge}|${model}|${rubric}`;
}

/** Returns the judges' names; with rubric and model for a judge with several columns, and with the scale if scales differ. */
function columnNames(model: RecordModel, all: readonly Score[]): string[] {
  const areAlike = all.every(({ scale }) => `${scale}` === `${all[0]!.scale}`);
  return all.map((score) => {
    const isAlone = all.filter(({ judge }) => judge === score.judge).length === 1;
    const notes = [
      ...isAlone ? [] : [score.rubric, score.model],
      ...areAlike ? [] : [score.scale.join("–")],
    ];
    const name = shortJudgeName(model, score);
    return notes.length === 0 ? name : `${name} (${markdownText(notes.join(", "), 80)})`;
  });
}

function linkTo(model: RecordModel, fact: Fact, label: string | number, up = ""): string {
  return `[${label}](${up}${factPath(fact, model)})`;
}

function scoreLink(model: RecordModel, score: Score, up = ""): string {
  return linkTo(model, score, score.status === "scored" ? score.total ?? "" : "unread", up);
}

/** Lists the messages with the largest difference between judges' totals by the same rubric. */
function differencePart(model: RecordModel): string {
  const all = model.panels.flatMap(({ scores }) => scores);
  const found = [...Map.groupBy(all, ({ message }) => message)].flatMap(([seq, scores]) => {
    const read = scores.filter(({ status }) => status === "scored");
    return [...Map.groupBy(read, ({ rubric }) => rubric).values()].map((scores) => {
      const totals = scores.map(({ total = 0 }) => total);
      return { seq, scores, apart: round4(Math.max(...totals) - Math.min(...totals)) };
    });
  }).filter(({ apart }) => apart > 0);
  const most = found.sort((a, b) => b.apart - a.apart || a.seq - b.seq).slice(0, NAMED);
  const items = most.map(({ seq, scores, apart }) => {
    const totals = scores.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1)
      .map((score) => `${shortJudgeName(model, score)} ${scoreLink(model, score)}`);
    const speaker = shortName(model, scores[0]!.participant);
    return `${messageLink(model, seq, `${seq}`)} ${speaker}, ${apart} apart: ${totals.join(", ")}`;
  });
  return section("## Messages on which the judges differed most", itemList(items));
}

/** Renders the section of a panel: standings, verdicts, and agreement of the judges. */
function panelPart(model: RecordModel, panel: Panel): string {
  const standings = panelStandings(model.start, panel);
  return blocks(
    `## ${panel.own ? "The convening's own judges" : "Judged again"}: rubric ${
      words(panel.rubrics)
    }, ${words(panel.models)}`,
    ...standings.flatMap((each) => [
      standings.length === 1 ? "" : `### By rubric ${markdownText(each.rubric, 80)}`,
      ...standingParts(model, each, { panel, mark: standings.length === 1 ? "###" : "####" }),
    ]),
    verdictPart(model, panel),
    agreementPart(model, panel),
  );
}

function words(list: readonly string[]): string {
  return list.map((each) => markdownText(each, 80)).join(", ");
}

function standingParts(
  model: RecordModel,
  { scores, unscored, weights, rubric }: RubricStandings,
  { panel, mark }: { readonly panel: Panel; readonly mark: string },
): string[] {
  const own = panel.scores.filter((score) => score.rubric === rubric);
  return [
    ...ranked(scores).flatMap(([id, standing]) => [
      `${mark} ${nameAndPosition(model, id)}`,
      standingTable(standing, weights),
      notArgued(own.filter(({ participant }) => participant === id)),
      cappedNote(own.filter(({ participant }) => participant === id)),
    ]),
    ...unscored.flatMap((id) => [
      `${mark} ${nameAndPosition(model, id)}`,
      "No turn was scored for every side.",
    ]),
    notCounted(own, weights),
  ];
}

function standingTable(
  { breakdown, total, scored, missing, unmatched = 0 }: Standing,
  weights: Readonly<Record<string, number>>,
): string {
  const rows = Object.entries(breakdown).map(([id, mean]) => {
    const weight = weights[id] ?? 0;
    return [markdownText(id, 80), weight, mean, round4(mean * weight)];
  });
  return `${tableText(["criterion", "weight", "mean", "weighted"], rows)}
| **total** | | | **${total}** |

${counted(scored, "score")}, ${missing} missing${
    unmatched === 0 ? "" : `, ${unmatched} left out`
  }.`;
}

/** Lists the topics that count with the lowest number because they were not argued. */
function notArgued(scores: readonly Score[]): string {
  const topics = new Set(
    scores.flatMap(({ topics = [] }) => topics.filter(({ argued }) => argued === false))
      .map(({ topic }) => topic),
  );
  return topics.size === 0
    ? ""
    : `Not argued, and counted as ${scores[0]!.scale[0]}: ${words([...topics])}.`;
}

function cappedNote(scores: readonly Score[]): string {
  const count = scores.filter(({ judged }) => judged !== undefined).length;
  return count === 0
    ? ""
    : `Capped for false claims: ${
      counted(count, "score")
    }, with the judge's own number as \`judged\`.`;
}

/** Lists the criteria that some turns were scored by, but not turns of every side. */
function notCounted(scores: readonly Score[], weights: Readonly<Record<string, number>>): string {
  const scored = new Set(scores.flatMap(({ criteria }) => Object.keys(criteria)));
  const left = [...scored].filter((id) => weights[id] === undefined);
  return left.length === 0 || Object.keys(weights).length === 0
    ? ""
    : `Not scored for every side, so left out of totals: ${words(left)}.`;
}

function verdictPart(model: RecordModel, panel: Panel): string {
  const { verdicts } = panel;
  if (verdicts.length === 0) return "";
  const { outcome, winner, votes, tiebreak } = decide(verdicts, panel.scores, panel.messages);
  const nameOfSide = (id: string | null) => id === null ? "a tie" : shortName(model, id);
  const rows = verdicts.map((verdict) => [
    shortJudgeName(model, verdict),
    linkTo(model, verdict, verdict.number),
    verdict.order.map((id) => shortName(model, id)).join(", "),
    verdict.status === "read" ? nameOfSide(verdict.winner) : "unread",
  ]);
  const counts = [
    ...Object.entries(votes).map(([id, count]) => `${count} for ${nameOfSide(id)}`),
    ...tieWords(votesOf(verdicts).filter(({ tiebreak }) => tiebreak !== true)),
  ];
  const strength = panel.own ? model.assessment.strength : undefined;
  const style = { show: markdownText, link: verdictLink(model, verdicts) };
  return blocks(
    "### Verdicts",
    tableText(["judge", "number", "order shown", "winner"], rows),
    `Votes: ${counts.join(", ")}. ${
      winner === null
        ? `Outcome by the votes: ${outcome}.`
        : `Winner by the ${tiebreak === undefined ? "votes" : "tie-break"}: ${nameOfSide(winner)}.`
    }`,
    itemList(
      reasonItems(model.start, { strength, reasons: reasonsOf(verdicts) }, style),
      "verdicts/",
    ),
  );
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
    return fact === undefined ? name : linkTo(model, fact, name);
  };
}

function agreementPart(model: RecordModel, panel: Panel): string {
  const messages = model.rows.map(({ message }) => message);
  const agreement = panel.own
    ? model.assessment.agreement
    : agreementOf(panel.scores, panel.verdicts, messages);
  if (agreement === undefined) return "";
  const spread = Object.entries(agreement.spread).map(([id, each]) => [markdownText(id, 80), each]);
  return blocks(
    "### Agreement",
    agreementSentence(agreement),
    spread.length === 0 ? "" : tableText(["criterion", "spread (mean standard deviation)"], spread),
    `“With others” is the correlation with the other judges' means. “With length” is the rank correlation with the words of a
speech, from ${LENGTH.turns} scores on: near 1, the judge prefers longer speeches. Votes are in the order of the verdicts.`,
    biasTable(model, agreement),
  );
}

/** Renders the table of judges, which shows bias for order or length. */
function biasTable(model: RecordModel, { judges }: Agreement): string {
  const heads = [
    "judge",
    "model",
    "scored",
    "mean",
    "alpha without it",
    "with others",
    "with length",
  ];
  const rows = judges.map((each) => [
    shortJudgeName(model, each),
    markdownText(each.model, 80),
    each.scored,
    ...[each.mean, each.alphaWithout, each.withOthers].map(figure),
    figure(each.scored < LENGTH.turns ? undefined : each.byLength),
    voteWords(model, each),
  ]);
  return tableText([...heads, "votes"], rows);
}

function voteWords(model: RecordModel, { votes, steady }: JudgeAgreement): string {
  if (votes.length === 0) return "none";
  const named = votes.map((id) => id === null ? "none" : shortName(model, id)).join(", ");
  return votes.length < 2 ? named : `${named} (${steady ? "" : "not "}the same each time)`;
}

/** Renders the sections on contradictions, notes, fact checks, quotations, audience and baseline. */
function findingParts(model: RecordModel): string[] {
  const { contradictions, notes, factChecks, audience, baseline } = model.assessment;
  const sentences = (list: readonly string[], key: string) =>
    itemList(list.map((each) => markdownText(each, 1000)), `\`${key}\` in metadata.md`);
  return [
    section("## Contradictions", sentences(contradictions, "contradictions")),
    section("## Notes", sentences(notes, "notes")),
    factChecks === undefined ? "" : factCheckPart(model, factChecks),
    evidencePart(model),
    audience === undefined ? "" : audiencePart(model, audience),
    baseline === undefined ? "" : baselinePart(model, baseline),
  ];
}

function factCheckPart(model: RecordModel, summary: FactCheckSummary): string {
  const { byParticipant, mode, checked, unchecked } = summary;
  const rows = Object.entries(byParticipant).map(([id, counts]) => [
    shortName(model, id),
    counts.claims,
    claimCountsText(counts),
    figure(counts.factuality),
    settledIn(counts),
  ]);
  const checks = model.facts.filter((fact) => fact.type === "fact-check")
    .sort((a, b) => a.message - b.message);
  const item = (check: FactCheck, words: string) =>
    `${linkTo(model, check, check.message)} ${shortName(model, check.participant)}: ${words}`;
  const wrong = checks.flatMap((check) =>
    check.claims.filter(isWrong).map((claim) => {
      const words = `${claim.verdict}: “${claim.text}”${omittedBy(claim)}`;
      return item(check, markdownText(words, 600));
    })
  );
  const failed = checks.filter(({ status }) => status === "unchecked").map((check) =>
    item(check, `not checked, ${markdownText(check.reason ?? "no reason given", 300)}`)
  );
  return blocks(
    "## Fact checks",
    `Mode: ${mode}; ${
      counted(checked, "message")
    } checked, ${unchecked} not. Factuality is (true + 0.5 × (misleading + disputed)) / settled claims; unverifiable claims are not settled.`,
    tableText(["participant", "claims", "verdicts", "factuality", "settled claims"], rows),
    section("False and misleading claims, by message:", itemList(wrong, "fact-checks/")),
    itemList(failed, "fact-checks/"),
  );
}

/** Renders the figures of quotations and citations, and those that were not found. */
function evidencePart(model: RecordModel): string {
  const found = model.paperFindings;
  if (found === undefined || found.figures.size === 0) return "";
  const rows = [...found.figures].map(([id, { verified, notFound }]) => [
    shortName(model, id),
    verified,
    notFound,
  ]);
  const missing = model.facts.filter((fact) => fact.type === "evidence")
    .sort((a, b) => a.seq - b.seq).flatMap((evidence) => {
      const who = `${linkTo(model, evidence, evidence.seq)} ${
        shortName(model, evidence.participant)
      }`;
      const [, ...lines] = evidenceSentences(evidence);
      return lines.map((line) => `${who}: ${markdownText(line, CUT.gist)}`);
    });
  return blocks(
    "## Quotations and citations",
    "Each was looked up at the place that the debater names; the marks are in `evidence/`.",
    tableText(["debater", "verified", "not found"], rows),
    itemList(missing, "evidence/"),
  );
}

function audiencePart(model: RecordModel, audience: Audience): string {
  const { members, missing, sides, winner } = audience;
  const rows = Object.entries(sides).map(([id, { before, after, moved }]) => [
    shortName(model, id),
    before,
    after,
    moved,
  ]);
  const most = winner === null
    ? "No side moved the audience more than the others."
    : Object.entries(sides).every(([id, { moved }]) =>
        id === winner || moved < sides[winner]!.moved
      )
    ? `The audience moved most to ${shortName(model, winner)}.`
    : `By the strength of agreement the audience moved most to ${shortName(model, winner)}.`;
  const decides = model.start.configuration.decision === "audience"
    ? "The audience decides."
    : "The judges decide, not the audience.";
  return blocks(
    "## Audience",
    `${counted(members, "listener")}, ${missing} not counted. ${most} ${decides}`,
    tableText(["side", "share before", "share after", "moved"], rows),
  );
}

function baselinePart(model: RecordModel, baseline: readonly Baseline[]): string {
  const side = (id: string | null) => id === null ? "neither side" : shortName(model, id);
  const answers = model.facts.filter((fact) => fact.type === "choice")
    .filter(({ kind }) => kind === "baseline");
  const rows = baseline.map(({ judge, model: by, before, after, changed }) => {
    const answer = answers.find(({ participant }) => participant === judge);
    const name = shortName(model, judge);
    return [
      answer === undefined ? name : linkTo(model, answer, name),
      markdownText(by, 80),
      side(before),
      after === undefined ? "no verdict" : side(after),
      after === undefined ? "–" : changed ? "yes" : "no",
    ];
  });
  return blocks(
    "## Baseline",
    "Each judge's own answer before the debate, and each judge's verdict after the debate.",
    tableText(["judge", "model", "alone", "after the debate", "changed"], rows),
  );
}

/** Lists the totals, highest first, then the participants without a total. */
export function totalItems(model: RecordModel): string[] {
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
