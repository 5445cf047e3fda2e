import { z } from "zod";
import { recordFiles } from "../../record/disk_files.ts";
import { standingJson } from "../../operations/standing_json.ts";
import { apart } from "../apart.ts";
import type { McpContext } from "../mcp_context.ts";
import type { McpReply } from "../mcp_reply.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { numberedFiles } from "../../operations/numbered_files.ts";
import { ID } from "../tool_input.ts";

/** Says where a convening stands. */
export const STATUS: McpTool = defineTool({
  name: "status",
  title: "Where a convening stands",
  about:
    "Where a convening stands: its status, how many messages it has, its place in line, whose turn it waits for, its outcome. Call it again to follow one that runs.",
  input: z.strictObject({ id: ID }),
  writes: false,
  call: async ({ id }, { context }) => await statusReply(context, id),
});

/** Where a convening stands, as its metadata and this process know it; no message is read. */
export async function statusReply(context: McpContext, id: string): Promise<McpReply> {
  const dir = await context.dirOf(id);
  const { readMetadata } = await import("../../record/read.ts");
  const { start, progress, outcome = "unscored", winner = null } = await readMetadata(
    recordFiles(dir),
    dir,
  );
  return await apart({
    id,
    kind: start.kind,
    ...await standingJson({ pool: context.runs?.pool }, dir, progress.status),
    endReason: progress.endReason ?? null,
    messages: (await numberedFiles(dir, "messages")).length,
    expectedMessages: start.expectedMessages ?? null,
    waitingFor: progress.waitingFor?.map(({ participant, turn }) => ({ participant, turn })) ??
      null,
    outcome,
    winner,
    startedAt: start.startedAt,
    endedAt: progress.endedAt ?? null,
  });
}

/** Where a convening stands after something was asked of it. */
export async function standing(context: McpContext, id: string): Promise<McpReply> {
  const dir = await context.dirOf(id);
  const { readMetadata } = await import("../../record/read.ts");
  const { progress } = await readMetadata(recordFiles(dir), dir);
  return await apart({
    id,
    ...await standingJson({ pool: context.runs?.pool }, dir, progress.status),
  });
}
