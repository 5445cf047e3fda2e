// The OpenAPI document covers exactly the routes, requests, responses and errors of the server.
import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { TOOLS } from "../../src/mcp/convening_server.ts";
import { checkInput } from "../../src/core/check_fields.ts";
import { openApiDocument } from "../../src/server/route.ts";
import { apiRoutes } from "../../src/server/server.ts";
import { clientMessage } from "../../src/server/socket.ts";
import { type ApiDocument, DocumentedClient } from "./support/documented_client.ts";
import { askActing, askCrowded, askMcp, askReading } from "./support/documented_convenings.ts";
import { askDebates, askFailing, askPapers } from "./support/documented_debates.ts";
import {
  askBroken,
  askDamaged,
  askKeyed,
  askStrangely,
  askWrongly,
} from "./support/documented_refusals.ts";
import { askStudies } from "./support/documented_studies.ts";
import { routesOf, withApp } from "./support/open_app.ts";
import { withTalkers } from "./support/talking_app.ts";

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { name: string; in: string; schema: Json }[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** Returns a route's path as in the document; undefined for pages. */
function documented(path: string): string | undefined {
  if (!/^\/(?:api\/|mcp|healthz)/.test(path)) return undefined;
  return path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
}

async function documentOf(ask: (path: string) => Promise<Response>): Promise<Document> {
  const response = await ask("/api/openapi.json");
  assert.equal(response.status, 200);
  return await response.json();
}

const PROTOCOLS = { mcp: () => Promise.reject(new Error("It is not asked")) };

withApp.test("the OpenAPI document has every API route and no other", async (opened) => {
  const routes = routesOf(opened).flatMap(({ method, path }) => {
    const at = documented(path);
    // Several methods of one route are one operation in the document.
    return at === undefined ? [] : [`${method === "ALL" ? "post" : method.toLowerCase()} ${at}`];
  });
  const { paths } = await documentOf(opened.ask);
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`)
  );
  assert.deepEqual(told.sort(), [...new Set(routes)].sort());
});

withApp.test("the OpenAPI document is valid 3.1 and has unique operation ids", async ({ ask }) => {
  const document = await documentOf(ask);
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...document });
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, "3.1");
  validator.resolveRefs();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation }))
  );
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, summary, parameters = [], responses } of operations) {
    assert.ok(summary.length > 5);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = parameters.filter((each) => each.in === "path").map(({ name }) => name);
    assert.deepEqual(inPath, names, path);
    assert.ok(Object.keys(responses).some((status) => /^[12]/.test(status)), path);
  }
  const damaged = { ...document, paths: { "/healthz": { get: { responses: 3 } } } };
  assert.equal((await new Validator().validate(damaged)).valid, false);
});

withApp.test("the OpenAPI document's configuration has no key that clients may not set", async ({ ask }) => {
  const { paths } = await documentOf(ask);
  const { content } = paths["/api/convenings"]!["post"]!.requestBody!;
  const { schema } = content["application/json"] as { schema: { oneOf: { properties: Json }[] } };
  const keys = schema.oneOf.map(({ properties }) => Object.keys(properties));
  assert.equal(keys.length, 5);
  for (const each of keys) {
    assert.ok(each.includes("kind") && each.includes("sources") && each.includes("limits"));
    for (const refused of ["baseUrl", "providers", "out", "memory", "personas", "papers"]) {
      assert.ok(!each.includes(refused), refused);
    }
  }
  assert.equal(keys.filter((each) => each.includes("paperIds")).length, 1);
});

withApp.test("the OpenAPI document describes every key of a body, and limits the Idempotency-Key", async ({ ask }) => {
  const { paths } = await documentOf(ask);
  const bare: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (value === null || typeof value !== "object") return;
    const { properties = {} } = value as { properties?: Record<string, { description?: string }> };
    for (const [key, { description }] of Object.entries(properties)) {
      if (description === undefined) bare.push(`${at}/${key}`);
    }
    for (const [key, each] of Object.entries(value)) look(each, `${at}/${key}`);
  };
  for (const [path, { post }] of Object.entries(paths)) {
    look(post?.requestBody, path);
    for (const { name, schema } of post?.parameters ?? []) {
      if (name === "Idempotency-Key") assert.equal(schema["maxLength"], 255, path);
    }
  }
  assert.deepEqual(bare, []);
});

Deno.test("every documented response occurs, and every response is documented", async (t) => {
  const document: ApiDocument = JSON.parse(
    JSON.stringify(openApiDocument("1.0.0", apiRoutes(PROTOCOLS))),
  );
  const client = new DocumentedClient(document);
  await t.step("without access", () => askStrangely(client));
  await t.step("for invalid and missing resources", () => askWrongly(client));
  await t.step("with idempotency keys", () => askKeyed(client));
  await t.step("for damaged convenings", () => askDamaged(client));
  await t.step("after internal errors", () => askBroken(client));
  await t.step("for papers", () => askPapers(client));
  await t.step("for debates", () => askDebates(client));
  await t.step("with failing models", () => askFailing(client));
  await t.step("for readers", () => askReading(client));
  await t.step("for acts", () => askActing(client));
  await t.step("without capacity", () => askCrowded(client));
  await t.step("for studies", () => askStudies(client));
  await t.step("for MCP", () => askMcp(client));
  // Sockets and an endless stream have tests of their own.
  const others = [
    "get /api/archive/events 200 text/event-stream",
    "get /api/convenings/{id}/socket 101 ",
  ];
  await t.step(
    "all documented responses",
    () => assert.deepEqual(client.unseen.toSorted(), others),
  );
});

const NAMES = { whole: "message", part: "field" };
/** Beginnings of the schema package's own messages. */
const RAW = /Invalid |Too (?:small|big)|Unrecognized|expected |received /;

/** Returns the error for an input. */
function refusalOf(schema: Parameters<typeof checkInput>[0], input: unknown) {
  try {
    checkInput(schema, input, NAMES);
  } catch (error) {
    return JSON.parse(JSON.stringify(error));
  }
  throw new Error("It was not refused.");
}

withTalkers.test("a misspelt query value is rejected with the likely value and all allowed ones", async ({ get, post }) => {
  const { error } = (await get("/api/convenings?status=runing")).body;
  assert.equal(error.message, 'Cannot use status: "runing" is not allowed');
  assert.match(error.hint, /^Did you mean "running"\? Allowed: queued, running, /);
  const { error: small } = (await post("/api/topics", { subject: "" })).body;
  assert.equal(small.hint, "Give at least 1 character.");
  const { error: missing } = (await post("/api/topics", {})).body;
  assert.equal(missing.message, "Cannot use the body: subject is missing");
  assert.equal(missing.hint, "Give a text.");
  const paper = { kind: "paper-debate", question: "Do trees cool streets?" };
  const { error: ids } = (await post("/api/convenings", paper)).body;
  assert.deepEqual([ids.field, ids.hint], [
    "paperIds",
    "Give the ids of posted papers, or papers to the MCP tool run.",
  ]);
});

Deno.test("a socket's message of an unknown type is rejected with the known types", () => {
  const { field, message, hint } = refusalOf(clientMessage, { type: "interjekt", text: "Hm." });
  assert.deepEqual([field, message], ["type", 'Cannot use type: "interjekt" is not allowed']);
  assert.equal(hint, 'Did you mean "interject"? Allowed types: say, interject, pause');
  assert.equal(
    refusalOf(clientMessage, { type: "say", txt: "Hm." }).fields[0].hint,
    'Did you mean "text"? Allowed here: type, id, text, participant, request',
  );
});

Deno.test("no error has the schema package's own wording", () => {
  const inputs = [...apiRoutes(PROTOCOLS), ...TOOLS].map(({ input }) => input);
  for (const input of inputs) {
    for (const wrong of [undefined, {}, "", -1]) {
      const given = Object.fromEntries(Object.keys(input.shape).map((key) => [key, wrong]));
      if (input.safeParse(given).success) continue;
      const { message, hint } = refusalOf(input, given);
      assert.doesNotMatch(`${message} ${hint}`, RAW);
    }
  }
});
