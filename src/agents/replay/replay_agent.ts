// The agent of a replay: each turn and question is answered with what a record holds for its key.
import type { Agent, RequestContext } from "../../core/agent.ts";
import { AGENT_ERROR_CODES, AgentError, CancelledError } from "../../core/error.ts";
import type { Failure } from "../../core/fact.ts";
import { NO_USAGE } from "../../core/message.ts";
import { memo } from "../../core/values.ts";
import type { ReplayAnswers } from "./recording.ts";

/** Options of a replay agent. */
export interface ReplayOptions {
  /** Model in records. @default the answers' own */
  readonly model?: string | undefined;
  /** The directory of the answers, for messages. @default the model's name stands in */
  readonly dir?: string | undefined;
}

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
  const { model = answers.model, dir = answers.model } = options;
  const load = memo(async () => {
    const { Recording } = await import("./recording.ts");
    const { replyText } = await import("./answers.ts");
    return { recording: new Recording(answers), replyText };
  });
  return {
    model,
    async reply(request) {
      const { context, signal, onDelta } = request;
      const { recording, replyText } = await load();
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const text = replyText(request, recording);
      if (text === undefined) {
        const failure = recording.latest("failure", ({ turn }) => turn === context.key);
        throw unanswered(context, { failure, dir });
      }
      if (text !== "") onDelta?.(text);
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const toolCalls = recording.traces(context.key);
      return {
        text,
        finishReason: "stop",
        model,
        usage: NO_USAGE,
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      };
    },
  };
}

/** The failure of a turn that nothing was said in, else that nothing is recorded. */
function unanswered(
  { key, label }: RequestContext,
  { failure, dir }: { readonly failure: Failure | undefined; readonly dir: string },
): AgentError {
  if (failure === undefined) {
    return new AgentError(
      "agent_bad_reply",
      `Cannot answer "${key}": nothing is recorded for it in ${dir}`,
      { hint: "Replay the convening with the configuration it was held in." },
    );
  }
  const code = AGENT_ERROR_CODES.find((each) => each === failure.code) ?? "agent_bad_reply";
  // Whoever asks adds whose turn it was.
  return new AgentError(code, failure.message.replace(` (turn "${key}" of ${label})`, ""));
}
