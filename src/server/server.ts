// HTTP server of an archive: middleware, routes and error responses as one function from request to response.
import { basename } from "@std/path";
import { type Context, Hono, type Next } from "hono";
import { compress, COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { z } from "zod";
import project from "../../deno.json" with { type: "json" };
import { limiterStates } from "../agents/limiter.ts";
import { BUILT_IN } from "../compose.ts";
import { callable, checkFields } from "../core/check_fields.ts";
import { asConveningError, ConveningError } from "../core/error.ts";
import { loadedOnce } from "../core/values.ts";
import type { OperationContext } from "../operations/operation.ts";
import { type ErrorScope, problemOf, statusOf } from "../operations/client_view.ts";
import { named } from "../operations/outputs.ts";
import { OPERATIONS } from "../operations/table.ts";
import { listConvenings } from "../operations/reading_convenings.ts";
import {
  ARCHIVE_OPTIONS,
  archiveContext,
  type ArchiveOptions,
  resumeForClient,
} from "../operations/client_runs.ts";
import { sendProblem, wantsPage } from "../viewer/page.tsx";
import {
  Access,
  accessControl,
  addSecurityHeaders,
  allowOrigins,
  CHALLENGE,
  checkBasePath,
  checkOrigin,
  type ConnectionInfo,
  type HostingOptions,
  pathBelow,
  prefixLocations,
  type SecurityOptions,
} from "./access.ts";
import { EVENT_ROUTES } from "./events.ts";
import { FILE_ROUTES, STUDY_FILE } from "./files.ts";
import { idempotent } from "./idempotency.ts";
import { loginRoutes, sendsToLogin, toLogin } from "./login.tsx";
import {
  addRoute,
  jsonAnswer,
  NOTHING,
  openApiDocument,
  type Route,
  route,
  routeOf,
} from "./route.ts";
import { DEBATE_ROUTES, PAPER_ROUTES } from "./papers.ts";
import { limitBodies, readRest } from "./request_body.ts";
import { socketRoute, type SocketUpgrade } from "./socket.ts";
import { viewerRoutes } from "./viewer_pages.ts";

/** Options of {@linkcode createServer}. */
export interface ServerOptions extends ArchiveOptions, AppOptions {
  /** Resumes every interrupted convening of the archive at the start, but no fork that was never resumed. @default false */
  readonly resume?: boolean | undefined;
}

const OPTIONS = z.strictObject(
  {
    ...ARCHIVE_OPTIONS,
    resume: z.boolean().optional(),
    token: z.string().min(1).optional(),
    trustProxy: z.boolean().optional(),
    hosts: z.array(z.string()).optional(),
    anyAddress: z.boolean().optional(),
    basePath: z.string().optional(),
    origins: z.array(z.string()).optional(),
    upgradeWebSocket: callable.optional(),
  } satisfies Record<keyof ServerOptions, z.ZodType>,
);

/** Outcome of resuming one convening. */
export interface ResumedConvening {
  /** Id of the convening. */
  readonly id: string;
  /** Reason why the convening was not resumed; absent on success. */
  readonly error?: ConveningError | undefined;
}

/** An open server. */
export interface Server {
  /**
   * Answers one request; never rejects. `connection` is the second argument of a `Deno.serve` handler. Without a
   * connection all clients share one rate limit: after ten wrong tokens in a minute every client without a session waits.
   */
  readonly fetch: (request: Request, connection?: ConnectionInfo) => Promise<Response>;
  /** Outcomes of `resume`, after each convening runs or is queued; empty without `resume`. */
  readonly resumed: Promise<readonly ResumedConvening[]>;
  /**
   * Ends all streams and aborts the runs, which can be resumed; later requests cannot start runs. Resolves after the locks
   * of all records are released.
   */
  close(): Promise<void>;
}

/**
 * Creates the server of an archive: HTTP API, pages and MCP, as a function from Request to Response that opens no port.
 * Throws a `ConfigurationError` for an unknown option or a value that is not allowed.
 *
 * @example
 * ```ts
 * import { createServer } from "@convenings/convenings/server";
 *
 * const server = createServer({ out: "/tmp/convenings-example", models: { model: "offline" } });
 * const { status } = await server.fetch(new Request("http://localhost/healthz"));
 * console.assert(status === 200);
 * await server.close();
 * ```
 */
export function createServer(options: ServerOptions): Server {
  checkFields(options, OPTIONS, "options of createServer");
  const streams = new AbortController();
  const context = archiveContext(options, streams.signal);
  const app = createApp(context, options);
  const resumed = options.resume === true ? resumeAll(context) : Promise.resolve([]);
  // The caller may ignore `resumed`, so a rejection must not go unhandled.
  resumed.catch(() => {});
  return {
    fetch: async (request, connection) => await app.fetch(request, connection),
    resumed,
    async close() {
      streams.abort("the server is ending");
      await context.pool.close();
      await resumed.catch(() => {});
    },
  };
}

/** Resumes every interrupted convening of the archive but new forks, oldest first; waits while the queue is full. */
async function resumeAll(context: OperationContext): Promise<ResumedConvening[]> {
  const rows = await listConvenings(context.out);
  const interrupted = rows.filter((row) => row.status === "interrupted" && !row.isNewFork)
    .reverse();
  const resumed: ResumedConvening[] = [];
  for (const { dir } of interrupted) {
    if (context.signal.aborted) break;
    resumed.push(await resumeOne(context, dir));
  }
  return resumed;
}

async function resumeOne(context: OperationContext, dir: string): Promise<ResumedConvening> {
  const { pool } = context;
  for (;;) {
    try {
      const { id } = await resumeForClient(context, dir);
      return { id };
    } catch (error) {
      const isFull = error instanceof ConveningError && error.code === "busy";
      if (!isFull || !await pool.freed()) {
        return { id: basename(dir), error: asConveningError(error) };
      }
    }
  }
}

/** Options of {@linkcode createServer} about access and the listener. */
export interface AppOptions extends SecurityOptions, HostingOptions {
  /** Opens WebSockets: `upgradeWebSocket` of hono's adapter for the listener. @default requests for a WebSocket fail */
  readonly upgradeWebSocket?: SocketUpgrade | undefined;
}

export function createApp(context: OperationContext, options: AppOptions = {}): Hono {
  const { token, trustProxy, upgradeWebSocket, ...names } = options;
  const basePath = checkBasePath(options.basePath ?? "");
  const origins = (options.origins ?? []).map((each) => checkOrigin(each));
  const app = new Hono({ getPath: pathBelow(basePath) });
  const { out, onUnexpected, readOnly } = context;
  const scope: ErrorScope = { out, onUnexpected };
  app.onError((error, context) =>
    sendsToLogin(error, context) ? toLogin(context) : errorAnswer(error, context)
  );
  app.notFound((context) => {
    const { req } = context;
    const allowed = methodsAt(app, req.path);
    // For a browser, a path that only takes POST is not a page.
    if (allowed.length === 0 || wantsPage(context)) {
      return errorAnswer(notFoundError(context), context);
    }
    context.header("allow", allowed.join(", "));
    if (req.method === "OPTIONS") return context.body(null, 204);
    return errorAnswer(
      new ConveningError("method_not_allowed", `Cannot ${req.method} ${req.path.slice(0, 200)}`, {
        hint: `Allowed: ${allowed.join(", ")}.`,
      }),
      context,
    );
  });
  const access = token === undefined ? undefined : new Access(token, trustProxy);
  app.use(async (context: Context, next: Next) => {
    // For errors and for pages.
    context.set("errorScope", scope);
    context.set("isReadOnly", readOnly);
    await next();
  });
  app.use(answerHead);
  if (basePath !== "") app.use(prefixLocations(basePath));
  if (origins.length > 0) app.use(allowOrigins(origins));
  const contentTypeFilter = (type: string) =>
    COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type) || type.startsWith("application/x-ndjson");
  app.use(compress({ contentTypeFilter }));
  app.use(addSecurityHeaders);
  app.use(readRest);
  app.use(accessControl(names, access));
  app.use(limitBodies());
  if (!readOnly) app.use(idempotent(out));
  if (access !== undefined) loginRoutes(app, access);
  const routes = apiRoutes({ mcp: mcpOf(context), upgrade: upgradeWebSocket });
  for (const each of routes) addRoute(app, each, context);
  viewerRoutes(app, context);
  return app;
}

