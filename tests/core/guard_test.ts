import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { type Draft, emptyGuard, lengthGuard, type Turn } from "../../protocol.ts";
import { capFor } from "../../src/core/guard.ts";
import { countWords, cutAtSentence } from "../../src/core/words.ts";
import { NO_TOOLS } from "./guards/drafts.ts";

const TURN: Turn = {
  key: "turn-1/a",
  speaker: "a",
  phase: "dialogue",
  kind: "statement",
  round: 1,
  task: "",
};

function draft(body: string, turn: Turn = TURN): Draft {
  return { turn, body, attempt: 1, transcript: [], topic: "A topic of some length" };
}

describe("emptyGuard()", () => {
  it("emptyGuard() refuses what has no word, for good", async () => {
    for (const body of ["", " \n", "…", "---", "!?"]) {
      const objection = await emptyGuard().check(draft(body), NO_TOOLS);
      assert.equal(objection?.fatal, true, JSON.stringify(body));
    }
    for (const body of ["No.", "7", "是", "نعم"]) {
      assert.equal(await emptyGuard().check(draft(body), NO_TOOLS), undefined);
    }
  });
});

describe("lengthGuard()", () => {
  const guard = lengthGuard({ min: 3, max: 5 });

  it("lengthGuard() says by how much a reply is over, retries once, then cuts", async () => {
    const objection = await guard.check(draft("One two three. Four five six seven."), NO_TOOLS);
    assert.match(objection!.reason, /7 words, 2 over the 5/);
    assert.equal(objection!.maxRetries, 1);
    assert.equal(objection!.mark, "truncated");
    assert.equal(objection!.replacement, "One two three.");
  });

  it("lengthGuard() says by how much a reply is under, retries once, then marks", async () => {
    const objection = await guard.check(draft("One two."), NO_TOOLS);
    assert.match(objection!.reason, /2 words, 1 under the 3/);
    assert.equal(objection!.maxRetries, 1);
    assert.equal(objection!.mark, "too_short");
    assert.equal(objection!.replacement, undefined);
  });

  it("lengthGuard() leaves alone what fits, a template's text, and turns that it does not hold for", async () => {
    assert.equal(await guard.check(draft("One two three."), NO_TOOLS), undefined);
    assert.equal(await guard.check(draft("One.", { ...TURN, text: "One." }), NO_TOOLS), undefined);
    const others = lengthGuard({ min: 3, max: 5 }, ["rebuttal"]);
    assert.equal(await others.check(draft("One."), NO_TOOLS), undefined);
  });
});

describe("cutAtSentence()", () => {
  it("cutAtSentence() keeps whole sentences, else whole words", () => {
    assert.equal(cutAtSentence("One two. Three four. Five.", 4), "One two. Three four.");
    assert.equal(cutAtSentence("One two. Three four.", 3), "One two.");
    assert.equal(cutAtSentence("One two three four", 3), "One two three");
  });

  it("cutAtSentence() is a beginning of at most so many words, for any text", () => {
    const text = fc.string({ unit: fc.constantFrom("ab ", "c. ", "d! ", "\n", "é", "。", "字") });
    fc.assert(fc.property(text, fc.integer({ min: 1, max: 9 }), (given, max) => {
      const cut = cutAtSentence(given, max);
      assert.ok(given.startsWith(cut));
      assert.ok(countWords(cut) <= max);
      if (countWords(given) > 0) assert.ok(countWords(cut) > 0);
    }));
  });
});

describe("capFor()", () => {
  it("capFor() raises a smaller token cap to twice the words", () => {
    assert.equal(capFor({ min: 200, max: 500 }, 250), 1000);
    assert.equal(capFor({ min: 20, max: 50 }, 250), 250);
    assert.equal(capFor(undefined, 250), 250);
  });
});
