// Archives: indexes by day, concurrent convenings, long lists.
import assert from "node:assert/strict";
import { afterCrash } from "../engine/support/killed_runs.ts";
import { posix } from "node:path";
import fc from "fast-check";
import { FileError } from "../../src/core/files.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { byNumber } from "../../src/record/archive.ts";
import { archivePlace } from "../../src/record/archive_place.ts";
import { boundedList } from "../../src/record/page_tree.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { begun } from "./support/begun.ts";
import { endingOf, startOf } from "./support/fixtures.ts";

async function hold(
  memory: MemoryFileSystem,
  startedAt: string,
  topic: string,
  ending = endingOf(),
): Promise<void> {
  const { record, events } = await begun({ start: startOf({ startedAt, topic }) }, memory);
  await events.apply({ type: "convening-end", ending });
  await record.close();
}

Deno.test("Archive lists days and convenings newest first, with counts, status, winner and the topic as plain words", async () => {
  const memory = new MemoryFileSystem();
  await hold(memory, "2026-11-20T08:00:00.000Z", "An [older](http://x) topic | here");
  const undecided = endingOf({ outcome: "undecided", winner: null });
  await hold(memory, "2026-11-21T09:00:00.000Z", "A topic in the morning", undecided);
  await hold(memory, "2026-11-21T21:00:00.000Z", "A topic in the evening");
  const files = memory.files("/out");
  const index = files.get("index.md")!;
  assert.match(index, /3 convenings on 2 days/);
  assert.ok(index.indexOf("2026-11-21/index.md") < index.indexOf("2026-11-20/index.md"));
  const day = files.get("2026-11-21/index.md")!;
  assert.match(day, /21:00:00[\s\S]*evening[\s\S]*09:00:00[\s\S]*morning \| undecided \|/);
  assert.match(
    day,
    /\(2026-11-21T21-00-00_debate\/index\.md\) \| debate \| completed \| A topic in the evening \| Ada \|/,
  );
  assert.match(
    files.get("2026-11-20/index.md")!,
    /An \\\[older\\\]\\\(http\\:\/\/x\) topic \\\| here/,
  );
});

