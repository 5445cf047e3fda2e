// Adding an operation takes one row: its HTTP route, OpenAPI entry and MCP tool are derived from the row.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { Hono } from "hono";
import { z } from "zod";
import { folderShelf } from "../../src/inputs/folder_shelf.ts";
import { toolOf } from "../../src/mcp/tools.ts";
import { conveningDir } from "../../src/operations/convening_dir.ts";
import { ID, OF_CONVENING, operation } from "../../src/operations/operation.ts";
import { messagePage } from "../../src/operations/reading_convenings.ts";
import { conveningPool } from "../../src/operations/client_runs.ts";
import { openApiDocument } from "../../src/server/openapi.ts";
import { addRoute, routeOf } from "../../src/server/route.ts";
import { longRecord } from "../mcp/support/long_record.ts";
import { withFolder } from "../support/cli.ts";

/** Row of a new operation. */
const LONGEST = operation({
  name: "longest",
  summary: "Finds the longest message.",
  tags: ["reading"],
  method: "get",
  path: "/api/convenings/{id}/longest",
  writes: false,
  errors: OF_CONVENING,
  input: z.strictObject({ id: ID, limit: z.int().min(1).max(200).default(50) }),
  output: z.object({
    longest: z.array(z.object({ seq: z.int(), name: z.string(), characters: z.int() })),
  }),
  tool: { title: "The longest message", about: "The longest message of a convening." },
  async run({ out }, { id, limit }) {
    const { messages } = await messagePage(await conveningDir(out, id), { limit });
    const sorted = messages.toSorted((a, b) => b.body.length - a.body.length);
    return {
      longest: sorted.slice(0, 1).map(({ seq, name, body }) => ({
        seq,
        name,
        characters: body.length,
      })),
    };
  },
});

Deno.test("a new operation has an HTTP route, an OpenAPI entry and an MCP tool", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "archive");
    const other = (seq: number) =>
      seq === 2 ? { body: "The longest of all.".repeat(9) } : undefined;
    const id = basename(await longRecord(out, { messages: 3, other }));
    const { signal } = new AbortController();
    const context = {
      out,
      pool: conveningPool({ out }),
      models: {},
      papers: folderShelf(out),
      signal,
      readOnly: true,
    };
    const route = routeOf(LONGEST);
    const app = new Hono();
    addRoute(app, route, context);
    const answer = await app.request(`/api/convenings/${id}/longest?limit=2`);
    const { longest: [found] } = await answer.json();
    assert.deepEqual([answer.status, found.seq, found.characters], [200, 2, 171]);
    const { paths } = Object(openApiDocument("1", [route]));
    assert.deepEqual(Object.keys(paths[LONGEST.path].get.responses).includes("404"), true);
    const tool = toolOf(LONGEST, LONGEST.tool!);
    const args = { id, limit: 2, maxTokens: 4000 };
    const reply = await tool.call(args, { context, signal });
    assert.ok("data" in reply);
    const { data, words } = reply;
    assert.deepEqual(data, { longest: [{ seq: 2, characters: 171 }] });
    assert.deepEqual(words, [{ of: "longest.0.name", text: found.name }]);
    await context.pool.close();
  });
});
