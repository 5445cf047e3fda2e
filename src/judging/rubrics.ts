// The built-in rubrics.
import { ConfigurationError } from "../core/error.ts";
import { checkRubric } from "./scoring.ts";
import type { Rubric } from "../config/convening_config.ts";
import academic from "../data/rubrics/academic.json" with { type: "json" };
import alternating from "../data/rubrics/alternating.json" with { type: "json" };
import conceptual from "../data/rubrics/conceptual.json" with { type: "json" };
import debate from "../data/rubrics/debate.json" with { type: "json" };
import casual from "../data/rubrics/debate_casual.json" with { type: "json" };
import competitive from "../data/rubrics/debate_competitive.json" with { type: "json" };
import educational from "../data/rubrics/debate_educational.json" with { type: "json" };
import { didYouMean } from "../core/near_word.ts";

/** Words of anchors, in the order of {@linkcode FROM}. */
type Anchors = readonly string[];

/** A rubric as JSON holds it: every debate needs one at its start, where a YAML parser would cost more than all else. */
interface RubricData extends Omit<Rubric, "scale" | "criteria" | "anchors"> {
  readonly scale: readonly number[];
  readonly criteria:
    readonly (Omit<Rubric["criteria"][number], "anchors"> & { readonly anchors: Anchors })[];
  readonly anchors: Anchors;
}

/** The beginnings of the anchors of built-in rubrics, in tenths of the scale. */
const FROM = { rubric: [9, 7, 5, 3, 0], criterion: [2, 5, 8] } as const;

/** The id of a built-in rubric. */
export type RubricName =
  | "debate"
  | "academic"
  | "conceptual"
  | "alternating"
  | "debate-casual"
  | "debate-educational"
  | "debate-competitive";

const BUILT_IN: Readonly<Record<RubricName, RubricData>> = {
  debate,
  academic,
  conceptual,
  alternating,
  "debate-casual": casual,
  "debate-educational": educational,
  "debate-competitive": competitive,
};

/** The ids of the built-in rubrics; no other rubric may have one of them. */
export const RUBRICS: readonly string[] = Object.keys(BUILT_IN);

/** The built-in rubric of an id. Throws a `ConfigurationError` that lists them for any other. */
export function rubricNamed(name: string): Rubric {
  if (!isBuiltIn(name)) {
    throw new ConfigurationError(`Cannot use rubric "${name}": there is none of that name`, {
      field: "rubric",
      hint: `${didYouMean(name, RUBRICS)}Built in: ${
        RUBRICS.join(", ")
      }. Any other is a YAML file.`,
    });
  }
  const { id, scale: [least = 0, most = 0], criteria, anchors } = BUILT_IN[name];
  const anchored = (words: Anchors, tenths: readonly number[]) =>
    words.map((means, at) => ({ from: tenths[at]! * most / 10, means }));
  return checkRubric({
    id,
    scale: [least, most],
    criteria: criteria.map((each) => ({
      ...each,
      anchors: anchored(each.anchors, FROM.criterion),
    })),
    anchors: anchored(anchors, FROM.rubric),
  });
}

function isBuiltIn(name: string): name is RubricName {
  return Object.hasOwn(BUILT_IN, name);
}
