// MCP tools made from operations, with the waiting for a run, and the tool `status`.
import { z } from "zod";
import { configurationSchema } from "../config/config.ts";
import { withValues } from "../core/check_fields.ts";
import { ConveningError } from "../core/error.ts";
import { type ConveningEvent, mostMessages, type WaitedFor } from "../core/event.ts";
import { oneLine } from "../core/text.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { isObject, type JsonObject } from "../core/values.ts";
import type { ActiveRun } from "../operations/active_run.ts";
import { conveningDir } from "../operations/client_view.ts";
import { sayForClient } from "../operations/client_runs.ts";
import { conveningJson, standingJson, standingOf } from "../operations/convening_json.ts";
import { ID, type Operation, type OperationContext, type Tool } from "../operations/operation.ts";
import { conveningOutput, outcome, queuePosition, status } from "../operations/outputs.ts";
import { withReasons } from "../operations/results.ts";
import { recordFiles } from "../record/disk_files.ts";
import { numberedFiles, readAbout } from "../record/fact_files.ts";
import {
  FRAME_TOKENS,
  handleOf,
  type McpReply,
  pieceOf,
  separateWords,
  type Words,
} from "./reply.ts";
import {
  archiveOf,
  maxTokens,
  type McpTool,
  type PersonQuestion,
  tool,
  type ToolCall,
  withParticipants,
} from "./tool.ts";

const WAIT = z.boolean().default(false).describe(
  "Wait until the run ends, pauses or waits for a person. If you stop waiting, the run continues: the first progress line has its id, stop ends it.",
);

/** Schema of a run's state; after waiting, the result also has the fields of the operation `show`. */
const STATE = conveningOutput.pick({
  status: true,
  queuePosition: true,
  kind: true,
  endReason: true,
  winner: true,
  waitingFor: true,
  messages: true,
  report: true,
}).partial().extend({ id: ID, outcome: outcome.nullable().optional() }).loose();

export function toolOf(operation: Operation, made: Tool): McpTool {
  const { input: { shape }, output, writes } = operation;
  const { title, about, name = operation.name, waits, names = {} } = made;
  const isPage = "limit" in shape;
  return tool({
    name,
    title,
    about,
    writes,
    ...operation.tags.includes("studies") ? { ids: "list_studies" } : {},
    input: z.strictObject({
      ...withKeys(shape, names),
      ...made.input,
      ...isPage ? { maxTokens: maxTokens(20_000) } : {},
      ...waits === "if asked" ? { wait: WAIT } : {},
    }),
    output: waits === "if asked" ? STATE : pickedShape(output, made),
    async call({ wait, maxTokens, ...given }, call) {
      const { context, answered } = call;
      // The client's first request started the run and asked for a person's words; this request brings them.
      if (answered !== undefined && waits === "if asked") {
        return await answeredReply(answered, call);
      }
      if (!("id" in shape) && !writes) await archiveOf(context);
      const keys = Object.fromEntries(Object.entries(names).map(([key, name]) => [name, key]));
      const args = await withParticipants(context, withKeys(given, keys));
      const { config } = args;
      if (isObject(config)) {
        const { catalogue } = context;
        const schema = configurationSchema(String(config["kind"]), catalogue?.settings);
        args["config"] = withValues(schema, config);
      }
      // With a model, the operation must run once only, so no page is retried with fewer rows.
      if (isPage && args["model"] === undefined) {
        return await page(operation, args, { call, maxTokens: maxTokens as number });
      }
      const json = picked(await operation.run(context, args, call) as JsonObject, made);
      if (waits === undefined) return await separateWords(json, maxTokens as number | undefined);
      const id = String(json["id"]);
      const run = context.pool.run(id);
      if (waits === "if asked") {
        return wait === true && run !== undefined
          ? await runReply(run, call)
          : await separateWords(json);
      }
      await run?.ended;
      return await separateWords({
        ...json,
        ...await standingOf(context, await conveningDir(context.out, id)),
      });
    },
  });
}

function withKeys<T>(
  value: Readonly<Record<string, T>>,
  names: Readonly<Record<string, string>>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [names[key] ?? key, each]));
}

