import assert from "node:assert/strict";
import { join } from "@std/path";
import { jsonOf, withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";

const TOPIC = "Should cities ban private cars from their centres?";

Deno.test("brief prints the page and writes it, by a template or by the model of the moderator", async () => {
  await withFolder(async (folder) => {
    await using server = await startSpeaker();
    const { env } = server;
    const held = await runMain(
      ["debate", TOPIC, "--rounds", "0", "--seed", "1", "--model", MODEL, "--json", "--quiet"],
      { folder, env },
    );
    assert.equal(held.code, 0, held.stderr);
    const dir = String(jsonOf(held)["dir"]);
    const offline = await runMain(["brief", dir, "--model", "offline"], { folder });
    assert.equal(offline.code, 0, offline.stderr);
    assert.match(offline.stdout, /^\n?# Brief: Should cities/);
    assert.match(offline.stdout, /No model wrote this brief/);
    const asked = server.requests.length;
    const spoken = await runMain(["brief", dir, "--as", "adr", "--json"], { folder, env });
    assert.equal(spoken.code, 0, spoken.stderr);
    const { brief, page } = jsonOf(spoken) as { brief: Record<string, unknown>; page: string };
    assert.deepEqual([brief["number"], brief["form"], brief["model"]], [2, "adr", MODEL]);
    assert.equal(server.requests.length, asked + 1);
    assert.equal(await Deno.readTextFile(join(dir, "brief.md")), page);
    const verified = await runMain(["verify", dir], { folder });
    assert.equal(verified.code, 0, verified.stdout);
    const wrong = await runMain(["brief", dir, "--as", "poem"], { folder });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /Allowed: memo, adr, questions/);
  });
});
