// Panels of judges: the convening's own and those that judged later, their votes, and the decision of all votes.
import type { JudgeReason, JudgeVote, Standing, VoteSplit } from "../core/outcome.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Fact, Outcome, Score, Verdict } from "../core/fact.ts";
import { type RubricStandings, type ScoredTurn, standingsByRubric } from "./scoring.ts";
import { oneLine } from "../core/text.ts";

/** The scores and verdicts of one set of judges. */
export interface Panel {
  /** True for the convening's own judges, who alone decide; a panel that judged later changes no result. */
  readonly own: boolean;
  /** The rubrics' ids; a panel that judged later has one. */
  readonly rubrics: readonly string[];
  readonly models: readonly string[];
  /** By message, then by judge. */
  readonly scores: readonly Score[];
  /** By judge, then by number. */
  readonly verdicts: readonly Verdict[];
  /** The convening's messages: the places of the scored turns. */
  readonly messages: readonly ScoredTurn[];
}

/**
 * Every set of judges that left something: the convening's own first, then those that judged again, by rubric. It
 * depends on the facts alone, not on their order.
 */
export function panelsOf(
  { judges }: Pick<ConveningStart, "judges">,
  facts: readonly Fact[],
): Panel[] {
  const messages = facts.filter((fact) => fact.type === "message").toSorted((a, b) =>
    a.seq - b.seq
  );
  const sorted = facts.filter((fact) => fact.type === "score" || fact.type === "verdict")
    .toSorted(compareJudged);
  const isOwn = ownershipIn(judges, sorted);
  const own = sorted.filter(isOwn);
  const others = Map.groupBy(sorted.filter((fact) => !isOwn(fact)), ({ rubric }) => rubric);
  const order = [...new Set(judges.map(({ rubric }) => rubric))];
  return [
    ...own.length === 0 ? [] : [panelOf(own, { own: true, order, messages })],
    ...[...others].sort(([a], [b]) => compareWords(a, b))
      .map(([, each]) => panelOf(each, { own: false, order: [], messages })),
  ];
}

/** The standings of a panel by each of its rubrics, in the panel's order; those of different rubrics have no mean. */
export function panelStandings(
  panel: Panel,
  names: ReadonlyMap<string, string>,
): RubricStandings[] {
  const found = standingsByRubric(panel.scores, names, panel.messages);
  return panel.rubrics.flatMap((rubric) => found.filter((each) => each.rubric === rubric));
}

/** The standings by the first of a panel's rubrics that scored a turn; none without a panel. */
export function firstStandings(
  { participants }: Pick<ConveningStart, "participants">,
  panel: Panel | undefined,
): Pick<RubricStandings, "scores" | "unscored"> {
  const names = new Map(participants.map(({ id, name }) => [id, name]));
  const [first] = panel === undefined ? [] : panelStandings(panel, names);
  return { scores: first?.scores ?? {}, unscored: first?.unscored ?? [] };
}

/** The standings by a convening's own judges and their first rubric, the best first; none before a turn was scored. */
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
 * Ownership of facts by the convening's own judges, each known by id and rubric. Where two models answered one question, the
 * recorded model's answer is the own one: a panel that judged later may have the same ids.
 */
function ownershipIn(
  judges: ConveningStart["judges"],
  facts: readonly (Score | Verdict)[],
): (fact: Score | Verdict) => boolean {
  const configured = new Map(judges.map(({ id, rubric, model }) => [keyOf(id, rubric), model]));
  const isConfigured = (fact: Score | Verdict) => {
    const model = configured.get(keyOf(fact.judge, fact.rubric));
    return model !== undefined && isSameModel(model, fact.model);
  };
  const answered = new Set(facts.filter(isConfigured).map(questionOf));
  return (fact) =>
    configured.has(keyOf(fact.judge, fact.rubric)) &&
    (isConfigured(fact) || !answered.has(questionOf(fact)));
}

/** The question that a fact answers, whichever model did. */
function questionOf(fact: Score | Verdict): string {
  const number = fact.type === "score" ? fact.message : fact.number;
  return `${keyOf(fact.judge, fact.rubric)}\u0000${fact.type}\u0000${number}`;
}

function keyOf(judge: string, rubric: string): string {
  return `${judge}\u0000${rubric}`;
}

/**
 * True if a reply's model is the one configured: providers answer with a dated name, and leave out the provider's.
 */
