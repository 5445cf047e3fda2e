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

Deno.test("since() loses no event for a slow reader during thousands of events", async () => {
  await withFolder(async (dir) => {
    const log = join(dir, "log.jsonl");
    await Deno.writeTextFile(log, linesOf(1, 10));
    const go = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const run = new ActiveRun(new RunQueue({ maxRunning: 1, maxQueued: 1 }));
    await run.begin(() =>
      Promise.resolve({
        async *stream() {
          const record = { dir, close: () => Promise.resolve() };
          await run.wrap({ open: () => Promise.resolve(record as never) }).open({} as never);
          for (let n = 1; n <= 10; n++) yield phase(n);
          await go.promise;
          for (let n = 11; n <= 5000; n++) yield phase(n);
          gone.resolve();
          await end.promise;
          return {} as ConveningResult;
        },
        run: () => Promise.reject(new Error("It is streamed")),
      })
    );
    const seen: number[] = [];
    for await (const { n } of run.events(0)) {
      seen.push(n);
      if (n === 5000) end.resolve();
      if (n !== 1) continue;
      go.resolve();
      await gone.promise;
      await Deno.writeTextFile(log, linesOf(11, 4990), { append: true });
    }
    assert.deepEqual(seen, Array.from({ length: 5000 }, (_, at) => at + 1));
    await run.ended;
  });
});
