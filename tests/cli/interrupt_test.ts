import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { watchInterrupts } from "../../src/cli/main.ts";

/** A Ctrl-C at each of the given times, in milliseconds; what they came to. */
function pressed(...times: readonly number[]): string[] {
  const seen: string[] = [];
  let now = 0;
  let press = () => {};
  const release = watchInterrupts({
    now: () => now,
    onInterrupt: (handler) => {
      press = handler;
      return () => press = () => {};
    },
  }, { stop: () => seen.push("stop"), exit: () => seen.push("exit") });
  for (const time of times) {
    now = time;
    press();
  }
  release();
  press();
  return seen;
}

describe("watchInterrupts()", () => {
  it("watchInterrupts() stops at the first", () => {
    assert.deepEqual(pressed(5000), ["stop"]);
  });

  it("watchInterrupts() takes a repeat within a second for the same", () => {
    assert.deepEqual(pressed(5000, 5001, 5400, 6000), ["stop"]);
  });

  it("watchInterrupts() exits at one that comes later", () => {
    assert.deepEqual(pressed(5000, 5100, 6001), ["stop", "exit"]);
  });
});
