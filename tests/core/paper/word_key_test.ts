import assert from "node:assert/strict";
import { saidLine, saidText, withoutListMarker } from "../../../src/core/text.ts";
import { topicNamed, wordKey } from "../../../src/core/words.ts";

const TOPICS = ["Evidence & methods", "Generalisability", "3D vision", "方法论"];

Deno.test("topicNamed() finds a topic whatever its case, spaces and punctuation", () => {
  for (
    const [name, topic] of [
      ["Evidence & methods", TOPICS[0]],
      ["  evidence - METHODS: ", TOPICS[0]],
      ["2. Generalisability", TOPICS[1]],
      ["- generalisability.", TOPICS[1]],
      ["3D Vision", TOPICS[2]],
      ["方法论", TOPICS[3]],
    ] as const
  ) assert.equal(topicNamed(name, TOPICS), topic);
});

Deno.test("topicNamed() finds none for another name, and none for no words", () => {
  for (const name of ["Evidence", "methods evidence", "", "—", "Ethics", "D vision"]) {
    assert.equal(topicNamed(name, TOPICS), undefined);
  }
  assert.equal(topicNamed("?", ["!", "?!"]), undefined);
});

Deno.test("topicNamed() prefers the topic that is written so", () => {
  assert.equal(topicNamed("C#", ["C++", "C#"]), "C#");
});

Deno.test("wordKey() is the same for texts of the same words", () => {
  assert.equal(wordKey("Doesn’t it — work?"), wordKey("doesn't it work"));
  assert.notEqual(wordKey("It gained 5.5"), wordKey("It gained 55"));
});

Deno.test("saidText() makes every line end one, and leaves nothing out that is seen", () => {
  assert.equal(
    saidText(" a\r\nb\rc\u2028d\u0000\u001b[31m\u202ee\tf\ud800 \n"),
    "a\nb\nc\nd[31me f\ufffd",
  );
  assert.equal(saidLine("a\n b", 10), "a b");
  assert.equal(saidLine("abcdef", 3), "ab…");
});

Deno.test("withoutListMarker() takes off what begins an item, and no number of the text", () => {
  assert.equal(withoutListMarker("1. - ## a"), "a");
  assert.equal(withoutListMarker("12) a"), "a");
  assert.equal(withoutListMarker("3D vision"), "3D vision");
  assert.equal(withoutListMarker("-5 degrees"), "-5 degrees");
});
