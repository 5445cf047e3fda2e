/**
 * Follows the events of a running debate: every turn, its live text, its score, and the cost at the end.
 *
 *     deno run --no-prompt --allow-read examples/02_watch_events.ts
 */
import assert from "node:assert/strict";
import { composeConvening, memoryRecord } from "../mod.ts";

const debate = await composeConvening({
  kind: "debate",
  topic: "Should homework be abolished in primary schools?",
  model: "offline",
  roundCount: 1,
  seed: 7,
}, { record: memoryRecord() });

const seen = { turns: 0, live: "", scores: 0 };
for await (const event of debate.stream()) {
  switch (event.type) {
    case "phase-start":
      console.log(`\n== ${event.phase}`);
      break;
    case "message-delta":
      if (event.turn.seq === 2) seen.live += event.text;
      break;
    case "message":
      seen.turns++;
      console.log(
        `${event.message.seq}. ${event.message.name}: ${event.message.body.slice(0, 70)}…`,
      );
      if (event.message.seq === 2) assert.equal(seen.live.trim(), event.message.body);
      break;
    case "score":
      seen.scores++;
      console.log(`   scored ${event.score.total} (turn ${event.score.message})`);
      break;
    case "convening-end":
      console.log(`\n${event.ending.outcome}, ${event.ending.usage.costUsd} US dollars`);
      assert.equal(event.ending.status, "completed");
  }
}

assert.equal(seen.turns, 13);
assert.equal(seen.scores, 10);
