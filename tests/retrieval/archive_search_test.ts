// Search of messages in an archive, and ranking of earlier convenings.
import assert from "node:assert/strict";
import fc from "fast-check";
import { rankConvenings, searchMessages } from "../../src/record/search.ts";

const FILLER = "And so on it went, one sentence after another, without an end in sight. ".repeat(8);

function said(seq: number, body: string, name = "Ada") {
  const message = { seq, name, kind: "argument", round: 1, body };
  return { dir: "/out/a", topic: "Cars in cities", message };
}

Deno.test("searchMessages() returns at most ten messages and finds speakers by name", async () => {
  const messages = Array.from({ length: 25 }, (_, i) => said(i + 1, `Trams, ${i}.`));
  assert.equal((await searchMessages(messages, "trams")).rows.length, 10);
  const both = [said(1, "Trams."), said(2, "Trams.", "Grace Hopper")];
  assert.deepEqual((await searchMessages(both, "hopper")).rows.map(({ seq }) => seq), [2]);
});

Deno.test("searchMessages() shows the passage with the most words of the query, as one plain line", async () => {
  const body = `# Trams\n\n${FILLER}\n\n- **Trams** beat a \`congestion\` charge\u0007. ${FILLER}`;
  const { rows: [row] } = await searchMessages([said(1, body)], "congestion charge trams");
  const { snippet } = row!;
  assert.match(snippet, /^…[\s\S]*Trams beat a congestion charge[\s\S]*…$/);
  assert.ok([...snippet].length <= 200);
  assert.ok(!/[\p{Cc}*`#]/u.test(snippet));
  const { rows: [start] } = await searchMessages([said(1, `Trams first. ${FILLER}`)], "trams");
  assert.match(start!.snippet, /^Trams first\. And so/);
});

Deno.test("searchMessages() keeps snippets short, whatever the texts", async () => {
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.constantFrom("trams ", "東京", FILLER),
    ),
    { maxLength: 8 },
  ).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 4 }), text, async (bodies, query) => {
      const { rows } = await searchMessages(bodies.map((body, i) => said(i, body)), query);
      for (const row of rows) {
        assert.ok([...row.snippet].length <= 200 && !/\p{Cc}/u.test(row.snippet));
      }
    }),
    { numRuns: 50 },
  );
});

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
  assert.deepEqual((await rankConvenings(convenings, topic, { limit: 1 })).map(({ dir }) => dir), [
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
