// Records on disk: atomic files, locks, links, exclusive files.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { ensureDir, exists, walk } from "@std/fs";
import { FileError, type FileLock, type FileSystem, writeDurably } from "../../src/core/files.ts";
import { listConvenings, openConvening } from "../../mod.ts";
import { RecordError } from "../../src/core/error.ts";
import { readMetadata } from "../../src/record/read.ts";
import { moveRecord } from "../../src/record/claim.ts";
import { DenoFileSystem, filesBelow, userFiles } from "../../src/record/disk_files.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { folderRecord } from "../../src/record/directory_record.ts";
import { endingOf, Events, messageOf, startOf } from "./support/fixtures.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { testsWith } from "../support/tests_with.ts";

const OPTIONS = { refreshDelay: 60_000 };

/** Makes a record in an archive and closes the record; returns its directory. */
async function made(out: string): Promise<string> {
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  await record.close();
  return record.dir!;
}

/** Makes a record with one message and an ending. */
async function ended(out: string, options: object = OPTIONS): Promise<string> {
  const record = await folderRecord({ out }, options).open(startOf());
  const events = new Events(record);
  await events.fact(messageOf(1));
  await events.apply({ type: "convening-end", ending: endingOf() });
  await record.close();
  return record.dir!;
}

/** Replaces functions of an object until the end of the scope. */
function replaced<T extends object>(of: T, functions: Partial<T>): Disposable {
  const own = Object.fromEntries(
    Object.keys(functions).map((name) => [name, Reflect.get(of, name)]),
  );
  Object.assign(of, functions);
  return { [Symbol.dispose]: () => void Object.assign(of, own) };
}

async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof FileError, String(error));
    return error.problem;
  }
  return undefined;
}

withFolder.test("DenoFileSystem reports why an operation fails", async (dir) => {
  const files = filesBelow(dir);
  await Deno.writeTextFile(join(dir, "file"), "x");
  await ensureDir(join(dir, "a"));
  await ensureDir(join(dir, "b", "c"));
  const at = (...names: string[]) => join(dir, ...names);
  const failures: readonly [work: () => Promise<unknown>, problem: string | undefined][] = [
    [() => files.read(at("none")), "not_found"],
    [() => files.write(at("none", "x"), ""), "not_found"],
    [() => files.write(at("file"), "y"), "exists"],
    [() => files.read(at("..", "x")), "denied"],
    [() => files.read(`${dir}x`), "denied"],
    [() => files.makeFolder(at("file")), "not_a_folder"],
    [() => files.makeFolder(at("file", "x")), "not_a_folder"],
    [() => files.rename(at("a"), at("b")), "exists"],
    [() => files.link(at("file"), at("a")), "exists"],
    [() => files.link(at("none"), at("second")), "not_found"],
    [() => files.link(at("file"), at("..", "x")), "denied"],
    [() => files.link(at("file"), at("second")), undefined],
    // A file server may answer one request twice.
    [() => files.link(at("file"), at("second")), undefined],
    [() => files.flushFolder(at("none")), "not_found"],
    [() => files.remove(at("none")), undefined],
  ];
  for (const [work, problem] of failures) assert.equal(await problemOf(work()), problem, `${work}`);
  assert.equal(await files.read(join(dir, "second")), "x");
  assert.deepEqual(await files.list(at("none")), []);
  assert.equal(await files.stat(at("none")), undefined);
});

/** Flushes a folder on a file system whose flush fails with a code. */
async function flushFailing(dir: string, code: string): Promise<void> {
  const sync = () => Promise.reject(Object.assign(new Error(code), { code }));
  const { openSync } = Deno;
  using _ = replaced(Deno, { openSync: (path) => Object.assign(openSync(path), { sync }) });
  await filesBelow(dir).flushFolder(dir);
}

withFolder.test("a file system without a flush for folders is no error; a failed flush is", async (dir) => {
  assert.equal(await problemOf(flushFailing(dir, "EINVAL")), undefined);
  assert.equal(await problemOf(flushFailing(dir, "EIO")), "other");
});

withFolder.test("a file that cannot be written whole is removed, and can be written once there is room", async (dir) => {
  const write = () => filesBelow(dir).write(join(dir, "convenings.yaml"), "kind: debate\n");
  const syncData = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
  const { open } = Deno;
  const full = async (...at: Parameters<typeof open>) =>
    Object.assign(await open(...at), { syncData });
  {
    using _ = replaced(Deno, { open: full });
    assert.equal(await problemOf(write()), "full");
  }
  assert.equal(await problemOf(write()), undefined);
});

