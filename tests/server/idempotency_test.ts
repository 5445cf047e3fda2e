// Idempotency keys: repeated requests, restarts, concurrent servers.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { createServer } from "../../src/server/server.ts";
import { MODEL } from "../support/speaking_model.ts";
import { asPost } from "./support/as_post.ts";
import { TALK, type TalkingApp, withTalkers } from "./support/talking_app.ts";

const CONVENINGS = "/api/convenings";

/** Sends a body with an idempotency key; returns the stored parts of the response. */
async function send(
  { fetch }: Pick<TalkingApp, "fetch">,
  key: string,
  { path = CONVENINGS, body = TALK, accept }: {
    readonly path?: string;
    readonly body?: unknown;
    readonly accept?: string;
  } = {},
) {
  const headers = { "idempotency-key": key, ...accept === undefined ? {} : { accept } };
  const answer = await fetch(path, asPost(body, headers));
  const text = await answer.text();
  const json = answer.headers.get("content-type") === "application/json" ? JSON.parse(text) : text;
  return { status: answer.status, location: answer.headers.get("location"), json };
}

async function countOf({ get }: TalkingApp): Promise<number> {
  return (await get(CONVENINGS)).body.counts.total;
}

/** Returns the files of stored keys. */
async function keptIn({ out }: TalkingApp): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(join(out, ".requests"))))
    .filter(({ name }) => name.endsWith(".json")).map(({ name }) => join(out, ".requests", name));
}

withTalkers.test("a repeated request with its key starts nothing and gets the first response", async (app) => {
  const first = await send(app, "key-1");
  assert.equal(first.status, 201);
  await app.pool.run(first.json.id)!.ended;
  assert.deepEqual(await send(app, "key-1"), first);
  assert.equal(await countOf(app), 1);
  const another = await send(app, "key-1", { body: { ...TALK, seed: 2 } });
  assert.deepEqual([another.status, another.json.error.code], [422, "key_reused"]);
  assert.equal((await send(app, "key-1", { path: `${CONVENINGS}/x/fork` })).status, 422);
  assert.notEqual((await send(app, "key-2")).json.id, first.json.id);
  assert.equal(await countOf(app), 2);
  for (const key of ["a b", "ä", "x".repeat(256), ""]) {
    const { status, json } = await send(app, key).catch(() => ({ status: 400, json: undefined }));
    assert.equal(status, 400, key);
    if (json !== undefined) assert.equal(json.error.field, "Idempotency-Key");
  }
  const fork = { path: `${CONVENINGS}/${first.json.id}/fork`, body: { at: 1 } };
  const forked = await send(app, "key-3", fork);
  assert.equal(forked.status, 201);
  assert.deepEqual(await send(app, "key-3", fork), forked);
  assert.equal(await countOf(app), 3);
});

withTalkers.test("of concurrent requests with one key only one starts a convening", async (app) => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(app, "at-once")));
  for (const each of answers) assert.deepEqual(each, answers[0]);
  assert.equal(answers[0]!.status, 201);
  assert.equal(await countOf(app), 1);
});

withTalkers.test("a response is stored across a restart of the server for a day", async (app) => {
  const first = await send(app, "key");
  await app.pool.run(first.json.id)!.ended;
  const { out } = app;
  const stale = join(out, ".requests", "stale.json");
  await Deno.writeTextFile(stale, "");
  await Deno.utime(stale, 0, 0);
  const later = createServer({ out, models: { model: MODEL } });
  const fetch = (path: string, init?: RequestInit) =>
    later.fetch(new Request(`http://127.0.0.1${path}`, init));
  assert.deepEqual(await send({ fetch }, "key"), first);
  assert.equal(await countOf(app), 1);
  await later.close();
  await assert.rejects(Deno.stat(stale), Deno.errors.NotFound);
  const [path = ""] = await keptIn(app);
  const kept = JSON.parse(await Deno.readTextFile(path));
  await Deno.writeTextFile(path, JSON.stringify({ ...kept, at: kept.at - 86_400_001 }));
  assert.notEqual((await send(app, "key")).json.id, first.json.id);
});

/** Removes the response from the stored file, as after a crash; returns the file and its claim. */
async function unanswered(app: TalkingApp): Promise<{ path: string; claim: { at: number } }> {
  const [path = ""] = await keptIn(app);
  const { answer: _, ...kept } = JSON.parse(await Deno.readTextFile(path));
  const claim = { ...kept, at: kept.at - 30_000 };
  await Deno.writeTextFile(path, JSON.stringify(claim));
  return { path, claim };
}

withTalkers.test("a rejection is not stored, and an invalid file is reported as damaged", async (app) => {
  // A file in the place of the keys' folder keeps no key.
  await Deno.writeTextFile(join(app.out, ".requests"), "");
  const { status, json } = await send(app, "key");
  assert.deepEqual([status, json.error.code], [500, "record_unwritable"]);
  assert.equal(json.error.field, ".requests");
  assert.match(json.error.message, /^Cannot write \.requests: a part of the path is a file/);
  await Deno.remove(join(app.out, ".requests"));
  assert.equal((await send(app, "key", { body: { ...TALK, topic: "" } })).status, 400);
  assert.deepEqual(await keptIn(app), []);
  assert.equal((await send(app, "key")).status, 201);
  const [path = ""] = await keptIn(app);
  await Deno.writeTextFile(path, "no JSON");
  assert.equal((await send(app, "key")).json.error.code, "record_corrupt");
  assert.equal(await countOf(app), 1);
});

