import type { ConveningEvent, Ending } from "../core/event.ts";
import { CancelledError } from "../core/error.ts";
import { oneLine } from "../core/message.ts";
import type { PooledRun, RunState } from "../library/active_run.ts";
import type { McpRuns } from "./mcp_context.ts";
import type { McpReply } from "./mcp_reply.ts";
import { type ToolCall, ToolFailure } from "./mcp_tool.ts";
import { pieceOf } from "./text_piece.ts";

/** The most tokens of a summary that comes with a result; summary.md has it whole. */
const SUMMARY_TOKENS = 4000;

/** What a client is told of a run: at once, or with `wait` once it has ended or rests. */
export async function runReply(
  run: PooledRun,
  { runs, call, wait }: {
    readonly runs: McpRuns;
    readonly call: ToolCall;
    readonly wait: boolean;
  },
): Promise<McpReply> {
  const { id } = run;
  if (!wait) return { data: { id, ...stateData(run.state) } };
  const state = await untilEnded(run, runs, call);
  if (state.state === "failed") throw new ToolFailure(state.error, { id, status: "failed" });
  if (state.state !== "ended") return { data: { id, ...stateData(state) } };
  const { summary } = state.result;
  const { text } = await pieceOf(summary, { offset: 0, maxTokens: SUMMARY_TOKENS });
  return {
    data: { id, ...stateData(state) },
    words: text === "" ? [] : [{ of: `summary of ${id}`, text }],
  };
}

/** Waits for the end of a run, telling how far it is; a client that gives up waiting ends nothing. */
async function untilEnded(run: PooledRun, { pool }: McpRuns, call: ToolCall): Promise<RunState> {
  const { signal, progress } = call;
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => reject(new CancelledError(signal.reason));
  signal.addEventListener("abort", leave, { once: true });
  try {
    if (signal.aborted) leave();
    if (progress !== undefined) await Promise.race([tell(), left]);
    return await Promise.race([run.ended, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
  async function tell(): Promise<void> {
    let done = 0;
    for await (const event of pool.events(run.dir, { signal })) {
      const line = lineOf(event);
      if (line !== undefined) await progress?.(line, ++done);
    }
  }
}

/** An event as a line without words of participants; undefined for those that are not told. */
function lineOf(event: ConveningEvent): string | undefined {
  switch (event.type) {
    case "message": {
      const { seq, kind, participant, round } = event.message;
      const when = round > 0 ? `, round ${round}` : "";
      return `message ${seq}: ${kind.replaceAll("_", " ")} by ${participant}${when}`;
    }
    case "stage":
      return `stage: ${oneLine(event.name, 100)}`;
    case "phase-start":
      return `phase: ${event.phase.replaceAll("_", " ")}`;
    case "verdict":
      return `verdict ${event.verdict.number} of ${event.verdict.judge}`;
    case "turn-wait":
      return `waiting for ${event.turn.participant}`;
    case "convening-end":
      return `ended: ${event.ending.status}`;
    default:
      return undefined;
  }
}

/** Where a run stands: numbers, ids and states. */
export function stateData(state: RunState): Record<string, unknown> {
  if (state.state === "queued") return { status: "queued", queuePosition: state.position };
  if (state.state === "running") return { status: "running" };
  if (state.state === "failed") return { status: "failed", error: state.error.code };
  const { result } = state;
  return { kind: result.kind, messages: result.messages.length, ...endingData(result) };
}

/** What a convening came to: numbers, ids and states. */
export function endingData(
  { status, endReason, waitingFor, outcome, winner, scores, unscored, usage }:
    & Pick<Ending, "status" | "outcome" | "winner" | "scores" | "unscored" | "usage">
    & Partial<Pick<Ending, "endReason" | "waitingFor">>,
): Record<string, unknown> {
  return {
    status,
    endReason: endReason ?? null,
    waitingFor: (waitingFor ?? []).map(({ participant, turn }) => ({ participant, turn })),
    outcome,
    winner,
    scores: Object.fromEntries(
      Object.entries(scores).map(([id, { total, scored, missing }]) => [
        id,
        { total, scored, missing },
      ]),
    ),
    unscored,
    usage,
  };
}
