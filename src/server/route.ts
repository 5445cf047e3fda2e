// Routes for programs: operations and hand-written answers behind one check of path, query and body.
import type { Context, Hono } from "hono";
import { z } from "zod";
import { ConveningError } from "../core/error.ts";
import { onceEach, RecentMap } from "../core/values.ts";
import { sumOf } from "../operations/reading_convenings.ts";
import {
  checkInput,
  type Declaration,
  NAMED,
  named,
  type Operation,
  type OperationContext,
  SHAPES,
} from "../operations/operation.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { eventSchemas } from "../record/log.ts";
import { jsonBody } from "./request_body.ts";

export interface RouteAnswer {
  readonly about: string;
  /** Schemas by media type. @default no body */
  readonly content?: Readonly<Record<string, z.ZodType>> | undefined;
  /** Headers with a sentence each. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Route<I extends z.ZodObject = z.ZodObject> extends Declaration<I> {
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Schemas of bodies that `respond` reads, by media type. @default the body is JSON and part of the input */
  readonly bodies?: Readonly<Record<string, z.ZodType>> | undefined;
  /** Request headers with a sentence each. @default none of its own */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gives answers an ETag, and answers a known `If-None-Match` with 304. @default false */
  readonly isTagged?: boolean | undefined;
  /** Takes requests without a token. @default false */
  readonly isOpen?: boolean | undefined;
  respond(context: Context, input: z.output<I>, server: OperationContext): Promise<Response>;
}

/** A route whose input was checked against its answers by the compiler. */
export function route<I extends z.ZodObject>(row: Route<I>): Route {
  return row as unknown as Route;
}

/** The header with the path of what was made. */
export const LOCATION = { Location: "The path of what was made." } as const;

const event = named("Event", z.union(eventSchemas()).describe("An event, told apart by `type`."));
const stream = z.string();
SHAPES.set(stream, () => ({
  contentMediaType: "application/json",
  contentSchema: { $ref: `#/components/schemas/${NAMED.get(event)!.id}` },
}));

/** Server-sent events, each with an event as JSON. */
export const EVENTS = { "text/event-stream": stream } as const;

export function routeOf(operation: Operation): Route {
  const { summary, output, location, status } = operation;
  const texts = Object.entries(operation.answers ?? { 200: summary });
  const usual = Number(texts[0]![0]);
  const answer = (about: string): RouteAnswer => ({
    about,
    content: { "application/json": output },
    ...location === undefined ? {} : { headers: LOCATION },
  });
  const read = readerOf(operation);
  return {
    ...operation,
    answers: Object.fromEntries(texts.map(([code, about]) => [code, answer(about)])),
    isTagged: operation.method === "get",
    async respond(context, input, server) {
      if (operation.method === "get") return await read(context, input, server);
      // A client that leaves does not break off the work.
      const { signal } = server;
      const given = await operation.run(server, input, { signal }) as object;
      if (location !== undefined) context.header("location", location(given));
      return context.json(given, (status?.(given) ?? usual) as 200);
    },
  };
}

/** Number of answers of an operation that are known by their stamps. */
const MOST_KNOWN = 1000;

/** Reads by an operation; for a client that comes back nothing is read where the stamp is as it was for the same tag. */
function readerOf(operation: Operation): Route["respond"] {
  const known = new RecentMap<{ readonly stamp: string; readonly etag: string }>(MOST_KNOWN);
  return async (context, input, server) => {
    const { url } = context.req;
    const isBack = context.req.header("if-none-match") !== undefined;
    const stamp = isBack ? await operation.stamp?.(server, input) : undefined;
    const before = known.get(url);
    const same = before !== undefined && before.stamp === stamp
      ? knownAnswer(context, before.etag)
      : undefined;
    if (same !== undefined) return same;
    const { signal } = server;
    const answer = await jsonAnswer(context, await operation.run(server, input, { signal }));
    const etag = answer.headers.get("etag");
    if (stamp !== undefined && etag !== null) known.set(url, { stamp, etag });
    return answer;
  };
}

/** Fails with `forbidden` where clients can only read. */
export function checkWritable({ readOnly = false }: Pick<OperationContext, "readOnly">): void {
  if (!readOnly) return;
  throw new ConveningError("forbidden", "Cannot change anything here: this server only reads", {
    hint: "Run serve without --read-only, on an archive of your own.",
  });
}

export function addRoute(app: Hono, row: Route, server: OperationContext): void {
  const { method, path, respond } = row;
  app.on(
    method.toUpperCase(),
    pathOf(path),
    async (context) => {
      if (row.writes) checkWritable(server);
      return await respond(context, await inputOf(row, context, server), server);
    },
  );
}

