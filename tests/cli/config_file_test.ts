import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { readConfigFile } from "../../src/cli/config_file.ts";

const refused = { name: "ConfigurationError", field: "--config" };

describe("readConfigFile()", () => {
  it("readConfigFile() gives a YAML file's keys", () => {
    assert.deepEqual(
      readConfigFile("topic: A topic\nroundCount: 2\n", "/a.yaml"),
      { topic: "A topic", roundCount: 2 },
    );
  });

  it("readConfigFile() takes a YAML file that opens and ends with three dashes", () => {
    assert.deepEqual(readConfigFile("---\ntopic: No\n---\n", "/a.yaml"), {
      topic: "No",
    });
  });

  it("readConfigFile() keeps words as words", () => {
    assert.deepEqual(
      readConfigFile("a: No\nb: 1:30\nc: 2026-01-01\n", "/a.yaml"),
      { a: "No", b: "1:30", c: "2026-01-01" },
    );
  });

  it("readConfigFile() gives the configuration of a metadata.md", () => {
    const text =
      "---\nformat: convenings/1\ntype: metadata\nconfiguration:\n  kind: debate\n---\n\n# Text\n";
    assert.deepEqual(readConfigFile(text, "/a/metadata.md"), {
      kind: "debate",
    });
  });

  const bad = {
    "a list": ["- a\n", "/a.yaml"],
    "an empty file": ["", "/a.yaml"],
    "broken YAML": ["a: [1\n", "/a.yaml"],
    "a key that is given twice": ["a: 1\na: 2\n", "/a.yaml"],
    "markdown without front matter": ["# Hello\n", "/a.md"],
    "front matter without a configuration": ["---\na: 1\n---\n", "/a.md"],
  } as const;
  for (const [what, [text, path]] of Object.entries(bad)) {
    it(`readConfigFile() refuses ${what}`, () => {
      assert.throws(() => readConfigFile(text, path), refused);
    });
  }
});
