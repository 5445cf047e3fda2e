// Groups scores and verdicts into panels of judges, and computes their votes and decision.
import type { JudgeReason, JudgeVote, Outcome, Standing, VoteSplit } from "../core/outcome.ts";
import type { ConveningStart } from "../core/event.ts";
import { type Fact, messagesOf, type Score, type Verdict } from "../core/fact.ts";
import { oneLine } from "../core/text.ts";
import { compareTexts, sortedByKey, tally } from "../core/values.ts";
import { type RubricStandings, type ScoredTurn, standingsByRubric } from "./scoring.ts";

/** The scores and verdicts of one set of judges. */
export interface Panel {
  /** True for the convening's own judges, the only ones that decide; a panel that judged later changes no result. */
  readonly own: boolean;
  /** Ids of the rubrics; a panel that judged later has one. */
  readonly rubrics: readonly string[];
  readonly models: readonly string[];
  /** Scores by message, then by judge. */
  readonly scores: readonly Score[];
  /** Verdicts by judge, then by number. */
  readonly verdicts: readonly Verdict[];
  /** Messages of the convening, to match the scored turns of different sides. */
  readonly messages: readonly ScoredTurn[];
}

/** Returns the id of a judge that judges a record again, up to its turn `last`, because a resume added turns since the judge's verdict. */
export function idAfterResume(id: string, last: number): string {
  return `${id}_${last}`;
}

/** Returns the facts of later judges without those of a judge that has judged more of the record by the same rubric since. */
function newestOf(facts: readonly (Score | Verdict)[]): (Score | Verdict)[] {
  // Ids from names of models have no "_".
  const partsOf = ({ judge }: Score | Verdict) => /^(again-[a-z0-9-]+)_(\d+)$/.exec(judge) ?? [];
  const last = new Map<string, number>();
  for (const fact of facts) {
    const [, base, turn] = partsOf(fact);
    if (base !== undefined) last.set(base, Math.max(last.get(base) ?? 0, Number(turn)));
  }
  return facts.filter((fact) => {
    const [, base = fact.judge, turn = 0] = partsOf(fact);
    return (last.get(base) ?? 0) <= Number(turn);
  });
}

/**
 * Groups scores and verdicts into panels: the convening's own judges first, then those that judged later, by rubric. The result does
 * not depend on the order of the facts.
 */
export function panelsOf(
  { judges }: Pick<ConveningStart, "judges">,
  facts: readonly Fact[],
): Panel[] {
  const messages = messagesOf(facts);
  const sorted = facts.filter((fact) => fact.type === "score" || fact.type === "verdict")
    .toSorted(compareJudged);
  const answers = ownFacts(judges, sorted);
  const own = sorted.filter((fact) => answers.has(fact));
  const others = Map.groupBy(sorted.filter((fact) => !answers.has(fact)), ({ rubric }) => rubric);
  const order = [...new Set(judges.map(({ rubric }) => rubric))];
  return [
    ...own.length === 0 ? [] : [panelOf(own, { own: true, order, messages })],
    ...sortedByKey(others).map(([, each]) =>
      panelOf(newestOf(each), { own: false, order: [], messages })
    ),
  ];
}

/** Returns the standings of a panel by each of its rubrics, in the panel's order; scores of different rubrics are never averaged. */
export function panelStandings(
  { participants }: Pick<ConveningStart, "participants">,
  panel: Panel,
): RubricStandings[] {
  const names = new Map(participants.map(({ id, name }) => [id, name]));
  const found = standingsByRubric(panel.scores, names, panel.messages);
  return panel.rubrics.flatMap((rubric) => found.filter((each) => each.rubric === rubric));
}

/** Returns the standings by the first of a panel's rubrics that has scores; empty without a panel. */
export function firstStandings(
  start: Pick<ConveningStart, "participants">,
  panel: Panel | undefined,
): Pick<RubricStandings, "scores" | "unscored" | "matched"> {
  const [first] = panel === undefined ? [] : panelStandings(start, panel);
  return first ?? { scores: {}, unscored: [], matched: [] };
}

/** Returns the standings by a convening's own judges and their first rubric, highest total first; empty before a turn is scored. */
export function ownStandings(
  start: Pick<ConveningStart, "judges" | "participants">,
  facts: readonly Fact[],
): readonly Standing[] {
  const { scores } = firstStandings(start, panelsOf(start, facts).find(({ own }) => own));
  return Object.values(scores).toSorted((a, b) => b.total - a.total);
}

