// The login page, and sessions opened and ended there.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import type { Context, Hono } from "hono";
import { ConveningError } from "../core/error.ts";
import type { Access } from "./access.ts";
import { type Page, page, sendPage, wantsPage } from "../viewer/page.tsx";

/** Tells whether an error is answered with the login page: a browser asked for a page without the token. */
export function sendsToLogin(error: unknown, context: Context): boolean {
  return error instanceof ConveningError && error.code === "unauthorized" &&
    context.req.method === "GET" && wantsPage(context);
}

/** The login page's path, which leads back to the address that was asked for. */
export function loginPath({ path, url }: Context["req"]): string {
  const next = `${path}${new URL(url).search}`;
  return next === "/" ? "/login" : `/login?${new URLSearchParams({ next })}`;
}

/** `/login` asks a person for the server's token and opens a session; `/logout` ends the session. */
export function loginRoutes(app: Hono, access: Access): void {
  app.get("/login", (context) => sendPage(context, loginPage(nextOf(context.req.query("next")))));
  app.post("/login", async (context) => {
    const form = await context.req.raw.text();
    const fields = new URLSearchParams(form);
    const next = nextOf(fields.get("next") ?? "");
    if (access.logIn(context, (fields.get("token") ?? "").trim())) {
      return context.redirect(next, 303);
    }
    context.header("www-authenticate", 'Bearer realm="convenings"');
    return await sendPage(context, loginPage(next, "This is not the token."), 401);
  });
  app.post("/logout", (context) => {
    access.logOut(context);
    return context.redirect("/login", 303);
  });
}

/** A path of this server; the archive's in place of any other address. */
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
            <input type="password" name="token" required autocomplete="current-password" />
          </label>
          <button type="submit">Log in</button>
        </form>
      </>
    ),
  });
}
