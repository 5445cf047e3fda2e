// One candidate in a process of its own: runs debates and prints their cost.
import process from "node:process";
import type { DebateTask } from "./bench.ts";
import { say } from "./child.ts";

const task: DebateTask = JSON.parse(Deno.args[0]!);
const debate = task.candidate === "ours"
  ? (await import("./ours.ts")).ourDebate
  : (await import("./bare.ts")).bareDebate;
// Both need them; loading them is no part of a debate.
await import("openai");
(await import("gpt-tokenizer")).countTokens("Ready.");
const before = process.cpuUsage();
const started = performance.now();
await Promise.all(Array.from({ length: task.debates }, () => debate(task)));
const wall = performance.now() - started;
const { user, system } = process.cpuUsage(before);
say({ cpu: (user + system) / 1000, wall, peak: process.resourceUsage().maxRSS / 1024 });
