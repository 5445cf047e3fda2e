// The agent behind servers of OpenAI's chat completions: bodies, streams and tool messages of that protocol.
import type OpenAI from "openai";
import { z } from "zod";
import type { Agent, ChatMessage, ToolTrace } from "../core/agent.ts";
import { callable, checkFields } from "../core/check_fields.ts";
import { type Profile, profileKeys } from "../core/profile.ts";
import {
  connect,
  type Endpoint,
  endpointOf,
  OPENAI_URL,
  type OpenAIAgentOptions,
} from "./openai_client.ts";
import { type WireMessage, wireRequest } from "./openai_request.ts";
import { readCompletion } from "./openai_stream.ts";
import type { CallingReply } from "./openai_tools.ts";
import {
  type Sender,
  type Sending,
  ServedAgent,
  type ServedReply,
  usageOf,
} from "./served_agent.ts";

/** The most bytes of a reply. */
const REPLY_BYTES = 4_000_000;

const text = z.string().optional();
const OPTIONS = z.strictObject({
  model: z.string().min(1),
  name: text,
  baseUrl: text,
  provider: text,
  apiKeyEnv: text,
  idleTimeout: z.number().optional(),
  totalTimeout: z.number().optional(),
  maxReplyBytes: z.number().optional(),
  fetch: callable.optional(),
  prefix: text,
  profile: profileKeys.optional(),
  maxConcurrency: z.int().min(1).optional(),
  maxWait: z.number().min(0).optional(),
  // No error shows what is secret.
  apiKey: z.unknown().optional(),
  headers: z.unknown().optional(),
});

/**
 * An agent behind any server that speaks OpenAI's chat completions: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM …
 *
 * Replies are streamed. A request is built from the model's profile; what a server refuses by name (`stream_options`, a
 * JSON schema, `max_tokens`, `temperature`, `seed`, an effort) is left out or put another way and remembered for the
 * server and model. Tools are called until the model answers, ten rounds at most. An empty reply that hidden reasoning cut off is
 * asked for again with twice the cap, two times at most. No redirect is followed. Nothing is sent again after a failure:
 * that is the engine's part. Without counts from the server, tokens are counted here.
 *
 * With a schema, the text is the last request's alone; without, what was said between tool calls is part of it. Thought
 * text is never part of the text.
 *
 * Fails with an `AgentError` (`agent_auth`, `agent_rate_limited`, `agent_timeout`, `agent_unreachable`,
 * `agent_bad_reply`) that names model, provider and status, or with a `CancelledError`. A key or header that cannot be
 * sent is a `ConfigurationError` at once.
 */
export function createOpenAIAgent(options: OpenAIAgentOptions): Agent {
  checkFields(options, OPTIONS, "options of createOpenAIAgent");
  const { model, baseUrl: url = OPENAI_URL, prefix: provider, ...rest } = options;
  const endpoint = endpointOf(options);
  const sender = new ChatSender(options, endpoint);
  return new ServedAgent(sender, { ...rest, endpoint, source: { model, url }, provider });
}

/** Sends chat completions through OpenAI's client. */
class ChatSender implements Sender<WireMessage> {
  readonly needsParts = false;
  readonly #options: OpenAIAgentOptions;
  readonly #endpoint: Endpoint;
  #client: Promise<OpenAI> | undefined;

  constructor(options: OpenAIAgentOptions, endpoint: Endpoint) {
    this.#options = options;
    this.#endpoint = endpoint;
    // The client takes as long as all else before the first request: it is read while the server is checked. The check needs
    // the profile, and modules are read one after the other.
    import("./profiles.ts").then(() => import("openai")).catch(() => {});
  }

  load(): Promise<OpenAI> {
    return this.#client ??= connect(this.#options);
  }

  prompt(messages: readonly ChatMessage[]): WireMessage[] {
    return messages.map(({ role, content }) => ({ role, content }));
  }

  async send(
    { messages, request, mayCall, onText, profile, plan, limiter, deadline }: Sending<WireMessage>,
  ): Promise<ServedReply> {
    const { model, maxReplyBytes: maxBytes = REPLY_BYTES } = this.#options;
    const { schema, tools = [] } = request;
    const body = wireRequest({ model, messages, schema, tools, mayCall, plan }, profile);
    const client = await this.load();
    const response = await client.chat.completions
      .create(body, { signal: deadline.signal }).asResponse();
    deadline.touch();
    limiter.heed(response.headers);
    const { reasoning, thinkTags } = profile;
    const completion = await readCompletion(response, {
      endpoint: this.#endpoint,
      thinkTags,
      opened: reasoning.text === "think" && plan.effort !== "off",
      maxBytes,
      onText,
      onBytes: () => deadline.touch(),
    });
    return { ...completion, usage: await usageOf(completion, messages) };
  }

  afterTools(
    { text, toolCalls, reasoning }: CallingReply,
    traces: readonly ToolTrace[],
    profile: Profile,
  ): readonly WireMessage[] {
    const repeatsThought = reasoning !== undefined &&
      profile.reasoning.text === "reasoning_content";
    return [
      {
        role: "assistant",
        content: text === "" ? null : text,
        ...(repeatsThought ? { ["reasoning_content"]: reasoning } : {}),
        tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
          id,
          type: "function",
          function: { name, arguments: args },
        })),
      },
      ...traces.map(({ result }, i): WireMessage => ({
        role: "tool",
        tool_call_id: toolCalls[i]!.id,
        content: result,
      })),
    ];
  }
}
