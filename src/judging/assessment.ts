// Computes the result of a convening from its facts.
import type { ConveningStart, ParticipantInfo } from "../core/event.ts";
import {
  type Choice,
  type Fact,
  messagesOf,
  type Score,
  type Stance,
  type Status,
  type Stop,
  type Verdict,
} from "../core/fact.ts";
import type {
  Assessment,
  Audience,
  Baseline,
  Consensus,
  Standing,
  StatedPositions,
} from "../core/outcome.ts";
import { HUMAN } from "../core/agent.ts";
import type { Message } from "../core/message.ts";
import { fieldOf } from "../core/turn.ts";
import { counted, CUT, oneLine } from "../core/text.ts";
import { defined } from "../core/values.ts";
import { audienceOf, audienceOutcome, audienceTime, consensusOf, mergedIn } from "./stances.ts";
import { contradictionsOf, isFromReasons, judgeNotes } from "./judge_notes.ts";
import {
  decide,
  firstStandings,
  isSameModel,
  type Panel,
  panelsOf,
  reasonsOf,
  voteOf,
} from "./panels.ts";
import { agreementOf, audienceStrengthOf, strengthOf } from "./agreement.ts";
import { factChecksOf } from "../core/claims.ts";

/** Model name of messages made from a template. */
const TEMPLATE = "template";

/** Options of {@linkcode assess}. */
export interface AssessOptions {
  /**
   * True to compute `agreement`, `contradictions` and `notes`, the slowest part.
   * @default true
   */
  readonly compareJudges?: boolean | undefined;
  /** Contradictions in `metadata.md`; those that older versions found in judges' reasons are kept. @default none */
  readonly recorded?: readonly string[] | undefined;
}

/**
 * Computes a convening's result from its facts and its own judges; panels that judged later do not count. The result does not depend
 * on the order of the facts.
 */
export function assess(
  given: ConveningStart,
  facts: readonly Fact[],
  { compareJudges = true, recorded = [] }: AssessOptions = {},
): Assessment {
  const start = withPositions(given, facts);
  const { messages, checks, stances, choices } = groupFacts(facts);
  const own = panelsOf(start, facts).find((panel) => panel.own);
  const audience = audienceOf(stances, arguing(start.participants).map(({ id }) => id));
  const byJudges = decide(own?.verdicts ?? [], own?.scores ?? [], messages);
  const { outcome, winner } = start.configuration.decision === "audience"
    ? audienceOutcome(audience)
    : byJudges;
  const baseline = baselinesOf(choices, own?.verdicts ?? []);
  const standings = firstStandings(start, own);
  const { notes, contradictions, ...judges } = compareJudges
    ? judgesOf(start, { own, standings, messages, winner, audience })
    : NOT_COMPARED;
  return {
    outcome,
    winner,
    scores: standings.scores,
    unscored: standings.unscored,
    ...defined({ reasons: own && own.verdicts.length > 0 ? reasonsOf(own.verdicts) : undefined }),
    ...judges,
    contradictions: [...contradictions, ...earlierContradictions(start, facts, recorded)],
    notes: [
      ...notes,
      ...unreadBaselines(start, choices),
      ...unreadStances(start, stances),
      ...changedSpeakers(start, messages),
    ],
    ...defined({
      factChecks: factChecksOf(checks),
      audience,
      baseline: baseline.length === 0 ? undefined : baseline,
      consensus: consensusIn(start, { stances, choices }),
    }),
  };
}

/** Returns the recorded contradictions that older versions found in judges' reasons. */
function earlierContradictions(
  start: ConveningStart,
  facts: readonly Fact[],
  recorded: readonly string[],
): string[] {
  if (recorded.length === 0) return [];
  const labels = labelsOf(start);
  const verdicts = facts.filter((fact) => fact.type === "verdict");
  const scores = facts.filter((fact) => fact.type === "score");
  return recorded.filter((each) => isFromReasons(each, { verdicts, scores, labels }));
}

