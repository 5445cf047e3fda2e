// Checks of host, origin and token before every answer, and the headers of every answer.
import type { Context, MiddlewareHandler, Next } from "hono";
import { ConveningError } from "../core/error.ts";
import type { Access } from "./access.ts";
import type { HostingOptions } from "./hosting_options.ts";

/** Options of access to a server. */
export interface SecurityOptions {
  /**
   * The token that every request must carry, but for `/healthz` and the page that asks for it. After ten wrong ones in a
   * minute, a client's address waits. @default none is asked for
   */
  readonly token?: string | undefined;
  /**
   * Trusts one proxy before the server: clients' addresses are then read from the last entry of
   * `X-Forwarded-For`, and `X-Forwarded-Proto: https` makes cookies `Secure`. @default false
   */
  readonly trustProxy?: boolean | undefined;
  /** Names, besides those of the own machine, under which the server may be addressed, with or without a port. */
  readonly hosts?: readonly string[] | undefined;
  /** Takes any numeric address as a `Host`: no name can be rebound to one. @default false */
  readonly anyAddress?: boolean | undefined;
}

/** The names of the own machine. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
/** An address in numbers, as a `Host` has it. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;
/** Content security policy: a page loads its own style and script, nothing else. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
/** Headers of every answer. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["content-security-policy", CONTENT_POLICY],
  ["x-content-type-options", "nosniff"],
  // With "no-referrer" a browser would send the forms of these pages with the origin "null".
  ["referrer-policy", "same-origin"],
  ["x-frame-options", "DENY"],
  ["cross-origin-resource-policy", "same-origin"],
];
/** Paths that are answered without the token: the health check, the login page and its files. */
const OPEN = /^\/(?:healthz|login|static\/[\w.]+)$/;

/** Puts headers on every answer, refusals included: what a page may load, and that nobody else may frame or guess it. */
export async function protectedAnswer(context: Context, next: Next): Promise<void> {
  await next();
  const { headers } = context.res;
  for (const [name, value] of HEADERS) if (!headers.has(name)) headers.set(name, value);
}

/**
 * Refuses who may not ask: a foreign `Host` (DNS rebinding), a foreign `Origin` of what changes something or opens a socket, a missing
 * token.
 */
export function guarded(
  options: Omit<SecurityOptions, "token" | "trustProxy"> & HostingOptions,
  access: Access | undefined,
): MiddlewareHandler {
  const isOwn = ownNames(options);
  return async (context, next) => {
    checkHost(context, isOwn);
    const isForeign = isOfOtherSite(context, isOwn);
    if (isForeign) checkOrigin(context, options.origins);
    if (!OPEN.test(context.req.path)) access?.check(context, isForeign);
    await next();
  };
}

function ownNames({ hosts = [], anyAddress = false }: SecurityOptions): (host: string) => boolean {
  const names = new Set([...LOOPBACK, ...hosts.map((each) => each.toLowerCase())]);
  return (host) => {
    const name = host.replace(/:\d+$/, "");
    return names.has(host) || names.has(name) || anyAddress && ADDRESS.test(name);
  };
}

function hostOf({ req }: Context): string {
  return (req.header("host") ?? new URL(req.url).host).toLowerCase();
}

function checkHost(context: Context, isOwn: (host: string) => boolean): void {
  // A request can name the server twice: in its header, and in front of its path.
  const named = [hostOf(context), new URL(context.req.url).host.toLowerCase()];
  const host = named.find((each) => !isOwn(each));
  if (host === undefined) return;
  throw new ConveningError("forbidden", `Cannot answer under the name "${host.slice(0, 200)}"`, {
    field: "Host",
    hint: "Address the server as 127.0.0.1 or localhost, or start it with --allow-host NAME.",
  });
}

/** True of a request that another site's page makes. */
function isOfOtherSite(context: Context, isOwn: (host: string) => boolean): boolean {
  const origin = context.req.header("origin");
  if (origin === undefined) return false;
  const host = URL.parse(origin)?.host.toLowerCase() ?? "";
  return host !== hostOf(context) || !isOwn(host);
}

function checkOrigin({ req }: Context, origins: readonly string[] = []): void {
  const reads = req.method === "GET" || req.method === "HEAD";
  // A socket is opened by a GET, and browsers let any page open one.
  if (reads && req.header("upgrade") === undefined) return;
  if (origins.includes(req.header("origin") ?? "")) return;
  throw new ConveningError("forbidden", "Cannot answer another site's page", {
    field: "Origin",
    hint: "Ask from a page of this server or from a program, or start it with --allow-origin.",
  });
}
