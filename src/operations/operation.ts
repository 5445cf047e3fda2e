// Defines the type of an operation: one declaration yields the HTTP route, the OpenAPI entry, the MCP tool and the command.
import { z } from "zod";
import { AGENT_ERROR_CODES, type ErrorCode } from "../core/error.ts";
import type { Catalogue } from "../compose.ts";
import { addressesOf, type ServerModels } from "../core/key_rules.ts";
import type { PaperShelf } from "../inputs/folder_shelf.ts";
import { type Given, NAME } from "./outputs.ts";
import type { RecordModelOptions } from "./record_question.ts";
import type { RunPool } from "./run_pool.ts";
import { thousands } from "../core/text.ts";

/** The archive, runs, models and papers of a process, as operations use them. */
export interface OperationContext {
  readonly pool: RunPool;
  /** Model settings of the process; clients cannot change them. */
  readonly models: ServerModels;
  /** Known kinds and agents. @default the built-in kinds and agents */
  readonly catalogue?: Catalogue | undefined;
  /** Papers that clients uploaded. */
  readonly papers: PaperShelf;
  /** Absolute path of the archive's folder. */
  readonly out: string;
  /** Receives the errors whose details clients do not get. @default errors are dropped */
  readonly onUnexpected?: ((error: unknown) => void) | undefined;
  /** Directory of the convening to work on; replaces the lookup by id. @default the directory of the input's id */
  readonly dir?: string | undefined;
  /** Settings of models that answer questions about a record. @default the process's settings instead of the recorded ones */
  readonly recordModels?: RecordModelOptions | undefined;
  /** True if clients may only read. */
  readonly readOnly: boolean;
  /** Aborts when the process ends; calls to models are then cancelled. */
  readonly signal: AbortSignal;
}

/** The context of an operation that works without a pool of runs; the command line has none. */
export type ReadingContext =
  & Omit<OperationContext, "pool" | "readOnly">
  & Partial<Pick<OperationContext, "pool" | "readOnly">>;

/** Returns the model settings for a question about a record: `recordModels` of the context if present, else the process's. */
export function recordModelsOf(
  { models: { env, ...addressed }, catalogue, signal, recordModels }: ReadingContext,
  { signal: called }: { readonly signal: AbortSignal },
): RecordModelOptions {
  const process = { ...addressesOf(addressed), env, catalogue };
  return { ...recordModels ?? process, signal: AbortSignal.any([signal, called]) };
}

/** Groups of operations in the OpenAPI document. */
export const TAGS = {
  convenings: "Start, steer and judge convenings.",
  reading: "Read convenings.",
  archive: "Lists, searches and topics of the whole archive.",
  papers: "Papers for paper debates.",
  studies: "Many convenings by a plan.",
  "mas-debate": "Paper debates step by step or whole, in the form of an earlier interface.",
  server: "The server itself.",
} as const;

/** The part of an operation that the command line, HTTP and MCP have in common: name, input and path. */
export interface Declaration<I extends z.ZodObject = z.ZodObject> {
  /** Name in snake_case: the operation id of the OpenAPI document and the name of the MCP tool. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly tags: readonly (keyof typeof TAGS)[];
  readonly method: "get" | "post" | "delete";
  /** URL path with parameters in braces, such as `/api/convenings/{id}`. */
  readonly path: string;
  /** Schema of the input. A key outside `path` is a query parameter (`get`, `delete`) or a field of the body (`post`). */
  readonly input: I;
  /** The input key whose value is the whole body. @default none: the fields of the body are keys of the input */
  readonly body?: (keyof z.infer<I> & string) | undefined;
  /** True if the operation changes the archive or asks models. */
  readonly writes: boolean;
  /** Error codes besides those that any request, or any request with a body, can have. */
  readonly errors: readonly ErrorCode[];
}

/** The MCP tool of an operation, described for language models. */
export interface Tool {
  /** @default the operation's name */
  readonly name?: string;
  readonly title: string;
  /** When to use the tool, and what the tool returns. */
  readonly about: string;
  /** Schemas of arguments that replace input keys of the same name. @default none */
  readonly input?: z.ZodRawShape;
  /** Argument names that differ from the input key, by input key. @default none */
  readonly names?: Readonly<Record<string, string>>;
  /** Output keys that the tool returns. @default all */
  readonly only?: readonly string[];
  /** "always" if the tool waits for the end of the run, "if asked" if it waits with the argument `wait`. @default no wait */
  readonly waits?: "always" | "if asked";
}

