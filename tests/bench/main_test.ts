import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Figure } from "./figure.ts";

const CONFIG = fileURLToPath(new URL("../../deno.test.json", import.meta.url));
const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Runs the benchmark with the permissions its task gives. */
async function bench(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command("deno", {
    args: [
      "run",
      "--no-prompt",
      `--config=${CONFIG}`,
      "--ignore-env",
      "--allow-read",
      "--allow-write=/tmp",
      "--allow-net=127.0.0.1,localhost",
      "--allow-run=deno,redis-server",
      MAIN,
      ...args,
    ],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("bench --quick --json prints every figure of the rows asked for", async () => {
  const { code, stdout, stderr } = await bench("--quick", "--json", "--only=cpu");
  assert.equal(code, 0, stderr);
  const { figures, quick, repetitions } = JSON.parse(stdout) as {
    figures: Figure[];
    quick: boolean;
    repetitions: number;
  };
  assert.equal(quick, true);
  assert.equal(repetitions, 1);
  assert.deepEqual(figures.map(({ row }) => row), ["cpu"]);
  for (const { what, goal, value, met, others } of figures) {
    assert.ok(what !== "" && others !== "");
    assert.ok("atMost" in goal || "atLeast" in goal);
    assert.ok(value.min <= value.median && value.median <= value.max);
    assert.equal(typeof met, "boolean");
  }
  const [cpu] = figures;
  assert.ok(cpu?.ours !== undefined && cpu.bare !== undefined && cpu.unit === "ms");
});

Deno.test("bench refuses a row it does not have, and says which there are", async () => {
  const { code, stdout, stderr } = await bench("--only=speed");
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /There is no row "speed"/);
  assert.match(stderr, /^ {2}cpu /m);
});
