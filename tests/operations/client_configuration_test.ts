// Configurations that remote clients may send.
import assert from "node:assert/strict";
import fc from "fast-check";
import { ConveningError } from "../../src/core/error.ts";
import { clientConfiguration } from "../../src/operations/client_configuration.ts";
import { settingsOver } from "../../src/operations/client_runs.ts";
import type { Convening } from "../../src/operations/convening.ts";

const DEBATE = { kind: "debate", topic: "Should cities ban private cars?" };

Deno.test("clientConfiguration() returns a file's configuration with texts instead of files", () => {
  const sources = [{ name: "counts.md", text: "Twelve streets." }];
  const { config, ...rest } = clientConfiguration({ ...DEBATE, sources, roundCount: 2 });
  assert.deepEqual(config, { ...DEBATE, roundCount: 2 });
  assert.deepEqual(rest, { sources });
  const paper = clientConfiguration({ kind: "paper-debate", paperIds: ["a", "b"] });
  assert.deepEqual(paper.config, { kind: "paper-debate", papers: ["a", "b"] });
  assert.deepEqual(paper.paperIds, ["a", "b"]);
});

Deno.test("clientConfiguration() rejects paths and URLs by name, wherever they are", () => {
  const cases: readonly (readonly [body: object, field: string])[] = [
    [{ moderatorModel: "Replay:/x" }, "moderatorModel"],
    [{ judges: [{ model: " replay:x" }] }, "judges.0.model"],
    [{ judges: [{ rubric: "x.yml" }] }, "judges.0.rubric"],
    [{ rubric: "../x.YAML" }, "rubric"],
    [{ audience: [{ persona: "x.yaml" }] }, "audience.0.persona"],
    [{ factCheck: { extractionModel: "replay:x" } }, "factCheck.extractionModel"],
    [{ sources: [{ name: "a", text: "b", path: "c" }] }, "sources.0.path"],
    [{ sources: [{ name: ".lock", text: "b" }] }, "sources.0.name"],
    [{ sources: [{ name: "a", text: "\u0000" }] }, "sources.0.text"],
    [{ sources: "x" }, "sources"],
    [{ paperIds: ["a"] }, "paperIds"],
    [{ kind: "paper-debate" }, "paperIds"],
    [{ kind: "paper-debate", paperIds: [] }, "paperIds"],
    [{ kind: "paper-debate", paperIds: ["a", "a"] }, "paperIds"],
    [{ kind: "paper-debate", paperIds: ["a"], title: "T" }, "title"],
  ];
  for (const [body, field] of cases) {
    assert.throws(() => clientConfiguration({ ...DEBATE, ...body }), {
      code: "config_invalid",
      field,
    }, JSON.stringify(body));
  }
});

Deno.test("clientConfiguration() names what is wrong, and no key that clients may not set as allowed", () => {
  const hintOf = (body: object) => {
    try {
      clientConfiguration({ ...DEBATE, ...body });
    } catch (error) {
      return error instanceof ConveningError ? error.hint ?? "" : String(error);
    }
    return "no error";
  };
  const keys = (hint: string) => hint.replace(/^.*Allowed here: /, "").split(", ");
  assert.match(hintOf({ sources: [{ name: "a", text: "\u0000" }] }), /no NUL character/);
  const cases: readonly (readonly [body: object, kept: string, refused: readonly string[]])[] = [
    [{ outt: "x" }, "sources", ["out", "baseUrl", "providers", "memory", "personas"]],
    [{ factCheck: { searchUrls: "x" } }, "maxClaims", ["searchUrl"]],
    [{ kind: "paper-debate", paperIds: ["a"], paper: "b" }, "paperIds", ["papers", "title", "out"]],
  ];
  for (const [body, kept, refused] of cases) {
    const hint = hintOf(body);
    assert.ok(keys(hint).includes(kept), hint);
    assert.deepEqual(keys(hint).filter((key) => refused.includes(key)), [], hint);
    assert.doesNotMatch(hint, /Did you mean "(?:out|papers|searchUrl)"/);
  }
  const many = Array.from({ length: 1000 }, (_, at) => [`x${at}`, 0]);
  assert.match(hintOf(Object.fromEntries(many)), /^x19: Allowed here: kind, /m, "of named keys");
});

Deno.test("clientConfiguration() reports keys that clients may not set together with wrong values and a topic of a wrong form", () => {
  const body = {
    ...DEBATE,
    topic: "Too short",
    baseUrl: "http://x",
    out: "/tmp",
    judges: [{ model: "replay:x" }],
    sources: "x",
    roundCount: 0.5,
  };
  assert.throws(() => clientConfiguration(body), (error: unknown) => {
    assert.ok(error instanceof ConveningError);
    assert.deepEqual(
      error.fields?.map(({ field }) => field).toSorted(),
      ["baseUrl", "judges.0.model", "out", "roundCount", "sources", "topic"],
    );
    return true;
  });
});

Deno.test("clientConfiguration() rejects deep nesting before it reads all of it", () => {
  let rubric: unknown = "end";
  for (let depth = 0; depth < 100_000; depth++) rubric = { of: rubric };
  assert.throws(() => clientConfiguration({ ...DEBATE, rubric }), {
    code: "config_invalid",
    field: "rubric.of.of.of",
  });
});

Deno.test("clientConfiguration() rejects any other value with an error that names the problem", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.string(), (value, key) => {
    for (const body of [value, { ...DEBATE, [key]: value }, { ...DEBATE, sources: value }]) {
      try {
        clientConfiguration(body);
      } catch (error) {
        assert.ok(error instanceof ConveningError, String(error));
        assert.equal(error.code, "config_invalid");
        assert.ok(error.field);
      }
    }
  }));
});

Deno.test("settingsOver() leaves the other roles of a replayed record to the record's own model", () => {
  const [moderator, ada] = [{ name: "Chair", role: "moderator" }, { name: "Ada" }];
  const participants = [moderator, ada].map((each) => ({ ...each, model: "replay:b" }));
  const configuration = { model: "replay:/a/b", participants };
  const convening = { start: { kind: "debate", configuration } } as unknown as Convening;
  assert.deepEqual(settingsOver(convening, { moderatorModel: "offline" }).participants, [
    { ...moderator, model: "offline" },
    ada,
  ]);
});
