// Reads personas and rubrics from YAML: the user's files, and the built-in personas.
import { z } from "zod";
import { dataId, rubricShape } from "../config/setting_shapes.ts";
import { IN_PLAIN_WORDS, problemsOf } from "../core/check_fields.ts";
import { ConfigurationError, type FieldProblem, MOST_PROBLEMS, statesOf } from "../core/error.ts";
import type { Rubric } from "../core/outcome.ts";
import { type Persona, personaText } from "../core/participant.ts";
import { isObject } from "../core/values.ts";
import { counted, didYouMean, thousands } from "../core/text.ts";
import { yamlIn } from "../core/yaml.ts";
import documents from "../data/personas.yaml" with { type: "text" };
import { checkRubric, RUBRICS } from "../judging/scoring.ts";

interface DataFile<S extends z.ZodObject = z.ZodObject> {
  /** Kind of file in errors, such as `rubric`. */
  readonly what: string;
  /** Path in errors. */
  readonly path: string;
  readonly schema: S;
  /** Description of the required contents in one sentence; the hint of every error. */
  readonly hint: string;
}

/** Maximum number of characters of a file. */
const MAX_FILE = 100_000;

/** Schema of a text: not blank, trimmed, no control characters other than line breaks, no lone surrogates. */
const text = z.string().trim().min(1).regex(
  /^(?:[\r\n]|[^\p{Cc}\p{Cs}])*$/u,
  "control characters other than line breaks are not allowed",
);

/** Parses and validates a YAML file. Throws a `ConfigurationError` with the file and every wrong key, its value and the allowed values. */
function readDataFile<S extends z.ZodObject>(yaml: string, file: DataFile<S>): z.infer<S> {
  if (yaml.length > MAX_FILE) {
    throw fileError(
      `it has ${counted(yaml.length, "character")}, at most ${thousands(MAX_FILE)} are allowed`,
      file,
    );
  }
  const data = yamlIn(yaml, (problem) => fileError(`it is not valid YAML: ${problem}`, file));
  if (!isObject(data)) throw fileError("it is not a mapping of keys to values", file);
  const result = file.schema.safeParse(data, IN_PLAIN_WORDS);
  if (result.success) return result.data;
  const names = { whole: file.what, part: "key" };
  const problems = problemsOf(data, { issues: result.error.issues, names })
    .slice(0, MOST_PROBLEMS);
  throw fileError(statesOf(problems), file, problems);
}

function fileError(
  state: string,
  { what, path, hint }: DataFile,
  problems: readonly FieldProblem[] = [],
): ConfigurationError {
  const hints = problems.map((each) => `${each.field}: ${each.hint}`);
  return new ConfigurationError(`Cannot use the ${what} "${path}": ${state}`, {
    field: path,
    hint: [...hints, hint].join("\n"),
    ...problems.length > 1 && { fields: problems },
  });
}

/** YAML of the built-in personas by id. */
const BUILT_IN: Readonly<Record<string, string>> = Object.fromEntries(
  documents.split("---\n").map((yaml) => [/^name: (.+)/.exec(yaml)![1]!.toLowerCase(), yaml]),
);

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

const texts = z.array(text).default([]);

const PERSONA = z.strictObject({
  id: dataId.optional(),
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
      `it has ${counted(length, "character")} together, at most ${
        thousands(MAX_PERSONA)
      } are allowed`,
      file,
    );
  }
  return persona;
}

/** Derives an id from a file's name: `my-nurse` from `My Nurse.yaml`. */
function idOf(file: DataFile): string {
  const stem = file.path.split(/[\\/]/).at(-1)!.replace(/\.[^.]*$/, "");
  const id = stem.toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  if (dataId.safeParse(id).success) return id;
  throw fileError(
    "it has no id, and its file name gives none: begin the file name with a letter",
    file,
  );
}

const shape = rubricShape(text);
const RUBRIC = shape.extend({
  id: shape.shape.id.refine(
    (name) => !RUBRICS.includes(name),
    "it is the id of a built-in rubric; take another",
  ),
  anchors: shape.shape.anchors.default([]),
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
