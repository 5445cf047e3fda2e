// Personas: the built-in ones, and the reading of their YAML.
import documents from "../data/personas.yaml" with { type: "text" };
import { mapping, plainText, readDataFile } from "../core/data_file.ts";
import { ConfigurationError } from "../core/error.ts";
import { type Persona, personaText } from "../core/participant.ts";
import { z } from "zod";
import { didYouMean } from "../core/words.ts";

/** YAML by id, as a user would write it: a convening without personas loads none of this. */
const BUILT_IN: Readonly<Record<string, string>> = Object.fromEntries(
  documents.split("---\n").map((yaml) => [/^name: (.+)/.exec(yaml)![1]!.toLowerCase(), yaml]),
);

export const PERSONAS: readonly string[] = Object.keys(BUILT_IN);

/** The built-in persona of an id. Throws a `ConfigurationError` that lists them for any other. */
export function personaNamed(id: string): Persona {
  if (!Object.hasOwn(BUILT_IN, id)) {
    throw new ConfigurationError(`Cannot use persona "${id}": there is none of that name`, {
      field: "persona",
      hint: `${didYouMean(id, PERSONAS)}Built in: ${
        PERSONAS.join(", ")
      }. Any other is a YAML file.`,
    });
  }
  return readPersona(BUILT_IN[id]!, `${id}.yaml`);
}

/** The most code points of all a persona says: it stands whole in each of its participant's prompts. */
const MOST = 4000;

const ID = /^[a-z][a-z0-9_-]{0,63}$/;

const text = plainText(MOST);
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
 * The persona a YAML file holds; its id is the file's name where it gives none. Throws a `ConfigurationError` that names
 * the file, the key, its value and what is allowed; together its texts have at most 4,000 characters.
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
  if (length > MOST) {
    throw unusable(path, `it has ${length} characters together, at most ${MOST} are allowed`);
  }
  return persona;
}

/** `My Nurse.yaml` gives `my-nurse`. */
function idOf(path: string): string {
  const stem = path.split(/[\\/]/).at(-1)!.replace(/\.[^.]*$/, "");
  const id = stem.toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  if (!ID.test(id)) {
    throw unusable(path, "id is not there, and the file's name gives none: begin it with a letter");
  }
  return id;
}

function unusable(path: string, state: string): ConfigurationError {
  return new ConfigurationError(`Cannot use the persona "${path}": ${state}`, {
    field: path,
    hint: HINT,
  });
}
