// Untrusted records and archives: only plain files and folders in them are opened.
import { dirname, join } from "@std/path";
import {
  exportConvening,
  folderRecord,
  fork,
  judge,
  listConvenings,
  openConvening,
  rebuildIndex,
  resume,
  showMessage,
  verify,
} from "../../mod.ts";
import { archivedFile, messagePage, showIndex } from "../../src/operations/reading_convenings.ts";
import { askConvening } from "../../src/operations/search.ts";
import { interject } from "../../src/operations/attending.ts";
import { conveningDir } from "../../src/operations/client_view.ts";
import { loggedEvents } from "../../src/operations/watching.ts";
import { readPage } from "../../src/mcp/reading.ts";
import { searchArchive } from "../../src/record/search.ts";
import { held, TALK, withTalkers } from "../server/support/talking_app.ts";
import { loadedOnce } from "../../src/core/values.ts";
import { withFolder } from "../support/cli.ts";
import { startOf } from "./support/fixtures.ts";
import assert from "node:assert/strict";
import { testsWith } from "../support/tests_with.ts";

/** Kinds of folder entries that are neither file nor folder. */
const SPECIAL = ["symbolic link", "FIFO", "socket"] as const;

/** Replaces the entry at a path by a special one. */
type PutSpecial = (kind: (typeof SPECIAL)[number], path: string) => Promise<void>;

/** Makes a FIFO and a socket, in the folder that ends with the run of all tests. */
async function makeSpecial(): Promise<Readonly<Record<"FIFO" | "socket", string>>> {
  const folder = await Deno.makeTempDir();
  const made = { FIFO: join(folder, "fifo"), socket: join(folder, "socket") };
  const code = `new Deno.Command("mkfifo", { args: [${JSON.stringify(made.FIFO)}] }).outputSync();
    Deno.listen({ transport: "unix", path: ${JSON.stringify(`${made.socket}.0`)} });
    Deno.linkSync(${JSON.stringify(`${made.socket}.0`)}, ${JSON.stringify(made.socket)});
    Deno.exit();`;
  const { success, stderr } = await new Deno.Command("deno", { args: ["eval", code] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return made;
}

const SPECIAL_FILES = loadedOnce(makeSpecial);

/** Returns a function that puts the same FIFO or socket at any path, or a link to `target`. */
function specialFiles(target: string): PutSpecial {
  return async (kind, path) => {
    await Deno.remove(path, { recursive: true }).catch(() => {});
    if (kind === "symbolic link") await Deno.symlink(target, path);
    else await Deno.link((await SPECIAL_FILES())[kind], path);
  };
}

const CANARY = "what lies outside of the archive";

/** A resumable convening, its archive, and a folder outside. */
interface Stage {
  readonly out: string;
  readonly id: string;
  readonly dir: string;
  readonly put: PutSpecial;
  readonly get: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Returns all paths and contents outside the archive, which must not change. */
  readonly seen: () => Promise<readonly string[]>;
}

async function withStage(use: (stage: Stage) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const outside = join(folder, "outside");
    await Deno.mkdir(join(outside, ".work.tmp", "deep"), { recursive: true });
    await Deno.writeTextFile(join(outside, ".work.tmp", "deep", "file"), CANARY);
    await Deno.writeTextFile(join(outside, "file"), CANARY);
    const put = specialFiles(outside);
    await withTalkers(async (app) => {
      const sources = [{ name: "notes.md", text: "Some notes." }];
      const id = await held(app, { ...TALK, sources, limits: { maxTurns: 2 } });
      const seen = () => treeOf(outside);
      await use({ out: app.out, id, dir: app.pool.run(id)!.dir, put, get: app.get, seen });
    });
  });
}

withStage.test = testsWith(withStage);

/** Returns the folders and the files with their contents below a folder. */
async function treeOf(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    found.push(isDirectory ? path : `${path}: ${await Deno.readTextFile(path)}`);
    if (isDirectory) found.push(...await treeOf(path));
  }
  return found.sort();
}

