import assert from "node:assert/strict";
import { createOpenAIAgent } from "../../src/agents/openai.ts";
import { AgentError } from "../../src/core/error.ts";
import { turnRequest } from "../contracts/agent_contract.ts";
import { type ModelReply, startModelServer } from "./model_server.ts";

/** What an agent's failure is expected to say. */
export interface Expected {
  readonly code: string;
  readonly retryable: boolean;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly message: RegExp;
  readonly hint?: RegExp;
}

/** The key that is sent, and must not be shown. */
export const KEY = "sk-very-secret";

/** The agent's failure at a server that answers everything with `reply`. */
export async function failureWith(
  reply: ModelReply,
  options: { readonly idleTimeout?: number; readonly totalTimeout?: number } = {},
): Promise<AgentError> {
  await using server = await startModelServer({ reply });
  const agent = createOpenAIAgent({
    model: "small",
    provider: "House",
    baseUrl: server.url,
    apiKey: KEY,
    apiKeyEnv: "HOUSE_KEY",
    ...options,
  });
  const error = await agent.reply(turnRequest()).then(
    (done) => assert.fail(`it answered "${done.text}"`),
    (error) => error,
  );
  assert.ok(error instanceof AgentError, `${error}`);
  assert.equal(server.requests.length, 1, "it is asked once");
  return error;
}

/** Checks an agent's failure against what it is expected to say. */
export function checkFailure(error: AgentError, expected: Expected): void {
  assert.equal(error.code, expected.code);
  assert.equal(error.retryable, expected.retryable);
  assert.equal(error.status, expected.status);
  assert.equal(error.retryAfter, expected.retryAfter);
  assert.match(error.message, /^Cannot get a reply from small \(House\): /);
  assert.match(error.message, expected.message);
  assert.match(error.hint ?? "", expected.hint ?? /./);
}
