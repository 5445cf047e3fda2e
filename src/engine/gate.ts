// The seam of limits that several convenings share.
import type { Agent } from "../core/agent.ts";
import type { Usage } from "../core/message.ts";
import type { Estimate } from "./budget.ts";

/** A call that a gate is asked for. */
export interface GatedCall {
  /** The key of the turn or question. */
  readonly key: string;
  /** The agent or embedder that is asked. */
  readonly agent: Pick<Agent, "model" | "source">;
  /** The most that a request may use. */
  readonly estimate: Estimate;
  /** The most requests of the call: several, where the agent may call tools before the answer. */
  readonly requests: number;
}

/** Gate of several convenings together, which every request of an agent or embedder passes. */
export interface CallGate {
  /**
   * Waits until the request may be sent, and reserves its cost; gives the function that takes what was used, and for how
   * many milliseconds the provider wants no request. Fails with a `LimitStop` where the cost does not fit.
   */
  enter(
    call: GatedCall,
    signal: AbortSignal,
  ): Promise<(used: Usage, refusedMs?: number) => Promise<void>>;
}