function picked(json: JsonObject, { only }: Tool): JsonObject {
  return only === undefined ? json : Object.fromEntries(only.map((key) => [key, json[key]]));
}

function pickedShape(output: z.ZodType, { only }: Tool): z.ZodType {
  if (only === undefined || !(output instanceof z.ZodObject)) return output;
  return z.object(Object.fromEntries(only.map((key) => [key, output.shape[key]!])));
}

/** Runs an operation that lists rows; repeats it with a smaller `limit` until the rows fit into `maxTokens`. */
async function page(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  { call, maxTokens }: { readonly call: ToolCall; readonly maxTokens: number },
): Promise<McpReply> {
  const count = await loadTokenCounter();
  for (let limit = args["limit"];;) {
    const json = await operation.run(call.context, { ...args, limit }, call) as JsonObject;
    // Fewer rows do not shorten the list of damaged files, which gets the room that is left.
    const { skipped: _, ...lists } = json;
    const { data, words = [] } = await separateWords(lists, maxTokens);
    const tokens = words.reduce(
      (sum, { text }) => sum + count(text) + FRAME_TOKENS,
      count(JSON.stringify(data)),
    );
    const rows = Math.max(
      ...Object.values(lists).map((each) => Array.isArray(each) ? each.length : 0),
    );
    if (rows <= 1 || tokens <= maxTokens && data["wordsLeftOut"] === undefined) {
      return await separateWords(json, maxTokens);
    }
    limit = Math.max(1, Math.min(rows - 1, Math.floor(rows * maxTokens / tokens)));
  }
}

export const STATUS: McpTool = tool({
  name: "status",
  title: "Read the status of a convening",
  about:
    "The status of a convening, its number of messages, its place in the queue, the participant it waits for, and its outcome. Call it again to follow a run.",
  input: z.strictObject({ id: ID }),
  output: conveningOutput.pick({
    id: true,
    kind: true,
    endReason: true,
    messages: true,
    waitingFor: true,
    winner: true,
    startedAt: true,
    endedAt: true,
  }).extend({
    status,
    queuePosition,
    expectedMessages: z.int().nullable(),
    outcome: outcome.nullable().describe("null until the convening ends."),
  }),
  call: async ({ id }, { context }) => await statusReply(context, id),
});

/** Returns the status of a convening from its metadata, the run in this process, and rejections; reads no message. */
async function statusReply(context: OperationContext, id: string): Promise<McpReply> {
  const dir = await conveningDir(context.out, id);
  const files = recordFiles(dir);
  const { readMetadata } = await import("../record/read.ts");
  const { start, progress, outcome = null, winner = null } = await readMetadata(files, dir);
  const { waitingFor } = progress;
  const shown = [winner, ...(waitingFor ?? []).map(({ participant }) => participant)];
  const { data, words = [] } = await separateWords({
    id,
    kind: start.kind,
    ...await standingJson(context, dir, progress.status),
    endReason: progress.endReason ?? null,
    messages: (await numberedFiles(files, dir, "message")).length,
    expectedMessages: mostMessages(start) ?? null,
    waitingFor: waitingFor === undefined
      ? null
      : withReasons(waitingFor, await readAbout(files, dir, "rejected")),
    outcome,
    winner,
    startedAt: start.startedAt,
    endedAt: progress.endedAt ?? null,
  });
  const names = namesOf(start.participants.filter(({ id }) => shown.includes(id)));
  return { data, words: [...names, ...words] };
}

/** Returns the names of participants whom data name by a hash. */
function namesOf(
  participants: readonly { readonly id: string; readonly name: string }[],
): readonly Words[] {
  return participants.filter(({ id }) => handleOf(id) !== id)
    .map(({ id, name }) => ({ of: `name of ${handleOf(id)}`, text: name }));
}

/** Maximal tokens of the summary in a result; summary.md has the full text. */
const SUMMARY_TOKENS = 4000;

/** Keys of a convening's setup, which results leave out because index.md has them. */
const SETUP: readonly string[] = ["participants", "judges", "sources", "papers"];

/** Maximal number of questions to a person in one call: clients of earlier protocol revisions accept 8. */
const MOST_QUESTIONS = 7;

