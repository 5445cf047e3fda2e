// Tools that agents may call, and traces of their calls.
import type { Schema } from "./schema.ts";

/** Something an agent may call while it answers. Its results are recorded under `lookups/`. */
export interface Tool {
  /** The name the model calls it by: letters, digits, `_`. */
  readonly name: string;
  /** Description for the model: purpose and use. */
  readonly description: string;
  /** The shape of its arguments; a call that does not fit is answered with the reason. */
  readonly parameters: Schema;
  /** Answers one call with text. A thrown error is told to the model and does not fail the turn. */
  run(
    args: unknown,
    options?: {
      readonly signal?: AbortSignal | undefined;
      /** Calls whose results the model has before it already. @default none */
      readonly earlier?: readonly ToolTrace[] | undefined;
    },
  ): Promise<string>;
}

/** One call of a tool and what it gave back. */
export interface ToolTrace {
  /** The tool's name. */
  readonly tool: string;
  /** Arguments as JSON. */
  readonly args: unknown;
  /** Result, or the error. */
  readonly result: string;
  /** True if the call failed; `result` then is the reason. */
  readonly failed: boolean;
}

/** Number of rounds of tool calls before a model has to answer without them. */
export const MAX_TOOL_ITERATIONS = 10;
