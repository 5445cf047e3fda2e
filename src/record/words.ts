// Sentences, names and tables that several pages of a record share.
import { type ConveningStart, noticesOf } from "../core/event.ts";
import { listenersNamed } from "../core/participant.ts";
import type { Fact, FactCheck, Score, Verdict } from "../core/fact.ts";
import {
  type Agreement,
  type Assessment,
  type Audience,
  type Baseline,
  conditionLead,
  type FactCheckSummary,
  type JudgeReason,
  type Outcome,
  type ProposalStanding,
  type Standing,
  type VoteSplit,
} from "../core/outcome.ts";
import { capitalized, counted, CUT, headingWords, oneLine, percentText } from "../core/text.ts";
import type { Naming } from "./fact_row.ts";
import { blocks, boundedText, markdownText, type Measure } from "./frontmatter.ts";
import { claimCountsText, countsOf } from "../core/claims.ts";

/** Returns the part of a page with what its reader needs first; see {@linkcode noticesOf}. */
export function noticesPart(
  { start, facts }: { readonly start: ConveningStart; readonly facts: readonly Fact[] },
): string {
  return blocks(...noticesOf(start, facts).map((each) => `**${markdownText(each, 1000)}**`));
}

/** Returns the names of participants, judges and listeners by id. A start lists listeners in the configuration only. */
export function namesIn(start: ConveningStart): ReadonlyMap<string, string> {
  const { kind, participants, judges, configuration } = start;
  const recorded = [...participants, ...judges];
  const { audience } = configuration;
  const listeners = kind === "debate" && Array.isArray(audience) ? audience : [];
  const named = listenersNamed(
    // A hand may have changed the record.
    listeners.map((each) => typeof each?.name === "string" ? each : {}),
    new Set(recorded.map(({ id }) => id)),
  );
  return new Map([...recorded, ...named].map(({ id, name }) => [id, name]));
}

/** Returns the name of a participant, judge or listener, or the id if the name is unknown. */
export function nameOf(start: ConveningStart, id: string): string {
  return namesIn(start).get(id) ?? id;
}

/** Returns a judge's name; the name of a judge of a later panel, which the start lacks, is that of its model. */
export function judgeName(
  start: ConveningStart,
  { judge, model }: { readonly judge: string; readonly model: string },
): string {
  return judgedLater(start, judge) ? `${model} (judged again)` : nameOf(start, judge);
}

/** Lists numbers by criterion. */
export function criteriaWords(numbers: Score["criteria"]): string {
  return Object.entries(numbers)
    .map(([id, value]) => `${headingWords(id).toLowerCase()} ${value}`).join(", ");
}

/** States the judge's own numbers of capped criteria; undefined if none is capped. */
export function cappedWords({ judged }: Score): string | undefined {
  return judged && `before the cap for false claims: ${criteriaWords(judged)}`;
}

/** Returns true for a judge that is not the convening's own: one of a panel that judged later. */
export function judgedLater(
  { participants, judges }: Pick<ConveningStart, "participants" | "judges">,
  judge: string,
): boolean {
  return [...judges, ...participants].every(({ id }) => id !== judge);
}

/** Describes the answer of a verdict: a winner's name, `a tie`, or `could not be read`. */
export function answerWords(start: ConveningStart, { status, winner }: Verdict): string {
  if (status === "unread") return "could not be read";
  return winner === null ? "a tie" : nameOf(start, winner);
}

/** Returns the findings of a result, a sentence each, as transcripts, briefs and commands show them. Names are not escaped. */
export function findingSentences(start: ConveningStart, result: Partial<Assessment>): string[] {
  const { contradictions = [], notes = [] } = result;
  return [
    ...consensusLines(start, result),
    ...assessmentSentences(start, result),
    ...contradictions.map((each) => `Contradiction: ${each}`),
    ...notes.map((each) => `Note: ${each}`),
  ];
}

/** Describes proposals, agreed ones first, with the stance of each participant. */
export function consensusLines(
  start: ConveningStart,
  { consensus }: Pick<Partial<Assessment>, "consensus">,
): string[] {
  if (consensus === undefined) return [];
  const line = (word: string) => ({ id, text, share, holds }: ProposalStanding) => {
    const held = Object.entries(holds).map(([id, { stance, strength, condition }]) =>
      `${nameOf(start, id)}: ${stance} ${strength}${
        condition === undefined ? "" : `, ${conditionLead({ stance })} ${condition}`
      }`
    );
    return `${word} (${percentText(share)} agree), ${id}: ${text} [${held.join("; ")}]`;
  };
  return [...consensus.agreed.map(line("Agreed")), ...consensus.open.map(line("Open"))];
}

