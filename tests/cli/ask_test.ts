import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { jsonOf, withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";

const TOPIC = "Should cities ban private cars from their centres?";

/** Runs `use` with a finished debate of no rounds. */
async function withDebate(use: (dir: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const end = await runMain(
      ["debate", TOPIC, "--rounds", "0", "--seed", "1", "--json", "--quiet"],
      { folder },
    );
    await use(String(jsonOf(end)["dir"]), folder);
  });
}

Deno.test("ask prints what was said about a question, with the files that say it", async () => {
  await withDebate(async (dir, folder) => {
    const told = await runMain(["ask", dir, "What was said about private cars?"], { folder });
    assert.equal(told.code, 0, told.stderr);
    assert.match(told.stdout, /^(?:\d+ {2}.*, [a-z ]+ {2}\/.*\.md\n {4}.*\n)+$/);
    const files = told.stdout.split("\n").flatMap((line) => /\/.*\.md$/.exec(line)?.[0] ?? []);
    assert.ok(files.length > 1 && files.length <= 5);
    for (const file of files) assert.match(await Deno.readTextFile(file), /\bcars?\b/i);
    const none = await runMain(["ask", join(dir, "index.md"), "zebra"], { folder });
    assert.deepEqual([none.code, none.stdout], [0, "Nothing found in 6 messages\n"]);
  });
});

Deno.test("ask --json prints one document, whose files stand in the directory", async () => {
  await withDebate(async (dir, folder) => {
    const end = await runMain(["ask", dir, "private cars", "--limit", "2", "--json"], { folder });
    assert.equal(end.code, 0, end.stderr);
    const { answers, ...rest } = jsonOf(end);
    assert.deepEqual(rest, {
      answer: null,
      dir,
      id: basename(dir),
      question: "private cars",
      messages: 6,
      skipped: [],
    });
    const rows = answers as Record<string, unknown>[];
    assert.equal(rows.length, 2);
    for (const row of rows) {
      const keys = ["seq", "name", "kind", "round", "score", "snippet", "file"];
      assert.deepEqual(Object.keys(row), keys);
      const text = await Deno.readTextFile(join(dir, String(row["file"])));
      assert.match(text, new RegExp(`^seq: ${row["seq"]}$`, "m"));
    }
    const none = jsonOf(await runMain(["ask", dir, "((zebra|", "--json"], { folder }));
    assert.deepEqual(none["answers"], []);
  });
});

Deno.test("ask leaves a damaged message out and says so", async () => {
  await withDebate(async (dir, folder) => {
    const { answers } = jsonOf(await runMain(["ask", dir, "private cars", "--json"], { folder }));
    const [{ file }] = answers as [{ file: string }];
    await Deno.writeTextFile(join(dir, file), "damaged");
    const end = await runMain(["ask", dir, "private cars"], { folder });
    assert.equal(end.code, 0);
    assert.ok(!end.stdout.includes(file));
    assert.match(end.stderr, /^left out: .*\.md: /m);
  });
});

Deno.test("ask refuses what it cannot answer, with exit 2", async () => {
  await withDebate(async (dir, folder) => {
    const refused: readonly (readonly [readonly string[], string, RegExp])[] = [
      [["ask", dir], "config_invalid", /question/],
      [["ask", dir, " "], "config_invalid", /question is empty/],
      [["ask", dir, "cars", "--limit", "0"], "config_invalid", /--limit/],
      [["ask", dir, "cars", "--limit", "many"], "config_invalid", /--limit/],
      [["ask", dir, "two", "words"], "config_invalid", /argument/],
      [["ask", "nowhere", "cars"], "not_found", /nowhere/],
    ];
    for (const [args, code, says] of refused) {
      const end = await runMain([...args, "--json"], { folder });
      assert.equal(end.code, 2, args.join(" "));
      const { error } = jsonOf(end) as { error: { code: string; message: string } };
      assert.equal(error.code, code);
      assert.match(error.message, says);
    }
  });
});

Deno.test("ask --model offline says that no model answered", async () => {
  await withDebate(async (dir, folder) => {
    const end = await runMain(["ask", dir, "private cars", "--model", "offline"], { folder });
    assert.equal(end.code, 0, end.stderr);
    assert.match(end.stderr, /no model answered: these are passages with words of the question/);
  });
});
