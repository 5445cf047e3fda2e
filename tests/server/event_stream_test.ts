// Event streams, caching headers and compression.
import assert from "node:assert/strict";
import { ConveningError } from "../../src/core/error.ts";
import { eventStream, type SentEvent } from "../../src/server/events.ts";
import { withApp } from "./support/open_app.ts";
import { MODEL } from "../support/speaking_model.ts";

const open = new AbortController().signal;
const OUT = "/srv/archive";
const SCOPE = { out: OUT };

/** An event source that yields nothing until its signal aborts. */
async function* silent(signal: AbortSignal): AsyncGenerator<SentEvent> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  yield { data: "too late" };
}

Deno.test("eventStream() sends a comment at once and repeats it while there are no events", async () => {
  const response = eventStream(silent, {
    signal: open,
    scope: SCOPE,
    heartbeat: 1,
    headers: { location: "/x" },
  });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("location"), "/x");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, ": here\n\n");
  assert.equal((await reader.read()).value, ": alive\n\n");
  assert.equal((await reader.read()).value, ": alive\n\n");
  await reader.cancel();
});

Deno.test("eventStream() ends when the server ends, whatever its source waits for", async () => {
  const server = new AbortController();
  const text = eventStream(silent, { signal: server.signal, scope: SCOPE }).text();
  server.abort();
  assert.equal(await text, ": here\n\n");
});

Deno.test("eventStream() closes its source when the client disconnects", async () => {
  const closed = Promise.withResolvers<void>();
  async function* source(signal: AbortSignal): AsyncGenerator<SentEvent> {
    try {
      yield { data: 1 };
      yield* silent(signal);
    } finally {
      closed.resolve();
    }
  }
  const reader = eventStream(source, { signal: open, scope: SCOPE }).body!.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  await closed.promise;
});

Deno.test("eventStream() tells the server no error when the client disconnects", async () => {
  const told: unknown[] = [];
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
  async function* source(signal: AbortSignal): AsyncGenerator<SentEvent> {
    yield { data: {} };
    await new Promise((_, reject) => signal.onabort = () => reject(signal.reason));
  }
  const scope = { ...SCOPE, onUnexpected: (error: unknown) => told.push(error) };
  const reader = eventStream(source, { signal: open, scope, onEnd }).body!.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  await ended;
  assert.deepEqual(told, []);
});

Deno.test("eventStream() releases its place once, also if the client leaves with the end unread", async () => {
  let released = 0;
  const failed = Promise.withResolvers<void>();
  const onEnd = () => {
    released++;
    failed.resolve();
  };
  // deno-lint-ignore require-yield -- it fails before there is anything
  async function* source(): AsyncGenerator<SentEvent> {
    await Promise.resolve();
    throw new Error("unmeant");
  }
  const reader = eventStream(source, { signal: open, scope: SCOPE, onEnd }).body!.getReader();
  await reader.read();
  await failed.promise;
  await reader.cancel();
  assert.equal(released, 1);
});

