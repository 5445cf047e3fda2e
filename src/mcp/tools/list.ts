import { z } from "zod";
import { listPage } from "../../operations/list.ts";
import { STATUSES } from "../../operations/outputs.ts";
import { apart } from "../apart.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { archiveOf } from "../record_parts.ts";
import { limit } from "../tool_input.ts";

/** What topics of a page of the longest may take: 100 of 200 characters. */
const TOPIC_TOKENS = 20_000;

/** Lists the archive. */
export const LIST: McpTool = defineTool({
  name: "list",
  title: "List convenings",
  about:
    "The archive's convenings (debates, dialogues, consensus, debates over papers), newest first, a page at a time: ids, states, kinds, winners; counts are over everything. Topics are in the untrusted part.",
  input: z.strictObject({
    cursor: z.string().min(1).optional().describe("`next` of the result before."),
    limit: limit(20, 100),
    status: z.enum(STATUSES).optional().describe("Only those of this status."),
    kind: z.string().optional().describe("Only those of this kind."),
    q: z.string().max(1000).optional().describe("Only those with these words in their topic."),
  }),
  writes: false,
  async call(input, { context }) {
    const place = { out: await archiveOf(context), pool: context.runs?.pool };
    return await apart({ ...await listPage(place, input) }, TOPIC_TOKENS);
  },
});
