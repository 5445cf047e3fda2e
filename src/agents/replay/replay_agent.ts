// The replay agent: answers each turn and question from a record.
import type { Agent, RequestContext } from "../../core/agent.ts";
import { z } from "zod";
import { checkFields } from "../../core/check_fields.ts";
import { AGENT_ERROR_CODES, AgentError, CancelledError } from "../../core/error.ts";
import type { Failure } from "../../core/fact.ts";
import { NO_USAGE } from "../../core/message.ts";
import { memo } from "../../core/values.ts";
import type { ReplayAnswers } from "./recording.ts";

/** Options of a replay agent. */
export interface ReplayOptions {
  /** Name of the model in records. @default the model of the answers */
  readonly model?: string | undefined;
  /** Directory of the replayed record, for messages. @default the name of the model */
  readonly dir?: string | undefined;
}

const ARGUMENTS = z.object({
  answers: z.object({
    model: z.string(),
    messages: z.instanceof(Map, { error: "Give a map of messages by turn key." }),
    facts: z.array(z.unknown()),
  }),
});

/**
 * Creates an agent that answers each turn and question with the answer that an earlier record holds for its key, at no cost.
 * `createAgent("replay:DIR")` creates one from the record in a directory.
 *
 * The reply to a turn, also a person's, is the accepted message with its look-ups. A structured turn has the recorded draft and own
 * facts; in a paper debate the reply includes the arguments and citations, which are checked again. Rejected attempts are not
 * repeated, and a mark is set again only if the text itself causes it. A choice has the recorded value. Scores, verdicts, stances,
 * points, claims and fact checks are JSON of the requested schema, with the present labels of participants. An unreadable reply is
 * unreadable again, and a failed turn fails again. Interjections are not replayed.
 *
 * Rejects with an `AgentError` (`agent_bad_reply`) that names the key if the record has no answer.
 */
export function createReplayAgent(
  answers: ReplayAnswers,
  options: ReplayOptions = {},
): Agent {
  checkFields({ answers }, ARGUMENTS, "arguments of createReplayAgent");
  const { model = answers.model, dir = model } = options;
  const load = memo(async () => {
    const { Recording } = await import("./recording.ts");
    const { replyOf } = await import("./answers.ts");
    return { recording: new Recording(answers), replyOf };
  });
  return {
    model,
    async reply(request) {
      const { context, signal, onDelta } = request;
      const { recording, replyOf } = await load();
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const answer = replyOf(request, recording);
      if (answer === undefined) {
        const failure = recording.latest("failure", ({ turn }) => turn === context.key);
        throw unanswered(context, { failure, dir });
      }
      if (answer.text !== "") onDelta?.(answer.text);
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const toolCalls = recording.traces(context.key);
      return {
        ...answer,
        finishReason: "stop",
        model,
        usage: NO_USAGE,
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      };
    },
  };
}

/** Returns the error of a failed turn, else an error that the record has no answer. */
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
  // The caller adds turn and speaker again.
  return new AgentError(code, failure.message.replace(` (turn "${key}" of ${label})`, ""));
}
