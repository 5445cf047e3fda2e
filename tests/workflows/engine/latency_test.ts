import assert from "node:assert/strict";
import { type Agent, createAgent, createDialogueWorkflow, memoryRecord } from "../../../mod.ts";
import { cast, drain } from "../support/talkers.ts";

Deno.test("The latency of a message is that of the reply, without what the agent loads", async () => {
  let now = Date.parse("2026-11-01T10:00:00Z");
  const offline = createAgent("offline");
  const slow: Agent = {
    model: "slow",
    load: async (request) => {
      await offline.load?.(request);
      now += 700;
    },
    reply: async (request) => {
      const reply = await offline.reply(request);
      now += 5;
      return reply;
    },
  };
  const { result } = await drain(
    createDialogueWorkflow("Should cities ban private cars?", cast(slow), {
      maxTurns: 2,
      record: memoryRecord(),
      clock: { now: () => now },
    }),
  );
  assert.deepEqual(result?.messages.map(({ latencyMs }) => latencyMs), [5, 5]);
});
