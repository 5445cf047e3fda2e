// Access to the server: checks of host, origin and token before every response, sessions, security headers, hosting below a
// path of a proxy, and CORS for pages of other sites.
import type { Context, MiddlewareHandler, Next } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { cors } from "hono/cors";
import { getPathNoStrict } from "hono/utils/url";
import { timingSafeEqual } from "node:crypto";
import { type Clock, steadyClock, systemClock } from "../core/clock.ts";
import { cannotUse, ConveningError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import { RecentMap } from "../core/values.ts";
import { counted } from "../core/text.ts";

/** Options of access to a server. */
export interface SecurityOptions {
  /**
   * Token that every request needs, except `/healthz` and the login page. After ten wrong tokens in a minute, further
   * requests from the client's address are rejected for a while. @default no token is needed
   */
  readonly token?: string | undefined;
  /**
   * Trusts one proxy in front of the server: a client's address is then the last entry of `X-Forwarded-For`, and
   * `X-Forwarded-Proto: https` makes cookies `Secure`. @default false
   */
  readonly trustProxy?: boolean | undefined;
  /** Accepted `Host` names, with or without a port, in addition to the loopback names. @default none */
  readonly hosts?: readonly string[] | undefined;
  /** Accepts any IP address as `Host`; DNS rebinding needs a name, not an address. @default false */
  readonly anyAddress?: boolean | undefined;
}

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
/** IP address as a `Host` header contains it. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;
/** Content security policy: pages load styles and scripts of this server only. */
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
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  // A cache shared by clients, such as that of a proxy, keeps nothing that was sent to a client with the token.
  ["cache-control", "private, no-cache"],
  ["content-security-policy", CONTENT_POLICY],
  ["x-content-type-options", "nosniff"],
  // With "no-referrer" browsers would send the forms of these pages with the origin "null".
  ["referrer-policy", "same-origin"],
  ["x-frame-options", "DENY"],
  ["cross-origin-resource-policy", "same-origin"],
];
/** Header `www-authenticate` of an answer to a request without a token. */
export const CHALLENGE = 'Bearer realm="convenings"';

/** Paths that need no token: the health check, the login page and its files. */
const OPEN = /^\/(?:healthz|login|static\/[\w.]+)$/;

/** Middleware that adds the security headers to every response, errors included. */
export async function addSecurityHeaders(context: Context, next: Next): Promise<void> {
  await next();
  const { headers } = context.res;
  for (const [name, value] of HEADERS) if (!headers.has(name)) headers.set(name, value);
}

/**
 * Returns middleware that rejects a foreign `Host` (DNS rebinding), a foreign `Origin` of a request that writes or opens a
 * socket, and a missing token.
 */
export function accessControl(
  options: Omit<SecurityOptions, "token" | "trustProxy"> & HostingOptions,
  access: Access | undefined,
): MiddlewareHandler {
  const isOwn = ownNames(options);
  return async (context, next) => {
    checkHost(context, isOwn);
    const isForeign = isOfOtherSite(context, isOwn);
    if (isForeign) refuseForeign(context, options.origins);
    if (!OPEN.test(context.req.path)) access?.check(context, isForeign);
    await next();
  };
}

function ownNames({ hosts = [], anyAddress = false }: SecurityOptions): (host: string) => boolean {
  const names = new Set([...LOOPBACK, ...hosts.map((each) => each.toLowerCase())]);
  return (host) => {
    const name = host.replace(/:\d+$/, "");
    // A client leaves out the port that its protocol has by default.
    const sent = host === name ? [host, `${host}:80`, `${host}:443`] : [host, name];
    return sent.some((each) => names.has(each)) || anyAddress && ADDRESS.test(name);
  };
}

function hostOf({ req }: Context): string {
  return (req.header("host") ?? new URL(req.url).host).toLowerCase();
}

function checkHost(context: Context, isOwn: (host: string) => boolean): void {
  // A request can name the server in the Host header and in an absolute request target.
  const named = [hostOf(context), new URL(context.req.url).host.toLowerCase()];
  const host = named.find((each) => !isOwn(each));
  if (host === undefined) return;
  throw new ConveningError("forbidden", `Cannot answer under the name "${host.slice(0, 200)}"`, {
    field: "Host",
    hint: "Address the server as 127.0.0.1 or localhost, or start it with --allow-host NAME.",
  });
}

