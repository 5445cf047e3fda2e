// A folder's papers, shared by several processes.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { folderShelf } from "../../src/inputs/folder_shelf.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { PAPER } from "../server/support/paper_server.ts";

withFolder.test("folderShelf() lets only one of several concurrent writers use an id", async (out) => {
  const shelves = Array.from({ length: 8 }, () => folderShelf(out));
  const ends = await Promise.allSettled(
    shelves.map((shelf, index) => shelf.put({ ...PAPER, title: `Paper ${index}` })),
  );
  const won = ends.findIndex(({ status }) => status === "fulfilled");
  assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
  for (const end of ends) {
    if (end.status === "rejected") assert.equal(end.reason.code, "taken");
  }
  for (const id of ["PAPER-123", "con", "NUL.v2"]) {
    await assert.rejects(folderShelf(out).put({ ...PAPER, id }), { code: "taken", field: "id" });
  }
  for (const shelf of shelves) assert.equal((await shelf.get("paper-123")).title, `Paper ${won}`);
});

withFolder.test("folderShelf() reads the current file and removes a dead process's incomplete files", async (out) => {
  const shelf = folderShelf(out);
  await shelf.put(PAPER);
  await shelf.list();
  await Deno.writeTextFile(join(out, "papers/paper-123.md"), "# Another\n\nIt was edited by hand.");
  assert.deepEqual((await shelf.list()).map(({ title }) => title), ["Another"]);
  await Deno.writeTextFile(join(out, "papers/.new.md.tmp"), "half");
  assert.equal((await shelf.list()).length, 1);
  await shelf.put({ ...PAPER, id: "new" });
  assert.deepEqual(await namesIn(join(out, "papers")), [".lock", "new.md", "paper-123.md"]);
});

withFolder.test("folderShelf() reports why a paper cannot be stored", async (out) => {
  await Deno.writeTextFile(join(out, "papers"), "in the way");
  await assert.rejects(folderShelf(out).put(PAPER), {
    code: "record_unwritable",
    message: /a part of the path is a file, not a folder/,
  });
  assert.deepEqual(await folderShelf(out).list(), []);
});

withFolder.test("folderShelf() returns no paper whose file has another id", async (out) => {
  const shelf = folderShelf(out);
  await shelf.put(PAPER);
  await Deno.copyFile(join(out, "papers/paper-123.md"), join(out, "papers/copy.md"));
  await assert.rejects(shelf.get("copy"), { code: "record_corrupt", message: /"paper-123"/ });
  assert.deepEqual((await shelf.list()).map(({ id }) => id), ["paper-123"]);
});
