// Parsing of flag values.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/core/error.ts";
import {
  readDuration,
  readFormats,
  readGuard,
  readNumber,
  readParticipant,
  readPersona,
  readShare,
  readWhole,
  readWords,
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

describe("readFormats()", () => {
  it("readFormats() returns each format of a comma list once", () => {
    assert.deepEqual(readFormats("md, html,md", "--transcript"), ["md", "html"]);
  });

  it("readFormats() rejects an unknown or empty format and lists the allowed ones", () => {
    for (const text of ["pdf", "md,", ""]) {
      assert.throws(
        () => readFormats(text, "--transcript"),
        (error) =>
          error instanceof ConfigurationError &&
          /md, json, txt, html/.test(error.hint ?? ""),
      );
    }
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

describe("readWords()", () => {
  it("readWords() accepts ranges from 200 to 1000 and rejects others", () => {
    assert.deepEqual(readWords("200-1000", "--words"), { min: 200, max: 1000 });
    assert.deepEqual(readWords("300-300", "--words"), { min: 300, max: 300 });
    for (
      const text of ["199-500", "200-1001", "500-300", "200", "200-", "-500", "a-b", "2e2-500"]
    ) {
      assert.throws(
        () => readWords(text, "--words"),
        (error) => error instanceof ConfigurationError && /from 200 to 1000/.test(error.hint ?? ""),
      );
    }
  });
});

describe("readShare()", () => {
  it("readShare() accepts 0 to 1 and rejects others", () => {
    for (
      const [text, share] of [["0", 0], ["0.8", 0.8], [".5", 0.5], ["1", 1], ["1.0", 1]] as const
    ) {
      assert.equal(readShare(text, "--threshold"), share);
    }
    for (const text of ["", "1.1", "-0.5", "80%", "2", "1e-1"]) {
      assert.throws(() => readShare(text, "--threshold"), refused);
    }
  });
});

describe("readGuard()", () => {
  it("readGuard() reads a guard and its mode, and lists all guards in errors", () => {
    assert.deepEqual(readGuard("refused-terms=warn", "--guard"), {
      name: "refusedTerms",
      mode: "warn",
    });
    for (const text of ["", "length", "length=", "=off", "toString=off", "length=off=off"]) {
      assert.throws(
        () => readGuard(text, "--guard"),
        (error) =>
          error instanceof ConfigurationError &&
          /repetition, coherence, refused-terms, length, persona.*off, warn, reject/.test(
            error.hint ?? "",
          ),
        text,
      );
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