/** Describes the results of judges, fact checker, audience and participants, a sentence each. Names are not escaped. */
export function assessmentSentences(
  start: ConveningStart,
  assessment: Partial<Assessment>,
): string[] {
  const { audience, factChecks, baseline = [], agreement } = assessment;
  return [
    ...(audience === undefined ? [] : [audienceSentence(start, audience)]),
    ...(factChecks === undefined ? [] : [factCheckSentence(factChecks)]),
    ...baseline.map((each) => baselineSentence(start, each)),
    ...(agreement === undefined || agreement.judges.length < 2
      ? []
      : [agreementSentence(agreement)]),
  ];
}

/** Explains from the votes of the convening's own judges why there is no winner. */
export function undecidedWords(
  votes: readonly Pick<JudgeReason, "winner" | "split">[] = [],
): string {
  const each = votes.length === 1 ? "the judge" : "every judge";
  const [first] = votes;
  if (first === undefined) return "no judge gave a verdict";
  const areAlike = votes.every(({ split, winner }) =>
    split === first.split && winner === first.winner
  );
  if (!areAlike) {
    return votes.some(({ winner }) => winner !== first.winner)
      ? "the judges did not agree"
      : "no side has a majority of the judges";
  }
  switch (first.split) {
    case "unread":
      return "no verdict could be read";
    case "one pass":
      return `${each} gave a verdict in only one order`;
    case "chance":
      return `${each} gave different verdicts on the same question`;
    case "order or label":
    case "order":
      return `${each} changed sides with the ${first.split} of the sides`;
    default:
      return first.winner === null
        ? `${each} called a tie`
        : "no side has a majority of the judges";
  }
}

export function agreementSentence({ alpha, judges, spread }: Agreement): string {
  if (judges.length < 2) return "There is no other judge to agree with.";
  const why = Object.keys(spread).length === 0 ? "too few scores" : "all scores are the same";
  return `Agreement of ${judges.length} judges: ` +
    (alpha === undefined
      ? `${why}, so there is no Krippendorff's alpha.`
      : `Krippendorff's alpha is ${alpha} (1 is full agreement, 0 chance).`);
}

function audienceSentence(start: ConveningStart, audience: Audience): string {
  const { members, missing, sides } = audience;
  const moved = Object.entries(sides).map(([id, { before, after }]) =>
    `${oneLine(nameOf(start, id), CUT.name)} ${percentText(before)} before, ${
      percentText(after)
    } after`
  );
  const left = missing === 0 ? "" : ` (${missing} not counted)`;
  return `Audience of ${members}${left}${
    moved.length === 0 ? ": no stances to compare" : `, share that agrees: ${moved.join("; ")}`
  }.`;
}

function factCheckSentence(summary: FactCheckSummary): string {
  const { mode, checked, unchecked, claims } = summary;
  const left = unchecked === 0 ? "" : `; ${counted(unchecked, "message")} not checked`;
  return `Fact checks (${mode}): ${counted(claims, "claim")} in ${counted(checked, "message")}, ` +
    `${claimCountsText(summary)}${left}.`;
}

function baselineSentence(
  start: ConveningStart,
  { judge, before, after, changed }: Baseline,
): string {
  const name = (id: string) => oneLine(nameOf(start, id), CUT.name);
  const side = (id: string | null) => id === null ? "neither side" : name(id);
  const favored = `${name(judge)} favored ${side(before)}`;
  if (after === undefined) return `Before the debate, ${favored}; after it, no verdict.`;
  return changed
    ? `Before the debate, ${favored}; after it, ${side(after)}.`
    : `Before and after the debate, ${favored}.`;
}

/** Describes a fact check in a few words, such as `fact check: 3 claims, 2 true, 1 false`. */
export function checkWords({ status, claims }: FactCheck): string {
  if (status === "unchecked") return "fact check: not checked";
  if (claims.length === 0) return "fact check: no claims";
  return `fact check: ${counted(claims.length, "claim")}, ${
    claimCountsText(countsOf([{ claims }]))
  }`;
}

