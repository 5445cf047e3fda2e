// A file of a record that is too large is rejected by name; a log and transcripts are read in pieces.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { folderRecord, openConvening, verify } from "../../mod.ts";
import { messagePage } from "../../src/operations/reading_convenings.ts";
import { loggedEvents } from "../../src/operations/watching.ts";
import { held, TALK, withTalkers } from "../server/support/talking_app.ts";

const MEBIBYTE = 1 << 20;

/** Extends a file to 65 MiB without using disk space. */
async function stretch(path: string): Promise<void> {
  await Deno.truncate(path, 65 * MEBIBYTE);
}

withTalkers.test("a record's file over 64 MiB is rejected by name in library and HTTP", async (app) => {
  const id = await held(app, { ...TALK, sources: [{ name: "notes.md", text: "Some notes." }] });
  const { dir } = app.pool.run(id)!;
  const [first] = (await messagePage(dir)).messages;
  for (const file of [first!.file, "sources/notes.md", "metadata.md"]) {
    const before = await Deno.readFile(join(dir, file));
    await stretch(join(dir, file));
    const words = `${file}: it has 68,157,440 bytes, at most 67,108,864 are read`;
    await assert.rejects(openConvening(dir), (error: Error & { code?: string }) => {
      assert.ok(error.message.endsWith(words), error.message);
      return error.code === "record_corrupt";
    });
    assert.ok((await verify(dir)).findings.some(({ path }) => path === file), file);
    const { status, body } = await app.get(`/api/convenings/${id}/files/${file}`);
    assert.deepEqual([status, body.error.code], [500, "record_corrupt"], file);
    assert.ok(body.error.message.endsWith(words), body.error.message);
    await Deno.writeFile(join(dir, file), before);
  }
  assert.deepEqual((await verify(dir)).findings, []);
});

withTalkers.test("a log and a transcript over 64 MiB are read in pieces", async (app) => {
  const id = await held(app, { ...TALK, limits: { maxTurns: 2 } });
  const { dir, feed } = app.pool.run(id)!;
  const path = join(dir, "log.jsonl");
  const events = feed.last;
  const pad = "x".repeat(MEBIBYTE);
  for (let n = events + 1; n <= events + 65; n++) {
    const line = `${JSON.stringify({ n, at: "2026-01-01T00:00:00.000Z", type: "later", pad })}\n`;
    await Deno.writeTextFile(path, line, { append: true });
  }
  const { size } = await Deno.stat(path);
  await Deno.writeTextFile(path, `{"n": 1, "pad": "${pad}${pad}`, { append: true });
  assert.deepEqual((await verify(dir)).findings, []);
  let last = 0;
  for await (const event of loggedEvents(dir)) last = event.n;
  assert.equal(last, events);
  const { start } = await openConvening(dir);
  const record = await folderRecord({ dir }).open(start);
  assert.equal(record.lastEvent, events + 65);
  await record.close();
  assert.equal((await Deno.stat(path)).size, size, "the half line is cut off");
  await Deno.writeTextFile(join(dir, "transcript.md"), "# A transcript");
  await stretch(join(dir, "transcript.md"));
  for (const [file, length] of [["log.jsonl", size], ["transcript.md", 65 * MEBIBYTE]] as const) {
    const response = await app.fetch(`/api/convenings/${id}/files/${file}`);
    assert.equal(response.headers.get("content-length"), String(length));
    let read = 0;
    for await (const piece of response.body!) {
      assert.ok(piece.length <= MEBIBYTE);
      read += piece.length;
    }
    assert.equal(read, length, file);
  }
});
