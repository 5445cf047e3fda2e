// Access by token or session: cookies, wrong tokens, clients behind a proxy.
import { timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { systemClock } from "../core/clock.ts";
import { ConveningError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import { RecentMap } from "../core/values.ts";
import { FailureLimit } from "./failure_limit.ts";

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

  /** Access by a token. */
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
