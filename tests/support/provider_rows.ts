// Local servers with each provider's documented rejections and reply formats; the replies' content is the speaking model's.
import {
  type ChatBody,
  type ModelReply,
  type ModelServerOptions,
  startModelServer,
} from "./model_server.ts";
import { refusal, textOf, usageOf } from "./model_reply.ts";
import { type OwnReply, type OwnRequest, startOwnProtocolServer } from "./own_protocol_server.ts";
import { spoken } from "./speaking_model.ts";

type Body = ChatBody & Readonly<Record<string, unknown>>;

/** A provider: its entry in a configuration, and a local server that imitates the provider. */
export interface ProviderRow {
  readonly name: string;
  /** Provider's name before the colon. */
  readonly prefix: string;
  readonly model: string;
  /** Keys of the configuration's entry besides the base URL. */
  readonly provider?: Readonly<Record<string, unknown>>;
  /** @default no temperature in the configuration */
  readonly temperature?: number;
  /** Number of judges. @default 1 */
  readonly judges?: number;
  /** Number of concurrent requests; the server rejects more. @default unlimited */
  readonly slots?: number;
  /** Highest allowed number of repeated turns. @default 0 */
  readonly rejected?: number;
  /** Parameters that are not sent as configured, and notes after rejections, in the whole run. */
  readonly dropped: readonly string[];
  readonly learned: readonly string[];
  /** Starts the server; returns its base URL. `onRequest` is called with each request's number, from 1. */
  start(onRequest?: (number: number) => void): Promise<
    AsyncDisposable & { readonly url: string; readonly mostConcurrent?: number }
  >;
}

/** Tokens of a prompt that the Ollama server reads. */
const OLLAMA_WINDOW = 1200;

const THOUGHT = "PRIVATE: the other side may be right.";

type Schema = NonNullable<NonNullable<ChatBody["response_format"]>["json_schema"]>["schema"];

/** Returns the schema that the prompt states in words: the last JSON Schema in the messages. */
function schemaInWords({ messages }: ChatBody): Schema | undefined {
  const words = messages.map(({ content }) => content ?? "").join("\n");
  const [, json] = [...words.matchAll(/^(\{.*"type":"object".*\})$/gm)].at(-1) ?? [];
  return json === undefined ? undefined : JSON.parse(json);
}

/** Schema names that the speaking model knows, by names of their properties. */
const NAMES: readonly (readonly [name: string, ...keys: string[]])[] = [
  ["paper_questions", "questions"],
  ["postures_and_topics", "postures", "topics"],
  ["debater_argument", "perTopic", "overallPosition"],
  ["topic_scores", "perTopic"],
  ["cross_examination", "speech", "citations"],
];

function formatOf(schema: Schema | undefined): ChatBody["response_format"] {
  if (schema === undefined) return undefined;
  const properties = Object.keys(schema["properties"] ?? {});
  const [name = "reply"] =
    NAMES.find(([, ...keys]) => keys.every((key) => properties.includes(key))) ?? [];
  return { type: "json_schema", json_schema: { name, schema } };
}

/** Returns the speaking model's reply in the format that the request's schema, prompt or answer tool asks for. */
function plausible(body: Body): ModelReply {
  const { tools = [], response_format: format } = body;
  const answer = tools.find(({ function: { name } }) => name === "answer");
  const schema = format?.json_schema?.schema ?? answer?.function.parameters as Schema ??
    schemaInWords(body);
  const { response_format: _, ...rest } = body;
  const asked = formatOf(schema);
  const reply = spoken({
    index: 0,
    body: { ...rest, ...(asked === undefined ? {} : { response_format: asked }) },
    headers: {},
    startedAt: 0,
    concurrent: 1,
  });
  if (answer === undefined || reply.toolCalls !== undefined) return reply;
  return { toolCalls: [{ name: "answer", arguments: textOf(reply, { body, index: 0 }) }] };
}

