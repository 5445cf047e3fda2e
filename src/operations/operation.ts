// The form of an operation: one declaration from which HTTP routes, the OpenAPI document, MCP tools and commands follow.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { Catalogue } from "../compose.ts";
import type { OwnKinds } from "../config/config.ts";
import type { ConveningConfig } from "../config/convening_config.ts";
import { ConfigurationError, ConveningError, type ErrorCode } from "../core/error.ts";
import type { AgentSettings, WorkflowOptions } from "../engine/workflow_options.ts";
import type { PaperShelf } from "../inputs/folder_shelf.ts";
import type { RunPool } from "./run_pool.ts";
import { IN_PLAIN_WORDS, type InputNames, problemsOf, shown } from "../core/check_fields.ts";

/** Settings that reach models. */
export interface ServerModels extends Pick<AgentSettings, "baseUrl" | "providers" | "env"> {
  /** The model of every role that names none. @default "gpt-4o-mini" with a key or base URL, else "offline" */
  readonly model?: string | undefined;
}

/** Settings of the models that are asked about a record. A `baseUrl` or `providers` that is given stands for the record's, undefined too. */
export interface RecordModelOptions extends
  Pick<
    WorkflowOptions,
    | "baseUrl"
    | "providers"
    | "env"
    | "retry"
    | "idleTimeout"
    | "totalTimeout"
    | "maxReplyBytes"
    | "signal"
    | "allowBaseUrls"
    | "untrusted"
  > {
  /** The kinds and agents there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
}

/**
 * The addresses of models as the process has them, to lay over those of a client or a record: no key of any provider
 * goes where a file or a client sends it.
 */
export function addressesOf(
  { baseUrl, providers }: ServerModels,
): Pick<ConveningConfig, "baseUrl" | "providers"> {
  return { baseUrl, providers };
}

/** Archive, runs, models and papers that operations work with. */
export interface OperationContext {
  /** The archive's folder, absolute. */
  readonly out: string;
  /** The directory of the convening at hand, in the place of that of an id. @default that of the id */
  readonly dir?: string | undefined;
  /** The runs of this process. */
  readonly pool: RunPool;
  /** Settings of models: clients cannot set them. */
  readonly models: ServerModels;
  /** Settings of models that are asked about a record. @default the process's, in the place of the record's */
  readonly asking?: RecordModelOptions | undefined;
  /** The kinds and agents there are. @default the built-in ones */
  readonly catalogue?: Catalogue | undefined;
  /** The papers that were posted. */
  readonly papers: PaperShelf;
  /** True where clients can read and nothing else. @default false */
  readonly readOnly?: boolean | undefined;
  /** Aborts when the process ends: questions to models are then broken off. */
  readonly signal: AbortSignal;
}

/** The context of an operation that needs no runs of this process. */
export type ReadingContext =
  & Omit<OperationContext, "pool">
  & Partial<Pick<OperationContext, "pool">>;

/** The runs of this process, and the models that they ask. */
export type Runs = Pick<OperationContext, "pool" | "models">;

/** Settings of models that are asked about a record: those of the command line, else those of the process. */
export function askingOf(
  { models: { env, ...addressed }, catalogue, signal, asking }: ReadingContext,
  { signal: asked }: { readonly signal: AbortSignal },
): RecordModelOptions {
  const process = { ...addressesOf(addressed), env, catalogue };
  return { ...asking ?? process, signal: AbortSignal.any([signal, asked]) };
}

/** Groups of operations in the OpenAPI document. */
export const TAGS = {
  convenings: "Start, steer and judge convenings.",
  reading: "Read convenings.",
  archive: "Lists, searches and topics of the whole archive.",
  papers: "Papers that paper debates are held over.",
  studies: "Many convenings by a plan.",
  "mas-debate": "Paper debates step by step or whole, in the form of an earlier interface.",
  server: "The server itself.",
} as const;

/** The part of an operation that every door shows: the name, the input and the path. */
export interface Declaration<I extends z.ZodObject = z.ZodObject> {
  /** In snake_case: the id in the OpenAPI document and the name of the tool. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly tags: readonly (keyof typeof TAGS)[];
  readonly method: "get" | "post" | "delete";
  /** Such as `/api/convenings/{id}`. */
  readonly path: string;
  /** Keys of the path; the others are parameters of a query (`get`, `delete`) or fields of a body (`post`). */
  readonly input: I;
  /** The key of the input that a body is the value of. @default the fields of a body are keys of the input */
  readonly body?: (keyof z.infer<I> & string) | undefined;
  /** True where the archive is changed or models are asked. */
  readonly writes: boolean;
  /** Errors besides those that every request, and every request with a body, can bring. */
  readonly errors: readonly ErrorCode[];
}

/** The description of an operation that is a tool of MCP too, for language models. */
export interface Tool {
  /** @default the operation's name */
  readonly name?: string;
  readonly title: string;
  /** When to use the tool, and what the tool gives. */
  readonly about: string;
  /** Arguments in the place of keys of the input. @default none */
  readonly input?: z.ZodRawShape;
  /** Names of arguments, by the key of the input, where the two differ. @default none */
  readonly names?: Readonly<Record<string, string>>;
  /** The keys of the output that are given. @default all */
  readonly only?: readonly string[];
  /** Present where the tool waits for the run: always, or with the argument `wait`. @default never */
  readonly waits?: "always" | "if asked";
}

/** An act on an archive. */
export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType>
  extends Declaration<I> {
  readonly output: O;
  /** The tool of MCP. @default none */
  readonly tool?: Tool | undefined;
  /** A sentence for each HTTP status of an answer; the first is the usual status. @default 200 with the summary */
  readonly answers?: Readonly<Record<number, string>> | undefined;
  /** The HTTP status of an answer. @default the usual status */
  status?(output: z.output<O>): number;
  /** The URL path of what was made. @default nothing is made */
  location?(output: z.output<O>): string;
  /** A text that changes whenever the output does, for less work; undefined where it is not known. @default there is none */
  stamp?(context: ReadingContext, input: z.output<I>): Promise<string | undefined>;
  /** An operation that runs convenings takes an {@linkcode OperationContext}. */
  run(
    context: ReadingContext,
    input: z.output<I>,
    call: { readonly signal: AbortSignal },
  ): Promise<Given<z.output<O>>>;
}

/** A value whose lists and objects may be read-only. */
export type Given<T> = T extends readonly (infer U)[] ? readonly Given<U>[]
  : T extends object ? { readonly [K in keyof T]: Given<T[K]> }
  : T;

/** An operation whose input and output were checked against each other by the compiler. */
export function operation<I extends z.ZodObject, O extends z.ZodType>(
  row: Operation<I, O>,
): Operation {
  return row as unknown as Operation;
}

/** Schemas with a name of their own in the OpenAPI document. */
export const NAMED: z.core.$ZodRegistry<{ id: string }> = z.registry<{ id: string }>();

/** A schema with a name of its own in the OpenAPI document. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  NAMED.add(schema, { id });
  return schema;
}

/** JSON schemas that stand for what zod cannot say; `own` are the settings of a library's own kinds. */
export const SHAPES: WeakMap<z.core.$ZodType, (own: OwnKinds) => object> = new WeakMap();

/** The id of a convening. */
export const ID: z.ZodString = z.string().describe(
  "The convening's id, as list and start give it.",
);

/** Errors of operations on a convening. */
export const OF_CONVENING = [
  "not_found",
  "record_corrupt",
] as const satisfies readonly ErrorCode[];

/** Keys that the rows of operations that read a convening share. */
export const READING = {
  tags: ["reading"],
  method: "get",
  writes: false,
  errors: OF_CONVENING,
} as const;

/** Keys that the rows of operations share that read what is no convening. */
export const LISTING = { method: "get", writes: false, errors: [] } as const;

/** Keys that the rows of operations that act on a convening share. */
export const ACTING = { tags: ["convenings"], method: "post", writes: true } as const;

/** A whole number of a query or a body, with the sentence that names its bounds. */
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

/** Keys of a page of messages or of what is about messages. */
export const PAGE = {
  after: whole(0, Number.MAX_SAFE_INTEGER, "`next` of the page before.").default(0),
  limit: whole(1, 200, "The most messages of a page.").default(50),
} as const;

/** Keys that choose messages. */
export const FILTER = {
  speaker: z.string().min(1).max(200).optional().describe(
    "Only messages of the participant with this name or id.",
  ),
  round: whole(0, 1_000_000, "Only messages of the round; 0 for those outside rounds.")
    .optional(),
  kind: z.string().min(1).max(200).optional().describe(
    "Only messages of the kind, such as rebuttal.",
  ),
} as const;

/** Keys of a page of a list that is no list of messages. */
export const OFFSET: z.ZodDefault<z.ZodInt> = whole(
  0,
  Number.MAX_SAFE_INTEGER,
  "`next` of the page before.",
).default(0);

/** Keys of the output of such a page. */
export const OFFSET_PAGE = {
  total: z.int().min(0),
  next: z.int().nullable().describe("`offset` of the page that follows."),
} as const;

/** A page of a list: its rows, `offset` of the page that follows, and the length of the list. */
export function pageOf<T>(
  list: readonly T[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { readonly rows: readonly T[]; readonly next: number | null; readonly total: number } {
  const end = offset + limit;
  const total = list.length;
  return { rows: list.slice(offset, end), next: end < total ? end : null, total };
}

/** Links to a convening's resources: paths of this server. */
export function linksOf(id: string): Readonly<Record<string, string>> {
  const self = `/api/convenings/${id}`;
  return {
    self,
    events: `${self}/events`,
    messages: `${self}/messages`,
    scores: `${self}/scores`,
    verify: `${self}/verify`,
    export: `${self}/export`,
    index: `${self}/files/index.md`,
  };
}

/** The most problems of one input that are told. */
const MOST_PROBLEMS = 20;

/** An input that fits a schema. Fails with `config_invalid`, naming each field, its value and what is allowed there. */
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
      `Cannot use the ${names.whole}: ${shown(input)} is no object of ${names.part}s`,
      { hint: "Send an object of JSON." },
    );
  }
  // A misspelt key is there twice: unknown, and missing under its right name.
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

/** The HTTP status of a code; 500 for what nobody asked for. */
export function statusOfCode(code: ErrorCode): ContentfulStatusCode {
  return STATUS[code] ?? 500;
}

/** The HTTP status an error is answered with. */
export function statusOf(error: unknown): ContentfulStatusCode {
  return statusOfCode(error instanceof ConveningError ? error.code : "unexpected");
}

/** The body an error is answered with: `{"error": {"code", "message", "hint"?, "field"?}}`. */
export function problemOf(
  error: unknown,
): { readonly error: ReturnType<ConveningError["toJSON"]> } {
  const known = error instanceof ConveningError
    ? error
    : new ConveningError("unexpected", "Cannot answer: something went wrong");
  return { error: known.toJSON() };
}
