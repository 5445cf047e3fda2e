// Records on disk: atomic files, locks, links, exclusive files.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { ensureDir, exists, walk } from "@std/fs";
import { FileError, type FileLock, type FileSystem } from "../../src/core/files.ts";
import { listConvenings, openConvening } from "../../mod.ts";
import { RecordError } from "../../src/core/error.ts";
import { readMetadata } from "../../src/record/read.ts";
import { moveRecord } from "../../src/record/claim.ts";
import { DenoFileSystem, filesBelow, userFiles } from "../../src/record/disk_files.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { folderRecord } from "../../src/record/directory_record.ts";
import { endingOf, Events, messageOf, startOf } from "./support/fixtures.ts";
import { testsWith } from "../support/tests_with.ts";

const OPTIONS = { refreshDelay: 60_000 };

async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof FileError, String(error));
    return error.problem;
  }
  return undefined;
}

Deno.test("DenoFileSystem reports why an operation fails", async () => {
  const dir: string = await Deno.makeTempDir();
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
  await Deno.remove(dir, { recursive: true });
});

/** Flushes a folder on a file system whose flush fails with a code. */
function flushFailing(dir: string, code: string): Promise<void> {
  const open = Deno.openSync;
  Deno.openSync = (path) => {
    const folder = open(path);
    folder.sync = () => Promise.reject(Object.assign(new Error(code), { code }));
    return folder;
  };
  return filesBelow(dir).flushFolder(dir).finally(() => Deno.openSync = open);
}

