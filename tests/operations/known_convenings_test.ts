// Cached reads of convenings and of files see every change.
import { join } from "@std/path";
import { sha256 } from "../../src/core/message.ts";
import { openConvening } from "../../src/operations/convening.ts";
import { readConvening } from "../../src/operations/convening_json.ts";
import { archivedFile } from "../../src/operations/reading_convenings.ts";
import { renderFact } from "../../src/record/codec.ts";
import { messageOf, scoreOf } from "../record/support/fixtures.ts";
import { withFolder } from "../support/cli.ts";
import { keepRecord, rest } from "./support/kept_record.ts";
import assert from "node:assert/strict";

const FACTS = [messageOf(1), messageOf(2), scoreOf(1, "advocate-a", [7, 8])];

/** Edits a file in place, as an editor does. */
async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  assert.ok(text.includes(from));
  await Deno.writeTextFile(path, text.replace(from, to));
}

async function fileIn(dir: string, folder: string): Promise<string> {
  const [file] = await Array.fromAsync(Deno.readDir(join(dir, folder)));
  return join(dir, folder, file!.name);
}

withFolder.test("readConvening() returns openConvening()'s result and reads an idle record once", async (out) => {
  const dir = await keepRecord(out, FACTS);
  const first = await readConvening(dir);
  assert.deepEqual(first, await openConvening(dir));
  assert.equal(await readConvening(dir), first);
  const [second, third] = await Promise.all([readConvening(dir), readConvening(`${dir}/`)]);
  assert.equal(second, first);
  assert.equal(third, first);
});

withFolder.test("readConvening() detects every change by another process", async (out) => {
  const dir = await keepRecord(out, FACTS);
  const read = async () => (await readConvening(dir)).result;
  assert.equal((await read()).status, "completed");
  // Equal length.
  await edit(join(dir, "metadata.md"), "status: completed", "status: cancelled");
  await assert.rejects(read(), { code: "record_corrupt" });
  await edit(join(dir, "metadata.md"), "status: cancelled", "status: completed");
  await rest(dir);
  assert.equal((await read()).messages.length, 2);
  await Deno.remove(await fileIn(dir, "scores"));
  assert.deepEqual((await read()).scores, {});
});

withFolder.test("readConvening() detects an in-place edit of a message, also a late one", async (out) => {
  const dir = await keepRecord(out, FACTS);
  await readConvening(dir);
  const path = await fileIn(dir, "messages");
  const { mtime } = await Deno.stat(path);
  await edit(path, "at some length", "at more length");
  await assert.rejects(readConvening(dir), { code: "record_corrupt", field: path });
  // The modification time differs but is not recent.
  await Deno.utime(path, mtime!, new Date(mtime!.getTime() + 60_000));
  await assert.rejects(readConvening(dir), { code: "record_corrupt", field: path });
  await edit(path, "at more length", "at some length");
  assert.equal((await readConvening(dir)).messages.length, 2);
});

withFolder.test("readConvening() reads only the new part of a running convening", async (out) => {
  const dir = await keepRecord(out, FACTS);
  const first = await readConvening(dir);
  const path = join(dir, "messages/003_position_advocate_87654321.md");
  await Deno.writeTextFile(
    path,
    renderFact(messageOf(3), {
      width: 3,
      layout: 2,
      messageName: () => "002_position_advocate_87654321.md",
    }),
  );
  const second = await readConvening(dir);
  assert.deepEqual(second.messages.map(({ seq }) => seq), [1, 2, 3]);
  assert.deepEqual(second, await openConvening(dir));
  for (const [at, message] of first.messages.entries()) {
    assert.equal(second.messages[at], message);
  }
});

withFolder.test("archivedFile() detects a change of an idle file, also one of equal length", async (out) => {
  await Deno.mkdir(join(out, "a"));
  const path = join(out, "a", "b.md");
  const read = async () => {
    const { bytes, sum } = await archivedFile(out, ["a", "b.md"]);
    const text = new TextDecoder().decode(bytes);
    assert.equal(sum, sha256(text));
    return text;
  };
  for (const text of ["one", "two", "x".repeat(200_000), "six"]) {
    await Deno.writeTextFile(path, text);
    assert.equal(await read(), text);
    await rest(out);
    assert.equal(await read(), text);
    assert.equal(await read(), text);
  }
  await Deno.remove(path);
  await assert.rejects(read(), { code: "not_found" });
  await Deno.mkdir(path);
  await assert.rejects(read(), { code: "not_found" });
});
