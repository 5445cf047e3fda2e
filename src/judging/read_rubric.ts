// Reads rubrics from YAML.
import { z } from "zod";
import { mapping, plainText, readDataFile } from "../core/data_file.ts";
import type { Rubric } from "../core/outcome.ts";
import { checkRubric } from "./scoring.ts";
import { RUBRICS } from "./rubrics.ts";

const number = z.number("a number is allowed");
/** Schema of a rubric's id, as in records and front matter. */
const id = z.string("a text is allowed").regex(
  /^[a-z][a-z0-9_-]{0,63}$/,
  "a small letter, then small letters, digits, '-' and '_' are allowed, at most 64",
);
const weight = number.min(0, "0 to 1 is allowed").max(1, "0 to 1 is allowed");

const ANCHORS = z.array(mapping({ from: number, means: plainText(500) }), "a list is allowed")
  .max(20, "at most 20 are allowed");

const SCHEMA = mapping({
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
    schema: SCHEMA,
    hint:
      "A rubric is YAML with the keys id, scale ([0, 10]), criteria (each with id, weight, description, and answers: true where only answers are scored on it, evidence: true where refuted claims cap it, anchors of its own; the weights " +
      "sum to 1) and anchors (each with from, means).",
  });
  const sorted = anchors.toSorted((a, b) => b.from - a.from);
  return checkRubric({ ...rubric, anchors: sorted }, path);
}
