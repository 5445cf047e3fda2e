// Reading PDF files.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "@std/path";
import fc from "fast-check";
import { readPdfApart } from "../../../src/inputs/papers.ts";
import { composed, readPdf } from "../../../src/papers/reading/pdf_reader.ts";
import { UnreadableError } from "../../../src/papers/text/check_paper.ts";
import { withFolder } from "../../support/cli.ts";
import { ROOT, runDeno } from "../../support/deno_process.ts";
import { type PdfContents, writePdf } from "../../support/pdf_writer.ts";

const WORDS =
  ("the laboratory counted transcription errors of every nurse during ordinary nights and " +
    "compared measurements with an independent administration before interventions began").split(
      " ",
    );

/** Returns a paragraph of sentences that differ from all others. */
function paragraph(number: number, sentences: number): string {
  return Array.from({ length: sentences }, (_, at) => {
    const words = Array.from(
      { length: 9 + (number + at) % 9 },
      (_, place) => WORDS[(number * 7 + at * 5 + place * 3) % WORDS.length],
    );
    return `In case ${number} of run ${at} ${words.join(" ")}.`;
  }).join(" ");
}

/** Returns full pages that do not overflow. */
function pagesOf(count: number, paragraphs: number): string[][] {
  return Array.from(
    { length: count },
    (_, page) =>
      Array.from({ length: paragraphs }, (_, at) => paragraph(page * paragraphs + at, 4)),
  );
}

/** Checks that every page is read as written. */
async function assertRead(contents: PdfContents): Promise<void> {
  const { text, pages } = await readPdf(writePdf(contents));
  assert.equal(pages.length, contents.pages.length);
  for (const [at, page] of contents.pages.entries()) {
    const words = page.map((each) => each.replace(/^#+ /, "")).join("\n\n");
    assert.equal(text.slice(pages[at], pages[at + 1]).trimEnd(), words);
  }
}

Deno.test("readPdf() returns pages and paragraphs", () => assertRead({ pages: pagesOf(4, 6) }));

Deno.test("readPdf() separates paragraphs that begin with an indent", () =>
  assertRead({ pages: pagesOf(3, 6), indent: true }));

Deno.test("readPdf() joins words that are divided at line ends", () =>
  assertRead({ pages: pagesOf(3, 6), hyphenate: true }));

Deno.test("readPdf() reads the left column before the right one", async () => {
  const { text, pages } = await readPdf(
    writePdf({ pages: pagesOf(2, 5), columns: 2, hyphenate: true, indent: true }),
  );
  const found = [...text.matchAll(/In case (\d+) of run (\d+)/g)].map(([, ...of]) =>
    of.map(Number)
  );
  const all = Array.from({ length: 40 }, (_, at) => [Math.floor(at / 4), at % 4]);
  assert.deepEqual(found, all);
  assert.equal(pages.length, 2);
  assert.ok(text.slice(pages[1]).startsWith("In case 5 of run 0"));
});

Deno.test("readPdf() reads a page with a short right column like the pages before", async () => {
  const last = Array.from({ length: 32 }, (_, at) => `In case ${60 + at} of run 0 it rained.`);
  const pdf = writePdf({ pages: [...pagesOf(3, 5), last], columns: 2 });
  const { text, pages } = await readPdf(pdf);
  const found = [...text.matchAll(/In case (\d+) of run 0/g)].map(([, number]) => Number(number));
  assert.deepEqual(found, [...Array(15).keys(), ...Array(32).keys().map((at) => 60 + at)]);
  assert.ok(text.slice(pages.at(-1)).startsWith(last[0]!), "the last page holds both columns");
});

Deno.test("readPdf() continues a sentence, and a word, on the next page", async () => {
  const long = paragraph(1, 40);
  const { text, pages } = await readPdf(writePdf({ pages: [[long]], hyphenate: true }));
  assert.equal(text, long);
  assert.equal(pages.length, 2);
  assert.equal(text.slice(0, pages[1]) + text.slice(pages[1]), long);
});

Deno.test("readPdf() omits running headers and page numbers, and nothing else", () =>
  assertRead({ pages: pagesOf(4, 5), header: "Sleep and care 2026", pageNumbers: true }));

Deno.test("readPdf() keeps what stands on every page, if it is all there is", async () => {
  const { text } = await readPdf(
    writePdf({
      pages: Array.from({ length: 3 }, () => ["Nothing but this sentence stands here."]),
      header: "Seen and read",
    }),
  );
  assert.equal(text.match(/Nothing but this/g)?.length, 3);
});

Deno.test("readPdf() begins a page without text where the next one begins", async () => {
  const pages = [[], [paragraph(1, 3)], [], [], [paragraph(2, 3)], []];
  const read = await readPdf(writePdf({ pages }));
  const second = read.text.indexOf("In case 2");
  assert.deepEqual(read.pages, [0, 0, second, second, second, read.text.length]);
});

Deno.test("readPdf() finds the title: the file's, where an author gave it, else the largest letters", async () => {
  const pages = [[
    "A short note",
    "# Sleep and care among nurses who work many nights in a row",
    paragraph(1, 3),
  ]];
  const titleOf = async (title?: string) => (await readPdf(writePdf({ pages, title }))).title;
  assert.equal(await titleOf("Sleep (and \\care)"), "Sleep (and \\care)");
  const largest = "Sleep and care among nurses who work many nights in a row";
  for (const none of [undefined, "untitled", "Microsoft Word - draft 3.doc", "paper_final.tex"]) {
    assert.equal(await titleOf(none), largest);
  }
  assert.equal((await readPdf(writePdf({ pages: [[paragraph(1, 3)]] }))).title, undefined);
});

Deno.test("readPdf() opens a file with an empty password and reads its title", async () => {
  const pages = [[`${paragraph(1, 3)} Café – “rest”.`]];
  const { text, title } = await readPdf(writePdf({ pages, title: "Café au lait", password: "" }));
  assert.equal(text, pages[0]![0]);
  assert.equal(title, "Café au lait");
});

Deno.test("readPdf() rejects a PDF without pages", async () => {
  await assert.rejects(readPdf(writePdf({ pages: [] })), UnreadableError);
});

Deno.test("readPdf() reads a damaged file or reports the damage", async () => {
  const whole = writePdf({ title: "Sleep and care", pages: pagesOf(2, 2) });
  const damage = fc.oneof(
    fc.nat(whole.length).map((end) => whole.slice(0, end)),
    fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 300 })
      .map((changes) => {
        const bytes = whole.slice();
        for (const [at, byte] of changes) bytes[at] = byte;
        return bytes;
      }),
  );
  await fc.assert(
    fc.asyncProperty(damage, async (bytes) => {
      try {
        const { text, pages } = await readPdf(bytes);
        assert.ok(text.length > 0);
        assert.ok(pages.every((page, at) => page >= (pages[at - 1] ?? 0) && page <= text.length));
      } catch (error) {
        assert.ok(error instanceof UnreadableError, String(error));
      }
    }),
    { numRuns: 30 },
  );
});

