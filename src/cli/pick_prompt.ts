import type { TurnInfo } from "../core/event.ts";
import { howToPick, pickProblem } from "../operations/picking.ts";
import { plainText } from "../core/text.ts";

/** Whether a person is asked which of several questions is debated: one line answers that. */
export function isPick({ kind, seq }: Pick<TurnInfo, "kind" | "seq">): boolean {
  return kind === "pick" && seq === 0;
}

/** What a person is shown who picks. */
export function pickPrompt(task: string, count: number): string {
  return ["", plainText(task).trim(), "", `${howToPick(count)}, then Enter:`, ""].join("\n");
}

/** What a person at a terminal is told of an answer that picks nothing, with what can be written instead. */
export function pickAgain(text: string, count: number): string | undefined {
  const problem = pickProblem(text, count);
  if (problem === undefined) return undefined;
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. ${howToPick(count)}, then Enter:`;
}
