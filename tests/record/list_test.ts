// Lists of an archive and look-up of a message by number.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { describe, it } from "@std/testing/bdd";
import { renderMetadata } from "../../src/record/derived_files.ts";
import type { Progress } from "../../src/record/metadata_file.ts";
import { RecordModel } from "../../src/record/record_model.ts";
import { renderFact } from "../../src/record/codec.ts";
import { readMessageFile } from "../../src/record/fact_files.ts";
import { listConvenings } from "../../src/record/list.ts";
import { filesBelow } from "../../src/record/disk_files.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { keepRecord, rest } from "../operations/support/kept_record.ts";
import { withFolder } from "../support/cli.ts";
import { messageOf } from "./support/fixtures.ts";
import { message, START } from "./support/transcript_record.ts";

const DAY = "/out/2026-11-21";

async function put(
  files: MemoryFileSystem,
  name: string,
  startedAt: string,
  status: Progress["status"] = "completed",
): Promise<string> {
  const dir = `/out/${name.slice(0, 10)}/${name}`;
  await files.makeFolder(`${dir}/messages`);
  await files.write(
    `${dir}/metadata.md`,
    renderMetadata(
      RecordModel.of({
        start: { ...START, startedAt },
        status,
        outcome: "decided",
        winner: "ada",
        facts: [],
      }),
    ),
  );
  for (const seq of [1, 2]) {
    const fact = message({ seq });
    const naming = { width: 3, layout: 2 as const, messageName: () => "001_x_00000000.md" };
    await files.write(
      `${dir}/messages/00${seq}_position_advocate_87654321.md`,
      renderFact(fact, naming),
    );
  }
  return dir;
}

describe("listConvenings()", () => {
  it("lists the newest first, across days and within a second", async () => {
    const files = new MemoryFileSystem();
    const at = "2026-11-21T20:33:05.000Z";
    await put(files, "2026-11-21T20-33-05_debate", at);
    await put(files, "2026-11-21T20-33-05_debate-10", at);
    await put(files, "2026-11-21T20-33-05_debate-2", at);
    await put(files, "2026-11-22T00-00-01_dialogue", "2026-11-22T00:00:01.000Z");
    const rows = await listConvenings(files, "/out");
    assert.deepEqual(rows.map(({ dir }) => dir.slice(16)), [
      "2026-11-22T00-00-01_dialogue",
      "2026-11-21T20-33-05_debate-10",
      "2026-11-21T20-33-05_debate-2",
      "2026-11-21T20-33-05_debate",
    ]);
    assert.deepEqual(rows[3], {
      dir: `${DAY}/2026-11-21T20-33-05_debate`,
      status: "completed",
      startedAt: at,
      messages: 2,
      kind: "debate",
      topic: START.topic,
      outcome: "decided",
      winner: "ada",
      winnerName: "Ada",
      costUsd: 0,
      models: ["template", "test-model"],
    });
  });

  it("lists damaged records as unreadable, with the reason", async () => {
    const files = new MemoryFileSystem();
    const at = "2026-11-21T20:33:05.000Z";
    const damaged = await put(files, "2026-11-21T20-33-05_debate", at);
    await files.write(`${damaged}/metadata.md`, "---\nkind: [\n---\n");
    await files.makeFolder(`${DAY}/2026-11-21T20-33-07_debate`);
    await files.makeFolder(`${DAY}/.claim`);
    await files.makeFolder("/out/notes/2026-11-21T20-33-07_debate");
    const rows = await listConvenings(files, "/out");
    assert.deepEqual(rows.map(({ status }) => status), ["unreadable", "unreadable"]);
    assert.match(rows[0]?.problem ?? "", /no convening/);
    assert.match(rows[1]?.problem ?? "", /metadata\.md, line/);
    assert.equal(rows[1]?.startedAt, at);
  });

  it("returns nothing for a missing archive", async () => {
    assert.deepEqual(await listConvenings(new MemoryFileSystem(), "/none"), []);
  });
});

describe("readMessageFile()", () => {
  it("finds a message by number without reading the others", async () => {
    const files = new MemoryFileSystem();
    const dir = await put(files, "2026-11-21T20-33-05_debate", START.startedAt);
    await files.write(`${dir}/messages/001_position_advocate_87654321.md`, "damaged");
    const found = await readMessageFile(files, dir, 2);
    assert.equal(found.path, "messages/002_position_advocate_87654321.md");
    assert.equal(found.message.body, "Message 2 says something.");
    assert.ok(found.text.startsWith("---\n"));
    await assert.rejects(readMessageFile(files, dir, 1), { code: "record_corrupt" });
  });

  it("lists the existing numbers when a message is missing", async () => {
    const files = new MemoryFileSystem();
    const dir = await put(files, "2026-11-21T20-33-05_debate", START.startedAt);
    for (const seq of [0, 3, -1, 1.5, NaN]) {
      await assert.rejects(readMessageFile(files, dir, seq), {
        code: "not_found",
        message: `Cannot show message ${seq} of ${dir}: it has messages 1 to 2`,
      });
    }
    await assert.rejects(readMessageFile(files, "/nowhere", 1), /no convening is there/);
  });
});

withFolder.test("listConvenings() sees other processes' changes in an archive that was idle", async (out) => {
  const dir = await keepRecord(out, [messageOf(1)]);
  const row = async () => (await listConvenings(filesBelow(out), out))[0];
  assert.deepEqual([(await row())?.messages, (await row())?.status], [1, "completed"]);
  const metadata = join(dir, "metadata.md");
  const text = await Deno.readTextFile(metadata);
  await Deno.writeTextFile(metadata, text.replace("status: completed", 'status: "stopped"'));
  assert.equal((await row())?.status, "stopped");
  await rest(dir);
  assert.equal((await row())?.status, "stopped");
  await Deno.writeTextFile(metadata, "");
  assert.equal((await row())?.status, "unreadable");
  await Deno.writeTextFile(metadata, text);
  assert.equal((await row())?.status, "completed");
  await rest(dir);
  await row();
  await Deno.remove(join(dir, "messages"), { recursive: true });
  assert.equal((await row())?.messages, 0);
  await Deno.remove(dir, { recursive: true });
  assert.equal(await row(), undefined);
});