/** Starts a chat completions server: `refuse` returns rejections, `shape` converts replies to the provider's format. */
const chat = (
  refuse: (body: Body, concurrent: number) => ModelReply | undefined = () => undefined,
  shape: (reply: ModelReply, body: Body) => ModelReply = (reply) => reply,
  { latency = 0, paths }: Pick<ModelServerOptions, "paths"> & { readonly latency?: number } = {},
) =>
(onRequest: (number: number) => void = () => {}) =>
  startModelServer({
    latency,
    ...(paths === undefined ? {} : { paths }),
    respond: ({ body, concurrent, index }) => {
      onRequest(index + 1);
      const given = body as Body;
      return refuse(given, concurrent) ?? shape(plausible(given), given);
    },
  });

const cap = (body: Body) => body.max_completion_tokens ?? body.max_tokens ?? Infinity;

/** True if an object in the schema has an optional property: strict mode rejects such schemas. */
function isLoose(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { properties, required = [] } = node as { properties?: object; required?: string[] };
  return properties !== undefined && Object.keys(properties).length !== required.length ||
    Object.values(node).some(isLoose);
}

/** Adds hidden reasoning tokens to a reply; they count against the cap. */
const hidden = (tokens: number) => (reply: ModelReply, body: Body): ModelReply => {
  const details = (reasoning_tokens: number) => ({
    completion_tokens_details: { reasoning_tokens },
  });
  if (cap(body) > tokens) {
    return { ...reply, usage: { completion_tokens: tokens + 50, ...details(tokens) } };
  }
  return {
    text: "",
    finishReason: "length",
    usage: { completion_tokens: cap(body), ...details(cap(body)) },
  };
};

/** Returns the rejection of Gemini's compatibility layer, which sends errors in a list. */
const refusesJsonBesideTools = (body: Body): ModelReply | undefined =>
  body.tools !== undefined && body.response_format !== undefined
    ? {
      status: 400,
      body: JSON.stringify([{
        error: {
          code: 400,
          message: "Function calling with a response mime type: 'application/json' is unsupported",
          status: "INVALID_ARGUMENT",
        },
      }]),
    }
    : undefined;

/** Streams a reply in deltas of the provider's own format. */
function streamedAs(
  reply: ModelReply,
  { body, deltas, finish }: {
    readonly body: Body;
    readonly deltas: (text: string) => readonly object[];
    readonly finish?: string;
  },
): ModelReply {
  const text = textOf(reply, { body, index: 0 });
  const calls = (reply.toolCalls ?? []).map(({ name, arguments: args }, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: args },
  }));
  const event = (delta: object, finish_reason: string | null = null) =>
    `data: ${
      JSON.stringify({ model: body.model, choices: [{ index: 0, delta, finish_reason }] })
    }\n\n`;
  const usual = calls.length > 0 ? "tool_calls" : "stop";
  const events = [
    ...deltas(text).map((delta) => event(delta)),
    ...calls.length > 0 ? [event({ tool_calls: calls })] : [],
    event({}, finish ?? usual),
    `data: ${JSON.stringify({ choices: [], usage: usageOf(reply, { body, text }) })}\n\n`,
    "data: [DONE]\n\n",
  ];
  return { body: events.join(""), headers: { "content-type": "text/event-stream" } };
}

