// The built-in rubrics.
import rubrics from "../data/rubrics.json" with { type: "json" };
import { ConfigurationError } from "../core/error.ts";
import type { Rubric } from "../core/outcome.ts";
import { didYouMean } from "../core/text.ts";
import { checkRubric } from "./scoring.ts";

/** A built-in rubric, stored as JSON because every debate loads one at its start and YAML is slower to parse. */
interface RubricData {
  readonly scale: readonly number[];
  readonly weights: readonly number[];
  /** Ids of the criteria that refuted claims cap. */
  readonly evidence?: readonly string[];
  /** Ids of the criteria for answers to other sides. */
  readonly answers?: readonly string[];
  /** By criterion id: the description, then the texts of the anchors. */
  readonly criteria: Readonly<Record<string, readonly string[]>>;
  /** Texts of the rubric's own anchors. */
  readonly anchors: readonly string[];
}

/** Lower ends of the anchors of built-in rubrics, in tenths of the scale. */
const FROM = { rubric: [9, 7, 5, 3, 0], criterion: [2, 5, 8] } as const;

/** Id of a built-in rubric. */
export type RubricName = keyof typeof rubrics;

const BUILT_IN: Readonly<Record<RubricName, RubricData>> = rubrics;

/** Ids of the built-in rubrics, reserved for them. */
export const RUBRICS: readonly string[] = Object.keys(BUILT_IN);

/** Returns a built-in rubric. Throws a `ConfigurationError` that lists the ids if there is none with this id. */
export function rubricNamed(name: string): Rubric {
  if (!isBuiltIn(name)) {
    throw new ConfigurationError(`Cannot use rubric "${name}": there is no rubric of that name`, {
      field: "rubric",
      hint: `${didYouMean(name, RUBRICS)}Built in: ${
        RUBRICS.join(", ")
      }. Write any other out, or give a YAML file where files are read.`,
    });
  }
  const { scale: [least = 0, most = 0], weights, criteria, anchors, ...marked } = BUILT_IN[name];
  const anchored = (words: readonly string[], tenths: readonly number[]) =>
    words.map((means, at) => ({ from: tenths[at]! * most / 10, means }));
  return checkRubric({
    id: name,
    scale: [least, most],
    criteria: Object.entries(criteria).map(([id, [description = "", ...words]], at) => ({
      id,
      weight: weights[at]!,
      description,
      ...(marked.evidence?.includes(id) ? { evidence: true } : {}),
      ...(marked.answers?.includes(id) ? { answers: true } : {}),
      anchors: anchored(words, FROM.criterion),
    })),
    anchors: anchored(anchors, FROM.rubric),
  });
}

function isBuiltIn(name: string): name is RubricName {
  return Object.hasOwn(BUILT_IN, name);
}
