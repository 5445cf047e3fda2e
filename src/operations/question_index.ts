import { ConfigurationError } from "../core/error.ts";
import { LAST_QUESTION } from "../papers/text/lists.ts";

/** The number, from 1, of the question with an index, from 0. Fails with `config_invalid` for what is no index. */
export function pickOfIndex(questionIndex: number): number {
  const isIndex = Number.isInteger(questionIndex) && questionIndex >= 0;
  if (isIndex && questionIndex < LAST_QUESTION) return questionIndex + 1;
  throw new ConfigurationError(`Cannot debate question index ${questionIndex}`, {
    field: "questionIndex",
    hint: `Questions count from 0, to ${LAST_QUESTION - 1} at most.`,
  });
}

/** The refusal of a pick that no question has, as one of an index: it lists the questions from 0. Other errors stay. */
export function asIndexError(error: unknown, questionIndex: number): unknown {
  if (!(error instanceof ConfigurationError) || error.field !== "pick") return error;
  return new ConfigurationError(`Cannot debate question index ${questionIndex}`, {
    field: "questionIndex",
    hint: fromZero(error.hint ?? ""),
    cause: error,
  });
}

/** A hint that lists questions from 1, with their indexes. */
function fromZero(hint: string): string {
  return hint.replace(/^Give 1 to (\d+)/, (_, last: string) => `Give 0 to ${Number(last) - 1}`)
    .replace(/^(\d+)\. /gm, (_, number: string) => `${Number(number) - 1}. `);
}
