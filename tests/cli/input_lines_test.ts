import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InputLines, readAll } from "../../src/cli/terminal_people.ts";

/** Standard input that gives these pieces; undefined is an end, after which more can come, as at a terminal. */
function input(...pieces: readonly (string | undefined)[]): () => Promise<string | undefined> {
  const left = [...pieces];
  return () => Promise.resolve(left.shift());
}

const { signal } = new AbortController();

describe("InputLines", () => {
  it("next() gives the lines up to one with a single full stop", async () => {
    const lines = new InputLines(input("One\ntwo\n.\nThree\n", ".\n"));
    assert.deepEqual(await lines.next(signal), { text: "One\ntwo", atEnd: false });
    assert.deepEqual(await lines.next(signal), { text: "Three", atEnd: false });
  });

  it("next() gives what there is at the end of input, a line without its break too", async () => {
    const lines = new InputLines(input("One\r\ntw", "o", undefined, "more\n", undefined));
    assert.deepEqual(await lines.next(signal), { text: "One\ntwo", atEnd: true });
    assert.deepEqual(await lines.next(signal), { text: "more\n", atEnd: true });
  });

  it("nextLine() gives one line, whatever it says, and what there is at the end of input", async () => {
    const lines = new InputLines(input("2\r\n.\nno", "w", undefined, "again\n"));
    assert.deepEqual(await lines.nextLine(signal), { text: "2", atEnd: false });
    assert.deepEqual(await lines.nextLine(signal), { text: ".", atEnd: false });
    assert.deepEqual(await lines.nextLine(signal), { text: "now", atEnd: true });
    assert.deepEqual(await lines.nextLine(signal), { text: "again", atEnd: false });
  });

  it("next() reads the same whatever the pieces it comes in", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", ".", "\n", "é", " ") });
    await fc.assert(fc.asyncProperty(text, fc.array(fc.nat(20)), async (whole, cuts) => {
      const places = [...new Set(cuts.filter((at) => at < whole.length))].sort((a, b) => a - b);
      const pieces = [...places, whole.length].map((at, i) => whole.slice(places[i - 1] ?? 0, at))
        .filter((piece) => piece !== "");
      const [cut, once] = [new InputLines(input(...pieces)), new InputLines(input(whole))];
      assert.deepEqual(await cut.next(signal), await once.next(signal));
    }));
  });

  it("next() stops at an abort, and what comes later is for the next who asks", async () => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    let reads = 0;
    const lines = new InputLines(() => {
      reads++;
      return reads === 1 ? promise : Promise.resolve(".\n");
    });
    const over = new AbortController();
    const first = lines.next(over.signal);
    over.abort();
    assert.equal(await first, undefined);
    resolve("Late.\n");
    assert.deepEqual(await lines.next(signal), { text: "Late.", atEnd: false });
    assert.equal(reads, 2, "the read that went on was not begun again");
    assert.equal(await lines.next(AbortSignal.abort()), undefined);
  });
});

describe("readAll()", () => {
  it("readAll() gives everything up to the end", async () => {
    assert.equal(await readAll(input("One ", "two\n", undefined, "three")), "One two\n");
  });
});
