import type { ConveningConfig } from "../core/convening_config.ts";
import type { RunPool } from "../library/run_pool.ts";
import type { AgentSettings } from "../workflows/workflow_options.ts";
import type { PaperShelf } from "./paper_shelf.ts";

/** What every route works with. */
export interface ServerContext {
  /** The archive's folder, absolute. */
  readonly out: string;
  /** What this process runs. */
  readonly pool: RunPool;
  /** The papers that were posted. */
  readonly papers: PaperShelf;
  /** How models are reached: the server's own configuration, never a request's. */
  readonly models: ServerModels;
  /** Ends what is streamed when the server ends. */
  readonly signal: AbortSignal;
}

/** How models are reached. */
export interface ServerModels extends Pick<AgentSettings, "baseUrl" | "providers" | "env"> {
  /** The model of every role that names none. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  readonly model?: string | undefined;
}

/**
 * The addresses of models as the server has them, to lay over what a request or a record says: no key of any provider
 * goes where a file or a client sends it.
 */
export function addressesOf(
  { baseUrl, providers }: ServerModels,
): Pick<ConveningConfig, "baseUrl" | "providers"> {
  return { baseUrl, providers };
}