/**
 * Waits until a run ends, pauses or waits for a person, and returns its result. For a waiting run, returns a question to the
 * client's person, or the run's state if the client can ask no person.
 */
async function runReply(run: ActiveRun, call: ToolCall): Promise<McpReply | PersonQuestion> {
  const { context, hasPerson = false, answered: { number } = { number: 0 } } = call;
  const rest = await waitForRest(run, call);
  if (rest === "left") {
    const { id } = run;
    const error = new ConveningError(
      "cancelled",
      `Cannot wait any longer: convening ${id} continues`,
      {
        hint: `Call status with id ${id}; stop ends it, resume with wait waits again.`,
      },
    );
    return { data: { id }, error };
  }
  if (rest === "waiting") {
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
    return { ...await resultReply(context, run), error: state.error };
  }
  return state.state === "ended" && state.status !== "waiting"
    ? await resultReply(context, run)
    : await statusReply(context, run.id);
}

/** Continues after a question to a person: says the words and waits again. Returns the state if the person declined. */
async function answeredReply(
  { id, participant, text }: NonNullable<ToolCall["answered"]>,
  call: ToolCall,
): Promise<McpReply | PersonQuestion> {
  const { context } = call;
  if (text === undefined) return await statusReply(context, id);
  await sayForClient(context, await conveningDir(context.out, id), { text, participant });
  const run = context.pool.run(id);
  return run === undefined ? await statusReply(context, id) : await runReply(run, call);
}

/** Returns a convening's fields of the operation `show`, without the setup. */
async function resultReply(context: OperationContext, { dir, id }: ActiveRun): Promise<McpReply> {
  const { summary, report, ...json } = await conveningJson(context, dir);
  const { data, words = [] } = await separateWords(
    Object.fromEntries(Object.entries(json).filter(([key]) => !SETUP.includes(key))),
  );
  const { text } = await pieceOf(summary, { offset: 0, maxTokens: SUMMARY_TOKENS });
  return {
    data: { ...data, report: report === null ? null : `convening://${id}/report.md` },
    words: [
      ...namesOf(json.participants.filter(({ id }) => !Object.hasOwn(json.scores, id))),
      ...words,
      ...text === "" ? [] : [{ of: "summary", text }],
    ],
  };
}

/**
 * Waits until a run ends or waits for a person, or the client stops waiting; sends progress meanwhile, whose first line has the
 * id.
 */
async function waitForRest(
  run: ActiveRun,
  { context: { pool }, signal, progress }: ToolCall,
): Promise<"ended" | "waiting" | "left"> {
  await progress?.(`convening ${run.id}: it continues if you stop waiting`);
  const { readMetadata } = await import("../record/read.ts");
  let expected: number | undefined;
  for await (const event of pool.events(run.dir, { signal })) {
    if (event.type === "convening-start") expected = mostMessages(event.start);
    // Interjections are not planned.
    if (event.type === "message" && event.message.kind === "interjection") {
      expected &&= expected + 1;
    }
    const line = lineOf(event, expected);
    if (line !== undefined) await progress?.(line);
    if (event.type !== "turn-wait") continue;
    const isWaited = ({ turn }: WaitedFor) => turn === event.turn.turn;
    if (!run.waitingFor.some(isWaited)) continue;
    // An event of the log may be about an earlier wait for the turn; metadata has the present wait before its event comes.
    const { progress: { waitingFor = [] } } = await readMetadata(recordFiles(run.dir), run.dir);
    if (waitingFor.some(isWaited) && run.waitingFor.some(isWaited)) return "waiting";
  }
  return !signal.aborted || run.feed.ended ? "ended" : "left";
}

/**
 * Formats an event as a line of progress without words of participants; returns undefined for other events. `expected` is
 * the planned number of messages.
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
    case "score":
      return `score of message ${event.score.message} by ${handleOf(event.score.judge)}`;
    case "flow":
      return `points of message ${event.flow.message}`;
    case "turn-wait":
      return `waiting for ${handleOf(event.turn.participant)}`;
    case "convening-end":
      return `ended: ${event.ending.status}`;
    default:
      return undefined;
  }
}
