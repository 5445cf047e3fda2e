import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { TOOLS } from "../../src/mcp/tools.ts";
import { checkInput } from "../../src/operations/operation.ts";
import { apiRoutes, openApiDocument } from "../../src/server/api.ts";
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

/** A route's path as the document writes it; undefined for pages. */
function documented(path: string): string | undefined {
  if (!/^\/(?:api\/|mcp|healthz)/.test(path)) return undefined;
  return path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
}

async function documentOf(ask: (path: string) => Promise<Response>): Promise<Document> {
  const response = await ask("/api/openapi.json");
  assert.equal(response.status, 200);
  return await response.json();
}

Deno.test("the OpenAPI document has every route for programs, and no other", async () => {
  await withApp(async (opened) => {
    const routes = routesOf(opened).flatMap(({ method, path }) => {
      const at = documented(path);
      // All methods of one endpoint are one operation of the document.
      return at === undefined ? [] : [`${method === "ALL" ? "post" : method.toLowerCase()} ${at}`];
    });
    const { paths } = await documentOf(opened.ask);
    const told = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`)
    );
    assert.deepEqual(told.sort(), [...new Set(routes)].sort());
  });
});

Deno.test("the OpenAPI document is a valid one of version 3.1, whose operations have names of their own", async () => {
  await withApp(async ({ ask }) => {
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
});

Deno.test("the OpenAPI document's configuration has no key that a client may not set", async () => {
  await withApp(async ({ ask }) => {
    const { paths } = await documentOf(ask);
    const { content } = paths["/api/convenings"]!["post"]!.requestBody!;
    const { schema } = content["application/json"] as { schema: { oneOf: { properties: Json }[] } };
    const keys = schema.oneOf.map(({ properties }) => Object.keys(properties));
    assert.equal(keys.length, 4);
    for (const each of keys) {
      assert.ok(each.includes("kind") && each.includes("sources") && each.includes("limits"));
      for (const refused of ["baseUrl", "providers", "out", "memory", "personas", "papers"]) {
        assert.ok(!each.includes(refused), refused);
      }
    }
    assert.equal(keys.filter((each) => each.includes("paperIds")).length, 1);
  });
});

Deno.test("every refusal that is seen is one the OpenAPI document has", async () => {
  await withApp(async ({ ask, hold }) => {
    const id = await hold();
    const { paths } = await documentOf(ask);
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        if (path === "/mcp") continue;
        for (const value of [id, "nothing", "2026-01-01T00-00-00_dialogue"]) {
          for (const body of ["{}", "[", '{"nothing": 1}', undefined]) {
            if (body !== undefined && method !== "post") continue;
            const at = path.replace(
              /\{(\w+)\}/g,
              (_all, name) => name === "id" ? value : "none.md",
            );
            for (const type of ["application/json", "image/png"]) {
              const response = await ask(`${at}?after=x&limit=x&format=x&cursor=x`, {
                method: method.toUpperCase(),
                headers: { "content-type": type },
                ...body === undefined ? {} : { body },
              });
              const text = await response.text();
              const asked = `${method} ${at} ${type} ${body}: ${response.status} ${text}`;
              assert.ok(String(response.status) in responses, asked);
              if (response.status < 400) continue;
              const { error } = JSON.parse(text);
              assert.ok(responses[response.status]!.description.includes(error.code), asked);
              assert.ok(response.status < 500, asked);
            }
          }
        }
      }
    }
  });
});

Deno.test("every answer that the OpenAPI document has is given, and none is given that it has not", async (t) => {
  const document: ApiDocument = JSON.parse(JSON.stringify(openApiDocument("1.0.0", apiRoutes())));
  const client = new DocumentedClient(document);
  await t.step("to strangers", () => askStrangely(client));
  await t.step("to what cannot be used or is not there", () => askWrongly(client));
  await t.step("to keys", () => askKeyed(client));
  await t.step("of damaged convenings", () => askDamaged(client));
  await t.step("where something goes wrong", () => askBroken(client));
  await t.step("about papers", () => askPapers(client));
  await t.step("to debates", () => askDebates(client));
  await t.step("where models fail", () => askFailing(client));
  await t.step("to readers", () => askReading(client));
  await t.step("to who steers", () => askActing(client));
  await t.step("where there is no room", () => askCrowded(client));
  await t.step("about studies", () => askStudies(client));
  await t.step("to models", () => askMcp(client));
  // Sockets and a stream without an end are opened in tests of their own.
  const others = [
    "get /api/archive/events 200 text/event-stream",
    "get /api/convenings/{id}/socket 101 ",
  ];
  await t.step("all of it", () => assert.deepEqual(client.unseen.toSorted(), others));
});

const NAMES = { whole: "message", part: "field" };
/** How the package that checks begins its own sentences. */
const RAW = /Invalid |Too (?:small|big)|Unrecognized|expected |received /;

/** The error that an input is refused with. */
function refusalOf(schema: Parameters<typeof checkInput>[0], input: unknown) {
  try {
    checkInput(schema, input, NAMES);
  } catch (error) {
    return JSON.parse(JSON.stringify(error));
  }
  throw new Error("It was not refused.");
}

Deno.test("a misspelt value of a query is met with the value that was meant, and all that are allowed", async () => {
  await withTalkers(async ({ get, post }) => {
    const { error } = (await get("/api/convenings?status=runing")).body;
    assert.equal(error.message, 'Cannot use status: "runing" is not allowed');
    assert.match(error.hint, /^Did you mean "running"\? Allowed: queued, running, /);
    const { error: small } = (await post("/api/topics", { subject: "" })).body;
    assert.equal(small.hint, "Give a text that is not empty.");
    const { error: missing } = (await post("/api/topics", {})).body;
    assert.equal(missing.message, "Cannot use the body: subject is missing");
    assert.equal(missing.hint, "Give a text.");
    const paper = { kind: "paper-debate", question: "Do trees cool streets?" };
    const { error: ids } = (await post("/api/convenings", paper)).body;
    assert.deepEqual([ids.field, ids.hint], ["paperIds", "Give a list."]);
  });
});

Deno.test("a socket's message of no known type is told which types there are", () => {
  const { field, message, hint } = refusalOf(clientMessage, { type: "interjekt", text: "Hm." });
  assert.deepEqual([field, message], ["type", 'Cannot use type: "interjekt" is not allowed']);
  assert.equal(hint, 'Did you mean "interject"? Allowed types: say, interject, pause');
  assert.equal(
    refusalOf(clientMessage, { type: "say", txt: "Hm." }).fields[0].hint,
    'Did you mean "text"? Allowed here: type, id, text, participant, request',
  );
});

Deno.test("no door tells of a value in the words of the package that checks", () => {
  const inputs = [...apiRoutes(), ...TOOLS].map(({ input }) => input);
  for (const input of inputs) {
    for (const wrong of [undefined, {}, "", -1]) {
      const given = Object.fromEntries(Object.keys(input.shape).map((key) => [key, wrong]));
      if (input.safeParse(given).success) continue;
      const { message, hint } = refusalOf(input, given);
      assert.doesNotMatch(`${message} ${hint}`, RAW);
    }
  }
});
