// Words of the sources: comments that name their subject, files that say what they are for, the glossary's terms.
import assert from "node:assert/strict";
import { sourceFiles } from "./support/source_files.ts";

const FILES = new Map((await sourceFiles("src")).map(({ path, text }) => [path, text]));
const QUESTION_WORDS = /^(?:What|Who|Whose|Whom|Whether|Where|How|Those|Which|Why)\b/;
/** Words that replace terms of the glossary. */
const BANNED =
  /(?:^|[a-z])(?:Told|(?<!Front)Matters?|Materials|Sights?|Desk|Floor|Party|Parties|Halt|Reckoned)(?![a-z])/;

Deno.test("sources: no doc comment, and no comment that begins a file, begins with a question word", () => {
  const found: string[] = [];
  for (const [path, text] of FILES) {
    for (const [comment] of text.matchAll(/\/\*\*[^]*?\*\/|(?<![^])\/\/.*/g)) {
      const words = comment.replace(/^[\s*/]+/, "");
      if (QUESTION_WORDS.test(words)) found.push(`${path}: ${words.split("\n")[0]}`);
    }
  }
  assert.deepEqual(found, []);
});

Deno.test("sources: each file begins with a comment that says what the file is for", () => {
  const bare = [...FILES].filter(([, text]) => !/^\/[/*]/.test(text)).map(([path]) => path);
  assert.deepEqual(bare, []);
});

Deno.test("sources: exported names use the glossary's words", () => {
  const found: string[] = [];
  for (const [path, text] of FILES) {
    const names = text.matchAll(
      /^export (?:async )?(?:abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm,
    );
    for (const [, name = ""] of names) {
      const words = name.charAt(0).toUpperCase() + name.slice(1);
      if (BANNED.test(words)) found.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(found, []);
});