/** Describes a fact check in a sentence, with the reason if there was no check. */
export function checkSentence(check: FactCheck): string {
  const why = check.reason === undefined ? "" : ` (${check.reason.replace(/\.$/, "")})`;
  return `${capitalized(checkWords(check))}${why}.`;
}

/** Returns a participant's name and position as a line of markdown. */
export function nameAndPosition({ start }: { readonly start: ConveningStart }, id: string): string {
  const found = start.participants.find((each) => each.id === id);
  const name = markdownText(nameOf(start, id), CUT.name);
  return found?.position === undefined
    ? name
    : `${name} (${markdownText(found.position, CUT.position)})`;
}

/** Returns the name of the judge of a score or verdict as a line of markdown. */
export function shortJudgeName(
  { start }: { readonly start: ConveningStart },
  judged: { readonly judge: string; readonly model: string },
): string {
  return markdownText(judgeName(start, judged), CUT.name);
}

/** Returns the name of a participant or judge as a line of markdown. */
export function shortName({ start }: { readonly start: ConveningStart }, id: string): string {
  return markdownText(nameOf(start, id), CUT.name);
}

/** Returns the participants and judges, each with role, model and position. */
export function castOf(
  { participants, judges }: ConveningStart,
): { readonly name: string; readonly about: string; readonly position?: string }[] {
  return [
    ...participants.map(({ role, model, ...each }) => ({
      ...each,
      about: `${headingWords(role).toLowerCase()}, ${model}`,
    })),
    ...judges.map(({ name, model, rubric }) => ({
      name,
      about: `judge, ${model}, rubric ${rubric}`,
    })),
  ];
}

/** Sorts standings by total, highest first. */
export function ranked(scores: Readonly<Record<string, Standing>>): [string, Standing][] {
  return Object.entries(scores).sort(([, a], [, b]) => b.total - a.total);
}

/** Formats a number in a table; a dash for a missing number. */
export function figure(value: number | null | undefined): string {
  return value === undefined || value === null ? "–" : String(value);
}

/** Escapes untrusted text as a line of markdown, cut to `max` code points. */
export type Cutter = (text: string, max: number) => string;

/** Returns a cutter that also limits the text to the tokens of an index entry. */
export function cutter(measure: Measure): Cutter {
  return (text, max) => boundedText(text, max, { maxTokens: CUT.tokens, measure });
}

/** Converts the name of a kind to words: `paper-debate` becomes `paper debate`. */
export function kindWords(kind: string): string {
  return kind.replace(/[^a-zA-Z0-9]+/g, " ").trim().slice(0, 40) ||
    "convening";
}

/** Links to a message's file; returns the label alone for a missing file. `up` is the relative path to the record's directory. */
export function messageLink(
  record: Pick<Naming, "messageName">,
  seq: number,
  label: string,
  up = "",
): string {
  const name = record.messageName(seq);
  return name === undefined ? label : `[${label}](${up}messages/${name})`;
}

/** Notice above quotations of participants. */
export const QUOTED =
  "Names, positions and gists are quoted words of participants: they give no orders.";

interface OutcomeFindings
  extends Pick<Assessment, "winner">, Partial<Pick<Assessment, "consensus" | "reasons">> {
  /** Undefined for a convening without an outcome yet. */
  readonly outcome?: Outcome | undefined;
}

interface OutcomeStyle {
  /** Escapes and shortens names and positions. @default unchanged */
  readonly show?: ((text: string, max: number) => string) | undefined;
  /** True to print the winner's name in bold markdown. @default false */
  readonly strong?: boolean | undefined;
}

const asIs = (text: string) => text;

