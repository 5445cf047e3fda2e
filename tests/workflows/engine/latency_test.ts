import assert from "node:assert/strict";
import { type Agent, createDialogueWorkflow, memoryRecord } from "../../../mod.ts";
import { cast, drain, Talker } from "../support/talkers.ts";

Deno.test("The latency of a message is that of the reply, without what the agent loads", async () => {
  let now = Date.parse("2026-11-01T10:00:00Z");
  const talker = new Talker();
  const slow: Agent = {
    model: "slow",
    load: () => {
      now += 700;
      return Promise.resolve();
    },
    reply: async (request) => {
      const reply = await talker.reply(request);
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
