import type { RemoteModels, RemoteRuns } from "./remote_runs.ts";
import type { PaperShelf } from "../inputs/paper_shelf.ts";

/** What every route works with; `signal` ends what is streamed, too. */
export interface ServerContext extends RemoteRuns {
  /** The archive's folder, absolute. */
  readonly out: string;
  /** The papers that were posted. */
  readonly papers: PaperShelf;
}

/** How models are reached. */
export type ServerModels = RemoteModels;
