// Reading papers and sources from files.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { ConfigurationError, PaperError } from "../../src/core/error.ts";
import { absolutePaths, readSources } from "../../src/inputs/inputs.ts";
import { readPaper, readPapers } from "../../src/inputs/papers.ts";
import { renderPaper } from "../../src/record/papers.ts";
import { withFolder } from "../support/cli.ts";
import { ROOT } from "../support/deno_process.ts";
import { EXAMPLE, makeExamplePdf, paragraphsOf } from "../support/make_example_pdf.ts";
import { writePdf } from "../support/pdf_writer.ts";

const FOLDER = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));

const SENTENCE = "Nurses who slept at least seven hours made a third fewer errors than the others.";

/** Returns the path of a temporary file with this content. */
async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(FOLDER, name);
  await Deno.mkdir(join(path, ".."), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, content);
  return path;
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function utf16(text: string, { littleEndian }: { readonly littleEndian: boolean }): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) {
    view.setUint16(2 * at, text.charCodeAt(at), littleEndian);
  }
  return new Uint8Array(view.buffer);
}

Deno.test("readPaper() reads markdown: the whole text, its title, an id from the file name", async () => {
  const text = `---\ntitle: Sleep and care\n---\n\n# Other\n\n${SENTENCE}\n`;
  const path = await file("Schlaf & Pflege.md", text);
  assert.deepEqual(await readPaper(path), { id: "Schlaf-Pflege", title: "Sleep and care", text });
});

Deno.test("readPaper() reads plain text with any line breaks and encoding", async () => {
  const text = `Sleep and care\n\nÄltere 😀 Pflegende\n${SENTENCE}`;
  const encoder = new TextEncoder();
  const mixed = text.replaceAll("\n", "\r\n");
  for (
    const [at, content] of [
      encoder.encode(mixed),
      encoder.encode(`\ufeff${mixed}`),
      utf16(`\ufeff${mixed}`, { littleEndian: true }),
      utf16(`\ufeff${mixed}`, { littleEndian: false }),
    ].entries()
  ) {
    const paper = await readPaper(await file(`encoded/${at}.txt`, content));
    assert.deepEqual(paper, { id: String(at), title: "Sleep and care", text });
  }
});

Deno.test("readPaper() reads a PDF by page, whatever its file name", async () => {
  const pages = [[`${SENTENCE} This is one.`], [`${SENTENCE} This is two.`]];
  const pdf = writePdf({ title: "Sleep and care", pages });
  for (const content of [pdf, Uint8Array.from([...bytes("\nX-Junk: 1\n"), ...pdf])]) {
    const paper = await readPaper(await file("download.php", content));
    assert.equal(paper.id, "download");
    assert.equal(paper.title, "Sleep and care");
    assert.equal(paper.text, pages.flat().join("\n\n"));
    assert.deepEqual(paper.pages, [0, paper.text.indexOf(pages[1]![0]!)]);
  }
});

Deno.test("readPaper() reads a text about PDFs as text", async () => {
  const text = `A file begins with %PDF-1.7, then comes the rest\n\n${SENTENCE}`;
  assert.equal((await readPaper(await file("about.md", text))).text, text);
});

Deno.test("readPaper() takes the file name as title when the paper has none", async () => {
  assert.equal((await readPaper(await file("sleep_v2.txt", SENTENCE))).title, "sleep_v2");
  assert.equal((await readPaper(await file("....md", SENTENCE))).id, "paper");
  const hostile = await readPaper(await file("a\u001b[31m\nb.txt", SENTENCE));
  assert.deepEqual([hostile.id, hostile.title], ["a-31m-b", "a [31m b"]);
  const given = await readPaper(await file("x.md", "# Own\n\nText"), { title: " The\ntitle " });
  assert.equal(given.title, "The title");
});

Deno.test("readPapers() keeps the order and gives papers of one name different ids", async () => {
  const paths = [
    await file("a/rest.md", "# One\n\nText."),
    await file("b/rest.txt", "Two\n\nText."),
    await file("c/rest.pdf", writePdf({ pages: [["# Three", SENTENCE]] })),
  ];
  assert.deepEqual(
    (await readPapers(paths)).map(({ id, title }) => [id, title]),
    [["rest", "One"], ["rest-2", "Two"], ["rest-3", "Three"]],
  );
});

Deno.test("readPapers() rejects a paper that is given twice, by its path or its text", async () => {
  const path = await file("once.md", "# One\n\nText.");
  const copy = await file("copy.txt", "# One\r\n\r\nText.\n");
  for (
    const [paths, says] of [
      [[path, path], `Cannot use paper "${path}": it is given twice`],
      [[path, copy], `Cannot use paper "${copy}": "${path}" has the same text`],
    ] as const
  ) {
    await assert.rejects(readPapers(paths), {
      code: "config_invalid",
      field: "papers",
      message: says,
    });
  }
});