/** Every operation on a record; each rejects a record with an entry that is neither file nor folder. */
const DOORS: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  open: ({ dir }) => openConvening(dir),
  resume: ({ dir }) => resume(dir),
  judge: ({ dir }) => judge(dir),
  export: ({ dir }) => exportConvening(dir, "md"),
  fork: ({ dir }) => fork(dir, { at: 2 }),
  index: ({ dir }) => rebuildIndex(dir),
  record: ({ dir }) => folderRecord({ dir }).open(startOf()),
  show: ({ dir }) => showIndex(dir),
  message: ({ dir }) => showMessage(dir, 1),
  ask: ({ dir }) => askConvening(dir, "buses"),
  interject: ({ dir }) => interject(dir, "What of the buses?"),
  id: ({ out, id }) => conveningDir(out, id),
};

const TOP = [
  "metadata.md",
  "index.md",
  "log.jsonl",
  "transcript.md",
  ".lock",
  ".inbox",
  ".answers",
  ".index.md.tmp",
  "messages",
  "sources",
  "pages",
];

for (const kind of SPECIAL) {
  withStage.test(`a ${kind} in a record is rejected by every operation, and nothing outside changes`, async (stage) => {
    const { dir, out, id, put, get, seen } = stage;
    const before = await seen();
    for (const part of TOP) {
      const path = join(dir, part);
      const saved = `${dir}.saved`;
      await Deno.rename(path, saved).catch(() => {});
      await put(kind, path);
      const message = `/${part}: it is a ${kind}`;
      const words = new RegExp(`${part.replaceAll(".", "\\.")}[:,] it is a ${kind}$`);
      const refused = { code: "record_corrupt", message: words };
      for (const [door, enter] of Object.entries(DOORS)) {
        await assert.rejects(enter(stage), refused, `${door}: ${part}`);
      }
      const [row] = await listConvenings(out);
      assert.equal(row?.status, "unreadable", part);
      assert.ok((await verify(dir)).findings.some((each) => each.path === part), part);
      for (const way of ["", "/messages", "/export"]) {
        const { status, body } = await get(`/api/convenings/${id}${way}`);
        assert.equal(status, 500, part);
        assert.ok(JSON.stringify(body).includes(message), `${way}: ${part}`);
      }
      await Deno.remove(path);
      await Deno.rename(saved, path).catch(() => {});
    }
    assert.deepEqual(await seen(), before);
    assert.deepEqual((await verify(dir)).findings, []);
  });

  withStage.test(`a ${kind} in a folder of a record is rejected by operations that read, write or remove it`, async (stage) => {
    const { dir, out, id, put, seen } = stage;
    const before = await seen();
    const [, second] = (await messagePage(dir)).messages;
    const files: Readonly<Record<string, readonly string[]>> = {
      [second!.file]: ["open", "resume", "export", "fork", "index", "record"],
      "sources/notes.md": ["open", "resume", "export", "fork", "index", "record"],
      ".answers/.x.json.tmp": ["export", "index", "record"],
      "messages/.x.md.tmp": ["export", "index", "record"],
      "pages/.001.md.tmp": ["export", "index", "record"],
    };
    for (const [file, doors] of Object.entries(files)) {
      const path = join(dir, file);
      const saved = `${dir}.saved`;
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.rename(path, saved).catch(() => {});
      await put(kind, path);
      for (const door of doors) {
        await assert.rejects(DOORS[door]!(stage), (error: Error & { code?: string }) => {
          assert.ok(error.message.includes(`${file}`), error.message);
          return error.code === "record_corrupt";
        }, `${door}: ${file}`);
      }
      assert.ok((await verify(dir)).findings.some((each) => each.path === file), file);
      await Deno.remove(path);
      await Deno.rename(saved, path).catch(() => {});
    }
    await put(kind, join(dir, second!.file));
    assert.deepEqual((await messagePage(dir)).skipped.map(({ path }) => path), [second!.file]);
    await assert.rejects(showMessage(dir, 2), { code: "record_corrupt" });
    const found = await askConvening(dir, "Speech for turn-2");
    assert.deepEqual(found.skipped.map(({ path }) => path), [second!.file]);
    assert.equal((await searchArchive(out, "Speech")).skipped.length, 1);
    const day = id.slice(0, 10);
    await assert.rejects(archivedFile(out, [day, id, second!.file]), { code: "not_found" });
    await assert.rejects(archivedFile(out, [day, id, ...second!.file.split("/")]), {
      code: "record_corrupt",
    });
    await Deno.remove(join(dir, "log.jsonl"));
    await put(kind, join(dir, "log.jsonl"));
    await assert.rejects(loggedEvents(dir).next(), { code: "record_corrupt" });
    await put(kind, join(dir, "summary.md"));
    await assert.rejects(readPage(dir, "summary.md"), { code: "record_corrupt" });
    assert.deepEqual(await seen(), before);
  });

  withStage.test(`an archive with a ${kind} among its lists is rejected, by a new record too`, async ({ dir, out, put, seen }) => {
    const before = await seen();
    const day = dirname(dir);
    const parts = [out, day].flatMap((folder) =>
      [".index.md.tmp", "index.md", "pages", ".lock"].map((name) => join(folder, name))
    );
    for (const part of [...parts, day]) {
      const saved = join(out, "saved");
      await Deno.rename(part, saved).catch(() => {});
      await put(kind, part);
      const start = startOf({ startedAt: `${day.slice(-10)}T01:02:03.000Z` });
      await assert.rejects(folderRecord({ out }).open(start), {
        code: "record_corrupt",
        message: `Cannot read ${part}: it is a ${kind}`,
      }, part);
      if (part === day) {
        const [row] = await listConvenings(out);
        assert.deepEqual([row?.dir, row?.status], [day, "unreadable"]);
      } else if (part.endsWith("index.md") || part === join(out, ".lock")) {
        await assert.rejects(rebuildIndex(dir), { code: "record_corrupt" }, part);
      }
      await Deno.remove(part);
      await Deno.rename(saved, part).catch(() => {});
    }
    await put(kind, `${dir}-2`);
    const rows = await listConvenings(out);
    assert.deepEqual(rows.map(({ status }) => status).sort(), ["stopped", "unreadable"]);
    assert.deepEqual(await seen(), before);
  });
}

