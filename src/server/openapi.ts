import { API_OPERATIONS, type ApiAnswer, type ApiOperation } from "./api_operations.ts";
import type { ErrorCode } from "../core/error.ts";
import { KEYED } from "./idempotency.ts";
import type { Schema } from "../core/schema.ts";
import { statusOfCode } from "../operations/problems.ts";

type Json = Readonly<Record<string, unknown>>;

/** What any request can be refused with, but for `/healthz`, which takes no token. */
const ALWAYS: readonly ErrorCode[] = ["unauthorized", "too_many_tries", "forbidden"];
const SHAPE = { io: "input", unrepresentable: "any" } as const;

/** The interface for programs as an OpenAPI 3.1 document, made from the schemas that requests are checked against. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of API_OPERATIONS) {
    const [method = "", path = ""] = operation.at.split(" ");
    paths[path] = { ...paths[path], [method]: operationOf(operation, path) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Convenings",
      version,
      description:
        "Structured conversations between language models, kept as directories of markdown. " +
        "HEAD answers as GET does, without the body; OPTIONS says in Allow what a path takes, and " +
        "whatever it does not take is answered with 405, method_not_allowed.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR: Json = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string", description: "stable; what a program tells errors apart by" },
        message: { type: "string" },
        hint: { type: "string", description: "what to do about it" },
        field: { type: "string", description: "the key, parameter or header concerned" },
        fields: {
          type: "array",
          description: "every key that is wrong, where there are several; field is the first",
          items: {
            type: "object",
            properties: {
              field: { type: "string" },
              message: { type: "string" },
              hint: { type: "string" },
            },
            required: ["field", "message"],
          },
        },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

function operationOf(operation: ApiOperation, path: string): Json {
  const { at, about, query = {}, body, isBodyOptional = false, answers, errors = [] } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    name,
    in: "query",
    required: !schema.safeParse(undefined).success,
    schema: shapeOf(schema),
  }));
  const parameters = [...inPath, ...inQuery, ...keepsAnswers(at) ? [KEY] : []];
  return {
    operationId: at.replace(/[^A-Za-z]+/g, "_").replace(/_$/, ""),
    summary: about,
    ...parameters.length === 0 ? {} : { parameters },
    ...body === undefined
      ? {}
      : { requestBody: { required: !isBodyOptional, content: contentOf(body) } },
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]),
      ),
      ...refusals(path === "/healthz" ? ["forbidden"] : [...ALWAYS, ...errors]),
      default: refusal(
        ["unexpected", ...body ? ["too_slow, as 408"] : [], ...keepsAnswers(at) ? [REUSED] : []]
          .join("; "),
      ),
    },
    ...path === "/healthz" ? { security: [{}] } : {},
  };
}

/** The key of a request whose answer is kept. */
const KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "the same request with the same key has the same answer for 24 hours, done once",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
const REUSED = "key_reused, as 422, and taken, as 409, of an Idempotency-Key";

function keepsAnswers(at: string): boolean {
  const [method = "", path = ""] = at.split(" ");
  return method === "post" && KEYED.test(path);
}

function answerOf({ about, content, located = false }: ApiAnswer): Json {
  return {
    description: about,
    ...located
      ? { headers: { Location: { description: "where it is", schema: { type: "string" } } } }
      : {},
    ...content === undefined ? {} : { content: contentOf(content) },
  };
}

function contentOf(schemas: Readonly<Record<string, Schema>>): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => [type, { schema: shapeOf(schema) }]),
  );
}

/** Errors by their status, each with its codes. */
function refusals(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of codes) {
    const status = statusOfCode(code);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [status, refusal([...each].join(", "))]),
  );
}

function refusal(description: string): Json {
  const schema = { $ref: "#/components/schemas/Error" };
  return { description, content: { "application/json": { schema } } };
}

/** A schema as the document holds it: its dialect is the document's. */
function shapeOf(schema: Schema): Json {
  const { $schema: _dialect, ...shape } = Object.fromEntries(
    Object.entries(schema.toJSONSchema(SHAPE)),
  );
  return shape;
}
