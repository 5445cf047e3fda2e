// Schemas and their description in words; parsing of structured replies, complete or streamed.
import { z } from "zod";
import { IN_PLAIN_WORDS, remediesOf } from "./check_fields.ts";
import { errorMessage } from "./error.ts";
import { isObject, jsonIn, memo, memoByObject, type Schema } from "./values.ts";
import { foldedText, wellFormed, withOneSpelling } from "./text.ts";

/** Schemas by key; the key is optional if its schema accepts undefined. */
export type SchemaShape = Readonly<Record<string, Schema>>;

/** Type of the values that fit a {@linkcode SchemaShape}, by key. */
export type ValuesOf<S extends SchemaShape> = {
  readonly [K in keyof S]: S[K] extends Schema<infer T> ? T : never;
};

/** Part of JSON Schema that is read. */
export interface Node {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Describes an object schema for a prompt: a line per key, with its type; memoized. */
export const shapeInWords: (type: Schema) => string = memoByObject((type: Schema) => {
  const { properties = {} } = jsonSchemaOf(type);
  return Object.entries(properties).map(([key, node]) => `- ${key}: ${typeInWords(node)}`)
    .join("\n");
});

/**
 * Describes the lines with which a person answers a question: a line per key, with its type and its meaning if it has one. The keys of
 * an object, and the names in the key `on` of a list, have lines of their own. Undefined if lines cannot hold the answer.
 */
export function linesInWords(
  type: Schema,
  meanings: Readonly<Record<string, string>> = {},
): string | undefined {
  const lines = linesFor(jsonSchemaOf(type)).map(([key, what]) => {
    const meaning = meanings[key];
    return what && `- ${key}: ${what}${meaning === undefined ? "" : ` (${meaning})`}`;
  });
  return lines.includes(undefined) ? undefined : lines.join("\n");
}

/** Returns the names of a person's lines with the description of each; undefined for a value that no line can hold. */
function linesFor(
  { properties = {}, required = [] }: Node,
): (readonly [name: string, what: string | undefined])[] {
  return Object.entries(properties).flatMap(([key, node]) => {
    if (node.properties !== undefined) return linesFor(node);
    const names = namesOn(node);
    if (names !== undefined) {
      return names.map((name) =>
        [
          name,
          "agree, disagree 0.8 (how firmly, 0 to 1), abstain, agree if …, or disagree unless …",
        ] as const
      );
    }
    const what = lineWords(node);
    return [[
      key,
      what === undefined || required.includes(key) ? what : `${what}; may be left out`,
    ]];
  });
}

/** Returns the names that a list of objects is on, such as the sides of stances; undefined for any other schema. */
export function namesOn({ items }: Node): readonly string[] | undefined {
  return items?.properties?.["on"]?.enum?.map(String);
}

function lineWords(node: Node): string | undefined {
  if (node.enum !== undefined) return `one of ${node.enum.join(", ")}`;
  if (node.type !== "array") return typeInWords(node);
  const { type, enum: choices } = node.items ?? {};
  if (choices !== undefined) return `lines, each one of ${choices.join(", ")}`;
  return type === "string" ? "texts, one a line" : undefined;
}

/** Converts a schema to JSON Schema, in which a rule that JSON Schema cannot express allows any value; memoized. */
export const jsonSchemaOf: (type: Schema) => Node = memoByObject((type: Schema) =>
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

/** Describes an object; if all keys have the same type, the type is named once. */
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

/** Problem of a structured reply without an object. */
export const NO_OBJECT = "The reply holds no JSON object.";

type Reading<T> =
  | { readonly value: T; readonly problem?: never }
  | { readonly value?: never; readonly problem: string };

/** Parses JSON of the given shape in a reply: the whole reply, a fenced block, or an object within prose. */
export function readStructured<T>(
  text: string,
  type: Schema<T>,
): Reading<T> {
  let unread: string = NO_OBJECT;
  let misfit: string | undefined;
  for (const candidate of jsonCandidates(text)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(candidate.replace(STRING_OR_SIGN, mendedPart));
    } catch (error) {
      unread = `The reply is not valid JSON: ${errorMessage(error)}.`;
      continue;
    }
    try {
      // `jitless`, because zod takes ten times as long to compile a schema as to validate one reply.
      const first = type.safeParse(parsed, IN_PLAIN_WORDS);
      const result = first.success
        ? first
        : type.safeParse(fitted(parsed, jsonSchemaOf(type)), IN_PLAIN_WORDS);
      // A JSON escape can produce a lone surrogate.
      if (result.success) return { value: wellFormed(result.data) };
      misfit = remediesOf(result.error.issues, "the reply");
    } catch (error) {
      // A transform of a program's own schema may throw.
      misfit = errorMessage(error);
    }
  }
  // JSON that does not fit says more than braces in the prose around it.
  return { problem: misfit ?? unread };
}

/** Matches a text of JSON, also one that is cut: without a match, the search would take exponential time. */
const JSON_STRING = /"(?:[^"\\]+|\\[^]?)*"?/g;

