// API routes, of operations and hand-written, with one check of path, query and body; and their OpenAPI document.
import type { Context, Hono } from "hono";
import { z } from "zod";
import type { OwnKinds } from "../config/config.ts";
import { checkInput, withValues } from "../core/check_fields.ts";
import { cannotUse, ConveningError, type ErrorCode } from "../core/error.ts";
import { isObject, type JsonObject, mapValues, memoByObject, sortedByKey } from "../core/values.ts";
import { sentConfiguration, sentShape } from "../operations/client_configuration.ts";
import { conveningDir, statusOfCode } from "../operations/client_view.ts";
import {
  type Declaration,
  type Operation,
  type OperationContext,
  TAGS,
} from "../operations/operation.ts";
import { NAMED, named } from "../operations/outputs.ts";
import { sumOf } from "../operations/reading_convenings.ts";
import { eventSchemas } from "../record/log.ts";
import { KEYED } from "./idempotency.ts";
import { jsonBody } from "./request_body.ts";

interface RouteAnswer {
  readonly about: string;
  /** Schemas by media type. @default no body */
  readonly content?: Readonly<Record<string, z.ZodType>> | undefined;
  /** Descriptions of response headers, by name. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Route<I extends z.ZodObject = z.ZodObject> extends Declaration<I> {
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Schemas by media type of a body that `respond` reads itself. @default the body is JSON and part of the input */
  readonly bodies?: Readonly<Record<string, z.ZodType>> | undefined;
  /** Descriptions of request headers, by name. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True if responses have an ETag, and a matching `If-None-Match` gets 304. @default false */
  readonly isTagged?: boolean | undefined;
  /** True if requests need no token. @default false */
  readonly isOpen?: boolean | undefined;
  respond(context: Context, input: z.output<I>, server: OperationContext): Promise<Response>;
}

/** Erases the type of a route's input after the compiler has checked `respond` against the schema. */
export function route<I extends z.ZodObject>(row: Route<I>): Route {
  return row as unknown as Route;
}

/** Description of the header `Location` with the path of a new convening or paper. */
export const LOCATION = { Location: "The path of what was created." } as const;

export const conveningEvent = named(
  "Event",
  z.union(eventSchemas()).describe("An event, told apart by `type`."),
);
/** Returns the schema of a stream of server-sent events, whose data is JSON by a named schema; a last event `error` has an error. */
export function streamOf(...schemas: readonly z.ZodType[]): z.ZodString {
  const names = [...schemas.map((schema) => NAMED.get(schema)!.id), "Error"];
  const anyOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return z.string().meta({ contentMediaType: "application/json", contentSchema: { anyOf } });
}

export function routeOf(operation: Operation): Route {
  const { summary, output, location, status } = operation;
  const texts = Object.entries(operation.answers ?? { 200: summary });
  const success = Number(texts[0]![0]);
  const answer = (about: string): RouteAnswer => ({
    about,
    content: { "application/json": output },
    ...location === undefined ? {} : { headers: LOCATION },
  });
  return {
    ...operation,
    answers: Object.fromEntries(texts.map(([code, about]) => [code, answer(about)])),
    isTagged: operation.method === "get",
    async respond(context, input, server) {
      // The signal of the server, not of the request: a client that disconnects does not abort the work.
      const { signal } = server;
      const result = await operation.run(server, input, { signal }) as object;
      if (operation.method === "get") return await jsonAnswer(context, belowBase(context, result));
      if (location !== undefined) context.header("location", location(result));
      return context.json(belowBase(context, result), (status?.(result) ?? success) as 200);
    },
  };
}

/** Returns an answer with its paths on this server (`link`, `report`, and the values of `links`) below the server's base path. */
export function belowBase<T>(context: Context, answer: T): T {
  const base: string | undefined = context.get("basePath");
  if (base === undefined) return answer;
  const below = (path: unknown) =>
    typeof path === "string" && path.startsWith("/api/") ? base + path : path;
  const text = JSON.stringify(answer, (key, value) => {
    if (key === "link" || key === "report") return below(value);
    if (key !== "links" || !isObject(value)) return value;
    return mapValues(value, below);
  });
  return JSON.parse(text);
}

export function checkWritable({ readOnly }: Pick<OperationContext, "readOnly">): void {
  if (!readOnly) return;
  throw new ConveningError("forbidden", "Cannot change anything here: this server only reads", {
    hint: "Run serve without --read-only, on an archive of your own.",
  });
}

