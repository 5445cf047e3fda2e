// The form of a tool, and how a server gets one: arguments are checked here, so that every error has a code and a field.
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
import { checkInput, type OperationContext } from "../operations/operation.ts";
import { conveningDir } from "../operations/convening_dir.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import { errorResult, handleOf, LINKS, type McpReply, toolResult, WORDS } from "./reply.ts";

/** Archive, runs, models and papers that tools and resources work with. */
export interface McpContext extends OperationContext {
  /** True where all tools only read. */
  readonly readOnly: boolean;
}

/** A turn of a person that a tool's caller is asked to have spoken. */
export interface PersonTurn {
  readonly id: string;
  readonly participant: string;
  /** The key of the turn. */
  readonly turn: string;
  /** Number of the questions that were put in this call, this one too. */
  readonly number: number;
}

/** The turn that a call was answered with before, and the person's words; none where the person did not speak. */
interface AnsweredTurn extends PersonTurn {
  readonly text?: string | undefined;
}

/** The reply of a tool that asks for the words of a person and then goes on. */
export interface PersonQuestion {
  readonly ask: PersonTurn;
}

export interface ToolCall {
  readonly context: McpContext;
  /** Aborts when the client gives up waiting, or is gone. */
  readonly signal: AbortSignal;
  /** Tells the client how far the work is, in a line without words of participants. @default the client did not ask */
  readonly progress?: ((line: string, done: number) => Promise<void>) | undefined;
  /** True where the client can ask its person. @default false */
  readonly hasPerson?: boolean | undefined;
  /** @default the first round of the call */
  readonly answered?: AnsweredTurn | undefined;
}

export interface McpTool<I extends z.ZodObject = z.ZodObject> {
  /** In snake_case. */
  readonly name: string;
  /** A name that clients may still call. @default none */
  readonly formerName?: string;
  readonly title: string;
  readonly about: string;
  readonly input: I;
  /** The schema of the data, with words where they stood. */
  readonly output: z.ZodType;
  /** True where the archive is changed or models are asked. @default false */
  readonly writes?: boolean;
  /** The tool that gives the ids of what this one is about. @default `list` */
  readonly ids?: string;
  call(input: z.output<I>, call: ToolCall): Promise<McpReply | PersonQuestion>;
}

/** A tool whose input was checked by the compiler. */
export function tool<I extends z.ZodObject>(made: McpTool<I>): McpTool {
  return made as unknown as McpTool;
}

/** An error that a tool's result tells together with what is known already, such as how far a failed run came. */
export class ToolFailure extends Error {
  /** Data and words besides the error. */
  readonly known: McpReply;

  constructor(cause: unknown, known: McpReply) {
    super("Cannot go on", { cause });
    this.known = known;
  }
}

export const ID: z.ZodString = z.string().min(1).max(200).describe(
  "The convening's id, as list and run give it.",
);

export function maxTokens(usual: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(200).max(20_000).default(usual).describe(
    "The most tokens in the result (o200k_base), about; a client that shows the result as a field and as text has them twice.",
  );
}

export function mostRows(usual: number, most: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(usual).describe(`The most rows, 1 to ${most}.`);
}

export const COUNT: z.ZodInt = z.int().min(0);

export function addTool(server: McpServer, context: McpContext, tool: McpTool): void {
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
    inputSchema: unchecked(() => plain(z.toJSONSchema(input, SHAPE))),
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

/** The archive's folder. Fails with `not_found` where it is missing, unless a run would make it. */
export async function archiveOf({ out, readOnly }: McpContext): Promise<string> {
  if (!readOnly || (await filesBelow(out).stat(out))?.isFolder === true) return out;
  throw new RecordError("not_found", "Cannot read the archive: its folder is missing", {
    hint: "Start the server with the folder of an archive: --out FOLDER.",
  });
}

/** The field of a form for a person's words. */
const SPEECH = z.object({ text: z.string().meta({ title: "Your words, in markdown" }) });

/** True where the client shows forms to a person, and can be asked on this connection. */
function hasPerson({ server }: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const ofRequest = envelope as Partial<Record<string, ClientCapabilities>> | undefined;
  const declared = ofRequest?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const { elicitation } = declared ?? {};
  return elicitation !== undefined &&
    (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
}

/** A form for a person's words. The state names nothing that the client may not read or name itself. */
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

/** Arguments with ids of participants in the place of handles, which data have. */
export async function withParticipants(
  { out }: McpContext,
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

const SHAPE = { io: "input", unrepresentable: "any" } as const;

/** A schema for clients; the package checks nothing by it. */
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

const UNTRUSTED = z.toJSONSchema(
  z.object({
    notice: z.string(),
    words: z.array(z.object({ of: z.string(), text: z.string() })),
  }),
  SHAPE,
);

/** The shape of a result: words stand in `untrusted`, and links are those of another server. */
function outputShape(output: z.ZodType): Record<string, unknown> {
  const shape = withoutWords(plain(z.toJSONSchema(output, SHAPE))) as Record<string, unknown>;
  const properties = { ...shape["properties"] as object, untrusted: plain(UNTRUSTED) };
  return { ...shape, properties };
}

/** A schema in which no words are required and no links are known. */
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

/** A schema without its dialect and without the bounds that every whole number has. */
function plain(schema: object): Record<string, unknown> {
  const bare = JSON.stringify(
    schema,
    (key, value) =>
      key === "$schema" || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value,
  );
  return JSON.parse(bare);
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
