// Parses the YAML files of users.
import { parse } from "@std/yaml";
import { errorMessage } from "./error.ts";
import { INFLATED, isInflated } from "./values.ts";

/** Parses YAML; throws the error that `unusable` makes of the problem for invalid YAML, and for aliases that inflate it. */
export function yamlIn(text: string, unusable: (problem: string) => Error): unknown {
  let value: unknown;
  try {
    value = parse(text.replace(/^\uFEFF/, ""), { schema: "core" });
  } catch (cause) {
    const [problem = ""] = errorMessage(cause).split("\n");
    throw unusable(problem.replace(/[.:]$/, ""));
  }
  if (isInflated(value, text)) throw unusable(INFLATED);
  return value;
}
