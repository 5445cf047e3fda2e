// Live feed of a run: late and slow followers.
import type { ConveningEvent, EventBody, TurnInfo } from "../../src/core/event.ts";
import { type Follower, LiveFeed } from "../../src/operations/watching.ts";
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

/** Returns a follower's pending events in short form. */
async function heard(follower: Follower): Promise<readonly string[]> {
  follower[Symbol.dispose]();
  const events: ConveningEvent[] = [];
  for (let event = await follower.next(); event; event = await follower.next()) events.push(event);
  return events.map((event) =>
    event.type === "message-delta"
      ? `${event.turn.turn}${event.whole === true ? "=" : "+"}${event.text}`
      : `${event.n} ${event.type}`
  );
}

Deno.test("follow() sends the text so far of turns in flight, one delta each, then further events", async () => {
  const feed = new LiveFeed();
  const say = speaker(feed);
  say(start("one"), delta("one", "Once "), start("two"), delta("one", "upon "), start("three"));
  const follower = feed.follow(2);
  say(delta("one", "a time."), delta("two", "No."));
  assert.deepEqual(await heard(follower), [
    "3 turn-start",
    "one=Once upon ",
    "one+a time.",
    "two+No.",
  ]);
  assert.deepEqual(feed.spoken.map(({ turn, text }) => `${turn.turn} ${text}`), [
    "one Once upon a time.",
    "two No.",
    "three ",
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
  assert.deepEqual(await heard(feed.follow(99)), ["one=Right."]);
  say({ type: "round-end", round: 1 });
  assert.equal(feed.spoken.length, 1);
});

Deno.test("a slow follower loses no words: omitted deltas come with the next delta", async () => {
  const feed = new LiveFeed();
  const say = speaker(feed);
  say(start("one"));
  const follower = feed.follow(1);
  for (let count = 0; count < 300; count++) say(delta("one", "x"));
  let text = "";
  const take = async () => {
    const event = await follower.next();
    assert.equal(event?.type, "message-delta");
    text = event.whole === true ? event.text : text + event.text;
  };
  for (let count = 0; count < 150; count++) await take();
  say(delta("one", "y"), delta("one", "z"));
  for (let count = 0; count < 53; count++) await take();
  assert.equal(text, `${"x".repeat(300)}yz`);
  follower[Symbol.dispose]();
  assert.equal(await follower.next(), undefined);
});
