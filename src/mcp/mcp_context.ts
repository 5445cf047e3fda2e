import type { Catalogue } from "../compose.ts";
import type { ClientRuns } from "../operations/operation.ts";

/** What every tool and resource works with. */
export interface McpContext {
  /** The archive's folder, absolute. */
  readonly out: string;
  /** The directory of a convening by its id. Fails with `not_found`. */
  readonly dirOf: (id: string) => Promise<string>;
  /** The kinds and agents there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
  /** What runs and changes convenings; absent, there are only tools that read. */
  readonly runs?: ClientRuns | undefined;
}
