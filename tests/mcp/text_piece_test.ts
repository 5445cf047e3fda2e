import assert from "node:assert/strict";
import fc from "fast-check";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { pieceOf } from "../../src/mcp/reply.ts";

Deno.test("pieceOf() gives a text in whole characters, each part within its tokens", async () => {
  const count = await loadTokenCounter();
  const text = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("𝒳🌳 word ")), {
    maxLength: 40,
  }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 20, max: 80 }), async (text, maxTokens) => {
      let read = "";
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const piece = await pieceOf(text, { offset, maxTokens });
        assert.ok(piece.text.isWellFormed() || !text.isWellFormed());
        assert.equal(piece.tokens, count(piece.text));
        assert.ok(piece.tokens <= maxTokens);
        assert.ok(piece.next === undefined || piece.next > offset);
        read += piece.text;
        offset = piece.next;
      }
      assert.equal(read, text);
    }),
    { numRuns: 60 },
  );
});

Deno.test("pieceOf() refuses to begin behind a text's end", async () => {
  await assert.rejects(pieceOf("abc", { offset: 4, maxTokens: 10 }), {
    code: "config_invalid",
    field: "offset",
  });
});
