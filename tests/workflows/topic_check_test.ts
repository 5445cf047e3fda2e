import assert from "node:assert/strict";
import { join } from "@std/path";
import { composeConvening, type DebateConfig, memoryRecord } from "../../mod.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { runMain } from "../support/run_main.ts";

const TOPIC = "Should cities ban private cars?";
const WORDS = ["debate", TOPIC, "--rounds", "0", "--max-turns", "1", "--topic-check", "provider"];

function configOf(baseUrl: string): DebateConfig {
  return { kind: "debate", topic: TOPIC, topicCheck: "provider", baseUrl, roundCount: 0 };
}

Deno.test("topicCheck provider refuses what the provider flags, with its categories, and leaves no record", async () => {
  const moderation = { flagged: true, categories: { hate: true, violence: false } };
  await using server = await startModelServer({ moderation });
  await withFolder(async (folder) => {
    const end = await runMain([...WORDS, "--base-url", server.url], { folder });
    assert.equal(end.code, 2, end.stderr);
    assert.match(end.stderr, /Cannot use the topic: 127\.0\.0\.1:\d+ finds it abusive \(hate\)/);
    assert.deepEqual(await namesIn(folder), []);
    assert.equal(server.requests.length, 0);
  });
});

Deno.test("topicCheck provider passes what the provider passes, and resume asks nobody again", async () => {
  await withFolder(async (folder) => {
    let dir = "";
    {
      await using server = await startModelServer({ moderation: { flagged: false } });
      const end = await runMain([...WORDS, "--base-url", server.url, "--json"], { folder });
      assert.equal(end.code, 3, end.stderr);
      dir = String(jsonOf(end)["dir"]);
    }
    assert.match(await Deno.readTextFile(join(dir, "metadata.md")), /topicCheck: provider/);
    await using other = await startModelServer({ moderation: { flagged: true } });
    const words = ["resume", dir, "--max-turns", "2", "--base-url", other.url];
    const end = await runMain(words, { folder });
    assert.equal(end.code, 3, end.stderr);
  });
});

Deno.test("topicCheck provider says so where there is no such endpoint, or no provider", async () => {
  await using server = await startModelServer();
  const error = { code: "config_invalid", field: "topicCheck" };
  const record = memoryRecord();
  await assert.rejects((await composeConvening(configOf(server.url), { record })).run(), error);
  const offline = { ...configOf(server.url), model: "offline" };
  await assert.rejects((await composeConvening(offline, { record })).run(), error);
});
