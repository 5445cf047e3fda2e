import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { ConveningError } from "../core/error.ts";
import { bodyBytes } from "./request_body.ts";
import { isSameText, TOKEN_COOKIE } from "./security.ts";
import { TryLimit } from "./try_limit.ts";
import { wantsPage } from "./viewer/problem_page.ts";
import { type Markup, page } from "./viewer/page.ts";

/** How long a browser keeps the token, in seconds: 30 days. */
const KEPT = 30 * 24 * 60 * 60;

/** The most bytes of what a stranger sends. */
const MAX_FORM = 10_000;

/** Whether a browser that asked for a page without the token is better shown where to give it. */
export function sendsToLogin(error: unknown, context: Context): boolean {
  return error instanceof ConveningError && error.code === "unauthorized" &&
    context.req.method === "GET" && wantsPage(context);
}

/**
 * `/login`: asks a person for the server's token, and leaves it with the browser in a cookie no script reads. Ten wrong
 * ones in a minute, and it looks at none for a while: 429.
 */
export function loginRoutes(app: Hono, token: string): void {
  const limit = new TryLimit();
  app.get("/login", (context) => context.html(loginPage()));
  app.post("/login", async (context) => {
    const form = new TextDecoder().decode(await bodyBytes(context.req.raw, MAX_FORM));
    const given = new URLSearchParams(form).get("token") ?? "";
    const wait = limit.take();
    if (wait > 0) {
      context.header("retry-after", String(Math.ceil(wait / 1000)));
      return context.html(loginPage("Too many wrong ones. Wait a minute, and try again."), 429);
    }
    if (!await isSameText(given.trim(), token)) {
      return context.html(loginPage("This is not the token."), 401);
    }
    limit.clear();
    const cookie = `${TOKEN_COOKIE}=${encodeURIComponent(token)}`;
    context.header("set-cookie", `${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${KEPT}`);
    return context.redirect("/", 303);
  });
}

function loginPage(notice = ""): Markup {
  return page({
    title: "Token",
    body: html`
      <h1>Who is there?</h1>
      <form class="card" method="post" action="/login">
              ${notice === "" ? "" : html`<p class="problem" role="alert">${notice}</p>`}
              <label>The token that the server was started with
                <input type="password" name="token" required autocomplete="current-password" /></label>
              <button type="submit">Go in</button>
            </form>
    `,
  });
}
