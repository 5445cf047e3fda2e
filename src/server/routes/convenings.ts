import type { Context, Hono } from "hono";
import { listPage, STATUSES } from "../../operations/list_page.ts";
import { startRemote } from "../../operations/remote_runs.ts";
import { runJson } from "../../operations/standing_json.ts";
import { withoutPlace } from "../../operations/without_place.ts";
import { atConvening } from "../at_convening.ts";
import type { ServerContext } from "../../operations/server_context.ts";
import { conveningJson } from "../convening_json.ts";
import { linksOf } from "../convening_links.ts";
import { wholeOf, wordOf } from "../query.ts";
import { jsonBody } from "../request_body.ts";

/** `/api/convenings`: starts them, lists them, and tells of one. */
export function conveningRoutes(app: Hono, server: ServerContext): void {
  app.post("/api/convenings", async (context) => {
    const body = await jsonBody(context.req.raw);
    try {
      const run = await startRemote(server, body);
      context.header("location", linksOf(run.id)["self"]);
      return context.json({ ...runJson(run), links: linksOf(run.id) }, 201);
    } catch (error) {
      throw withoutPlace(error, server.out);
    }
  });
  app.get("/api/convenings", async (context) => context.json(await listJson(server, context)));
  app.get("/api/convenings/:id", (context) =>
    atConvening(
      server,
      context.req.param("id"),
      async (dir) => context.json(await conveningJson(server, dir)),
    ));
}

async function listJson(server: ServerContext, { req }: Context): Promise<object> {
  const limit = wholeOf(req.query("limit"), "limit", { least: 1, most: 200, usual: 50 });
  const status = wordOf(req.query("status"), "status", STATUSES);
  const { kind, q, cursor } = req.query();
  const page = await listPage(server, { limit, status, kind, q, cursor });
  return {
    ...page,
    convenings: page.convenings.map((row) => ({ ...row, links: linksOf(row.id) })),
  };
}