const object = z.looseObject({});
const shared = { tags: ["server"], input: NOTHING, errors: [], writes: false } as const;

const HEALTH_OUTPUT = z.object({
  status: z.literal("ok"),
  providers: z.array(z.object({
    origin: z.string().describe("The server of models."),
    limit: z.int().describe("Requests that may be in flight now."),
    active: z.int().describe("Requests in flight."),
    waiting: z.int().describe("Requests that wait."),
    pausedMs: z.number().describe("Milliseconds until requests are sent again."),
  })).describe("Limits of the servers that were asked by this process."),
});

const HEALTH = route({
  ...shared,
  name: "health",
  summary: "Says that the server answers; needs no token.",
  method: "get",
  path: "/healthz",
  isOpen: true,
  isTagged: true,
  answers: {
    200: {
      about: "The server answers.",
      content: { "application/json": named("Health", HEALTH_OUTPUT) },
    },
  },
  respond: (context) => jsonAnswer(context, { status: "ok", providers: limiterStates() }),
});

type McpAnswer = (request: Request) => Promise<Response>;

/** Returns the routes of the API; without `upgrade`, requests for a WebSocket fail. */
export function apiRoutes(
  { mcp, upgrade }: { readonly mcp: McpAnswer; readonly upgrade?: SocketUpgrade | undefined },
): readonly Route[] {
  const routes: readonly Route[] = [
    HEALTH,
    documentRoute(() => routes),
    ...DEBATE_ROUTES,
    ...PAPER_ROUTES,
    ...OPERATIONS.map(routeOf),
    ...EVENT_ROUTES,
    STUDY_FILE,
    socketRoute(upgrade),
    ...FILE_ROUTES,
    mcpRoute(mcp),
  ];
  return routes;
}

