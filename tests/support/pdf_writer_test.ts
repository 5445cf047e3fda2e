// Tests of the PDF writer.
import assert from "node:assert/strict";
import { writePdf } from "./pdf_writer.ts";

Deno.test("writePdf() returns the same bytes for the same contents", () => {
  const contents = { title: "A", pages: [["# One", "Two (three) \\ four."]], password: "x" };
  assert.deepEqual(writePdf(contents), writePdf(contents));
  assert.notDeepEqual(writePdf(contents), writePdf({ ...contents, password: "y" }));
});

Deno.test("writePdf() throws for a character that the font does not have", () => {
  assert.throws(() => writePdf({ pages: [["漢"]] }), /Cannot write "漢" to a PDF/);
});

Deno.test("writePdf() writes the correct offset of every object", () => {
  const text = new TextDecoder("latin1").decode(writePdf({ pages: [["One."], [], ["Three."]] }));
  const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  assert.equal(offsets.length, 5 + 2 * 3);
  for (const [at, offset] of offsets.entries()) {
    assert.ok(text.slice(offset).startsWith(`${at + 1} 0 obj\n`));
  }
});
