import assert from "node:assert/strict";
import { defaultPositions, positionHint } from "../../../src/debate/positions.ts";

const PAIRS: readonly (readonly [topic: string, first: string, second: string])[] = [
  ["TypeScript vs Rust for backend services", "TypeScript", "Rust for backend services"],
  ["Tabs vs. spaces in source code", "Tabs", "spaces in source code"],
  ["Tea versus coffee?", "Tea", "coffee"],
  ["Trains or planes?", "Trains", "planes"],
  ["Trains, or planes for short trips?", "Trains", "planes for short trips"],
];

const OTHERS: readonly string[] = [
  "Should cities ban private cars from their centres?",
  "Should we use tabs or spaces?",
  "Is it fair, or is it not?",
  "Trains or planes",
  "Red or green or blue?",
  "Tea vs TEA",
  "Why do cats purr?",
  "Orange juice for everybody",
];

Deno.test("defaultPositions() gives the two things that a topic compares", () => {
  for (const [topic, first, second] of PAIRS) {
    assert.deepEqual(defaultPositions(topic), [first, second]);
  }
});

Deno.test("defaultPositions() gives for and against any other topic", () => {
  for (const topic of OTHERS) {
    assert.deepEqual(defaultPositions(` ${topic} `), [`For: ${topic}`, `Against: ${topic}`]);
  }
});

Deno.test("positionHint() asks for positions where a question has no two sides", () => {
  const hint = (topic: string, positions?: string[]) =>
    positionHint({ kind: "debate", topic, positions });
  for (const topic of ["Why do cats purr?", "how much is enough", "What makes a neighbour?"]) {
    assert.match(hint(topic) ?? "", /--position/);
    assert.equal(hint(topic, ["One", "Two"]), undefined);
  }
  for (const topic of [...PAIRS.map(([each]) => each), "Whatever works", "However it ends"]) {
    assert.equal(hint(topic), undefined);
  }
  const participants = [{ name: "Ada", position: "One" }, { name: "Ben", position: "Two" }];
  assert.equal(positionHint({ kind: "debate", topic: "Why?", participants }), undefined);
});
