// A verdict that a program gives, as the facts that a debate would have recorded.
import type { ConveningStart } from "../core/convening_start.ts";
import type { Choice, Evidence, Fact, Score } from "../core/fact.ts";
import { type Message, NO_USAGE } from "../core/message.ts";
import type { JudgeVerdict } from "../papers/text/debate_report.ts";
import type { DebaterArgument } from "../core/evidence.ts";
import type { Rubric } from "../config/convening_config.ts";
import { weightedTotal, weightsOf } from "../judging/scoring.ts";
import { mean, round4 } from "../core/statistics.ts";

/** A verdict and the arguments it is on, as the facts that a debate would have left of them. */
interface GivenVerdict {
  readonly verdict: JudgeVerdict;
  /** In the order of the speeches. */
  readonly given: readonly DebaterArgument[];
  readonly rubric: Rubric;
}

/** The facts of arguments and a verdict that were made before; totals are computed from the numbers again. */
export function factsOfVerdict(
  { judges }: Pick<ConveningStart, "judges">,
  { verdict, given, rubric }: GivenVerdict,
  speeches: readonly Message[],
): Fact[] {
  const judge = judges[0]!.id;
  const evidence = speeches.map((speech, index) => evidenceOf(speech, given[index]!));
  const scores = speeches.flatMap((speech, index) => {
    const { posture } = given[index]!;
    const found = verdict.perDebater.find((each) => each.posture === posture);
    return found === undefined || found.perTopic.length === 0
      ? []
      : [scoreOf(speech, found, { judge, rubric })];
  });
  return [...evidence, ...scores, insightsOf(verdict, judge, speeches)];
}

const MADE = { model: "given", usage: NO_USAGE, latencyMs: 0, createdAt: "" } as const;

function evidenceOf({ seq, turn, participant }: Message, argument: DebaterArgument): Evidence {
  return {
    type: "evidence",
    seq,
    turn,
    participant,
    ...argument,
    citations: {},
    quotations: argument.quotations ?? [],
    createdAt: "",
  };
}

function scoreOf(
  { seq, participant }: Message,
  { perTopic }: JudgeVerdict["perDebater"][number],
  { judge, rubric }: { readonly judge: string; readonly rubric: Rubric },
): Score {
  const weights = weightsOf(rubric);
  const criteria = Object.fromEntries(
    Object.keys(weights).map((id) => [
      id,
      round4(mean(perTopic.map(({ scores }) => scores[id] ?? rubric.scale[0])) ?? 0),
    ]),
  );
  return {
    type: "score",
    message: seq,
    participant,
    judge,
    rubric: rubric.id,
    scale: rubric.scale,
    status: "scored",
    weights,
    criteria,
    total: weightedTotal(criteria, weights),
    reasons: "",
    topics: perTopic.map(({ scores, ...rest }) => ({ ...rest, criteria: scores })),
    ...MADE,
  };
}

function insightsOf(
  { insights, controversialPoints }: JudgeVerdict,
  judge: string,
  speeches: readonly Message[],
): Choice {
  return {
    type: "choice",
    key: `insights/${judge}`,
    seq: (speeches.at(-1)?.seq ?? 0) + 1,
    number: 1,
    participant: judge,
    kind: "insights",
    value: { insights, controversialPoints },
    reasons: "",
    ...MADE,
  };
}
