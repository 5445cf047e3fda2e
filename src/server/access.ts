// Access control: checks of host, origin and token before every response, sessions, and security headers.
import { timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler, Next } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { type Clock, systemClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import { RecentMap } from "../core/values.ts";
import type { HostingOptions } from "./hosting.ts";

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
  ["content-security-policy", CONTENT_POLICY],
  ["x-content-type-options", "nosniff"],
  // With "no-referrer" browsers would send the forms of these pages with the origin "null".
  ["referrer-policy", "same-origin"],
  ["x-frame-options", "DENY"],
  ["cross-origin-resource-policy", "same-origin"],
];
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
    const client = this.#clientOf(context);
    const wait = Math.ceil(this.#failures.wait(client) / 1000);
    if (wait > 0) {
      context.header("retry-after", String(wait));
      throw new ConveningError(
        "too_many_tries",
        "Cannot answer: too many wrong tokens came from your address",
        { field: "Authorization", hint: `Wait ${wait} seconds, and try again.` },
      );
    }
    // A comparison in constant time, against timing attacks.
    const isRight = given !== undefined && timingSafeEqual(digest(given), digest(this.#token));
    if (!isRight) this.#failures.add(client);
    return isRight;
  }

  #setCookie(context: Context, value: string, maxAge: number): void {
    const protocol = this.#forwarded(context, "x-forwarded-proto");
    setCookie(context, COOKIE, value, {
      path: context.get("basePath") ?? "/",
      httpOnly: true,
      sameSite: "Strict",
      secure: (protocol ?? new URL(context.req.url).protocol.slice(0, -1)) === "https",
      maxAge,
    });
  }

  #clientOf(context: Context): string {
    const { remoteAddr }: ConnectionInfo = context.env ?? {};
    return networkOf(this.#forwarded(context, "x-forwarded-for") ?? remoteAddr?.hostname ?? "");
  }

  /** Returns the last value of a proxy's header, written by the nearest proxy; clients can forge the values before. */
  #forwarded({ req }: Context, name: string): string | undefined {
    return this.#trustProxy ? req.header(name)?.split(",").at(-1)?.trim() : undefined;
  }
}

function digest(text: string): Uint8Array {
  return new TextEncoder().encode(sha256(text));
}

/** Returns the key of a client: an IPv4 address, or the first four groups of an IPv6 address (a /64 network). */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
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
  /** Times of the last failures in milliseconds since 1970, by client. */
  readonly #failures = new RecentMap<readonly number[]>(MAX_CLIENTS);

  constructor({ most = 10, within = 60_000, clock = systemClock } = {}) {
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
