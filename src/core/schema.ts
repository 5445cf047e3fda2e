// Schemas of values with their shapes in words, and structured replies of models: read whole, while they are written, and from files.
import { memo, onceEach } from "./values.ts";
import { wellFormed } from "./text.ts";
import { z } from "zod";

/** Schema of a value: checks the value and describes its shape; every schema of zod 4 is one. */
export interface Schema<T = unknown> {
  /** Checks a value and gives it as parsed; with `jitless`, no code is made for the checks of few values. */
  safeParse(value: unknown, options?: { readonly jitless: true }): Parsed<T>;
  /** The shape as JSON Schema; what that cannot say is left open. */
  toJSONSchema(options: { readonly io: "input"; readonly unrepresentable: "any" }): object;
}

/** Result of checking a value. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };

/** One thing that does not fit. */
export interface SchemaIssue {
  /** The keys that lead to it. */
  readonly path: readonly PropertyKey[];
  /** Problem of the value. */
  readonly message: string;
}

/** Schemas by key; a schema that takes undefined is of a key that may be absent. */
export type SchemaShape = Readonly<Record<string, Schema>>;

/** The values that fit a {@linkcode SchemaShape}, by key. */
export type ValuesOf<S extends SchemaShape> = {
  readonly [K in keyof S]: S[K] extends Schema<infer T> ? T : never;
};

/** The parts of a JSON schema that words are made of. */
interface Node {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The keys of an object with their types, a line for each key, in the order of the schema. */
export const shapeInWords: (type: Schema) => string = onceEach((type: Schema) => {
  const { properties = {} } = jsonSchemaOf(type) as Node;
  return Object.entries(properties).map(([key, node]) => `- ${key}: ${typeInWords(node)}`)
    .join("\n");
});

/** The JSON schema of a type, for replies. */
export const jsonSchemaOf: (type: Schema) => object = onceEach((type: Schema) =>
  type.toJSONSchema({ io: "input", unrepresentable: "any" })
);

function typeInWords(node: Node): string {
  const { anyOf, oneOf = anyOf } = node;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) {
    return `one of ${node.enum.map((each) => JSON.stringify(each)).join(", ")}`;
  }
  if (oneOf !== undefined) return oneOf.map(typeInWords).join(" or ");
  switch (node.type) {
    case "string":
      return "text";
    case "boolean":
      return "true or false";
    case "number":
    case "integer":
      return (node.type === "integer" ? "whole number" : "number") +
        rangeInWords(node.minimum, node.maximum);
    case "array":
      return `list${rangeInWords(node.minItems, node.maxItems, " of")}, each ${
        typeInWords(node.items ?? {})
      }`;
    case "object":
      return objectInWords(node.properties ?? {});
    default:
      return "any value";
  }
}

/** Keys of one type are named together. */
function objectInWords(properties: Readonly<Record<string, Node>>): string {
  const keys = Object.entries(properties).map(([key, node]) => [key, typeInWords(node)] as const);
  const types = new Set(keys.map(([, type]) => type));
  if (keys.length > 1 && types.size === 1) {
    return `object with a ${[...types][0]} for each of ${keys.map(([key]) => key).join(", ")}`;
  }
  return `object with ${keys.map(([key, type]) => `${key} (${type})`).join(", ")}`;
}

function rangeInWords(least?: number, most?: number, before = ""): string {
  const [from, to] = [
    least === undefined || least < -1e9 ? undefined : least,
    most === undefined || most > 1e9 ? undefined : most,
  ];
  if (from !== undefined && to !== undefined) {
    return from === to ? `${before} ${from}` : `${before} ${from} to ${to}`;
  }
  if (to !== undefined) return `${before} at most ${to}`;
  return from === undefined || from === 0 ? "" : `${before} at least ${from}`;
}

/** Result of reading a structured reply: the value, or the problem. */
type Reading<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Reads JSON of the given shape out of a reply: bare, in a fenced block, or inside prose. */
export function readStructured<T>(
  text: string,
  type: Schema<T>,
): Reading<T> {
  let problem = "The reply holds no JSON object.";
  for (const candidate of jsonCandidates(text)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(candidate);
    } catch (error) {
      problem = `The reply is not valid JSON: ${error instanceof Error ? error.message : error}.`;
      continue;
    }
    // Zod takes ten times as long to make code for a schema as to read a reply without the code.
    const result = type.safeParse(parsed, { jitless: true });
    // An escape in JSON can name half a character.
    if (result.success) return { value: wellFormed(result.data) };
    problem = result.error.issues
      .map((issue) => `${issue.path.join(".") || "the reply"}: ${issue.message}`)
      .join("; ");
  }
  return { problem };
}

function* jsonCandidates(text: string): Generator<string> {
  const trimmed = text.trim();
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) yield trimmed;
  for (const [, block] of trimmed.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)) {
    if (block !== undefined) yield block.trim();
  }
  yield* embeddedObjects(trimmed);
}

