// Pages of a paper's text.
import assert from "node:assert/strict";
import fc from "fast-check";
import { posix } from "node:path";
import type { Paper } from "../../src/core/paper.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { hasPages, paperPages } from "../../src/record/paper_pages.ts";

const count = await loadTokenCounter();
const LIMIT = 2000;

function pagesOf(paper: Paper, index = 0): Map<string, string> {
  return new Map([...paperPages(paper, index, count)].map(({ path, text }) => [path, text]));
}

/** Returns the paper's text in a page and the stated position. */
function partOf(text: string, path: string): { start: number; end: number; words: string } {
  const { data, body } = readFrontMatter(text, path);
  const words = body.slice(body.indexOf("\n\n") + 2);
  return { start: Number(data.start), end: Number(data.end), words };
}

/** Checks all pages of a paper; returns the numbers of the parts in order. */
function check(paper: Paper, files: ReadonlyMap<string, string>): number[] {
  for (const [path, text] of files) assert.ok(count(text) <= LIMIT, `${path}: ${count(text)}`);
  const reached = new Set<string>();
  const visit = (path: string, depth: number) => {
    assert.ok(depth <= 3, `${path} is ${depth} deep`);
    const text = files.get(path);
    assert.ok(text !== undefined, `${path} is linked and missing`);
    reached.add(path);
    const own = /\/\d+\.md$/.test(path) ? text.slice(0, text.indexOf("\n\n")) : text;
    for (const [, link] of own.matchAll(/(?<!\\)\]\(([^()\s]+)\)/g)) {
      const target = posix.join(posix.dirname(path), link!);
      if (target === "index.md" || target === `${posix.dirname(path)}.md`) continue;
      if (!reached.has(target)) visit(target, /\/\d+\.md$/.test(target) ? depth : depth + 1);
    }
  };
  visit("paper/index.md", 1);
  assert.equal(reached.size, files.size);
  const parts = [...files].filter(([path]) => /\/\d+\.md$/.test(path)).map(([path, text]) => ({
    number: Number(/(\d+)\.md$/.exec(path)![1]),
    ...partOf(text, path),
  })).sort((a, b) => a.number - b.number);
  assert.equal(parts.map(({ words }) => words).join(""), paper.text);
  for (const { start, end, words } of parts) assert.equal(paper.text.slice(start, end), words);
  return parts.map(({ number }) => number);
}

Deno.test("paperPages() makes no pages for a paper that fits one", () => {
  for (const text of ["", "One sentence.", "Word. ".repeat(900)]) {
    assert.equal(pagesOf({ id: "a", title: "A", text }).size, 0);
    assert.equal(hasPages({ text }, count), false);
  }
});

Deno.test("paperPages() cuts 300 pages and a million characters into pages of 2,000 tokens", () => {
  const page = (number: number) =>
    Array.from({ length: 90 }, (_, i) => `On page ${number}, sentence ${i} says a thing.`)
      .join(" ").slice(0, 3_330) + "\n\n";
  const starts: number[] = [];
  let text = "";
  for (let number = 1; number <= 300; number++) {
    starts.push(text.length);
    text += page(number);
  }
  const paper: Paper = { id: "a", title: "A long one", text, pages: starts };
  assert.ok(text.length > 900_000);
  const files = pagesOf(paper);
  const parts = check(paper, files);
  assert.ok(parts.length > 100);
  const middle = files.get("paper/070.md")!;
  const { data } = readFrontMatter(middle, "paper/070.md");
  const { words } = partOf(middle, "paper/070.md");
  const last = [...words.matchAll(/On page (\d+)/g)].at(-1)![1];
  assert.equal(data.last_page, Number(last));
  assert.match(files.get("paper/index.md")!, /A paper of 300 pages, \d{3},\d{3} characters/);
  assert.match(files.get("paper/index.md")!, /\(index_001\.md\)/);
});

Deno.test("paperPages() cuts at ends of paragraphs and sentences if there are any", () => {
  const text = Array.from(
    { length: 400 },
    (_, i) => `Sentence ${i} of the paper ends here.${i % 30 === 29 ? "\n\n" : " "}`,
  ).join("");
  const files = pagesOf({ id: "a", title: "A", text });
  const ends = [...files].filter(([path]) => /\/\d+\.md$/.test(path))
    .map(([path, page]) => partOf(page, path).words);
  for (const words of ends) assert.match(words, /ends here\.\s+$/);
});

Deno.test("paperPages() respects the limit and keeps every character of any text", () => {
  const unit = fc.oneof(
    fc.constantFrom("a", "漢字", "😀", "é\u0301", "---\n", "](../../x.md)", "\n\n", " ", "</div>"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  );
  fc.assert(
    fc.property(
      fc.array(unit, { minLength: 1, maxLength: 30 }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.integer({ min: 9_000, max: 30_000 }),
      (parts, title, length) => {
        const once = parts.join("").toWellFormed();
        const text = once.repeat(Math.ceil(length / once.length));
        const paper = { id: "a", title: title.toWellFormed(), text };
        const files = pagesOf(paper);
        if (hasPages(paper, count)) check(paper, files);
        else assert.equal(files.size, 0);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("paperPages() names the folder after the paper's place", () => {
  const paper = { id: "b", title: "B", text: "One thing is said. ".repeat(900) };
  const paths = [...pagesOf(paper, 2).keys()];
  assert.ok(paths.includes("paper-3/index.md"));
  assert.ok(paths.every((path) => path.startsWith("paper-3/")));
});