withFolder.test("a durable file's text is on the disk before its name, and its name at the end", async (dir) => {
  const calls: string[] = [];
  const { rename } = Deno;
  const called = (name: string) => Promise.resolve(void calls.push(name));
  using _files = replaced(Deno.FsFile.prototype, {
    syncData: () => called("text"),
    sync: () => called("folder"),
  });
  using _ = replaced(Deno, {
    rename: async (...paths) => {
      await called("rename");
      await rename(...paths);
    },
  });
  await writeDurably(filesBelow(dir), join(dir, "message.md"), "Hello.", { truth: true });
  assert.deepEqual(calls, ["text", "rename", "folder"]);
});

withFolder.test("stat() returns the size of a file on disk and in memory", async (dir) => {
  for (const files of [filesBelow(dir), new MemoryFileSystem()]) {
    await files.makeFolder(dir);
    await files.write(join(dir, "file"), "“é”");
    assert.equal((await files.stat(join(dir, "file")))?.size, 8);
  }
});

withFolder.test("folderRecord() leaves only whole files, in a day of its archive, and no open file handle", async (out) => {
  assert.equal(await ended(out), join(out, "2026-11-21", "2026-11-21T20-33-05_debate"));
  const names: string[] = [];
  for await (const { name } of walk(out, { includeDirs: false })) names.push(name);
  assert.deepEqual(names.filter((name) => name.includes(".tmp")), []);
  assert.ok(await exists(join(out, "index.md"), { isFile: true }));
  assert.ok(await exists(join(out, "2026-11-21", "index.md"), { isFile: true }));
});

withFolder.test("folderRecord() with exclusive files fails as locked when another process has written a fact", async (out) => {
  const store = { ...OPTIONS, exclusive: true };
  const first = await folderRecord({ out }, store).open(startOf());
  await new Events(first).fact(messageOf(1));
  await first.close();
  const record = await folderRecord({ out }, store).open(startOf());
  const messages = join(record.dir!, "messages");
  const [name = ""] = await namesIn(join(first.dir!, "messages"));
  await ensureDir(messages);
  await Deno.writeTextFile(join(messages, name), "of another process");
  const work = new Events(record).fact(messageOf(1));
  await assert.rejects(work, { code: "locked", field: record.dir! });
  await record.close();
  assert.equal(await Deno.readTextFile(join(messages, name)), "of another process");
  assert.deepEqual(await namesIn(messages), [name]);
});

withFolder.test("folderRecord() with exclusive files writes the same record as without", async (folder) => {
  const names = async (exclusive: boolean) => {
    const out = join(folder, String(exclusive));
    await ended(out, { ...OPTIONS, exclusive });
    const files = walk(out, { includeDirs: false });
    return (await Array.fromAsync(files, ({ path }) => path.slice(out.length))).toSorted();
  };
  assert.deepEqual(await names(true), await names(false));
});

/** Lets `lstat` fail on a path, as for another user's file. */
function deny(denied: string, code = "EACCES"): Disposable {
  const { lstatSync } = Deno;
  return replaced(Deno, {
    lstatSync: (path) => {
      if (path !== denied) return lstatSync(path);
      const message = `Permission denied (os error 13): lstat '${path}'`;
      throw Object.assign(new Error(message), { code });
    },
  });
}

withFolder.test("a record that may not be read is an error that says so, and does not stop another record of its day", async (out) => {
  const dir = await made(out);
  const other = await folderRecord({ out }, OPTIONS).open(startOf());
  using _ = deny(join(dir, "metadata.md"));
  await assert.rejects(openConvening(dir), {
    code: "record_corrupt",
    message: `Cannot read ${join(dir, "metadata.md")}: Permission denied`,
    hint: /permissions/,
  });
  await other.close();
  const day = await Deno.readTextFile(join(dir, "../index.md"));
  assert.match(day, /_debate\/index\.md\) \| \| unreadable/);
});

withFolder.test("a record is not corrupt where the process has too many open files", async (out) => {
  const dir = await made(out);
  using _ = deny(join(dir, "metadata.md"), "EMFILE");
  await assert.rejects(openConvening(dir), { name: "FileError", problem: "other" });
});

withFolder.test("a name that is too long for a file system is missing", async (out) => {
  const dir = join(out, "a".repeat(300));
  await assert.rejects(openConvening(dir), { code: "not_found" });
  assert.deepEqual(await listConvenings(dir), []);
});

