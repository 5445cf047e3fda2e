// The positions of a debate that is given none, made of its topic.
import type { DebateConfig } from "../config/convening_config.ts";

/** Two things that a topic compares: `X vs Y`, or `X or Y?`. */
const COMPARED = /^(.+?)\s+(?:vs\.?|versus)\s+(.+?)\s*\??$/iu;
const EITHER = /^(.+?),?\s+or\s+(.+?)\s*\?$/iu;
/** Words that a question begins with, whose first part is no position of its own. */
const ASKING =
  /^(?:why|how|what|which|who|whom|whose|when|where|whether|is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|if|in|on|at|for)\b/iu;

/** The two positions of a debate that is given none: the things that its topic compares, else for and against the topic. */
export function defaultPositions(topic: string): [string, string] {
  const question = topic.trim();
  const [, first, second] = COMPARED.exec(question) ??
    (ASKING.test(question) ? [] : EITHER.exec(question) ?? []);
  const isPair = first !== undefined && second !== undefined &&
    first.toLowerCase() !== second.toLowerCase() && !EITHER.test(`${second}?`);
  return isPair ? [first, second] : [`For: ${question}`, `Against: ${question}`];
}

/** A hint for a topic that has no two sides of its own; undefined for other topics. */
export function positionHint(
  { topic, positions, participants = [] }: DebateConfig,
): string | undefined {
  const isGiven = positions !== undefined || participants.some(({ position }) => position);
  if (isGiven || !/^(?:why|how|what)\b/iu.test(topic.trim())) return undefined;
  return "A question that begins with why, how or what has no two sides: give two with --position.";
}
