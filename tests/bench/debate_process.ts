// One candidate in a process of its own: runs debates and says what they cost.
import process from "node:process";
import type { DebateSetting } from "./bare.ts";

/** What a candidate is told. */
export interface DebateTask extends DebateSetting {
  readonly candidate: Candidate;
  /** Debates run at once. @default 1 */
  readonly debates?: number;
}

/** What is compared. */
export type Candidate = "ours" | "bare";

/** What debates cost; all in milliseconds but for the memory. */
export interface DebateCost {
  /** Processor time of the process before the debates: runtime, modules, tokenizer. */
  readonly startCpu: number;
  /** Processor time of the debates, all threads. */
  readonly cpu: number;
  readonly wall: number;
  /** The most memory the process had, in megabytes. */
  readonly peak: number;
}

const LOADERS: Readonly<
  Record<Candidate, () => Promise<(setting: DebateSetting) => Promise<void>>>
> = {
  ours: async () => (await import("./engine_debate.ts")).engineDebate,
  bare: async () => (await import("./bare.ts")).bareDebate,
};

function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

if (import.meta.main) {
  const task: DebateTask = JSON.parse(Deno.args[0]!);
  const debate = await LOADERS[task.candidate]();
  // Both need them; loading them is no part of a debate.
  await import("openai");
  const { countTokens } = await import("gpt-tokenizer");
  countTokens("Ready.");
  const startCpu = cpuNow();
  const started = performance.now();
  await Promise.all(Array.from({ length: task.debates ?? 1 }, () => debate(task)));
  const wall = performance.now() - started;
  const cpu = cpuNow() - startCpu;
  const peak = process.resourceUsage().maxRSS / 1024;
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify({ startCpu, cpu, wall, peak }));
}
