import { z } from "zod";
import type { McpContext } from "../mcp_context.ts";
import type { McpReply } from "../mcp_reply.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { readPage } from "../record_parts.ts";
import { pieceOf, type PieceOptions } from "../text_piece.ts";
import { ID, MAX_TOKENS, OFFSET } from "../tool_input.ts";

/** Reads a convening's pages. */
export const READ_INDEX: McpTool = defineTool({
  name: "read_index",
  title: "Read a convening's index",
  about:
    "A page of a convening's directory: index.md (the result, and every message or the pages that list them; under 2,000 tokens), and whatever it or another page links to: summary.md, scores.md, metadata.md, report.md, papers, sources, fact checks, choices, drafts, verdicts. Begin here.",
  input: z.strictObject({
    id: ID,
    page: z.string().min(1).max(300).default("index.md").describe(
      "index.md, or a path that a page links to, from the convening's directory: scores.md, fact-checks/029.md.",
    ),
    offset: OFFSET,
    maxTokens: MAX_TOKENS,
  }),
  writes: false,
  call: async ({ id, page, ...piece }, { context }) =>
    await pageReply(context, { id, page, ...piece }),
});

/** A part of a page: names, gists and topics are participants' words, so all of it is. */
export async function pageReply(
  context: McpContext,
  { id, page, ...options }: PieceOptions & { readonly id: string; readonly page: string },
): Promise<McpReply> {
  const whole = await readPage(await context.dirOf(id), page);
  const { text, tokens, next } = await pieceOf(whole, options);
  return {
    data: { id, page, tokens, characters: whole.length, next: next ?? null },
    words: [{ of: `${page} of ${id}`, text }],
  };
}
