// The pick of the question: a number, a question of one's own, or a person's choice.
import { z } from "zod";
import { ConfigurationError } from "../../core/error.ts";
import type { Choice } from "../../core/fact.ts";
import { LAST_QUESTION } from "../text/lists.ts";
import { checkWords } from "../../core/topic.ts";
import type { Question } from "../../core/turn.ts";
import { choiceQuestion, fieldOf } from "../../core/choice_question.ts";
import { numbered } from "./rules.ts";

/** Fewer code points make no question (context-network/rules/every_convening.md). */
const LEAST = 10;
/** At most this many code points of a question. */
const MOST = 1000;

/** The question, checked: 10 to 1,000 code points, without control characters. Fails with a `ConfigurationError`. */
export function checkQuestion(question: string): string {
  const text = question.trim().replace(/\s+/gu, " ");
  const length = [...text].length;
  if (length >= LEAST && length <= MOST) return checkWords(text, "question");
  throw new ConfigurationError(
    `Cannot use the question: it has ${length} characters, ${LEAST} to ${MOST} are allowed`,
    { field: "question", hint: `Ask in ${LEAST} to ${MOST} characters.` },
  );
}

/**
 * Refuses a number that no question of a new debate can have, before questions are asked for. Fails with a
 * `ConfigurationError`.
 */
export function checkPickNumber(pick: number | "ask" | undefined): void {
  if (typeof pick !== "number" || pick <= LAST_QUESTION) return;
  throw new ConfigurationError(
    `Cannot debate question ${pick}: at most ${LAST_QUESTION} are put to the papers`,
    { field: "pick", hint: `Give 1 to ${LAST_QUESTION}.` },
  );
}

/** Asks a person which question is debated; `attempt` counts how often, from 1. */
export function pickQuestion(
  questions: readonly string[],
  { asked, attempt, task }: {
    readonly asked: string;
    readonly attempt: number;
    readonly task: string;
  },
): Question<PickReply, Choice> {
  return choiceQuestion({
    key: attempt === 1 ? "pick" : `pick/${attempt}`,
    seq: 2,
    asked,
    phase: "question",
    kind: "pick",
    round: 0,
    task,
    values: { questions: numbered(questions) },
    schema: { name: "pick", type: pickType(questions.length) },
    valueOf: (reply) => reply === undefined ? null : valueOf(reply, questions),
    reasonsOf: () => "",
  });
}

function valueOf({ question }: PickReply, questions: readonly string[]): object {
  return typeof question === "number"
    ? { pick: question, question: questions[question - 1] }
    : { pick: null, question: question.replace(/\s+/gu, " ").trim() };
}

/** A number of the list, or a question of one's own. */
type PickReply = z.infer<ReturnType<typeof pickType>>;

function pickType(count: number) {
  const own = z.string().trim().refine(
    (text) => [...text].length >= LEAST && [...text].length <= MOST && !/\p{Cc}/u.test(text),
    `give a number from 1 to ${count}, or a question of ${LEAST} to ${MOST} characters`,
  );
  return z.object({ question: z.union([z.int().min(1).max(count), own]) });
}

/** The question that was picked; undefined where the answer was none. */
export function pickedIn({ value }: Choice): string | undefined {
  const question = fieldOf(value, "question");
  return typeof question === "string" ? question : undefined;
}
