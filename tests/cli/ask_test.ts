// Commands `ask` and `brief`.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { jsonOf, withFolder } from "../support/cli.ts";
import { ran, runMain } from "../support/run_main.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { TOPIC } from "../support/talkers.ts";
import { withDebate } from "./support/debates.ts";

withDebate.test("ask prints the passages about a question with their files", async ({ dir, folder }) => {
  const told = await ran(["ask", dir, "What was said about private cars?"], { folder });
  assert.match(told.stdout, /^(?:\d+ {2}.*, [a-z ]+ {2}\/.*\.md\n {4}.*\n)+$/);
  const files = told.stdout.split("\n").flatMap((line) => /\/.*\.md$/.exec(line)?.[0] ?? []);
  assert.ok(files.length > 1 && files.length <= 5);
  for (const file of files) assert.match(await Deno.readTextFile(file), /\bcars?\b/i);
  const none = await runMain(["ask", join(dir, "index.md"), "zebra"], { folder });
  assert.deepEqual([none.code, none.stdout], [0, "Nothing found in 6 messages\n"]);
  const unknown = await runMain(["ask", dir, "cars", "--speaker", "Nobody"], { folder });
  assert.match(
    unknown.stdout,
    /^Nothing found in 0 messages: none fits --speaker Nobody; speakers: .*Advocate A.*; kinds: .*opening_statement/,
  );
  const empty = await ran(["ask", dir, " "], { folder }, 2);
  assert.match(empty.stderr, /^error: Cannot use <question>: /);
  const far = await runMain(["search", "cars", "--kind", "rebutal"], { folder });
  assert.match(
    far.stdout,
    /none fits --kind rebutal; speakers: .*Advocate A.*kinds: .*opening_statement/,
  );
});

withDebate.test("ask omits a damaged message and reports it", async ({ dir, folder }) => {
  const { answers } = jsonOf(await runMain(["ask", dir, "private cars", "--json"], { folder }));
  const [{ file }] = answers as [{ file: string }];
  await Deno.writeTextFile(join(dir, file), "damaged");
  const end = await ran(["ask", dir, "private cars"], { folder });
  assert.ok(!end.stdout.includes(file));
  assert.match(end.stderr, /^left out: \S+\.md: line \d+: /m);
});

withDebate.test("ask --model offline reports that no model answered", async ({ dir, folder }) => {
  const end = await ran(["ask", dir, "private cars", "--model", "offline"], { folder });
  assert.match(end.stderr, /no model answered: these are passages with words of the question/);
});

withDebate.test("ask --model reports how many quotations were left out", async ({ dir, folder }) => {
  await using server = await startSpeaker();
  const { env } = server;
  const end = await ran(["ask", dir, "private cars", "--model", MODEL], { folder, env });
  assert.match(end.stderr, /^left out: 1 quotation found in no message$/m);
});

withFolder.test("brief prints the page and writes it, from a template or by the moderator's model", async (folder) => {
  await using server = await startSpeaker();
  const { env } = server;
  const held = await ran(
    ["debate", TOPIC, "--rounds", "0", "--seed", "1", "--model", MODEL, "--json", "--quiet"],
    { folder, env },
  );
  const dir = String(jsonOf(held)["dir"]);
  const offline = await ran(["brief", dir, "--model", "offline"], { folder });
  assert.match(offline.stdout, /^\n?# Brief: Should cities/);
  assert.match(offline.stdout, /No model wrote this brief/);
  assert.match(offline.stdout, /^Advocate [AB] won with this position: (For|Against): Should /m);
  const asked = server.requests.length;
  const spoken = await ran(["brief", dir, "--as", "adr", "--json"], { folder, env });
  const { brief, page } = jsonOf(spoken) as { brief: Record<string, unknown>; page: string };
  assert.deepEqual([brief["number"], brief["form"], brief["model"]], [2, "adr", MODEL]);
  assert.equal(server.requests.length, asked + 1);
  assert.equal(await Deno.readTextFile(join(dir, "brief.md")), page);
  await ran(["verify", dir], { folder });
  const wrong = await ran(["brief", dir, "--as", "poem"], { folder }, 2);
  assert.match(wrong.stderr, /Allowed: memo, adr, questions/);
});
