import { basename } from "@std/path";
import { ConveningError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import { oneLine } from "../core/message.ts";
import type { PooledRun } from "../operations/active_run.ts";
import { openConvening } from "../operations/convening.ts";
import { paperTold } from "../operations/paper_told.ts";
import type { ClientRuns } from "../operations/operation.ts";
import { runJson } from "../operations/standing_json.ts";
import { toldJson } from "../operations/told_json.ts";
import { apart } from "./apart.ts";
import { handleOf } from "./handles.ts";
import type { McpReply } from "./mcp_reply.ts";
import { type ToolCall, ToolFailure } from "./mcp_tool.ts";
import { pieceOf } from "./text_piece.ts";
import { statusReply } from "./tools/status.ts";

/** The most tokens of a summary that comes with a result; summary.md has it whole. */
const SUMMARY_TOKENS = 4000;

/** Result of starting or resuming: at once, or with `wait` once the run ends, pauses or waits for a person. */
export async function runReply(
  run: PooledRun,
  { runs, call, wait }: {
    readonly runs: ClientRuns;
    readonly call: ToolCall;
    readonly wait: boolean;
  },
): Promise<McpReply> {
  if (!wait) return { data: runJson(run) };
  if (await untilItRests(run, runs, call) === "waiting") {
    return await statusReply(call.context, run.id);
  }
  const state = await run.ended;
  if (state.state === "failed") {
    throw new ToolFailure(state.error, await resultReply(run.dir));
  }
  return state.state === "ended" ? await resultReply(run.dir) : { data: runJson(run) };
}

/** What a convening came to: what the command line prints of it, its words apart. */
export async function resultReply(dir: string): Promise<McpReply> {
  const { start, facts, result, messages } = await openConvening(dir);
  const id = basename(dir);
  const paper = paperTold(start, facts, { dir });
  const { dir: _dir, report, ...told } = toldJson({ ...result, paper });
  const summary = await pieceOf(result.summary, { offset: 0, maxTokens: SUMMARY_TOKENS });
  const { data, words = [] } = await apart(told);
  return {
    data: {
      id,
      kind: start.kind,
      ...data,
      report: report === null ? null : `convening://${id}/report.md`,
      messages: messages.length,
    },
    words: [...words, ...summary.text === "" ? [] : [{ of: "summary", text: summary.text }]],
  };
}

/**
 * Waits until a run ends or waits for a person; sends progress meanwhile, the id first. If the client stops waiting, the
 * run continues, and the error has its id.
 */
async function untilItRests(
  run: PooledRun,
  { pool }: ClientRuns,
  { signal, progress }: ToolCall,
): Promise<"ended" | "waiting"> {
  let done = 0;
  await progress?.(`convening ${run.id}: it continues if you stop waiting`, ++done);
  for await (const event of pool.events(run.dir, { signal })) {
    const line = lineOf(event);
    if (line !== undefined) await progress?.(line, ++done);
    if (event.type !== "turn-wait") continue;
    if (run.waitingFor.some(({ turn }) => turn === event.turn.turn)) return "waiting";
  }
  if (!signal.aborted || run.feed.ended) return "ended";
  const { id } = run;
  throw new ToolFailure(
    new ConveningError("cancelled", `Cannot wait any longer: convening ${id} continues`, {
      hint: `Call status with id ${id}; stop ends it, resume with wait waits again.`,
    }),
    { data: { id } },
  );
}

/** An event as a line without words of participants; undefined for those that are not told. */
function lineOf(event: ConveningEvent): string | undefined {
  switch (event.type) {
    case "message": {
      const { seq, kind, participant, round } = event.message;
      const when = round > 0 ? `, round ${round}` : "";
      return `message ${seq}: ${kind.replaceAll("_", " ")} by ${handleOf(participant)}${when}`;
    }
    case "stage":
      return `stage: ${oneLine(event.name, 100)}`;
    case "phase-start":
      return `phase: ${event.phase.replaceAll("_", " ")}`;
    case "verdict":
      return `verdict ${event.verdict.number} of ${handleOf(event.verdict.judge)}`;
    case "turn-wait":
      return `waiting for ${handleOf(event.turn.participant)}`;
    case "convening-end":
      return `ended: ${event.ending.status}`;
    default:
      return undefined;
  }
}
