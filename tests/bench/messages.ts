// A long dialogue in a process of its own, with an agent that answers at once: prints the cost of each block of messages.
import type { Agent } from "../../src/core/agent.ts";
import { createParticipant } from "../../src/core/participant.ts";
import { createDialogueWorkflow } from "../../src/operations/library.ts";
import { speechFor } from "./calls.ts";
import { say } from "./child.ts";
import process from "node:process";

const { out, messages, block } = JSON.parse(Deno.args[0]!);
let calls = 0;
const agent: Agent = {
  model: "bench-model",
  reply: () =>
    Promise.resolve({
      text: speechFor(`argument/${++calls}`),
      finishReason: "stop",
      model: "bench-model",
      usage: { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 250 },
    }),
};
const participants = ["Ada", "Ben"].map((name) => ({ ...createParticipant({ name }), agent }));
const topic = "What should a city plan for first?";
const workflow = createDialogueWorkflow(topic, participants, { maxTurns: messages, out });
const cost = { cpu: [] as number[], wall: [] as number[] };
let [cpu, wall] = [process.cpuUsage(), performance.now()];
for await (const event of workflow.stream()) {
  if (event.type !== "message" || event.message.seq % block !== 0) continue;
  const { user, system } = process.cpuUsage(cpu);
  cost.cpu.push((user + system) / 1000 / block);
  cost.wall.push((performance.now() - wall) / block);
  [cpu, wall] = [process.cpuUsage(), performance.now()];
}
say(cost);
