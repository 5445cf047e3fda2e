// Keyword index (BM25).
import assert from "node:assert/strict";
import fc from "fast-check";
import { keywordIndex, snippetOf, terms } from "../../src/core/keyword_index.ts";
import { anyCharacter } from "../support/any_character.ts";

const DOCUMENTS = [
  { id: "pricing", text: "Congestion pricing cut traffic in the centre by a fifth." },
  { id: "trams", text: "Trams carry more people than cars, and the traffic of a city falls." },
  { id: "code", text: "The model was written in C++ rather than in C." },
  { id: "letter", text: "In C one has to free memory oneself." },
  { id: "tokyo", text: "東京都は自動車を禁止していない。 버스정류장에" },
  { id: "titled", title: "Congestion", text: "A page on queues." },
];

const ranked = await keywordIndex(DOCUMENTS);

function found(query: string): string[] {
  return ranked(query).map(({ item }) => item.id);
}

Deno.test("keywordIndex() ranks rare words over common ones and titles over texts, with scores from 0 to 1", () => {
  const hits = ranked("congestion pricing in the city");
  assert.deepEqual(hits.map(({ item }) => item.id), ["pricing", "titled", "trams"]);
  assert.equal(hits[0]?.score, 1);
  assert.ok(hits.every(({ score }, i) => score > 0 && score <= (hits[i - 1]?.score ?? 1)));
  assert.deepEqual([...hits[0]!.terms].sort(), ["congest", "price"]);
  assert.equal(found("congestion")[0], "titled");
});

Deno.test("keywordIndex() finds words of any script, inflected words and compounds", () => {
  assert.deepEqual(found("TRAM"), ["trams"]);
  assert.deepEqual(found("cities"), ["trams"]);
  assert.deepEqual(found("congest"), ["titled", "pricing"]);
  assert.deepEqual(found("東京"), ["tokyo"]);
  assert.deepEqual(found("버스"), ["tokyo"]);
  assert.deepEqual(found("C++"), ["code"]);
  assert.deepEqual(found("c").sort(), ["code", "letter"]);
});

Deno.test("keywordIndex() uses function words only if the query has no others", () => {
  assert.deepEqual(found("the pricing than of"), ["pricing"]);
  assert.deepEqual(found("rather than in").at(0), "code");
});

Deno.test("keywordIndex() accepts any text as a query", async () => {
  const queries = [
    "",
    " ",
    "?",
    "(((",
    "[a-z]*",
    "\\",
    "a.*b|",
    "🔥",
    "\ud800",
    '"',
    "-pricing",
    "*",
  ];
  for (const query of queries) {
    assert.ok(ranked(query).length <= DOCUMENTS.length, query);
  }
  assert.deepEqual(found(`${"pricing ".repeat(1250)}x`), ["pricing"]);
  assert.deepEqual(found("x".repeat(10_000)), []);
  const rankedOdd = await keywordIndex([{
    id: "odd",
    text: "constructor __proto__ hasOwnProperty",
  }]);
  for (const query of ["constructor", "__proto__", "hasOwnProperty", "constr"]) {
    assert.deepEqual(rankedOdd(query).map(({ item }) => item.id), ["odd"], query);
  }
  assert.deepEqual(rankedOdd("toString"), []);
  assert.deepEqual((await keywordIndex([]))("pricing"), []);
});

Deno.test("keywordIndex() finds exactly the documents with a word of the query", async () => {
  const word = fc.constantFrom("tram", "lane", "toll", "park", "kerb", "東京", "c++");
  const text = fc.array(word, { maxLength: 8 });
  await fc.assert(fc.asyncProperty(fc.array(text, { maxLength: 8 }), text, async (texts, query) => {
    const rankedTexts = await keywordIndex(
      texts.map((each, i) => ({ id: `${i}`, text: each.join(" ") })),
    );
    const hits = rankedTexts(query.join(" "));
    const expected = texts.flatMap((each, i) =>
      each.some((one) => query.includes(one)) ? [`${i}`] : []
    );
    assert.deepEqual(hits.map(({ item }) => item.id).sort(), expected.sort());
    assert.ok(hits.every(({ score }) => score > 0 && score <= 1));
  }));
});

Deno.test("keywordIndex() keeps the items' order among equals", async () => {
  const same = Array.from({ length: 30 }, (_, i) => ({ id: `d${i}`, text: "Trams run." }));
  const ids = same.map(({ id }) => id);
  assert.deepEqual((await keywordIndex(same))("trams").map(({ item }) => item.id), ids);
});

Deno.test("snippetOf() returns a short plain line, whatever the text", () => {
  const part = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.constantFrom("trams ", "東京", "And so on it went, one sentence after another. ".repeat(8)),
  );
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(fc.property(text, text, (body, query) => {
    const snippet = snippetOf(body, new Set(terms(query)));
    assert.ok([...snippet].length <= 200 && !/\p{Cc}/u.test(snippet));
  }));
});
