import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { plainLine, plainText, withoutUnseen } from "../../src/core/text.ts";

/** ESC, BEL, a C1 control, a direction override, a zero-width space, a byte order mark, a tag character. */
const UNSEEN = ["\x1b", "\x07", "\x9b", "\u202e", "\u200b", "\ufeff", "\u{e0041}", "\x00", "\x7f"];

describe("plainText()", () => {
  it("plainText() shows each run of unseen characters as one mark", () => {
    assert.equal(
      plainText("\x1b[31mred\x1b[0m \x07\x9b2J\rover\x08\u202eabc\x7f"),
      "�[31mred�[0m �2J\nover�abc�",
    );
    assert.equal(plainText("a\u{e0049}\u{e0047}b\u200bc\u200dd\ufeffé\u200cü"), "a�b�c�d�é�ü");
    assert.equal(plainText("lone \ud800 half, co\u00adop"), "lone � half, coop");
  });

  it("plainText() leaves line breaks, tabs, emoji and other scripts as they are", () => {
    const text = "a\n\tb 👩‍👩‍👧 👩🏽‍🚀 ❤️ 🏳️‍🌈 1️⃣ שלום می‌خواهم क्‍ष 日本語 “x” — ½";
    assert.equal(plainText(text), text);
    assert.equal(withoutUnseen(text), text);
  });

  it("plainText() leaves no unseen character in any text, and changes nothing twice", () => {
    const piece = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...UNSEEN));
    fc.assert(fc.property(fc.array(piece), (pieces) => {
      const text = plainText(pieces.join("x"));
      for (const char of UNSEEN) assert.ok(!text.includes(char));
      assert.equal(plainText(text), text);
    }));
  });
});

describe("plainLine()", () => {
  it("plainLine() is one line, cut with an ellipsis", () => {
    assert.equal(plainLine(" a\r\n b\u2028c "), "a b c");
    assert.equal(plainLine("abcdef", 4), "abc…");
  });
});

describe("withoutUnseen()", () => {
  it("withoutUnseen() puts nothing in the place of unseen characters", () => {
    assert.equal(withoutUnseen("\x1b[31mre\u200bd\r\n"), "[31mred\n");
  });
});
