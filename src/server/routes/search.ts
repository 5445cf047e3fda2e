import { basename, relative } from "@std/path";
import type { Hono } from "hono";
import { ConfigurationError } from "../../core/error.ts";
import { searchArchive } from "../../record/remembered.ts";
import type { ServerContext } from "../../operations/server_context.ts";
import { linksOf } from "../convening_links.ts";
import { wholeOf } from "../query.ts";

/** The most characters of a query. */
const MAX_QUERY = 1000;

/** `GET /api/search`: messages of the whole archive by words, best first. */
export function searchRoutes(app: Hono, { out }: ServerContext): void {
  app.get("/api/search", async ({ req, json }) => {
    const query = req.query("q") ?? "";
    const limit = wholeOf(req.query("limit"), "limit", { least: 1, most: 100, usual: 10 });
    if (query.trim() === "" || query.length > MAX_QUERY) {
      throw new ConfigurationError(
        query.length > MAX_QUERY
          ? `Cannot search: q has ${query.length} characters`
          : "Cannot search: q is empty",
        { field: "q", hint: `Give 1 to ${MAX_QUERY} characters of what you look for.` },
      );
    }
    const { rows, found, convenings, messages, skipped } = await searchArchive(out, query, {
      limit,
    });
    return json({
      query,
      convenings,
      messages,
      found,
      results: rows.map(({ dir, ...row }) => {
        const id = basename(dir);
        return { id, ...row, link: `${linksOf(id)["messages"]}?after=${row.seq - 1}&limit=1` };
      }),
      skipped: skipped.map(({ path, problem }) => ({
        path: relative(out, path),
        problem: problem.replaceAll(`${out}/`, ""),
      })),
    });
  });
}
