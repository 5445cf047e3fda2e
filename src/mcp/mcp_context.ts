import type { Paper } from "../core/paper/paper.ts";
import type { JudgeOptions } from "../library/judging.ts";
import type { RunPool } from "../library/run_pool.ts";

/** What every tool and resource works with. */
export interface McpContext {
  /** The archive's folder, absolute. */
  readonly out: string;
  /** The directory of a convening by its id. Fails with `not_found`. */
  readonly dirOf: (id: string) => Promise<string>;
  /** What runs and changes convenings; absent, there are only tools that read. */
  readonly runs?: McpRuns | undefined;
}

/** How convenings are run on behalf of a client. */
export interface McpRuns {
  /** What this process runs. */
  readonly pool: RunPool;
  /** How models are reached: never a client's to say. */
  readonly models: McpModels;
  /** A paper that was posted, by its id. Fails with `not_found`. */
  readonly paper: (id: string) => Promise<Paper>;
  /** Aborts when the process ends: what is asked of judges then is broken off. */
  readonly signal: AbortSignal;
}

/** The servers of models, and the model of every role that names none. */
export interface McpModels extends Pick<JudgeOptions, "baseUrl" | "providers" | "env"> {
  /** @default "gpt-4o-mini" with a key or base URL, else "offline" */
  readonly model?: string | undefined;
}
