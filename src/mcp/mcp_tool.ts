import type {
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import { checkInput } from "../operations/check_input.ts";
import type { McpContext } from "./mcp_context.ts";
import { errorResult, type McpReply, toolResult } from "./mcp_reply.ts";

/** One call of a tool. */
export interface ToolCall {
  readonly context: McpContext;
  /** Aborts when the client gives up waiting, or is gone. */
  readonly signal: AbortSignal;
  /** Tells the client how far the work is; absent where it did not ask. A line of ours, no words of participants. */
  readonly progress?: ((line: string, done: number) => Promise<void>) | undefined;
}

/** A tool as it is written. */
export interface ToolDesign<S extends z.ZodObject> {
  /** In snake_case. */
  readonly name: string;
  readonly title: string;
  /** What a model is told of it. */
  readonly about: string;
  readonly input: S;
  /** Whether it changes the archive or asks models. */
  readonly writes: boolean;
  call(input: z.infer<S>, call: ToolCall): Promise<McpReply>;
}

/** A tool that can be added to a server. */
export interface McpTool {
  readonly name: string;
  /** Whether it changes the archive or asks models. */
  readonly writes: boolean;
  add(server: McpServer, context: McpContext): void;
}

/** An error that a tool's result tells together with what is known already, such as how far a run came that failed. */
export class ToolFailure extends Error {
  /** What is told besides the error. */
  readonly known: McpReply;

  /** A failure for a cause. */
  constructor(cause: unknown, known: McpReply) {
    super("Cannot go on", { cause });
    this.known = known;
  }
}

/** A tool of a design: arguments that do not fit are told like every other error. */
export function defineTool<S extends z.ZodObject>(design: ToolDesign<S>): McpTool {
  const { name, title, about, input, writes } = design;
  return {
    name,
    writes,
    add: (server, context) => {
      server.registerTool(name, {
        title,
        description: about,
        inputSchema: unchecked(input),
        annotations: {
          title,
          readOnlyHint: !writes,
          destructiveHint: false,
          openWorldHint: writes,
        },
      }, async (given, asked) => {
        try {
          const call = { context, signal: asked.mcpReq.signal, progress: progressOf(asked) };
          const names = { whole: "arguments", part: "argument" };
          const checked = checkInput(input, withNumbers(input, given ?? {}), names);
          return toolResult(await design.call(checked, call));
        } catch (error) {
          return error instanceof ToolFailure
            ? errorResult(error.cause, { out: context.out, known: error.known })
            : errorResult(error, { out: context.out });
        }
      });
    },
  };
}

/** The schema as clients are told it; what does not fit is found by `checkInput`, which names it as everywhere else. */
function unchecked(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  return { "~standard": { ...schema["~standard"], validate: (value) => ({ value }) } };
}

/** Arguments in which a number that was given as text, where a number is due, is a number: models send both. */
function withNumbers(schema: z.ZodObject, given: unknown): unknown {
  const numbers = structuredClone(given);
  for (const { code, path, ...issue } of schema.safeParse(given).error?.issues ?? []) {
    const isNumber = code === "invalid_type" && "expected" in issue &&
      (issue.expected === "number" || issue.expected === "int");
    const [key, ...above] = path.toReversed();
    if (!isNumber || key === undefined) continue;
    const parent = above.reduceRight<unknown>((at, step) => Object(at)[step], numbers);
    const value = Object(parent)[key];
    if (typeof value === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(value.trim())) {
      Object(parent)[key] = Number(value);
    }
  }
  return numbers;
}

function progressOf({ mcpReq }: ServerContext): ToolCall["progress"] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return async (message, progress) => {
    const params = { progressToken, progress, message };
    // A client that went away hears nothing; the run goes on.
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
