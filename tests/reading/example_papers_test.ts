import assert from "node:assert/strict";
import { join } from "@std/path";
import { readPapers } from "../../src/inputs/papers.ts";
import { ROOT } from "../support/deno_process.ts";
import { EXAMPLE, makeExamplePdf, paragraphsOf } from "../support/make_example_pdf.ts";

const FOLDER = join(ROOT, "examples/papers");

Deno.test("examples/papers: the PDF is what its script makes of the markdown beside it", async () => {
  assert.deepEqual(await Deno.readFile(EXAMPLE.pdf), await makeExamplePdf());
});

Deno.test("examples/papers: the PDF is read as the markdown it is made from, on four pages or more", async () => {
  const [pdf] = await readPapers([EXAMPLE.pdf]);
  const paragraphs = paragraphsOf(await Deno.readTextFile(EXAMPLE.markdown))
    .map((each) => each.replace(/^#+ /, ""));
  assert.equal(pdf!.title, paragraphs[0]);
  assert.ok(pdf!.pages!.length >= 4);
  const words = (text: string) => text.replace(/\s+/g, " ").trim();
  assert.equal(words(pdf!.text), words(paragraphs.join(" ")));
});

Deno.test("examples/papers: every paper says that it is invented, and has what a paper has", async () => {
  const names = ["four_day_week.md", "compressed_week.md", "debating_evidence.md"];
  const papers = await readPapers(names.map((name) => join(FOLDER, name)));
  assert.deepEqual(papers.map(({ id }) => id), [
    "four_day_week",
    "compressed_week",
    "debating_evidence",
  ]);
  for (const { id, title, text } of papers) {
    assert.ok(title.length > 20, id);
    assert.match(text, /invented/, id);
    for (const part of ["Abstract", "Methods", "Results", "Discussion", "Limitations", "Ethics"]) {
      assert.match(text, new RegExp(`^## (?:\\d\\. )?${part}$`, "m"), id);
    }
    const words = text.split(/\s+/).length;
    assert.ok(words >= 900 && words <= 1800, `${id} has ${words} words`);
    const [body = "", references = ""] = text.split("\n## References\n");
    const cited = new Set(body.match(/(?<=\[[\d, ]*)\d+(?=[\d, ]*\])/g));
    const listed = references.match(/(?<=^\[)\d+(?=\])/gm) ?? [];
    assert.deepEqual([...cited].sort(), [...listed].sort(), id);
  }
});
