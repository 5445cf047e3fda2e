import { ConfigurationError } from "../core/error.ts";
import type { TurnInfo } from "../core/event.ts";
import type { Message } from "../core/message.ts";
import { questionsIn } from "../core/paper/lists.ts";
import { plainText } from "./plain_text.ts";

/** A question of one's own has this many code points (protocols.md, "Paper debate"; the workflow checks it too). */
const OWN = { least: 10, most: 1000 } as const;

/** Whether a person is asked which of several questions is debated: one line answers that. */
export function isPick({ kind, seq }: Pick<TurnInfo, "kind" | "seq">): boolean {
  return kind === "pick" && seq === 0;
}

/** The same by the key of what is waited for. */
export function isPickKey(turn: string): boolean {
  return /^pick(?:\/|$)/.test(turn);
}

/** The questions there are to pick from. */
export function questionsToPick(said: readonly Message[]): readonly string[] {
  return said.filter(({ kind }) => kind === "questions").flatMap(({ body }) => questionsIn(body));
}

/** Refuses an answer that picks nothing, and lists the questions. */
export function checkPick(
  text: string,
  { said, field }: { readonly said: readonly Message[]; readonly field: string },
): void {
  const questions = questionsToPick(said);
  const problem = pickProblem(text, questions.length);
  if (problem === undefined) return;
  const list = questions.map((each, at) => `${at + 1}. ${each}`);
  throw new ConfigurationError(
    `Cannot debate ${JSON.stringify(text.trim().slice(0, 80))}: ${problem}`,
    {
      field,
      hint: [`${howTo(questions.length)}:`, ...list].join("\n"),
    },
  );
}

/** What a person is shown who picks. */
export function pickPrompt(task: string, count: number): string {
  return ["", plainText(task).trim(), "", `${howTo(count)}, then Enter:`, ""].join("\n");
}

/** Why an answer picks nothing; undefined of one that does. */
function pickProblem(text: string, count: number): string | undefined {
  const answer = text.trim();
  if (/^[-+]?\d+([.,]\d+)?\.?$/.test(answer)) {
    const number = /^\d+$/.test(answer) ? Number(answer) : 0;
    return number >= 1 && number <= count ? undefined : `there is no question ${answer}`;
  }
  const length = [...answer].length;
  if (length === 0) return "nothing was given";
  return length >= OWN.least && length <= OWN.most
    ? undefined
    : `a question has ${OWN.least} to ${OWN.most} characters, this has ${length}`;
}

/** The same to a person at a terminal, with what can be written instead. */
export function pickAgain(text: string, count: number): string | undefined {
  const problem = pickProblem(text, count);
  if (problem === undefined) return undefined;
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. ${howTo(count)}, then Enter:`;
}

function howTo(count: number): string {
  return `A number from 1 to ${count}, or a question of your own`;
}
