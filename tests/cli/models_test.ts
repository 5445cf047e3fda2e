// The command that shows what is known of models, and removes lessons.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { forgetLessons } from "../../src/agents/learned.ts";
import { filesBelow } from "../../src/record/disk_files.ts";
import { keepLesson, readLessons } from "../../src/record/archive.ts";
import { jsonOf, withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";

const LESSON = {
  origin: "http://127.0.0.1:9",
  model: "some-model",
  key: "seed",
  from: true,
  to: false,
  because: "400 seed is not supported",
  at: new Date(Date.now()).toISOString(),
};

Deno.test("models NAME prints each key of a profile with its source; lessons come from the archive", async () => {
  await withFolder(async (folder) => {
    forgetLessons();
    const out = join(folder, "convenings");
    await Deno.mkdir(out);
    await keepLesson(filesBelow(out), out, LESSON);
    await Deno.writeTextFile(
      join(folder, "own.yaml"),
      "topic: Cars\nproviders:\n  mine:\n    baseUrl: http://127.0.0.1:9/v1\n    profile: { window: 900 }\n",
    );
    const args = ["models", "mine:some-model", "--config", "own.yaml"];
    const { code, stdout, stderr } = await runMain(args, { folder });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^some-model: mine, http:\/\/127\.0\.0\.1:9\/v1\n/);
    assert.match(stdout, /^ {2}cap: max_tokens \(defaults\)$/m);
    assert.match(stdout, /^ {2}seed: false \(learned\)$/m);
    assert.match(stdout, /^ {2}window: 900 \(user's provider\)$/m);
    assert.match(
      stdout,
      /^ {2}some-model at .*: seed true → false \(.*: 400 seed is not supported\)$/m,
    );

    const forgot = await runMain(["models", "--forget"], { folder });
    assert.equal(forgot.code, 0, forgot.stderr);
    assert.deepEqual(await readLessons(filesBelow(out), out), []);
    const { lessons } = jsonOf(await runMain([...args, "--json"], { folder }));
    assert.deepEqual(lessons, []);
  });
});

Deno.test("models refuses the name local, which stands for no model by itself", async () => {
  await withFolder(async (folder) => {
    const { code, stderr } = await runMain(["models", "local"], { folder });
    assert.equal(code, 2);
    assert.match(stderr, /Cannot use model "local"[^]*ollama:NAME/);
  });
});

Deno.test("models lists the servers that names can stand for", async () => {
  await withFolder(async (folder) => {
    const { code, stdout, stderr } = await runMain(["models"], { folder });
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^ {2}MODEL: OpenAI, https:\/\/api\.openai\.com\/v1, key in OPENAI_API_KEY$/m,
    );
    assert.match(stdout, /^ {2}ollama:MODEL: Ollama, http:\/\/127\.0\.0\.1:11434\/v1$/m);
    const offline = await runMain(["models", "offline"], { folder });
    assert.equal(offline.stdout, "offline: a model of no server\n");
  });
});
