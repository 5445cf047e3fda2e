// Reads personas and rubrics from YAML: the user's files, and the built-in personas.
import { parse } from "@std/yaml";
import { z } from "zod";
import { IN_PLAIN_WORDS } from "../core/check_fields.ts";
import { ConfigurationError, errorMessage } from "../core/error.ts";
import type { Rubric } from "../core/outcome.ts";
import { type Persona, personaText } from "../core/participant.ts";
import { isObject } from "../core/values.ts";
import { didYouMean } from "../core/words.ts";
import documents from "../data/personas.yaml" with { type: "text" };
import { RUBRICS } from "../judging/rubrics.ts";
import { checkRubric } from "../judging/scoring.ts";

/** Kind, path and schema of a YAML file. */
interface DataFile<T> {
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
const MAX_FILE = 100_000;

/** Control characters other than line breaks, and lone surrogates. */
const UNPRINTABLE = /(?![\r\n])\p{Cc}|\p{Cs}/u;

/** Makes a schema for text: 1 to `most` code points after trimming, no control characters other than line breaks. */
function plainText(most: number): z.ZodType<string> {
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
function mapping<S extends z.core.$ZodLooseShape>(
  shape: S,
): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape, `the keys ${Object.keys(shape).join(", ")} are allowed`);
}

/** Parses and validates a YAML file. Throws a `ConfigurationError` with file, key, value and the allowed values. */
function readDataFile<T>(text: string, options: DataFile<T>): T {
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

function parseYaml(text: string, options: DataFile<unknown>): unknown {
  if (text.length > MAX_FILE) {
    throw fileError(`it has ${text.length} characters, at most ${MAX_FILE} are allowed`, options);
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
  options: DataFile<unknown>,
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
  { what, path, hint }: DataFile<unknown>,
): ConfigurationError {
  return new ConfigurationError(`Cannot use the ${what} "${path}": ${state}`, {
    field: path,
    hint,
  });
}

const ID = /^[a-z][a-z0-9_-]{0,63}$/;
const id = z.string("a text is allowed")
  .regex(ID, "a small letter, then small letters, digits, '-' and '_' are allowed, at most 64");

/** YAML of the built-in personas by id. */
const BUILT_IN: Readonly<Record<string, string>> = Object.fromEntries(
  documents.split("---\n").map((yaml) => [/^name: (.+)/.exec(yaml)![1]!.toLowerCase(), yaml]),
);

/** Ids of the built-in personas. */
export const PERSONAS: readonly string[] = Object.keys(BUILT_IN);

/** Returns a built-in persona. Throws a `ConfigurationError` that lists the ids if there is none with this id. */
export function personaNamed(id: string): Persona {
  if (!Object.hasOwn(BUILT_IN, id)) {
    throw new ConfigurationError(`Cannot use persona "${id}": there is no persona of that name`, {
      field: "persona",
      hint: `${didYouMean(id, PERSONAS)}Built in: ${
        PERSONAS.join(", ")
      }. Write any other out, or give a YAML file where files are read.`,
    });
  }
  return readPersona(BUILT_IN[id]!, `${id}.yaml`);
}

/** The most code points of a persona's texts together: every prompt of the participant holds them all. */
const MAX_PERSONA = 4000;

const text = plainText(MAX_PERSONA);
const texts = z.array(text, "a list of texts is allowed").default([]);

const PERSONA = mapping({
  id: id.optional(),
  name: text,
  description: text,
  ["reasoning_style"]: text.optional(),
  vocabulary: texts,
  do: texts,
  ["do_not"]: texts,
});

const PERSONA_HINT =
  "A persona is YAML with the texts name and description and, where wanted, the texts reasoning_style and id " +
  "and the lists vocabulary, do and do_not.";

/**
 * Parses a persona in YAML; the default id is derived from the file's name. Throws a `ConfigurationError` that names the file, the key,
 * its value and the allowed values, also if the texts together have more than 4,000 characters.
 */
export function readPersona(yaml: string, path: string): Persona {
  const file = { what: "persona", path, schema: PERSONA, hint: PERSONA_HINT };
  const data = readDataFile(yaml, file);
  const persona: Persona = {
    id: data.id ?? idOf(file),
    name: data.name,
    description: data.description,
    ...data["reasoning_style"] === undefined ? {} : { reasoningStyle: data["reasoning_style"] },
    vocabulary: data.vocabulary,
    does: data.do,
    doesNot: data["do_not"],
  };
  const length = [...personaText(persona)].length;
  if (length > MAX_PERSONA) {
    throw fileError(
      `it has ${length} characters together, at most ${MAX_PERSONA} are allowed`,
      file,
    );
  }
  return persona;
}

/** Derives an id from a file's name: `my-nurse` from `My Nurse.yaml`. */
function idOf(file: DataFile<unknown>): string {
  const stem = file.path.split(/[\\/]/).at(-1)!.replace(/\.[^.]*$/, "");
  const id = stem.toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  if (ID.test(id)) return id;
  throw fileError(
    "it has no id, and its file name gives none: begin the file name with a letter",
    file,
  );
}

const number = z.number("a number is allowed");
const weight = number.min(0, "0 to 1 is allowed").max(1, "0 to 1 is allowed");

const ANCHORS = z.array(mapping({ from: number, means: plainText(500) }), "a list is allowed")
  .max(20, "at most 20 are allowed");

const RUBRIC = mapping({
  id: id.refine(
    (name) => !RUBRICS.includes(name),
    "it is the id of a built-in rubric; take another",
  ),
  scale: z.tuple([number, number], "the least and the most are allowed, such as [0, 10]"),
  criteria: z.array(
    mapping({
      id: z.string("a text is allowed").max(64),
      weight,
      description: plainText(1000),
      answers: z.boolean("true or false is allowed").optional(),
      evidence: z.boolean("true or false is allowed").optional(),
      anchors: ANCHORS.optional(),
    }),
    "a list is allowed",
  ).min(1, "one to 20 are allowed").max(20, "one to 20 are allowed"),
  anchors: ANCHORS.default([]),
});

/**
 * Parses a user's rubric: `id`, `scale: [0, 10]`, `criteria` (each with `id`, `weight`, `description`), and optional `anchors` (each
 * with `from`, `means`). Throws a `ConfigurationError` that names the file, the key, its value and the allowed values; the id of a
 * built-in rubric is rejected.
 */
export function readRubric(text: string, path: string): Rubric {
  const { anchors, ...rubric } = readDataFile(text, {
    what: "rubric",
    path,
    schema: RUBRIC,
    hint:
      "A rubric is YAML with the keys id, scale ([0, 10]), criteria (each with id, weight, description, and answers: true where only answers are scored on it, evidence: true where refuted claims cap it, anchors of its own; the weights " +
      "sum to 1) and anchors (each with from, means).",
  });
  const sorted = anchors.toSorted((a, b) => b.from - a.from);
  return checkRubric({ ...rubric, anchors: sorted }, path);
}
