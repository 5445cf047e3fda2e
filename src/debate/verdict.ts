// The closing questions: which side won, in each order.
import { z } from "zod";
import type { Verdict } from "../core/fact.ts";
import type { Rubric } from "../config/convening_config.ts";
import type { Answer, Question } from "../core/turn.ts";
import { listOf, type Side } from "./rules.ts";
import type { Scoring } from "../core/agent.ts";
import { weightedTotal, weightsOf } from "../judging/scoring.ts";
import { mean, round4 } from "../core/statistics.ts";
import type { Message } from "../core/message.ts";

/** A judge's reply: reasons first, then a side's label or `tie`. */
interface VerdictReply {
  readonly reasons: string;
  readonly winner: string;
}

/** Parts of the closing questions. */
interface VerdictOptions {
  /** The judges' ids. */
  readonly judges: readonly string[];
  readonly sides: readonly Side[];
  readonly rubric: Rubric;
  /** The criterion ids in the order they are weighed. */
  readonly order: readonly string[];
  readonly task: string;
  /** The most tokens of a reply. @default the usual ones of an answer */
  readonly maxTokens?: number | undefined;
  /** The speeches that a program compares, where a judge is one. @default none */
  readonly speeches?: readonly Message[] | undefined;
  /** Fact checks as shown to judges. @default nothing was checked */
  readonly notes?: string | undefined;
}

/**
 * One question a judge and order: two sides in both orders, more sides in every rotation, so that a judge who goes by
 * the order shows itself (context-network/rules/scoring.md).
 */
export function verdictQuestions(
  options: VerdictOptions,
): Question<VerdictReply, Verdict>[] {
  return options.judges.flatMap((judge) =>
    rotations(options.sides).map((sides, index) =>
      verdictQuestion({ ...options, judge, sides, number: index + 1 })
    )
  );
}

function verdictQuestion(
  { judge, sides, number, rubric, order, task, notes, speeches, maxTokens }: VerdictOptions & {
    readonly judge: string;
    readonly number: number;
  },
): Question<VerdictReply, Verdict> {
  const winners: [string, ...string[]] = [...sides.map(({ label }) => label), "tie"] as [string];
  return {
    key: `verdict/${judge}/${number}`,
    asked: judge,
    phase: "verdict",
    kind: "verdict",
    round: 0,
    task,
    values: { sides: listOf(sides), nextAction: order.join(", ") },
    notes,
    maxTokens,
    schema: {
      name: "verdict",
      type: z.object({ reasons: z.string().min(1), winner: z.enum(winners) }),
    },
    data: { labels: Object.fromEntries(sides.map(({ id, label }) => [id, label])) },
    compute: ({ scoring }) => scoring && computedVerdict(scoring, { speeches, sides, rubric }),
    toFact: (answer) => verdictOf(answer, { judge, rubric, number, sides }),
    matches: (fact): fact is Verdict =>
      fact.type === "verdict" && fact.judge === judge && fact.number === number &&
      fact.rubric === rubric.id,
  };
}

/** The verdict of a program that scores: the side whose speeches have the best mean total. */
async function computedVerdict(
  scoring: Scoring,
  { speeches = [], sides, rubric }: Pick<VerdictOptions, "sides" | "rubric" | "speeches">,
): Promise<VerdictReply> {
  const weights = weightsOf(rubric);
  const totals = await Promise.all(sides.map(async ({ id, label }) => {
    const own = speeches.filter(({ participant }) => participant === id);
    const scored = await Promise.all(own.map((speech) => scoring.score(speech, rubric)));
    const found = mean(scored.map(({ scores }) => weightedTotal(scores, weights)));
    return { label, total: round4(found ?? 0) };
  }));
  const best = Math.max(...totals.map(({ total }) => total));
  const leaders = totals.filter(({ total }) => total === best);
  return {
    reasons: `Mean totals: ${totals.map(({ label, total }) => `${label} ${total}`).join(", ")}.`,
    winner: leaders.length === 1 ? leaders[0]!.label : "tie",
  };
}

function verdictOf(
  { value, problem, text, ...made }: Answer<VerdictReply>,
  { judge, rubric, number, sides }: {
    judge: string;
    rubric: Rubric;
    number: number;
    sides: readonly Side[];
  },
): Verdict {
  const common = {
    type: "verdict",
    judge,
    rubric: rubric.id,
    number,
    order: sides.map(({ id }) => id),
    ...made,
  } as const;
  if (value === undefined) {
    const reason = problem ?? "The reply could not be read.";
    return { ...common, status: "unread", reason, winner: null, reasons: text };
  }
  const winner = sides.find(({ label }) => label === value.winner)?.id ?? null;
  return { ...common, status: "read", winner, reasons: value.reasons };
}

/** Every rotation: of two, both orders. */
function rotations<T>(items: readonly T[]): T[][] {
  return items.map((_, index) => [...items.slice(index), ...items.slice(0, index)]);
}
