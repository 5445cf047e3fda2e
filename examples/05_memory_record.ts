/**
 * A record in memory instead of on disk, with an agent and a guard of your own.
 *
 *     deno run --no-prompt --allow-read examples/05_memory_record.ts
 */
import assert from "node:assert/strict";
import { type Agent, createDialogueWorkflow, createParticipant, memoryRecord } from "../mod.ts";
import type { AgentReply, AgentRequest, Guard } from "../protocol.ts";

/** Agent that says the number of its turn; its first attempt at a turn is in capitals, which the guard below rejects. */
class Counter implements Agent {
  readonly model = "counter";

  reply({ context }: AgentRequest): Promise<AgentReply> {
    const text = context.attempt === 1
      ? `THIS IS TURN ${context.seq}!`
      : `This is turn ${context.seq}.`;
    const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 5, costUsd: 0 };
    return Promise.resolve({ text, finishReason: "stop", model: this.model, usage });
  }
}

const noShouting: Guard = {
  name: "no_shouting",
  check: ({ body }) =>
    body === body.toUpperCase() ? { reason: "That was shouted. Say it calmly." } : undefined,
};

const agent = new Counter();
const record = memoryRecord();
const dialogue = createDialogueWorkflow("How does one count to four?", [
  createParticipant({ name: "Ada" }, agent),
  createParticipant({ name: "Ben" }, agent),
], { maxTurns: 4, moreGuards: [noShouting], record });

const result = await dialogue.run();
for (const [path, text] of record.files) console.log(`${path}: ${text.length} characters`);

assert.equal(result.dir, undefined);
assert.deepEqual(result.messages.map(({ body, attempts }) => [body, attempts]), [
  ["This is turn 1.", 2],
  ["This is turn 2.", 2],
  ["This is turn 3.", 2],
  ["This is turn 4.", 2],
]);
assert.ok(record.files.has("rejected/001_1.md"));
assert.match(record.files.get("index.md")!, /How does one count to four\?/);
