// Buffered events of a running convening.
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { ConveningEvent, ConveningResult } from "../../src/core/event.ts";
import { ActiveRun, RunQueue } from "../../src/operations/active_run.ts";
import { withFolder } from "../support/cli.ts";

function phase(n: number): ConveningEvent {
  return { n, at: "2026-01-01T00:00:00.000Z", type: "phase-start", phase: `p${n}` };
}

function linesOf(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `${JSON.stringify(phase(from + at))}\n`)
    .join("");
}

withFolder.test("events() loses no event for a slow reader during thousands of events", async (dir) => {
  const log = join(dir, "log.jsonl");
  await Deno.writeTextFile(log, linesOf(1, 10));
  /** The reader stops at an event of the log, then at a live event, until the run has a number of events. */
  const stops = [1, 4995].map((at, index) => ({
    at,
    from: [10, 5000][index]!,
    to: [5000, 9000][index]!,
    stopped: Promise.withResolvers<void>(),
    passed: Promise.withResolvers<void>(),
  }));
  const read = Promise.withResolvers<void>();
  const run = new ActiveRun(new RunQueue(1));
  await run.begin(() =>
    Promise.resolve({
      async *stream() {
        const record = { dir, close: () => Promise.resolve() };
        await run.wrap({ open: () => Promise.resolve(record as never) }).open({} as never);
        for (let n = 1; n <= 10; n++) yield phase(n);
        for (const { from, to, stopped, passed } of stops) {
          await stopped.promise;
          for (let n = from + 1; n <= to; n++) yield phase(n);
          passed.resolve();
        }
        await read.promise;
        return {} as ConveningResult;
      },
      run: () => Promise.reject(new Error("It is streamed")),
    })
  );
  const seen: number[] = [];
  for await (const { n } of run.events(0)) {
    seen.push(n);
    if (n === 9000) read.resolve();
    const stop = stops.find(({ at }) => at === n);
    if (stop === undefined) continue;
    stop.stopped.resolve();
    await stop.passed.promise;
    // The log lags behind the run.
    const from = stop.from === 10 ? 11 : stop.from - 9;
    await Deno.writeTextFile(log, linesOf(from, stop.to - 10), { append: true });
  }
  assert.deepEqual(seen, Array.from({ length: 9000 }, (_, at) => at + 1));
  await run.ended;
});