Deno.test("readPdf() returns any words in Windows-1252", async () => {
  const word = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ0-9(“"]{1,14}[,;)”"]?$/);
  const sentence = fc.array(word, { minLength: 6, maxLength: 60 }).map((words) =>
    `${words.join(" ")} end.`
  );
  await fc.assert(
    fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 4 }), async (page) => {
      const { text } = await readPdf(writePdf({ pages: [page] }));
      assert.equal(text.replace(/\s+/g, " "), page.join(" ").normalize("NFC"));
    }),
    { numRuns: 20 },
  );
});

withFolder.test("a PDF is read with read permission alone and without code generation", async (folder) => {
  const path = join(folder, "sleep.pdf");
  const pages = pagesOf(2, 4);
  await Deno.writeFile(path, writePdf({ title: "Sleep and care", pages, pageNumbers: true }));
  const script = join(ROOT, "tests/papers/reading/support/print_paper.ts");
  // Without permission to read the program no worker is started.
  for (const reads of ["--allow-read", `--allow-read=${folder}`]) {
    const { code, stdout, stderr } = await runDeno([
      "run",
      "--no-prompt",
      reads,
      "--ignore-env",
      "--v8-flags=--disallow-code-generation-from-strings",
      script,
      path,
    ]);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
    const { id, title, text } = JSON.parse(stdout);
    assert.deepEqual([id, title, text], ["sleep", "Sleep and care", pages.flat().join("\n\n")]);
  }
});