/** The outermost balanced `{…}` of a text, in order. */
function* embeddedObjects(text: string): Generator<string> {
  let start = text.indexOf("{");
  while (start !== -1) {
    const found = objectAt(text, start);
    if (found === undefined) return;
    yield found;
    start = text.indexOf("{", start + found.length);
  }
}

/** The balanced `{…}` that begins at `start`, braces in strings left out of account. */
function objectAt(text: string, start: number): string | undefined {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return text.slice(start, i + 1);
  }
  return undefined;
}

/** Position of a reader of JSON: in an object at a key, or in the list of a key. */
interface Level {
  readonly list: boolean;
  /** The key whose value comes next; of a list, the key it stands at. */
  key: string | undefined;
}

/** Reads text fields out of a JSON object while it is still being written, so that they can be shown as they come. */
export class SpeechStream {
  readonly #fields: ReadonlySet<string>;
  /** True if fields count at any depth, and more than one text. */
  readonly #all: boolean;
  readonly #levels: Level[] = [];
  #inString = false;
  /** A backslash, and the digits of a `\u` escape so far. */
  #escape: string | undefined;
  #string = "";
  /** True while the string that is read is a field's value. */
  #speaking = false;
  #done = false;
  #text = "";

  /**
   * A stream that has seen nothing. One `fields` is a key of the outermost object; a list of them counts at any depth, in
   * lists of texts too: then the texts stand apart by an empty line.
   */
  constructor(fields: string | readonly string[]) {
    this.#all = typeof fields !== "string";
    this.#fields = new Set(typeof fields === "string" ? [fields] : fields);
  }

  /** Text of the fields so far. */
  get text(): string {
    return this.#text;
  }

  /** Takes the next piece of the reply; gives what it adds to the fields. */
  add(piece: string): string {
    const before = this.#text.length;
    for (const char of piece) {
      if (this.#done) break;
      if (this.#inString) this.#read(char);
      else this.#step(char);
    }
    return this.#text.slice(before);
  }

  #step(char: string): void {
    const level = this.#levels.at(-1);
    if (char === "{") this.#levels.push({ list: false, key: undefined });
    else if (char === "[") this.#levels.push({ list: true, key: level?.key });
    else if (char === "}" || char === "]") this.#levels.pop();
    else if (char === '"' && level !== undefined) this.#open(level);
    else if (char === "," && level?.list === false) level.key = undefined;
  }

  #open({ key }: Level): void {
    this.#inString = true;
    this.#string = "";
    const placed = this.#all || (this.#levels.length === 1 && !this.#levels[0]!.list);
    this.#speaking = placed && key !== undefined && this.#fields.has(key);
    if (this.#speaking && this.#text !== "") this.#text += "\n\n";
  }

  #read(char: string): void {
    if (this.#escape !== undefined) return this.#unescape(char);
    if (char === "\\") this.#escape = "";
    else if (char === '"') this.#close();
    else this.#take(char);
  }

  #unescape(char: string): void {
    const escape = this.#escape + char;
    if (escape.startsWith("u") && escape.length < 5) {
      this.#escape = escape;
      return;
    }
    this.#escape = undefined;
    if (escape.startsWith("u")) {
      const code = Number.parseInt(escape.slice(1), 16);
      this.#take(Number.isNaN(code) ? "" : String.fromCharCode(code));
    } else this.#take(ESCAPES[escape] ?? escape);
  }

  #take(char: string): void {
    if (this.#speaking) this.#text += char;
    else if (this.#isKey()) this.#string += char;
  }

  #close(): void {
    this.#inString = false;
    if (this.#speaking) this.#done = !this.#all;
    else if (this.#isKey()) this.#levels.at(-1)!.key = this.#string;
  }

  /** True if the string that is read is a key. */
  #isKey(): boolean {
    const level = this.#levels.at(-1);
    return level?.list === false && level.key === undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
};

const tokens = memo(() => z.int().min(0));

/** Usage of one reply, as read from a file; without a price where the agent knows none. */
export const replyUsage = memo(() => {
  return z.object({
    inputTokens: tokens(),
    cachedInputTokens: tokens(),
    outputTokens: tokens(),
    reasoningTokens: tokens().optional(),
    cacheWriteTokens: tokens().optional(),
    embeddingTokens: tokens().optional(),
    costUsd: z.union([z.number().min(0), z.literal("unknown")]).exactOptional(),
  });
});

/** One call of a tool, as it is read from a file. */
export const toolTrace = memo(() =>
  z.object({
    tool: z.string(),
    args: z.unknown(),
    result: z.string(),
    failed: z.boolean(),
  })
);

/** Provenance that a provider gave with a reply. */
export const servedReply = memo(() =>
  z.object({
    model: z.string().exactOptional(),
    fingerprint: z.string().exactOptional(),
    requestId: z.string().exactOptional(),
    cap: tokens().exactOptional(),
    effort: z.string().exactOptional(),
  })
);
