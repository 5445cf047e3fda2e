// Tools follow from the rows of operations.
import assert from "node:assert/strict";
import { z } from "zod";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { createMcpServer } from "../../src/mcp/mod.ts";
import { OPERATIONS } from "../../src/operations/table.ts";
import { withFolder } from "../support/cli.ts";
import { called, connected } from "./support/mcp_client.ts";
import { longRecord } from "./support/long_record.ts";

Deno.test("mcp: an operation with a tool gives the tool's arguments, result and hints", async () => {
  await withFolder(async (out) => {
    const server = createMcpServer({ out });
    const client = await connected(server);
    const { tools } = await client.listTools();
    const rows = OPERATIONS.flatMap((row) => row.tool === undefined ? [] : [{ row, ...row.tool }]);
    assert.ok(rows.length >= 11);
    for (const { row, name = row.name, title, only, waits, names = {} } of rows) {
      const tool = tools.find((each) => each.name === name);
      assert.ok(tool !== undefined, name);
      assert.equal(tool.title, title);
      assert.equal(tool.annotations?.readOnlyHint, !row.writes);
      const args = Object.keys(tool.inputSchema.properties ?? {});
      const wanted = Object.keys(row.input.shape).map((key) => names[key] ?? key);
      assert.deepEqual(wanted.filter((key) => !args.includes(key)), []);
      assert.equal(args.includes("maxTokens"), args.includes("limit"));
      assert.equal(args.includes("wait"), waits === "if asked");
      const results = Object.keys(tool.outputSchema?.["properties"] ?? {});
      const keys = row.output instanceof z.ZodObject ? Object.keys(row.output.shape) : [];
      const given = (only ?? keys).filter((key) => key !== "links");
      if (waits === undefined) assert.deepEqual(results, [...given, "untrusted"]);
    }
    // Every tool says what it gives.
    assert.deepEqual(tools.filter(({ outputSchema }) => outputSchema === undefined), []);
    await client.close();
    await server.close();
  });
});

Deno.test("mcp: rows of a list that do not fit are left for the next page", async () => {
  await withFolder(async (out) => {
    for (let count = 0; count < 30; count++) await longRecord(out, { messages: 1 });
    const server = createMcpServer({ out, readOnly: true });
    const client = await connected(server);
    const tokens = await loadTokenCounter();
    const seen = new Set<unknown>();
    let pages = 0;
    let cursor: unknown;
    do {
      const more = cursor === undefined ? {} : { cursor };
      const { data, texts } = await called(client, "list", { limit: 100, maxTokens: 600, ...more });
      assert.ok(tokens(texts.join("\n")) <= 800, String(tokens(texts.join("\n"))));
      for (const { id } of Object(data.convenings)) seen.add(id);
      cursor = data.next;
      pages++;
    } while (cursor !== null);
    assert.equal(seen.size, 30);
    assert.ok(pages > 2);
    await client.close();
    await server.close();
  });
});
