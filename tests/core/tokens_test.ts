// Token counts compared with the tokenizer package.
import assert from "node:assert/strict";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { anyCharacter } from "../support/any_character.ts";

const count = await loadTokenCounter();
const README = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
const prose = README.repeat(8);
const exact = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

Deno.test("loadTokenCounter() is exact for prose up to 64,000 characters", () => {
  fc.assert(
    fc.property(fc.nat(prose.length), fc.nat(60_000), (from, length) => {
      const text = prose.slice(from, from + length);
      assert.equal(count(text), exact(text));
    }),
    { numRuns: 30 },
  );
});

Deno.test("loadTokenCounter() is exact for any short text", () => {
  const words = fc.array(
    fc.constantFrom(
      "the ",
      "rain",
      " ",
      "\n",
      "\r\n",
      "\n\n/",
      ".",
      "中文",
      "。",
      "😀",
      "'s",
      "--",
      "12",
      "ไทย",
      "<|endoftext|>",
    ),
    { maxLength: 80 },
  ).map((parts) => parts.join(""));
  const text = fc.oneof(words, fc.string({ unit: anyCharacter }), fc.string({ unit: "grapheme" }));
  fc.assert(fc.property(text, (text) => assert.equal(count(text), exact(text))));
});

Deno.test("loadTokenCounter() differs by at most two percent for longer texts and long runs", () => {
  for (
    const text of [prose.repeat(3), "中".repeat(5_000), "word ".repeat(50_000), "-".repeat(9_000)]
  ) {
    const [found, right] = [count(text), exact(text)];
    assert.ok(Math.abs(found - right) <= Math.max(20, 0.02 * right), `${found}, not ${right}`);
  }
});
