import { basename } from "@std/path";
import { z } from "zod";
import { ConfigurationError } from "../../core/error.ts";
import { listConvenings } from "../../library/convening.ts";
import { standingOf } from "../convening_standing.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { limit } from "../tool_input.ts";

type Row = Awaited<ReturnType<typeof listConvenings>>[number];

/** Lists the archive. */
export const LIST: McpTool = defineTool({
  name: "list",
  title: "List convenings",
  about:
    "The archive's convenings (debates, dialogues, consensus, debates over papers), newest first, a page at a time: ids, states, kinds, winners. Topics are in the untrusted part.",
  input: z.strictObject({
    cursor: z.string().min(1).optional().describe("`next` of the result before."),
    limit: limit(20, 100),
    status: z.string().min(1).optional().describe(
      "Only those of this status, such as completed, running, interrupted, waiting, paused, stopped, failed.",
    ),
  }),
  writes: false,
  async call({ cursor, limit, status }, { context }) {
    const all = await listConvenings(context.out);
    const start = placeAfter(all, cursor);
    const page: Row[] = [];
    let at = start;
    for (; at < all.length && page.length < limit; at++) {
      const row = await standing(all[at]!);
      if (status === undefined || row.status === status) page.push(row);
    }
    const last = all[at - 1];
    return {
      data: {
        total: all.length,
        convenings: page.map((row) => ({
          id: basename(row.dir),
          status: row.status,
          kind: row.kind ?? null,
          startedAt: row.startedAt,
          messages: row.messages,
          outcome: row.outcome ?? null,
          winner: row.winner,
        })),
        next: at < all.length && last !== undefined ? basename(last.dir) : null,
      },
      words: page.flatMap(({ dir, topic, problem }) => [
        ...topic === undefined ? [] : [{ of: `topic of ${basename(dir)}`, text: topic }],
        ...problem === undefined
          ? []
          : [{ of: `why ${basename(dir)} cannot be read`, text: problem.replaceAll(dir, "") }],
      ]),
    };
  },
});

function placeAfter(all: readonly Row[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const at = all.findIndex(({ dir }) => basename(dir) === cursor);
  if (at !== -1) return at + 1;
  throw new ConfigurationError("Cannot use cursor: it is of no convening that is there", {
    field: "cursor",
    hint: "Give `next` of a result, or leave it out to begin anew.",
  });
}

/** One that says it runs may have been broken off: who may only read asks for that in another way than the list does. */
async function standing(row: Row): Promise<Row> {
  if (row.status !== "running") return row;
  return { ...row, status: await standingOf(row.dir, row.status) };
}
