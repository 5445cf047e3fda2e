import assert from "node:assert/strict";
import fc from "fast-check";
import { fuse } from "../../src/papers/retrieval/fusion.ts";

Deno.test("fuse() puts first what several rankings name, by reciprocal ranks over 60", () => {
  const fused = fuse([[7, 1, 2], [3, 7, 1]]);
  assert.deepEqual(fused.map(({ number }) => number), [7, 1, 3, 2]);
  const best = 1 / 61 + 1 / 62;
  assert.equal(fused[0]!.score, 1);
  assert.ok(Math.abs(fused[1]!.score - (1 / 62 + 1 / 63) / best) < 1e-12);
  assert.ok(Math.abs(fused[3]!.score - 1 / 63 / best) < 1e-12);
});

Deno.test("fuse() ranks equals by number, and nothing where there is nothing", () => {
  assert.deepEqual(fuse([[9], [4]]), [{ number: 4, score: 1 }, { number: 9, score: 1 }]);
  assert.deepEqual(fuse([]), []);
  assert.deepEqual(fuse([[], []]), []);
});

Deno.test("fuse() keeps each number once, best first, within 0 to 1", () => {
  const ranking = fc.uniqueArray(fc.nat(30), { maxLength: 20 });
  fc.assert(fc.property(fc.array(ranking, { maxLength: 4 }), (rankings) => {
    const fused = fuse(rankings);
    const numbers = fused.map(({ number }) => number);
    assert.deepEqual(new Set(numbers), new Set(rankings.flat()));
    assert.equal(new Set(numbers).size, numbers.length);
    for (const [i, { score }] of fused.entries()) {
      assert.ok(score > 0 && score <= (fused[i - 1]?.score ?? 1));
    }
  }));
});
