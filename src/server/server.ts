// The server of an archive, as programs make one: middleware, routes, errors as one function from request to response.
import { basename, resolve } from "@std/path";
import { type Context, Hono, type Next } from "hono";
import { compress, COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { ConveningError } from "../core/error.ts";
import { folderShelf } from "../inputs/folder_shelf.ts";
import type { McpServerOptions } from "../mcp/mod.ts";
import { withoutPaths } from "../operations/convening_dir.ts";
import {
  type OperationContext,
  problemOf,
  type ServerModels,
  statusOf,
} from "../operations/operation.ts";
import { listConvenings } from "../operations/reading_convenings.ts";
import { resumeForClient } from "../operations/resume.ts";
import { RunPool } from "../operations/run_pool.ts";
import {
  Access,
  type ConnectionInfo,
  guarded,
  protectedAnswer,
  type SecurityOptions,
} from "./access.ts";
import { addApi } from "./api.ts";
import {
  below,
  checkBasePath,
  checkOrigin,
  type HostingOptions,
  pathBelow,
  sharedWith,
} from "./hosting.ts";
import { idempotent } from "./idempotency.ts";
import { loginPath, loginRoutes, sendsToLogin } from "./login.tsx";
import { bounded } from "./request_body.ts";
import type { SocketUpgrade } from "./socket.ts";
import { viewerRoutes } from "./viewer_pages.ts";
import { problemPage, sendPage, wantsPage } from "../viewer/page.tsx";

/** Options of {@linkcode createServer}. */
export interface ServerOptions
  extends AppOptions, Pick<McpServerOptions, "library" | "maxRunning"> {
  /** The archive's folder; papers that are posted are kept in it too. */
  readonly out: string;
  /** Addresses of models; no request can name another. @default by the environment */
  readonly models?: ServerModels | undefined;
  /** Resumes every interrupted convening of the archive at once. @default false */
  readonly resume?: boolean | undefined;
  /** Lets clients only read: the archive is not changed, and no model is asked. @default false */
  readonly readOnly?: boolean | undefined;
}

/** Outcome of resuming one convening. */
export interface ResumedConvening {
  /** Its id. */
  readonly id: string;
  /** Reason why it was not resumed; absent where it was. */
  readonly error?: ConveningError | undefined;
}

/** A server that is open. */
export interface Server {
  /**
   * Answers one request; never rejects. `connection` is the second argument of a `Deno.serve` handler. Without the
   * connection all clients count as one: ten wrong tokens in a minute then make every client without a session wait.
   */
  readonly fetch: (request: Request, connection?: ConnectionInfo) => Promise<Response>;
  /** Outcomes of `resume`, once each convening runs or is queued; empty without it. */
  readonly resumed: Promise<readonly ResumedConvening[]>;
  /**
   * Ends every stream, starts nothing more, and breaks off what runs, so that it can be resumed; resolves once every
   * record was let go of.
   */
  close(): Promise<void>;
}

/**
 * The server of an archive: the HTTP interface, the pages and MCP, as a function from Request to Response that opens no
 * port.
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
  const { models = {}, library, maxRunning, resume = false, readOnly, ...access } = options;
  const catalogue = library?.catalogue;
  const out = resolve(options.out);
  const pool = new RunPool({ out, maxRunning, compose: { env: models.env, catalogue } });
  const streams = new AbortController();
  const context = {
    out,
    pool,
    models,
    catalogue,
    papers: folderShelf(out),
    signal: streams.signal,
    readOnly,
  };
  const app = createApp(context, access);
  const resumed = resume ? resumeAll(context) : Promise.resolve([]);
  // Whoever does not ask is not told.
  resumed.catch(() => {});
  return {
    fetch: async (request, connection) => await app.fetch(request, connection),
    resumed,
    async close() {
      streams.abort("the server is ending");
      await pool.close();
      await resumed.catch(() => {});
    },
  };
}

/** Goes on with every convening of the archive that was broken off, the oldest first; waits where the line is full. */
async function resumeAll(context: OperationContext): Promise<ResumedConvening[]> {
  const rows = await listConvenings(context.out);
  const brokenOff = rows.filter(({ status }) => status === "interrupted").reverse();
  const resumed: ResumedConvening[] = [];
  for (const { dir } of brokenOff) {
    if (context.signal.aborted) break;
    resumed.push(await resumedOne(context, dir));
  }
  return resumed;
}

async function resumedOne(context: OperationContext, dir: string): Promise<ResumedConvening> {
  const { pool } = context;
  for (;;) {
    try {
      const { id } = await resumeForClient(context, dir);
      return { id };
    } catch (error) {
      const isFull = error instanceof ConveningError && error.code === "busy";
      if (!isFull || pool.running.length === 0) return { id: basename(dir), error: known(error) };
      await Promise.race(pool.running.map(({ ended }) => ended));
    }
  }
}

function known(error: unknown): ConveningError {
  if (error instanceof ConveningError) return error;
  const { code, message } = problemOf(error).error;
  return new ConveningError(code, message, { cause: error });
}

/** The fewest bytes of an answer of known length that is compressed. */
const COMPRESSED_FROM = 1024;

/** Options of {@linkcode createApp}. */
export interface AppOptions extends SecurityOptions, HostingOptions {
  /** Opens WebSockets: `upgradeWebSocket` of hono's adapter for the listener. @default no socket can be opened */
  readonly upgradeWebSocket?: SocketUpgrade | undefined;
}

/** The server as a function from Request to Response; it opens no port and reads no clock. */
export function createApp(context: OperationContext, options: AppOptions = {}): Hono {
  const { token, trustProxy, upgradeWebSocket, ...names } = options;
  const basePath = checkBasePath(options.basePath ?? "");
  const origins = (options.origins ?? []).map((each) => checkOrigin(each));
  const app = new Hono({ getPath: pathBelow(basePath) });
  const { out, readOnly } = context;
  app.onError((error, context) =>
    sendsToLogin(error, context)
      ? context.redirect(loginPath(context.req), 303)
      : refused(withoutPaths(error, out), context)
  );
  app.notFound((context) => {
    const { req } = context;
    const allowed = methodsAt(app, req.path);
    // To a browser, what only takes forms is no page.
    if (allowed.length === 0 || wantsPage(context)) return refused(notThere(context), context);
    context.header("allow", allowed.join(", "));
    if (req.method === "OPTIONS") return context.body(null, 204);
    return refused(
      new ConveningError("method_not_allowed", `Cannot ${req.method} ${shown(req.path)}`, {
        hint: `Allowed: ${allowed.join(", ")}.`,
      }),
      context,
    );
  });
  const access = token === undefined ? undefined : new Access(token, trustProxy);
  app.use(measured);
  if (basePath !== "") app.use(below(basePath));
  if (origins.length > 0) app.use(sharedWith(origins));
  app.use(compress({ threshold: COMPRESSED_FROM }));
  app.use(protectedAnswer);
  app.use(guarded(names, access));
  app.use(bounded());
  if (readOnly !== true) app.use(idempotent(out));
  if (access !== undefined) loginRoutes(app, access);
  addApi(app, context, upgradeWebSocket);
  viewerRoutes(app, context);
  return app;
}

/** Gives the answer to `HEAD` the length that the body of `GET` has; none where that is compressed. */
async function measured(context: Context, next: Next): Promise<void> {
  await next();
  const { body, headers } = context.res;
  if (context.req.method !== "HEAD") return;
  const length = headers.get("content-length");
  const accepts = /gzip|deflate|\*/.test(context.req.header("accept-encoding") ?? "");
  const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "");
  const isSmall = length !== null && Number(length) < COMPRESSED_FROM;
  if (isText && !isSmall) headers.set("vary", "Accept-Encoding");
  if (accepts && isText && !isSmall) return headers.delete("content-length");
  if (body === null || length !== null) return;
  let size = 0;
  for await (const piece of body) size += piece.length;
  context.res = new Response(null, context.res);
  context.res.headers.set("content-length", `${size}`);
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Methods of a path; none where there is no such path. */
function methodsAt({ router }: Hono, path: string): readonly string[] {
  // Middleware before all routes matches every path.
  const found = METHODS.filter((method) =>
    router.match(method, path)[0].some(([[, route]]) => route.path !== "/*")
  );
  if (found.length === 0) return [];
  return [...found.includes("GET") ? ["GET", "HEAD"] : [], ...found, "OPTIONS"]
    .filter((method, index, all) => all.indexOf(method) === index);
}

function notThere(context: Context): ConveningError {
  const { method, path } = context.req;
  const isPage = wantsPage(context);
  return new ConveningError(
    "not_found",
    `Cannot find ${isPage ? "a page" : method} ${shown(path)}`,
    {
      hint: isPage
        ? "It may have had another address, or never been there."
        : "GET /api/openapi.json lists what there is.",
    },
  );
}

function shown(path: string): string {
  return path.slice(0, 200);
}

/** Answer to an error: a page to a browser that asked for one, else JSON. */
async function refused(error: unknown, context: Context): Promise<Response> {
  const [problem, status] = [problemOf(error), statusOf(error)];
  if (status === 401) context.header("www-authenticate", 'Bearer realm="convenings"');
  return wantsPage(context)
    ? await sendPage(context, problemPage(problem.error, { back: "/" }), status)
    : context.json(problem, status);
}
