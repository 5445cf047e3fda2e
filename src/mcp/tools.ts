// Tools: those of operations, by their rows, and those that read a record a part at a time.
import { z } from "zod";
import { loadTokenCounter } from "../core/tokens.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import type { Operation, Tool } from "../operations/operation.ts";
import { conveningOutput } from "../operations/outputs.ts";
import { standingOf } from "../operations/show.ts";
import { OPERATIONS } from "../operations/table.ts";
import { READING } from "./reading.ts";
import { READ_SCORES } from "./scores.ts";
import { apart, type McpReply } from "./reply.ts";
import { answeredReply, runReply, STATUS } from "./running.ts";
import { FRAME_TOKENS } from "./text_piece.ts";
import {
  archiveOf,
  ID,
  maxTokens,
  type McpTool,
  tool,
  type ToolCall,
  withParticipants,
} from "./tool.ts";

type Json = Readonly<Record<string, unknown>>;

const WAIT = z.boolean().default(false).describe(
  "Whether to wait until it ends, pauses or waits for a person; else the result is its id, at once. If you stop waiting, it continues: the first progress line has its id, stop ends it.",
);

/** State of a run; of a run that was waited for, everything that the operation show gives. */
const STATE = z.looseObject(
  conveningOutput.pick({
    status: true,
    queuePosition: true,
    kind: true,
    endReason: true,
    outcome: true,
    winner: true,
    waitingFor: true,
    messages: true,
    report: true,
  }).partial().extend({ id: ID }).shape,
);

/** The tool of an operation: the input with bounds, and the output with words apart. */
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
      // A question to a person was answered: the run that the first round began goes on.
      if (answered !== undefined && waits === "if asked") {
        return await answeredReply(answered, call);
      }
      if (!("id" in shape) && !writes) await archiveOf(context);
      const keys = Object.fromEntries(Object.entries(names).map(([key, name]) => [name, key]));
      const args = await withParticipants(context, withKeys(given, keys));
      // A model is asked once, however many rows there is room for.
      if (isPage && args["model"] === undefined) {
        return await page(operation, args, { call, maxTokens: maxTokens as number });
      }
      const json = picked(await operation.run(context, args, call) as Json, made);
      if (waits === undefined) return await apart(json, maxTokens as number | undefined);
      const id = String(json["id"]);
      const run = context.pool.run(id);
      if (waits === "if asked") {
        return wait === true && run !== undefined ? await runReply(run, call) : await apart(json);
      }
      await run?.ended;
      return await apart({
        ...json,
        ...await standingOf(context, await conveningDir(context.out, id)),
      });
    },
  });
}

/** An object with other names for some of its keys. */
function withKeys<T>(
  value: Readonly<Record<string, T>>,
  names: Readonly<Record<string, string>>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [names[key] ?? key, each]));
}

function picked(json: Json, { only }: Tool): Json {
  return only === undefined ? json : Object.fromEntries(only.map((key) => [key, json[key]]));
}

function pickedShape(output: z.ZodType, { only }: Tool): z.ZodType {
  if (only === undefined || !(output instanceof z.ZodObject)) return output;
  return z.object(Object.fromEntries(only.map((key) => [key, output.shape[key]!])));
}

/** A page of rows, as many as fit: fewer are asked for until they do. */
async function page(
  operation: Operation,
  args: Readonly<Record<string, unknown>>,
  { call, maxTokens }: { readonly call: ToolCall; readonly maxTokens: number },
): Promise<McpReply> {
  const count = await loadTokenCounter();
  for (let limit = args["limit"];;) {
    const json = await operation.run(call.context, { ...args, limit }, call) as Json;
    const reply = await apart(json, maxTokens);
    const { data, words = [] } = reply;
    const tokens = words.reduce(
      (sum, { text }) => sum + count(text) + FRAME_TOKENS,
      count(JSON.stringify(data)),
    );
    const rows = Math.max(
      ...Object.values(json).map((each) => Array.isArray(each) ? each.length : 0),
    );
    if (rows <= 1 || tokens <= maxTokens && data["wordsLeftOut"] === undefined) return reply;
    limit = Math.max(1, Math.min(rows - 1, Math.floor(rows * maxTokens / tokens)));
  }
}

/** Every tool, those that only read first. */
export const TOOLS: readonly McpTool[] = [
  ...OPERATIONS.flatMap((row) => row.tool === undefined ? [] : [toolOf(row, row.tool)]),
  ...READING,
  READ_SCORES,
  STATUS,
].sort((a, b) => Number(a.writes) - Number(b.writes));