function panelOf(
  facts: readonly (Score | Verdict)[],
  { own, order, messages }: Pick<Panel, "own" | "messages"> & { readonly order: readonly string[] },
): Panel {
  const used = new Set(facts.map(({ rubric }) => rubric));
  return {
    own,
    rubrics: [...new Set([...order.filter((rubric) => used.has(rubric)), ...used])],
    models: [...new Set(facts.map(({ model }) => model))],
    scores: facts.filter((fact) => fact.type === "score"),
    verdicts: facts.filter((fact) => fact.type === "verdict"),
    messages,
  };
}

/**
 * Returns the facts of the convening's own judges, identified by id and rubric. If several models answered one question, the answer of
 * the configured model is the own one, else the earliest, because a panel that judged later may have the same ids.
 */
function ownFacts(
  judges: ConveningStart["judges"],
  facts: readonly (Score | Verdict)[],
): ReadonlySet<Score | Verdict> {
  const configured = new Map(judges.map(({ id, rubric, model }) => [keyOf(id, rubric), model]));
  const modelOf = ({ judge, rubric }: Score | Verdict) => configured.get(keyOf(judge, rubric));
  const place = (fact: Score | Verdict) =>
    `${!isSameModel(modelOf(fact)!, fact.model)} ${fact.createdAt}`;
  const answers = Map.groupBy(facts.filter((each) => modelOf(each) !== undefined), questionOf);
  const first = (a: Score | Verdict, b: Score | Verdict) => place(b) < place(a) ? b : a;
  return new Set([...answers.values()].map((all) => all.reduce(first)));
}

/** Identifies the question that a fact answers, independent of the model. */
function questionOf(fact: Score | Verdict): string {
  const number = fact.type === "score" ? fact.message : fact.number;
  return `${keyOf(fact.judge, fact.rubric)}\u0000${fact.type}\u0000${number}`;
}

function keyOf(judge: string, rubric: string): string {
  return `${judge}\u0000${rubric}`;
}

/** True if a reply's model is the configured one; providers may add a date to the name and omit the provider's prefix. */
export function isSameModel(configured: string, answered: string): boolean {
  const bare = configured.replace(/^[a-z0-9-]+:/i, "");
  return answered === configured || answered.startsWith(bare) &&
      /^(?:$|[-@:]\d)/.test(answered.slice(bare.length));
}

/** True if two names are of one model: equal, or one of them with a provider's prefix. */
export function isOneModel(a: string, b: string): boolean {
  return a === b || a.endsWith(`:${b}`) || b.endsWith(`:${a}`);
}

/** Groups by model, under the name that comes first. */
export function byModel<T extends { readonly model: string }>(all: readonly T[]): Map<string, T[]> {
  return Map.groupBy(all, ({ model }) => all.find((each) => isOneModel(each.model, model))!.model);
}

/** Orders scores by message and judge, then verdicts by judge and number. */
function compareJudged(a: Score | Verdict, b: Score | Verdict): number {
  if (a.type !== b.type) return a.type === "score" ? -1 : 1;
  const first = a.type === "score" && b.type === "score" ? a.message - b.message : 0;
  const last = a.type === "verdict" && b.type === "verdict" ? a.number - b.number : 0;
  return first || compareTexts(a.judge, b.judge) || compareTexts(a.model, b.model) ||
    compareTexts(a.rubric, b.rubric) || last;
}

/** The most characters of a judge's reason. */
const REASON = 240;

/**
 * Returns the vote and reason of each judge, in the order of the votes. The reason comes from a verdict that agrees with the vote, else
 * from the first, whose side is `named`: its main reason, else the beginning of its reasons.
 */
export function reasonsOf(verdicts: readonly Verdict[]): JudgeReason[] {
  return verdictsByVote(verdicts).map((own) => {
    const { judge, winner, split } = voteOf(own);
    const said = own.find((each) => each.status === "read" && each.winner === winner) ??
      own.find(({ status }) => status === "read") ?? own[0]!;
    return {
      judge,
      model: said.model,
      winner,
      ...split === undefined ? {} : { split },
      verdict: said.number,
      ...winner === said.winner || said.winner === null ? {} : { named: said.winner },
      quote: said.status === "read" ? oneLine(said.mainReason ?? said.reasons, REASON) : "",
    };
  });
}

/** Decision of the judges' verdicts. */
export interface Decision {
  /** Outcome: `decided` if there is a winner. */
  readonly outcome: Outcome;
  /** Id of the winner; null if no side has a majority. */
  readonly winner: string | null;
  /** Votes by participant id, without the tie-break judge. */
  readonly votes: Readonly<Record<string, number>>;
  /** Number of judges whose vote is a tie: a named tie, inconsistent verdicts, or an unreadable verdict. */
  readonly ties: number;
  /** Id of the tie-break judge, if its vote decided. */
  readonly tiebreak?: string;
}

