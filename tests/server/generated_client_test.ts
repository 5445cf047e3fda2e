// Clients that are generated from the OpenAPI document: they read responses without casts, and `deno check` compares their types.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import createClient from "openapi-fetch";
import type { Operations } from "../../src/client/mod.ts";
import type { Called, components, paths } from "../golden/doors/api.ts";
import { ROOT } from "../support/deno_process.ts";
import { MODEL } from "../support/speaking_model.ts";
import { withApp } from "./support/open_app.ts";

type Json<T> = T extends { content: { "application/json": infer B } } ? B
  : undefined;
type Answer<R> = R extends { responses: infer S } ? Json<S[keyof S & (200 | 201 | 202 | 204)]>
  : never;
type Path<R> = R extends { parameters: { path: infer P } } ? P : unknown;
type Query<R> = R extends { parameters: { query?: infer Q } } ? Q : unknown;
type Body<R> = R extends { requestBody?: { content: { "application/json": infer B } } }
  ? B extends Record<string, never> ? unknown : B
  : unknown;
type Input<R> =
  & Path<R>
  & (Body<R> extends never ? unknown : Body<R>)
  & ([Query<R>] extends [undefined] ? unknown : Query<R>);

/** Inputs with keys beyond the document; only the server's configuration check knows them. */
type Wider = "start" | "resume" | "judge" | "run" | "runComplete";
/** Operations that return text of several media types. */
type Texts = "studyFile" | "file" | "export";

/** Compile-time check: the generated outputs are those of the client in `src/client`. */
export function outputs(
  given: { [N in Exclude<keyof Operations, Texts>]: Answer<Called[N]> },
): { [N in Exclude<keyof Operations, Texts>]: Operations[N][1] } {
  return given;
}
/** Compile-time check of the inputs. */
export function inputs(
  given: { [N in Exclude<keyof Operations, Wider>]: Operations[N][0] },
): { [N in Exclude<keyof Operations, Wider>]: Input<Called[N]> } {
  return given;
}

withApp.test("a generated client reads winner, scores, messages and files without a cast", async ({ app }) => {
  const fetch = async (request: Request) => await app.fetch(request);
  const { GET, POST } = createClient<paths>({ baseUrl: "http://127.0.0.1", fetch });
  const topic = "Should cities ban private cars?";
  const started = await POST("/api/convenings", {
    body: { kind: "debate", topic, model: MODEL, roundCount: 1, seed: 1 },
  });
  if (started.error !== undefined) throw new Error(started.error.error.message);
  const path = { id: started.data.id };
  const events = await GET("/api/convenings/{id}/events", { params: { path }, parseAs: "text" });
  const ends = (events.data ?? "").split("\n").flatMap((line) => {
    if (!line.startsWith("data: ")) return [];
    const event: components["schemas"]["Event"] = JSON.parse(line.slice(6));
    return event.type === "convening-end" ? [event.ending] : [];
  });
  assert.deepEqual(ends.map(({ status }) => status), ["completed"]);
  const { data: convening } = await GET("/api/convenings/{id}", { params: { path } });
  const winner: string | null = convening!.winner;
  const named: string | null | undefined = ends[0]?.winner;
  assert.equal(named, winner);
  const totals: number[] = Object.values(convening!.scores).map(({ total }) => total);
  assert.equal(totals.length, 2);
  const { data: verdicts } = await GET("/api/convenings/{id}/verdicts", { params: { path } });
  const votes: (string | null)[] = verdicts!.verdicts.map(({ winner }) => winner);
  assert.ok(votes.includes(winner));
  const { data: scores } = await GET("/api/convenings/{id}/scores", { params: { path } });
  const judged: (number | null)[] = scores!.scores.map(({ total }) => total);
  assert.ok(judged.length > 0);
  const { data: messages } = await GET("/api/convenings/{id}/messages", {
    params: { path, query: { limit: 2 } },
  });
  const tokens: number = messages!.messages[0]!.usage.inputTokens;
  assert.ok(tokens >= 0);
  assert.equal(messages!.next, 2);
  const { data: first } = await GET("/api/convenings/{id}/messages/{seq}", {
    params: { path: { ...path, seq: 1 } },
  });
  const spoken: string = first!.message.body;
  assert.deepEqual(first!.scores, []);
  const scored = scores!.scores[0]!.message;
  const { data: speech } = await GET("/api/convenings/{id}/messages/{seq}", {
    params: { path: { ...path, seq: scored } },
  });
  assert.deepEqual(speech!.scores, scores!.scores.filter(({ message }) => message === scored));
  const file: string = messages!.messages[0]!.file;
  const text = await GET("/api/convenings/{id}/files", {
    params: { path, query: { path: file } },
    parseAs: "text",
  });
  assert.ok(spoken.length > 0 && text.data!.includes(spoken.slice(0, 40)));
  const old = await GET("/api/convenings/{id}/files/{path}", {
    params: { path: { ...path, path: file } },
    parseAs: "text",
  });
  assert.equal(old.data, text.data);
  const missing = await GET("/api/convenings/{id}", { params: { path: { id: "none" } } });
  const code: string | undefined = missing.error?.error.code;
  assert.equal(code, "not_found");
});

Deno.test("a linter of OpenAPI documents reports nothing", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = await Deno.readTextFile(join(ROOT, "tests/golden/doors/openapi.json"));
  const found = await lintFromString({ source, config });
  assert.deepEqual(found.map(({ ruleId, message }) => `${ruleId}: ${message}`), []);
});