withFolder.test("a new record checks no entries while it holds its lock, and rejects a link in it afterwards", async (folder) => {
  const out = join(folder, "archive");
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  const events = new Events(record);
  await events.fact(messageOf(1));
  {
    const lstatSync = () => assert.fail("an entry is checked");
    using _ = replaced(Deno, { lstatSync });
    for (let seq = 2; seq <= 20; seq++) await events.fact(messageOf(seq));
  }
  const files = filesBelow(out);
  assert.equal(await problemOf(files.append(`${record.dir}/../../../x`, "")), "denied");
  assert.equal(await problemOf(files.append(`${record.dir}/messages/../../../../x`, "")), "denied");
  await record.close();
  const messages = join(record.dir!, "messages");
  await Deno.rename(messages, join(folder, "messages"));
  await Deno.symlink(join(folder, "messages"), messages);
  const link = {
    code: "record_corrupt",
    message: `Cannot read ${messages}: it is a symbolic link`,
  };
  await assert.rejects(files.write(join(messages, "x.md"), "x"), link);
  await assert.rejects(files.append(join(messages, "x.md"), "x"), link);
  await assert.rejects(folderRecord({ dir: record.dir! }).open(startOf()), link);
});

/** Makes `Deno.rename` deny, as Windows does, a folder with an open file and a rename onto a folder. */
function renameAsOnWindows(): Disposable {
  const { rename } = Deno;
  return replaced(Deno, {
    async rename(from, to) {
      const isHeld = await userFiles.isLocked(join(`${from}`, ".lock"));
      if (isHeld || (await userFiles.stat(`${to}`))?.isFolder === true) {
        throw Object.assign(new Deno.errors.PermissionDenied("os error 5"), { code: "EPERM" });
      }
      await rename(from, to);
    },
  });
}

/** Returns the move of a record to the trash of its archive. */
function toTrash(out: string, from: string) {
  return { out, from, to: from.replace(out, join(out, "trash")) };
}

withFolder.test("records are made and moved where a folder with an open file cannot be renamed, as on Windows", async (out) => {
  using _ = renameAsOnWindows();
  const records = [
    await folderRecord({ out }, OPTIONS).open(startOf()),
    await folderRecord({ out }, OPTIONS).open(startOf()),
  ];
  assert.equal(records[1]!.dir, `${records[0]!.dir}-2`);
  for (const record of records) {
    const move = toTrash(out, record.dir!);
    await assert.rejects(moveRecord(filesBelow(out), move), { code: "locked" });
    await record.close();
    await moveRecord(filesBelow(out), move);
    assert.equal(await userFiles.isLocked(join(move.to, ".lock")), false);
  }
  assert.deepEqual(await listConvenings(out), []);
});

withFolder.test("a move of a record in a lower layer of an overlay is an error that says so", async (out) => {
  const dir = await made(out);
  const error = Object.assign(new Error("Invalid cross-device link"), { code: "EXDEV" });
  using _ = replaced(Deno, { rename: () => Promise.reject(error) });
  await assert.rejects(moveRecord(filesBelow(out), toTrash(out, dir)), {
    code: "record_unwritable",
    message: /in a lower layer of an overlay/,
    hint: /a copy of it on this disk, then try again/,
  });
});

/** Calls `use` with a locked folder, a path to rename the folder to, and renames as on Windows. */
function withLockedFolder(
  use: (given: { out: string; files: FileSystem; from: string; to: string }) => Promise<void>,
): Promise<void> {
  return withFolder(async (out) => {
    const [from, to] = [join(out, "a"), join(out, "b")];
    const files = filesBelow(out);
    await files.makeFolder(from);
    const { lock } = await files.lock(join(from, ".lock"));
    await lock!.describe("held");
    using _ = renameAsOnWindows();
    await use({ out, files, from, to }).finally(() => lock!.release());
  });
}

withLockedFolder.test = testsWith(withLockedFolder);

withLockedFolder.test("a rename on Windows fails if another process takes the lock meanwhile", async ({ out, files, from, to }) => {
  const { rename } = Deno;
  let other: FileLock | undefined;
  using _ = replaced(Deno, {
    async rename(...paths) {
      await rename(...paths);
      other = (await new DenoFileSystem(out).lock(join(to, ".lock"))).lock;
    },
  });
  await assert.rejects(files.rename(from, to), /another process locked it/)
    .finally(() => other?.release());
});