/** Returns the labels of participants and the names of judges, by id. */
export function labelsOf(
  { participants, judges }: ConveningStart,
): ReadonlyMap<string, string> {
  return new Map([
    ...judges.map(({ id, name }) => [id, name] as const),
    ...participants.map(({ id, label }) => [id, label] as const),
  ]);
}

/** Returns the names of participants and judges for sentences, by id, cut to `CUT.name`. */
function namesOf({ participants, judges }: ConveningStart): ReadonlyMap<string, string> {
  return new Map([...judges, ...participants].map(({ id, name }) => [id, oneLine(name, CUT.name)]));
}

const NOT_COMPARED: Pick<Assessment, "contradictions" | "notes"> = {
  contradictions: [],
  notes: [],
};

/** Returns the summary of a convening: the moderator's, else a judge's, else empty; after an early end, the summary of that end. */
export function summaryOf(facts: readonly Fact[], status: Status): string {
  const stop = lastStop(facts);
  if (status !== "completed" && stop !== undefined) return stop.body;
  return writtenSummary(facts) ?? "";
}

/** Returns the summary by the moderator or the reporter, else by a judge; undefined without one. */
export function writtenSummary(facts: readonly Fact[]): string | undefined {
  return summaryMessage(facts)?.body ?? judgeSummary(facts);
}

/** Kinds of messages that summarize a convening: the moderator's, and the report of a paper debate. */
const SUMMING: ReadonlySet<string> = new Set(["summary", "report"]);

/** Returns the message that summarizes a convening, if any. */
export function summaryMessage(facts: readonly Fact[]): Message | undefined {
  return facts.findLast((fact): fact is Message =>
    fact.type === "message" && SUMMING.has(fact.kind)
  );
}

/** Returns the last early end, if any. */
export function lastStop(facts: readonly Fact[]): Stop | undefined {
  return facts.filter((fact) => fact.type === "stop").sort((a, b) => a.number - b.number).at(-1);
}

