// Lessons from servers' errors in records and in the archive.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { composeConvening, memoryRecord, resume } from "../../mod.ts";
import { forgetLessons, lessonsKnown } from "../../src/agents/learned.ts";
import { LESSON_LIFE } from "../../src/core/profile.ts";
import { filesBelow } from "../../src/record/disk_files.ts";
import { keepLesson, readLessons } from "../../src/record/archive.ts";
import { withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";

/** A dialogue of two turns with a seed. */
const DIALOGUE = {
  kind: "dialogue",
  topic: "Should cities ban private cars from their centres?",
  participants: [{ name: "Ada" }, { name: "Ben" }],
  model: "some-model",
  seed: 3,
  maxTurns: 2,
} as const;

Deno.test("a record states dropped parameters, lessons, and sent parameters", async () => {
  await using server = await startModelServer({ rejects: ["seed"] });
  const record = memoryRecord();
  const workflow = await composeConvening({
    ...DIALOGUE,
    model: "gpt-5-mini",
    baseUrl: server.url,
    temperature: 0.5,
    reasoningEffort: "max",
  }, { record });
  await workflow.run();
  const metadata = record.files.get("metadata.md")!;
  assert.match(metadata, /parameter: reasoningEffort, asked: max, sent: high/);
  assert.match(metadata, /parameter: temperature, asked: 0\.5, because: /);
  assert.match(metadata, /^learned:\n {2}- origin: .*\n {4}model: gpt-5-mini\n {4}key: seed$/m);
  assert.match(record.files.get("log.jsonl")!, /"type":"profile_learned"/);
  const [, message] = [...record.files].find(([path]) => path.startsWith("messages/001"))!;
  assert.match(message, /^ {2}served: \{ cap: \d+, effort: high \}$/m);
});

withFolder.test("lessons are stored in the archive, and a later convening states which lesson it uses", async (out) => {
  await using server = await startModelServer({ rejects: ["seed"] });
  const hold = async () => {
    forgetLessons();
    const workflow = await composeConvening({ ...DIALOGUE, baseUrl: server.url, out });
    const { dir } = await workflow.run();
    return await Deno.readTextFile(join(dir!, "metadata.md"));
  };
  const path = join(out, ".models.json");
  const learned = /^learned:\n {2}- origin: .*\n {4}model: some-model\n {4}key: seed$/m;
  assert.match(await hold(), learned);
  const kept = await Deno.readTextFile(path);
  const { lessons: [lesson] } = JSON.parse(kept);
  assert.partialDeepStrictEqual(lesson, { model: "some-model", key: "seed", to: false });
  const sent = server.requests.length;

  forgetLessons();
  const own = { record: memoryRecord() };
  await composeConvening({ ...DIALOGUE, baseUrl: server.url, out }, own);
  assert.equal(lessonsKnown().length, 1, "a plan and a run with a record of its own know it too");
  assert.match(await hold(), learned);
  const later = server.requests.slice(sent).map(({ body }) => body.seed);
  assert.deepEqual(new Set(later), new Set([undefined]));
  assert.equal(await Deno.readTextFile(path), kept);
  // Time of the lesson, not of the convening that uses it.
  assert.match(await hold(), new RegExp(`^ {4}at: "?${lesson.at}"?$`, "m"));

  const old = { ...lesson, at: new Date(Date.now() - LESSON_LIFE - 1000).toISOString() };
  await Deno.writeTextFile(path, JSON.stringify({ version: 1, lessons: [old] }));
  await hold();
  assert.ok(server.requests.at(-1)!.body.seed === undefined);
  assert.notEqual(JSON.parse(await Deno.readTextFile(path)).lessons[0].at, old.at);
});

withFolder.test("nothing is learned from a record's metadata, a future time, an invalid value, or a key that is not learned", async (out) => {
  forgetLessons();
  await using server = await startModelServer();
  const limits = { maxTurns: 1 };
  const workflow = await composeConvening({ ...DIALOGUE, baseUrl: server.url, limits, out });
  const { dir, status } = await workflow.run();
  assert.equal(status, "stopped");
  const { origin } = new URL(server.url);
  const at = new Date(Date.now()).toISOString();
  const lesson = { origin, model: "some-model", from: true, to: false, because: "400 no" };
  const metadata = join(dir!, "metadata.md");
  const noted = JSON.stringify([{ ...lesson, key: "seed", at }]);
  const written = await Deno.readTextFile(metadata);
  await Deno.writeTextFile(metadata, written.replace(/^topic: /m, `learned: ${noted}\ntopic: `));
  const path = join(out, ".models.json");
  const later = new Date(Date.now() + LESSON_LIFE).toISOString();
  const long = { ...lesson, key: "seed", at, because: "no ".repeat(10_000) };
  const unfit = [{ ...lesson, key: "window", at }, { ...lesson, key: "api", to: "chat", at }];
  const lessons = [{ ...lesson, key: "seed", at: later }, long, ...unfit];
  await Deno.writeTextFile(path, JSON.stringify({ version: 1, lessons }));
  const sent = server.requests.length;

  const resumed = await resume(dir!, {
    config: { limits: { maxTurns: 2 } },
    allowBaseUrls: [new URL(server.url).host],
  });
  assert.equal((await resumed.run()).status, "completed");
  assert.ok(server.requests.length > sent);
  for (const { body } of server.requests) assert.notEqual(body.seed, undefined);
  assert.deepEqual(lessonsKnown(), []);
  assert.match(await Deno.readTextFile(metadata), new RegExp(`key: seed[^]*at: "?${at}`));
  const files = filesBelow(out);
  assert.deepEqual(await readLessons(files, out), unfit);

  const learned = { ...lesson, key: "seed", at };
  await keepLesson(files, out, learned);
  assert.deepEqual(await readLessons(files, out), [...unfit, learned]);
});

withFolder.test("a link in place of the archive's lessons is neither read nor written", async (folder) => {
  const out = join(folder, "archive");
  const elsewhere = join(folder, "elsewhere.json");
  const at = new Date(Date.now()).toISOString();
  const origin = "http://127.0.0.1:9";
  const lesson = { origin, model: "m", key: "seed", to: false, because: "" };
  const text = JSON.stringify({ version: 1, lessons: [{ ...lesson, at }] });
  await Deno.mkdir(out);
  await Deno.writeTextFile(elsewhere, text);
  await Deno.symlink(elsewhere, join(out, ".models.json"));
  const files = filesBelow(out);
  assert.deepEqual(await readLessons(files, out), []);
  await keepLesson(files, out, { ...lesson, key: "temperature", at });
  assert.equal(await Deno.readTextFile(elsewhere), text);
});
