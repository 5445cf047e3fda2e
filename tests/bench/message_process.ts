// A long dialogue with an agent that answers at once, on a record on disk: what each message costs.
import process from "node:process";
import { createDialogueWorkflow } from "../../src/operations/workflows.ts";
import type { Agent } from "../../src/core/agent.ts";
import { createParticipant } from "../../src/core/participant.ts";
import { speechFor } from "./calls.ts";

/** What the process is told. */
export interface MessageTask {
  readonly out: string;
  readonly messages: number;
  /** Messages a figure is given for. */
  readonly block: number;
}

/** What each block of messages cost, in milliseconds a message. */
export interface MessageCost {
  readonly cpu: readonly number[];
  readonly wall: readonly number[];
}

if (import.meta.main) {
  const { out, messages, block }: MessageTask = JSON.parse(Deno.args[0]!);
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
  const workflow = createDialogueWorkflow("What should a city plan for first?", participants, {
    maxTurns: messages,
    out,
  });
  const cost = { cpu: [] as number[], wall: [] as number[] };
  let [cpu, wall] = [process.cpuUsage(), performance.now()];
  for await (const event of workflow.stream()) {
    if (event.type !== "message" || event.message.seq % block !== 0) continue;
    const { user, system } = process.cpuUsage(cpu);
    cost.cpu.push((user + system) / 1000 / block);
    cost.wall.push((performance.now() - wall) / block);
    [cpu, wall] = [process.cpuUsage(), performance.now()];
  }
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify(cost));
}
