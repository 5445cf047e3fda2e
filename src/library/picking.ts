import { ConfigurationError } from "../core/error.ts";
import type { Message } from "../core/message.ts";
import { questionsIn } from "../core/paper/lists.ts";
import type { Convening, ResumeOptions } from "./convening.ts";

/** A question of one's own has this many code points (protocols.md, "Paper debate"; the workflow checks it too). */
const OWN = { least: 10, most: 1000 } as const;

/** Whether what is waited for is the choice of a question, by its key. */
export function isPickKey(turn: string): boolean {
  return /^pick(?:\/|$)/.test(turn);
}

/** The questions there are to pick from. */
export function questionsToPick(said: readonly Message[]): readonly string[] {
  return said.filter(({ kind }) => kind === "questions").flatMap(({ body }) => questionsIn(body));
}

/** Refuses an answer that picks nothing, and lists the questions. Fails with `config_invalid` of the field. */
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
    { field, hint: [`${howToPick(questions.length)}:`, ...list].join("\n") },
  );
}

/** Why an answer picks nothing; undefined of one that does. */
export function pickProblem(text: string, count: number): string | undefined {
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

/** What an answer can be. */
export function howToPick(count: number): string {
  return `A number from 1 to ${count}, or a question of your own`;
}

/** Why a question cannot be chosen. */
export interface ChoiceProblem {
  readonly state: string;
  readonly hint: string;
  /** The one that is debated, where that is why: a model's words. */
  readonly settled?: string | undefined;
}

/** Why what is debated cannot be chosen any more, or never could; undefined where it can. */
export function choiceProblem(
  { dir, start, messages }: Pick<Convening, "dir" | "start" | "messages">,
): ChoiceProblem | undefined {
  if (start.kind !== "paper-debate") {
    return {
      state: `this is a ${start.kind}`,
      hint: "Leave it out; it is for a paper debate that has no question yet.",
    };
  }
  const settled = messages.find(({ kind }) => kind === "question");
  if (settled === undefined) return undefined;
  return {
    state: "the question is settled",
    settled: settled.body,
    hint: settled.seq > 1
      ? `Leave it out; or debate another of the questions in a fork: fork ${dir} --at ${
        settled.seq - 1
      }, then resume it.`
      : "Leave it out, or start another paper debate.",
  };
}

/** A question that is picked when its turn comes. */
export interface PickedQuestion {
  readonly config: { readonly question: undefined; readonly pick: "ask" };
  readonly say: NonNullable<ResumeOptions["say"]>;
}

/**
 * With what a paper debate is resumed where a question of the user's own is given. Where questions were put to the papers
 * before, it is picked in the place of one of them; undefined where none were. Fails with `config_invalid` of the field.
 */
export function pickedQuestion(
  question: string,
  { messages, start }: Pick<Convening, "messages" | "start">,
  { field }: { readonly field: string },
): PickedQuestion | undefined {
  if (start.kind !== "paper-debate" || questionsToPick(messages).length === 0) return undefined;
  checkPick(question, { said: messages, field });
  const ids = new Set([...start.participants, ...start.judges].map(({ id }) => id));
  return {
    config: { question: undefined, pick: "ask" },
    say: { participant: ids.has("reader") ? "the-reader" : "reader", text: question },
  };
}
