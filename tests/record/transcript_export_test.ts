// Export of transcripts into a record.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { TranscriptFormat } from "../../src/config/convening_config.ts";
import { readRecord } from "../../src/record/read.ts";
import { renderTranscript, TRANSCRIPTS } from "../../src/record/transcript.tsx";
import { exportTranscript } from "../../src/record/verify.ts";
import { Sample } from "./support/verify_record.ts";

const FORMATS = Object.keys(TRANSCRIPTS) as TranscriptFormat[];

describe("exportTranscript()", () => {
  it("writes each format, which the index lists, and changes nothing else", async () => {
    const sample = await Sample.make();
    const { files, dir } = sample;
    const before = files.files(dir);
    for (const format of FORMATS) {
      assert.equal(await exportTranscript(files, dir, format), `${dir}/transcript.${format}`);
    }
    const contents = await readRecord(files, dir);
    const index = await sample.read("index.md");
    for (const format of FORMATS) {
      const expected = await renderTranscript(format, contents);
      assert.equal(await sample.read(`transcript.${format}`), expected);
      assert.ok(index.includes(`(transcript.${format})`), format);
    }
    for (const [path, text] of files.files(dir)) {
      if (/^(transcript|index\.md|\.lock)/.test(path)) continue;
      assert.equal(text, before.get(path), path);
    }
    assert.deepEqual(await sample.findings(), []);
  });

  it("can be repeated, also after an interrupted run", async () => {
    const sample = await Sample.make({ ending: null });
    for (let i = 0; i < 2; i++) {
      await exportTranscript(sample.files, sample.dir, "md");
    }
    const text = await sample.read("transcript.md");
    assert.match(text, /Not finished/);
    assert.deepEqual(await sample.findings(), []);
  });

  it("rejects a damaged record and one that another process holds", async () => {
    const sample = await Sample.make();
    const { files, dir } = sample;
    const held = await files.lock(`${dir}/.lock`);
    await assert.rejects(exportTranscript(files, dir, "md"), { code: "locked" });
    await held.lock?.release();
    await sample.edit("messages/002", /something\.$/, "else.");
    await assert.rejects(exportTranscript(files, dir, "md"), { code: "record_corrupt" });
    assert.equal(await files.stat(`${dir}/transcript.md`), undefined);
  });
});
