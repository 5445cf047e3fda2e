// A server behind a path of a proxy, and for pages of other sites: options, their checks, and what the server does by them.
import type { Context, MiddlewareHandler, Next } from "hono";
import { cors } from "hono/cors";
import { getPathNoStrict } from "hono/utils/url";
import { ConfigurationError } from "../core/error.ts";

/** The path of a request below the base path, without a slash at its end. */
export function pathBelow(basePath: string): (request: Request) => string {
  return (request) => {
    const path = getPathNoStrict(request);
    const isBelow = basePath !== "" && `${path}/`.startsWith(`${basePath}/`);
    return isBelow ? path.slice(basePath.length) || "/" : path;
  };
}

/** Puts the base path in front of the addresses that answers lead to. */
export function below(basePath: string): MiddlewareHandler {
  return async (context: Context, next: Next) => {
    context.set("basePath", basePath);
    await next();
    const location = context.res.headers.get("location");
    if (location?.startsWith("/") === true) {
      context.res.headers.set("location", `${basePath}${location}`);
    }
  };
}

/** Lets pages of other sites ask and read answers, without cookies. */
export function sharedWith(origins: readonly string[]): MiddlewareHandler {
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

/** Options of the place of a server on the web. */
export interface HostingOptions {
  /**
   * The path that a proxy serves it under, such as `/tools/convenings`; requests are answered with the path and without
   * it. @default none
   */
  readonly basePath?: string | undefined;
  /**
   * Origins of other sites whose pages may ask, such as `https://app.example`; they send the token, never a session.
   * @default none
   */
  readonly origins?: readonly string[] | undefined;
}

/** A base path without a slash at its end; empty for none. Fails with `config_invalid` for what is no path. */
export function checkBasePath(basePath: string, field = "basePath"): string {
  const path = basePath.replace(/\/+$/, "");
  if (path === "" || /^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path)) return path;
  throw new ConfigurationError(`Cannot use ${field}: ${JSON.stringify(basePath)} is no path`, {
    field,
    hint: "Write a path that begins with a slash, such as /tools/convenings.",
  });
}

/** An origin, checked. Fails with `config_invalid`. */
export function checkOrigin(origin: string, field = "origins"): string {
  if (URL.parse(origin)?.origin === origin) return origin;
  throw new ConfigurationError(`Cannot use ${field}: ${JSON.stringify(origin)} is no origin`, {
    field,
    hint: "Write scheme, name and port alone, such as https://app.example.",
  });
}
