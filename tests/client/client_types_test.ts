// The types of the client are those of the OpenAPI document, which is made of the schemas that requests are checked by.
import assert from "node:assert/strict";
import { join } from "@std/path";
import openapiTs, { astToString } from "openapi-typescript";
import { ADDRESSES } from "../../src/client/operations.ts";
import { apiRoutes } from "../../src/server/api.ts";
import { openApiDocument } from "../../src/server/openapi.ts";
import { withFolder } from "../support/cli.ts";
import { ROOT, runDeno } from "../support/deno_process.ts";

/** Inputs that are wider than the document says: their keys are checked by the server's configuration alone. */
const WIDER: readonly string[] = ["start", "resume", "judge", "run", "runComplete"];
/** Operations that give texts, of several media types. */
const TEXTS: readonly string[] = ["file", "export"];

const HEAD = `
import type { paths } from "./api.ts";
import type { Operations } from "${ROOT}/src/client/mod.ts";
type Json<T> = T extends { content: { "application/json": infer B } } ? B
  : undefined;
type Answer<R> = R extends { responses: infer S } ? Json<S[keyof S & (200 | 201 | 202 | 204)]> : never;
type Path<R> = R extends { parameters: { path: infer P } } ? P : unknown;
type Query<R> = R extends { parameters: { query?: infer Q } } ? Q : unknown;
type Body<R> = R extends { requestBody?: { content: { "application/json": infer B } } }
  ? B extends Record<string, never> ? unknown : B
  : unknown;
type Input<R> = Path<R> & (Body<R> extends never ? unknown : Body<R>) &
  ([Query<R>] extends [undefined] ? unknown : Query<R>);
`;

Deno.test("the client's types of inputs and outputs are those of the OpenAPI document", async () => {
  await withFolder(async (folder) => {
    const document = JSON.parse(JSON.stringify(openApiDocument("1.0.0", apiRoutes())));
    await Deno.writeTextFile(join(folder, "api.ts"), astToString(await openapiTs(document)));
    const lines = Object.entries(ADDRESSES).map(([name, address]) => {
      const [method = "", path = ""] = address.split(" ");
      const row = `paths["${path}"]["${method.toLowerCase()}"]`;
      const output = `(given: Answer<${row}>): Operations["${name}"][1] => given`;
      const input = `(given: Operations["${name}"][0]): Input<${row}> => given`;
      return [...TEXTS.includes(name) ? [] : [output], ...WIDER.includes(name) ? [] : [input]];
    });
    const checks = lines.flat().map((each, at) => `export const check${at} = ${each};\n`);
    await Deno.writeTextFile(join(folder, "check.ts"), HEAD + checks.join(""));
    const { code, stderr } = await runDeno([
      "check",
      `--config=${join(ROOT, "deno.test.json")}`,
      "--frozen",
      join(folder, "check.ts"),
    ]);
    assert.equal(code, 0, stderr);
  });
});
