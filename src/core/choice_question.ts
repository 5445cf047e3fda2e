// A question with a structured answer that the record keeps as a choice.
import type { Choice } from "./fact.ts";
import type { Answer, Question } from "./turn.ts";

/** A question whose answer is kept as a choice. */
export interface ChoiceQuestion<T> extends Omit<Question<T, Choice>, "toFact" | "matches" | "seq"> {
  /** The message number it is asked before. */
  readonly seq: number;
  /** Part of a reply that the record keeps; for a reply that could not be read, `undefined` is given. */
  valueOf(reply: T | undefined): unknown;
  /** The reasons a reply gives, in markdown. */
  reasonsOf(reply: T): string;
}

/** The question that leaves a choice; where its answer could not be read, the choice's reasons say why. */
export function choiceQuestion<T>(
  { valueOf, reasonsOf, ...question }: ChoiceQuestion<T>,
): Question<T, Choice> {
  const { key, seq, asked, kind } = question;
  return {
    ...question,
    toFact: ({ value, problem, text, ...made }: Answer<T>, number) => ({
      type: "choice",
      key,
      seq,
      number,
      participant: asked,
      kind,
      value: valueOf(value),
      reasons: value === undefined
        ? `The answer could not be read: ${problem ?? "there was none."}\n\n${text}`.trim()
        : reasonsOf(value),
      ...made,
    }),
    matches: (fact): fact is Choice => fact.type === "choice" && fact.key === key,
  };
}

/** A field of what a choice holds; undefined where it is no object, or has none of that name. */
export function fieldOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