function isOfOtherSite(context: Context, isOwn: (host: string) => boolean): boolean {
  const origin = context.req.header("origin");
  if (origin === undefined) return false;
  const host = URL.parse(origin)?.host.toLowerCase() ?? "";
  return host !== hostOf(context) || !isOwn(host);
}

function refuseForeign({ req }: Context, origins: readonly string[] = []): void {
  // A socket is opened by a GET, and browsers let any page open one; HEAD is answered as GET.
  if (req.method === "GET" && req.header("upgrade") === undefined) return;
  if (origins.includes(req.header("origin") ?? "")) return;
  throw new ConveningError("forbidden", "Cannot answer another site's page", {
    field: "Origin",
    hint: "Ask from a page of this server or from a program, or start it with --allow-origin.",
  });
}

/** Connection of a request, the second argument of a `Deno.serve` handler. */
export interface ConnectionInfo {
  /** Address of the client. */
  readonly remoteAddr?: { readonly transport: string; readonly hostname?: string } | undefined;
}

/** Cookie with the secret id of a session. */
const COOKIE = "convenings_session";
/** Lifetime of a session, in seconds: 30 days. */
const LIFE = 30 * 24 * 60 * 60;
/** Maximal number of sessions; a further session ends the oldest. */
const MAX_SESSIONS = 1000;

/**
 * Access by the server's token, or by a session that the token opened. Sessions are in memory; a session ends at logout,
 * after 30 days, or when the server stops.
 */
export class Access {
  readonly #token: string;
  readonly #trustProxy: boolean;
  readonly #failures = new FailureLimit();
  /** Expiry times in milliseconds since 1970, by session id. */
  readonly #sessions = new RecentMap<number>(MAX_SESSIONS);

  constructor(token: string, trustProxy = false) {
    this.#token = token;
    this.#trustProxy = trustProxy;
  }

