import type { z } from "zod";
import { ConveningError } from "../core/error.ts";
import type { ClientRuns } from "../operations/operation.ts";
import type { McpReply } from "./mcp_reply.ts";
import { defineTool, type McpTool, type ToolCall, type ToolDesign } from "./mcp_tool.ts";

/** A tool that changes the archive or asks models. */
export interface WriterDesign<S extends z.ZodObject>
  extends Omit<ToolDesign<S>, "writes" | "call"> {
  call(input: z.infer<S>, call: ToolCall, runs: ClientRuns): Promise<McpReply>;
}

/** A tool of a design that is there only where convenings may be run. */
export function defineWriter<S extends z.ZodObject>(design: WriterDesign<S>): McpTool {
  return defineTool({
    ...design,
    writes: true,
    call: async (input: z.infer<S>, call: ToolCall) => {
      const { runs } = call.context;
      if (runs === undefined) {
        throw new ConveningError("forbidden", "Cannot change anything: this server only reads", {
          hint: "Start it without --read-only.",
        });
      }
      return await design.call(input, call, runs);
    },
  });
}
