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
import { jsonIn } from "../core/values.ts";
import { jsonSchemaOf, type Node } from "../core/schema.ts";
import type { OperationContext } from "../operations/operation.ts";
import { checkInput, withValues } from "../core/check_fields.ts";
import { conveningDir } from "../operations/client_view.ts";
import { filesBelow, recordFiles } from "../record/disk_files.ts";
import {
  errorResult,
  handleOf,
  LINKS,
  type McpReply,
  stepsOf,
  toolResult,
  WORDS,
} from "./reply.ts";

const TURN = z.object({
  id: z.string(),
  participant: z.string(),
  turn: z.string(),
  number: z.int(),
});

/** A person's turn for which the client is asked to get the person's words; `number` counts the questions of this call. */
type PersonTurn = z.output<typeof TURN>;

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
  readonly progress?: ((line: string) => Promise<void>) | undefined;
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

export function maxTokens(byDefault: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(200).max(20_000).default(byDefault).describe(
    "Tokens of the result, at most, approximately.",
  );
}

export function mostRows(most: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(50).describe(`The most rows, 1 to ${most}.`);
}

export function addTool(server: McpServer, context: OperationContext, tool: McpTool): void {
  const { name, formerName, title, about, input, output, writes = false, ids } = tool;
  const annotations = {
    readOnlyHint: !writes,
    ...writes ? { destructiveHint: false } : { openWorldHint: false },
  };
  const answer = async (args: unknown, request: ServerContext) => {
    const { progress, end } = progressOf(request, `${name} is working`);
    try {
      const call = {
        context,
        signal: request.mcpReq.signal,
        progress,
        hasPerson: hasPerson(server, request),
        answered: answeredBy(request),
      };
      const names = { whole: "arguments", part: "argument" };
      const checked = checkInput(input, withValues(input, args ?? {}), names);
      const reply = await tool.call(checked, call);
      if ("ask" in reply) return question(reply.ask, call.answered);
      if (reply.error === undefined) return toolResult(reply);
      return errorResult(reply.error, { scope: context, ids, known: reply });
    } catch (error) {
      return errorResult(error, { scope: context, ids });
    } finally {
      end?.();
    }
  };
  const registered = server.registerTool(name, {
    title,
    description: about,
    inputSchema: unchecked(() => plain(jsonSchemaOf(input))),
    outputSchema: unchecked(() => outputShape(output)),
    annotations,
  }, answer);
  // A disabled tool is not listed, and a call of the tool fails as disabled.
  if (writes && context.readOnly) registered.disable();
  if (formerName === undefined) return;
  server.registerTool(formerName, {
    description: `Former name of ${name}.`,
    inputSchema: unchecked(() => ({ type: "object", properties: {} })),
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
function question(turn: PersonTurn, answered: AnsweredTurn | undefined): InputRequiredResult {
  const { id, participant, turn: key } = turn;
  const again = answered?.turn === key ? ", and status why the last answer was not" : "";
  const steps = stepsOf(key);
  // An own kind may name its steps otherwise.
  const what = `${
    /[a-z]/.test(steps) ? `: ${steps}` : ""
  }. read_messages has what was said${again}.`;
  const message = `Convening ${id} waits for ${handleOf(participant)} to speak${what}`;
  return inputRequired({
    inputRequests: { turn: inputRequired.elicit({ message, requestedSchema: SPEECH }) },
    requestState: JSON.stringify(turn),
  });
}

function answeredBy({ mcpReq }: ServerContext): AnsweredTurn | undefined {
  const state = mcpReq.requestState<string>();
  if (state === undefined) return undefined;
  const text = acceptedContent(mcpReq.inputResponses, "turn", SPEECH)?.text;
  return { ...checkInput(TURN, jsonIn(state), { whole: "state", part: "state" }), text };
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

/**
 * Returns the schema of a tool's result: the keys with types and descriptions, and the names of the keys of rows. Clients pay
 * for the schemas of all tools before their first question, so deeper keys are left out. Words may be absent, because they
 * move to `untrusted`; links of the HTTP server are left out.
 */
function outputShape(output: z.ZodType): Record<string, unknown> {
  const { properties = {}, required = [] } = jsonSchemaOf(output);
  const kept = Object.entries(properties).filter(([key]) => !LINKS.has(key))
    .map(([key, node]) => [key, { ...typeOf(node), description: node.description }]);
  return plain({
    type: "object",
    properties: { ...Object.fromEntries(kept), untrusted: { type: "object" } },
    required: required.filter((key) => !WORDS.has(key) && !LINKS.has(key)),
  });
}

/** Returns the type of a value with that of its items and the names of its keys; a union has the types of its parts. */
function typeOf({ type, items, properties, anyOf = [] }: Node): Record<string, unknown> {
  const parts = anyOf.map(typeOf);
  const types = new Set(parts.flatMap((part) => part.type ?? []));
  const names = Object.keys(properties ?? {}).filter((key) => !LINKS.has(key));
  return {
    ...Object.assign({}, ...parts),
    ...anyOf.length > 0 ? { type: [...types] } : { type },
    ...items === undefined ? {} : { items: typeOf(items) },
    ...names.length === 0 ? {} : { properties: Object.fromEntries(names.map((key) => [key, {}])) },
  };
}

/**
 * Keys of JSON Schema that clients do not get: the errors of the server name the bounds of texts and lists, and some providers
 * of models reject all tools for an exclusive bound or the format of a day.
 */
const UNSAID = /^(?:\$schema|(?:min|max)(?:Length|Items)|pattern|format|exclusiveMinimum)$/;

/** Removes the keys of {@linkcode UNSAID}, the bounds of safe integers and schemas without a type, which some providers reject. */
function plain(schema: object): Record<string, unknown> {
  const bare = JSON.stringify(schema, (key, value) => {
    if (key === "additionalProperties") return value !== false;
    // An object is the schema of a key of this name.
    const isLeft = UNSAID.test(key) && typeof value !== "object" ||
      Math.abs(value) === Number.MAX_SAFE_INTEGER;
    return isLeft ? undefined : value;
  });
  return JSON.parse(bare);
}

/** Milliseconds without a line of progress after which the last line is repeated; clients may stop waiting after a minute. */
const SILENCE = 5000;

/** Returns a function that sends lines of progress, if the client asked for progress, and one that ends the repeats. */
function progressOf(
  { mcpReq }: ServerContext,
  first: string,
): { readonly progress?: ToolCall["progress"]; readonly end?: () => void } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  let last = first;
  let count = 0;
  const progress = async (message = last): Promise<void> => {
    clearTimeout(repeat);
    repeat = setTimeout(progress, SILENCE);
    last = message;
    const params = { progressToken, progress: ++count, message };
    // The client may have disconnected; the run continues.
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  let repeat = setTimeout(progress, SILENCE);
  return { progress, end: () => clearTimeout(repeat) };
}
