// Definition of an MCP tool and its registration. Arguments are checked here, not in the SDK, so that every error has a code
// and a field.
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { RecordError } from "../core/error.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { checkInput, type OperationContext } from "../operations/operation.ts";
import { NAME } from "../operations/outputs.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import { errorResult, handleOf, LINKS, type McpReply, toolResult, WORDS } from "./reply.ts";

/** A person's turn for which the client is asked to get the person's words. */
interface PersonTurn {
  readonly id: string;
  readonly participant: string;
  readonly turn: string;
  /** Number of questions asked in this call so far, including this question. */
  readonly number: number;
}

/** The turn that the client asked about, and the person's words; `text` is absent if the person declined. */
interface AnsweredTurn extends PersonTurn {
  readonly text?: string | undefined;
}

/** Reply of a tool that needs a person's words to continue. */
export interface PersonQuestion {
  readonly ask: PersonTurn;
}

export interface ToolCall {
  readonly context: OperationContext;
  /** Aborts when the client stops waiting or disconnects. */
  readonly signal: AbortSignal;
  /** Sends a line of progress, without words of participants. @default the client asked for no progress */
  readonly progress?: ((line: string, done: number) => Promise<void>) | undefined;
  /** True if the client can show a form to a person. @default false */
  readonly hasPerson?: boolean | undefined;
  /** @default the client's first request of this call, without a person's answer */
  readonly answered?: AnsweredTurn | undefined;
}

export interface McpTool<I extends z.ZodObject = z.ZodObject> {
  /** In snake_case. */
  readonly name: string;
  /** Deprecated name that clients may still call. @default none */
  readonly formerName?: string;
  readonly title: string;
  readonly about: string;
  readonly input: I;
  /** Schema of the data before the words are separated. */
  readonly output: z.ZodType;
  /** True if the tool changes the archive or calls models. @default false */
  readonly writes?: boolean;
  /** Name of the tool that lists the ids that this tool takes. @default `list` */
  readonly ids?: string;
  call(input: z.output<I>, call: ToolCall): Promise<McpReply | PersonQuestion>;
}

/** Erases the type of a tool's input after the compiler has checked `call` against the schema. */
export function tool<I extends z.ZodObject>(made: McpTool<I>): McpTool {
  return made as unknown as McpTool;
}

/** An error whose result also has the data known so far, such as the state of a failed run. */
export class ToolFailure extends Error {
  /** Data and words that the result has in addition to the error. */
  readonly known: McpReply;

  constructor(cause: unknown, known: McpReply) {
    super("Cannot continue", { cause });
    this.known = known;
  }
}

export const ID: z.ZodString = NAME.describe("The convening's id, as list gives it.");

export function maxTokens(usual: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(200).max(20_000).default(usual).describe(
    "Maximal tokens of the result (o200k_base), approximately; a client that shows the result both as a field and as text uses twice as many.",
  );
}

export function mostRows(usual: number, most: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(usual).describe(`The most rows, 1 to ${most}.`);
}

export function addTool(server: McpServer, context: OperationContext, tool: McpTool): void {
  const { name, formerName, title, about, input, output, writes = false, ids } = tool;
  const annotations = {
    title,
    readOnlyHint: !writes,
    destructiveHint: false,
    openWorldHint: writes,
  };
  const answer = async (given: unknown, asked: ServerContext) => {
    try {
      const call = {
        context,
        signal: asked.mcpReq.signal,
        progress: progressOf(asked),
        hasPerson: hasPerson(server, asked),
        answered: answeredBy(asked),
      };
      const names = { whole: "arguments", part: "argument" };
      const checked = checkInput(input, withNumbers(input, given ?? {}), names);
      const reply = await tool.call(checked, call);
      return "ask" in reply ? question(reply.ask) : toolResult(reply);
    } catch (error) {
      return error instanceof ToolFailure
        ? errorResult(error.cause, { out: context.out, ids, known: error.known })
        : errorResult(error, { out: context.out, ids });
    }
  };
  server.registerTool(name, {
    title,
    description: about,
    inputSchema: unchecked(() => plain(jsonSchemaOf(input))),
    outputSchema: unchecked(() => outputShape(output)),
    annotations,
  }, answer);
  if (formerName === undefined) return;
  server.registerTool(formerName, {
    description: `Former name of ${name}.`,
    inputSchema: unchecked(() => ({ type: "object" })),
    outputSchema: unchecked(() => ({ type: "object" })),
    annotations,
  }, answer);
}

