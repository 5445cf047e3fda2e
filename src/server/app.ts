import { Hono } from "hono";
import { ConveningError } from "../core/error.ts";
import { bounded } from "./body_limit.ts";
import { loginRoutes, sendsToLogin } from "./login.ts";
import { problemOf, statusOf } from "./problems.ts";
import { ROUTES } from "./routes/registry.ts";
import { guarded, type SecurityOptions } from "./security.ts";
import type { ServerContext } from "./context.ts";

/** The server as a function from Request to Response; it opens no port and reads no clock. */
export function createApp(context: ServerContext, security: SecurityOptions = {}): Hono {
  const app = new Hono({ strict: false });
  app.onError((error, context) =>
    sendsToLogin(error, context)
      ? context.redirect("/login", 303)
      : context.json(problemOf(error), statusOf(error))
  );
  app.notFound(({ req, json }) => {
    const error = new ConveningError("not_found", `Cannot find ${req.method} ${shown(req.path)}`, {
      hint: "GET /api/openapi.json lists what there is.",
    });
    return json(problemOf(error), statusOf(error));
  });
  app.use(guarded(security));
  app.use(bounded());
  if (security.token !== undefined) loginRoutes(app, security.token);
  for (const add of ROUTES) add(app, context);
  return app;
}

function shown(path: string): string {
  return path.slice(0, 200);
}
