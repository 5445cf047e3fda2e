// Cutting texts into chunks.
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Chunk, chunkText } from "../../src/core/search.ts";
import { anyCharacter } from "../support/any_character.ts";

const SENTENCE = "The tram carried 4.2 million people in its first year, Dr. Okafor found. ";
const SENTENCES = Array.from({ length: 40 }, (_, i) => SENTENCE.replace("tram", `tram ${i + 1}`));

/** Checks the properties of all chunks of a text. */
function assertExact(text: string, chunks: readonly Chunk[]): void {
  const covered = new Set<number>();
  for (const [i, { start, end, text: part }] of chunks.entries()) {
    assert.equal(part, text.slice(start, end));
    assert.equal(part, part.trim());
    assert.ok(part.length >= 1 && part.length <= 500);
    const before = chunks[i - 1];
    if (before !== undefined) {
      assert.ok(start > before.start && end > before.end);
      assert.ok(before.end - start <= 100);
    }
    for (let at = start; at < end; at++) covered.add(at);
  }
  for (let at = 0; at < text.length; at++) {
    if (!/\s/.test(text[at]!)) assert.ok(covered.has(at), `nothing has the character at ${at}`);
  }
}

Deno.test("chunkText() cuts at ends of sentences and repeats the last one", () => {
  const text = SENTENCES.join("");
  const chunks = chunkText(text);
  assertExact(text, chunks);
  assert.ok(chunks.length >= 7);
  for (const { text: part, start } of chunks) {
    assert.match(part, /^The tram \d+ carried/);
    assert.match(part, /Okafor found\.$/);
    assert.ok(part.length > 300 || start > text.length - 400);
  }
  const shared = chunks.slice(1).map(({ start }, i) => chunks[i]!.end - start);
  assert.ok(shared.every((length) => length > 50 && length <= 100), String(shared));
});

Deno.test("chunkText() treats wrapped lines as one sentence and an empty line as an end", () => {
  const wrapped = SENTENCES.join("").replaceAll(", ", ",\n  ");
  for (const { text } of chunkText(wrapped)) assert.match(text, /^The tram [\s\S]*found\.$/);

  const headings = Array.from({ length: 12 }, (_, i) => `## Part ${i}\n\n${"word ".repeat(60)}`);
  for (const { text } of chunkText(headings.join("\n\n"))) {
    assert.match(text, /^(?:## Part|word)/);
    assert.match(text, /word$/);
  }
});

Deno.test("chunkText() cuts scripts without spaces at sentences and never within a character", () => {
  const japanese = "都市は自家用車を中心部から締め出すべきだと多くの研究が示している。".repeat(40);
  const chunks = chunkText(japanese);
  assertExact(japanese, chunks);
  assert.ok(chunks.every(({ text }) => text.startsWith("都市は") && text.endsWith("。")));

  const faces = `x${"😀".repeat(1000)}`;
  const cut = chunkText(faces);
  assertExact(faces, cut);
  assert.ok(cut.every(({ text }) => text.isWellFormed()));
});

Deno.test("chunkText() cuts a word only if it is longer than a chunk", () => {
  const text = `${"lane ".repeat(300)}${"x".repeat(1200)} end`;
  const chunks = chunkText(text);
  assertExact(text, chunks);
  assert.match(chunks[0]!.text, /^(?:lane )+lane$/);
  assert.ok(chunks.some((each) => /^x{500}$/.test(each.text)));
  assert.match(chunks.at(-1)!.text, /end$/);
});

Deno.test("chunkText() leaves a short text whole and makes no chunk of blanks", () => {
  assert.deepEqual(chunkText("  One. Two.\n"), [{ text: "One. Two.", start: 2, end: 11 }]);
  for (const blank of ["", " ", "\n\n\t\u00a0"]) assert.deepEqual(chunkText(blank), []);
});

Deno.test("chunkText() returns exact parts of any text", () => {
  const blanks = " ".repeat(90);
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.constantFrom(" ", "\n\n", ". ", "。", "\r\n", blanks, "word", "\ud800", "x".repeat(900)),
  );
  fc.assert(fc.property(fc.array(word, { maxLength: 40 }), (parts) => {
    const text = parts.join("");
    assertExact(text, chunkText(text));
  }));
});