/** Returns the archive's folder. Fails with `not_found` if it is missing on a read-only server; a run would create it. */
export async function archiveOf({ out, readOnly }: OperationContext): Promise<string> {
  if (!readOnly || (await filesBelow(out).stat(out))?.isFolder === true) return out;
  throw new RecordError("not_found", "Cannot read the archive: its folder is missing", {
    hint: "Start the server with the folder of an archive: --out FOLDER.",
  });
}

const SPEECH = z.object({ text: z.string().meta({ title: "Your words, in markdown" }) });

/** Returns true if the client declared that it can show forms to a person. */
function hasPerson({ server }: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const ofRequest = envelope as Partial<Record<string, ClientCapabilities>> | undefined;
  const declared = ofRequest?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const { elicitation } = declared ?? {};
  return elicitation !== undefined &&
    (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
}

/** Asks the client for a person's words. The state holds only data that the client may read and could itself send. */
function question(turn: PersonTurn): InputRequiredResult {
  const message = `Convening ${turn.id} waits for ${handleOf(turn.participant)} to speak.`;
  return inputRequired({
    inputRequests: { turn: inputRequired.elicit({ message, requestedSchema: SPEECH }) },
    requestState: JSON.stringify(turn),
  });
}

const TURN = z.object({
  id: z.string(),
  participant: z.string(),
  turn: z.string(),
  number: z.int(),
});

function answeredBy({ mcpReq }: ServerContext): AnsweredTurn | undefined {
  const state = mcpReq.requestState<string>();
  if (state === undefined) return undefined;
  const text = acceptedContent(mcpReq.inputResponses, "turn", SPEECH)?.text;
  return { ...checkInput(TURN, JSON.parse(state), { whole: "state", part: "state" }), text };
}

/** Replaces handles of participants, which clients know from data, by the participants' ids. */
export async function withParticipants(
  { out }: OperationContext,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const named = Object.entries(given).filter(([key, value]) =>
    /^(?:participant|speaker)$/.test(key) && typeof value === "string"
  );
  if (named.length === 0 || typeof given["id"] !== "string") return given;
  const { readMetadata } = await import("../record/read.ts");
  const dir = await conveningDir(out, given["id"]);
  const { start: { participants } } = await readMetadata(recordFiles(dir), dir);
  const ids = named.map(([key, value]) => [
    key,
    participants.find(({ id }) => handleOf(id) === value)?.id ?? value,
  ]);
  return { ...given, ...Object.fromEntries(ids) };
}

/** Wraps a JSON schema that clients see; the SDK validates no value against it. */
function unchecked(shape: () => Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    "~standard": {
      version: 1,
      vendor: "convenings",
      validate: (value) => ({ value }),
      jsonSchema: { input: shape, output: shape },
    },
  };
}

const UNTRUSTED = z.object({
  notice: z.string(),
  words: z.array(z.object({ of: z.string(), text: z.string() })),
});

/** Returns the schema of a tool's result: words move to `untrusted`, and links of the HTTP server are left out. */
function outputShape(output: z.ZodType): Record<string, unknown> {
  const shape = withoutWords(plain(jsonSchemaOf(output))) as Record<string, unknown>;
  const properties = {
    ...shape["properties"] as object,
    untrusted: plain(jsonSchemaOf(UNTRUSTED)),
  };
  return { ...shape, properties };
}

/** Removes links from a schema, and makes words optional. */
function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === "required" && Array.isArray(value)) {
        return [key, value.filter((each) => !WORDS.has(each) && !LINKS.has(each))];
      }
      if (key !== "properties") return [key, withoutWords(value)];
      const kept = Object.entries(value).filter(([name]) => !LINKS.has(name));
      return [key, Object.fromEntries(kept.map(([name, each]) => [name, withoutWords(each)]))];
    }),
  );
}

/** Removes the `$schema` key and the bounds of safe integers from a schema. */
function plain(schema: object): Record<string, unknown> {
  const bare = JSON.stringify(
    schema,
    (key, value) =>
      key === "$schema" || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value,
  );
  return JSON.parse(bare);
}

/** Converts numeric strings to numbers where the schema wants a number, because some models send numbers as text. */
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
    // The client may have disconnected; the run continues.
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
