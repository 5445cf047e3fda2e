import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import {
  folderRecord,
  listConvenings,
  openConvening,
  resume,
  showMessage,
  verify,
} from "../../mod.ts";
import { interject } from "../../src/library/attending.ts";
import { askConvening } from "../../src/library/asking.ts";
import { messagePage } from "../../src/library/reading_convenings.ts";
import { diskFiles } from "../../src/output/fs_store.ts";
import { withFolder } from "../support/cli.ts";
import { TALK, withTalkers } from "../server/support/talking_app.ts";

const CANARY = "what lies outside of the archive";

/** Does something with a convening that waits to be gone on with, and a folder outside of its archive. */
async function withConvening(
  use: (dir: string, outside: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (outside) => {
    await withTalkers(async ({ post, pool }) => {
      const sources = [{ name: "notes.md", text: "Some notes." }];
      const body = { ...TALK, sources, limits: { maxTurns: 2 } };
      const { body: { id } } = await post("/api/convenings", body);
      await pool.run(id)!.ended;
      await use(pool.run(id)!.dir, outside);
    });
  });
}

/** Puts a link in the place of a part, to the same outside. */
async function link(part: string, outside: string): Promise<string> {
  const target = join(outside, basename(part));
  await Deno.rename(part, target).catch(() => Deno.writeTextFile(target, CANARY));
  await Deno.symlink(target, part);
  return target;
}

for (
  const part of ["metadata.md", "log.jsonl", ".lock", ".inbox", "messages", "sources", "pages"]
) {
  Deno.test(`a convening whose ${part} is a link is neither read nor written`, async () => {
    await withConvening(async (dir, outside) => {
      const { start } = await openConvening(dir);
      await interject(dir, "What of the buses?");
      const target = await link(join(dir, part), outside);
      const before = await textsOf(target);
      const refusal = {
        code: "record_corrupt",
        message: new RegExp(`${part}: it is a symbolic link`),
      };
      await assert.rejects(openConvening(dir), refusal);
      await assert.rejects(resume(dir), refusal);
      await assert.rejects(folderRecord({ dir }).open(start), refusal);
      const [row] = await listConvenings(join(dir, "..", ".."));
      assert.equal(row?.status, "unreadable");
      assert.ok((await verify(dir)).findings.some(({ path }) => path === part));
      assert.deepEqual(await textsOf(target), before);
    });
  });
}

/** What a file holds, or the files of a folder. */
async function textsOf(path: string): Promise<readonly string[]> {
  if ((await Deno.stat(path)).isFile) return [await Deno.readTextFile(path)];
  const names = (await diskFiles.list(path)).map(({ name }) => name);
  return await Promise.all(
    names.map(async (name) => `${name}: ${await Deno.readTextFile(join(path, name))}`),
  );
}

Deno.test("a message, or a source, that is a link is not read", async () => {
  await withConvening(async (dir, outside) => {
    const [, second] = (await messagePage(dir)).messages;
    await link(join(dir, second!.file), outside);
    const { messages, total } = await messagePage(dir);
    assert.deepEqual([messages.map(({ seq }) => seq), total], [[1], 1]);
    await assert.rejects(showMessage(dir, 2), { code: "not_found" });
    const { answers } = await askConvening(dir, "Speech for turn-2");
    assert.deepEqual(answers.map(({ seq }) => seq), [1]);
    await assert.rejects(openConvening(dir), {
      code: "record_corrupt",
      message: new RegExp(`${second!.file}: it is a symbolic link`),
    });
  });
  await withConvening(async (dir, outside) => {
    await link(join(dir, "sources", "notes.md"), outside);
    await assert.rejects(openConvening(dir), {
      code: "record_corrupt",
      message: /notes\.md: it is a/,
    });
  });
});

Deno.test("a link in the place of a lock is neither locked nor emptied", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "file"), CANARY);
    await Deno.symlink(join(folder, "file"), join(folder, ".lock"));
    await assert.rejects(diskFiles.lock(join(folder, ".lock")), { problem: "denied" });
    assert.equal(await Deno.readTextFile(join(folder, "file")), CANARY);
  });
});
