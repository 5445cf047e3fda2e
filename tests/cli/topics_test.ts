// Command `topics` and the flag `--topic-from`.
import assert from "node:assert/strict";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { OFFLINE, ran, runMain } from "../support/run_main.ts";

const TOPICS = [
  "Should cities ban private cars from their centres?",
  "Should buses be free for everyone in the city?",
];

withFolder.test("topics prints the requested number of topics, one per line, and writes nothing", async (folder) => {
  const end = await ran(["topics", "city traffic", "--n", "3", "--seed", "1"], { folder });
  const lines = end.stdout.trimEnd().split("\n");
  assert.equal(lines.length, 3);
  const json = await runMain(["topics", "city traffic", "--n", "3", "--seed", "1", "--json"], {
    folder,
  });
  const { usage: _usage, ...told } = jsonOf(json);
  const offline = { model: "offline", noModelSpoke: true };
  assert.deepEqual(told, { subject: "city traffic", topics: lines, ...offline });
  assert.match(end.stderr, /No model spoke/);
  assert.deepEqual(await namesIn(folder), []);
  const elsewhere = ["topics", "cars", "--base-url", "http://models.example/v1"];
  const host = await ran(elsewhere, { folder, permitted: OFFLINE }, 2);
  assert.match(host.stderr, /--allow-net=models\.example/);
});

withFolder.test("topics says how many topics did not come, in its JSON too", async (folder) => {
  const asked = ["topics", "city traffic", "--n", "50"];
  const end = await ran(asked, { folder });
  const { length } = end.stdout.trimEnd().split("\n");
  assert.ok(length < 50);
  assert.match(end.stderr, new RegExp(`^${length} of 50 topics: "offline" gave no more\\.$`, "m"));
  const { missing } = jsonOf(await runMain([...asked, "--json"], { folder }));
  assert.equal(missing, 50 - length);
});

withFolder.test("debate --topic-from debates the chosen topic and lists all", async (folder) => {
  await using server = await startModelServer({
    respond: ({ body }) =>
      JSON.stringify(body.response_format ?? {}).includes('"topics"')
        ? { json: { topics: TOPICS } }
        : {},
  });
  const args = ["debate", "--topic-from", "city traffic", "--base-url", server.url];
  const end = await ran([...args, "--rounds", "0", "--pick", "2", "--json"], { folder });
  assert.match(end.stderr, /^1\. Should cities ban .*\n→ 2\. Should buses be free/m);
  const shown = await runMain(["list", "--json"], { folder });
  const [row] = jsonOf(shown)["convenings"] as { topic: string }[];
  assert.equal(row?.topic, TOPICS[1]);
  const over = await ran([...args, "--pick", "9", "--json"], { folder }, 2);
  const { field, hint } = jsonOf(over)["error"] as Record<string, string>;
  assert.equal(field, "--pick");
  assert.match(hint ?? "", /1 to 2:[^]*1\. Should cities[^]*2\. Should buses/);
});
