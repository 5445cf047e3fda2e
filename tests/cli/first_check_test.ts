import assert from "node:assert/strict";
import { join } from "@std/path";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { runMain } from "../support/run_main.ts";

const DEBATE = ["debate", "Should cities ban private cars?", "--rounds", "0"];
const KEY = { OPENAI_API_KEY: "sk-wrong" };

function times(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** An address where nothing listens. */
async function deadUrl(): Promise<string> {
  await using server = await startModelServer();
  return server.url;
}

Deno.test("an address where nothing listens is told once, and leaves no record", async () => {
  const url = await deadUrl();
  await withFolder(async (folder) => {
    const end = await runMain([...DEBATE, "--base-url", url], { folder });
    assert.equal(end.code, 1, end.stderr);
    assert.equal(times(end.stderr, "Cannot get a reply"), 1, end.stderr);
    assert.match(end.stderr, /no connection.*refused/);
    assert.deepEqual(await namesIn(folder), []);
  });
});

Deno.test("a wrong key is told once, and leaves no record", async () => {
  await using server = await startModelServer({ key: "sk-right", models: ["gpt-4o-mini"] });
  await withFolder(async (folder) => {
    const words = [...DEBATE, "--base-url", server.url];
    const end = await runMain(words, { folder, env: KEY });
    assert.equal(end.code, 1, end.stderr);
    assert.equal(times(end.stderr, "Cannot get a reply"), 1, end.stderr);
    assert.match(end.stderr, /Check the key in OPENAI_API_KEY/);
    assert.deepEqual(await namesIn(folder), []);
    assert.equal(server.requests.length, 0);
  });
});

Deno.test("a model that the server does not have is told before a record is made", async () => {
  await using server = await startModelServer({
    models: ["other"],
    reply: { status: 404, error: { message: "The model `gpt-4o-mini` does not exist" } },
  });
  await withFolder(async (folder) => {
    const end = await runMain([...DEBATE, "--base-url", server.url], { folder });
    assert.equal(end.code, 1, end.stderr);
    assert.equal(times(end.stderr, "does not exist"), 1, end.stderr);
    assert.deepEqual(await namesIn(folder), []);
    assert.equal(server.requests.length, 1);
  });
});

Deno.test("a server whose list has the model is asked for no reply but the debate's; so is one without a list", async () => {
  for (const models of [["a", "gpt-4o-mini"], ["a", "models/gpt-4o-mini"], undefined]) {
    await using server = await startModelServer({ ...models === undefined ? {} : { models } });
    await withFolder(async (folder) => {
      const words = [...DEBATE, "--max-turns", "1", "--base-url", server.url, "--json"];
      const end = await runMain(words, { folder });
      assert.equal(end.code, 3, end.stderr);
      assert.equal(server.listed, 1);
      assert.ok(server.requests.every(({ body }) => body.messages.length > 1));
    });
  }
});

Deno.test("a model that a list leaves out and the server serves all the same is used", async () => {
  await using server = await startModelServer({ models: [] });
  await withFolder(async (folder) => {
    const words = [...DEBATE, "--max-turns", "1", "--base-url", server.url];
    const end = await runMain(words, { folder });
    assert.equal(end.code, 3, end.stderr);
    assert.equal(server.requests.filter(({ body }) => body.messages.length === 1).length, 1);
  });
});

Deno.test("resume finds a dead address before it goes on, and leaves the record as it is", async () => {
  await withFolder(async (folder) => {
    await using server = await startModelServer();
    const words = [...DEBATE, "--max-turns", "1", "--json", "--base-url", server.url];
    const dir = String(jsonOf(await runMain(words, { folder }))["dir"]);
    const before = await Deno.readTextFile(join(dir, "metadata.md"));
    const end = await runMain(["resume", dir, "--base-url", await deadUrl()], { folder });
    assert.equal(end.code, 1, end.stderr);
    assert.equal(times(end.stderr, "Cannot get a reply"), 1, end.stderr);
    assert.equal(await Deno.readTextFile(join(dir, "metadata.md")), before);
  });
});

Deno.test("the offline agent, a replay and a person are asked nothing beforehand", async () => {
  await using server = await startModelServer({ key: "sk-right" });
  await withFolder(async (folder) => {
    const words = [...DEBATE, "--model", "offline", "--base-url", server.url];
    assert.equal((await runMain(words, { folder, env: KEY })).code, 0);
    assert.equal(server.listed, 0);
  });
});
