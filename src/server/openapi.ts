// OpenAPI document of the HTTP API, made from the routes and the schemas that check the requests.
import { z } from "zod";
import type { OwnKinds } from "../config/config.ts";
import type { ErrorCode } from "../core/error.ts";
import { type JsonObject, sortedByKey } from "../core/values.ts";
import { sentConfiguration, sentShape } from "../operations/client_configuration.ts";
import { TAGS } from "../operations/operation.ts";
import { statusOfCode } from "../operations/problems.ts";
import { NAMED, named } from "../operations/outputs.ts";
import { KEYED } from "./idempotency.ts";
import { keysInPath, restOf, type Route, type RouteAnswer } from "./route.ts";

/** Errors of every route that needs a token. */
const ALWAYS: readonly ErrorCode[] = ["unauthorized", "too_many_tries", "forbidden"];
/** Errors of every route with a JSON body. */
const OF_BODY: readonly ErrorCode[] = ["config_invalid", "too_large", "unsupported_type"];
/** Errors of every route that takes an Idempotency-Key. */
const OF_KEY: readonly ErrorCode[] = ["key_reused", "taken"];

const problem = {
  field: z.string().describe("The key, parameter or header."),
  message: z.string(),
  hint: z.string().optional().describe("What to do."),
};
const ERROR = named(
  "Error",
  z.object({
    error: z.object({
      ...problem,
      field: problem.field.optional(),
      code: z.string().describe("Stable: programs tell errors apart by the code."),
      fields: z.array(z.object(problem)).optional().describe(
        "Every key that is wrong, where there are several; `field` is the first.",
      ),
    }),
  }),
);

/**
 * Returns the OpenAPI 3.1 document, made from the schemas that check the requests. `own` holds the settings of a library's
 * own kinds.
 */
export function openApiDocument(
  version: string,
  routes: readonly Route[],
  own: OwnKinds = new Map(),
): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method]: operationOf(row, own) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Convenings",
      version,
      description:
        "Structured conversations between language models, kept as directories of markdown. " +
        "HEAD answers as GET does, without the body; OPTIONS lists a path's methods in Allow, and " +
        "any other method is answered with 405, method_not_allowed.",
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{}, { token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: namedSchemas(),
    },
  };
}

function operationOf(row: Route, own: OwnKinds): JsonObject {
  const { name, summary, tags, path, method, input, errors, isOpen = false, isTagged = false } =
    row;
  const isKeyed = method === "post" && KEYED.test(path);
  const headers = {
    ...row.headers,
    ...isTagged ? { "If-None-Match": "The ETag of an earlier answer." } : {},
  };
  const rest = restOf(row);
  const hasQuery = method !== "post" || row.bodies !== undefined;
  const parameters = [
    ...keysInPath(path).map((key) => parameter(key, "path", input.shape[key])),
    ...hasQuery
      ? Object.entries(rest.shape).map(([key, schema]) => parameter(key, "query", schema))
      : [],
    ...isKeyed ? [KEY] : [],
    ...Object.entries(headers).map(([key, about]) =>
      parameter(key, "header", z.string().optional().describe(about))
    ),
  ];
  const codes = new Set([
    ...isOpen ? ["forbidden" as const] : ALWAYS,
    ...method === "post" && row.bodies === undefined ? OF_BODY : [],
    // Unknown parameters are rejected.
    ...path.startsWith("/api/") ? ["config_invalid" as const] : [],
    ...isKeyed ? OF_KEY : [],
    ...errors,
  ]);
  return {
    operationId: name,
    summary,
    tags,
    ...parameters.length === 0 ? {} : { parameters },
    ...method === "post" ? { requestBody: bodyOf(row, rest, own) } : {},
    responses: {
      ...Object.fromEntries(
        Object.entries(row.answers).map(([status, answer]) => [status, answerOf(answer)]),
      ),
      ...isTagged
        ? { 304: answerOf({ about: "Unchanged since the answer whose ETag is in If-None-Match." }) }
        : {},
      ...Object.fromEntries(
        [...Map.groupBy(codes, statusOfCode)].map(([status, each]) => [
          status,
          refusal(each.join(", ")),
        ]),
      ),
      default: refusal(method === "post" ? "unexpected; too_slow, as 408" : "unexpected"),
    },
    ...isOpen ? { security: [{}] } : {},
  };
}

/** Request header of routes that keep their responses. */
const KEY = parameter(
  "Idempotency-Key",
  "header",
  z.string().min(1).max(255).optional().describe(
    "For 24 hours, the same request with the same key is done once and gets the same answer.",
  ),
);

function parameter(name: string, place: string, schema: z.core.$ZodType = z.string()): JsonObject {
  const { description, ...shape } = shapeOf(schema, "input");
  return {
    name,
    in: place,
    required: !z.safeParse(schema, undefined).success,
    ...description === undefined ? {} : { description },
    schema: shape,
  };
}

function bodyOf({ bodies, body, input }: Route, rest: z.ZodObject, own: OwnKinds): JsonObject {
  const whole = body === undefined ? rest : input.shape[body]!;
  return {
    required: bodies !== undefined || !z.safeParse(whole, {}).success || body !== undefined,
    content: contentOf(bodies ?? { "application/json": whole as z.ZodType }, "input", own),
  };
}

function answerOf({ about, content, headers }: RouteAnswer): JsonObject {
  return {
    description: about,
    ...headers === undefined ? {} : {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, description]) => [
          name,
          { description, schema: { type: "string" } },
        ]),
      ),
    },
    ...content === undefined ? {} : { content: contentOf(content, "output") },
  };
}

function contentOf(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: "input" | "output",
  own?: OwnKinds,
): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => [type, { schema: shapeOf(schema, io, own) }]),
  );
}

function refusal(description: string): JsonObject {
  return { description, content: { "application/json": { schema: shapeOf(ERROR, "output") } } };
}

function uri(id: string): string {
  return `#/components/schemas/${id}`;
}

function namedSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(NAMED, { uri, io: "output", unrepresentable: "any" });
  return Object.fromEntries(
    sortedByKey(Object.entries(schemas)).map(([name, schema]) => {
      const { $schema: _dialect, $id: _id, ...shape } = schema;
      return [name, shape];
    }),
  );
}

/** Converts a schema to JSON Schema; a named schema becomes a reference. */
function shapeOf(
  schema: z.core.$ZodType,
  io: "input" | "output",
  own: OwnKinds = new Map(),
): JsonObject {
  const id = NAMED.get(schema)?.id;
  if (id !== undefined) return { $ref: uri(id) };
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === sentConfiguration) Object.assign(jsonSchema, sentShape(own));
    },
  });
  return shape;
}