Deno.test("eventStream() reports a known error without the archive's path, and hides an unexpected one", async () => {
  // deno-lint-ignore require-yield -- it fails before there is anything
  async function* failing(error: Error): AsyncGenerator<SentEvent> {
    await Promise.resolve();
    throw error;
  }
  const known = new ConveningError(
    "record_corrupt",
    `Cannot read ${OUT}/2026-11-28/a/metadata.md in ${OUT}. It is no copy of ${OUT}-old/a, ${OUT}.old/a or ${OUT}`,
  );
  const text = async (error: Error) =>
    await eventStream(() => failing(error), { signal: open, scope: SCOPE }).text();
  const reported = await text(known);
  assert.match(reported, /event: error\ndata: \{"error":\{"code":"record_corrupt"/);
  const shown = "Cannot read a/metadata.md in the archive. It is no copy of " +
    `${OUT}-old/a, ${OUT}.old/a or the archive"`;
  assert.ok(reported.includes(shown), reported);
  const unmeant = await text(new TypeError("/home/somebody/secret"));
  assert.match(unmeant, /"code":"unexpected"/);
  assert.doesNotMatch(unmeant, /secret/);
});

withApp.test("a client that does not read, or disconnects, delays no run", async ({ pool }) => {
  const run = await pool.start({
    kind: "dialogue",
    topic: "What makes a good teacher?",
    model: MODEL,
    maxTurns: 20,
  });
  async function* events(signal: AbortSignal): AsyncGenerator<SentEvent> {
    for await (const event of pool.events(run.dir, { signal })) yield { data: event };
  }
  const slow = eventStream(events, { signal: open, scope: SCOPE });
  const leaver = eventStream(events, { signal: open, scope: SCOPE }).body!.getReader();
  await leaver.read();
  await leaver.cancel();
  const { state } = await run.ended;
  assert.equal(state, "ended");
  const numbers = [...(await slow.text()).matchAll(/^data: \{"n":(\d+)/gm)].map(([, n]) =>
    Number(n)
  );
  assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
  assert.equal(numbers.length, numbers.at(-1));
});

withApp.test("a client with a current JSON response gets 304 until the response changes", async ({ ask, hold }) => {
  const id = await hold();
  const paths = ["", `/${id}`, `/${id}/messages?limit=1`, `/${id}/scores`, `/${id}/verify`]
    .map((each) => `/api/convenings${each}`);
  for (const path of [...paths, "/api/openapi.json", "/api/papers", "/api/search?q=teacher"]) {
    const whole = await ask(path);
    const etag = whole.headers.get("etag")!;
    assert.match(etag, /^"[0-9a-f]{32}"$/, path);
    assert.equal(whole.headers.get("content-length"), `${(await whole.bytes()).length}`);
    assert.equal(whole.headers.get("cache-control"), "private, no-cache");
    for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
      const again = await ask(path, { headers: { "if-none-match": known } });
      assert.deepEqual([again.status, await again.text()], [304, ""], `${path} ${known}`);
      assert.equal(again.headers.get("etag"), etag);
      assert.equal(again.headers.get("content-type"), null);
      assert.equal(again.headers.get("x-content-type-options"), "nosniff");
    }
    const other = await ask(path, { headers: { "if-none-match": '"another"' } });
    assert.equal(other.status, 200);
    await other.body?.cancel();
  }
  const [list = ""] = paths;
  const before = (await ask(list)).headers.get("etag")!;
  await hold();
  const after = await ask(list, { headers: { "if-none-match": before } });
  assert.equal(after.status, 200);
  assert.notEqual(after.headers.get("etag"), before);
  const refusal = await ask(`/api/convenings/none`);
  assert.deepEqual([refusal.status, refusal.headers.get("etag")], [404, null]);
});

withApp.test("responses are compressed for clients that accept it, but neither event streams nor small responses", async ({ ask, hold }) => {
  const id = await hold();
  const headers = { "accept-encoding": "gzip, br" };
  const log = `/api/convenings/${id}/files/log.jsonl`;
  for (const path of ["/api/openapi.json", `/convenings/${id}`, "/static/style.css", log]) {
    const whole = await (await ask(path)).bytes();
    const packed = await ask(path, { headers });
    assert.equal(packed.headers.get("content-encoding"), "gzip", path);
    assert.match(packed.headers.get("vary") ?? "", /accept-encoding/i);
    assert.equal(packed.headers.get("content-length"), null);
    const etag = packed.headers.get("etag");
    const stream = packed.body!.pipeThrough(new DecompressionStream("gzip"));
    assert.deepEqual(await new Response(stream).bytes(), whole);
    if (etag === null) continue;
    assert.match(etag, /^W\//);
    const again = await ask(path, { headers: { ...headers, "if-none-match": etag } });
    assert.equal(again.status, 304);
  }
  const small = "/api/papers";
  for (const path of [small, `/api/convenings/${id}/events`]) {
    const plain = await ask(path, { headers });
    assert.equal(plain.headers.get("content-encoding"), null, path);
    await plain.body?.cancel();
  }
  const whole = String((await (await ask(small)).text()).length);
  for (const [path, length] of [["/api/openapi.json", null], [small, whole]] as const) {
    const head = await ask(path, { method: "HEAD", headers });
    assert.equal(head.headers.get("content-length"), length, path);
  }
});
