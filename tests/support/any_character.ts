// Characters for property tests.
import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 } as const;

/**
 * Unit of strings: any code point but surrogates, and pieces of dangerous strings such as `__proto__`. The unit "binary" of
 * fast-check does the same with a table of all code points, which takes seconds and 180 MB for each isolate.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map(
    (at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
    (character) => {
      const point = typeof character === "string" ? character.codePointAt(0) : undefined;
      if (point === undefined || String.fromCodePoint(point) !== character) {
        throw new Error("Not one character");
      }
      return point < SURROGATES.first ? point : point - SURROGATES.count;
    },
  );