withFolder.test("a PDF is read by a program whose files are elsewhere, such as a bundle, without a worker", async (folder) => {
  const path = join(folder, "sleep.pdf");
  await Deno.writeFile(path, writePdf({ title: "Sleep and care", pages: pagesOf(2, 4) }));
  const filter = (file: string) => !file.endsWith("pdf_worker.ts");
  for (const each of ["src", "deno.json", "deno.lock", "tests/papers/reading/support"]) {
    cpSync(join(ROOT, each), join(folder, each), { recursive: true, filter });
  }
  const script = join(folder, "tests/papers/reading/support/print_paper.ts");
  const { stdout, stderr } = await runDeno(["run", "--no-check", "--allow-read", script, path], {
    folder,
  });
  assert.match(stdout, /"title":"Sleep and care"/, stderr);
});

/** A timer that is left would keep the process from ending. */
const CLEAN = { sanitizeOps: true, sanitizeResources: true } as const;

Deno.test("readPdfApart() ends at its bounds", CLEAN, async () => {
  const bytes = writePdf({ title: "Sleep and care", pages: pagesOf(2, 4) });
  const name = "UnreadableError";
  for (const [time, memory] of [[1, 1e9], [60_000, 0]] as const) {
    const message = /^reading it takes more than \d+ s or \S+ MB of memory$/;
    await assert.rejects(readPdfApart(bytes, { time, memory }), { name, message });
  }
});

Deno.test(
  "readPdfApart() reads what readPdf() reads, at most two files at a time",
  CLEAN,
  async () => {
    const bytes = writePdf({ title: "Sleep and care", pages: pagesOf(2, 4) });
    const { Worker } = globalThis;
    let running = 0;
    let most = 0;
    globalThis.Worker = class extends Worker {
      constructor(module: string | URL, options?: WorkerOptions) {
        super(module, options);
        most = Math.max(most, ++running);
      }
      override terminate() {
        running--;
        super.terminate();
      }
    };
    try {
      const read = await Promise.all(Array.from({ length: 3 }, () => readPdfApart(bytes.slice())));
      assert.deepEqual(read, Array(3).fill(await readPdf(bytes)));
      assert.deepEqual([most, running], [2, 0]);
    } finally {
      globalThis.Worker = Worker;
    }
  },
);

Deno.test("readPdf() reads a hundred pages in their order", async () => {
  const pages = Array.from({ length: 100 }, (_, page) => [
    `## Part ${page + 1} of the report`,
    ...Array.from({ length: 4 }, (_, at) => paragraph(page * 4 + at, 5)),
  ]);
  await assertRead({ pages, header: "A report in many parts", pageNumbers: true, hyphenate: true });
});

Deno.test("composed() maps ligatures of fonts without a character map, and composes accents", () => {
  const cases = [
    ["di\x1berent e\x0bect", "different effect"],
    ["de\x1cned \x0crst \x0d\x1dow", "defined first flflow"],
    ["a \x10spherical\x11 law \x15 or two\x16in", "a “spherical” law – or two—in"],
    ["e\x1ecient o\x1fine e\x0ecient", "efficient offline efficient"],
    ["Zu\u00a8 rich Z\u00a8urich", "Zu\u00a8 rich Z\u00fcrich"],
    [
      "caf\u00b4e na\u00a8\u0131ve gar\u00e7on c\u00b8a",
      "caf\u00e9 na\u00efve gar\u00e7on \u00e7a",
    ],
    ["Gon\u00b8 calves, C\u00b8 elik, \u00af Osaka", "Gonçalves, Çelik, Ōsaka"],
    ["a \u00a8 b", "a \u00a8 b"],
    ["本⽂的⻋⼗⺟", "本文的车十母"],
  ];
  for (const [given, read] of cases) assert.equal(composed(given!), read);
});

Deno.test("readPdf() takes the shown title when the metadata names a journal or an author instead", async () => {
  const shown = "Acute effect of speed exercise on nitric oxide";
  const pages = [[`# ${shown}`, paragraph(1, 6)]];
  const titleOf = async (title: string) => (await readPdf(writePdf({ pages, title }))).title;
  assert.equal(await titleOf(`Jane DOE ${shown}`), shown);
  assert.equal(await titleOf("Journal of Medical Sciences"), shown);
  assert.equal(await titleOf(`${shown} (NO)`), `${shown} (NO)`);
  assert.equal(
    await titleOf("Effect of speed exercise on nitric oxide"),
    "Effect of speed exercise on nitric oxide",
  );
});

