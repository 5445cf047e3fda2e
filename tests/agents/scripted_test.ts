// The scripted agent.
import assert from "node:assert/strict";
import { createScriptedAgent } from "../../src/testing/mod.ts";
import { AgentError } from "../../src/core/error.ts";
import {
  agentContract,
  contextOf,
  scoreRequest,
  turnRequest,
} from "../contracts/agent_contract.ts";

agentContract("createScriptedAgent()", () => ({
  agent: createScriptedAgent([
    "First, this. Then that.",
    {
      when: "score",
      reply: { reasons: "It follows.", scores: { logical_coherence: 7, evidence_quality: 5 } },
    },
  ]),
}));

const closing = turnRequest({
  context: contextOf({ key: "closing/advocate-a", kind: "closing_statement" }),
});

Deno.test("createScriptedAgent() answers in order, first with lines for the request's key", async () => {
  const agent = createScriptedAgent([
    "one",
    { when: "closing/advocate-a", reply: "by key" },
    { when: "closing_statement", reply: "by kind" },
    { when: ({ schema }) => schema !== undefined, reply: () => ({ a: 1 }) },
    "two",
  ]);
  const said: string[] = [];
  const requests = [closing, turnRequest(), scoreRequest(), closing, turnRequest()];
  for (const request of requests) said.push((await agent.reply(request)).text);
  assert.deepEqual(said, ["by key", "one", '{"a":1}', "by kind", "two"]);
  assert.equal(agent.calls.length, 5);
  assert.equal(agent.calls[0], closing);
  agent.assertDone();
});

Deno.test("createScriptedAgent() rejects an unplanned request by its key", async () => {
  const agent = createScriptedAgent([{ when: "score", reply: "no" }]);
  await assert.rejects(agent.reply(closing), (error: unknown) => {
    assert.ok(error instanceof AgentError);
    assert.equal(error.code, "agent_bad_reply");
    assert.equal(error.retryable, false);
    assert.match(error.message, /"closing\/advocate-a"/);
    return true;
  });
  assert.throws(
    () => agent.assertDone(),
    /not used: line 1 "score"; not planned: closing\/advocate-a/,
  );
});

Deno.test("createScriptedAgent() repeats a line the stated number of times", async () => {
  const agent = createScriptedAgent([
    { reply: "twice", times: 2 },
    { reply: "always", times: Infinity },
  ]);
  const said: string[] = [];
  for (let i = 0; i < 4; i++) said.push((await agent.reply(closing)).text);
  assert.deepEqual(said, ["twice", "twice", "always", "always"]);
  agent.assertDone();
});

Deno.test("createScriptedAgent() streams a line's text before it fails as configured", async () => {
  const deltas: string[] = [];
  const agent = createScriptedAgent([{
    reply: "Half of",
    error: new AgentError("agent_unreachable", "Cut", { retryable: true }),
  }]);
  await assert.rejects(agent.reply(turnRequest({ onDelta: (text) => deltas.push(text) })), /Cut/);
  assert.equal(deltas.join(""), "Half of");
});

Deno.test("createScriptedAgent() reports the configured usage and finish reason", async () => {
  const usage = { inputTokens: 9, cachedInputTokens: 4, outputTokens: 3 };
  const agent = createScriptedAgent(
    [{ reply: "cut", finishReason: "length" }, {
      reply: "priced",
      usage: { ...usage, costUsd: 0.5 },
    }],
    { usage, model: "test-model" },
  );
  const first = await agent.reply(closing);
  assert.equal(first.finishReason, "length");
  assert.equal(first.model, "test-model");
  assert.deepEqual(first.usage, usage);
  assert.equal((await agent.reply(closing)).usage.costUsd, 0.5);
});
