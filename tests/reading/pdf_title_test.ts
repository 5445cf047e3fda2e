import assert from "node:assert/strict";
import { pdfTitle } from "../../src/papers/reading/pdf_reader.ts";

Deno.test("pdfTitle() takes what an author can have meant, on one line", () => {
  for (
    const title of [
      "Sleep and care",
      "Templates in typesetting",
      "Document retrieval",
      "Sleep",
      "睡眠",
      "A study of .pdf files",
    ]
  ) assert.equal(pdfTitle(title), title);
  assert.equal(pdfTitle(" Sleep\r\n and\u0000care "), "Sleep and care");
});

Deno.test("pdfTitle() refuses what programs write", () => {
  for (
    const title of [
      "",
      " \u0000",
      "untitled",
      "Untitled document 3",
      "Microsoft Word - draft 3 final.doc",
      "draft final.docx",
      "main.tex",
      "C:\\papers\\my paper",
      "/home/papers/rest",
      "paper_v2_final",
      "PII: 0009-2614(90)80012-3",
      "Title",
      "12 345",
      "t".repeat(600),
    ]
  ) assert.equal(pdfTitle(title), undefined, title);
});
