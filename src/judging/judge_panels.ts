// Panels of judges: the convening's own, and those that judged later.
import type { Standing } from "../core/outcome.ts";
import type { ConveningStart } from "../core/event.ts";
import type { Fact, Score, Verdict } from "../core/fact.ts";
import { type RubricStandings, type ScoredTurn, standingsByRubric } from "./scoring.ts";

/** The scores and verdicts of one set of judges. */
export interface Panel {
  /** True for the convening's own judges, who alone decide; a panel that judged later changes no result. */
  readonly own: boolean;
  /** The rubrics' ids; a panel that judged later has one. */
  readonly rubrics: readonly string[];
  /** The models' names, each once. */
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

/** The standings by a convening's own judges and their first rubric, the best first; none before a turn was scored. */
export function ownStandings(
  start: Pick<ConveningStart, "judges" | "participants">,
  facts: readonly Fact[],
): readonly Standing[] {
  const panel = panelsOf(start, facts).find(({ own }) => own);
  const names = new Map(start.participants.map(({ id, name }) => [id, name]));
  const [first] = panel === undefined ? [] : panelStandings(panel, names);
  return Object.values(first?.scores ?? {}).toSorted((a, b) => b.total - a.total);
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