Deno.test("readPdf() takes no heading of a section as the title, and no mark of a note", async () => {
  const titleOf = async (...page: string[]) =>
    (await readPdf(writePdf({ pages: [[...page, paragraph(1, 6)]] }))).title;
  assert.equal(await titleOf("# Sleep and care *", "# 1 Introduction"), "Sleep and care");
  assert.equal(await titleOf("Sleep and care", "## Abstract"), undefined);
  for (const star of ["Search by A*", "The algebra C *"]) {
    assert.equal(await titleOf(`# ${star}`), star);
  }
});

/** Returns the bytes of a PDF with an edited source; the reader finds objects that were moved. */
function edited(contents: PdfContents, edit: (source: string) => string): Uint8Array {
  const source = edit(Array.from(writePdf(contents), (byte) => String.fromCharCode(byte)).join(""));
  return Uint8Array.from(source, (char) => char.charCodeAt(0));
}

/** Returns a PDF of one page in which some fonts map codes to Unicode. */
function mappedPdf(
  page: readonly string[],
  font: RegExp,
  codes: readonly (readonly [code: number, unicode: number])[],
): Uint8Array {
  const hex = (code: number) => `<${code.toString(16).padStart(2, "0")}>`;
  const rows = codes.map(([code, unicode]) => `${hex(code)} ${hex(unicode)}`);
  const map =
    `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${rows.length} beginbfchar ` +
    `${rows.join(" ")} endbfchar endcmap`;
  const stream = `99 0 obj\n<< /Length ${map.length} >>\nstream\n${map}\nendstream\nendobj\n`;
  return edited(
    { pages: [page] },
    (source) => source.replace(font, "$& /ToUnicode 99 0 R").replace("xref\n", `${stream}$&`),
  );
}

Deno.test("readPdf() rejects a file whose fonts number their letters anew, and reads one with a few such letters", async () => {
  const page = [paragraph(1, 6)];
  const numbered = (letters: string) =>
    readPdf(
      mappedPdf(
        page,
        /WinAnsiEncoding/g,
        [...letters].map((letter, at) => [letter.charCodeAt(0), at + 1]),
      ),
    );
  await assert.rejects(numbered("etaoinsr"), {
    name: "UnreadableError",
    message: "its fonts do not say which letters they show",
    hint: "Run text recognition (OCR) on its pages first, or give its text.",
  });
  assert.match((await numbered("bp")).text, /^In case 1 of run 0 /);
});

Deno.test("readPdf() separates words in bitmap fonts, whose scale is a dot, by the size of their letters", async () => {
  const [title, words] = ["The importance of a page", paragraph(1, 2)];
  /** Lines in dots: each word in two parts that a dot or two separate, then a space. */
  const shown = (text: string, font: string, width: number, y: number) => {
    const rows = text.match(/.{1,60}(?: |$)/g)!;
    return rows.map((row, at) => {
      const parts = row.trim().split(" ").map((word) => {
        const [head, tail] = [word.slice(0, 3), word.slice(3)];
        const end = tail.length * width + 0.7 * width;
        return `(${head}) Tj ${head.length * width + 2} 0 Td (${tail}) Tj ${end} 0 Td`;
      });
      return `BT /${font} 1 Tf 1 0 0 1 300 ${y - at * 50} Tm ${parts.join(" ")} ET`;
    });
  };
  const stream = ["0.24 0 0 0.24 0 0 cm"]
    .concat(shown(title, "F2", 40, 3000), shown(words, "F1", 20, 2800)).join("\n");
  const fontOf = (width: number) =>
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [1 0 0 1 0 0] " +
    "/FirstChar 32 /LastChar 126 /CharProcs << >> /Resources << >> " +
    `/Widths [${Array(95).fill(width).join(" ")}] ` +
    "/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding >> >>";
  const bytes = edited(
    { pages: [["x"]] },
    (source) =>
      source.replace(/<<.*Helvetica \/.*>>/, fontOf(20)).replace(
        /<<.*Helvetica-Bold.*>>/,
        fontOf(40),
      )
        .replace(/\/Length \d+/, `/Length ${stream.length}`).replace(/BT.*ET/, stream),
  );
  const read = await readPdf(bytes);
  assert.equal(read.title, title);
  assert.equal(read.text, `${title}\n\n${words}`);
});

