// Live feed of a run: late and slow followers.
import type { ConveningEvent, EventBody, TurnInfo } from "../../src/core/event.ts";
import { LiveFeed } from "../../src/operations/watching.ts";
import assert from "node:assert/strict";

/** Returns a turn with a key. */
function turnOf(key: string): TurnInfo {
  return { seq: 1, turn: key, participant: "a", name: "A", phase: "p", kind: "argument", round: 1 };
}

/** Returns a function that sends numbered events to a feed. */
function speaker(feed: LiveFeed): (...events: readonly EventBody[]) => void {
  let n = 0;
  return (...events) => {
    for (const event of events) {
      const number = event.type === "message-delta" ? 0 : ++n;
      feed.push({ ...event, n: number, at: "2026-01-01T00:00:00.000Z" });
    }
  };
}

const start = (key: string): EventBody => ({ type: "turn-start", turn: turnOf(key) });
const delta = (key: string, text: string): EventBody => ({
  type: "message-delta",
  turn: turnOf(key),
  text,
});

/** Returns an event in short form. */
function short(event: ConveningEvent): string {
  return event.type === "message-delta"
    ? `${event.turn.turn}${event.whole === true ? "=" : "+"}${event.text}`
    : `${event.n} ${event.type}`;
}

/** Returns the events of a feed after a number and until its end, in short form. */
async function heard(feed: LiveFeed, after: number): Promise<readonly string[]> {
  const events = Array.fromAsync(feed.follow(after));
  feed.end();
  return (await events).map(short);
}

Deno.test("follow() sends the text so far of turns in flight, one delta each, then further events", async () => {
  const feed = new LiveFeed();
  const say = speaker(feed);
  say(start("one"), delta("one", "Once "), start("two"), delta("one", "upon "), start("three"));
  const reader = feed.follow(2);
  const first = await reader.next();
  say(delta("one", "a time."), delta("two", "No."));
  assert.deepEqual(feed.spoken.map(({ turn, text }) => `${turn.turn} ${text}`), [
    "one Once upon a time.",
    "two No.",
    "three ",
  ]);
  feed.end();
  assert.deepEqual([first.value, ...await Array.fromAsync(reader)].map(short), [
    "3 turn-start",
    "one=Once upon ",
    "one+a time.",
    "two+No.",
  ]);
});

Deno.test("follow() sends nothing of discarded attempts and finished turns", async () => {
  const feed = new LiveFeed();
  const say = speaker(feed);
  say(start("one"), delta("one", "Wrong."), {
    type: "message-reset",
    turn: turnOf("one"),
    reason: "it broke off",
  });
  say(delta("one", "Right."), start("two"), delta("two", "Said."), {
    type: "turn-wait",
    turn: turnOf("two"),
    task: "Speak.",
  });
  say({ type: "round-end", round: 1 });
  assert.equal(feed.spoken.length, 1);
  assert.deepEqual(await heard(feed, 99), ["one=Right."]);
});

Deno.test("a slow reader loses no words: the text so far takes the place of deltas that it was too slow for", async () => {
  const feed = new LiveFeed();
  const say = speaker(feed);
  say(start("one"));
  const reader = feed.follow(0);
  assert.equal(short((await reader.next()).value!), "1 turn-start");
  for (let count = 0; count < 500; count++) say(delta("one", "x"));
  say(start("two"), delta("one", "y"));
  const rest = Array.fromAsync(reader);
  feed.end();
  assert.deepEqual((await rest).map(short), [
    "2 turn-start",
    `one=${"x".repeat(500)}y`,
  ]);
});

Deno.test("follow() ends for a reader whose next event is no longer kept, and at a signal", async () => {
  const feed = new LiveFeed();
  const say = speaker(feed);
  say(start("one"));
  const reader = feed.follow(0);
  await reader.next();
  for (let count = 0; count < 3000; count++) say({ type: "round-end", round: count });
  assert.ok((await reader.next()).done);
  assert.ok(feed.lacks(1));
  const leaving = new AbortController();
  const rest = Array.fromAsync(feed.follow(3000, leaving.signal));
  leaving.abort();
  assert.deepEqual((await rest).map(short), ["3001 round-end"]);
});

Deno.test("a feed that has ended keeps no event, and a present reader reads to the end", async () => {
  const feed = new LiveFeed();
  const say = speaker(feed);
  say(start("one"), start("two"));
  const reader = feed.follow(0);
  await reader.next();
  feed.end();
  assert.deepEqual((await Array.fromAsync(reader)).map(short), ["2 turn-start"]);
  assert.deepEqual(feed.recent(0), []);
});
