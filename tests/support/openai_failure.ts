// Starts an agent against a local model server and checks how the agent's calls fail.
import assert from "node:assert/strict";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import type { OpenAIAgentOptions } from "../../src/agents/openai_client.ts";
import { AgentError } from "../../src/core/error.ts";
import type { Agent } from "../../src/core/agent.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import {
  type ModelReply,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "./model_server.ts";

/** Starts a model server and an agent that calls the server. */
export async function startAgent(
  options: ModelServerOptions = {},
  more: Partial<OpenAIAgentOptions> = {},
): Promise<ModelServer & { readonly agent: Agent }> {
  const server = await startModelServer(options);
  const agent = createOpenAIAgent({ model: "small", baseUrl: server.url, ...more });
  return Object.assign(server, { agent });
}

/** Expected failure: code, whether it is retryable, patterns of message and hint, wait in milliseconds. */
export type Expected = readonly [
  code: string,
  retryable: boolean,
  message: RegExp,
  hint?: RegExp,
  retryAfter?: number,
];

/** API key that is sent and must not appear in messages. */
export const KEY = "sk-very-secret";
/** Hint of a failure without a hint. */
export const NO_HINT = /^$/;

/** Returns the agent's failure at a server that sends `reply` to every request. */
export async function failureWith(
  reply: ModelReply,
  options: Partial<OpenAIAgentOptions> = {},
): Promise<AgentError> {
  const house = { provider: "House", apiKey: KEY, apiKeyEnv: "HOUSE_KEY", ...options };
  await using server = await startAgent({ reply }, house);
  const error = await server.agent.reply(turnRequest()).then(
    (done) => assert.fail(`it answered "${done.text}"`),
    (error) => error,
  );
  assert.ok(error instanceof AgentError, `${error}`);
  // No request is recorded if a deadline passes before the server reads the request.
  assert.ok(server.requests.length <= 1, "it is asked again");
  return error;
}

/** Checks an agent's failure and status. */
export function checkFailure(
  error: AgentError,
  [code, retryable, message, hint = /./, retryAfter]: Expected,
  status?: number,
): void {
  assert.deepEqual(
    [error.code, error.retryable, error.status, error.retryAfter],
    [code, retryable, status, retryAfter],
  );
  assert.match(error.message, /^Cannot get a reply from small \(House\): /);
  assert.match(error.message, message);
  assert.match(error.hint ?? "", hint);
}