/** Converts a request of a provider's own protocol to the chat fields that the speaking model reads. */
function asChat({ body }: OwnRequest): Body {
  const text = (value: unknown): string =>
    typeof value === "string"
      ? value
      : Array.isArray(value)
      ? value.map(text).join("\n")
      : typeof value !== "object" || value === null
      ? ""
      : text(
        Reflect.get(value, "text") ?? Reflect.get(value, "content") ??
          Reflect.get(value, "output") ??
          (Reflect.get(value, "functionResponse") as { response?: { content?: unknown } })
            ?.response?.content,
      );
  const isResult = (part: object) =>
    /tool_result|function_call_output/.test(`${Reflect.get(part, "type")}`) ||
    "functionResponse" in part;
  const turns: readonly Record<string, unknown>[] = body.messages ?? body.contents ?? body.input;
  const messages = turns.flatMap((turn) => {
    const parts = turn["content"] ?? turn["parts"] ?? [turn];
    return Array.isArray(parts) && parts.some(isResult)
      ? parts.map((part) => ({ role: "tool", content: text(part) }))
      : [{ role: `${turn["role"]}`, content: text(parts) }];
  });
  const system = text(body.system ?? body.systemInstruction?.parts);
  const declared: readonly Record<string, unknown>[] =
    body.tools?.flatMap((each: Record<string, unknown>) => each["functionDeclarations"] ?? each) ??
      [];
  const tools = declared.map((tool) => ({
    function: {
      name: `${tool["name"]}`,
      parameters: tool["input_schema"] ?? tool["parameters"] ?? tool["parametersJsonSchema"],
    },
  }));
  const { generationConfig: config = {} } = body;
  const schema = body.output_config?.format?.schema ?? body.text?.format?.schema ??
    config.responseSchema ?? config.responseJsonSchema;
  return {
    model: `${body.model}`,
    messages: [{ role: "system", content: system }, ...messages],
    ...(tools.length === 0 ? {} : { tools }),
    ...(schema === undefined ? {} : { response_format: formatOf(schema)! }),
    ...(/none/i.test(
        `${
          body.tool_choice?.type ?? body.tool_choice ?? body.toolConfig?.functionCallingConfig?.mode
        }`,
      )
      ? { tool_choice: "none" }
      : {}),
  };
}

/** Starts a server of a provider's own protocol. */
const own =
  (base: string, refuse: (body: OwnRequest["body"]) => string | undefined) =>
  async (onRequest: (number: number) => void = () => {}) => {
    let number = 0;
    const server = await startOwnProtocolServer((request): OwnReply => {
      onRequest(++number);
      const message = refuse(request.body);
      if (message !== undefined) {
        return { status: 400, error: { type: "invalid_request_error", message } };
      }
      const body = asChat(request);
      const reply = plausible(body);
      const { toolCalls = [] } = reply;
      return {
        thought: THOUGHT,
        ...(toolCalls.length > 0 ? {} : { text: textOf(reply, { body, index: 0 }) }),
        toolCalls: toolCalls.map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) })),
      };
    });
    return {
      url: `${server.origin}${base}`,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };

