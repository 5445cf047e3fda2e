// Calls of tools for a chat completion.
import type { Tool, ToolTrace } from "../core/tool.ts";
import { AgentError, CancelledError, untilAborted } from "../core/error.ts";
import type { WireToolCall } from "./openai_stream.ts";

/** Tools, signal and traces of the calls of one reply. */
export interface ToolSetting {
  readonly tools: readonly Tool[];
  readonly signal?: AbortSignal | undefined;
  readonly earlier?: readonly ToolTrace[] | undefined;
}

/**
 * Makes the calls of one reply, all at once; gives what came of each, in their order. A call that is wrong or fails is
 * answered with the reason, but for an `AgentError` and a `CancelledError`, with which this fails too: a server that the
 * tool needs has failed, or a limit refuses it.
 * Fails with a `CancelledError` as soon as `signal` aborts.
 */
export async function runToolCalls(
  calls: readonly WireToolCall[],
  setting: ToolSetting,
): Promise<readonly ToolTrace[]> {
  return await untilAborted(
    Promise.all(calls.map((call) => runToolCall(call, setting))),
    setting.signal,
  );
}

async function runToolCall(
  call: WireToolCall,
  { tools, signal, earlier }: ToolSetting,
): Promise<ToolTrace> {
  let args: unknown = call.arguments;
  const failed = (reason: string): ToolTrace => ({
    tool: call.name,
    args,
    result: `Cannot call ${call.name || "a tool without a name"}: ${reason}`,
    failed: true,
  });
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(", ");
    return failed(`there is no such tool, only ${names}`);
  }
  try {
    args = JSON.parse(call.arguments.trim() || "{}");
  } catch (error) {
    return failed(`its arguments are not valid JSON, ${reasonOf(error)}`);
  }
  const parsed = tool.parameters.safeParse(args);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) =>
      `${path.join(".") || "arguments"}: ${message}`
    );
    return failed(issues.join("; "));
  }
  try {
    const result = await tool.run(parsed.data, { signal, earlier });
    return { tool: call.name, args, result, failed: false };
  } catch (error) {
    // The model can do nothing about a server that a tool needs, nor about a limit.
    if (error instanceof AgentError || error instanceof CancelledError) throw error;
    return failed(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
