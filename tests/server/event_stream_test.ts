import assert from "node:assert/strict";
import { eventStream, type SentEvent, written } from "../../src/server/events.ts";
import { ConveningError } from "../../src/core/error.ts";
import { withApp } from "./support/open_app.ts";
import { MODEL } from "../support/speaking_model.ts";

const open = new AbortController().signal;

/** A source that gives nothing until its signal aborts. */
async function* silent(signal: AbortSignal): AsyncGenerator<SentEvent> {
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  yield { data: "too late" };
}

Deno.test("written() puts an event in one block, its data in one line", () => {
  assert.equal(
    written({ event: "message", id: "7", data: { text: "a\nb\r\nc" } }),
    'event: message\nid: 7\ndata: {"text":"a\\nb\\r\\nc"}\n\n',
  );
  assert.equal(written({ data: undefined }), "data: null\n\n");
});

Deno.test("eventStream() says at once that it is there, and goes on saying so while nothing happens", async () => {
  const response = eventStream(silent, { signal: open, heartbeat: 1, headers: { location: "/x" } });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("location"), "/x");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, ": here\n\n");
  assert.equal((await reader.read()).value, ": alive\n\n");
  assert.equal((await reader.read()).value, ": alive\n\n");
  await reader.cancel();
});

Deno.test("eventStream() ends when the server does, whatever its source waits for", async () => {
  const server = new AbortController();
  const text = eventStream(silent, { signal: server.signal }).text();
  server.abort();
  assert.equal(await text, ": here\n\n");
});

Deno.test("eventStream() lets its source end when the client leaves", async () => {
  let hasEnded = false;
  async function* source(signal: AbortSignal): AsyncGenerator<SentEvent> {
    try {
      yield { data: 1 };
      yield* silent(signal);
    } finally {
      hasEnded = true;
    }
  }
  const reader = eventStream(source, { signal: open }).body!.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  assert.ok(hasEnded);
});

Deno.test("eventStream() tells what keeps it from going on, and nothing of what nobody meant", async () => {
  // deno-lint-ignore require-yield -- it fails before there is anything
  async function* failing(error: Error): AsyncGenerator<SentEvent> {
    await Promise.resolve();
    throw error;
  }
  const known = new ConveningError("record_corrupt", "Cannot read it");
  const text = async (error: Error) =>
    await eventStream(() => failing(error), { signal: open }).text();
  assert.match(await text(known), /event: error\ndata: \{"error":\{"code":"record_corrupt"/);
  const unmeant = await text(new TypeError("/home/somebody/secret"));
  assert.match(unmeant, /"code":"unexpected"/);
  assert.doesNotMatch(unmeant, /secret/);
});

Deno.test("a viewer that reads nothing, or leaves, holds up no run", async () => {
  await withApp(async ({ pool }) => {
    const run = await pool.start({
      kind: "dialogue",
      topic: "What makes a good teacher?",
      model: MODEL,
      maxTurns: 20,
    });
    async function* events(signal: AbortSignal): AsyncGenerator<SentEvent> {
      for await (const event of pool.events(run.dir, { signal })) yield { data: event };
    }
    const slow = eventStream(events, { signal: open });
    const leaver = eventStream(events, { signal: open }).body!.getReader();
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
});
