// Pages of messages and facts open only their own files.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { factPage, messagePage, verdictsOf } from "../../src/operations/reading_convenings.ts";
import { renderFact } from "../../src/record/codec.ts";
import { messageOf, scoreOf, verdictOf } from "../record/support/fixtures.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { keepRecord, rest } from "./support/kept_record.ts";

const MANY = 60;
const SEQS = Array.from({ length: MANY }, (_, at) => at + 1);
const NUMBERS = new Set([31, 32, 33]);
const NAMING = { width: 3, layout: 2, messageName: () => undefined } as const;

/** Returns the facts of a long debate with a score for every message. */
function facts() {
  return [
    ...SEQS.map((seq) => messageOf(seq)),
    ...SEQS.map((seq) => scoreOf(seq, seq % 2 === 1 ? "advocate-a" : "advocate-b", [7, 8])),
    verdictOf(1, "advocate-a"),
  ];
}

/** Makes all files outside the page unreadable, so that opening one would fail. */
async function spoilOthers(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    if (!NUMBERS.has(parseInt(name, 10))) await Deno.writeTextFile(join(folder, name), "no page");
  }
}

withFolder.test("messagePage() opens only the files of its page", async (out) => {
  const dir = await keepRecord(out, facts());
  await spoilOthers(join(dir, "messages"));
  const { messages, skipped, next, total } = await messagePage(dir, { after: 30, limit: 3 });
  assert.deepEqual(messages.map(({ seq }) => seq), [31, 32, 33]);
  assert.deepEqual([skipped, next, total], [[], 33, MANY]);
  const { skipped: damaged } = await messagePage(dir, { after: 32, limit: 3 });
  assert.equal(damaged.length, 2);
});

withFolder.test("messagePage() reports a damaged message once, on the page that it would be on", async (out) => {
  const dir = await keepRecord(out, SEQS.slice(0, 6).map((seq) => messageOf(seq)));
  const [name = ""] = (await namesIn(join(dir, "messages"))).filter((each) => /^003_/.test(each));
  await Deno.writeTextFile(join(dir, "messages", name), "damaged");
  const page = async (after: number) => {
    const found = await messagePage(dir, { after, limit: 1, speaker: "Ada" });
    return [found.messages.map(({ seq }) => seq), found.skipped.length, found.next];
  };
  assert.deepEqual([await page(0), await page(1)], [[[1], 0, 1], [[5], 1, null]]);
});

withFolder.test("factPage() opens only the files of its page and the verdicts", async (out) => {
  const dir = await keepRecord(out, facts());
  await spoilOthers(join(dir, "scores"));
  await spoilOthers(join(dir, "messages"));
  const page = await factPage(dir, "score", { after: 30, limit: 3 });
  assert.deepEqual(page.facts.map(({ message }) => message), [31, 32, 33]);
  assert.deepEqual((await verdictsOf(dir)).map(({ number }) => number), [1]);
  assert.deepEqual([page.next, page.total], [33, MANY]);
  await assert.rejects(factPage(dir, "score", { after: 32, limit: 3 }), { code: "record_corrupt" });
});

withFolder.test("factPage() keeps several judges' scores of a message together", async (out) => {
  const scores = [1, 2, 3].flatMap((seq) =>
    ["one", "two"].map((judge) => ({ ...scoreOf(seq, "advocate-a", [7, 8]), judge }))
  );
  const dir = await keepRecord(out, [...[1, 2, 3].map((seq) => messageOf(seq)), ...scores]);
  const first = await factPage(dir, "score", { limit: 2 });
  assert.deepEqual(first.facts.map(({ message }) => message), [1, 1, 2, 2]);
  assert.deepEqual([first.next, first.total], [2, 6]);
  const second = await factPage(dir, "score", { after: 2, limit: 2 });
  assert.deepEqual(second.facts.map(({ message }) => message), [3, 3]);
  assert.equal(second.next, null);
});

withFolder.test("messagePage() detects files that another process adds to an idle folder or removes", async (out) => {
  const dir = await keepRecord(out, facts());
  assert.equal((await messagePage(dir)).total, MANY);
  const path = join(dir, "messages/061_position_advocate_87654321.md");
  await Deno.writeTextFile(path, renderFact(messageOf(MANY + 1), NAMING));
  const { messages, total, next } = await messagePage(dir, { after: MANY });
  assert.deepEqual([messages.map(({ seq }) => seq), total, next], [[61], 61, null]);
  await rest(dir);
  assert.equal((await messagePage(dir)).total, 61);
  await Deno.remove(path);
  assert.equal((await messagePage(dir)).total, MANY);
});

withFolder.test("messagePage() detects a file that another process adds in the same clock tick as the last change", async (out) => {
  const dir = await keepRecord(out, facts());
  const folder = join(dir, "messages");
  // Ahead of the clock, so that the change counts as recent however slow the test is.
  const time = new Date(Date.now() + 60_000);
  await Deno.utime(folder, time, time);
  assert.equal((await messagePage(dir)).total, MANY);
  const path = join(folder, "061_position_advocate_87654321.md");
  await Deno.writeTextFile(path, renderFact(messageOf(MANY + 1), NAMING));
  await Deno.utime(folder, time, time);
  assert.equal((await messagePage(dir)).total, MANY + 1);
});

withFolder.test("messagePage() reads no message and no folder that is a link", async (out) => {
  const dir = await keepRecord(out, [messageOf(1), messageOf(2)]);
  const messages = join(dir, "messages");
  const elsewhere = join(out, "elsewhere.md");
  await Deno.writeTextFile(elsewhere, renderFact(messageOf(3), NAMING));
  await Deno.symlink(elsewhere, join(messages, "003_position_advocate_87654321.md"));
  const { messages: read, skipped } = await messagePage(dir);
  assert.deepEqual([read.length, skipped.map(({ path }) => path)], [
    2,
    ["messages/003_position_advocate_87654321.md"],
  ]);
  await Deno.rename(messages, join(out, "messages"));
  await Deno.symlink(join(out, "messages"), messages);
  await assert.rejects(messagePage(dir), {
    code: "record_corrupt",
    message: /messages: it is a symbolic link/,
  });
});
