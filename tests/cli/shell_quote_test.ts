import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { shellQuote } from "../../src/cli/io.ts";

describe("shellQuote()", () => {
  it("shellQuote() leaves plain words alone and quotes the rest", () => {
    assert.equal(shellQuote("--rounds=3"), "--rounds=3");
    assert.equal(shellQuote(""), "''");
    assert.equal(shellQuote("a b"), "'a b'");
    assert.equal(shellQuote("$HOME `id`"), "'$HOME `id`'");
    assert.equal(shellQuote("it's"), `'it'\\''s'`);
  });
});
