// The server as one function from request to response: middleware, routes, errors.
import { type Context, Hono, type Next } from "hono";
import { compress, COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { ConveningError } from "../core/error.ts";
import { type OperationContext, problemOf, statusOf } from "../operations/operation.ts";
import { withoutPaths } from "../operations/convening_dir.ts";
import { Access } from "./access.ts";
import { bounded } from "./body_limit.ts";
import { idempotent } from "./idempotency.ts";
import { loginPath, loginRoutes, sendsToLogin } from "./login.tsx";
import { addApi } from "./api.ts";
import { below, pathBelow, sharedWith } from "./hosting.ts";
import { checkBasePath, checkOrigin, type HostingOptions } from "./hosting_options.ts";
import { guarded, protectedAnswer, type SecurityOptions } from "./security.ts";
import type { SocketUpgrade } from "./socket.ts";
import { paperPageRoutes } from "./paper_pages.ts";
import { studyPageRoutes } from "./study_pages.ts";
import { sendPage, wantsPage } from "../viewer/answers.ts";
import { problemPage } from "../viewer/page.tsx";
import { viewerRoutes } from "./viewer_pages.ts";

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
  paperPageRoutes(app, context);
  studyPageRoutes(app, context);
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
