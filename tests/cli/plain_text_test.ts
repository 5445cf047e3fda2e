import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { plainLine, plainText, shellQuote } from "../../src/cli/plain_text.ts";

describe("plainText()", () => {
  it("plainText() leaves nothing a terminal obeys", () => {
    assert.equal(
      plainText("\x1b[31mred\x1b[0m \x07\x9b2J\rover\x08\u202eabc\x7f"),
      "[31mred[0m 2Joverabc",
    );
  });

  it("plainText() keeps line breaks, tabs, emoji and right-to-left text", () => {
    const text = "a\n\tb 👩‍👩‍👧 שלום";
    assert.equal(plainText(text), text);
  });
});

describe("plainLine()", () => {
  it("plainLine() is one line", () => {
    assert.equal(plainLine(" a\r\n b\u2028c "), "a b c");
  });
});

describe("shellQuote()", () => {
  it("shellQuote() leaves plain words alone and quotes the rest", () => {
    assert.equal(shellQuote("--rounds=3"), "--rounds=3");
    assert.equal(shellQuote(""), "''");
    assert.equal(shellQuote("a b"), "'a b'");
    assert.equal(shellQuote("$HOME `id`"), "'$HOME `id`'");
    assert.equal(shellQuote("it's"), `'it'\\''s'`);
  });
});
