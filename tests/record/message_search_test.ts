// Search of passages in messages.
import assert from "node:assert/strict";
import { termList } from "../../src/core/keyword_index.ts";
import { searchPassages } from "../../src/record/search.ts";

const FILLER = "Nothing of note was said about that for a long while. ".repeat(60);
const MESSAGES = [
  { seq: 1, name: "Ada", body: "Trams are quick, and trams are full." },
  {
    seq: 2,
    name: "Ben",
    body: `${FILLER}**Stockholm** measured 22 percent less traffic. ${FILLER}`,
  },
  { seq: 3, name: "Ada", body: "" },
  {
    seq: 4,
    name: "Ben",
    body: "Stockholm is a city among many, as cities go: it has water, and ships on it.",
  },
];

/** Searches messages without files. */
async function found(messages: typeof MESSAGES, query: string, limit = 5) {
  const bodies = new Map(messages.map(({ seq, body }) => [`${seq}`, body]));
  const searched = messages.map(({ seq, name, body }) => ({
    path: `${seq}`,
    message: { seq, name, participant: name, kind: "argument", round: 1, terms: termList(body) },
  }));
  const body = (path: string) => Promise.resolve(bodies.get(path)!);
  return await searchPassages(searched, query, { limit, body });
}

Deno.test("searchPassages() finds one passage among thousands of messages", async () => {
  const many = Array.from({ length: 2000 }, (_, at) => ({
    ...{ seq: at + 1, name: "Ada", body: `Traffic of street ${at} is slow. Traffic again.` },
  }));
  const [first] = await found([...many, { ...MESSAGES[1]!, seq: 3000 }], "Stockholm");
  assert.equal(first?.message.seq, 3000);
  const common = await found(many, "traffic", 7);
  assert.equal(common.length, 7);
});

Deno.test("searchPassages() returns each message once and searches its speaker's name too", async () => {
  const all = await found([...MESSAGES, { ...MESSAGES[1]!, seq: 5 }], "Stockholm traffic");
  assert.deepEqual(all.map(({ message }) => message.seq), [2, 5, 4]);
  const ofAda = await found(MESSAGES, "Ada trams");
  assert.deepEqual(ofAda.map(({ message }) => message.seq), [1]);
  assert.equal((await found(MESSAGES, "Stockholm", 1)).length, 1);
  assert.deepEqual(await found(MESSAGES, "zeppelin"), []);
  const ruled = [{ seq: 1, name: "Ada", body: `${"-".repeat(1600)} Trams.` }];
  const [only] = await found(ruled, "Ada");
  assert.match(only?.snippet ?? "", /^-{199}…$/, "a passage without words");
  assert.deepEqual(await found([], "Stockholm"), []);
});
