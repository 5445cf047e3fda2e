// Odd Unicode and clocks that are set back leave valid records.
import assert from "node:assert/strict";
import fc from "fast-check";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { forkRecord } from "../../src/record/fork.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { conveningIn, runIn } from "./support/killed_runs.ts";
import { type Say, Talker, usualText } from "../support/talkers.ts";

/** Sequences of UTF-16 units among words, lone surrogates included. */
const TEXT = fc.array(
  fc.oneof(
    fc.constantFrom("word ", "\ud83d\ude00", "é. "),
    fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
  ),
  { minLength: 1, maxLength: 40 },
).map((parts) => `Said: ${parts.join("")}.`);

/** Returns structured replies in which every text contains the given one. */
function saying(text: string): Say {
  return (request) => {
    if (request.schema === undefined) return { text };
    const value = JSON.parse(usualText(request)) as Record<string, unknown>;
    const reasons = `${value["reasons"]} ${text}`;
    return { text: JSON.stringify({ ...value, reasons }) };
  };
}

Deno.test("A record is well-formed Unicode, valid and equal to the run's data, whatever UTF-16 is said, cited or edited", async () => {
  const property = fc.asyncProperty(TEXT, async (text) => {
    const files = new MemoryFileSystem();
    const { accepted, error } = await runIn(files, undefined, {
      agent: new Talker(saying(text)),
      sources: [{ name: `${text}.md`, text }],
    });
    assert.equal(error, undefined);
    const dir = conveningIn(files)!;
    assert.deepEqual((await verifyRecord(files, dir)).findings, []);
    const { facts } = await readRecord(files, dir);
    assert.deepEqual(facts.filter(({ type }) => type === "message"), accepted);
    for (const [path, kept] of files.files(dir)) {
      assert.ok(kept.isWellFormed(), path);
      assert.doesNotMatch(kept, /\\ud[89a-f]/i, path);
    }
    const clock = { now: () => Date.parse("2026-11-22T10:00:00Z") };
    const fork = await forkRecord(files, dir, { at: 2, edit: text, clock });
    assert.deepEqual((await verifyRecord(files, fork)).findings, []);
  });
  await fc.assert(property, { numRuns: 8 });
});

Deno.test("Time stamps of a record never decrease, even when the machine's clock is set back three days", async () => {
  const DAY = 86_400_000;
  let now = Date.parse("2026-11-21T20:33:05.114Z");
  const clock = { now: () => now += 7 };
  const files = new MemoryFileSystem();
  const agent = new Talker(({ context: { key } }) => {
    if (key === "opening/b") now -= DAY;
    return undefined;
  });
  const first = await runIn(files, undefined, { agent, clock, limits: { maxTurns: 3 } });
  assert.equal(first.result?.status, "stopped");
  const dir = conveningIn(files)!;
  now -= 3 * DAY;
  const began = now;
  const { result } = await runIn(files, dir, { agent, clock });
  assert.equal(result?.status, "completed");
  assert.ok(result.duration <= now - began, "durations are of the clock that passed");
  const { startedAt, resumes, endedAt, facts } = await readRecord(files, dir);
  const logged = files.files(dir).get("log.jsonl")!.trimEnd().split("\n").map((line) =>
    String(JSON.parse(line).at)
  );
  for (const times of [logged, [startedAt, ...resumes, endedAt!]]) {
    assert.deepEqual(times, times.toSorted());
  }
  for (const { createdAt } of facts) assert.ok(createdAt >= startedAt && createdAt <= endedAt!);
});
