import { ConfigurationError } from "../core/error.ts";
import type { Persona } from "../core/persona.ts";
import economist from "../data/personas/economist.yaml" with { type: "text" };
import engineer from "../data/personas/engineer.yaml" with { type: "text" };
import historian from "../data/personas/historian.yaml" with { type: "text" };
import lawyer from "../data/personas/lawyer.yaml" with { type: "text" };
import philosopher from "../data/personas/philosopher.yaml" with { type: "text" };
import { readPersona } from "./read_persona.ts";
import scientist from "../data/personas/scientist.yaml" with { type: "text" };

/** YAML, as a user would write it: a convening without personas loads none of this. */
const BUILT_IN: Readonly<Record<string, string>> = {
  scientist,
  philosopher,
  economist,
  engineer,
  lawyer,
  historian,
};

/** The ids of the built-in personas. */
export const PERSONAS: readonly string[] = Object.keys(BUILT_IN);

/** The built-in persona of an id. Throws a `ConfigurationError` that lists them for any other. */
export function personaNamed(id: string): Persona {
  if (!Object.hasOwn(BUILT_IN, id)) {
    throw new ConfigurationError(`Cannot use persona "${id}": there is none of that name`, {
      field: "persona",
      hint: `Built in: ${PERSONAS.join(", ")}. Any other is a YAML file.`,
    });
  }
  return readPersona(BUILT_IN[id]!, `${id}.yaml`);
}
