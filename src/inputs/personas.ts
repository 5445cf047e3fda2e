// The built-in personas, and the reader of personas in YAML.
import { z } from "zod";
import documents from "../data/personas.yaml" with { type: "text" };
import { mapping, plainText, readDataFile } from "../core/data_file.ts";
import { ConfigurationError } from "../core/error.ts";
import { type Persona, personaText } from "../core/participant.ts";
import { didYouMean } from "../core/words.ts";

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
      }. Give any other as a YAML file.`,
    });
  }
  return readPersona(BUILT_IN[id]!, `${id}.yaml`);
}

/** The most code points of a persona's texts together: every prompt of the participant holds them all. */
const MAX_LENGTH = 4000;

const ID = /^[a-z][a-z0-9_-]{0,63}$/;

const text = plainText(MAX_LENGTH);
const texts = z.array(text, "a list of texts is allowed").default([]);

const SCHEMA = mapping({
  id: z.string("a text is allowed")
    .regex(ID, "a small letter, then small letters, digits, '-' and '_' are allowed, at most 64")
    .optional(),
  name: text,
  description: text,
  ["reasoning_style"]: text.optional(),
  vocabulary: texts,
  do: texts,
  ["do_not"]: texts,
});

const HINT =
  "A persona is YAML with the texts name and description and, where wanted, the texts reasoning_style and id " +
  "and the lists vocabulary, do and do_not.";

/**
 * Parses a persona in YAML; the default id is derived from the file's name. Throws a `ConfigurationError` that names the file, the key,
 * its value and the allowed values, also if the texts together have more than 4,000 characters.
 */
export function readPersona(yaml: string, path: string): Persona {
  const data = readDataFile(yaml, { what: "persona", path, schema: SCHEMA, hint: HINT });
  const persona: Persona = {
    id: data.id ?? idOf(path),
    name: data.name,
    description: data.description,
    ...data["reasoning_style"] === undefined ? {} : { reasoningStyle: data["reasoning_style"] },
    vocabulary: data.vocabulary,
    does: data.do,
    doesNot: data["do_not"],
  };
  const length = [...personaText(persona)].length;
  if (length > MAX_LENGTH) {
    throw unusable(path, `it has ${length} characters together, at most ${MAX_LENGTH} are allowed`);
  }
  return persona;
}

/** Derives an id from a file's name: `my-nurse` from `My Nurse.yaml`. */
function idOf(path: string): string {
  const stem = path.split(/[\\/]/).at(-1)!.replace(/\.[^.]*$/, "");
  const id = stem.toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  if (!ID.test(id)) {
    throw unusable(
      path,
      "it has no id, and its file name gives none: begin the file name with a letter",
    );
  }
  return id;
}

function unusable(path: string, state: string): ConfigurationError {
  return new ConfigurationError(`Cannot use the persona "${path}": ${state}`, {
    field: path,
    hint: HINT,
  });
}
