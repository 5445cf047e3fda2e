// Search of passages in messages.
import assert from "node:assert/strict";
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

Deno.test("searchPassages() finds one passage among thousands of messages", async () => {
  const many = Array.from({ length: 2000 }, (_, at) => ({
    ...{ seq: at + 1, name: "Ada", body: `Traffic of street ${at} is slow. Traffic again.` },
  }));
  const [first] = await searchPassages([...many, { ...MESSAGES[1]!, seq: 3000 }], "Stockholm");
  assert.equal(first?.message.seq, 3000);
  const common = await searchPassages(many, "traffic", { limit: 7 });
  assert.equal(common.length, 7);
});

Deno.test("searchPassages() returns each message once and searches its speaker's name too", async () => {
  const all = await searchPassages([...MESSAGES, { ...MESSAGES[1]!, seq: 5 }], "Stockholm traffic");
  assert.deepEqual(all.map(({ message }) => message.seq), [2, 5, 4]);
  const ofAda = await searchPassages(MESSAGES, "Ada trams");
  assert.deepEqual(ofAda.map(({ message }) => message.seq), [1]);
  assert.equal((await searchPassages(MESSAGES, "Stockholm", { limit: 1 })).length, 1);
  assert.deepEqual(await searchPassages(MESSAGES, "zeppelin"), []);
  const ruled = [{ seq: 1, name: "Ada", body: `${"-".repeat(1600)} Trams.` }];
  const [found] = await searchPassages(ruled, "Ada");
  assert.match(found?.snippet ?? "", /^-{199}…$/, "a passage without words");
  assert.deepEqual(await searchPassages([], "Stockholm"), []);
});