withLockedFolder.test("a rename on Windows keeps the lock although a closed file is locked for a time", async ({ files, from, to }) => {
  const closed: Deno.FsFile[] = [];
  {
    using _ = replaced(Deno.FsFile.prototype, {
      close() {
        closed.push(this as Deno.FsFile);
      },
    });
    await files.rename(from, to);
    assert.equal(await userFiles.isLocked(join(to, ".lock")), true);
  }
  closed.forEach((file) => file.close());
});

withFolder.test("a file that is removed while it is being read is missing", async (dir) => {
  class Moving extends DenoFileSystem {
    override async stat(path: string) {
      const info = await super.stat(path);
      await Deno.remove(path);
      return info;
    }
  }
  const path = join(dir, "metadata.md");
  await Deno.writeTextFile(path, "x");
  assert.equal((await new Moving(dir).readFrom(path, 0, 10)).size, 0);
  await Deno.writeTextFile(path, "x");
  const read = readMetadata(new Moving(dir), dir);
  // Either the file is read, which is no front matter, or the convening is gone.
  await assert.rejects(read, (error) => error instanceof RecordError);
});

withFolder.test("a held lock is held also where its file cannot be read, as on Windows", async (dir) => {
  class Unreadable extends DenoFileSystem {
    override readFrom(path: string): Promise<never> {
      return Promise.reject(new FileError("other", path));
    }
  }
  const files = new Unreadable(dir);
  const { lock } = await files.lock(join(dir, ".lock"));
  await lock!.describe("pid: 1\n");
  assert.deepEqual(await files.lock(join(dir, ".lock")), { holder: "" });
  await lock!.release();
});

withFolder.test("folderRecord() writes into a folder whose name has a backslash", async (folder) => {
  const out = join(folder, "a\\b");
  const dir = await made(out);
  assert.deepEqual((await listConvenings(out)).map((row) => row.dir), [dir]);
});

withFolder.test("folderRecord() rejects a second process with the first one's pid", async (out) => {
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  await assert.rejects(folderRecord({ dir: record.dir! }, OPTIONS).open(startOf()), {
    code: "locked",
    message: new RegExp(`process ${Deno.pid} on `),
    hint: /pause its run/,
  });
  await record.close();
});

withFolder.test("folderRecord() opens a record that others only read, and a held one is reported as held", async (out) => {
  const first = await folderRecord({ out }, OPTIONS).open(startOf());
  const dir = first.dir!;
  const lock = join(dir, ".lock");
  assert.equal(await userFiles.isLocked(lock), true);
  assert.deepEqual((await listConvenings(out)).map(({ status }) => status), ["running"]);
  await first.close();
  assert.equal(await userFiles.isLocked(lock), false);
  assert.equal(await userFiles.isLocked(join(out, "none")), false);
  const asker = await Deno.open(lock);
  await asker.lock(false);
  const opening = folderRecord({ dir }, OPTIONS).open(startOf());
  asker.close();
  await (await opening).close();
  let isOver = false;
  const asking = Array.from({ length: 4 }, async () => {
    while (!isOver) await listConvenings(out);
  });
  for (let time = 0; time < 8; time++) {
    await (await folderRecord({ dir }, OPTIONS).open(startOf())).close();
  }
  isOver = true;
  await Promise.all(asking);
});

withFolder.test("a released lock is free although other threads start processes", async (out) => {
  const lock = join(out, ".lock");
  const starting = new URL("./support/starting_worker.ts", import.meta.url);
  const workers = Array.from({ length: 2 }, () => new Worker(starting, { type: "module" }));
  // Each says that it has started a process.
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.onmessage = resolve)));
  for (let time = 0; time < 500; time++) {
    const attempt = await userFiles.lock(lock);
    assert.ok("lock" in attempt);
    await attempt.lock?.release();
    assert.equal(await userFiles.isLocked(lock), false);
  }
  for (const worker of workers) worker.terminate();
});

withFolder.test("folderRecord() gives the system's reason, and the path once", async (folder) => {
  const out = join(folder, "a".repeat(300));
  await assert.rejects(folderRecord({ out }, OPTIONS).open(startOf()), {
    code: "record_unwritable",
    message: `Cannot use ${out}: the system reports an error (File name too long)`,
  });
});

withFolder.test("folderRecord() names an archive that is a file", async (folder) => {
  const file = join(folder, "file");
  await Deno.writeTextFile(file, "");
  await assert.rejects(folderRecord({ out: file }, OPTIONS).open(startOf()), {
    code: "record_unwritable",
    message: new RegExp(`Cannot write ${file}: .*is a file`),
  });
});
