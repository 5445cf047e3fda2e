// Status of a convening, and replies of tools that wait for a run.
import { z } from "zod";
import { ConveningError } from "../core/error.ts";
import type { ConveningEvent } from "../core/event.ts";
import { oneLine } from "../core/text.ts";
import type { PooledRun } from "../operations/active_run.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { numberedFiles } from "../operations/reading_convenings.ts";
import { conveningOutput, queuePosition, status } from "../operations/outputs.ts";
import { sayForClient } from "../operations/attending.ts";
import { conveningJson, runJson, standingJson } from "../operations/show.ts";
import { recordFiles } from "../record/disk_files.ts";
import { apart, handleOf, type McpReply } from "./reply.ts";
import { pieceOf } from "./text_piece.ts";
import {
  ID,
  type McpContext,
  type McpTool,
  type PersonQuestion,
  tool,
  type ToolCall,
  ToolFailure,
} from "./tool.ts";

/** Tool that reads the status of a convening. */
export const STATUS: McpTool = tool({
  name: "status",
  title: "Where a convening stands",
  about:
    "The status of a convening, its number of messages, its place in the queue, the participant it waits for, and its outcome. Call it again to follow a run.",
  input: z.strictObject({ id: ID }),
  output: conveningOutput.pick({
    id: true,
    kind: true,
    endReason: true,
    messages: true,
    waitingFor: true,
    outcome: true,
    winner: true,
    startedAt: true,
    endedAt: true,
  }).extend({ status, queuePosition, expectedMessages: z.int().nullable() }),
  writes: false,
  call: async ({ id }, { context }) => await statusReply(context, id),
});

/** Status of a convening by its metadata and this process; no message is read. */
async function statusReply(context: McpContext, id: string): Promise<McpReply> {
  const dir = await conveningDir(context.out, id);
  const { readMetadata } = await import("../record/read.ts");
  const { start, progress, outcome = "unscored", winner = null } = await readMetadata(
    recordFiles(dir),
    dir,
  );
  return await apart({
    id,
    kind: start.kind,
    ...await standingJson(context, dir, progress.status),
    endReason: progress.endReason ?? null,
    messages: (await numberedFiles(dir, "messages")).length,
    expectedMessages: start.expectedMessages ?? null,
    waitingFor: progress.waitingFor ?? null,
    outcome,
    winner,
    startedAt: start.startedAt,
    endedAt: progress.endedAt ?? null,
  });
}

/** The most tokens of a summary that comes with a result; summary.md has the whole. */
const SUMMARY_TOKENS = 4000;

/** Keys of a convening that its index has. */
const SETUP: readonly string[] = ["participants", "judges", "sources", "papers"];

/** The most questions to a person in one call: clients of earlier revisions take 8. */
const MOST_QUESTIONS = 7;

/**
 * The result of a run once the run ends or pauses, or once it waits for a person: a question to the client's, or its state
 * where the client has none.
 */
export async function runReply(
  run: PooledRun,
  call: ToolCall,
): Promise<McpReply | PersonQuestion> {
  const { context, hasPerson = false, answered: { number } = { number: 0 } } = call;
  if (await untilItRests(run, call) === "waiting") {
    const ofClient = new Set(run.requests.map(({ turn }) => turn));
    const person = run.waitingFor.find(({ turn }) => !ofClient.has(turn));
    if (person === undefined || !hasPerson || number >= MOST_QUESTIONS) {
      return await statusReply(context, run.id);
    }
    const { participant, turn } = person;
    return { ask: { id: run.id, participant, turn, number: number + 1 } };
  }
  const state = await run.ended;
  if (state.state === "failed") {
    throw new ToolFailure(state.error, await resultReply(context, run));
  }
  return state.state === "ended" ? await resultReply(context, run) : { data: runJson(run) };
}

/** Goes on after a question to a person: says the words and waits again; the state where the person did not speak. */
export async function answeredReply(
  { id, participant, text }: NonNullable<ToolCall["answered"]>,
  call: ToolCall,
): Promise<McpReply | PersonQuestion> {
  const { context } = call;
  if (text === undefined) return await statusReply(context, id);
  await sayForClient(context, await conveningDir(context.out, id), { text, participant });
  const run = context.pool.run(id);
  return run === undefined ? await statusReply(context, id) : await runReply(run, call);
}

/** A convening as the operation show gives it, without its setup; the words apart. */
async function resultReply(context: McpContext, { dir, id }: PooledRun): Promise<McpReply> {
  const { summary, report, ...json } = await conveningJson(context, dir);
  const { data, words = [] } = await apart(
    Object.fromEntries(Object.entries(json).filter(([key]) => !SETUP.includes(key))),
  );
  const { text } = await pieceOf(summary, { offset: 0, maxTokens: SUMMARY_TOKENS });
  return {
    data: { ...data, report: report === null ? null : `convening://${id}/report.md` },
    words: [...words, ...text === "" ? [] : [{ of: "summary", text }]],
  };
}

/**
 * Waits until a run ends or waits for a person; sends progress meanwhile, the id first. If the client stops waiting, the
 * run continues, and the error has its id.
 */
async function untilItRests(
  run: PooledRun,
  { context: { pool }, signal, progress }: ToolCall,
): Promise<"ended" | "waiting"> {
  let done = 0;
  await progress?.(`convening ${run.id}: it continues if you stop waiting`, ++done);
  let expected: number | undefined;
  for await (const event of pool.events(run.dir, { signal })) {
    if (event.type === "convening-start") expected = event.start.expectedMessages;
    const line = lineOf(event, expected);
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

/**
 * An event as a line without words of participants; undefined for events without one. `expected` is the number of messages
 * by the plan.
 */
function lineOf(event: ConveningEvent, expected: number | undefined): string | undefined {
  switch (event.type) {
    case "message": {
      const { seq, kind, participant, round } = event.message;
      const when = round > 0 ? `, round ${round}` : "";
      const number = expected === undefined || seq > expected ? seq : `${seq} of ${expected}`;
      return `message ${number}: ${kind.replaceAll("_", " ")} by ${handleOf(participant)}${when}`;
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
