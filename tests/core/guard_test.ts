// Guards without a model, alone and from settings.
import assert from "node:assert/strict";
import fc from "fast-check";
import { emptyGuard, type Guard, lengthGuard } from "../../protocol.ts";
import { capFor, refusedTermsGuard } from "../../src/core/guard.ts";
import { countWords, cutAtSentence } from "../../src/core/words.ts";
import { draftOf, NO_TOOLS, said, TURN } from "./guards/drafts.ts";
import type { GuardSettings } from "../../src/config/convening_config.ts";
import { guardsFor } from "../../src/checking/guards.ts";

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

Deno.test("capFor() raises a smaller token cap to twice the words", () => {
  assert.equal(capFor({ min: 200, max: 500 }, 250), 1000);
  assert.equal(capFor({ min: 20, max: 50 }, 250), 250);
  assert.equal(capFor(undefined, 250), 250);
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

const WORDS = { min: 3, max: 5 };
const names = (guards: readonly Guard[]) => guards.map(({ name }) => name);
const SAID = "Zoos keep rare animals alive for all of us.";
const transcript = [said(1, SAID)];

async function marks(settings: GuardSettings, body: string): Promise<unknown[]> {
  const found = await Promise.all(
    guardsFor(settings, { words: WORDS }).map((guard) =>
      guard.check(draftOf(body, { transcript }), NO_TOOLS)
    ),
  );
  return found.filter((each) => each !== undefined)
    .map(({ mark, warn = false, replacement }) => [mark, warn, replacement !== undefined]);
}

Deno.test("guardsFor() returns length, repetition, coherence if configured, and refused terms, in this order", () => {
  assert.deepEqual(names(guardsFor({ coherence: "warn" }, { words: WORDS })), [
    "length",
    "repetition",
    "coherence",
    "refused_terms",
  ]);
  assert.deepEqual(names(guardsFor({ coherence: {} })), [
    "repetition",
    "coherence",
    "refused_terms",
  ]);
  assert.deepEqual(names(guardsFor()), ["repetition", "refused_terms"]);
});

Deno.test("guardsFor() omits guards that are off", () => {
  const off = { repetition: "off", coherence: { mode: "off" }, refusedTerms: "off" } as const;
  assert.deepEqual(names(guardsFor({ ...off, length: "off" }, { words: WORDS })), []);
});

Deno.test("guardsFor() rejects repetition, length and refused terms by default", async () => {
  assert.deepEqual(await marks({}, SAID), [["truncated", false, true], ["repeated", false, false]]);
  assert.deepEqual(await marks({}, "You should kill yourself."), [["refused_term", false, false]]);
});

Deno.test("guardsFor() in mode warn marks and changes nothing", async () => {
  const settings = { repetition: "warn", length: "warn", refusedTerms: "warn" } as const;
  assert.deepEqual(await marks(settings, SAID), [
    ["too_long", true, false],
    ["repeated", true, false],
  ]);
  assert.deepEqual(await marks(settings, "Heil Hitler."), [
    ["too_short", true, false],
    ["refused_term", true, false],
  ]);
});

Deno.test("guardsFor() accepts thresholds and terms, by default the convening's terms", async () => {
  const settings = { repetition: { threshold: 0.5 }, refusedTerms: { terms: ["plants"] } };
  const body = "Zoos keep rare plants alive for all of them.";
  assert.deepEqual(await marks({ ...settings, length: "off" }, body), [
    ["repeated", false, false],
    ["refused_term", false, false],
  ]);
  const [, guard] = guardsFor({}, { refusedTerms: ["lions"] });
  assert.ok(await guard!.check(draftOf("Lions!"), NO_TOOLS));
  assert.throws(() => guardsFor({ coherence: { threshold: 2 } }), /Cannot use threshold: 2/);
});

Deno.test("guardsFor() accepts the kinds of turns with a range", async () => {
  const [length] = guardsFor({}, { words: WORDS, wordedKinds: ["closing"] });
  assert.equal(await length!.check(draftOf("One."), NO_TOOLS), undefined);
});
