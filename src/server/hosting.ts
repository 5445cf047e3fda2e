// A server behind a path of a proxy, and for pages of other sites.
import type { Context, MiddlewareHandler, Next } from "hono";
import { cors } from "hono/cors";
import { getPathNoStrict } from "hono/utils/url";

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
