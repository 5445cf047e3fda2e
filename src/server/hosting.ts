// Hosting of a server below a path of a proxy, and CORS for pages of other sites: options, checks and middleware.
import type { Context, MiddlewareHandler, Next } from "hono";
import { cors } from "hono/cors";
import { getPathNoStrict } from "hono/utils/url";
import { ConfigurationError } from "../core/error.ts";

/** Returns a function that gives the path of a request below the base path, without a trailing slash. */
export function pathBelow(basePath: string): (request: Request) => string {
  return (request) => {
    const path = getPathNoStrict(request);
    const isBelow = basePath !== "" && `${path}/`.startsWith(`${basePath}/`);
    return isBelow ? path.slice(basePath.length) || "/" : path;
  };
}

/** Returns middleware that adds the base path to the `Location` of responses. */
export function prefixLocations(basePath: string): MiddlewareHandler {
  return async (context: Context, next: Next) => {
    context.set("basePath", basePath);
    await next();
    const location = context.res.headers.get("location");
    if (location?.startsWith("/") === true) {
      context.res.headers.set("location", `${basePath}${location}`);
    }
  };
}

/** Returns middleware that lets pages of other sites send requests and read responses (CORS), without cookies. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: [...origins],
    allowHeaders: [
      "authorization",
      "content-type",
      "idempotency-key",
      "if-none-match",
      "last-event-id",
    ],
    allowMethods: ["GET", "HEAD", "POST", "DELETE"],
    exposeHeaders: ["etag", "location", "retry-after"],
    maxAge: 600,
  });
}

/** Options of hosting a server below a path or for pages of other sites. */
export interface HostingOptions {
  /**
   * Path under which a proxy serves the server, such as `/tools/convenings`; requests with and without the path are
   * accepted. @default none
   */
  readonly basePath?: string | undefined;
  /**
   * Origins of other sites whose pages may send requests, such as `https://app.example`; their requests need the token, not
   * a session. @default none
   */
  readonly origins?: readonly string[] | undefined;
}

/** Returns a base path without trailing slashes; an empty text means no base path. Fails with `config_invalid`. */
export function checkBasePath(basePath: string, field = "basePath"): string {
  const path = basePath.replace(/\/+$/, "");
  if (path === "" || /^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path)) return path;
  throw new ConfigurationError(`Cannot use ${field}: ${JSON.stringify(basePath)} is not a path`, {
    field,
    hint: "Write a path that begins with a slash, such as /tools/convenings.",
  });
}

/** Returns the origin unchanged. Fails with `config_invalid` for a text that is not an origin. */
export function checkOrigin(origin: string, field = "origins"): string {
  if (URL.parse(origin)?.origin === origin) return origin;
  throw new ConfigurationError(`Cannot use ${field}: ${JSON.stringify(origin)} is not an origin`, {
    field,
    hint: "Write scheme, name and port alone, such as https://app.example.",
  });
}