Deno.test("Archive lists other processes' convenings as their own process listed them", async () => {
  const topics = [
    "Plain, with a comma",
    'Said: "so"',
    "\u{1F600} \u{200B} \u{E0041}",
    "null",
    "id: x, name: y",
  ];
  const memory = new MemoryFileSystem();
  for (const [hour, topic] of topics.entries()) {
    await hold(memory, `2026-11-21T1${hour}:00:00.000Z`, topic);
  }
  const own = memory.files("/out").get("2026-11-21/index.md")!;
  const other = new MemoryFileSystem();
  for (const [path, text] of memory.files("/out")) {
    if (path.endsWith(".lock") || !path.includes("_debate")) continue;
    await other.makeFolder(posix.dirname(`/out/${path}`));
    await other.write(`/out/${path}`, text);
  }
  await hold(other, "2026-11-21T20:00:00.000Z", "One more");
  const rows = (index: string) => index.split("\n").filter((line) => /^\| \[1/.test(line));
  assert.equal(rows(own).length, topics.length);
  assert.match(own, / \| Ada \|/);
  assert.deepEqual(rows(other.files("/out").get("2026-11-21/index.md")!), rows(own));
});

Deno.test("Archive writes the index of a day that lacks one, such as a day of another archive", async () => {
  const memory = new MemoryFileSystem();
  await hold(memory, "2026-11-20T08:00:00.000Z", "A topic of another archive");
  await memory.remove("/out/2026-11-20/index.md");
  await hold(memory, "2026-11-21T09:00:00.000Z", "A topic of this archive");
  const files = memory.files("/out");
  assert.match(files.get("index.md")!, /\(2026-11-20\/index\.md\)/);
  assert.match(files.get("2026-11-20/index.md") ?? "", /A topic of another archive/);
});

Deno.test("Archive leaves a read-only day without an index as it is", async () => {
  class ReadOnlyDay extends MemoryFileSystem {
    override write(path: string, text: string): Promise<void> {
      if (!path.startsWith("/out/2026-11-20/")) return super.write(path, text);
      return Promise.reject(new FileError("denied", path));
    }
  }
  const memory = new ReadOnlyDay();
  await memory.makeFolder("/out/2026-11-20");
  await hold(memory, "2026-11-21T09:00:00.000Z", "A topic of this archive");
  const files = memory.files("/out");
  assert.match(files.get("index.md")!, /A topic of this archive[^]*\[2026-11-20\]/);
  assert.equal(files.has("2026-11-20/index.md"), false);
});

Deno.test("Archive lists a convening whose process died as interrupted, and a running convening as running", async () => {
  const before = new MemoryFileSystem();
  await begun({ start: startOf({ startedAt: "2026-11-21T08:00:00.000Z" }) }, before);
  const memory = await afterCrash(before);
  const live = await begun({ start: startOf({ startedAt: "2026-11-21T09:00:00.000Z" }) }, memory);
  await hold(memory, "2026-11-21T10:00:00.000Z", "One more");
  const day = memory.files("/out").get("2026-11-21/index.md")!;
  assert.match(day, /10:00:00.*completed.*\n.*09:00:00.*running.*\n.*08:00:00.*interrupted/);
  await live.record.close();
});

Deno.test("Archive lists every one of many concurrent convenings", async () => {
  const memory = new MemoryFileSystem();
  const many = Array.from(
    { length: 100 },
    (_, i) => hold(memory, "2026-11-21T09:00:00.000Z", `A topic with number ${i}`),
  );
  await Promise.all(many);
  const files = memory.files("/out");
  const count = await loadTokenCounter();
  const found = new Set<string>();
  const visit = (path: string) => {
    const text = files.get(path);
    assert.ok(text !== undefined, `${path} is linked and missing`);
    assert.ok(count(text) <= 2000, `${path} has ${count(text)} tokens`);
    for (const [, link] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
      const target = posix.join(posix.dirname(path), link!);
      if (/_debate(-\d+)?\/index\.md$/.test(target)) {
        found.add(target);
        assert.ok(files.has(target));
      } else if (!link!.endsWith("../index.md")) visit(target);
    }
  };
  visit("index.md");
  assert.equal(found.size, 100);
  assert.match(files.get("index.md")!, /100 convenings on 1 day/);
});

Deno.test("boundedList() keeps years of rows in pages of 2,000 tokens", async () => {
  const count = await loadTokenCounter();
  const rows = Array.from({ length: 3000 }, (_, i) => {
    const label = `day-${String(i).padStart(4, "0")}`;
    return { label, line: (up: string) => `| [${label}](${up}${label}/index.md) | ${i} |\n` };
  });
  const pages = boundedList({
    title: "All",
    intro: "Newest first.",
    columns: ["day", "count"],
    rows,
  }, count);
  const texts = new Map(pages.map(({ path, text }) => [path, text]));
  for (const [path, text] of texts) assert.ok(count(text) <= 2000, path);
  const linked = [...texts.values()].join("").match(/day-\d{4}\/index\.md/g) ?? [];
  assert.equal(new Set(linked).size, 3000);
  for (const [path, text] of texts) {
    for (const [, link] of text.matchAll(/\]\(([^()\s]*pages\/[^()\s]+)\)/g)) {
      assert.ok(texts.has(posix.join(posix.dirname(path), link!)), link);
    }
  }
});

Deno.test("archivePlace() finds a convening's archive by its path", () => {
  assert.deepEqual(archivePlace("/a/b/2026-11-21/2026-11-21T20-33-05_debate-2"), {
    out: "/a/b",
    day: "2026-11-21",
    name: "2026-11-21T20-33-05_debate-2",
  });
  assert.equal(archivePlace("/somewhere/else"), undefined);
});

Deno.test("byNumber() has a collator's order for any two names of convenings and files, whatever their case", () => {
  const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "accent" });
  const name = fc.tuple(
    fc.constantFrom("", "2026-11-22T", "2026-11-23T"),
    fc.string({ unit: fc.constantFrom(..."abzABZ0199_-./"), maxLength: 9 }),
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(name, name, (a, b) => {
    assert.equal(Math.sign(byNumber(a, b)), Math.sign(compare(a, b)));
  }));
});