const STRING_OR_SIGN = new RegExp(`${JSON_STRING.source}|,(?=\\s*[}\\]])|[：，]`, "g");

/**
 * Escapes line breaks and tabs, which models write into the texts of JSON as they are; removes a comma after the last entry; makes
 * full-width colons and commas between texts narrow.
 */
function mendedPart(part: string): string {
  if (part === ",") return "";
  if (part === "：" || part === "，") return part.normalize("NFKC");
  return part.replace(/[\n\r\t]/g, (char) => JSON.stringify(char).slice(1, -1));
}

/** A number; a comma is a decimal comma after one digit and before one or two, else it may stand in a date or a list. */
const NUMBER = /^-?(?:\d+(?:[.٫]\d+)?|\d,\d{1,2})$/;

/** Returns the number that a text is, in digits of any script; undefined for any other text. */
export function numberOf(text: string): number | undefined {
  const plain = withOneSpelling(text).replace(/[０-９．，－]/g, (sign) => sign.normalize("NFKC"));
  return NUMBER.test(plain) ? Number(plain.replace(/[,٫]/, ".")) : undefined;
}

/**
 * Returns a value that does not fit a schema with the slips of models mended: numbers, `true` and `false` as texts, in digits of any
 * script; a number with its maximum, such as `7/10`; other letter case, width, bold marks or a full stop of fixed words; `null` for a
 * key that may be absent but not null.
 */
function fitted(value: unknown, node: Node): unknown {
  const { type, enum: words, properties, required, items, maximum } = node;
  if (Array.isArray(value)) return value.map((each) => fitted(each, items ?? {}));
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([key, each]) =>
      // A key that may be null has several types, or alternatives instead of a type.
      each !== null || required?.includes(key) === true ||
      typeof properties?.[key]?.type !== "string"
    );
    return Object.fromEntries(
      entries.map(([key, each]) => [key, fitted(each, properties?.[key] ?? {})]),
    );
  }
  if (typeof value !== "string") return value;
  const bare = value.replace(/\*\*/g, "").trim();
  if (type === "number" || type === "integer") {
    return numberOf(bare.replace(RegExp(`\\s*/\\s*${maximum}$`), "")) ?? value;
  }
  const fixed = type === "boolean" ? [true, false] : words ?? [];
  const key = (word: unknown) => foldedText(String(word).replace(/\.$/, ""));
  const same = fixed.filter((each) => key(each) === key(bare));
  return same.length === 1 ? same[0] : value;
}

