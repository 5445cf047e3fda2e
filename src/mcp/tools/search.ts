import { basename, relative } from "@std/path";
import { z } from "zod";
import { searchArchive } from "../../record/remembered.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { archiveOf } from "../record_parts.ts";
import { limit } from "../tool_input.ts";

/** Searches the archive. */
export const SEARCH: McpTool = defineTool({
  name: "search",
  title: "Search what was said",
  about:
    "Messages of all convenings of the archive that have the words of a query, best first, each as a convening's id and the message's number; no model is asked. Snippets are in the untrusted part; read_message gives a whole message.",
  input: z.strictObject({
    query: z.string().max(1000).describe("Words to look for."),
    limit: limit(10, 100),
  }),
  writes: false,
  async call({ query, limit }, { context }) {
    const searched = await searchArchive(await archiveOf(context), query, { limit });
    const { rows, found, convenings, messages, skipped } = searched;
    return {
      data: {
        convenings,
        messages,
        found,
        skipped: skipped.map(({ path }) => ({ path: relative(context.out, path) })),
        results: rows.map(({ dir, seq, kind, score }) => ({ id: basename(dir), seq, kind, score })),
      },
      words: rows.map(({ dir, seq, name, topic, snippet }) => ({
        of: `message ${seq} of ${basename(dir)}`,
        text: `${name}, on: ${topic}\n${snippet}`,
      })),
    };
  },
});