Deno.test("readPapers() reads the papers of an earlier record that have one text", async () => {
  const kept = ["a", "b"].map((id) => renderPaper({ id, title: "One", text: "# One\n\nText." }));
  const paths = [await file("kept/paper.md", kept[0]!), await file("kept/paper-2.md", kept[1]!)];
  assert.deepEqual((await readPapers(paths)).map(({ id }) => id), ["a", "b"]);
  await assert.rejects(readPapers([paths[0]!, paths[0]!]), /it is given twice/);
});

Deno.test("readPaper() takes a title of invisible characters for none", async () => {
  const path = await file("seen.md", "# One\n\nText.");
  assert.equal((await readPaper(path, { title: "\u200b \u2060\ufeff" })).title, "One");
});

Deno.test("readPapers() rejects an empty list, one title for two papers, and an invalid title or size", async () => {
  const path = await file("one.md", "# One\n\nText.");
  const cases = [
    [[], {}, "papers", /no paper was given/],
    [[path, path], { title: "Both" }, "title", /one title for 2 papers/],
    [[path], { title: "t".repeat(501) }, "papers", /its title has 501 characters/],
    [[path], { maxBytes: 0 }, "maxBytes", /at most 0 bytes/],
    [[path], { maxBytes: NaN }, "maxBytes", /at most NaN bytes/],
  ] as const;
  for (const [paths, options, field, says] of cases) {
    await assert.rejects(
      readPapers(paths, options),
      (error: unknown) =>
        error instanceof ConfigurationError && error.field === field && says.test(error.message) &&
        error.hint !== undefined,
    );
  }
});

const PDF = writePdf({ pages: [[SENTENCE]] });
const SCAN = writePdf({ pages: Array.from({ length: 3 }, () => []) });
const STAMPED = writePdf({ pages: [["Seen"], [], [], ["Seen 2"]] });
const SECRET = writePdf({ pages: [[SENTENCE]], password: "sesame" });

const REFUSED: readonly (readonly [
  what: string,
  name: string,
  content: string | Uint8Array,
  says: RegExp,
  hint: RegExp,
])[] = [
  ["an empty file", "a.md", "", /it is empty$/, /PDF, markdown or plain text/],
  ["a blank text", "a.txt", " \r\n\u0000".slice(0, 3), /its text is empty$/, /PDF, markdown/],
  ["a Word file", "a.docx", bytes("PK\x03\x04\x14"), /not text/, /PDF, markdown/],
  ["an old Word file", "a.doc", bytes("\xd0\xcf\x11\xe0\xa1"), /not text/, /PDF/],
  ["an RTF file", "a.rtf", "{\\rtf1 Text}", /an RTF or PostScript document/, /PDF/],
  ["a picture", "a.png", bytes("\x89PNG\r\n\x1a\n"), /not text/, /PDF/],
  ["a photograph named as text", "a.md", bytes("\xff\xd8\xff\xe0"), /not text/, /PDF/],
  ["an archive", "a.tar.gz", bytes("\x1f\x8b\x08"), /not text/, /PDF/],
  ["PostScript", "a.ps", "%!PS-Adobe-3.0\n", /an RTF or PostScript document/, /PDF/],
  ["Latin-1", "a.txt", bytes("Caf\xe9 society"), /not text, or not in UTF-8$/, /UTF-8 or UTF-16/],
  ["half a UTF-16 file", "a.txt", bytes("\xff\xfea\0b"), /not text, or not in UTF-8$/, /UTF-16/],
  ["UTF-16 without its mark", "a.txt", bytes("a\0b\0c\0"), /binary data/, /UTF-16/],
  ["zeros", "a.txt", new Uint8Array(100), /binary data/, /PDF/],
  ["control characters", "a.txt", "\u0001\u0002\u0003 text", /binary data/, /PDF/],
  ["an empty PDF", "a.pdf", "", /it is empty$/, /PDF/],
  ["a web page", "a.html", "<!-- saved -->\n<!doctype HTML>\n<p>", /it is a web page$/, /PDF/],
  ["XHTML", "a.md", '<?xml version="1.0"?>\n<html lang="en">', /it is a web page$/, /PDF/],
  [
    "a text named as a PDF",
    "a.pdf",
    SENTENCE,
    /not a PDF, though its name ends in \.pdf$/,
    /again/,
  ],
  ["a web page named as a PDF", "a.pdf", "<!doctype html>", /a web page, though its name/, /again/],
  ["the head of a PDF", "a.pdf", "%PDF-1.7", /damaged/, /save it again/],
  ["half a PDF", "a.pdf", PDF.slice(0, 300), /damaged/, /save it again/],
  [
    "a PDF with a password",
    "a.pdf",
    SECRET,
    /encrypted and needs a password/,
    /Remove its password/,
  ],
  ["a scanned PDF", "a.pdf", SCAN, /there is no text on its 3 pages/, /OCR/],
  ["a PDF with a stamp for text", "a.pdf", STAMPED, /almost no text on its 4 pages, 9/, /OCR/],
];

