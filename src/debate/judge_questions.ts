// Questions to judges besides scores and verdicts: baselines and summaries.
import { z } from "zod";
import type { Choice } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { choiceQuestion, type Question } from "../core/turn.ts";
import { listOf, type Side } from "./rules.ts";

/**
 * One question a judge, asked before anything is said: its own answer to the topic, as long as all speeches of the
 * debate together may be, and the side that comes to. So it can be seen what the debate changed.
 */
export function baselineQuestions(
  judges: readonly string[],
  { sides, task, maxTokens }: {
    readonly sides: readonly Side[];
    readonly task: string;
    /** Tokens that the sides may use in the debate, together. */
    readonly maxTokens: number;
  },
): Question<unknown, Choice>[] {
  const labels: [string, ...string[]] = ["tie", ...sides.map(({ label }) => label)];
  const type = z.object({ answer: z.string().min(1), winner: z.enum(labels) });
  return judges.map((judge) =>
    choiceQuestion({
      key: `baseline/${judge}`,
      asked: judge,
      phase: "opening",
      kind: "baseline",
      round: 0,
      task,
      values: { sides: listOf(sides) },
      schema: { name: "baseline", type },
      data: { labels: Object.fromEntries(sides.map(({ id, label }) => [id, label])) },
      maxTokens,
      seq: 1,
      valueOf: (reply) =>
        reply === undefined ? null : {
          winner: sides.find(({ label }) => label === reply.winner)?.id ?? null,
          answer: reply.answer,
        },
      reasonsOf: ({ answer }) => answer,
    })
  );
}

/** The summary of the debate, asked of a judge alongside the verdicts, where no moderator sums up. */
export function summaryQuestion(
  judge: string,
  { said, task, maxTokens }: {
    readonly said: readonly Message[];
    readonly task: string;
    readonly maxTokens: number;
  },
): Question<unknown, Choice> {
  return choiceQuestion({
    key: `summary/${judge}`,
    asked: judge,
    phase: "verdict",
    kind: "summary",
    round: 0,
    task,
    schema: { name: "summary", type: z.object({ summary: z.string().min(1) }) },
    maxTokens,
    seq: (said.at(-1)?.seq ?? 0) + 1,
    valueOf: (reply) => reply === undefined ? null : { summary: reply.summary },
    reasonsOf: ({ summary }) => summary,
  });
}
