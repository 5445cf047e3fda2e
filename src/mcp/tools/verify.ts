import { z } from "zod";
import { verify } from "../../operations/convening.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { ID, limit } from "../tool_input.ts";

/** Verifies a convening. */
export const VERIFY: McpTool = defineTool({
  name: "verify",
  title: "Verify a convening",
  about:
    "Proves a convening's directory against its format: hashes, references, order, derived pages. Findings a page at a time, in the untrusted part, since they quote the files.",
  input: z.strictObject({
    id: ID,
    offset: z.int().min(0).default(0).describe("`next` of the result before."),
    limit: limit(50, 100),
  }),
  writes: false,
  async call({ id, offset, limit }, { context }) {
    const { findings, messages, status, unchecked } = await verify(
      await context.dirOf(id),
      context,
    );
    const page = findings.slice(offset, offset + limit);
    const next = offset + page.length;
    return {
      data: {
        id,
        sound: findings.length === 0,
        status: status ?? null,
        messages,
        unchecked: unchecked ?? null,
        total: findings.length,
        next: next < findings.length ? next : null,
      },
      words: page.map(({ path, problem, fix }, at) => ({
        of: `finding ${offset + at + 1}`,
        text: [`${path}: ${problem}`, fix].join("\n"),
      })),
    };
  },
});
