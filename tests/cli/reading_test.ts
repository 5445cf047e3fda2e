import assert from "node:assert/strict";
import { join } from "@std/path";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";
import { startModelServer } from "../support/model_server.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";

const TOPIC = "Should cities ban private cars from their centres?";

async function debate(args: readonly string[], folder: string): Promise<string> {
  const end = await runMain(["debate", TOPIC, "--seed", "1", "--json", "--quiet", ...args], {
    folder,
  });
  assert.equal(end.code, 0, end.stdout + end.stderr);
  return String(jsonOf(end)["dir"]);
}

Deno.test("search finds messages of an archive by words, best first", async () => {
  await withFolder(async (folder) => {
    const dir = await debate(["--rounds", "0"], folder);
    const end = await runMain(["search", "private cars", "--limit", "2", "--json"], { folder });
    assert.equal(end.code, 0, end.stderr);
    const { results, convenings, messages, skipped } = jsonOf(end);
    const rows = results as { dir: string; seq: number; score: number; snippet: string }[];
    assert.equal(rows.length, 2);
    assert.ok(rows.every((row) => row.dir === dir && row.snippet !== ""));
    assert.ok(rows[0]!.score >= rows[1]!.score);
    assert.deepEqual([convenings, messages, skipped], [1, 6, []]);
    const told = await runMain(["search", "private cars", "--limit", "1"], { folder });
    assert.match(told.stdout, /^\S+_debate {2}\d+ {2}.*\n {4}.*\n$/);
    const none = await runMain(["search", "zebra", "--out", "convenings"], { folder });
    assert.equal(none.stdout, "Nothing found in 6 messages of 1 convenings\n");
    await Deno.writeTextFile(join(dir, "metadata.md"), "damaged");
    const damaged = await runMain(["search", "cars"], { folder });
    assert.equal(damaged.code, 0);
    assert.match(damaged.stderr, /^left out: .*_debate: /m);
  });
});

Deno.test("show --private, --rejected and --facts print what is kept beside a message", async () => {
  await using server = await startModelServer({
    respond: ({ body }, index) =>
      JSON.stringify(body.response_format ?? {}).includes('"critique"') && index > 0
        ? {
          json: {
            reflection: `secret reflection ${index}`,
            critique: `secret critique ${index}`,
            speech: "Cities should ban private cars from their centres.",
          },
        }
        : {},
  });
  await withFolder(async (folder) => {
    const dir = await debate([
      ...["--base-url", server.url, "--rounds", "1", "--rcr", "--fact-check", "standard"],
      ...["--guard", "coherence=off"],
    ], folder);
    const plain = await runMain(["show", dir, "4"], { folder });
    assert.doesNotMatch(plain.stdout, /secret/);
    const shown = await runMain(["show", dir, "6", "--private", "--rejected", "--facts"], {
      folder,
    });
    assert.match(shown.stdout, /## Private: reflection\n\nsecret reflection \d+\n/);
    assert.match(shown.stdout, /## Private: critique\n\nsecret critique \d+\n/);
    // Every speech is the same: all but a speaker's first are rejected.
    assert.match(shown.stdout, /## Rejected: attempt 1, by repetition\n\n.+\n\n> Cities should/);
    assert.match(shown.stdout, /## Fact check\n\n/);
    const json = jsonOf(await runMain(["show", dir, "6", "--json"], { folder }));
    const { private: fields, rejected, factCheck } = json;
    assert.match(JSON.stringify(fields), /secret reflection/);
    assert.deepEqual((rejected as { attempt: number }[]).map(({ attempt }) => attempt), [1, 2, 3]);
    assert.equal((factCheck as { mode: string }).mode, "standard");
    const intro = await runMain(["show", dir, "1", "--json"], { folder });
    assert.equal(jsonOf(intro)["private"], null);
  });
});

Deno.test("judge adds a panel's judgement and leaves the first to the byte", async () => {
  await using speaker = await startSpeaker();
  await withFolder(async (folder) => {
    const { env } = speaker;
    const dir = await debate(["--rounds", "0"], folder);
    const scores = join(dir, "scores");
    const before = await namesIn(scores);
    const texts = await Promise.all(before.map((name) => Deno.readTextFile(join(scores, name))));
    await Deno.writeTextFile(
      join(folder, "own.yaml"),
      "id: own\nscale: [0, 1]\ncriteria: [{ id: warmth, weight: 1, description: Is it warm? }]\n" +
        "anchors: [{ from: 0, means: none }]\n",
    );
    const end = await runMain(
      ["judge", dir, "--rubric", "academic", "--model", MODEL, "--json"],
      { folder, env },
    );
    assert.equal(end.code, 0, end.stderr);
    const { panel, status, winner } = jsonOf(end);
    const told = panel as Record<string, unknown>;
    assert.equal(told["rubric"], "academic");
    assert.deepEqual((told["judges"] as { model: string }[]).map(({ model }) => model), [
      MODEL,
    ]);
    for (const key of ["outcome", "scores", "unscored", "agreement", "contradictions"]) {
      assert.ok(key in told, key);
    }
    assert.equal(status, "completed");
    assert.equal(winner, jsonOf(await runMain(["resume", dir, "--json"], { folder }))["winner"]);
    for (const [at, name] of before.entries()) {
      assert.equal(await Deno.readTextFile(join(scores, name)), texts[at]);
    }
    assert.equal((await namesIn(scores)).length, 2 * before.length);
    const own = await runMain(["judge", dir, "--rubric", "own.yaml"], { folder });
    assert.equal(own.code, 0, own.stderr);
    assert.match(own.stdout, /^Judged by own: offline\nOutcome: /);
    assert.equal((await runMain(["verify", dir], { folder })).code, 0);
    const both = await runMain(["judge", dir, "--model", "a", "--judge-model", "b"], { folder });
    assert.equal(both.code, 2);
    assert.match(both.stderr, /Cannot use --model a: --judge-model names the judges/);
  });
});