/** An operation on an archive. */
export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType>
  extends Declaration<I> {
  readonly output: O;
  /** MCP tool of the operation. @default none */
  readonly tool?: Tool | undefined;
  /** Description of each HTTP status of success; the first key is the default status. @default 200 with the summary */
  readonly answers?: Readonly<Record<number, string>> | undefined;
  /** Returns the HTTP status of a response. @default the first key of `answers` */
  status?(output: z.output<O>): number;
  /** Returns the URL path of the created resource, for the `Location` header. @default no header */
  location?(output: z.output<O>): string;
  /** Runs the operation. An operation that runs convenings takes an {@linkcode OperationContext}. */
  run(
    context: ReadingContext,
    input: z.output<I>,
    call: { readonly signal: AbortSignal },
  ): Promise<Given<z.output<O>>>;
}

/** Checks the types of a declaration and returns it as an operation without type parameters, for a list of operations. */
export function operation<I extends z.ZodObject, O extends z.ZodType>(
  row: Operation<I, O>,
): Operation {
  return row as unknown as Operation;
}

export const ID: z.ZodString = z.string().describe(
  "The convening's id, as list gives it.",
);

/** Error codes of operations on a convening. */
export const OF_CONVENING = [
  "not_found",
  "record_corrupt",
] as const satisfies readonly ErrorCode[];

/** Error codes of operations that ask a model about a subject or a record. */
export const OF_MODEL: readonly ErrorCode[] = AGENT_ERROR_CODES.filter((code) =>
  code !== "agent_refused"
);

/** Common keys of operations that read a convening. */
export const READING = {
  tags: ["reading"],
  method: "get",
  writes: false,
  errors: OF_CONVENING,
} as const;

/** Common keys of operations that read something other than a convening. */
export const LISTING = { method: "get", writes: false, errors: [] } as const;

/** Common keys of operations that act on a convening. */
export const ACTING = { tags: ["convenings"], method: "post", writes: true } as const;

/** Returns the schema of a whole number of a query or a body; its error message names the bounds. */
export function whole(least: number, most: number, about: string): z.ZodInt {
  const bounds = most === Number.MAX_SAFE_INTEGER
    ? `Give a whole number from ${least}.`
    : `Give a whole number from ${least} to ${thousands(most)}.`;
  return z.int(bounds).min(least, bounds).max(most, bounds).describe(about);
}

/** Input keys that select a page of messages, or of facts about messages. */
export const PAGE = {
  after: whole(0, Number.MAX_SAFE_INTEGER, "`next` of the previous page.").default(0),
  limit: whole(1, 200, "The most messages of a page.").default(50),
} as const;

/** Input keys that filter messages. */
export const FILTER = {
  speaker: NAME.optional().describe(
    "Only messages of the participant with this name or id.",
  ),
  round: whole(0, 1_000_000, "Only messages of this round; 0 for those outside of rounds.")
    .optional(),
  kind: NAME.optional().describe(
    "Only messages of this kind, such as rebuttal.",
  ),
} as const;

/** Input key for the first row of a page of any other list. */
export const OFFSET: z.ZodDefault<z.ZodInt> = whole(
  0,
  Number.MAX_SAFE_INTEGER,
  "`next` of the previous page.",
).default(0);

/** Output keys of a page that {@linkcode OFFSET} selects. */
export const OFFSET_PAGE = {
  total: z.int().min(0),
  next: z.int().nullable().describe("`offset` of the page that follows."),
} as const;

/** Returns the rows of a page, the offset of the next page (null after the last), and the length of the list. */
export function pageOf<T>(
  list: readonly T[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { readonly rows: readonly T[]; readonly next: number | null; readonly total: number } {
  const end = offset + limit;
  const total = list.length;
  return { rows: list.slice(offset, end), next: end < total ? end : null, total };
}
