// Clients that are generated from the OpenAPI document compile, read responses without casts, and work.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTs, { astToString } from "openapi-typescript";
import { ADDRESSES } from "../../src/client/operations.ts";
import { withFolder } from "../support/cli.ts";
import { ROOT, runDeno } from "../support/deno_process.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { startServe } from "./support/serve_process.ts";

/** Inputs with keys beyond the document; only the server's configuration check knows them. */
const WIDER: readonly string[] = ["start", "resume", "judge", "run", "runComplete"];
/** Operations that return text of several media types. */
const TEXTS: readonly string[] = ["studyFile", "file", "export"];

/** First part of a module that compares the client's types in `src/client` with the generated ones. */
const COMPARED = `
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

/** A program over the generated types without casts. */
const CLIENT = `
import createClient from "openapi-fetch";
import "./comparison.ts";
import type { components, paths } from "./api.ts";

const baseUrl = Deno.args[0]!;
const { GET, POST } = createClient<paths>({ baseUrl });
const started = await POST("/api/convenings", {
  body: {
    kind: "debate",
    topic: "Should cities ban private cars?",
    model: "${MODEL}",
    roundCount: 1,
    seed: 1,
  },
});
if (started.error !== undefined) throw new Error(started.error.error.message);
const { id } = started.data;
const path = { id };
const events = await GET("/api/convenings/{id}/events", { params: { path }, parseAs: "text" });
const types = (events.data ?? "").split("\\n").flatMap((line) => {
  if (!line.startsWith("data: ")) return [];
  const event: components["schemas"]["Event"] = JSON.parse(line.slice(6));
  return event.type === "convening-end" ? [event.ending.status] : [];
});
const { data: convening } = await GET("/api/convenings/{id}", { params: { path } });
const { data: messages } = await GET("/api/convenings/{id}/messages", {
  params: { path, query: { limit: 2 } },
});
const { data: scores } = await GET("/api/convenings/{id}/scores", { params: { path } });
const { data: verdicts } = await GET("/api/convenings/{id}/verdicts", { params: { path } });
const { data: first } = await GET("/api/convenings/{id}/messages/{seq}", {
  params: { path: { id, seq: 1 } },
});
const file: string = messages!.messages[0]!.file;
const text = await GET("/api/convenings/{id}/files", {
  params: { path, query: { path: file } },
  parseAs: "text",
});
const old = await GET("/api/convenings/{id}/files/{path}", {
  params: { path: { id, path: file } },
  parseAs: "text",
});
const missing = await GET("/api/convenings/{id}", { params: { path: { id: "none" } } });
const winner: string | null = convening!.winner;
const totals: number[] = Object.values(convening!.scores).map(({ total }) => total);
const tokens: number = messages!.messages[0]!.usage.inputTokens;
const spoken: string = first!.message.body;
const judged: (number | null)[] = scores!.scores.map(({ total }) => total);
const named: (string | null)[] = verdicts!.verdicts.map(({ winner }) => winner);
const code: string | undefined = missing.error?.error.code;
console.log(JSON.stringify({
  types,
  winner,
  totals,
  tokens,
  isSaid: spoken.length > 0 && text.data!.includes(spoken.slice(0, 40)) && old.data === text.data,
  next: messages!.next,
  judged: judged.length,
  named,
  code,
}));
`;

/** Returns a module that compiles if the client's inputs and outputs equal the document's. */
function comparison(): string {
  const lines = Object.entries(ADDRESSES).map(([name, address]) => {
    const [method = "", path = ""] = address.split(" ");
    const row = `paths["${path}"]["${method.toLowerCase()}"]`;
    const output = `(given: Answer<${row}>): Operations["${name}"][1] => given`;
    const input = `(given: Operations["${name}"][0]): Input<${row}> => given`;
    return [...TEXTS.includes(name) ? [] : [output], ...WIDER.includes(name) ? [] : [input]];
  });
  const checks = lines.flat().map((each, at) => `export const check${at} = ${each};\n`);
  return COMPARED + checks.join("");
}

Deno.test("a generated client compiles without a cast, has the types of the client in src/client, and reads winner, scores, messages and files", async () => {
  await using speaker = await startSpeaker();
  await withFolder(async (folder) => {
    const { OPENAI_API_KEY = "", OPENAI_BASE_URL = "" } = speaker.env;
    await using server = await startServe([], { folder, env: { OPENAI_API_KEY, OPENAI_BASE_URL } });
    const document = await (await fetch(`${server.url}/api/openapi.json`)).text();
    const types = astToString(await openapiTs(JSON.parse(document)));
    await Deno.writeTextFile(join(folder, "api.ts"), types);
    await Deno.writeTextFile(join(folder, "comparison.ts"), comparison());
    await Deno.writeTextFile(join(folder, "client.ts"), CLIENT);
    const { code, stdout, stderr } = await runDeno([
      "run",
      "--check",
      `--config=${join(ROOT, "deno.test.json")}`,
      "--frozen",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      join(folder, "client.ts"),
      server.url,
    ]);
    assert.equal(code, 0, stderr);
    const read = JSON.parse(stdout);
    assert.deepEqual([read.types, read.isSaid, read.next, read.code], [
      ["completed"],
      true,
      2,
      "not_found",
    ]);
    assert.ok(read.totals.length === 2 && read.judged > 0 && read.tokens >= 0, stdout);
    assert.ok(read.named.includes(read.winner), stdout);
  });
});

Deno.test("a linter of OpenAPI documents reports nothing", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = await Deno.readTextFile(join(ROOT, "tests/golden/doors/openapi.json"));
  const found = await lintFromString({ source, config });
  assert.deepEqual(found.map(({ ruleId, message }) => `${ruleId}: ${message}`), []);
});
