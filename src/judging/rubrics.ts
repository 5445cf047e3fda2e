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

/** A rubric as JSON holds it: every debate needs one at its start, where a YAML parser would cost more than all else. */
interface RubricData extends Omit<Rubric, "scale"> {
  readonly scale: readonly number[];
}

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
  const data = BUILT_IN[name];
  return checkRubric({ ...data, scale: [data.scale[0]!, data.scale[1]!] });
}

function isBuiltIn(name: string): name is RubricName {
  return Object.hasOwn(BUILT_IN, name);
}
