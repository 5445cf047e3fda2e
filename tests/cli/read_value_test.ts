// Parsing of flag values.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  readDuration,
  readGuard,
  readList,
  readNumber,
  readParticipant,
  readPersona,
  readRange,
  readWhole,
} from "../../src/cli/flag.ts";

const refused = { name: "ConfigurationError", code: "config_invalid" };

describe("readDuration()", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["90s", 90_000],
    ["10m", 600_000],
    ["1h", 3_600_000],
    ["1h30m", 5_400_000],
    ["1.5s", 1500],
    ["250ms", 250],
    ["1500", 1500],
    ["10", 10],
    ["0", 0],
  ];
  for (const [text, milliseconds] of cases) {
    it(`readDuration() reads ${text}`, () => {
      assert.equal(readDuration(text, "--max-wait"), milliseconds);
    });
  }
  for (
    const text of ["", "soon", "-1s", "1d", "10 m", "s", "1e3", "Infinity"]
  ) {
    it(`readDuration() rejects ${JSON.stringify(text)}`, () => {
      assert.throws(() => readDuration(text, "--max-wait"), {
        ...refused,
        field: "--max-wait",
      });
    });
  }
});

describe("readWhole() and readNumber()", () => {
  it("readWhole() accepts digits only", () => {
    assert.equal(readWhole("12", "--rounds"), 12);
    for (const text of ["", "1.5", "-1", "1e3", "0x10", " 3", "three"]) {
      assert.throws(() => readWhole(text, "--rounds"), refused);
    }
  });

  it("readNumber() accepts decimals only", () => {
    assert.equal(readNumber("0.5", "--max-cost"), 0.5);
    assert.equal(readNumber(".5", "--max-cost"), 0.5);
    for (const text of ["", "-1", "1e3", "1,5", "NaN", "Infinity", "."]) {
      assert.throws(() => readNumber(text, "--max-cost"), refused);
    }
  });
});

describe("readList()", () => {
  it("readList() returns each entry of a comma list once", () => {
    assert.deepEqual(readList("md, html,md,"), ["md", "html"]);
  });
});

describe("readParticipant()", () => {
  it("readParticipant() separates a name from its model", () => {
    assert.deepEqual(readParticipant("Ada", "--participant"), { name: "Ada" });
    assert.deepEqual(
      readParticipant("Ada Lovelace=openrouter:a/b", "--participant"),
      { name: "Ada Lovelace", model: "openrouter:a/b" },
    );
  });

  it("readParticipant() rejects a missing name or model", () => {
    for (const text of ["", "  ", "=gpt-4o", "Ada="]) {
      assert.throws(() => readParticipant(text, "--participant"), refused);
    }
  });
});

describe("readRange()", () => {
  it("readRange() reads two numbers and rejects other texts", () => {
    assert.deepEqual(readRange("200-1000", "--words"), { min: 200, max: 1000 });
    for (const text of ["200", "200-", "-500", "a-b", "2e2-500"]) {
      assert.throws(() => readRange(text, "--words"), refused);
    }
  });
});

describe("readGuard()", () => {
  it("readGuard() reads the key of a guard and its mode", () => {
    assert.deepEqual(readGuard("refused-terms=warn", "--guard"), ["refusedTerms", "warn"]);
    for (const text of ["", "length", "length=", "=off"]) {
      assert.throws(() => readGuard(text, "--guard"), refused, text);
    }
  });
});

describe("readPersona()", () => {
  it("readPersona() separates a name from a persona", () => {
    assert.deepEqual(readPersona("economist", "--persona"), { persona: "economist" });
    assert.deepEqual(readPersona("Ada B = people/a=b.yaml", "--persona"), {
      of: "Ada B",
      persona: "people/a=b.yaml",
    });
    for (const text of ["", " ", "=x", "Ada="]) {
      assert.throws(() => readPersona(text, "--persona"), refused);
    }
  });
});