/** Identifies a judge by id, model and rubric, as in the names of its files. */
export function judgeKey(
  { judge, model, rubric }: Pick<Verdict, "judge" | "model" | "rubric">,
): string {
  return [judge, model, rubric].join("\u0000");
}

/** True if verdicts were asked in passes; records of older versions have no passes. */
export function inPasses(verdicts: readonly Verdict[]): boolean {
  return verdicts.some(({ pass }) => pass !== undefined);
}

/** Returns one vote per judge, ordered by judge id; includes the tie-break judge if it was asked. */
export function votesOf(verdicts: readonly Verdict[]): JudgeVote[] {
  return verdictsByVote(verdicts).map(voteOf);
}

/** Groups verdicts, ordered by number, by vote: one of a judge whose model a resume replaced; one of each model that answered a question. */
export function verdictsByVote(verdicts: readonly Verdict[]): Verdict[][] {
  const sorted = verdicts.toSorted((a, b) => a.number - b.number);
  return sortedByKey(Map.groupBy(sorted, ({ judge }) => judge)).flatMap(([, own]) => {
    const isOne = new Set(own.map(({ number }) => number)).size === own.length;
    return isOne ? [own] : sortedByKey(Map.groupBy(own, ({ model }) => model)).map(([, by]) => by);
  });
}

/** Returns the vote of one judge: the side of every verdict; null for a tie, for different sides, and for a single pass. */
export function voteOf(verdicts: readonly Verdict[]): JudgeVote {
  const [{ judge, model, rubric, tiebreak }] = verdicts as [Verdict];
  const split = splitOf(verdicts);
  return {
    judge,
    model,
    rubric,
    winner: split === undefined ? verdicts[0]!.winner : null,
    ...split === undefined ? {} : { split },
    askings: verdicts.length,
    ...tiebreak === true ? { tiebreak } : {},
  };
}

/**
 * Returns the reason that a judge's verdicts make no vote; undefined if all are the same. Passes differ in the side that comes first.
 * Numbers cannot identify passes: a panel that an older version began and this version finished can have two verdicts in one order.
 */
function splitOf(verdicts: readonly Verdict[]): VoteSplit | undefined {
  if (verdicts.some(({ status }) => status === "unread")) return "unread";
  const passes = Map.groupBy(verdicts, ({ order: [first] }) => first);
  const winners = [...passes.values()].map((own) => new Set(own.map(({ winner }) => winner)));
  if (winners.some(({ size }) => size > 1)) return "chance";
  if (new Set(winners.flatMap((each) => [...each])).size > 1) {
    return inPasses(verdicts) ? "order or label" : "order";
  }
  return passes.size < 2 ? "one pass" : undefined;
}

/**
 * Decides the winner by the judges' votes, independent of scores. A judge that names the same side in every verdict has one vote; any
 * other judge counts as a tie. A majority of all judges wins; without a majority, the vote of a tie-break judge decides. The outcome is
 * `unscored` if no verdict could be read and no judge scored a turn for every side.
 */
export function decide(
  verdicts: readonly Verdict[],
  scores: readonly Score[],
  messages: readonly ScoredTurn[] = [],
): Decision {
  const all = votesOf(verdicts);
  const panel = all.filter(({ tiebreak }) => tiebreak !== true);
  const votes = Object.fromEntries(tally(panel.flatMap(({ winner }) => winner ?? [])));
  const ties = panel.filter(({ winner }) => winner === null).length;
  const [top] = Object.entries(votes).filter(([, count]) => count * 2 > panel.length);
  if (top !== undefined) return { outcome: "decided", winner: top[0], votes, ties };
  const last = all.find(({ tiebreak, winner }) => tiebreak === true && winner !== null);
  if (last !== undefined) {
    return { outcome: "decided", winner: last.winner, votes, ties, tiebreak: last.judge };
  }
  const names = new Map(scores.map(({ participant }) => [participant, participant]));
  const read = verdicts.some((each) => each.status === "read") ||
    standingsByRubric(scores, names, messages).some(({ scores }) => Object.keys(scores).length > 0);
  return { outcome: read ? "undecided" : "unscored", winner: null, votes, ties };
}

export function panelOutcome(
  { verdicts, scores, messages }: Panel,
): Decision & { readonly reasons: readonly JudgeReason[] } {
  return { ...decide(verdicts, scores, messages), reasons: reasonsOf(verdicts) };
}