function* jsonCandidates(text: string): Generator<string> {
  const trimmed = text.trim();
  if (trimmed.startsWith("{") || trimmed.startsWith("[")) yield trimmed;
  for (const [, block] of trimmed.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)```/g)) {
    if (block !== undefined) yield block.trim();
  }
  yield* embeddedObjects(trimmed);
}

/** Yields the outermost balanced `{…}` of a text, in order, ignoring braces in their strings. */
function* embeddedObjects(text: string): Generator<string> {
  const token = new RegExp(`${JSON_STRING.source}|[{}]`, "g");
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", token.lastIndex)) {
    token.lastIndex = start;
    let depth = 0;
    do {
      const sign = token.exec(text)?.[0];
      if (sign === undefined) return;
      if (sign === "{") depth++;
      else if (sign === "}") depth--;
    } while (depth > 0);
    yield text.slice(start, token.lastIndex);
  }
}

interface Level {
  readonly list: boolean;
  /** Key whose value comes next; for a list, the key of the list. */
  key: string | undefined;
}

/** Incremental parser that extracts text fields from a JSON object while it is being streamed. */
export class SpeechStream {
  readonly #fields: ReadonlySet<string>;
  /** True if fields at any depth are extracted, instead of one top-level field. */
  readonly #all: boolean;
  readonly #levels: Level[] = [];
  /** Role of the string that is being read; undefined outside strings. */
  #string: "key" | "speech" | "other" | undefined;
  #key = "";
  /** Escape sequence so far. */
  #escape = "";
  #done = false;
  #text = "";

  /**
   * Makes a parser. A single field is a key of the top-level object; a list of fields matches at any depth, including lists of
   * texts, and the texts are separated by an empty line.
   */
  constructor(fields: string | readonly string[]) {
    this.#all = typeof fields !== "string";
    this.#fields = new Set(typeof fields === "string" ? [fields] : fields);
  }

  /** Extracted text so far. */
  get text(): string {
    return this.#text;
  }

  /** Parses the next piece of the reply and returns the text that it adds. */
  add(piece: string): string {
    const before = this.#text.length;
    for (const char of piece) {
      if (this.#done) break;
      if (this.#string === undefined) this.#step(char);
      else if (this.#escape !== "" || char === "\\") this.#unescape(char);
      else if (char === '"') this.#close();
      else this.#take(char);
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

  #open({ key, list }: Level): void {
    const placed = this.#all || (this.#levels.length === 1 && !list);
    if (key === undefined && !list) {
      this.#string = "key";
      this.#key = "";
    } else if (placed && key !== undefined && this.#fields.has(key)) {
      this.#string = "speech";
      if (this.#text !== "") this.#text += "\n\n";
    } else this.#string = "other";
  }

  /** Decodes an escape sequence when it is complete; of an invalid one, the last character remains. */
  #unescape(char: string): void {
    this.#escape += char;
    if (!/^\\(?:u.{4}|[^u])$/su.test(this.#escape)) return;
    this.#take(String(jsonIn(`"${this.#escape}"`) ?? char));
    this.#escape = "";
  }

  #take(text: string): void {
    if (this.#string === "speech") this.#text += text;
    else if (this.#string === "key") this.#key += text;
  }

  #close(): void {
    if (this.#string === "speech") this.#done = !this.#all;
    else if (this.#string === "key") this.#levels.at(-1)!.key = this.#key;
    this.#string = undefined;
  }
}

const tokens = memo(() => z.int().min(0));

/** Schema of a reply's usage in a file; `costUsd` is absent if the agent knows no price. */
export const replyUsage = memo(() => {
  return z.object({
    inputTokens: tokens(),
    cachedInputTokens: tokens(),
    outputTokens: tokens(),
    reasoningTokens: tokens().optional(),
    cacheWriteTokens: tokens().optional(),
    embeddingTokens: tokens().optional(),
    costUsd: z.union([z.number().min(0), z.literal("unknown")]).exactOptional(),
    tokensEstimated: z.boolean().optional(),
  });
});

/** Schema of the results of a search in a file. */
export const searchHits = memo(() =>
  z.array(z.object({
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    score: z.number().exactOptional(),
  }))
);

/** Schema of a tool call in a file. */
export const toolTrace = memo(() =>
  z.object({
    tool: z.string(),
    args: z.unknown(),
    result: z.string(),
    failed: z.boolean(),
  })
);

/** Schema of a provider's provenance in a file. */
export const servedReply = memo(() =>
  z.object({
    model: z.string().exactOptional(),
    fingerprint: z.string().exactOptional(),
    requestId: z.string().exactOptional(),
    cap: tokens().exactOptional(),
    effort: z.string().exactOptional(),
  })
);
