// Many viewers of one run.
import assert from "node:assert/strict";
import { heard, type HeardEvent, listening, TALK, withGate } from "./support/talking_app.ts";

const VIEWERS = 50;

/** Returns every event of a viewer's stream in order. */
async function all(response: Response, onEvent = () => {}): Promise<HeardEvent[]> {
  const events: HeardEvent[] = [];
  for await (const event of heard(response)) {
    events.push(event);
    onEvent();
  }
  return events;
}

function numbersOf(events: readonly HeardEvent[]): readonly number[] {
  return events.flatMap(({ id }) => id ?? []);
}

withGate.test(`${VIEWERS} viewers of one run receive every event once and in order, over a connection each`, async (app) => {
  await listening(app, async (url) => {
    const { body: { id } } = await app.post("/api/convenings", { ...TALK, maxTurns: 6 });
    await app.gate.reached;
    // An additional viewer reads nothing until the others are done.
    const idle = await fetch(`http://${url}/${id}/events`);
    const viewers = await Promise.all(
      Array.from({ length: VIEWERS }, () => fetch(`http://${url}/${id}/events`)),
    );
    const there = viewers.map(() => Promise.withResolvers<void>());
    const hearing = viewers.map((viewer, at) => all(viewer, there[at]!.resolve));
    await Promise.all(there.map(({ promise }) => promise));
    app.gate.open();
    const [first, ...others] = await Promise.all(hearing);
    const numbers = numbersOf(first!);
    assert.deepEqual(numbers, numbers.map((_each, at) => at + 1));
    assert.equal(first!.at(-1)!.event, "convening-end");
    assert.equal(first!.filter(({ event }) => event === "message").length, 6);
    // A viewer that falls behind gets the words so far instead of each delta.
    const numbered = JSON.stringify(first!.filter(({ id }) => id !== undefined));
    for (const other of others) {
      assert.deepEqual(numbersOf(other), numbers);
      assert.ok(JSON.stringify(other.filter(({ id }) => id !== undefined)) === numbered);
    }
    assert.equal((await app.pool.run(id)!.ended).state, "ended");
    assert.deepEqual(numbersOf(await all(idle)), numbers);
  });
});