export function addRoute(app: Hono, row: Route, server: OperationContext): void {
  const { method, path, respond } = row;
  app.on(
    method.toUpperCase(),
    // `{path}` may contain slashes.
    path.replace(/\{path\}$/, "*").replace(/\{(\w+)\}/g, ":$1"),
    async (context) => {
      if (row.writes) checkWritable(server);
      const of = { out: server.out, id: context.req.param("id") };
      const input = await readInput(row, of, () => checkedInput(row, context));
      return await respond(context, input, server);
    },
  );
}

/** Returns the keys in braces of a path template. */
function keysInPath(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key!);
}

/** Returns the schema of a route's input without the keys of the path. */
const restOf: (row: Declaration) => z.ZodObject = memoByObject(({ input, path }) => {
  const keys = keysInPath(path);
  const { catchall } = input.def;
  const shape = Object.entries(input.shape).filter(([key]) => !keys.includes(key));
  const rest = z.object(Object.fromEntries(shape));
  return catchall === undefined ? rest : rest.catchall(catchall);
});

/** Reads the input of an operation; a missing convening is reported before an invalid input. */
export async function readInput<T>(
  { path }: Pick<Declaration, "path">,
  { out, id = "" }: { readonly out: string; readonly id: string | undefined },
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (path.startsWith("/api/convenings/{id}/")) await conveningDir(out, id);
    throw error;
  }
}

async function checkedInput(row: Route, { req }: Context): Promise<Record<string, unknown>> {
  const { method, input, bodies } = row;
  const wild: Readonly<Record<string, string>> = row.path.endsWith("{path}")
    ? { path: req.path }
    : {};
  const keys = keysInPath(row.path).map((key) => [key, input.shape[key]!] as const);
  const path = queryOf(z.object(Object.fromEntries(keys)), { ...req.param(), ...wild });
  if (method !== "post" || bodies !== undefined) {
    // Health probes and MCP clients may add parameters of their own.
    const isApi = row.path.startsWith("/api/");
    const twice = Object.entries(req.queries()).find(([, texts]) => texts.length > 1)?.[0];
    if (isApi && twice !== undefined) {
      throw cannotUse(twice, "the query has it more than once", "Give it once.");
    }
    return { ...queryOf(isApi ? restOf(row) : restOf(row).strip(), req.query()), ...path };
  }
  queryOf(NOTHING, req.query());
  const body = row.body === undefined
    ? checkInput(restOf(row), await optionalBody(req.raw), { whole: "body", part: "field" })
    : { [row.body]: await jsonBody(req.raw) };
  return { ...body, ...path };
}

export const NOTHING = z.strictObject({});

/** Parses the texts of a query or path, and checks them against a schema; empty parameters are left out. Fails with `config_invalid`. */
export function queryOf<S extends z.ZodObject>(
  schema: S,
  texts: Readonly<Record<string, string>>,
): z.output<S> {
  const filled = Object.entries(texts)
    .filter(([key, text]) => text !== "" || !Object.hasOwn(schema.shape, key));
  const values = withValues(schema, Object.fromEntries(filled));
  return checkInput(schema, values, { whole: "query", part: "parameter" });
}

/** Parses a JSON body; returns an empty object for an empty body, of any type: axios gives one to a request without a body. */
async function optionalBody(request: Request): Promise<unknown> {
  const { length } = await request.clone().bytes();
  return length === 0 ? {} : await jsonBody(request);
}

export function tagOf(sum: string): string {
  return `"${sum.slice(0, 32)}"`;
}

/** Returns a 304 response if `If-None-Match` contains the ETag, else undefined. The header may be a list with weak tags. */
export function knownAnswer({ req }: Context, etag: string): Response | undefined {
  const header = req.header("if-none-match");
  if (header === undefined) return undefined;
  const isKnown = header.trim() === "*" ||
    header.split(",").some((each) => each.trim().replace(/^W\//, "") === etag);
  return isKnown ? new Response(null, { status: 304, headers: { etag } }) : undefined;
}

/** Returns a JSON response with `Content-Length` and an ETag, or a 304 response. */
export async function jsonAnswer(context: Context, value: unknown): Promise<Response> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const etag = tagOf(await sumOf(bytes));
  return knownAnswer(context, etag) ?? context.body(bytes, 200, {
    etag,
    "content-type": "application/json",
    "content-length": `${bytes.length}`,
  });
}

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
      ...mapValues(row.answers, answerOf),
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
      headers: mapValues(headers, (about) => ({ description: about, schema: { type: "string" } })),
    },
    ...content === undefined ? {} : { content: contentOf(content, "output") },
  };
}

function contentOf(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: "input" | "output",
  own?: OwnKinds,
): JsonObject {
  return mapValues(schemas, (schema) => ({ schema: shapeOf(schema, io, own) }));
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
