// Computes notes on the judges, and contradictions between winner and scores.
import { NO_MODEL } from "../core/event.ts";
import type { Score, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { JudgeAgreement, JudgeNote, JudgeVote, Standing } from "../core/outcome.ts";
import { counted, headingWords, listed, totalText } from "../core/text.ts";
import { sortedByKey } from "../core/values.ts";
import { asJudged, type ScoredTurn, standings as standingsIn } from "./scoring.ts";
import {
  byModel,
  type Decision,
  inPasses,
  isOneModel,
  judgeKey,
  type Panel,
  votesOf,
} from "./panels.ts";

interface JudgeFindings extends Pick<Panel, "verdicts" | "scores"> {
  readonly messages: readonly (ScoredTurn & Pick<Message, "participant" | "model">)[];
  /** Names of participants and judges, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly judges: readonly JudgeAgreement[];
}

/**
 * Returns notes on the judges: several judges of one model, a judge of a debater's model, inconsistent verdicts, scores that are
 * equal, rest on one criterion or follow length, shortened turns, and biases that a judge check found. For verdicts of older versions,
 * returns only the notes on a debater's model.
 */
export function judgeNotes(findings: JudgeFindings): JudgeNote[] {
  const shared = modelsOfSides(findings);
  if (!inPasses(findings.verdicts)) return shared;
  const votes = votesOf(findings.verdicts);
  return [
    ...sharedModels(votes),
    ...shared,
    ...votes.flatMap((vote) => [
      ...splitNotes(vote, findings),
      ...scoreNotes(vote, findings),
      ...verdictNotes(vote, findings),
    ]),
  ];
}

function sharedModels(votes: readonly JudgeVote[]): JudgeNote[] {
  const models = byModel(votes.filter(({ model }) => !NO_MODEL.test(model)));
  return [...models].flatMap(([model, { length }]): JudgeNote[] =>
    length < 2 ? [] : [{
      kind: "one model",
      sentence: `${length} of ${votes.length} votes are of one model: ${model}.`,
    }]
  );
}

/** Returns a note for each judge with the same model as a debater that it judged. */
function modelsOfSides({ verdicts, scores, messages, names }: JudgeFindings): JudgeNote[] {
  const judged = new Set([
    ...verdicts.flatMap(({ order }) => order),
    ...scores.map(({ participant }) => participant),
  ]);
  const judges = new Map([...scores, ...verdicts].map((each) => [judgeKey(each), each]));
  const notes = sortedByKey(judges).flatMap(([, { judge, model }]) => {
    const same = [...judged].filter((id) =>
      !NO_MODEL.test(model) &&
      messages.some((each) => each.participant === id && isOneModel(each.model, model))
    );
    if (same.length === 0) return [];
    const sides = same.map((id) => nameOf(id, names)).sort();
    const sentence = `${nameOf(judge, names)} has the same model as ${listed(sides)}: ${model}.`;
    return [[sentence, { kind: "model of a side", judge, sentence }] as const];
  });
  return [...new Map<string, JudgeNote>(notes).values()];
}

function splitNotes({ judge, split, askings }: JudgeVote, { names }: JudgeFindings): JudgeNote[] {
  if (split !== "order or label" && split !== "chance") return [];
  const reason = split === "chance"
    ? "differ between askings of the same question"
    : "change with the order or label of the sides";
  return [{
    kind: split,
    judge,
    sentence: `The ${askings} verdicts of ${nameOf(judge, names)} ${reason}: the vote is a tie.`,
  }];
}

/** Least rank correlation with length for a note, and least turns for a correlation: with four, every twelfth order gives 1 or -1. */
export const LENGTH = { correlation: 0.7, turns: 6 } as const;

function scoreNotes(vote: JudgeVote, findings: JudgeFindings): JudgeNote[] {
  const { judge } = vote;
  const name = nameOf(judge, findings.names);
  const own = findings.scores.filter((score) =>
    judgeKey(score) === judgeKey(vote) && score.status === "scored"
  ).map(asJudged);
  if (own.length > 1 && own.every(({ total }) => total === own[0]!.total)) {
    const sentence = `${name} gave all ${own.length} turns the same total, ${own[0]!.total}.`;
    return [{ kind: "same scores", judge, sentence }];
  }
  const { byLength = 0, scored = 0 } =
    findings.judges.find((each) => judgeKey(each) === judgeKey(vote)) ?? {};
  const notes = oneCriterion(vote, own, findings);
  if (scored < LENGTH.turns || byLength < LENGTH.correlation) return notes;
  const sentence =
    `The scores of ${name} follow the length of turns: rank correlation ${byLength} over ${scored} turns.`;
  return [...notes, { kind: "length", judge, sentence }];
}

/** Returns a note if the named side is ahead of all others by exactly one criterion. */
function oneCriterion(
  { judge, winner }: JudgeVote,
  scores: readonly Score[],
  { names, messages }: JudgeFindings,
): JudgeNote[] {
  const found = standingsIn(scores, names, messages).scores;
  const { [winner ?? ""]: named, ...others } = found;
  const rivals = Object.values(others);
  const criteria = Object.keys(named?.breakdown ?? {});
  if (named === undefined || rivals.length === 0 || criteria.length < 2) return [];
  const ahead = criteria.filter((id) =>
    rivals.every(({ breakdown }) => named.breakdown[id]! > (breakdown[id] ?? 0))
  );
  if (ahead.length !== 1) return [];
  const sentence = `By the scores of ${nameOf(judge, names)}, ${
    names.get(winner!)
  } is ahead in only one of ${criteria.length} criteria: ${headingWords(ahead[0]!).toLowerCase()}.`;
  return [{ kind: "one criterion", judge, sentence }];
}

/** Returns notes from fields of the verdicts: shortened turns and known biases. */
function verdictNotes({ judge }: JudgeVote, { verdicts, names }: JudgeFindings): JudgeNote[] {
  const name = nameOf(judge, names);
  const own = verdicts.filter((each) => each.judge === judge);
  const shortened = Math.max(...own.map((each) => each.shortened ?? 0));
  const profile = [...new Set(own.flatMap((each) => each.profile ?? []))];
  const turns = counted(shortened, "turn");
  const cut = `${name} saw only the beginning of ${turns}: there was no room for the rest.`;
  const found = (bias: string) => `A check of the model of ${name} found a bias: ${bias}`;
  return [
    ...shortened === 0 ? [] : [{ kind: "shortened", judge, sentence: cut } as const],
    ...profile.map((bias) => ({ kind: "profile", judge, sentence: found(bias) }) as const),
  ];
}

interface Findings extends Pick<JudgeFindings, "verdicts" | "scores" | "names"> {
  /** Standings by participant id, by one rubric. */
  readonly standings: Readonly<Record<string, Standing>>;
  readonly decision: Decision;
  readonly messages: readonly ScoredTurn[];
}

/**
 * Returns a sentence for each contradiction between winner and scores: the winner does not have the highest total; a judge names one
 * side in every order but scored another side higher, unless the first sentence already says the same. Totals that are equal to two
 * decimals agree. Labels and ids in the sentences are not escaped.
 */
export function contradictionsOf(findings: Findings): readonly string[] {
  return [...winnerAgainstTotals(findings), ...votesAgainstTotals(findings)];
}

/**
 * True for a sentence that an older version wrote about these verdicts and scores; older versions also searched judges' reasons for
 * winners and numbers.
 */
export function isFromReasons(
  sentence: string,
  { verdicts, scores, labels }: Pick<Findings, "verdicts" | "scores"> & {
    /** Labels of participants in prompts, by id. */
    readonly labels: ReadonlyMap<string, string>;
  },
): boolean {
  return verdicts.some(({ judge, number, order, winner }) =>
    order.some((id) =>
      id !== winner &&
      sentence ===
        `The reasons of judge "${judge}" for verdict ${number} name ${
          nameOf(id, labels)
        } as the winner; the verdict is ${winner === null ? "a tie" : nameOf(winner, labels)}.`
    )
  ) || scores.some(({ judge, message, total, criteria }) => {
    const start = `The reasons of judge "${judge}" for message ${message} state `;
    const [value = ""] = /^\d[\d.]*/.exec(sentence.slice(start.length)) ?? [];
    return sentence.startsWith(start) && value !== "" && total !== undefined && [
      `; its total is ${total}, and no criterion has that number.`,
      ` as the total; its numbers come to ${total}.`,
      ...Object.entries(criteria).map(([id, given]) => ` for ${id}; its number is ${given}.`),
    ].includes(sentence.slice(start.length + value.length));
  });
}

/** Returns the side with the highest total if its total exceeds that of the named side in the two decimals shown. */
function reversalIn(
  named: string | null,
  standings: Readonly<Record<string, Standing>>,
) {
  const total = named === null ? undefined : standings[named]?.total;
  const [best] = Object.entries(standings).toSorted(([, a], [, b]) => b.total - a.total);
  if (named === null || total === undefined || best === undefined) return undefined;
  const [id, { total: highest }] = best;
  return highest > total && totalText(highest) !== totalText(total)
    ? { named, total, best: id, highest }
    : undefined;
}

function winnerAgainstTotals({ standings, decision, names }: Findings): string[] {
  const found = reversalIn(decision.winner, standings);
  return found === undefined ? [] : [
    `The winner, ${nameOf(found.named, names)}, has a total of ${found.total}; ${
      nameOf(found.best, names)
    } has the highest, ${found.highest}.`,
  ];
}

/** Returns the contradictions of judges that named one side in every order. */
function votesAgainstTotals(
  { standings, decision, verdicts, scores, messages, names }: Findings,
): string[] {
  const byJudge = Map.groupBy(verdicts, judgeKey);
  const ofAll = JSON.stringify(reversalIn(decision.winner, standings));
  return sortedByKey(byJudge).flatMap(([key, own]) => {
    const [{ judge, winner }] = own as [Verdict];
    const named = own.length > 1 && own.every((each) => each.winner === winner) ? winner : null;
    const judged = scores.filter((each) => judgeKey(each) === key).map(asJudged);
    const found = reversalIn(named, standingsIn(judged, names, messages).scores);
    if (found === undefined || JSON.stringify(found) === ofAll) return [];
    return [
      `${nameOf(judge, names)} named ${
        nameOf(found.named, names)
      } in every order, whose total it put at ${found.total}; ` +
      `it put that of ${nameOf(found.best, names)} at ${found.highest}.`,
    ];
  });
}

function nameOf(id: string, names: ReadonlyMap<string, string>): string {
  return names.get(id) ?? id;
}