for (const [what, name, content, says, hint] of REFUSED) {
  Deno.test(`readPaper() rejects ${what}`, async () => {
    const path = await file(`refused/${name}`, content);
    await assert.rejects(readPaper(path), (error: unknown) => {
      assert.ok(error instanceof PaperError);
      assert.equal(error.code, "paper_unreadable");
      assert.equal(error.field, "papers");
      assert.ok(error.message.startsWith(`Cannot read paper "${path}": `), error.message);
      assert.match(error.message, says);
      assert.match(error.hint!, hint);
      return true;
    });
  });
}

Deno.test("readPaper() rejects a path that is not a file", async () => {
  await assert.rejects(readPaper(join(FOLDER, "no.pdf")), /no\.pdf": there is no such file/);
  await assert.rejects(readPaper(FOLDER), /it is a folder/);
  const address = absolutePaths({ papers: ["https://example.org/a.pdf"] }, FOLDER).papers[0]!;
  await assert.rejects(readPaper(address), /"https:\/\/example\.org\/a\.pdf": it is a web address/);
  await assert.rejects(readPaper(join(await file("f.md", "x"), "g.md")), /there is no such file/);
});

Deno.test("readPaper() reads at most the allowed bytes and states the limit", async () => {
  const path = await file("large.md", `# Large\n\n${SENTENCE}`);
  const { size } = await Deno.stat(path);
  assert.equal((await readPaper(path, { maxBytes: size })).title, "Large");
  await assert.rejects(
    readPaper(path, { maxBytes: size - 1 }),
    /it has 89 bytes, at most 88 are read/,
  );
  const huge = join(FOLDER, "huge.txt");
  await Deno.writeFile(huge, new Uint8Array());
  await Deno.truncate(huge, 50_000_001);
  await assert.rejects(readPaper(huge), /it has 50,000,001 bytes, at most 50,000,000 are read/);
});

Deno.test("readPaper() rejects more than five million characters", async () => {
  const path = await file("long.txt", "word ".repeat(1_000_001));
  await assert.rejects(readPaper(path), /it has more than 5,000,000 characters of text/);
});

const EXAMPLES = join(ROOT, "examples/papers");

Deno.test("examples/papers: the PDF equals its script's output from the markdown", async () => {
  assert.deepEqual(await Deno.readFile(EXAMPLE.pdf), await makeExamplePdf());
});

Deno.test("examples/papers: the PDF reads as its markdown, on four pages or more", async () => {
  const [pdf] = await readPapers([EXAMPLE.pdf]);
  const paragraphs = paragraphsOf(await Deno.readTextFile(EXAMPLE.markdown))
    .map((each) => each.replace(/^#+ /, ""));
  assert.equal(pdf!.title, paragraphs[0]);
  assert.ok(pdf!.pages!.length >= 4);
  const words = (text: string) => text.replace(/\s+/g, " ").trim();
  assert.equal(words(pdf!.text), words(paragraphs.join(" ")));
});

Deno.test("examples/papers: every paper states that it is invented and has a paper's sections", async () => {
  const names = ["four_day_week.md", "compressed_week.md", "debating_evidence.md"];
  const papers = await readPapers(names.map((name) => join(EXAMPLES, name)));
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

withFolder.test("readSources() reads a PDF as text with a text file's name, and text unchanged", async (folder) => {
  const path = (name: string) => join(folder, name);
  const pages = [["# Sleep and care", SENTENCE], [`${SENTENCE} Again.`]];
  await Deno.writeFile(path("sleep.pdf"), writePdf({ pages }));
  await Deno.writeTextFile(path("notes.md"), "# Notes\r\n\nText.  ");
  assert.deepEqual(await readSources([path("sleep.pdf"), path("notes.md")]), [
    { name: "sleep.pdf.md", text: `Sleep and care\n\n${SENTENCE}\n\n${SENTENCE} Again.` },
    { name: "notes.md", text: "# Notes\r\n\nText.  " },
  ]);
});

withFolder.test("readSources() rejects a PDF without text and names it", async (folder) => {
  const path = (name: string) => join(folder, name);
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