function documentRoute(routes: () => readonly Route[]): Route {
  let document: object | undefined;
  return route({
    ...shared,
    name: "openapi",
    summary: "Gives the OpenAPI document.",
    method: "get",
    path: "/api/openapi.json",
    isTagged: true,
    answers: {
      200: { about: "An OpenAPI 3.1 document.", content: { "application/json": object } },
    },
    respond: async (context, _input, { catalogue = BUILT_IN }) => {
      const base: string = context.get("basePath") ?? "/";
      document ??= openApiDocument(project.version, routes(), catalogue.settings);
      return await jsonAnswer(context, { ...document, servers: [{ url: base }] });
    },
  });
}

function mcpRoute(answer: McpAnswer): Route {
  const problem = { "application/json": object };
  return route({
    ...shared,
    name: "mcp",
    summary: "Serves the archive as an MCP server, over streamable HTTP.",
    method: "post",
    path: "/mcp",
    // On a read-only server, the MCP server offers no tools that write.
    writes: false,
    bodies: { "application/json": object },
    answers: {
      200: { about: "An answer of JSON-RPC.", content: { "text/event-stream": z.string() } },
      202: { about: "The notification was accepted." },
      400: { about: "The body is not a JSON-RPC message.", content: problem },
      406: {
        about: "Accept does not list both application/json and text/event-stream.",
        content: problem,
      },
      415: { about: "The body is not JSON.", content: problem },
    },
    errors: ["too_large"],
    respond: async ({ req }) => await answer(req.raw),
  });
}

/** Returns a function that answers requests of MCP; the MCP server is loaded at the first request. */
function mcpOf(context: OperationContext): McpAnswer {
  const opened = loadedOnce(async () => {
    const { createMcpEndpoint } = await import("../mcp/convening_server.ts");
    const endpoint = createMcpEndpoint(context);
    context.signal.addEventListener("abort", () => void endpoint.close(), { once: true });
    return endpoint;
  });
  return async (request) => await (await opened()).answer(request);
}

/** Middleware that answers HEAD as GET; the length is that of the body, unless the body is compressed or a stream of events. */
async function answerHead(context: Context, next: Next): Promise<void> {
  const { req } = context;
  if (req.method !== "HEAD") return await next();
  const { url, headers: sent, signal } = req.raw;
  req.raw = new Request(url, { headers: sent, signal });
  await next();
  const { body, headers } = context.res;
  const isMeasured = headers.has("content-length") || headers.has("content-encoding") ||
    headers.get("content-type") === "text/event-stream";
  if (isMeasured) return await body?.cancel();
  const { byteLength } = await context.res.arrayBuffer();
  context.res = new Response(null, context.res);
  if (body !== null) context.res.headers.set("content-length", `${byteLength}`);
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function methodsAt({ router }: Hono, path: string): readonly string[] {
  // Middleware before all routes matches every path.
  const found = METHODS.filter((method) =>
    router.match(method, path)[0].some(([[, route]]) => route.path !== "/*")
  );
  if (found.length === 0) return [];
  return [...found.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : method), "OPTIONS"];
}

function notFoundError(context: Context): ConveningError {
  const { method, path } = context.req;
  const isPage = wantsPage(context);
  return new ConveningError(
    "not_found",
    `Cannot find ${isPage ? "a page" : method} ${path.slice(0, 200)}`,
    {
      hint: isPage
        ? "The page may have moved or never existed."
        : "GET /api/openapi.json lists the paths.",
    },
  );
}

async function errorAnswer(error: unknown, context: Context): Promise<Response> {
  const status = statusOf(error);
  if (status === 401) context.header("www-authenticate", CHALLENGE);
  return wantsPage(context)
    ? await sendProblem(context, error, { back: "/" })
    : context.json(problemOf(error, context.get("errorScope")), status);
}
