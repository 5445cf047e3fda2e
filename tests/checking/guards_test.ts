// Guards without a model.
import assert from "node:assert/strict";
import fc from "fast-check";
import { emptyGuard, lengthGuard } from "../../protocol.ts";
import { refusedTermsGuard } from "../../src/core/guard.ts";
import type { GuardMode } from "../../src/core/turn.ts";
import { guardsFor } from "../../src/checking/guards.ts";
import { countWords, cutAtSentence } from "../../src/core/words.ts";
import { draftOf, NO_TOOLS, TURN } from "./support/drafts.ts";

Deno.test("emptyGuard() rejects an attempt without a word, to the last", async () => {
  for (const body of ["", " \n", "…", "---", "!?"]) {
    const objection = await emptyGuard().check(draftOf(body), NO_TOOLS);
    assert.equal(objection?.fatal, true, JSON.stringify(body));
  }
  for (const body of ["No.", "7", "是", "نعم"]) {
    assert.equal(await emptyGuard().check(draftOf(body), NO_TOOLS), undefined);
  }
});

const guard = lengthGuard({ min: 3, max: 5 });

Deno.test("lengthGuard() accepts replies in the range, templates, and turns without a range", async () => {
  assert.equal(await guard.check(draftOf("One two three."), NO_TOOLS), undefined);
  assert.equal(
    await guard.check(draftOf("One.", { turn: { ...TURN, text: "One." } }), NO_TOOLS),
    undefined,
  );
  const others = lengthGuard({ min: 3, max: 5 }, ["rebuttal"]);
  assert.equal(await others.check(draftOf("One."), NO_TOOLS), undefined);
});

Deno.test("cutAtSentence() keeps whole sentences, else whole words", () => {
  assert.equal(cutAtSentence("One two. Three four. Five.", 4), "One two. Three four.");
  assert.equal(cutAtSentence("One two. Three four.", 3), "One two.");
  assert.equal(cutAtSentence("One two three four", 3), "One two three");
});

Deno.test("cutAtSentence() returns a beginning within the number of words, for any text", () => {
  const text = fc.string({ unit: fc.constantFrom("ab ", "c. ", "d! ", "\n", "é", "。", "字") });
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 9 }), (given, max) => {
    const cut = cutAtSentence(given, max);
    assert.ok(given.startsWith(cut));
    assert.ok(countWords(cut) <= max);
    if (countWords(given) > 0) assert.ok(countWords(cut) > 0);
  }));
});

Deno.test("refusedTermsGuard() names a term that occurs as whole words", async () => {
  const guard = refusedTermsGuard({ terms: ["AI", "free  lunch"] });
  const named: readonly (readonly [string, string | undefined])[] = [
    ["It is fair to keep zoos.", undefined],
    ["Ask ai, then.", "AI"],
    ["There is no FREE\nlunch.", "free  lunch"],
    ["A carefree luncheon.", undefined],
    ["", undefined],
    [`${"x".repeat(10_000)} AI`, "AI"],
  ];
  for (const [body, term] of named) {
    const objection = await guard.check(draftOf(body), NO_TOOLS);
    assert.equal(objection?.reason.match(/"([^"]+)"/)?.[1], term, body.slice(0, 40));
    assert.equal(objection?.mark, term === undefined ? undefined : "refused_term");
  }
});

Deno.test("refusedTermsGuard() also knows the topics' refused terms and ignores templates", async () => {
  const body = "I will say how to kill my neighbour.";
  const guard = refusedTermsGuard();
  assert.match((await guard.check(draftOf(body), NO_TOOLS))!.reason, /"how to kill my"/);
  const turn = { ...TURN, text: body };
  assert.equal(await guard.check(draftOf(body, { turn }), NO_TOOLS), undefined);
});

Deno.test("guardsFor() limits the words of some kinds of turns, if at all; in the mode warn a long turn is not cut", async () => {
  const words = { min: 3, max: 4 };
  const body = "Zoos keep rare animals alive.";
  const check = async (length: GuardMode, kind: string) => {
    const guards = guardsFor({ repetition: "off", length }, { words, wordedKinds: [kind] });
    const found = await guards[0]!.check(draftOf(body), NO_TOOLS);
    return found && [found.mark, found.replacement];
  };
  assert.deepEqual(await check("reject", "argument"), ["truncated", "Zoos keep rare animals"]);
  assert.deepEqual(await check("warn", "argument"), ["too_long", undefined]);
  assert.equal(await check("off", "argument"), undefined);
  assert.equal(await check("reject", "closing"), undefined);
});
