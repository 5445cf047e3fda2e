// Login page, and the routes that open and end sessions.
/** @jsxImportSource hono/jsx */
import type { Context, Hono } from "hono";
import { ConveningError } from "../core/error.ts";
import { type Page, page, sendPage, wantsPage } from "../viewer/page.tsx";
import type { Access } from "./access.ts";

/** Returns true if an error leads to the login page: a browser requested a page without token or session. */
export function sendsToLogin(error: unknown, context: Context): boolean {
  return error instanceof ConveningError && error.code === "unauthorized" && wantsPage(context);
}

/**
 * Sends a browser to the login page; after the login, the browser is sent back to the requested URL. The response to a form
 * is the login page itself without a redirect, so that the script keeps the draft; the login leads back to the form.
 */
export async function toLogin(context: Context): Promise<Response> {
  const { path, url, method } = context.req;
  if (method === "GET" || method === "HEAD") {
    const next = `${path}${new URL(url).search}`;
    const query = next === "/" ? "" : `?${new URLSearchParams({ next })}`;
    return context.redirect(`/login${query}`, 303);
  }
  const { pathname = "/", search = "" } = URL.parse(context.req.header("referer") ?? "") ?? {};
  const { length } = context.get("basePath") ?? "";
  const notice = "The session has ended. Log in, and send the form again.";
  return await refuse(context, nextOf(pathname.slice(length) + search), notice);
}

/** Adds `/login`, which takes the server's token and opens a session, and `/logout`, which ends the session. */
export function loginRoutes(app: Hono, access: Access): void {
  app.get("/login", (context) => sendPage(context, loginPage(nextOf(context.req.query("next")))));
  app.post("/login", async (context) => {
    const form = await context.req.raw.text();
    const fields = new URLSearchParams(form);
    const next = nextOf(fields.get("next") ?? "");
    if (access.logIn(context, (fields.get("token") ?? "").trim())) {
      return context.redirect(next, 303);
    }
    return await refuse(context, next, "This is not the token.");
  });
  app.post("/logout", (context) => {
    access.logOut(context);
    return context.redirect("/login", 303);
  });
}

/** Returns the login page as the response to a request without a token or session. */
async function refuse(context: Context, next: string, notice: string): Promise<Response> {
  context.header("www-authenticate", 'Bearer realm="convenings"');
  return await sendPage(context, loginPage(next, notice), 401);
}

/** Returns the path and query of a URL of this server; `/` for any other URL, against open redirects. */
function nextOf(next = "/"): string {
  const here = "http://localhost";
  const { origin, pathname, search } = URL.parse(next, here) ?? new URL(here);
  return origin === here && !pathname.startsWith("//") ? `${pathname}${search}` : "/";
}

function loginPage(next: string, notice = ""): Page {
  return page({
    title: "Token",
    isOpen: true,
    body: (
      <>
        <h1>Log in</h1>
        <form class="card" method="post" action="/login">
          {notice !== "" && <p class="problem" role="alert">{notice}</p>}
          <input type="hidden" name="next" value={next} />
          <label>
            The token that the server was started with
            <input
              type="password"
              name="token"
              required
              autofocus
              autocomplete="current-password"
            />
          </label>
          <button type="submit">Log in</button>
        </form>
      </>
    ),
  });
}
