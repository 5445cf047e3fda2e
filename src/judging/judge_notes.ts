// Notes on judges: shared models, verdicts that vary, and scores that follow one measure.
import type { Score, Verdict } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import type { JudgeAgreement, JudgeNote, JudgeVote } from "../core/outcome.ts";
import { type ScoredTurn, standings } from "./scoring.ts";
import { votesOf } from "./votes.ts";

/** Facts that notes on judges are made from. */
export interface JudgeFindings {
  readonly verdicts: readonly Verdict[];
  readonly scores: readonly Score[];
  /** The convening's messages. */
  readonly messages: readonly (ScoredTurn & Pick<Message, "participant" | "model">)[];
  /** Names of participants in prompts, by id. */
  readonly labels: ReadonlyMap<string, string>;
  /** Measures of each judge. */
  readonly judges: readonly JudgeAgreement[];
}

/** True for verdicts that were asked in passes; records of earlier versions have none. */
export function inPasses(verdicts: readonly Verdict[]): boolean {
  return verdicts.some(({ pass }) => pass !== undefined);
}

/**
 * Notes on the judges: judges of one model, judges of a debater's model, verdicts that vary, scores that are all the same,
 * rest on one criterion or follow length, turns that were shortened, and biases that a judge check found. Of verdicts of
 * earlier versions only those on a debater's model.
 */
export function judgeNotes(findings: JudgeFindings): JudgeNote[] {
  const shared = modelsOfSides(findings);
  if (!inPasses(findings.verdicts)) return shared;
  const votes = votesOf(findings.verdicts);
  return [
    ...sharedModels(votes),
    ...shared,
    ...votes.flatMap((vote) => [
      ...splitNotes(vote),
      ...scoreNotes(vote, findings),
      ...verdictNotes(vote, findings),
    ]),
  ];
}

/** Names of models that are none: a program, a person or a record speaks. */
export const NO_MODEL = /^(?:offline|template|human|replay:.*)$/s;

function sharedModels(votes: readonly JudgeVote[]): JudgeNote[] {
  const models = Map.groupBy(votes.filter(({ model }) => !NO_MODEL.test(model)), (
    { model },
  ) => model);
  return [...models].flatMap(([model, { length }]): JudgeNote[] =>
    length < 2 ? [] : [{
      kind: "one model",
      sentence: `${length} of ${votes.length} votes are of one model: ${model}.`,
    }]
  );
}

/** Judges of the same model as a debater whose messages they judged. */
function modelsOfSides({ verdicts, scores, messages, labels }: JudgeFindings): JudgeNote[] {
  const judged = new Set([
    ...verdicts.flatMap(({ order }) => order),
    ...scores.map(({ participant }) => participant),
  ]);
  const judges = new Map([...scores, ...verdicts].map((each) => [judgeKey(each), each]));
  const notes = [...judges].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([, { judge, model }]) => {
    const same = [...judged].filter((id) =>
      !NO_MODEL.test(model) &&
      messages.some((each) => each.participant === id && each.model === model)
    );
    if (same.length === 0) return [];
    const names = same.map((id) => labels.get(id) ?? id).sort();
    const listed = [names.slice(0, -1).join(", "), names.at(-1)].filter((each) => each !== "");
    const sentence = `Judge "${judge}" is of the same model as ${listed.join(" and ")}: ${model}.`;
    return [[sentence, { kind: "model of a side", judge, sentence }] as const];
  });
  return [...new Map<string, JudgeNote>(notes).values()];
}

function splitNotes({ judge, split, askings }: JudgeVote): JudgeNote[] {
  if (split !== "order or label" && split !== "chance") return [];
  const reason = split === "chance"
    ? "differ between askings of the same question"
    : "change with the order or label of the sides";
  return [{
    kind: split,
    judge,
    sentence: `The ${askings} verdicts of judge "${judge}" ${reason}: the vote is a tie.`,
  }];
}

/** The least rank correlation with length, and the least number of turns, that is noted. */
const LENGTH = { correlation: 0.7, turns: 6 } as const;

function scoreNotes(vote: JudgeVote, findings: JudgeFindings): JudgeNote[] {
  const { judge } = vote;
  const own = findings.scores.filter((score) =>
    judgeKey(score) === judgeKey(vote) && score.status === "scored"
  );
  const totals = new Set(own.map(({ total }) => total));
  if (own.length > 1 && totals.size === 1) {
    const sentence = `Judge "${judge}" gave all ${own.length} turns the same total, ${
      own[0]!.total
    }.`;
    return [{ kind: "same scores", judge, sentence }];
  }
  const { byLength = 0, scored = 0 } =
    findings.judges.find((each) => judgeKey(each) === judgeKey(vote)) ?? {};
  const followsLength = scored >= LENGTH.turns && byLength >= LENGTH.correlation;
  return [
    ...oneCriterion(vote, own, findings),
    ...followsLength
      ? [
        {
          kind: "length",
          judge,
          sentence:
            `The scores of judge "${judge}" follow the length of turns: rank correlation ${byLength} over ${scored} turns.`,
        } as const,
      ]
      : [],
  ];
}

/** The one criterion that puts the named side first, where every other is level or puts another side first. */
function oneCriterion(
  { judge, winner }: JudgeVote,
  scores: readonly Score[],
  { labels, messages }: JudgeFindings,
): JudgeNote[] {
  const found = standings(scores, labels, messages).scores;
  const { [winner ?? ""]: named, ...others } = found;
  const rivals = Object.values(others);
  const criteria = Object.keys(named?.breakdown ?? {});
  if (named === undefined || rivals.length === 0 || criteria.length < 2) return [];
  const ahead = criteria.filter((id) =>
    rivals.every(({ breakdown }) => named.breakdown[id]! > (breakdown[id] ?? 0))
  );
  const isBehind = criteria.every((id) =>
    id === ahead[0] ||
    rivals.some(({ breakdown }) => named.breakdown[id]! <= (breakdown[id] ?? 0))
  );
  if (ahead.length !== 1 || !isBehind) return [];
  const sentence = `By the scores of judge "${judge}", ${labels.get(winner!)} is ahead in ${
    ahead[0]
  } alone, one of ${criteria.length} criteria.`;
  return [{ kind: "one criterion", judge, sentence }];
}

/** Notes that the verdicts themselves hold. */
function verdictNotes({ judge }: JudgeVote, { verdicts }: JudgeFindings): JudgeNote[] {
  const own = verdicts.filter((each) => each.judge === judge);
  const shortened = Math.max(...own.map((each) => each.shortened ?? 0));
  const profile = [...new Set(own.flatMap((each) => each.profile ?? []))];
  return [
    ...shortened === 0 ? [] : [
      {
        kind: "shortened",
        judge,
        sentence:
          `Judge "${judge}" saw the beginning alone of ${shortened} turns: there was no room for the rest.`,
      } as const,
    ],
    ...profile.map((bias) => ({
      kind: "profile" as const,
      judge,
      sentence: `A check of the model of judge "${judge}" found a bias: ${bias}`,
    })),
  ];
}

/** A judge is known by id, model and rubric, as in the names of its files. */
export function judgeKey(
  { judge, model, rubric }: Pick<Verdict, "judge" | "model" | "rubric">,
): string {
  return [judge, model, rubric].join("\u0000");
}
