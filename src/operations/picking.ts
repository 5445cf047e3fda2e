// Checks the choice of a paper debate's question, by a person or by a setting.
import type { ConveningConfig, PaperDebateConfig } from "../config/convening_config.ts";
import type { ConveningStart } from "../core/event.ts";
import { cannotUse, ConfigurationError } from "../core/error.ts";
import type { Message } from "../core/message.ts";
import { LAST_QUESTION, QUESTION_LENGTH, questionsIn } from "../papers/text/lists.ts";
import { thousands } from "../core/text.ts";

/** Returns true for the key of a turn that chooses the question of a paper debate, with the number of a further attempt. */
export function isPickKey(turn: string): boolean {
  return /^pick(?:\/\d+)?$/.test(turn);
}

/** Returns the questions to pick from, in the order of the messages. */
export function questionsToPick(said: readonly Message[]): readonly string[] {
  return said.filter(({ kind }) => kind === "questions").flatMap(({ body }) => questionsIn(body));
}

/** Throws `config_invalid` for `field`, with a list of the questions, if a text picks no question. */
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

/** Returns the reason why an answer picks no question of `count`; undefined for a valid answer. */
export function pickProblem(text: string, count: number): string | undefined {
  const answer = text.trim();
  if (/^[-+]?\d+([.,]\d+)?\.?$/.test(answer)) {
    const number = /^\d+$/.test(answer) ? Number(answer) : 0;
    return number >= 1 && number <= count ? undefined : `there is no question ${answer}`;
  }
  const length = [...answer].length;
  if (length === 0) return "nothing was given";
  const { least, most } = QUESTION_LENGTH;
  return length >= least && length <= most
    ? undefined
    : `a question has ${least} to ${thousands(most)} characters, this has ${thousands(length)}`;
}

/** Describes the valid answers, for prompts and hints. */
export function howToPick(count: number): string {
  return count === 0
    ? "A question of your own"
    : `A number from 1 to ${count}, or a question of your own`;
}

/** The part of a record that shows which question is debated. */
interface ChoiceRecord {
  readonly start: ConveningStart;
  readonly messages: readonly Message[];
}

/** Throws `config_invalid` if the question is settled, or the convening is no paper debate. */
export function refuseChoice(field: "pick" | "question", { start, messages }: ChoiceRecord): void {
  const stated = messages.find(({ kind }) => kind === "question");
  const isPaperDebate = start.kind === "paper-debate";
  if (isPaperDebate && stated === undefined) return;
  const state = isPaperDebate ? "the question is settled" : `this is a ${start.kind}`;
  const before = stated === undefined ? 0 : stated.seq - 1;
  const hint = before > 0
    ? `Leave it out; or fork at message ${before}, and resume the fork with another.`
    : "Leave it out, or start another paper debate.";
  throw cannotUse(field, state, hint);
}

/** The settings of a resume that may choose the question. */
interface ChoiceOver {
  readonly config: Partial<ConveningConfig>;
  /** An own question, said as the answer of the turn that picks one of the listed questions. */
  readonly say?: { readonly participant: string; readonly text: string } | undefined;
}

/**
 * Returns the settings of a resume, in which a new question or pick replaces both recorded keys. Throws `config_invalid` if
 * the question is settled or cannot be used.
 */
export function choiceOver(config: Partial<ConveningConfig>, record: ChoiceRecord): ChoiceOver {
  const { start, messages } = record;
  const { question, pick } = config as Partial<PaperDebateConfig>;
  const isNew = (key: "question" | "pick", value: unknown) =>
    value !== undefined && value !== start.configuration[key];
  const field = isNew("question", question) ? "question" : isNew("pick", pick) ? "pick" : undefined;
  if (field === undefined || start.kind !== "paper-debate") return { config };
  refuseChoice(field, record);
  const isListed = messages.some(({ kind }) => kind === "questions");
  if (typeof pick === "number" && isListed) checkPick(String(pick), { said: messages, field });
  if (question === undefined) return { config: withChoice(config, { question }) };
  // The check of the configuration rejects both keys at once.
  if (pick !== undefined) return { config };
  if (!isListed) return { config: withChoice(config, { pick }) };
  checkPick(question, { said: messages, field });
  const ids = new Set([...start.participants, ...start.judges].map(({ id }) => id));
  return {
    config: withChoice(config, { question: undefined, pick: "ask" }),
    say: { participant: ids.has("reader") ? "the-reader" : "reader", text: question },
  };
}

/** Lays a choice over a configuration; an undefined key stays present, so that it overrides the recorded value. */
function withChoice(
  config: Partial<ConveningConfig>,
  choice: Pick<PaperDebateConfig, "question" | "pick">,
): Partial<ConveningConfig> {
  return { ...config, ...choice } as Partial<ConveningConfig>;
}

/** Converts the index of a question, from 0, into its number, from 1. Throws `config_invalid` for an invalid index. */
export function pickOfIndex(questionIndex: number): number {
  const isIndex = Number.isInteger(questionIndex) && questionIndex >= 0;
  if (isIndex && questionIndex < LAST_QUESTION) return questionIndex + 1;
  throw new ConfigurationError(`Cannot debate question index ${questionIndex}`, {
    field: "questionIndex",
    hint: `Questions count from 0, to ${LAST_QUESTION - 1} at most.`,
  });
}

/** Converts the error of a pick without a question into one of an index; keeps other errors. */
export function asIndexError(error: unknown, questionIndex: number): unknown {
  if (!(error instanceof ConfigurationError) || error.field !== "pick") return error;
  return new ConfigurationError(`Cannot debate question index ${questionIndex}`, {
    field: "questionIndex",
    hint: error.hint && `An index counts from 0, this list from 1. ${error.hint}`,
    cause: error,
  });
}