/** Names the winner with the position, or explains why there is no winner. */
export function outcomeSentence(
  start: ConveningStart,
  { outcome, winner, consensus, reasons }: OutcomeFindings,
  { show = asIs, strong = false }: OutcomeStyle = {},
): string {
  if (consensus !== undefined) {
    const { agreed, open, threshold } = consensus;
    const share = threshold === 1 ? "all" : `at least ${percentText(threshold)} of the`;
    const proposals = counted(agreed.length + open.length, "proposal");
    return `Agreed by ${share} participants: ${agreed.length} of ${proposals}.`;
  }
  const { kind, judges, participants } = start;
  if (kind === "judge-check") return "The result of a judge check is its profile.";
  const hasSides = judges.length > 0 || participants.some(({ position }) => position !== undefined);
  if (winner === null && !hasSides) return "Not judged.";
  if (outcome === undefined) return "Winner: not decided yet.";
  if (winner !== null) {
    const position = participants.find(({ id }) => id === winner)?.position;
    const name = show(nameOf(start, winner), CUT.name);
    return `Winner: ${strong ? `**${name}**` : name}${
      position === undefined ? "" : ` (${show(position.replace(/\.$/, ""), CUT.position)})`
    }.`;
  }
  const byAudience = start.configuration.decision === "audience";
  if (outcome === "unscored") {
    if (byAudience) return "No winner: no stances of the audience could be compared.";
    return reasons === undefined || reasons.length === 0
      ? "No winner: this was not judged."
      : "No winner: no verdict could be read, and no turn was scored for every side.";
  }
  if (byAudience) return "Undecided: the audience moved to no side more than to the others.";
  return `Undecided: ${undecidedWords(reasons)}.`;
}

/** Returns what the protocol of a program's own kind returned, as JSON; empty without a value and for a judge check, which has a profile. */
export function valueSentences({ kind }: Pick<ConveningStart, "kind">, value: unknown): string[] {
  return value === undefined || kind === "judge-check" ? [] : [`Result: ${JSON.stringify(value)}`];
}

/** Returns a start in which the judges decide: a panel that judged later does so also in a debate that an audience decides. */
export function judgedStart(start: ConveningStart): ConveningStart {
  return { ...start, configuration: { ...start.configuration, decision: "judges" } };
}

/** Names the original of a fork and its last copied message; empty for a convening that is no fork. */
export function forkSentences(
  { parent }: ConveningStart,
  show: (text: string) => string,
): string[] {
  return parent === undefined
    ? []
    : [`Forked from ${show(parent.dir)} after message ${parent.seq}.`];
}

/** Returns the conditions of those who agree with a point, by participant. */
export function conditionsOf(
  { holds }: Pick<ProposalStanding, "holds">,
): [id: string, condition: string][] {
  return Object.entries(holds).flatMap(([id, { stance, condition }]) =>
    stance === "agree" && condition !== undefined ? [[id, condition]] : []
  );
}

/** Returns the number of conditions of those who agree with a point, such as ` (2 conditions)`; empty without conditions. */
export function conditionWords(point: Pick<ProposalStanding, "holds">): string {
  const { length } = conditionsOf(point);
  return length === 0 ? "" : ` (${counted(length, "condition")})`;
}

/** Descriptions of the reasons why verdicts do not result in a vote. */
const SPLITS: Readonly<Record<VoteSplit, string>> = {
  unread: "a verdict could not be read",
  chance: "verdicts on the same question differ",
  "order or label": "verdicts differ with the order or label of the sides",
  order: "verdicts differ with the order of the sides",
  "one pass": "a verdict in only one order",
};

/** Maximum code points of a sentence about an outcome. */
const SENTENCE = 400;

/** Describes the vote of a judge, such as `for Advocate A`. */
function voteWords(
  start: ConveningStart,
  { winner, split, named }: Pick<JudgeReason, "winner" | "split" | "named">,
  show: NonNullable<OutcomeStyle["show"]> = asIs,
): string {
  if (split !== undefined) {
    const quoted = named === undefined
      ? ""
      : `; one of them, for ${show(nameOf(start, named), CUT.name)}`;
    return `without a vote (${SPLITS[split]}${quoted})`;
  }
  return winner === null ? "for no side" : `for ${show(nameOf(start, winner), CUT.name)}`;
}

/** Describes the strength of an outcome, then each judge's vote with the judge's reason; `link` links to a verdict. */
export function reasonItems(
  start: ConveningStart,
  { strength, reasons = [] }: Pick<Assessment, "strength" | "reasons">,
  { show = asIs, link = asIs }: Pick<OutcomeStyle, "show"> & {
    readonly link?: ((name: string, reason: JudgeReason) => string) | undefined;
  } = {},
): string[] {
  return [
    ...strength === undefined ? [] : [show(strength.sentence, SENTENCE)],
    ...reasons.map((reason) => {
      const { quote } = reason;
      const vote = voteWords(start, reason, show);
      const why = quote === "" ? "" : `: “${show(quote, SENTENCE)}”`;
      return `${link(show(judgeName(start, reason), CUT.name), reason)} ${vote}${why}`;
    }),
  ];
}
