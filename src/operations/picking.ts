// The choice of the question of a paper debate, by a person or a setting.
import type { ConveningConfig, PaperDebateConfig } from "../config/convening_config.ts";
import type { ConveningStart } from "../core/event.ts";
import { ConfigurationError } from "../core/error.ts";
import type { Message } from "../core/message.ts";
import { questionsIn } from "../papers/text/lists.ts";

/** A question of one's own has this many code points (context-network/rules/paper_debate.md; the workflow checks it too). */
const OWN = { least: 10, most: 1000 } as const;

/** True of the choice of a question, by the key of the turn. */
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

/** Reason that an answer picks nothing; undefined of an answer that does. */
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

/** The forms of an answer. */
export function howToPick(count: number): string {
  return `A number from 1 to ${count}, or a question of your own`;
}

interface ChoiceProblem {
  readonly state: string;
  readonly hint: string;
  /** The debated question, where that is the reason: a model's words. */
  readonly settled?: string | undefined;
}

/** A record, as far as it says what is debated. */
interface ChosenIn {
  readonly dir: string;
  readonly start: ConveningStart;
  readonly messages: readonly Message[];
}

/** Reason that a question cannot be chosen any more, or never could; undefined where it can. */
export function choiceProblem({ dir, start, messages }: ChosenIn): ChoiceProblem | undefined {
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

/** Rejects a choice of the question where the question is settled, or was never to be chosen. */
export function refuseChoice(field: "pick" | "question", record: ChosenIn): void {
  const problem = choiceProblem(record);
  if (problem === undefined) return;
  const { state, hint } = problem;
  throw new ConfigurationError(`Cannot use ${field}: ${state}`, { field, hint });
}

/** The settings of a resume where the debated question is chosen then. */
interface ChoiceOver {
  readonly config: Partial<ConveningConfig>;
  /** A question of one's own where questions were put to the papers: it is picked in the place of one of them. */
  readonly say?: { readonly participant: string; readonly text: string } | undefined;
}

/**
 * The configuration of a resume, in which a question or a pick replaces those of the record. Fails with
 * `config_invalid` where what is debated is settled, or the question cannot be used.
 */
export function choiceOver(config: Partial<ConveningConfig>, record: ChosenIn): ChoiceOver {
  const { start, messages } = record;
  const { question, pick } = config as Partial<PaperDebateConfig>;
  const isNew = (key: "question" | "pick", value: unknown) =>
    value !== undefined && value !== start.configuration[key];
  const field = isNew("question", question) ? "question" : isNew("pick", pick) ? "pick" : undefined;
  if (field === undefined || start.kind !== "paper-debate") return { config };
  refuseChoice(field, record);
  const isListed = questionsToPick(messages).length > 0;
  if (typeof pick === "number" && isListed) checkPick(String(pick), { said: messages, field });
  if (question === undefined) return { config: over(config, { question }) };
  // Both at once are refused as in every configuration.
  if (pick !== undefined) return { config };
  if (!isListed) return { config: over(config, { pick }) };
  checkPick(question, { said: messages, field });
  const ids = new Set([...start.participants, ...start.judges].map(({ id }) => id));
  return {
    config: over(config, { question: undefined, pick: "ask" }),
    say: { participant: ids.has("reader") ? "the-reader" : "reader", text: question },
  };
}

/** Undefined and not gone: it goes over what the record says. */
function over(
  config: Partial<ConveningConfig>,
  choice: Pick<PaperDebateConfig, "question" | "pick">,
): Partial<ConveningConfig> {
  return { ...config, ...choice } as Partial<ConveningConfig>;
}
