// Defines the type of an operation: one declaration yields the HTTP route, the OpenAPI entry, the MCP tool and the command.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import {
  AGENT_ERROR_CODES,
  ConfigurationError,
  ConveningError,
  type ErrorCode,
  MOST_PROBLEMS,
} from "../core/error.ts";
import { IN_PLAIN_WORDS, type InputNames, problemsOf, valueText } from "../core/check_fields.ts";
import { addressesOf } from "../core/key_rules.ts";
import { withoutPaths } from "./convening_dir.ts";
import { type Given, NAME } from "./outputs.ts";
import type { RecordModelOptions } from "./record_question.ts";
import type { ClientContext } from "./run_pool.ts";

/** The archive, runs, models and papers of a process, as operations use them. */
export interface OperationContext extends ClientContext {
  /** Absolute path of the archive's folder. */
  readonly out: string;
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
  /** True if the tool sends a line of progress for each fact that the operation records. @default false */
  readonly follows?: boolean;
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
export function whole(
  least: number,
  most: number,
  about: string,
): z.ZodInt {
  const bounds = most === Number.MAX_SAFE_INTEGER
    ? `Give a whole number from ${least}.`
    : `Give a whole number from ${least} to ${most}.`;
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

/** Checks an input by a schema. Throws `config_invalid` with each wrong field, its value and the allowed values. */
export function checkInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  names: InputNames,
): z.infer<S> {
  const result = schema.safeParse(input, IN_PLAIN_WORDS);
  if (result.success) return result.data;
  const { issues } = result.error;
  const whole = issues.find(({ path, code }) => path.length === 0 && code !== "unrecognized_keys");
  if (whole !== undefined) {
    throw new ConfigurationError(
      `Cannot use the ${names.whole}: ${valueText(input)} is not an object of ${names.part}s`,
      { hint: "Send an object of JSON." },
    );
  }
  // A misspelt key causes two issues, an unknown key and a missing key: the unknown key is listed first.
  const [unknown = [], others = []] = [true, false].map((isUnknown) =>
    issues.filter(({ code }) => (code === "unrecognized_keys") === isUnknown)
  );
  const problems = problemsOf(schema, input, { issues: [...unknown, ...others], names });
  throw ConfigurationError.of(problems.slice(0, MOST_PROBLEMS), undefined, names.whole);
}

const STATUS: Readonly<Partial<Record<ErrorCode, ContentfulStatusCode>>> = {
  ["config_invalid"]: 400,
  ["topic_refused"]: 400,
  ["paper_unreadable"]: 400,
  ["turn_order"]: 409,
  locked: 409,
  taken: 409,
  ["key_reused"]: 422,
  cancelled: 409,
  stopped: 409,
  ["not_found"]: 404,
  forbidden: 403,
  unauthorized: 401,
  ["too_many_tries"]: 429,
  ["too_large"]: 413,
  ["unsupported_type"]: 415,
  ["method_not_allowed"]: 405,
  ["too_slow"]: 408,
  busy: 503,
  ["agent_auth"]: 502,
  ["agent_rate_limited"]: 502,
  ["agent_timeout"]: 504,
  ["agent_unreachable"]: 502,
  ["agent_refused"]: 502,
  ["agent_bad_reply"]: 502,
  ["search_unavailable"]: 502,
};

/** Returns the HTTP status of an error code; 500 for a code without a row. */
export function statusOfCode(code: ErrorCode): ContentfulStatusCode {
  return STATUS[code] ?? 500;
}

/** Returns the HTTP status of the response to an error. */
export function statusOf(error: unknown): ContentfulStatusCode {
  return statusOfCode(error instanceof ConveningError ? error.code : "unexpected");
}

/**
 * Returns the body of the response to an error: `{"error": {"code", "message", "hint"?, "field"?}}`, without the path of the
 * archive `out`.
 */
export function problemOf(
  error: unknown,
  out: string,
): { readonly error: ReturnType<ConveningError["toJSON"]> } {
  const known = withoutPaths(error, out);
  const shown = known instanceof ConveningError
    ? known
    : new ConveningError("unexpected", "Cannot answer: something went wrong");
  return { error: shown.toJSON() };
}
