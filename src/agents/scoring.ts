// The agent of a program that scores: no model, no network.
import { z } from "zod";
import { callable, checkFields } from "../core/check_fields.ts";
import type { Agent, Scoring } from "../core/agent.ts";
import { AgentError } from "../core/error.ts";

const ARGUMENTS = z.strictObject({ model: z.string().min(1), score: callable });

/**
 * A judge that is a program: `score` gives the numbers of each message, and the best mean total wins. Records show
 * `model` as the judge's model; to resume the convening, hand the agent in again.
 *
 * @example
 * ```ts
 * import { createScoringAgent } from "@convenings/convenings/scoring";
 *
 * const brevity = createScoringAgent("brevity", ({ body }, { criteria, scale: [least, most] }) => ({
 *   scores: Object.fromEntries(criteria.map(({ id }) => [id, body.length < 500 ? most : least])),
 *   reasons: `It has ${body.length} characters.`,
 * }));
 * console.assert(brevity.model === "brevity");
 * ```
 */
export function createScoringAgent(model: string, score: Scoring["score"]): Agent {
  checkFields({ model, score }, ARGUMENTS, "arguments of createScoringAgent");
  return {
    model,
    scoring: { score },
    reply: ({ context }) =>
      Promise.reject(
        new AgentError("agent_bad_reply", `Cannot ask "${model}" for "${context.key}": it scores`, {
          hint: "Give this role a model; a scoring agent is for judges.",
        }),
      ),
  };
}
