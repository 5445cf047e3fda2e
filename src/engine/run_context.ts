// The context that the parts of one run share: cast, record so far, prompts, limits, events, people.
import type { WordRange } from "../core/words.ts";
import { type Made, NO_USAGE } from "../core/message.ts";
import type { Past } from "../core/past.ts";
import type { Turn } from "../core/turn.ts";
import type { Prices } from "../config/prices.ts";
import type { Answers } from "./answers.ts";
import type { Budget } from "./budget.ts";
import type { Caller } from "./caller.ts";
import type { CastMember } from "./cast_member.ts";
import type { Emitter } from "./emitter.ts";
import type { People } from "./people.ts";
import type { Prompter } from "./prompter.ts";

/** Context that the parts of one run share. */
export interface RunContext {
  readonly topic: string;
  /** The convening's seed, for agents that are no models. */
  readonly seed: number;
  /** Everyone who can be asked, by id. */
  readonly cast: ReadonlyMap<string, CastMember>;
  /** The record as it was when the run began, and what turns of this run left beside their messages. */
  readonly past: Past;
  readonly prompter: Prompter;
  readonly caller: Caller;
  readonly emitter: Emitter;
  readonly budget: Budget;
  /** Answers that no fact carries yet. */
  readonly answers: Answers;
  readonly people: People;
  /** Ends with the run. */
  readonly signal: AbortSignal;
  /** The time, as records write it. */
  readonly now: () => string;
  readonly prices?: Prices | undefined;
  /** The range of words that turns are held to. */
  readonly words?: WordRange | undefined;
  /** The turns the range holds for. @default all */
  readonly wordsApply?: ((turn: Turn) => boolean) | undefined;
  /** The most tokens of the summary of an early end; undefined where a template makes it. */
  readonly summaryTokens?: number | undefined;
}

/** The provenance of words that cost nothing: a template's, a person's, a failure's. */
export function madeFree({ now }: RunContext, model: string): Made {
  return { model, usage: NO_USAGE, latencyMs: 0, createdAt: now() };
}
