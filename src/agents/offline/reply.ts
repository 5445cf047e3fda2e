// One reply of the offline agent: a speech, or the fields of a structured reply.
import type { AgentRequest } from "../../core/agent.ts";
import { mixSeed } from "../../core/random.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import type { ToolTrace } from "../../core/tool.ts";
import { answerOf, itemsOf } from "./answers.ts";
import { lookUps, passagesIn } from "./passages.ts";
import { viewOf } from "./prompt_view.ts";
import { type Scene, speechOf, writerOf } from "./speech.ts";

/** Answers a request, after the tools that the agent calls. */
export async function replyTo(
  request: AgentRequest,
  count: TokenCounter,
): Promise<{ readonly text: string; readonly toolCalls: readonly ToolTrace[] }> {
  const { context, schema } = request;
  const writer = writerOf(context);
  const own = writerOf({ ...context, seed: mixSeed(context.seed, context.participant) });
  const scene: Scene = { request, view: viewOf(request.messages), writer, own, count };
  if (schema === undefined) return { text: speechOf(scene), toolCalls: [] };
  const question = scene.view.quoted.findLast(({ name }) => name === "question")?.text ??
    context.topic;
  const toolCalls = await lookUps(request, { subjects: itemsOf(schema), question });
  return { text: answerOf(scene, schema, passagesIn(toolCalls, own)), toolCalls };
}
