// Records of earlier versions, with all keys of a message at the top level, are read, verified and resumed in that layout.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { namingOf, renderFact } from "../../src/record/codec.ts";
import { parseFact } from "../../src/record/read_pages.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { eventOf } from "../../src/core/event.ts";
import { FACTS, messageOf, startOf } from "./support/fixtures.ts";
import { message } from "./support/transcript_record.ts";
import { Sample, writeRecord } from "./support/verify_record.ts";

const OLD = `---
format: convenings/1
type: message
seq: 2
turn: opening/ada
participant: ada
name: Ada
role: position_advocate
position: Ban them
phase: opening
kind: opening_statement
round: 0
reply_to: 1
index: ../index.md
previous: 001_moderator_cfde2ca5.md
answers: 001_moderator_cfde2ca5.md
gist: "Old streets carry a slower pace."
model: good
attempts: 2
marks: [concluded]
usage: { input_tokens: 540, cached_input_tokens: 0, output_tokens: 40, cost_usd: unknown }
latency_ms: 12
created_at: 2026-11-21T20:33:12.114Z
sha256: b01a4ca0b9ec3d9c1a5ab5d5d7b9c1fb5c4f4e4ddaf4bd0b4c39ee44b5da5b52
---
Old streets carry a slower pace.`;

/** Returns a completed record as an earlier version wrote it. */
async function firstLayout(ending?: null): Promise<{ files: MemoryFileSystem; dir: string }> {
  const files = new MemoryFileSystem();
  const dir = await writeRecord(files, ending === undefined ? {} : { ending });
  const contents = await readRecord(files, dir);
  const naming = namingOf({ ...contents, layout: 1 });
  for (const [path, fact] of contents.files) {
    await files.write(join(dir, path), renderFact(fact, naming));
  }
  const metadata = await files.read(join(dir, "metadata.md"));
  await files.write(join(dir, "metadata.md"), metadata.replace("layout: 2\n", ""));
  const index = await files.read(join(dir, "index.md"));
  await files.write(join(dir, "index.md"), index.replace("adds about 200", "adds about 400"));
  return { files, dir };
}

Deno.test("parseFact() reads a message in the first layout", () => {
  const fact = parseFact(OLD, "messages/002_position_advocate_fdee430d.md", "message");
  assert.ok(fact.type === "message");
  assert.deepEqual(
    [fact.seq, fact.replyTo, fact.previous, fact.model, fact.attempts, fact.marks],
    [2, 1, 1, "good", 2, ["concluded"]],
  );
  const naming = { width: 3, layout: 1, messageName: () => "001_moderator_cfde2ca5.md" } as const;
  assert.equal(
    renderFact(fact, naming),
    OLD.replace('"Old streets carry a slower pace."', "Old streets carry a slower pace."),
  );
});

Deno.test("verifyRecord() accepts a gist of the first layout that is cut elsewhere, and reports an edited gist", async () => {
  const { files, dir } = await firstLayout();
  assert.deepEqual((await verifyRecord(files, dir)).findings, []);
  const [path] = (await readRecord(files, dir)).files.keys();
  const text = await files.read(join(dir, path!));
  await files.write(join(dir, path!), text.replace(/gist: (\w+).*/, "gist: $1…"));
  assert.deepEqual((await verifyRecord(files, dir)).findings, []);
  await files.write(join(dir, path!), text.replace(/gist: .*/, "gist: Another"));
  assert.match((await verifyRecord(files, dir)).findings[0]!.problem, /its gist is "Another"/);
});

Deno.test("openRecord() resumes in the layout that a record began with", async () => {
  for (const layout of [1, 2]) {
    const { files, dir } = layout === 1
      ? await firstLayout(null)
      : await Sample.make({ ending: null });
    const record = await openRecord(files, { dir });
    const last = Math.max(...record.facts.map((fact) => fact.type === "message" ? fact.seq : 0));
    const next = message({ seq: last + 1 });
    await record.apply({ ...eventOf(next), n: record.lastEvent + 1, at: next.createdAt });
    await record.close();
    const { files: paths } = await readRecord(files, dir);
    for (const [path, fact] of paths) {
      if (fact.type !== "message") continue;
      assert.equal((await files.read(join(dir, path))).includes("\nmade:\n"), layout === 2, path);
    }
    assert.equal(
      (await files.read(join(dir, "metadata.md"))).includes("\nlayout: 2\n"),
      layout === 2,
    );
  }
});

Deno.test("a message's front matter has at most 230 tokens without the position", async () => {
  const count = await loadTokenCounter();
  const usage = {
    inputTokens: 123_456,
    cachedInputTokens: 100_000,
    outputTokens: 1234,
    costUsd: 0.0123456789,
  };
  const fact = messageOf(12, { replyTo: 11, previous: 11, usage, latencyMs: 12_345 });
  const naming = namingOf({ start: startOf(), facts: [...FACTS, messageOf(11), messageOf(12)] });
  const [, frontMatter = ""] = renderFact(fact, naming).split("---\n");
  const tokens = count(frontMatter.replace(/^position: .*\n/m, ""));
  assert.ok(tokens <= 230, `${tokens} tokens`);
});