/** A path as the router writes it; a file's path has slashes. */
function pathOf(path: string): string {
  return path.replace(/\{path\}$/, "*").replace(/\{(\w+)\}/g, ":$1");
}

/** The keys in a path's braces. */
export function keysInPath(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, key]) => key!);
}

/** The keys of a route's input that are not in the path. */
export const restOf: (row: Declaration) => z.ZodObject = onceEach(({ input, path }) => {
  const keys = keysInPath(path);
  const { catchall } = input.def;
  const shape = Object.entries(input.shape).filter(([key]) => !keys.includes(key));
  const rest = z.object(Object.fromEntries(shape));
  return catchall === undefined ? rest : rest.catchall(catchall);
});

/** The input of a request. A convening that is missing is reported before an input that is wrong. */
async function inputOf(
  row: Route,
  context: Context,
  { out }: OperationContext,
): Promise<Record<string, unknown>> {
  try {
    return await checkedInput(row, context);
  } catch (error) {
    const id = context.req.param("id");
    if (row.path.startsWith("/api/convenings/{id}/")) await conveningDir(out, id ?? "");
    throw error;
  }
}

async function checkedInput(row: Route, { req }: Context): Promise<Record<string, unknown>> {
  const { method, input, bodies } = row;
  const wild = row.path.endsWith("{path}") ? { path: req.path } : {};
  const keys = keysInPath(row.path).map((key) => [key, input.shape[key]!] as const);
  const path = queryOf(z.object(Object.fromEntries(keys)), { ...req.param(), ...wild });
  if (method !== "post" || bodies !== undefined) {
    // Probes and clients of MCP add parameters of their own.
    const isApi = row.path.startsWith("/api/");
    return { ...queryOf(isApi ? restOf(row) : restOf(row).strip(), req.query()), ...path };
  }
  queryOf(NOTHING, req.query());
  const body = row.body === undefined
    ? checkInput(restOf(row), await optionalBody(req.raw), { whole: "body", part: "field" })
    : { [row.body]: await jsonBody(req.raw) };
  return { ...body, ...path };
}

const NOTHING = z.strictObject({});

/** The texts of a query or a path as values of a schema. Fails with `config_invalid`. */
export function queryOf<S extends z.ZodObject>(
  schema: S,
  texts: Readonly<Record<string, string>>,
): z.output<S> {
  return checkInput(schema, valuesOf(schema, texts), { whole: "query", part: "parameter" });
}

/** The value of a JSON body; an empty object where nothing was sent. */
async function optionalBody(request: Request): Promise<unknown> {
  if (request.headers.get("content-type") !== null) return await jsonBody(request);
  const { length } = await request.clone().bytes();
  return length === 0 ? {} : await jsonBody(request);
}

/** Texts of a path or a query as values of a schema's keys: empty values of known keys are left out. */
function valuesOf(
  { shape }: z.ZodObject,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]): [string, unknown][] => {
      if (!Object.hasOwn(shape, key)) return [[key, text]];
      return text === "" ? [] : [[key, valueOf(shape[key]!, text)]];
    }),
  );
}

/** A text as a number where it is one and a number is due. */
function valueOf(schema: z.core.$ZodType, text: string): unknown {
  const isNumber = typeOf(schema) === "number" && /^\d{1,15}(?:\.\d{1,9})?$/.test(text);
  return isNumber ? Number(text) : text;
}

/** The type of a schema without default and optional. */
function typeOf({ _zod: { def } }: z.core.$ZodType): string {
  return "innerType" in def ? typeOf(def.innerType as z.core.$ZodType) : def.type;
}

/** The header of answers that a client may keep, and asks for again each time. */
export const KEPT = { "cache-control": "private, no-cache" } as const;

const encoder = new TextEncoder();

/** The tag of bytes by their SHA-256, in hex. */
export function tagOf(sum: string): string {
  return `"${sum.slice(0, 32)}"`;
}

/** The answer to a client that has what a tag names; undefined to others. Its `If-None-Match` can be a list, or weak. */
export function knownAnswer({ req }: Context, etag: string): Response | undefined {
  const header = req.header("if-none-match");
  if (header === undefined) return undefined;
  const isKnown = header.trim() === "*" ||
    header.split(",").some((each) => each.trim().replace(/^W\//, "") === etag);
  return isKnown ? new Response(null, { status: 304, headers: { etag, ...KEPT } }) : undefined;
}

/** A value as JSON, with its length and the tag of its bytes. */
export async function jsonAnswer(context: Context, value: unknown): Promise<Response> {
  const bytes = encoder.encode(JSON.stringify(value));
  const etag = tagOf(await sumOf(bytes));
  return knownAnswer(context, etag) ?? context.body(bytes, 200, {
    etag,
    ...KEPT,
    "content-type": "application/json",
    "content-length": `${bytes.length}`,
  });
}