/** Providers under test. */
export const PROVIDER_ROWS: readonly ProviderRow[] = [
  {
    name: "OpenAI, a reasoning model",
    prefix: "openai",
    model: "gpt-5-mini",
    temperature: 0.4,
    dropped: ["temperature"],
    learned: [],
    start: chat((body) => {
      const refused = ["temperature", "max_tokens"].find((name) => body[name] !== undefined);
      if (refused !== undefined) return refusal(`Unsupported parameter: '${refused}'`, refused);
      const { strict, schema } = body.response_format?.json_schema ?? {};
      return strict === true && isLoose(schema)
        ? refusal("Invalid schema for response_format", "response_format")
        : undefined;
    }, hidden(3000)),
  },
  {
    name: "Gemini, chat completions",
    prefix: "google",
    model: "gemini-2.5-flash",
    temperature: 0.4,
    provider: { adapter: "chat" },
    dropped: ["responseFormat"],
    learned: [],
    start: chat(refusesJsonBesideTools, (reply, body) =>
      streamedAs(hidden(1000)(reply, body), {
        body,
        deltas: (text) => [{ role: "assistant", content: text }],
        finish: "stop",
      })),
  },
  {
    name: "Gemini 3 on a server that takes no form of JSON beside tools",
    prefix: "vertex",
    model: "gemini-3.8-flash",
    dropped: ["responseFormat"],
    learned: ["jsonWithTools"],
    start: chat(refusesJsonBesideTools),
  },
  {
    name: "Claude, chat completions",
    prefix: "claude",
    model: "claude-sonnet-4-5",
    rejected: 2,
    provider: { adapter: "chat" },
    dropped: ["responseFormat", "temperature"],
    learned: ["json"],
    start: chat(undefined, (reply, body) => {
      if (reply.toolCalls !== undefined || body.response_format === undefined) return reply;
      // The response format is ignored: the model replies in prose.
      return { text: "Both sides did well, on the whole." };
    }),
  },
  {
    name: "Anthropic Messages",
    prefix: "anthropic",
    model: "claude-opus-5-5",
    temperature: 0.4,
    provider: { adapter: "anthropic" },
    dropped: ["seed", "temperature"],
    learned: [],
    start: own("/v1", (body) => {
      if (body.max_tokens === undefined) return "max_tokens: Field required";
      if (body.temperature !== undefined) return "temperature: is not supported by this model";
      if (body.thinking?.type === "disabled") return "thinking: cannot be disabled";
      return body.thinking?.type === "adaptive" && body.tool_choice?.type === "tool"
        ? "Thinking may not be enabled when tool_choice forces tool use."
        : undefined;
    }),
  },
  {
    name: "Gemini 2.5, its own protocol",
    prefix: "google",
    model: "gemini-2.5-flash",
    temperature: 0.4,
    provider: { adapter: "gemini" },
    dropped: ["responseFormat"],
    learned: [],
    start: own("/v1beta/openai/", (body) => {
      const { responseMimeType, thinkingConfig = {} } = body.generationConfig ?? {};
      if (thinkingConfig.thinkingBudget !== undefined && thinkingConfig.thinkingLevel) {
        return "You can only set only one of thinking budget and thinking level.";
      }
      return responseMimeType === "application/json" && body.tools !== undefined
        ? "Function calling with a response mime type: 'application/json' is unsupported"
        : undefined;
    }),
  },
  {
    name: "OpenAI Responses",
    prefix: "openai",
    model: "gpt-5-pro",
    temperature: 0.4,
    dropped: ["seed", "temperature"],
    learned: [],
    start: own("/v1", (body) => {
      if (body.temperature !== undefined) return "Unsupported parameter: 'temperature'";
      if (body.seed !== undefined) return "Unknown parameter: 'seed'";
      return body.text?.format?.strict === true && isLoose(body.text.format.schema)
        ? "Invalid schema for response_format"
        : undefined;
    }),
  },
  {
    name: "Ollama",
    prefix: "ollama",
    model: "qwen3:8b",
    dropped: ["prompt"],
    learned: ["window"],
    start: chat((body) => {
      if (body.max_completion_tokens !== undefined) return refusal("the cap would be ignored");
      const { reasoning_effort: effort } = body;
      return effort === undefined || /^(?:none|low|medium|high)$/.test(`${effort}`)
        ? undefined
        : refusal(
          `invalid reasoning value: '${effort}' (must be "high", "medium", "low", or "none")`,
        );
    }, (reply, body) => {
      const prompt = Number(usageOf({}, { body, text: "" })!["prompt_tokens"]);
      return streamedAs({ ...reply, usage: { prompt_tokens: Math.min(prompt, OLLAMA_WINDOW) } }, {
        body,
        deltas: (text) => [{ role: "assistant", content: "", reasoning: THOUGHT }, {
          role: "assistant",
          content: text,
        }],
      });
    }, {
      paths: {
        "/api/version": { version: "0.14.0" },
        "/api/ps": { models: [{ name: "qwen3:8b", context_length: OLLAMA_WINDOW }] },
        "/api/tags": { models: [] },
      },
    }),
  },
  {
    name: "vLLM, a window of 6000",
    prefix: "vllm",
    model: "Qwen/Qwen3-8B",
    dropped: [],
    learned: ["window"],
    start: chat(
      (body) => {
        const prompt = Number(usageOf({}, { body, text: "" })!["prompt_tokens"]);
        return prompt + cap(body) > 6000
          ? {
            status: 400,
            error: {
              message: `'max_tokens' or 'max_completion_tokens' is too large: ${
                cap(body)
              }. This model's maximum context length is 6000 tokens and your request has ${prompt} input tokens (${
                cap(body)
              } > 6000 - ${prompt}).`,
              type: "BadRequestError",
              code: 400,
            },
          }
          : undefined;
      },
      (reply, body) =>
        streamedAs(reply, { body, deltas: (text) => [{ reasoning: THOUGHT }, { content: text }] }),
    ),
  },
  {
    name: "Mistral, content lists",
    prefix: "mistral",
    model: "magistral-medium-latest",
    dropped: [],
    learned: ["streamOptions"],
    start: chat((body) => {
      const extra = ["seed", "max_completion_tokens", "stream_options"]
        .find((name) => body[name] !== undefined);
      if (body.messages.at(-1)?.role === "assistant") {
        return refusal("Expected last role User or Tool");
      }
      return extra === undefined ? undefined : {
        status: 422,
        body: JSON.stringify({
          object: "error",
          message: {
            detail: [{
              type: "extra_forbidden",
              loc: ["body", extra],
              msg: "Extra inputs are not permitted",
            }],
          },
          type: "invalid_request_error",
          param: null,
          code: null,
        }),
      };
    }, (reply, body) =>
      streamedAs(reply, {
        body,
        deltas: (text) => [
          { content: [{ type: "thinking", thinking: [{ type: "text", text: THOUGHT }] }] },
          { content: [{ type: "text", text }] },
        ],
      })),
  },
  {
    name: "DeepSeek",
    prefix: "deepseek",
    model: "deepseek-reasoner",
    dropped: ["responseFormat", "seed", "temperature"],
    learned: [],
    start: chat((body) => {
      if (body.response_format?.type === "json_schema") {
        return refusal("This response_format type is unavailable now");
      }
      const words = body.messages.map(({ content }) => content ?? "").join("\n");
      if (body.response_format !== undefined && !/json/i.test(words)) {
        return refusal("Prompt must contain the word 'json' in some form to use 'response_format'");
      }
      const thinks = (body["thinking"] as { type?: string } | undefined)?.type !== "disabled";
      const lacks = body.messages.some((message) =>
        "tool_calls" in message && Reflect.get(message, "reasoning_content") !== THOUGHT
      );
      return thinks && lacks
        ? refusal("Missing `reasoning_content` field in the assistant message")
        : undefined;
    }, (reply, body) =>
      streamedAs(reply, {
        body,
        deltas: (text) => [{ role: "assistant", reasoning_content: THOUGHT }, { content: text }],
      })),
  },
  {
    name: "Groq, a limit per minute and words that do not fit",
    prefix: "groq",
    model: "llama-3.3-70b-versatile",
    dropped: ["responseFormat"],
    learned: ["json", "jsonWithTools", "window"],
    start: (onRequest) => {
      const limit = 3000;
      let isUnfit = false;
      return chat((body) => {
        const refused = (status: number, message: string, code: string): ModelReply => ({
          status,
          error: { message, type: "invalid_request_error", code },
        });
        if (body.tools !== undefined && body.response_format !== undefined) {
          return refusal("json mode cannot be combined with tool/function calling");
        }
        if (body.response_format?.type === "json_schema") {
          return refused(400, "Failed to generate JSON. Please adjust it.", "json_validate_failed");
        }
        if (body.tools !== undefined && !isUnfit) {
          isUnfit = true;
          return refused(400, "Failed to call a function. Please adjust it.", "tool_use_failed");
        }
        const asked = Number(usageOf({}, { body, text: "" })!["prompt_tokens"]) + cap(body);
        const size = `(TPM): Limit ${limit}, Requested ${asked}, please reduce it.`;
        return asked > limit
          ? refused(413, `Request too large on tokens per minute ${size}`, "rate_limit_exceeded")
          : undefined;
      })(onRequest);
    },
  },
  {
    name: "Cerebras, errors without a frame",
    prefix: "cerebras",
    model: "some-model",
    dropped: ["responseFormat"],
    learned: ["json", "jsonWithTools"],
    start: chat((body) => {
      const { tools, response_format: format } = body;
      const refused = (message: string, param: string): ModelReply => ({
        status: 400,
        body: JSON.stringify({ message, type: "invalid_request_error", param, code: "wrong" }),
      });
      if (tools !== undefined && format !== undefined) {
        return refused('"tools" is incompatible with "response_format"', "tools");
      }
      return /minItems|maxItems/.test(JSON.stringify(format ?? ""))
        ? refused("Unsupported JSON schema fields: {'minItems'}", "response_format")
        : undefined;
    }),
  },
  {
    name: "Bedrock, gpt-oss",
    prefix: "bedrock",
    model: "openai.gpt-oss-20b-1:0",
    dropped: [],
    learned: [],
    start: chat(undefined, (reply, body) =>
      streamedAs(reply, {
        body,
        deltas: (text) =>
          [`<reasoning>${THOUGHT}</rea`, `soning><reasoning>${THOUGHT}</reasoning>`, text]
            .map((content) => ({ content })),
      })),
  },
  {
    name: "Moonshot, usage in the choice",
    prefix: "moonshot",
    model: "kimi-k2.6",
    temperature: 0.4,
    dropped: ["temperature"],
    learned: ["temperature"],
    start: chat(
      (body) =>
        body.temperature === undefined
          ? undefined
          : refusal("invalid temperature: only 1 is allowed for this model"),
      (reply, body) => {
        const { body: events = "", headers } = streamedAs(reply, {
          body,
          deltas: (text) => [{ reasoning_content: THOUGHT }, { content: text }],
        });
        const inChoice = events.replace(
          /"finish_reason":("\w+")\}\]\}\n\ndata: \{"choices":\[\],("usage":\{.*\})\}/,
          '"finish_reason":$1,$2}]}',
        );
        // One line ends each event, as of some of its hosts.
        return { body: inChoice.replaceAll("\n\n", "\n"), headers: headers! };
      },
    ),
  },
  {
    name: "a server of roles in turn",
    prefix: "turns",
    model: "sonar",
    dropped: ["responseFormat"],
    learned: ["json"],
    start: chat(({ messages, response_format: format }) => {
      if (format !== undefined) return refusal("response_format is not supported");
      const roles = messages.map(({ role }) => role).filter((role) => role !== "system");
      const wrong = roles.findIndex((role, at) =>
        role === "user" && ["user", "tool"].includes(roles[at - 1] ?? "")
      );
      return wrong === -1
        ? undefined
        : refusal(`Unexpected role 'user' after role '${roles[wrong - 1]}'`);
    }),
  },
  {
    name: "a server with 4 slots",
    prefix: "slots",
    model: "some-model",
    temperature: 0.4,
    judges: 5,
    slots: 4,
    dropped: [],
    learned: [],
    start: chat(
      (_, concurrent) =>
        concurrent > 4
          ? {
            status: 429,
            headers: { "retry-after-ms": "20" },
            error: { message: "Too many requests" },
            latency: 0,
          }
          : undefined,
      undefined,
      { latency: 10 },
    ),
  },
  {
    name: "a server that streams <think>",
    prefix: "tags",
    model: "some-thinker",
    dropped: [],
    learned: [],
    start: chat(undefined, (reply, body) =>
      streamedAs(reply, {
        body,
        deltas: (text) =>
          [..."<think>", `\n${THOUGHT}\n`, ..."</think>", "\n\n", text]
            .map((content) => ({ content })),
      })),
  },
];