Deno.test("readPdf() does not divide a word where two letters overlap", async () => {
  const stream =
    "BT /F1 11 Tf 1 0 0 1 60 700 Tm [(The report by J. P) 220 (. Smith) -280 (is here.)] TJ ET";
  const bytes = edited(
    { pages: [["x"]] },
    (source) =>
      source.replace(/\/Length \d+/, `/Length ${stream.length}`).replace(/BT.*ET/, stream),
  );
  assert.equal((await readPdf(bytes)).text, "The report by J. P. Smith is here.");
});

Deno.test("readPdf() reads letters that a file maps to dingbats, as TeX's bitmap fonts do; a few dingbats stay", async () => {
  const signs =
    "✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋●❍■❏❑▲▼◆❖ ◗❘❙❚❯❱❲❳❨❩❬❭❪❫❴❵❛❜❝❞❡❢❣❤✐❥❦❧♠♥♦♣    ✉✈✇①②③④⑤⑥⑦";
  // Of the glyphs a33 to a126; the others have no dingbat.
  const codes = [...signs].flatMap((sign, at): [number, number][] =>
    sign === " " ? [] : [[at + 33, sign.charCodeAt(0)]]
  );
  const [title, words] = ["The Size of 12 Offices", paragraph(1, 6)];
  const mapped = (font: RegExp) => readPdf(mappedPdf([`# ${title}`, words], font, codes));
  const read = await mapped(/WinAnsiEncoding/g);
  assert.equal(read.title, title);
  assert.equal(read.text, `${title}\n\n${words}`);
  // In a heading alone, the signs are dingbats.
  const few = await mapped(/Helvetica-Bold .*WinAnsiEncoding/);
  assert.match(few.text, /^❚❤❡.*\n\nIn case 1 /);
});

Deno.test("readPdf() reads turned text in its own direction; the stamp of an archive is not the title", async () => {
  const stamp = "arXiv:2305.12345v2 [cs.CL] 24 May 2023";
  const pages = [[`# ${stamp}`, "## Sleep and care among nurses", paragraph(1, 3)]];
  const turned = edited(
    { pages },
    (source) => source.replace(/18 Tf 1 0 0 1 \d+ \d+/, "18 Tf 0 1 -1 0 40 200"),
  );
  const { text, title } = await readPdf(turned);
  assert.equal(title, "Sleep and care among nurses");
  assert.deepEqual(text.split("\n\n"), [stamp, title, paragraph(1, 3)]);
  const rows = ["0 1 -1 0 300 90", "0 1 -1 0 300 200", "0 1 -1 0 314 90", "0 1 -1 0 314 200"]
    .map((place, at) =>
      `BT /F1 11 Tf ${place} Tm (${["Hospital", "Errors", "The north", "12"][at]}) Tj ET`
    );
  const table = edited({ pages: [["x"]] }, (source) => source.replace(/BT.*ET/, rows.join("\n")));
  assert.equal((await readPdf(table)).text, "Hospital Errors The north 12");
});

Deno.test("readPdf() reads Hebrew lines from right to left, with their numbers and Latin words in place", async () => {
  const encoding = "<< /Differences [65 /afii57664 /afii57665 /afii57666 /afii57667 /afii57668] >>";
  // As shown: the leftmost run first, which is the end of the line.
  const runs = [[60, "61"], [73, "-B"], [90, "\\("], [94, "2023"], [122, "et al"], [147, "efgh"]]
    .concat([[174, "ED"], [194, "32"], [207, "\\)"], [215, "CBA"], [243, "CCDDEE"]]);
  const read = async (fontOf: (words: string) => string) => {
    const stream = runs.map(([x, words]) =>
      `BT /${fontOf(String(words))} 11 Tf 1 0 0 1 ${x} 700 Tm (${words}) Tj ET`
    );
    const bytes = edited(
      { pages: [["x"]] },
      (source) => source.replace("/WinAnsiEncoding", encoding).replace(/BT.*ET/, stream.join("\n")),
    );
    return (await readPdf(bytes)).text;
  };
  assert.equal(await read(() => "F1"), "ההדדגג אבג (32 דה et al efgh 2023) ב-61");
  // Words of two fonts are two runs, which the reader puts in order.
  const fontOf = (words: string) => /[A-E\\]/.test(words) ? "F1" : "F2";
  assert.equal(await read(fontOf), "ההדדגג אבג (32 דה 2023 et al efgh) ב-61");
});