export function isSameModel(configured: string, answered: string): boolean {
  const bare = configured.replace(/^[a-z0-9-]+:/i, "");
  return answered === configured || answered.startsWith(bare) &&
      /^(?:$|[-@:]\d)/.test(answered.slice(bare.length));
}

/** Scores by message and judge, then verdicts by judge and number. */
function compareJudged(a: Score | Verdict, b: Score | Verdict): number {
  if (a.type !== b.type) return a.type === "score" ? -1 : 1;
  const first = a.type === "score" && b.type === "score" ? a.message - b.message : 0;
  const last = a.type === "verdict" && b.type === "verdict" ? a.number - b.number : 0;
  return first || compareWords(a.judge, b.judge) || compareWords(a.model, b.model) ||
    compareWords(a.rubric, b.rubric) || last;
}

function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The most characters of a judge's reason. */
const REASON = 240;

/**
 * Vote and reason of each judge, in the order of the votes. The reason is of a verdict that says what the vote says: the
 * one that the judge gave as the main reason, else the beginning of the reasons.
 */
export function reasonsOf(verdicts: readonly Verdict[]): JudgeReason[] {
  return votesOf(verdicts).map(({ judge, model, winner, split }) => {
    const own = verdicts.filter((each) => each.judge === judge && each.model === model);
    const said = own.find((each) => each.status === "read" && each.winner === winner) ??
      own.find(({ status }) => status === "read") ?? own[0]!;
    return {
      judge,
      model,
      winner,
      ...split === undefined ? {} : { split },
      verdict: said.number,
      quote: said.status === "read" ? oneLine(said.mainReason ?? said.reasons, REASON) : "",
    };
  });
}

/** Decision of the judges' verdicts. */
export interface Decision {
  /** Outcome: `decided` if there is a winner. */
  readonly outcome: Outcome;
  /** A participant's id; null where no side has most votes. */
  readonly winner: string | null;
  /** Number of judges that named each participant in every order, without the tie-break judge. */
  readonly votes: Readonly<Record<string, number>>;
  /** Judges that named no one, changed their mind with the order, or could not be read. */
  readonly ties: number;
  /** Id of the tie-break judge, where its vote decided. */
  readonly tiebreak?: string;
}

/** One vote a judge, by the judges' ids; the tie-break judge is among them where it was asked. */
export function votesOf(verdicts: readonly Verdict[]): JudgeVote[] {
  const judges = Map.groupBy(verdicts, ({ judge, model }) => `${judge}\u0000${model}`);
  return [...judges].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)
    .map(([, own]) => voteOf(own));
}

/** The side that one judge named in every verdict; null where it named none, changed its mind, or was asked only once. */
export function oneMindOf(verdicts: readonly Verdict[]): string | null {
  return verdicts.length === 0 ? null : voteOf(verdicts).winner;
}

function voteOf(verdicts: readonly Verdict[]): JudgeVote {
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
 * Reason that a judge's verdicts make no vote; undefined where all of them are the same. Passes differ in the side that is
 * set out first. Numbers do not tell passes apart: a panel that an earlier version began and this version ended can
 * have two verdicts in the same order.
 */
function splitOf(verdicts: readonly Verdict[]): VoteSplit | undefined {
  if (verdicts.some(({ status }) => status === "unread")) return "unread";
  const passes = Map.groupBy(verdicts, ({ order: [first] }) => first);
  const winners = [...passes.values()].map((own) => new Set(own.map(({ winner }) => winner)));
  if (winners.some(({ size }) => size > 1)) return "chance";
  if (new Set(winners.flatMap((each) => [...each])).size > 1) return "order or label";
  return passes.size < 2 ? "one pass" : undefined;
}

/**
 * The winner, apart from the numbers: a judge that names the same side in every verdict has one vote, any other counts as
 * a tie; a majority over all judges wins. Where there is none, the vote of a tie-break judge decides. `unscored` only where
 * no verdict could be read and no judge scored a turn for every side.
 */
export function decide(
  verdicts: readonly Verdict[],
  scores: readonly Score[],
  messages: readonly ScoredTurn[] = [],
): Decision {
  const all = votesOf(verdicts);
  const panel = all.filter(({ tiebreak }) => tiebreak !== true);
  const votes: Record<string, number> = {};
  for (const { winner } of panel) {
    if (winner !== null) votes[winner] = (votes[winner] ?? 0) + 1;
  }
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
