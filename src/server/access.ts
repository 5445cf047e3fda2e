// Access to a server: checks of host, origin and token before every answer, sessions, and the headers of every answer.
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

/** The connection of a request; `Deno.serve` hands it to its handler. */
export interface ConnectionInfo {
  /** The client's end. */
  readonly remoteAddr?: { readonly transport: string; readonly hostname?: string } | undefined;
}

/** The cookie with the secret name of a session. */
const COOKIE = "convenings_session";
/** The longest life of a session, in seconds: 30 days. */
const LIFE = 30 * 24 * 60 * 60;
/** The most open sessions; past that, the oldest ends. */
const MAX_SESSIONS = 1000;

/**
 * Access by the server's token, or by a session that the token opened. Sessions are in memory: logging out, 30 days and
 * the end of the server end them.
 */
export class Access {
  readonly #token: string;
  readonly #trustProxy: boolean;
  readonly #failures = new FailureLimit();
  /** The ends of sessions, in milliseconds since 1970, by their names. */
  readonly #sessions = new RecentMap<number>(MAX_SESSIONS);

  constructor(token: string, trustProxy = false) {
    this.#token = token;
    this.#trustProxy = trustProxy;
  }

  /**
   * Checks a request; one of another site's page needs the token, whatever session the browser sends. Fails with
   * `unauthorized`, and with `too_many_tries` after too many wrong tokens.
   */
  check(context: Context, isForeign = false): void {
    const session = isForeign ? undefined : getCookie(context, COOKIE);
    if (session !== undefined && (this.#sessions.get(session) ?? 0) > systemClock.now()) {
      return context.set("session", session);
    }
    // The browser sends an old session no more, so that its pages do not fail again and again.
    if (session !== undefined) this.#setCookie(context, "", 0);
    const [, bearer] = /^Bearer (.+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
    if ((bearer ?? session) !== undefined && this.#isRight(context, bearer)) return;
    throw new ConveningError("unauthorized", "Cannot answer: the token is missing or wrong", {
      field: "Authorization",
      hint: "Send the header: Authorization: Bearer TOKEN.",
    });
  }

  /** Opens a session if the token is right. Fails with `too_many_tries`. */
  logIn(context: Context, token: string): boolean {
    if (!this.#isRight(context, token)) return false;
    const session = crypto.getRandomValues(new Uint8Array(32)).toHex();
    this.#sessions.set(session, systemClock.now() + LIFE * 1000);
    this.#setCookie(context, session, LIFE);
    return true;
  }

  /** Ends the session of a request. */
  logOut(context: Context): void {
    this.#sessions.take(getCookie(context, COOKIE) ?? "");
    this.#setCookie(context, "", 0);
  }

  /** Tells whether a token is right; a missing token, in the place of an old session, is wrong. */
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
    // The time of the comparison says nothing about the token.
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

  /** The last value of a proxy's header, which the nearest proxy wrote; clients can write those before. */
  #forwarded({ req }: Context, name: string): string | undefined {
    return this.#trustProxy ? req.header(name)?.split(",").at(-1)?.trim() : undefined;
  }
}

function digest(text: string): Uint8Array {
  return new TextEncoder().encode(sha256(text));
}

/** The network of an address: of IPv6 the first four groups, which one client has for itself. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [start = ""] = plain.split("::");
  return [...start.split(":"), "0", "0", "0", "0"].slice(0, 4).join(":");
}

/** The most clients whose failures are counted. */
const MAX_CLIENTS = 10_000;

/** Rate limiter for guesses at a secret: a client that failed too often waits. Other clients do not. */
export class FailureLimit {
  readonly #most: number;
  readonly #within: number;
  readonly #clock: Clock;
  /** The times of the last failures, by client. */
  readonly #failures = new RecentMap<readonly number[]>(MAX_CLIENTS);

  constructor({ most = 10, within = 60_000, clock = systemClock } = {}) {
    this.#most = most;
    this.#within = within;
    this.#clock = clock;
  }

  /** The milliseconds until a client may try again; 0 if it may now. */
  wait(client: string): number {
    const failures = this.#recent(client);
    const [oldest = 0] = failures;
    return failures.length < this.#most ? 0 : oldest + this.#within - this.#clock.now();
  }

  /** Counts a failure of a client. */
  add(client: string): void {
    this.#failures.set(client, [...this.#recent(client), this.#clock.now()].slice(-this.#most));
  }

  #recent(client: string): readonly number[] {
    const from = this.#clock.now() - this.#within;
    return this.#failures.get(client)?.filter((at) => at > from) ?? [];
  }
}
