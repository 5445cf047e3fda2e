// Clients that are generated from the OpenAPI document compile, read answers without a cast, and work.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTs, { astToString } from "openapi-typescript";
import { withFolder } from "../support/cli.ts";
import { ROOT, runDeno } from "../support/deno_process.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { startServe } from "./support/serve_process.ts";

/** A program over the generated types: every access is one that the compiler knows. */
const CLIENT = `
import createClient from "openapi-fetch";
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

Deno.test("a generated client compiles without a cast, and reads winner, scores, messages and files", async () => {
  await using speaker = await startSpeaker();
  await withFolder(async (folder) => {
    const { OPENAI_API_KEY = "", OPENAI_BASE_URL = "" } = speaker.env;
    await using server = await startServe([], { folder, env: { OPENAI_API_KEY, OPENAI_BASE_URL } });
    const document = await (await fetch(`${server.url}/api/openapi.json`)).text();
    const types = astToString(await openapiTs(JSON.parse(document)));
    await Deno.writeTextFile(join(folder, "api.ts"), types);
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

Deno.test("a linter of OpenAPI documents finds nothing to say", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = await Deno.readTextFile(join(ROOT, "tests/golden/doors/openapi.json"));
  const found = await lintFromString({ source, config });
  assert.deepEqual(found.map(({ ruleId, message }) => `${ruleId}: ${message}`), []);
});
