import { z } from "zod";
import type { Status } from "../../core/fact.ts";
import { diskFiles } from "../../output/fs_store.ts";
import { isHeld } from "../convening_standing.ts";
import type { McpContext } from "../mcp_context.ts";
import { defineTool, type McpTool } from "../mcp_tool.ts";
import { messageParts } from "../record_parts.ts";
import { ID } from "../tool_input.ts";

/** Says where a convening stands. */
export const STATUS: McpTool = defineTool({
  name: "status",
  title: "Where a convening stands",
  about:
    "Where a convening stands: its status, how many messages it has, its place in line, whose turn it waits for, its outcome. Call it again to follow one that runs.",
  input: z.strictObject({ id: ID }),
  writes: false,
  call: async ({ id }, { context }) => ({ data: await statusOf(context, id) }),
});

/** Where a convening stands, without a word of participants. */
export async function statusOf(
  context: McpContext,
  id: string,
): Promise<Record<string, unknown>> {
  const dir = await context.dirOf(id);
  const { readMetadata } = await import("../../output/read.ts");
  const { start, progress, outcome, winner } = await readMetadata(diskFiles, dir);
  const run = context.runs?.pool.run(id)?.state;
  const queued = run?.state === "queued" ? run.position : undefined;
  const held = await isHeld(dir);
  return {
    id,
    kind: start.kind,
    status: queued === undefined ? shown(progress.status, held) : "queued",
    queuePosition: queued ?? null,
    endReason: progress.endReason ?? null,
    messages: (await messageParts(dir)).length,
    expectedMessages: start.expectedMessages ?? null,
    waitingFor: (progress.waitingFor ?? []).map(({ participant, turn }) => ({ participant, turn })),
    outcome: outcome ?? null,
    winner: winner ?? null,
    startedAt: start.startedAt,
    endedAt: progress.endedAt ?? null,
    error: run?.state === "failed" ? run.error.code : null,
  };
}

function shown(status: Status, held: boolean): Status | "interrupted" {
  return status === "running" && !held ? "interrupted" : status;
}
