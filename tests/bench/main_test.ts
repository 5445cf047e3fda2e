// Command line of the benchmark.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import type { Figure } from "./figure.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the benchmark with its task's permissions. */
async function bench(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [, ...task] = project.tasks.bench.command.split(" ");
  const command = new Deno.Command("deno", { args: [...task, ...args], cwd: ROOT, stdin: "null" });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("bench --quick --json prints every figure of the selected rows", async () => {
  const { code, stdout, stderr } = await bench("--quick", "--json", "--only=cpu");
  assert.equal(code, 0, stderr);
  const { figures, quick, repetitions } = JSON.parse(stdout) as {
    figures: (Figure & { row: string })[];
    quick: boolean;
    repetitions: number;
  };
  assert.deepEqual([quick, repetitions, figures.map(({ row }) => row)], [true, 1, ["cpu"]]);
  const [cpu] = figures;
  assert.ok(cpu?.ours !== undefined && cpu.bare !== undefined && cpu.unit === "ms");
  const { what, goal, value, met, others } = cpu;
  assert.ok(what !== "" && others !== "");
  assert.ok("atMost" in goal || "atLeast" in goal);
  assert.ok(value.min <= value.median && value.median <= value.max);
  assert.equal(typeof met, "boolean");
});

Deno.test("bench rejects an unknown row and lists the known ones", async () => {
  const { code, stdout, stderr } = await bench("--only=speed");
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /There is no row "speed"/);
  assert.match(stderr, /^ {2}cpu /m);
});
