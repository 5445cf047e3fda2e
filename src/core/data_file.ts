// Parsing of the user's YAML files, personas and rubrics. Only convenings with such a file load this module and its parser.
import { parse } from "@std/yaml";
import { z } from "zod";
import { IN_PLAIN_WORDS } from "./check_fields.ts";
import { ConfigurationError, errorMessage } from "./error.ts";
import { isObject } from "./values.ts";

/** Kind, path and schema of a YAML file. */
interface DataFileOptions<T> {
  /** Kind of file in errors, such as `rubric`. */
  readonly what: string;
  /** Path in errors. */
  readonly path: string;
  /** Schema, built from {@linkcode mapping} and {@linkcode plainText} so that errors list the allowed values. */
  readonly schema: z.ZodType<T>;
  /** Description of the required contents in one sentence; the hint of every error. */
  readonly hint: string;
}

/** Maximum number of characters of a file. */
const MAX_LENGTH = 100_000;

/** Control characters other than line breaks, and lone surrogates. */
const UNPRINTABLE = /(?![\r\n])\p{Cc}|\p{Cs}/u;

/** Makes a schema for text: 1 to `most` code points after trimming, no control characters other than line breaks. */
export function plainText(most: number): z.ZodType<string> {
  return z.string(`a text of 1 to ${most} characters is allowed`).trim()
    .refine((text) => text !== "" && [...text].length <= most, {
      error: ({ input }) =>
        `it has ${[...String(input)].length} characters, 1 to ${most} are allowed`,
    })
    .refine(
      (text) => !UNPRINTABLE.test(text),
      "control characters other than line breaks are not allowed",
    );
}

/** Makes a schema for a mapping with exactly these keys. */
export function mapping<S extends z.core.$ZodLooseShape>(
  shape: S,
): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape, `the keys ${Object.keys(shape).join(", ")} are allowed`);
}

/** Parses and validates a YAML file. Throws a `ConfigurationError` with file, key, value and the allowed values. */
export function readDataFile<T>(text: string, options: DataFileOptions<T>): T {
  const data = parseYaml(text, options);
  if (!isObject(data)) {
    throw fileError("it is not a mapping of keys to values", options);
  }
  const result = options.schema.safeParse(data, IN_PLAIN_WORDS);
  if (result.success) return result.data;
  const { issues } = result.error;
  // A misspelt key gives two issues: an unknown key, and a missing key.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0]!;
  throw issueError(data, issue, options);
}

function parseYaml(text: string, options: DataFileOptions<unknown>): unknown {
  if (text.length > MAX_LENGTH) {
    throw fileError(`it has ${text.length} characters, at most ${MAX_LENGTH} are allowed`, options);
  }
  try {
    return parse(text.replace(/^\uFEFF/, ""), { schema: "core" });
  } catch (cause) {
    const [reason = ""] = errorMessage(cause).split("\n");
    throw fileError(`it is not valid YAML: ${reason.replace(/[.:]$/, "")}`, options);
  }
}

function issueError(
  data: unknown,
  issue: z.core.$ZodIssue,
  options: DataFileOptions<unknown>,
): ConfigurationError {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const where = path === "" ? "" : ` in ${path}`;
    return fileError(`unknown key "${issue.keys[0]}"${where}: ${issue.message}`, options);
  }
  const value = issue.path.reduce<unknown>((at, part) => Object(at)[part], data);
  return fileError(`${path} is ${valueText(value)}: ${issue.message}`, options);
}

/** Describes a value in a few words; never prints a list or mapping, which YAML aliases can make endless. */
function valueText(value: unknown): string {
  if (value === undefined) return "not there";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function fileError(
  state: string,
  { what, path, hint }: DataFileOptions<unknown>,
): ConfigurationError {
  return new ConfigurationError(`Cannot use the ${what} "${path}": ${state}`, {
    field: path,
    hint,
  });
}
