// API routes: routes of operations and hand-written routes, with one check of path, query and body.
import type { Context, Hono } from "hono";
import { z } from "zod";
import { cannotUse, ConveningError } from "../core/error.ts";
import { isObject, memoByObject } from "../core/values.ts";
import { sumOf } from "../operations/reading_convenings.ts";
import type { Declaration, Operation, OperationContext } from "../operations/operation.ts";
import { checkInput, withValues } from "../core/check_fields.ts";
import { NAMED, named } from "../operations/outputs.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { eventSchemas } from "../record/log.ts";
import { jsonBody } from "./request_body.ts";

export interface RouteAnswer {
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
    return Object.fromEntries(Object.entries(value).map(([name, path]) => [name, below(path)]));
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
export function keysInPath(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key!);
}

/** Returns the schema of a route's input without the keys of the path. */
export const restOf: (row: Declaration) => z.ZodObject = memoByObject(({ input, path }) => {
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

const encoder = new TextEncoder();

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
  const bytes = encoder.encode(JSON.stringify(value));
  const etag = tagOf(await sumOf(bytes));
  return knownAnswer(context, etag) ?? context.body(bytes, 200, {
    etag,
    "content-type": "application/json",
    "content-length": `${bytes.length}`,
  });
}
