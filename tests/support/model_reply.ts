// Replies of the local model server: their settings, text, usage and stream of events.
// deno-lint-ignore-file camelcase -- the wire format has its own names
import { sampleJson, type SampleValue } from "./sample_json.ts";

/** Fields of a chat request that the server reads. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: string | null;
  }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: {
      readonly name: string;
      readonly strict?: boolean;
      readonly schema: Readonly<Record<string, unknown>>;
    };
  };
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly parameters: unknown };
  }[];
  readonly tool_choice?: unknown;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
}

/** Reply to a request. The defaults make a valid reply. */
export interface ModelReply {
  /** @default a sentence, or JSON that fits the requested schema */
  readonly text?: string;
  /** Value that is sent as JSON text. */
  readonly json?: unknown;
  readonly toolCalls?: readonly {
    readonly name: string;
    readonly arguments: string;
  }[];
  readonly refusal?: string;
  /** @default "stop", or "tool_calls" */
  readonly finishReason?: string;
  /** Fields that replace those of the counted usage; null sends no usage. */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** Error status; the body is `error`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: Readonly<Record<string, unknown>>;
  /** Whole response body instead of a completion; JSON unless `headers` has another type. */
  readonly body?: string;
  readonly fault?: Fault;
  /** Milliseconds before the headers. @default the server's latency */
  readonly latency?: number;
  /** Milliseconds between two chunks. @default 0: all chunks are sent at once */
  readonly chunkDelay?: number;
}

/** Failure of a reply. */
export type Fault =
  /** The connection breaks after half of the chunks. */
  | "cut"
  /** The stream ends normally after half of the chunks, without a finish reason. */
  | "unfinished"
  /** The server never sends headers. */
  | "hang"
  /** The stream stays open but silent after half of the chunks. */
  | "hang-midway"
  /** A chunk in the middle is not JSON. */
  | "malformed"
  /** The stream has an error event in the middle. */
  | "error-midway"
  /** The connection stays open after the last event. */
  | "never-closed";

/** Returns the text of a reply. */
export function textOf(
  reply: ModelReply,
  { body, index, sample }: {
    readonly body: ChatBody;
    readonly index: number;
    readonly sample?: SampleValue | undefined;
  },
): string {
  if (reply.text !== undefined) return reply.text;
  if (reply.json !== undefined) return JSON.stringify(reply.json);
  if (reply.toolCalls !== undefined || reply.refusal !== undefined) return "";
  const schema = body.response_format?.json_schema?.schema;
  if (schema !== undefined) return JSON.stringify(sampleJson(schema, sample));
  return `This is reply ${index}. It says what a model would say, in ${body.messages.length} parts.`;
}

/** Returns the usage of a reply at four characters per token; undefined if the reply sends none. */
export function usageOf(
  reply: ModelReply,
  { body, text }: { readonly body: ChatBody; readonly text: string },
): Record<string, unknown> | undefined {
  if (reply.usage === null) return undefined;
  let characters = 0;
  for (const { content } of body.messages) characters += content?.length ?? 0;
  const prompt = Math.ceil(characters / 4);
  const completion = Math.ceil(text.length / 4);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: 0 },
    ...reply.usage,
  };
}

/** Returns a streamed reply with the given deltas. */
export function streamed(...deltas: readonly object[]): ModelReply {
  const choices = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: "stop" }];
  const events = choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`);
  return {
    body: `${events.join("")}data: [DONE]\n\n`,
    headers: { "content-type": "text/event-stream" },
  };
}

/** Returns a rejection with status 400 and OpenAI's error body. */
export function refusal(message: string, param?: string): ModelReply {
  return { status: 400, error: { message, type: "invalid_request_error", param } };
}

/** Returns the completion as server-sent events that end with `[DONE]`. */
export function streamedEvents(
  reply: ModelReply,
  { body, text, usage }: {
    readonly body: ChatBody;
    readonly text: string;
    readonly usage: Record<string, unknown> | undefined;
  },
): string[] {
  const head = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":0,"model":${
    JSON.stringify(body.model)
  },`;
  const event = (delta: unknown, finish: string | null = null): string =>
    `${head}"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${
      JSON.stringify(finish)
    }}]}\n\n`;
  const events = [event({ role: "assistant", content: "" })];
  for (const piece of pieces(text)) events.push(event({ content: piece }));
  if (reply.refusal !== undefined) {
    events.push(event({ refusal: reply.refusal }));
  }
  for (const [index, call] of wireCalls(reply.toolCalls ?? []).entries()) {
    const half = Math.ceil(call.function.arguments.length / 2);
    const { name, arguments: args } = call.function;
    const first = { ...call, index, function: { name, arguments: "" } };
    events.push(event({ tool_calls: [first] }));
    for (const part of [args.slice(0, half), args.slice(half)]) {
      const rest = { index, function: { arguments: part } };
      events.push(event({ tool_calls: [rest] }));
    }
  }
  events.push(event({}, finishReason(reply)));
  if (usage !== undefined && body.stream_options?.include_usage) {
    events.push(`${head}"choices":[],"usage":${JSON.stringify(usage)}}\n\n`);
  }
  events.push("data: [DONE]\n\n");
  return events;
}

function finishReason({ finishReason, toolCalls }: ModelReply): string {
  return finishReason ?? (toolCalls === undefined ? "stop" : "tool_calls");
}

function wireCalls(calls: NonNullable<ModelReply["toolCalls"]>) {
  return calls.map(({ name, arguments: args }, i) => ({
    id: `call_${i + 1}`,
    type: "function",
    function: { name, arguments: args },
  }));
}

/** Splits a text into chunks of six words. */
function pieces(text: string): string[] {
  const words = text.match(/\s*\S+(?:\s+$)?/g) ?? (text === "" ? [] : [text]);
  const pieces: string[] = [];
  for (let i = 0; i < words.length; i += 6) pieces.push(words.slice(i, i + 6).join(""));
  return pieces;
}
