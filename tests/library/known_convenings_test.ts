import { join } from "@std/path";
import { openConvening } from "../../src/operations/convening.ts";
import { readConvening } from "../../src/operations/show.ts";
import { renderFact } from "../../src/record/codec.ts";
import { messageOf, scoreOf } from "../output/support/fixtures.ts";
import { withFolder } from "../support/cli.ts";
import { keepRecord, rest } from "./support/kept_record.ts";
import assert from "node:assert/strict";

const FACTS = [messageOf(1), messageOf(2), scoreOf(1, "advocate-a", [7, 8])];

/** Replaces a part of a file where it stands, as an editor does. */
async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  assert.ok(text.includes(from));
  await Deno.writeTextFile(path, text.replace(from, to));
}

async function fileIn(dir: string, folder: string): Promise<string> {
  const [file] = await Array.fromAsync(Deno.readDir(join(dir, folder)));
  return join(dir, folder, file!.name);
}

Deno.test("readConvening() gives what openConvening() does, and reads what rests once", async () => {
  await withFolder(async (out) => {
    const dir = await keepRecord(out, FACTS);
    const first = await readConvening(dir);
    assert.deepEqual(first, await openConvening(dir));
    assert.equal(await readConvening(dir), first);
    const [second, third] = await Promise.all([readConvening(dir), readConvening(`${dir}/`)]);
    assert.equal(second, first);
    assert.equal(third, first);
  });
});

Deno.test("readConvening() sees every change that another process makes", async () => {
  await withFolder(async (out) => {
    const dir = await keepRecord(out, FACTS);
    const read = async () => (await readConvening(dir)).result;
    assert.equal((await read()).status, "completed");
    // As long as before.
    await edit(join(dir, "metadata.md"), "status: completed", "status: cancelled");
    await assert.rejects(read(), { code: "record_corrupt" });
    await edit(join(dir, "metadata.md"), "status: cancelled", "status: completed");
    await rest(dir);
    assert.equal((await read()).messages.length, 2);
    await Deno.remove(await fileIn(dir, "scores"));
    assert.deepEqual((await read()).scores, {});
  });
});

Deno.test("readConvening() sees a message that is edited where it stands, also long afterwards", async () => {
  await withFolder(async (out) => {
    const dir = await keepRecord(out, FACTS);
    await readConvening(dir);
    const path = await fileIn(dir, "messages");
    const { mtime } = await Deno.stat(path);
    await edit(path, "at some length", "at more length");
    await assert.rejects(readConvening(dir), { code: "record_corrupt", field: path });
    // Of another time of change, though not a late one.
    await Deno.utime(path, mtime!, new Date(mtime!.getTime() + 60_000));
    await assert.rejects(readConvening(dir), { code: "record_corrupt", field: path });
    await edit(path, "at more length", "at some length");
    assert.equal((await readConvening(dir)).messages.length, 2);
  });
});

Deno.test("readConvening() reads of a convening that goes on what is new, and keeps what it had", async () => {
  await withFolder(async (out) => {
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
});

Deno.test("readConvening() reads again what changed a moment ago, and fails where there is nothing", async () => {
  await withFolder(async (out) => {
    const dir = await keepRecord(out, FACTS);
    const now = new Date();
    await Deno.utime(await fileIn(dir, "messages"), now, now);
    assert.notEqual(await readConvening(dir), await readConvening(dir));
    await assert.rejects(readConvening(join(out, "none")), { code: "not_found" });
  });
});
