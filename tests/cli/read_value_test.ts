// Parsing of flag values.
import assert from "node:assert/strict";
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

/** A reader with the values of texts, and texts that are rejected. */
type Reader = readonly [
  read: (text: string, flag: string) => unknown,
  values: Readonly<Record<string, unknown>>,
  rejected: readonly string[],
];
const READERS: Readonly<Record<string, Reader>> = {
  readDuration: [
    readDuration,
    {
      ...{ "90s": 90_000, "10m": 600_000, "1h": 3_600_000, "1h30m": 5_400_000 },
      ...{ "1.5s": 1500, "250ms": 250, "1500": 1500, "10": 10, "0": 0 },
    },
    ["", "soon", "-1s", "1d", "10 m", "s", "1e3", "Infinity"],
  ],
  readWhole: [readWhole, { "12": 12 }, ["", "1.5", "-1", "1e3", "0x10", " 3", "three"]],
  readNumber: [readNumber, { "0.5": 0.5, ".5": 0.5 }, [
    "",
    "-1",
    "1e3",
    "1,5",
    "NaN",
    "Infinity",
    ".",
  ]],
  readList: [readList, { "md, html,md,": ["md", "html"] }, ["", " , "]],
  readParticipant: [
    readParticipant,
    {
      "Ada": { name: "Ada" },
      "Ada Lovelace=openrouter:a/b": { name: "Ada Lovelace", model: "openrouter:a/b" },
    },
    ["", "  ", "=gpt-4o", "Ada="],
  ],
  readRange: [
    readRange,
    { "200-1000": { min: 200, max: 1000 } },
    ["200", "200-", "-500", "a-b", "2e2-500", "300-250"],
  ],
  readGuard: [
    readGuard,
    { "refused-terms=warn": ["refusedTerms", "warn"] },
    ["", "length", "length=", "=off", "lengths=off"],
  ],
  readPersona: [
    readPersona,
    {
      "economist": { persona: "economist" },
      "Ada B = people/a=b.yaml": { of: "Ada B", persona: "people/a=b.yaml" },
    },
    ["", " ", "=x", "Ada="],
  ],
};

for (const [name, [read, values, rejected]] of Object.entries(READERS)) {
  Deno.test(`${name}() reads the texts that it should, and rejects others by the flag`, () => {
    for (const [text, value] of Object.entries(values)) {
      assert.deepEqual(read(text, "--flag"), value, text);
    }
    for (const text of rejected) {
      const error = { name: "ConfigurationError", code: "config_invalid", field: "--flag" };
      assert.throws(() => read(text, "--flag"), error, text);
    }
  });
}
