import type { Context, MiddlewareHandler } from "hono";
import { ConveningError } from "../core/error.ts";

/** Who may ask. */
export interface SecurityOptions {
  /** The token that every request must carry, but for `/healthz` and the page that asks for it. @default none is asked for */
  readonly token?: string | undefined;
  /** Names, besides those of the own machine, under which the server may be addressed, with or without a port. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether any numeric address will do: no name can be rebound to one. @default false */
  readonly anyAddress?: boolean | undefined;
}

/** The names of the own machine. */
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
/** An address in numbers, as a `Host` has it. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;
/** What a page may load: its own style and script, nothing of anybody else. */
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
/** What every answer carries. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["content-security-policy", CONTENT_POLICY],
  ["x-content-type-options", "nosniff"],
  // With "no-referrer" a browser would send the forms of these pages with the origin "null".
  ["referrer-policy", "same-origin"],
  ["x-frame-options", "DENY"],
  ["cross-origin-resource-policy", "same-origin"],
];
/** What is answered without the token: whether the server is there, and what asks a person for the token. */
const OPEN = /^\/(?:healthz|login|static\/[\w.]+)$/;
/** The cookie a browser is given the token in. */
export const TOKEN_COOKIE = "convenings_token";

/**
 * Refuses who may not ask: a foreign `Host` (DNS rebinding), a foreign `Origin` of what changes something, a missing
 * token. Every answer says what a page may load, and that nobody else may frame or guess it.
 */
export function guarded(options: SecurityOptions): MiddlewareHandler {
  const isOwn = ownNames(options);
  return async (context, next) => {
    // Before, for a refusal of what follows; afterwards, for an answer that was made elsewhere.
    for (const [name, value] of HEADERS) context.header(name, value);
    checkHost(context, isOwn);
    checkOrigin(context, isOwn);
    if (options.token !== undefined && !OPEN.test(context.req.path)) {
      await checkToken(context, options.token);
    }
    await next();
    const { headers } = context.res;
    for (const [name, value] of HEADERS) if (!headers.has(name)) headers.set(name, value);
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

function checkOrigin(context: Context, isOwn: (host: string) => boolean): void {
  const { req } = context;
  const origin = req.header("origin");
  if (origin === undefined || req.method === "GET" || req.method === "HEAD") return;
  const host = URL.parse(origin)?.host.toLowerCase() ?? "";
  if (host === hostOf(context) && isOwn(host)) return;
  throw new ConveningError("forbidden", "Cannot answer another site's page", {
    field: "Origin",
    hint: "Ask from a page of this server, or from a program.",
  });
}

async function checkToken({ req }: Context, token: string): Promise<void> {
  const [, bearer] = /^Bearer (.+)$/i.exec(req.header("authorization") ?? "") ?? [];
  const given = bearer ?? cookieOf(req.header("cookie") ?? "");
  if (given !== undefined && await isSameText(given, token)) return;
  throw new ConveningError("unauthorized", "Cannot answer: the token is missing or wrong", {
    field: "Authorization",
    hint: "Send the header: Authorization: Bearer TOKEN.",
  });
}

function cookieOf(header: string): string | undefined {
  const start = `${TOKEN_COOKIE}=`;
  const found = header.split(/;\s*/).find((each) => each.startsWith(start))?.slice(start.length);
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return undefined;
  }
}

/** Compares two texts in a time that does not tell where they differ. */
export async function isSameText(a: string, b: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [one, two] = await Promise.all([digest(a), digest(b)]);
  return one.reduce((all, byte, index) => all | (byte ^ two[index]!), 0) === 0;
}
