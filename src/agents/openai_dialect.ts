import type OpenAI from "openai";
import type { AgentRequest } from "../core/agent.ts";
import type { Schema } from "../core/schema.ts";
import type { Tool } from "../core/tool.ts";
import { isRefusedRequest } from "./openai_errors.ts";
import { schemaInstruction, wireSchema } from "./openai_schema.ts";

/** A message of the wire format. */
export type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
/** A request of the wire format. */
export type WireRequest = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** What a server was found to take; every change takes something away. */
export interface Dialect {
  /** Usage at the end of a stream. */
  readonly streamOptions: boolean;
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
  readonly temperature: boolean;
  readonly seed: boolean;
  /** How JSON of a shape is asked for. */
  readonly structured: "json_schema" | "json_object" | "prompt";
}

/** What every server is asked in at first. */
export const FIRST_DIALECT: Dialect = {
  streamOptions: true,
  tokenLimit: "max_tokens",
  temperature: true,
  seed: true,
  structured: "json_schema",
};

/** What a request is built from. */
interface WireParts {
  /** The model, as the server knows it. */
  readonly model: string;
  readonly request: AgentRequest;
  readonly messages: readonly WireMessage[];
  readonly tools: readonly Tool[];
}

/** The request as one server takes it. */
export function wireRequest(parts: WireParts, dialect: Dialect): WireRequest {
  const { model, request, messages, tools } = parts;
  const { maxTokens, temperature, seed, schema } = request;
  const inWords = schema !== undefined && dialect.structured !== "json_schema";
  const body: WireRequest = {
    model,
    messages: inWords ? withInstruction(messages, schema.type) : messages as WireMessage[],
    stream: true,
  };
  if (dialect.streamOptions) body.stream_options = { include_usage: true };
  if (maxTokens !== undefined) body[dialect.tokenLimit] = maxTokens;
  if (temperature !== undefined && dialect.temperature) {
    body.temperature = temperature;
  }
  if (seed !== undefined && dialect.seed) body.seed = seed;
  if (tools.length > 0) body.tools = tools.map(wireTool);
  const format = replyFormat(request, dialect);
  if (format !== undefined) body.response_format = format;
  return body;
}

/** The dialect to ask again in, when the error says which part of the request the server does not take. */
export function adapted(
  dialect: Dialect,
  body: WireRequest,
  error: unknown,
): Dialect | undefined {
  if (!isRefusedRequest(error)) return undefined;
  const names = (name: keyof WireRequest): boolean =>
    body[name] !== undefined && body[name] !== null &&
    (error.param === name ||
      new RegExp(`\\b${name}\\b`).test(error.message));
  if (names("stream_options")) return { ...dialect, streamOptions: false };
  if (
    body.response_format !== undefined &&
    (names("response_format") ||
      (typeof error.param === "string" && error.param.startsWith("response_format")) ||
      /json_schema|json_object|structured output/i.test(error.message))
  ) {
    const weaker = dialect.structured === "json_schema" ? "json_object" : "prompt";
    return { ...dialect, structured: weaker };
  }
  if (names("max_tokens")) {
    return { ...dialect, tokenLimit: "max_completion_tokens" };
  }
  if (names("temperature")) return { ...dialect, temperature: false };
  if (names("seed")) return { ...dialect, seed: false };
  return undefined;
}

function replyFormat(
  { schema }: AgentRequest,
  { structured }: Dialect,
): WireRequest["response_format"] {
  if (schema === undefined || structured === "prompt") return undefined;
  if (structured === "json_object") return { type: "json_object" };
  const wire = wireSchema(schema.type);
  return {
    type: "json_schema",
    json_schema: {
      name: schema.name,
      schema: wire.schema,
      strict: wire.strict,
    },
  };
}

function wireTool(
  { name, description, parameters }: Tool,
): OpenAI.Chat.Completions.ChatCompletionTool {
  return {
    type: "function",
    function: { name, description, parameters: wireSchema(parameters).schema },
  };
}

/** The instruction goes into the last message: some models refuse two messages of one role in a row. */
function withInstruction(
  messages: readonly WireMessage[],
  type: Schema,
): WireMessage[] {
  const instruction = schemaInstruction(type);
  const last = messages.at(-1);
  if (last?.role === "user" && typeof last.content === "string") {
    const content = `${last.content}\n\n${instruction}`;
    return [...messages.slice(0, -1), { role: "user", content }];
  }
  return [...messages, { role: "user", content: instruction }];
}
