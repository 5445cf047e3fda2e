// The agent for servers with OpenAI's chat completions protocol.
import { z } from "zod";
import type { Agent } from "../core/agent.ts";
import { callable, checkFields } from "../core/check_fields.ts";
import { profileKeys } from "../core/profile.ts";
import { memo } from "../core/values.ts";
import {
  connect,
  type Endpoint,
  endpointOf,
  OPENAI_URL,
  type OpenAIAgentOptions,
  REPLY_BYTES,
} from "./openai_client.ts";
import { wireRequest } from "./openai_request.ts";
import { readCompletion } from "./openai_stream.ts";
import { type Protocol, ServedAgent } from "./served_agent.ts";
import { thoughtTags } from "./reply.ts";

const text = z.string().optional();
const OPTIONS = z.strictObject({
  model: z.string().min(1),
  name: text,
  baseUrl: text,
  provider: text,
  apiKeyEnv: text,
  idleTimeout: z.number().positive().optional(),
  totalTimeout: z.number().positive().optional(),
  maxReplyBytes: z.int().min(1).optional(),
  fetch: callable.optional(),
  prefix: text,
  profile: profileKeys.optional(),
  maxConcurrency: z.int().min(1).optional(),
  maxWait: z.number().min(0).optional(),
  // Unchecked, so that no error message shows a secret.
  apiKey: z.unknown().optional(),
  headers: z.unknown().optional(),
});

/**
 * Creates an agent for any server with OpenAI's chat completions protocol: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM …
 *
 * Replies are streamed. The model's profile determines the request. A parameter that the server rejects by name (`stream_options`, a
 * JSON schema, `max_tokens`, `temperature`, `seed`, an effort) is dropped or replaced, and the change is remembered for the server
 * and model. Tools are called until the model answers, at most ten rounds. A reply that is empty because hidden reasoning used the
 * cap is requested again with twice the cap, at most twice. Redirects are not followed. Failed requests are not retried: the engine
 * does that. If the server reports no token counts, also of a reply that broke off, the agent counts.
 *
 * With a schema, the text of the reply is that of the last request; without one, it includes text between tool calls. Reasoning is
 * never part of the text.
 *
 * A reply rejects with an `AgentError` (`agent_auth`, `agent_rate_limited`, `agent_timeout`, `agent_unreachable`,
 * `agent_bad_reply`) that names model, provider and status, or with a `CancelledError`. Throws a `ConfigurationError` for a
 * base URL, key or header that cannot be used.
 */
export function createOpenAIAgent(options: OpenAIAgentOptions): Agent {
  checkFields(options, OPTIONS, "options of createOpenAIAgent");
  const { model, baseUrl: url = OPENAI_URL, prefix: provider, ...rest } = options;
  const endpoint = endpointOf(options);
  const protocol = chatCompletions(options, endpoint);
  return new ServedAgent(protocol, { ...rest, endpoint, source: { model, url }, provider });
}

function chatCompletions(options: OpenAIAgentOptions, endpoint: Endpoint): Protocol {
  const { model, maxReplyBytes: maxBytes = REPLY_BYTES } = options;
  const client = memo(() => connect(options));
  return {
    needsParts: false,
    load: client,
    async send({ prompt, request, mayCall, profile, plan, signal, onText, onHeaders, onData }) {
      const { schema, tools = [] } = request;
      const body = wireRequest({ model, prompt, schema, tools, mayCall, plan }, profile);
      const { chat } = await client();
      const response = await chat.completions.create(body, { signal }).asResponse();
      onData();
      onHeaders(response.headers);
      return await readCompletion(response, {
        endpoint,
        ...thoughtTags(profile, plan),
        maxBytes,
        onText,
        onBytes: onData,
      });
    },
  };
}
