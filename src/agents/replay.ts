// The agent that answers from a record.
import type { Agent } from "../core/agent.ts";
import { memo } from "../core/once_each.ts";
import type { ReplayAnswers, ReplayOptions } from "./replay/replay_agent.ts";

/**
 * An agent that answers each turn and question with what an earlier convening's record holds for its key, at no cost.
 *
 * A turn, a person's too, is what was accepted in it, with its look-ups, and with its draft and its stances where fields
 * are asked for, or with what it argues and cites in a debate over papers; attempts that were rejected are not made
 * again, and a mark that the text itself does not earn is not set again. A score, a verdict, a stance, a choice, the points
 * and claims of a statement and what was found of each are JSON in the shape that was asked for; participants are named by their
 * present labels. What could not be read is unreadable again, and a turn that failed for good fails again. Interjections
 * are no answers to anything: they are not replayed.
 *
 * Fails with an `AgentError` (`agent_bad_reply`) that names the key where nothing is recorded for it.
 */
export function createReplayAgent(
  answers: ReplayAnswers,
  options: ReplayOptions = {},
): Agent {
  const agent = memo(async () => {
    const { ReplayAgent } = await import("./replay/replay_agent.ts");
    return new ReplayAgent(answers, options);
  });
  return {
    model: options.model ?? answers.model,
    reply: async (request) => await (await agent()).reply(request),
  };
}
