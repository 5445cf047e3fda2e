// Ranking of earlier convenings.
import assert from "node:assert/strict";
import { rankConvenings } from "../../src/record/search.ts";

function held(dir: string, topic: string, summary: string, day = 1) {
  return { dir, topic, summary, startedAt: `2026-11-0${day}T10:00:00.000Z` };
}

Deno.test("rankConvenings() returns only convenings that match the topic", async () => {
  const convenings = [
    held("zoos", "Is it still fair to keep zoos?", "Ada won: zoos breed what is nearly lost."),
    held("cars", "Should cities ban private cars from their centres?", "Bo won: cars are needed."),
    held("tolls", "Is a congestion charge fair to the poor?", "It moved cars out of city centres."),
    held("phones", "Should schools ban phones?", "Ada won: attention is short."),
  ];
  const topic = "Would private cars in city centres be missed?";
  assert.deepEqual((await rankConvenings(convenings, topic)).map(({ dir }) => dir), [
    "cars",
    "tolls",
  ]);
  assert.deepEqual((await rankConvenings(convenings, topic, 1)).map(({ dir }) => dir), [
    "cars",
  ]);
  assert.deepEqual(await rankConvenings(convenings, "Should we still do it, and if so, how?"), []);
  assert.deepEqual(await rankConvenings(convenings, "Is nuclear power worth its price?"), []);
  assert.deepEqual(await rankConvenings([], topic), []);
});

Deno.test("rankConvenings() returns at most three, the newest first among equals", async () => {
  const convenings = [2, 4, 1, 3].map((day) => held(`d${day}`, "Do zoos help animals?", "", day));
  const dirs = (await rankConvenings(convenings, "Do zoos harm animals?")).map(({ dir }) => dir);
  assert.deepEqual(dirs, ["d4", "d3", "d2"]);
});