withTalkers.test("a request whose server crashed before the response returns the convening it started, or runs again", async (app) => {
  const first = await send(app, "key");
  const { path, claim } = await unanswered(app);
  const { status, json } = await send(app, "key");
  assert.deepEqual([status, json.error.code], [409, "taken"]);
  assert.ok(json.error.hint.startsWith(`GET ${first.location} `), json.error.hint);
  assert.equal((await send(app, "key", { body: { ...TALK, seed: 2 } })).status, 422);
  assert.equal(await countOf(app), 1);
  // The convening is older than the key, so the request has not started it.
  await Deno.writeTextFile(path, JSON.stringify({ ...claim, at: claim.at + 60_000 }));
  const again = await send(app, "key");
  assert.equal(again.status, 201);
  assert.notEqual(again.json.id, first.json.id);
  assert.deepEqual(await send(app, "key"), again);
  assert.equal(await countOf(app), 2);
});

withTalkers.test("after a crash no second convening starts for a judge check without a topic, a topic with blanks, papers, or a fork", async (app) => {
  await app.post("/api/papers", { id: "trees", title: "Trees", text: "Trees cool streets." });
  const question = "Do trees cool streets?";
  const { location: talk } = await send(app, "talk", { body: { ...TALK, topic: "Do buses pay?" } });
  await app.pool.run(basename(talk!))!.ended;
  const started = [
    { body: { kind: "judge-check", quick: true } },
    { body: { ...TALK, topic: ` ${TALK.topic} ` } },
    { body: { kind: "paper-debate", paperIds: ["trees"], question } },
    {
      path: "/api/mas-debate/run",
      body: { paperId: "trees", question: "Do trees  cool\nstreets?", numPostures: 2 },
    },
    { path: "/api/mas-debate/run-complete", body: { paperId: "trees", numPostures: 2 } },
    { path: `${talk}/fork`, body: { at: 1 } },
  ];
  for (const [index, request] of started.entries()) {
    const key = `key-${index}`;
    // The file of a request without an answer has the time before the start.
    const at = Date.now();
    const { location } = await send(app, key, request);
    await app.pool.run(basename(location!))?.ended;
    for (const path of await keptIn(app)) {
      const { answer: _, ...claim } = JSON.parse(await Deno.readTextFile(path));
      await Deno.writeTextFile(path, JSON.stringify({ ...claim, at }));
    }
    const { status, json } = await send(app, key, request);
    assert.deepEqual([status, json.error?.code], [409, "taken"], key);
    assert.ok(json.error.hint.startsWith(`GET ${location} `), json.error.hint);
    assert.equal(json.error.hint.includes("another client"), [0, 4].includes(index), key);
  }
  assert.equal(await countOf(app), 1 + started.length);
});

withTalkers.test("a request that another server is handling is not run a second time", async (app) => {
  await send(app, "key");
  const { path } = await unanswered(app);
  using other = await Deno.open(`${path}.lock`, { read: true, write: true });
  await other.lock(true);
  const { status, json } = await send(app, "key");
  assert.deepEqual([status, json.error.code], [409, "taken"]);
  assert.equal(json.error.hint, "Send the request again later.");
  await other.unlock();
  assert.equal(await countOf(app), 1);
});

withTalkers.test("a link in the keys' folder is not followed", async (app) => {
  const outside = join(app.out, "../outside");
  await Deno.mkdir(outside);
  await Deno.symlink(outside, join(app.out, ".requests"));
  assert.equal((await send(app, "key")).json.error.code, "record_corrupt");
  assert.deepEqual(await Array.fromAsync(Deno.readDir(outside)), []);
  await Deno.remove(join(app.out, ".requests"));
  assert.equal((await send(app, "key")).status, 201);
  const [path = ""] = await keptIn(app);
  await Deno.rename(path, join(outside, "kept.json"));
  await Deno.symlink(join(outside, "kept.json"), path);
  assert.equal((await send(app, "key")).json.error.code, "record_corrupt");
  assert.equal(await countOf(app), 1);
});

withTalkers.test("a debate with an event stream as response returns the stream's URL", async (app) => {
  await app.post("/api/papers", { id: "trees", title: "Trees", text: "Trees cool streets." });
  const debate = {
    path: "/api/mas-debate/run",
    body: { paperId: "trees", question: "Do trees cool streets?", numPostures: 2 },
    accept: "text/event-stream",
  };
  const first = await send(app, "key", debate);
  assert.match(first.json, /event: complete/);
  const { status, json } = await send(app, "key", debate);
  assert.deepEqual([status, json.error.code], [409, "taken"]);
  assert.ok(json.error.hint.includes(`${first.location}/events`), json.error.hint);
  assert.equal(await countOf(app), 1);
});
