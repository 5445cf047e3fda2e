import assert from "node:assert/strict";
import { z } from "zod";
import { parseConfig } from "../../src/config/config.ts";
import { debateReport } from "../../src/papers/text/report.ts";
import { publishedSchemas } from "../../src/operations/schemas.ts";
import { FILE_SCHEMAS } from "../../src/record/fact_reader.ts";
import { reportFiles } from "../../src/record/paper_pages.ts";
import { jsonOf, withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";
import { paperFacts, paperStart } from "../core/paper/support/paper_record.ts";

const NAMES = ["report", "configuration", ...Object.keys(FILE_SCHEMAS)];

/** A published schema as a reader of JSON Schema sees it, told of nothing else. */
function checker(name: string): z.ZodType {
  const schema = publishedSchemas().find((each) => each.name === name)!.toJSON();
  return z.fromJSONSchema(JSON.parse(JSON.stringify(schema)));
}

Deno.test("publishedSchemas() has the report, configurations and every type of file, each a JSON Schema", () => {
  const schemas = publishedSchemas();
  assert.deepEqual(schemas.map(({ name }) => name), NAMES);
  for (const { name, about, toJSON } of schemas) {
    const schema = toJSON();
    assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema", name);
    assert.deepEqual([schema.title, schema.description], [name, about]);
    assert.ok(about !== "" && !about.includes("\n"));
  }
});

Deno.test("the published schema of a report takes report.json, and nothing that lacks a key", () => {
  const [, file] = reportFiles(paperStart(), paperFacts(), (text) => text.length);
  const schema = checker("report");
  const written: unknown = JSON.parse(file!.text);
  assert.equal(schema.safeParse(written).success, true);
  const { verdict: _verdict, ...less } = debateReport(paperStart(), paperFacts())!;
  assert.equal(schema.safeParse(less).success, false);
  assert.equal(
    schema.safeParse({ ...less, verdict: { outcome: "won", winner: null } }).success,
    false,
  );
});

Deno.test("the published schema of configurations takes what the program takes", () => {
  const schema = checker("configuration");
  const config = { kind: "debate", topic: "Should cities ban private cars?", roundCount: 2 };
  assert.deepEqual(parseConfig(config), config);
  assert.equal(schema.safeParse(config).success, true);
  assert.equal(schema.safeParse({ ...config, roundCount: "two" }).success, false);
  assert.equal(schema.safeParse({ ...config, kind: "duel" }).success, false);
});

Deno.test("schema lists the schemas, prints one as JSON, and refuses a name it does not know", async () => {
  await withFolder(async (folder) => {
    const list = await runMain(["schema"], { folder });
    assert.equal(list.code, 0, list.stderr);
    assert.deepEqual(
      list.stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/)[0]),
      NAMES,
    );
    const { schemas } = jsonOf(await runMain(["schema", "--json"], { folder }));
    assert.deepEqual((schemas as { name: string }[]).map(({ name }) => name), NAMES);
    const report = publishedSchemas()[0]!.toJSON();
    for (const args of [["schema", "report"], ["schema", "report", "--json"]]) {
      const end = await runMain(args, { folder });
      assert.deepEqual([end.code, end.stderr], [0, ""]);
      assert.deepEqual(jsonOf(end), JSON.parse(JSON.stringify(report)));
    }
    const unknown = await runMain(["schema", "repotr"], { folder });
    assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
    assert.match(unknown.stderr, /Cannot print schema "repotr": there is none of that name/);
    assert.ok(unknown.stderr.includes(`Names: ${NAMES.join(", ")}.`), unknown.stderr);
  });
});