/** Returns the summary of a judge, which answers a question of kind `summary` if there is no moderator; undefined if there is none. */
function judgeSummary(facts: readonly Fact[]): string | undefined {
  const choice = facts.filter((fact) => fact.type === "choice")
    .findLast(({ kind }) => kind === "summary");
  const text = fieldOf(choice?.value, "summary");
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

function groupFacts(facts: readonly Fact[]) {
  return {
    messages: messagesOf(facts),
    checks: facts.filter((fact) => fact.type === "fact-check")
      .toSorted((a, b) => a.message - b.message),
    stances: facts.filter((fact) => fact.type === "stance")
      .toSorted((a, b) => a.seq - b.seq || (a.key < b.key ? -1 : 1)),
    choices: facts.filter((fact) => fact.type === "choice")
      .toSorted((a, b) => a.seq - b.seq || a.number - b.number),
  };
}

/** Compares the judges with each other, with their own scores, and, if the audience decides, with the audience. */
function judgesOf(
  start: ConveningStart,
  { own, standings, messages, winner, audience }: {
    readonly own: Panel | undefined;
    readonly standings: ReturnType<typeof firstStandings>;
    readonly audience: Audience | undefined;
    readonly messages: readonly Message[];
    readonly winner: string | null;
  },
): Pick<Assessment, "agreement" | "contradictions" | "notes" | "strength"> {
  if (own === undefined) return { contradictions: [], notes: [] };
  const { scores, verdicts } = own;
  const names = namesOf(start);
  const decision = decide(verdicts, scores, messages);
  const { decision: decidedBy } = start.configuration;
  const isOverruled = decidedBy === "audience" && decision.winner !== null &&
    winner !== null && decision.winner !== winner;
  const agreement = agreementOf(scores, verdicts, messages);
  const notes = judgeNotes({ verdicts, scores, messages, names, judges: agreement.judges });
  return {
    agreement,
    ...defined({
      strength: decidedBy === "audience"
        ? audienceStrengthOf(audience, { decision, verdicts, notes, names })
        : strengthOf({ decision, verdicts, standings, notes, names }),
    }),
    contradictions: contradictionsOf({
      standings: standings.scores,
      // Compare the convening's winner with the scores, even if the audience chose the winner.
      decision: { ...decision, winner },
      verdicts,
      scores,
      messages,
      names,
    }),
    notes: [
      ...notes.map(({ sentence }) => sentence),
      ...foldedNotes(start, [...verdicts, ...scores]),
      ...lackingNotes(Object.values(standings.scores), standings.unscored.length),
      ...(isOverruled
        ? [
          `The audience moved most to ${names.get(winner)}; the judges named ${
            names.get(decision.winner!)
          }.`,
        ]
        : []),
    ],
  };
}

/** Returns a sentence for each participant that spoke with another model than the recorded one, for example after a resume. */
export function changedSpeakers(
  { participants }: ConveningStart,
  messages: readonly Message[],
): string[] {
  const spoken = Map.groupBy(
    messages.filter(({ model }) => model !== TEMPLATE),
    ({ participant }) => participant,
  );
  return participants.flatMap(({ id, label, model: recorded }) => {
    const models = Map.groupBy(spoken.get(id) ?? [], ({ model }) => model);
    const isRecorded = (each: string) => recorded === TEMPLATE || isSameModel(recorded, each);
    if (models.size < 2 && [...models.keys()].every(isRecorded)) return [];
    const who = (model: string) => model === HUMAN ? "a person" : model;
    const parts = [...models].map(([model, turns]) => `${who(model)} in ${turnsIn(turns)}`);
    const instead = models.has(recorded) ? "" : `, not by ${who(recorded)}`;
    return [`${oneLine(label, CUT.name)} spoke by ${parts.join("; by ")}${instead}.`];
  });
}

/** States the numbers of turns; of more than eight turns, only the count, the first and the last. */
function turnsIn(messages: readonly Message[]): string {
  const numbers = messages.map(({ seq }) => seq).toSorted((a, b) => a - b);
  if (numbers.length === 1) return `turn ${numbers[0]}`;
  return numbers.length > 8
    ? `${numbers.length} turns from ${numbers[0]} to ${numbers.at(-1)}`
    : `turns ${numbers.join(", ")}`;
}

/** Returns a sentence for each participant none of whose stances on proposals could be read. */
function unreadStances({ participants }: ConveningStart, stances: readonly Stance[]): string[] {
  const by = Map.groupBy(
    stances.filter((each) => audienceTime(each) === undefined),
    ({ participant }) => participant,
  );
  return participants.flatMap(({ id, label }) => {
    const own = by.get(id) ?? [];
    return own.length === 0 || own.some(({ status }) => status === "read") ? [] : [
      `None of the ${own.length} stances of ${
        oneLine(label, CUT.name)
      } could be read: nobody waited for more.`,
    ];
  });
}

/** Returns a sentence for each judge whose prompts replaced early turns by a summary. */
function foldedNotes(
  start: ConveningStart,
  judged: readonly (Verdict | Score)[],
): string[] {
  const bound = start.configuration.maxPromptTokens === undefined
    ? "the known window of its model"
    : "maxPromptTokens";
  const names = namesOf(start);
  return [...Map.groupBy(judged, ({ judge }) => judge)].flatMap(([judge, own]) => {
    const folded = Math.max(0, ...own.map((each) => each.folded ?? 0));
    return folded === 0 ? [] : [
      `${
        names.get(judge) ?? judge
      } saw turns 1 to ${folded} only in a summary: ${bound} left no room for them.`,
    ];
  });
}

/** Returns a sentence on the number of scores in the totals if some could not be read or matched. */
function lackingNotes(standings: readonly Standing[], unscored: number): string[] {
  const sum = (key: "scored" | "missing" | "unmatched") =>
    standings.reduce((total, each) => total + (each[key] ?? 0), 0);
  if (unscored > 0 && standings.length === 0) {
    return ["There are no totals: no judge scored a turn for every side."];
  }
  const lacking = [
    ...sum("missing") === 0 ? [] : [`scores that could not be read: ${sum("missing")}`],
    ...sum("unmatched") === 0 ? [] : [`scores of other turns, left out: ${sum("unmatched")}`],
  ];
  return lacking.length === 0 ? [] : [
    `The totals rest on ${
      counted(sum("scored"), "score")
    }, of turns that a judge scored for every side; ${lacking.join("; ")}.`,
  ];
}

/** Default share of participants that must agree (context-network/rules/dialogue_and_consensus.md). */
const THRESHOLD = 0.8;

const NO_STANCE: ReadonlySet<string> = new Set(["moderator", "fact_checker", "judge"]);

/** Returns the participants that argue: those with a position, or, if there are none, all that take stances. */
export function arguing<P extends Pick<ParticipantInfo, "role" | "position">>(
  participants: readonly P[],
): readonly P[] {
  const sides = participants.filter(({ position }) => position !== undefined);
  return sides.length > 0 ? sides : participants.filter(({ role }) => !NO_STANCE.has(role));
}

function consensusIn(
  { participants, configuration }: ConveningStart,
  { stances, choices }: Pick<ReturnType<typeof groupFacts>, "stances" | "choices">,
): Consensus | undefined {
  const proposals = mergedIn(choices.findLast(({ kind }) => kind === "proposals_merged"));
  if (proposals === undefined) return undefined;
  const { threshold } = configuration;
  return consensusOf(proposals, stances.filter((each) => audienceTime(each) === undefined), {
    participants: participants.filter(({ role }) => !NO_STANCE.has(role)).map(({ id }) => id),
    threshold: typeof threshold === "number" ? threshold : THRESHOLD,
  });
}

/** Compares the answers that judges gave before the debate with their verdicts; omits unreadable answers. */
export function baselinesOf(choices: readonly Choice[], verdicts: readonly Verdict[]): Baseline[] {
  return choices.flatMap(({ kind, participant: judge, model, value }) => {
    const before = kind === "baseline" ? winnerIn(value) : undefined;
    if (before === undefined) return [];
    const own = verdicts.filter((each) => each.judge === judge);
    const after = own.length === 0 ? undefined : voteOf(own).winner;
    return [{ judge, model, before, after, changed: after !== undefined && after !== before }];
  });
}

/** Returns a sentence for each unreadable answer that a judge gave before the debate. */
function unreadBaselines(start: ConveningStart, choices: readonly Choice[]): string[] {
  const names = namesOf(start);
  return choices.filter(({ kind, value }) => kind === "baseline" && winnerIn(value) === undefined)
    .map(({ participant }) =>
      `The answer of ${names.get(participant) ?? participant} before the debate could not be read.`
    );
}

function winnerIn(value: unknown): string | null | undefined {
  const winner = fieldOf(value, "winner");
  return winner === null || typeof winner === "string" ? winner : undefined;
}

/** Returns the positions that messages state for participants without a configured position. */
export function statedPositions(
  { participants }: Pick<ConveningStart, "participants">,
  facts: readonly Fact[],
): StatedPositions {
  const without = new Set(
    participants.filter(({ position }) => position === undefined).map(({ id }) => id),
  );
  const stated = new Map<string, { readonly seq: number; readonly position: string }>();
  if (without.size === 0) return stated;
  for (const fact of facts) {
    if (fact.type !== "message" || fact.position === undefined) continue;
    const { participant, seq, position } = fact;
    if (!without.has(participant) || (stated.get(participant)?.seq ?? Infinity) < seq) continue;
    stated.set(participant, { seq, position });
  }
  return stated;
}

/** Adds the positions that messages state to the start; returns the same start if there are none. */
export function withPositions(start: ConveningStart, facts: readonly Fact[]): ConveningStart {
  const stated = statedPositions(start, facts);
  if (stated.size === 0) return start;
  const participants = start.participants.map((each): ParticipantInfo => {
    const found = stated.get(each.id);
    return found === undefined ? each : { ...each, position: found.position };
  });
  return { ...start, participants };
}
