import type { RequestContext } from "../../core/agent.ts";
import { mixSeed, seededRandom } from "../../core/random.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import type { Shape } from "./shape.ts";
import { capacity, fill, type Slots } from "./template.ts";
import { finish } from "./writer.ts";

/** A structured question, with what its answer is drawn from. */
export interface Asked {
  readonly context: RequestContext;
  /** What the answer is to look like, as JSON schema. */
  readonly root: Shape;
  /** One stream for the whole answer; the same question gives the same numbers. */
  readonly random: () => number;
  readonly count: TokenCounter;
  /** The most tokens of the answer. @default none */
  readonly maxTokens?: number | undefined;
}

/** The stream of one question. */
export function streamOf(
  { seed, key, participant, persona, attempt }: RequestContext,
): () => number {
  return seededRandom(mixSeed(seed, key, participant, persona ?? "", attempt));
}

/** A drawn sentence of a reason. Unlike what is said in turns it may come again in another answer. */
export function phrase(
  templates: readonly string[],
  slots: Slots,
  random: () => number,
): string {
  const template = templates[Math.floor(random() * templates.length)]!;
  const number = Math.floor(random() * capacity(template, slots));
  const focus = (_: string, at: number) => at;
  return finish(fill(template, number, { slots, salt: 0, focus }));
}

/** From −1 to 1: a lasting trait of whoever is asked, by its name. */
export function traitOf({ seed, participant, persona }: RequestContext, ...name: string[]): number {
  return seededRandom(mixSeed(seed, participant, persona ?? "", ...name))() * 2 - 1;
}

/** A number held between two others. */
export function between(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
