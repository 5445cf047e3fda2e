import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { ConfigurationError, TopicError } from "../../src/core/error.ts";
import { checkTopic, checkWords, containsTerm } from "../../src/core/topic.ts";

const GOOD = "Should cities ban private cars?";

describe("checkTopic()", () => {
  it("checkTopic() trims, and gives the topic back", () => {
    assert.equal(checkTopic(`  ${GOOD} \n`), GOOD);
  });

  const refused: [string, string, RegExp][] = [
    ["blank", " \t\n ", /blank/],
    ["nine characters", "123456789", /9 characters, 10 to 200/],
    ["201 characters", "x".repeat(201), /201 characters/],
    ["10,000 characters", "x".repeat(10_000), /10000 characters/],
    ["a line break inside", "Should cities\nban cars?", /control/],
    ["a bell", "Should cities \u0007 ban cars?", /control/],
    ["a C1 control", "Should cities \u0085 ban cars?", /control/],
    ["a refused term", "Should all Jews be killed?", /refused term "should all jews be killed"/],
  ];
  for (const [name, topic, problem] of refused) {
    it(`checkTopic() refuses ${name} with the reason`, () => {
      assert.throws(() => checkTopic(topic), (error: unknown) => {
        assert.ok(error instanceof TopicError);
        assert.equal(error.code, "topic_refused");
        assert.match(error.message, problem);
        assert.ok(error.hint !== undefined);
        return true;
      });
    });
  }

  it("checkTopic() counts code points, not units", () => {
    assert.equal(checkTopic("😀".repeat(200)), "😀".repeat(200));
    assert.throws(() => checkTopic("😀".repeat(9)), TopicError);
    assert.throws(() => checkTopic("😀".repeat(201)), TopicError);
  });

  it("checkTopic() keeps bidi and joining marks", () => {
    const topic = "هل يجب \u200fحظر السيارات\u200d؟ 👩\u200d🔬";
    assert.equal(checkTopic(topic), topic);
  });

  it("checkTopic() refuses terms as whole words alone", () => {
    assert.equal(
      checkTopic("Is a fair trade fair?", { refusedTerms: ["ai"] }),
      "Is a fair trade fair?",
    );
    assert.throws(() => checkTopic("Should AI be a judge?", { refusedTerms: ["ai"] }), TopicError);
    assert.throws(
      () => checkTopic("Is bomb  making an art?", { refusedTerms: ["bomb making"] }),
      TopicError,
    );
    assert.equal(
      checkTopic("Should AI be a judge?", { refusedTerms: [] }),
      "Should AI be a judge?",
    );
  });
});

const word = fc.stringMatching(/^[a-zäöß0-9]{1,8}$/);

describe("containsTerm()", () => {
  it("containsTerm() finds a term exactly where it is one of the words", () => {
    fc.assert(fc.property(fc.array(word, { minLength: 1 }), word, (words, term) => {
      const there = words.some((each) => each.toLowerCase() === term.toLowerCase());
      assert.equal(containsTerm(words.join(" "), term), there);
      assert.equal(containsTerm(`(${words.join(", ")}!)`, term), there);
    }));
  });

  it("containsTerm() takes any term as text, never as a pattern", () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (term) => {
      const text = `say ${term.trim()} now`;
      assert.equal(containsTerm(text, term), term.trim() !== "");
    }));
  });
});

describe("checkWords()", () => {
  it("checkWords() keeps line breaks, markdown, YAML and bidi marks", () => {
    for (const words of ["a\nb", "../../x", "# [a](b)", "No: 1:30", "\u202eabc", "😀"]) {
      assert.equal(checkWords(words, "position"), words);
    }
  });

  it("checkWords() refuses blank, over 1,000 code points, and control characters, by field", () => {
    for (const words of ["", " \n", "x".repeat(1001), "a\u0000b", "a\tb", "a\u009fb"]) {
      assert.throws(() => checkWords(words, "positions.0"), (error: unknown) => {
        assert.ok(error instanceof ConfigurationError);
        assert.equal(error.field, "positions.0");
        assert.match(error.message, /positions\.0/);
        return true;
      });
    }
    assert.equal([...checkWords("😀".repeat(1000), "name")].length, 1000);
  });

  it("checkWords() accepts exactly what has 1 to 1,000 code points and no other control character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 1100 }), (text) => {
        const trimmed = text.trim();
        const length = [...trimmed].length;
        const good = length >= 1 && length <= 1000 &&
          !/\p{Cc}/u.test(trimmed.replace(/[\r\n]/g, ""));
        if (good) assert.equal(checkWords(text, "name"), trimmed);
        else assert.throws(() => checkWords(text, "name"), ConfigurationError);
      }),
      { numRuns: 30 },
    );
  });
});