  /**
   * Checks the session or token of a request. For a foreign request, from a page of another site, a session is ignored.
   * Fails with `unauthorized`, and with `too_many_tries` after too many wrong tokens.
   */
  check(context: Context, isForeign = false): void {
    const session = isForeign ? undefined : getCookie(context, COOKIE);
    if (session !== undefined && (this.#sessions.get(session) ?? 0) > systemClock.now()) {
      return context.set("session", session);
    }
    // Expire the cookie of an ended session, so that the browser stops sending it.
    if (session !== undefined) this.#setCookie(context, "", 0);
    const [, bearer] = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
    if ((bearer ?? session) !== undefined && this.#isRight(context, bearer)) return;
    throw new ConveningError("unauthorized", "Cannot answer: the token is missing or wrong", {
      field: "Authorization",
      hint: "Send the header: Authorization: Bearer TOKEN.",
    });
  }

  /** Opens a session and returns true if the token is right, else returns false. Fails with `too_many_tries`. */
  logIn(context: Context, token: string): boolean {
    if (!this.#isRight(context, token)) return false;
    const session = crypto.getRandomValues(new Uint8Array(32)).toHex();
    this.#sessions.set(session, systemClock.now() + LIFE * 1000);
    this.#setCookie(context, session, LIFE);
    return true;
  }

  logOut(context: Context): void {
    this.#sessions.take(getCookie(context, COOKIE) ?? "");
    this.#setCookie(context, "", 0);
  }

  /** Returns true if a token is right. A missing token, from a client with an ended session, counts as a wrong token. */
  #isRight(context: Context, given: string | undefined): boolean {
    const client = networkOf(clientOf(context.req.raw, context.env, this.#trustProxy));
    const wait = Math.ceil(this.#failures.wait(client) / 1000);
    if (wait > 0) {
      context.header("retry-after", String(wait));
      throw new ConveningError(
        "too_many_tries",
        "Cannot answer: too many wrong tokens came from your address",
        { field: "Authorization", hint: `Wait ${counted(wait, "second")}, and try again.` },
      );
    }
    // A comparison in constant time, against timing attacks.
    const isRight = given !== undefined && timingSafeEqual(digest(given), digest(this.#token));
    if (!isRight) this.#failures.add(client);
    return isRight;
  }

  #setCookie(context: Context, value: string, maxAge: number): void {
    const protocol = this.#trustProxy
      ? forwardedIn(context.req.raw, "x-forwarded-proto")
      : undefined;
    setCookie(context, COOKIE, value, {
      path: context.get("basePath") ?? "/",
      httpOnly: true,
      sameSite: "Strict",
      secure: (protocol ?? new URL(context.req.url).protocol.slice(0, -1)) === "https",
      maxAge,
    });
  }
}

/** Returns the address of a request's client: that of the proxy's header, else of the connection, else `-`. */
export function clientOf(
  request: Request,
  connection: ConnectionInfo | undefined,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? forwardedIn(request, "x-forwarded-for") : undefined;
  return forwarded ?? (connection?.remoteAddr?.hostname || "-");
}

/** Returns the last value of a proxy's header, written by the nearest proxy, unless empty; clients can forge the values before. */
function forwardedIn({ headers }: Request, name: string): string | undefined {
  return headers.get(name)?.split(",").at(-1)?.trim() || undefined;
}

function digest(text: string): Uint8Array {
  return new TextEncoder().encode(sha256(text));
}

/** Returns the key of a client: an IPv4 address, or the first four groups of an IPv6 address (a /64 network). */
function networkOf(address: string): string {
  // Some proxies add the port of the client, and brackets around IPv6.
  const [, plain = address] = /^\[?(?:::ffff:)?(\d+(?:\.\d+){3})\]?(?::\d+)?$/i.exec(address) ?? [];
  if (!plain.includes(":")) return plain;
  const [start = ""] = plain.split("::");
  return [...start.split(":"), "0", "0", "0", "0"].slice(0, 4).join(":");
}

/** Maximal number of clients whose failures are counted. */
const MAX_CLIENTS = 10_000;

/** Rate limiter for wrong tokens, per client: at most `most` failures within `within` milliseconds. */
export class FailureLimit {
  readonly #most: number;
  readonly #within: number;
  readonly #clock: Clock;
  /** Times of the last failures in milliseconds of the clock, by client. */
  readonly #failures = new RecentMap<readonly number[]>(MAX_CLIENTS);

  constructor({ most = 10, within = 60_000, clock = steadyClock } = {}) {
    this.#most = most;
    this.#within = within;
    this.#clock = clock;
  }

  /** Returns the milliseconds until a client may try again; 0 for at once. */
  wait(client: string): number {
    const failures = this.#recent(client);
    const [oldest = 0] = failures;
    return failures.length < this.#most ? 0 : oldest + this.#within - this.#clock.now();
  }

  add(client: string): void {
    this.#failures.set(client, [...this.#recent(client), this.#clock.now()].slice(-this.#most));
  }

  #recent(client: string): readonly number[] {
    const from = this.#clock.now() - this.#within;
    return this.#failures.get(client)?.filter((at) => at > from) ?? [];
  }
}

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
  const allow = cors({
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
  // `cors` answers every OPTIONS, and only a preflight names a method.
  return (context, next) =>
    context.req.method !== "OPTIONS" || context.req.header("access-control-request-method")
      ? allow(context, next)
      : next();
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
  const hint = "Write a path that begins with a slash, such as /tools/convenings.";
  throw cannotUse(field, `${JSON.stringify(basePath)} is not a path`, hint);
}

/** Returns a host, with or without port, unchanged. Fails with `config_invalid` for another text, such as an address. */
export function checkHostName(name: string, field = "hosts"): string {
  if (/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(name)) return name;
  const hint = "Write the name alone, such as www.example.com.";
  throw cannotUse(field, `${JSON.stringify(name)} is not a host name`, hint);
}

/** Returns the origin unchanged. Fails with `config_invalid` for a text that is not an origin. */
export function checkOrigin(origin: string, field = "origins"): string {
  if (URL.parse(origin)?.origin === origin) return origin;
  const hint = "Write scheme, name and port alone, such as https://app.example.";
  throw cannotUse(field, `${JSON.stringify(origin)} is not an origin`, hint);
}
