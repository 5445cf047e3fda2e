// Spans of requests to agents, by the OpenTelemetry conventions for generative AI; Deno exports them with `OTEL_DENO=true`.
import { type Agent, type AgentReply, isWaitedFor, type RequestContext } from "../core/agent.ts";
import { ConveningError } from "../core/error.ts";
import { memo } from "../core/values.ts";

/** Kind `CLIENT` and status `ERROR` of OpenTelemetry. */
const [CLIENT, ERROR] = [2, 2];

/** The tracer; undefined without tracing, where Deno throws for a span. */
const tracer = memo(() => {
  try {
    const made = Deno.telemetry.tracerProvider.getTracer("convenings");
    made.startSpan("convenings");
    return made;
  } catch {
    return undefined;
  }
});

/** Asks a model within a span; without tracing, and for a person or client, just asks. */
export function inSpan(
  agent: Agent,
  { key, label }: RequestContext,
  ask: () => Promise<AgentReply>,
): Promise<AgentReply> {
  if (isWaitedFor(agent.model) || tracer() === undefined) return ask();
  const { provider, url = "", model = agent.model } = agent.source ?? {};
  const host = URL.parse(url)?.hostname;
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider ?? host ?? model,
    "gen_ai.request.model": model,
    "gen_ai.agent.name": label,
    "convenings.turn": key,
    ...host && { "server.address": host },
  };
  const run = async (
    span: Record<"setAttributes" | "setStatus" | "end", (set?: object) => void>,
  ) => {
    try {
      const reply = await ask();
      span.setAttributes({
        "gen_ai.usage.input_tokens": reply.usage.inputTokens,
        "gen_ai.usage.output_tokens": reply.usage.outputTokens,
      });
      return reply;
    } catch (error) {
      span.setAttributes({ "error.type": error instanceof ConveningError ? error.code : "_OTHER" });
      span.setStatus({ code: ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  return tracer().startActiveSpan(`chat ${model}`, { kind: CLIENT, attributes }, run);
}
