// Transcript with folds of older turns.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../../src/core/message.ts";
import { type Fold, FOLD_DELAY, Transcript } from "../../src/core/prompt.ts";

const RESERVED = 500;

/** Returns a message with a number of tokens, for a counter of characters. */
function message(seq: number, tokens: number, round = 0): Message {
  return { seq, round, body: "x".repeat(tokens) } as Message;
}

function foldsOf(
  tokens: readonly number[],
  options: { bound: number; byRounds?: boolean; perRound?: number; weighEach?: number },
): { transcript: Transcript; folds: Fold[] } {
  const { bound, byRounds = false, perRound = 4, weighEach = 1 } = options;
  const messages: Message[] = [];
  const transcript = new Transcript({ messages, bound, byRounds });
  const folds: Fold[] = [];
  for (const [index, each] of tokens.entries()) {
    messages.push(message(index + 1, each, 1 + Math.floor(index / perRound)));
    if ((index + 1) % weighEach === 0) {
      folds.push(...transcript.weigh(({ body }) => body.length, RESERVED));
    }
  }
  folds.push(...transcript.weigh(({ body }) => body.length, RESERVED));
  return { transcript, folds };
}

const lengths = fc.array(fc.integer({ min: 20, max: 400 }), { maxLength: 200 });

Deno.test("Transcript folds nothing within the limit", () => {
  const { transcript, folds } = foldsOf(Array(20).fill(100), { bound: 12_000 });
  assert.deepEqual(folds, []);
  assert.equal(transcript.foldAt(20), undefined);
});

Deno.test("Transcript folds depend on the messages alone, however often the size is computed", () => {
  fc.assert(
    fc.property(
      lengths,
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      (tokens, weighEach, byRounds) => {
        const options = { bound: 4000, byRounds };
        assert.deepEqual(
          foldsOf(tokens, { ...options, weighEach }).folds,
          foldsOf(tokens, options).folds,
        );
      },
    ),
  );
});

Deno.test("Transcript keeps prompts within the limit, whatever the lengths, and never folds the latest turns", () => {
  fc.assert(fc.property(lengths, (tokens) => {
    const bound = 6000;
    const { transcript, folds } = foldsOf(tokens, { bound });
    for (let count = 1; count <= tokens.length; count++) {
      const fold = transcript.foldAt(count);
      const shown = tokens.slice(fold?.covers ?? 0, count);
      const size = RESERVED + shown.reduce((sum, each) => sum + each + 20, 0);
      // A fold starts by the mean of the latest turns; longer turns after it may exceed the limit by as much.
      assert.ok(size <= bound + FOLD_DELAY * 420, `${size} tokens at ${count}`);
      if (fold !== undefined) assert.ok(fold.covers < count);
    }
    for (const [index, fold] of folds.entries()) {
      assert.ok(fold.covers > (folds[index - 1]?.covers ?? 0));
    }
  }));
});

Deno.test("Transcript folds end at the ends of rounds when round summaries serve as folds", () => {
  const { folds } = foldsOf(Array(200).fill(280), { bound: 12_000, byRounds: true, perRound: 5 });
  assert.ok(folds.length >= 3);
  for (const { covers } of folds) assert.equal(covers % 5, 0);
});