withFolder.test("an archive's root and a record outside an archive may be links", async (folder) => {
  await Deno.mkdir(join(folder, "disk"));
  const out = join(folder, "archive");
  await Deno.symlink(join(folder, "disk"), out);
  const record = await folderRecord({ out }).open(startOf());
  await record.close();
  assert.equal((await listConvenings(out)).length, 1);
  await Deno.symlink(record.dir!, join(folder, "record"));
  assert.equal((await openConvening(join(folder, "record"))).messages.length, 0);
  await rebuildIndex(join(folder, "record"));
});

withFolder.test("a folder with a link and without a convening is no damaged record", async (folder) => {
  await Deno.symlink("/etc/hosts", join(folder, "link"));
  const acts = [openConvening, verify, showIndex, (dir: string) => showMessage(dir, 1)];
  for (const act of acts) {
    await assert.rejects(act(folder), { code: "not_found", message: /no convening is there/ });
  }
});

withStage.test("incomplete files of a dead process are removed from an archive's lists, and nowhere else", async ({ dir, out }) => {
  const half = [join(out, ".index.md.0b1c.tmp"), join(dirname(dir), ".index.md.tmp")];
  for (const path of half) await Deno.writeTextFile(path, "half");
  await Deno.mkdir(join(out, "pages"));
  await Deno.writeTextFile(join(out, "pages", ".001.md.x.tmp"), "half");
  await Deno.writeTextFile(join(out, "notes.tmp"), "mine");
  const copy = join(out, "..", "copy");
  await Deno.rename(out, copy);
  await rebuildIndex(join(copy, dir.slice(out.length)));
  const names = (await treeOf(copy)).map((each) => each.split(": ")[0]!);
  assert.deepEqual(names.filter((name) => name.endsWith(".tmp")), [join(copy, "notes.tmp")]);
});
