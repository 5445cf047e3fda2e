import assert from "node:assert/strict";
import { join } from "@std/path";
import { ConfigurationError } from "../../src/core/error.ts";
import { readSources } from "../../src/inputs/inputs.ts";
import { writePdf } from "../support/pdf_writer.ts";

const SENTENCE = "Nurses who slept at least seven hours made a third fewer errors than the others.";

async function inFolder(check: (path: (name: string) => string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await check((name) => join(folder, name));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readSources() reads a PDF as text, under a name of text, and text as it stands", async () => {
  await inFolder(async (path) => {
    const pages = [["# Sleep and care", SENTENCE], [`${SENTENCE} Again.`]];
    await Deno.writeFile(path("sleep.pdf"), writePdf({ pages }));
    await Deno.writeTextFile(path("notes.md"), "# Notes\r\n\nText.  ");
    assert.deepEqual(await readSources([path("sleep.pdf"), path("notes.md")]), [
      { name: "sleep.pdf.md", text: `Sleep and care\n\n${SENTENCE}\n\n${SENTENCE} Again.` },
      { name: "notes.md", text: "# Notes\r\n\nText.  " },
    ]);
  });
});

Deno.test("readSources() refuses a PDF that has no text for it, and names it", async () => {
  await inFolder(async (path) => {
    const cases: readonly (readonly [name: string, content: Uint8Array, says: RegExp])[] = [
      ["scan.pdf", writePdf({ pages: [[], []] }), /there is no text on its 2 pages/],
      ["half.pdf", writePdf({ pages: [[SENTENCE]] }).slice(0, 200), /it is damaged/],
      ["secret.pdf", writePdf({ pages: [[SENTENCE]], password: "x" }), /it is encrypted/],
    ];
    for (const [name, content, says] of cases) {
      await Deno.writeFile(path(name), content);
      await assert.rejects(readSources([path(name)]), (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.equal(error.field, "sources");
        assert.ok(error.message.startsWith(`Cannot use source "${path(name)}": `));
        assert.match(error.message, says);
        assert.notEqual(error.hint, undefined);
        return true;
      });
    }
  });
});
