import type { Hono } from "hono";

/** Says that the server answers, to anybody: `GET /healthz`. */
export function healthRoutes(app: Hono): void {
  app.get("/healthz", (context) => context.json({ status: "ok" }));
}
