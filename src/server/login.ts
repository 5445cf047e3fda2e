import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { ConveningError } from "../core/error.ts";
import { isSameText, TOKEN_COOKIE } from "./security.ts";
import { type Markup, page } from "./viewer/page.ts";

/** How long a browser keeps the token, in seconds: 30 days. */
const KEPT = 30 * 24 * 60 * 60;

/** Whether a browser that asked for a page without the token is better shown where to give it. */
export function sendsToLogin(error: unknown, { req }: Context): boolean {
  return error instanceof ConveningError && error.code === "unauthorized" &&
    req.method === "GET" && !/^\/(?:api|mcp)(?:\/|$)/.test(req.path) &&
    (req.header("accept") ?? "").includes("text/html");
}

/** `/login`: asks a person for the server's token, and leaves it with the browser in a cookie no script reads. */
export function loginRoutes(app: Hono, token: string): void {
  app.get("/login", (context) => context.html(loginPage()));
  app.post("/login", async (context) => {
    const { token: given } = await context.req.parseBody();
    if (typeof given !== "string" || !await isSameText(given.trim(), token)) {
      return context.html(loginPage("This is not the token."), 401);
    }
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