Deno.test("a file system without a flush for folders is no error; a failed flush is", async () => {
  const dir: string = await Deno.makeTempDir();
  assert.equal(await problemOf(flushFailing(dir, "EINVAL")), undefined);
  assert.equal(await problemOf(flushFailing(dir, "EIO")), "other");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("stat() returns the size of a file on disk and in memory", async () => {
  const dir: string = await Deno.makeTempDir();
  for (const files of [filesBelow(dir), new MemoryFileSystem()]) {
    await files.makeFolder(dir);
    await files.write(join(dir, "file"), "“é”");
    assert.equal((await files.stat(join(dir, "file")))?.size, 8);
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("folderRecord() leaves only whole files, in a day of its archive, and no open file handle", async () => {
  const out: string = await Deno.makeTempDir();
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  assert.equal(record.dir, join(out, "2026-11-21", "2026-11-21T20-33-05_debate"));
  const events = new Events(record);
  await events.fact(messageOf(1));
  await events.apply({ type: "convening-end", ending: endingOf() });
  await record.close();
  const names: string[] = [];
  for await (const { name } of walk(out, { includeDirs: false })) names.push(name);
  assert.deepEqual(names.filter((name) => name.includes(".tmp")), []);
  assert.ok(await exists(join(out, "index.md"), { isFile: true }));
  assert.ok(await exists(join(out, "2026-11-21", "index.md"), { isFile: true }));
  await Deno.remove(out, { recursive: true });
});

Deno.test("folderRecord() with exclusive files fails as locked when another process has written a fact", async () => {
  const out: string = await Deno.makeTempDir();
  const store = { ...OPTIONS, exclusive: true };
  const first = await folderRecord({ out }, store).open(startOf());
  await new Events(first).fact(messageOf(1));
  await first.close();
  const record = await folderRecord({ out }, store).open(startOf());
  const messages = join(record.dir!, "messages");
  const [{ name }] = await Array.fromAsync(Deno.readDir(join(first.dir!, "messages"))) as [
    Deno.DirEntry,
  ];
  await ensureDir(messages);
  await Deno.writeTextFile(join(messages, name), "of another process");
  const work = new Events(record).fact(messageOf(1));
  await assert.rejects(work, { code: "locked", field: record.dir! });
  await record.close();
  assert.equal(await Deno.readTextFile(join(messages, name)), "of another process");
  assert.equal((await Array.fromAsync(Deno.readDir(messages))).length, 1);
  await Deno.remove(out, { recursive: true });
});

Deno.test("folderRecord() with exclusive files writes the same record as without", async () => {
  const outs: string[] = [];
  for (const exclusive of [true, false]) {
    const out: string = await Deno.makeTempDir();
    outs.push(out);
    const record = await folderRecord({ out }, { ...OPTIONS, exclusive }).open(startOf());
    const events = new Events(record);
    await events.fact(messageOf(1));
    await events.apply({ type: "convening-end", ending: endingOf() });
    await record.close();
  }
  const names = async (out: string) =>
    (await Array.fromAsync(walk(out, { includeDirs: false }), ({ path }) => path.slice(out.length)))
      .toSorted();
  assert.deepEqual(await names(outs[0]!), await names(outs[1]!));
  for (const out of outs) await Deno.remove(out, { recursive: true });
});

/** Lets `lstat` fail on paths, as for another user's files; returns a function that ends this. */
function deny(isDenied: (path: string) => boolean, code = "EACCES"): () => void {
  const look = Deno.lstatSync;
  Deno.lstatSync = (path) => {
    if (!isDenied(String(path))) return look(path);
    const message = `Permission denied (os error 13): lstat '${path}'`;
    throw Object.assign(new Error(message), { code });
  };
  return () => Deno.lstatSync = look;
}

Deno.test("a record that may not be read is an error that says so, and does not stop another record of its day", async () => {
  const out: string = await Deno.makeTempDir();
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  await record.close();
  const dir = record.dir!;
  const other = await folderRecord({ out }, OPTIONS).open(startOf());
  const allow = deny((path) => path === join(dir, "metadata.md"));
  try {
    await assert.rejects(openConvening(dir), {
      code: "record_corrupt",
      message: `Cannot read ${join(dir, "metadata.md")}: Permission denied`,
      hint: /permissions/,
    });
    await other.close();
  } finally {
    allow();
  }
  assert.match(
    await Deno.readTextFile(join(dir, "../index.md")),
    /_debate\/index\.md\) \| \| unreadable/,
  );
  await Deno.remove(out, { recursive: true });
});

Deno.test("a record is not corrupt where the process has too many open files", async () => {
  const out: string = await Deno.makeTempDir();
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  await record.close();
  const allow = deny((path) => path === join(record.dir!, "metadata.md"), "EMFILE");
  try {
    await assert.rejects(openConvening(record.dir!), { name: "FileError", problem: "other" });
  } finally {
    allow();
  }
  await Deno.remove(out, { recursive: true });
});

Deno.test("a name that is too long for a file system is missing", async () => {
  const out: string = await Deno.makeTempDir();
  const dir = join(out, "a".repeat(300));
  await assert.rejects(openConvening(dir), { code: "not_found" });
  assert.deepEqual(await listConvenings(dir), []);
  await Deno.remove(out, { recursive: true });
});

/** Counts calls of `lstat` until the count is read. */
function countLooks(): () => number {
  const look = Deno.lstatSync;
  let count = 0;
  Deno.lstatSync = (path) => {
    count++;
    return look(path);
  };
  return () => {
    Deno.lstatSync = look;
    return count;
  };
}

Deno.test("a new record checks no entries while it holds its lock, and rejects a link in it afterwards", async () => {
  const out: string = await Deno.makeTempDir();
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  const events = new Events(record);
  await events.fact(messageOf(1));
  const looks = countLooks();
  for (let seq = 2; seq <= 20; seq++) await events.fact(messageOf(seq));
  assert.equal(looks(), 0);
  const files = filesBelow(out);
  assert.equal(await problemOf(files.append(`${record.dir}/../../../x`, "")), "denied");
  assert.equal(await problemOf(files.append(`${record.dir}/messages/../../../../x`, "")), "denied");
  await record.close();
  const messages = join(record.dir!, "messages");
  const outside: string = await Deno.makeTempDir();
  await Deno.rename(messages, join(outside, "messages"));
  await Deno.symlink(join(outside, "messages"), messages);
  const link = {
    code: "record_corrupt",
    message: `Cannot read ${messages}: it is a symbolic link`,
  };
  await assert.rejects(files.write(join(messages, "x.md"), "x"), link);
  await assert.rejects(files.append(join(messages, "x.md"), "x"), link);
  await assert.rejects(folderRecord({ dir: record.dir! }).open(startOf()), link);
  await Deno.remove(out, { recursive: true });
  await Deno.remove(outside, { recursive: true });
});

/** Makes `Deno.rename` deny, as Windows does, a folder with an open file and a rename onto a folder; returns the undoing. */
function renameAsOnWindows(): () => void {
  const { rename } = Deno;
  Deno.rename = async (from, to) => {
    const isHeld = await userFiles.isLocked(join(`${from}`, ".lock"));
    if (isHeld || (await userFiles.stat(`${to}`))?.isFolder === true) {
      throw Object.assign(new Deno.errors.PermissionDenied("os error 5"), { code: "EPERM" });
    }
    await rename(from, to);
  };
  return () => void (Deno.rename = rename);
}

Deno.test("records are made and moved where a folder with an open file cannot be renamed, as on Windows", async () => {
  const out: string = await Deno.makeTempDir();
  const restore = renameAsOnWindows();
  try {
    const records = [
      await folderRecord({ out }, OPTIONS).open(startOf()),
      await folderRecord({ out }, OPTIONS).open(startOf()),
    ];
    assert.equal(records[1]!.dir, `${records[0]!.dir}-2`);
    for (const record of records) {
      const move = { out, from: record.dir!, to: record.dir!.replace(out, join(out, "trash")) };
      await assert.rejects(moveRecord(filesBelow(out), move), { code: "locked" });
      await record.close();
      await moveRecord(filesBelow(out), move);
      assert.equal(await userFiles.isLocked(join(move.to, ".lock")), false);
    }
    assert.deepEqual(await listConvenings(out), []);
  } finally {
    restore();
  }
  await Deno.remove(out, { recursive: true });
});

Deno.test("a move of a record in a lower layer of an overlay is an error that says so", async () => {
  const out: string = await Deno.makeTempDir();
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  await record.close();
  const { rename } = Deno;
  Deno.rename = () =>
    Promise.reject(Object.assign(new Error("Invalid cross-device link"), { code: "EXDEV" }));
  try {
    const move = { out, from: record.dir!, to: record.dir!.replace(out, join(out, "trash")) };
    await assert.rejects(moveRecord(filesBelow(out), move), {
      code: "record_unwritable",
      message: /in a lower layer of an overlay/,
      hint: /a copy of it on this disk, then try again/,
    });
  } finally {
    Deno.rename = rename;
  }
  await Deno.remove(out, { recursive: true });
});

/** Calls `use` with a locked folder, a path to rename the folder to, and renames as on Windows. */
async function withLockedFolder(
  use: (given: { out: string; files: FileSystem; from: string; to: string }) => Promise<void>,
): Promise<void> {
  const out: string = await Deno.makeTempDir();
  const [from, to] = [join(out, "a"), join(out, "b")];
  const files = filesBelow(out);
  await files.makeFolder(from);
  const { lock } = await files.lock(join(from, ".lock"));
  await lock!.describe("held");
  const restore = renameAsOnWindows();
  try {
    await use({ out, files, from, to });
  } finally {
    restore();
    await lock!.release();
  }
  await Deno.remove(out, { recursive: true });
}

withLockedFolder.test = testsWith(withLockedFolder);

withLockedFolder.test("a rename on Windows fails if another process takes the lock meanwhile", async ({ out, files, from, to }) => {
  const { rename } = Deno;
  let other: FileLock | undefined;
  Deno.rename = async (...paths) => {
    await rename(...paths);
    other = (await new DenoFileSystem(out).lock(join(to, ".lock"))).lock;
  };
  try {
    await assert.rejects(files.rename(from, to), /another process locked it/);
  } finally {
    await other?.release();
  }
});

withLockedFolder.test("a rename on Windows keeps the lock although a closed file is locked for a time", async ({ files, from, to }) => {
  const { close } = Deno.FsFile.prototype;
  const closed: Deno.FsFile[] = [];
  Deno.FsFile.prototype.close = function () {
    closed.push(this);
  };
  try {
    await files.rename(from, to);
    assert.equal(await userFiles.isLocked(join(to, ".lock")), true);
  } finally {
    Deno.FsFile.prototype.close = close;
    closed.forEach((file) => file.close());
  }
});

Deno.test("a file that is removed while it is being read is missing", async () => {
  const dir: string = await Deno.makeTempDir();
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
  await Deno.remove(dir, { recursive: true });
});

Deno.test("a held lock is held also where its file cannot be read, as on Windows", async () => {
  const dir: string = await Deno.makeTempDir();
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
  await Deno.remove(dir, { recursive: true });
});

Deno.test("folderRecord() writes into a folder whose name has a backslash", async () => {
  const out = join(await Deno.makeTempDir(), "a\\b");
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  await record.close();
  assert.deepEqual((await listConvenings(out)).map(({ dir }) => dir), [record.dir]);
  await Deno.remove(join(out, ".."), { recursive: true });
});

Deno.test("folderRecord() rejects a second process with the first one's pid", async () => {
  const out: string = await Deno.makeTempDir();
  const record = await folderRecord({ out }, OPTIONS).open(startOf());
  await assert.rejects(
    folderRecord({ dir: record.dir! }, OPTIONS).open(startOf()),
    { code: "locked", message: new RegExp(`process ${Deno.pid} on `) },
  );
  await record.close();
  await Deno.remove(out, { recursive: true });
});

Deno.test("folderRecord() opens a record that others only read, and a held one is reported as held", async () => {
  const out: string = await Deno.makeTempDir();
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
  await Deno.remove(out, { recursive: true });
});

Deno.test("a released lock is free although other threads start processes", async () => {
  const out: string = await Deno.makeTempDir();
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
  await Deno.remove(out, { recursive: true });
});

Deno.test("folderRecord() names an archive that is a file", async () => {
  const file: string = await Deno.makeTempFile();
  await assert.rejects(folderRecord({ out: file }, OPTIONS).open(startOf()), {
    code: "record_unwritable",
    message: new RegExp(`Cannot write ${file}: .*is a file`),
  });
  await Deno.remove(file);
});
