// Short forms of messages, ids, and sums of usage.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addUsage,
  atMost,
  judgeShortId,
  money,
  NO_USAGE,
  shortId,
} from "../../src/core/message.ts";
import { gist, oneLine } from "../../src/core/text.ts";
import { anyCharacter } from "../support/any_character.ts";

const anyText = fc.string({ unit: anyCharacter, maxLength: 3000 });

Deno.test("oneLine() returns one line within the number of code points, for any text", () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 200 }), (text, max) => {
    const line = oneLine(text, max);
    assert.ok([...line].length <= max);
    assert.doesNotMatch(line, /[\r\n\t\u2028\u2029]/);
  }));
});

Deno.test("oneLine() leaves a short line unchanged and cuts with an ellipsis between code points", () => {
  assert.equal(oneLine("  a \n b  ", 80), "a b");
  assert.equal(oneLine("😀".repeat(5), 5), "😀".repeat(5));
  assert.equal(oneLine("😀".repeat(6), 5), "😀".repeat(4) + "…");
});

Deno.test("gist() is the first sentence", () => {
  assert.equal(gist("It costs 3.5 million. The rest is silence."), "It costs 3.5 million.");
  assert.equal(gist("Why?\n\nBecause."), "Why?");
  assert.equal(gist("Tea vs. coffee is old. So is milk."), "Tea vs. coffee is old.");
  assert.equal(gist("No end"), "No end");
  assert.equal(gist("公共交通应该免费。票价太高了。"), "公共交通应该免费。");
  assert.equal(gist("报告说：“太高了。”城市应当付费。还有。"), "报告说：“太高了。”城市应当付费。");
  assert.equal(gist("هل النقل مجاني؟ نعم."), "هل النقل مجاني؟");
  assert.equal(gist("यह महंगा है। शहर दे।"), "यह महंगा है।");
  assert.equal(gist("Είναι ακριβό; Ναι."), "Είναι ακριβό;");
  assert.equal(gist("Half; and half. More."), "Half; and half.");
  assert.equal(gist("It holds for α; β is free. More."), "It holds for α; β is free.");
  assert.equal(gist("**Opening statement**\n\nTrains are fast."), "Trains are fast.");
  assert.equal(
    gist("Sure! Here is my speech:\n\n**Opening**\n\nTrains are fast."),
    "Trains are fast.",
  );
  assert.equal(gist("# Why:\n\nTrains run\n\n## So\n\nWe go."), "Trains run We go.");
  assert.equal(gist("My reasons:\n\n- Trains are fast. So."), "My reasons: - Trains are fast.");
  assert.equal(gist("**Trains are fast.**\n\nSo."), "**Trains are fast.** So.");
});

Deno.test("gist() has at most 140 code points for any text", () => {
  fc.assert(fc.property(anyText, (text) => assert.ok([...gist(text)].length <= 140)));
});

Deno.test("shortId() is a UUID's first eight characters, else those of the SHA-256", () => {
  assert.equal(shortId("1F0C9A3E-1111-4222-8333-444455556666"), "1f0c9a3e");
  assert.match(shortId("advocate-a"), /^[0-9a-f]{8}$/);
  assert.notEqual(shortId("advocate-a"), shortId("advocate-b"));
});

Deno.test("shortId() is a valid part of a file name for any id", () => {
  fc.assert(fc.property(fc.string(), (id) => assert.match(shortId(id), /^[0-9a-f]{8}$/)));
});

Deno.test("judgeShortId() differs by judge, model and rubric", () => {
  const ids = [["a", "m", "r"], ["b", "m", "r"], ["a", "n", "r"], ["a", "m", "s"]]
    .map(([judge, model, rubric]) => judgeShortId(judge!, model!, rubric!));
  assert.equal(new Set(ids).size, 4);
});

Deno.test("addUsage() adds, and an unknown cost stays unknown", () => {
  const one = { inputTokens: 1, cachedInputTokens: 2, outputTokens: 3, costUsd: 0.5 };
  assert.deepEqual(addUsage(one, one), {
    inputTokens: 2,
    cachedInputTokens: 4,
    outputTokens: 6,
    costUsd: 1,
  });
  assert.equal(addUsage(one, { ...NO_USAGE, costUsd: "unknown" }).costUsd, "unknown");
});

Deno.test("addUsage() keeps that a part of the tokens was estimated, and so is the cost", () => {
  const one = { ...NO_USAGE, costUsd: 0.5 };
  const sum = addUsage(addUsage(one, { ...one, tokensEstimated: true }), one);
  assert.equal(sum.tokensEstimated, true);
  assert.equal(money(sum), "$1.50 (estimated)");
  assert.equal("tokensEstimated" in addUsage(one, one), false);
});

Deno.test("money() shows no cost as zero that is none", () => {
  const shown = (costUsd: number | "unknown") => money({ costUsd });
  assert.deepEqual([0, 0.00000123, 0.0025, 1.5, "unknown" as const].map(shown), [
    "$0",
    "$0.00000123",
    "$0.0025",
    "$1.50",
    "unknown",
  ]);
});

Deno.test("atMost() never states less than the bound", () => {
  assert.deepEqual([0, 0.0000012301, 0.01231, 0.0185, 0.99999, 1.231, 5].map(atMost), [
    "at most $0",
    "at most $0.00000124",
    "at most $0.0124",
    "at most $0.0185",
    "at most $1.00",
    "at most $1.24",
    "at most $5.00",
  ]);
});

Deno.test("addUsage() rounds costs to ten decimals, so that no file shows rounding errors", () => {
  const of = (costUsd: number | "unknown") => addUsage(NO_USAGE, { ...NO_USAGE, costUsd });
  assert.equal(of(0.0006597700000000001).costUsd, 0.00065977);
  assert.equal(addUsage(of(0.1), of(0.2)).costUsd, 0.3);
  assert.equal(addUsage(of(0.1), of("unknown")).costUsd, "unknown");
});
