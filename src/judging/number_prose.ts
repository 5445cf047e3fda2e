import type { Score } from "../core/fact.ts";
import { sentencesOf } from "./sentences.ts";

/** A number that a judge's reasons state as a score. */
export interface StatedNumber {
  /** A criterion's id or `total`; undefined where it is not said what it is for. */
  readonly of: string | undefined;
  /** On the score's scale. */
  readonly value: number;
  /** How far the number that is meant may be from it: half of its last digit. */
  readonly tolerance: number;
}

/** What a number is for, as marked in the text: its place in a list between two characters that no text uses. */
const MARK = "\uE000(?<of>\\d+)\uE001";
const VALUE = "(?<![\\d.])(?<value>\\d{1,3}(?:\\.\\d{1,4})?)";
const OUT_OF = "\\s?(?:/|out of)\\s?(?<outOf>\\d{1,3})";
/** What a score goes on with; a count goes on with what it counts. */
const ENDS =
  "(?=\\s*(?:$|[,;)\\]!?]|\\.(?:\\s|$))|\\s+(?:and|because|since|as|for|but|overall|in total)\\b)";
const NUMBER = `${VALUE}(?:${OUT_OF})?${ENDS}`;
const FOR = "(?:for|on|in)(?: (?:its|the|their))? ";

const PATTERNS: readonly RegExp[] = [
  // "clarity: 8"
  `${MARK}(?: score)?\\s*[:=–—-]\\s*${NUMBER}`,
  // "clarity is an 8", "a total of 8"
  `${MARK}(?: score)? (?:is|was|gets|earns|scores|rates|merits|deserves|receives|of)(?: (?:a|an|just|only|rated|scored|given|at))* ${NUMBER}`,
  // "clarity is fair (5.3)"
  `${MARK}[^\\uE000.;:()\\d]{0,40}\\(${NUMBER}`,
  // "clarity 8/10"
  `${MARK},? ${VALUE}${OUT_OF}${ENDS}`,
  // "I give clarity an 8"
  `\\b(?:give|award|rate|score|grade|mark)s? ${MARK}(?: (?:a|an|at))* ${NUMBER}`,
  // "8 for clarity"
  `${VALUE}(?:${OUT_OF})? ${FOR}${MARK}`,
  // "I give 8/10": without what it is out of, it may be any number
  `\\b(?:give|award|score|rate|grade|mark|earn|deserve|merit|get)s?\\b[^.;:\\d\\uE000]{0,40}${VALUE}${OUT_OF}${ENDS}(?! ${FOR}\\uE000)`,
].map((pattern) => new RegExp(pattern, "giu"));

/** What stands before a number that is not the score given. */
const HEDGED =
  /n[’']t\b|\b(?:if|unless|not|could|might|would have|short of|rather than|instead of|up to|at most|maximum|between|from|than|(?:rounds?|turns?) \d+)\b/iu;

/**
 * The numbers within the scale that a judge's reasons state as scores. It rather misses one than takes a count, a
 * condition or a comparison for a score; English prose alone is understood.
 */
export function statedNumbers(
  prose: string,
  { weights, scale: [least, most] }: Pick<Score, "weights" | "scale">,
): StatedNumber[] {
  const subjects = [...Object.keys(weights), "total"];
  const matches = sentencesOf(marked(prose, subjects))
    .flatMap((sentence) => PATTERNS.flatMap((pattern) => [...sentence.matchAll(pattern)]));
  return matches.flatMap(({ groups = {}, index, input, 0: text }) => {
    const { of, value: digits = "", outOf } = groups;
    const value = Number(digits);
    const before = input.slice(0, index + text.indexOf(digits));
    if (
      value < least || value > most || (outOf !== undefined && Number(outOf) !== most) ||
      HEDGED.test(before.slice(before.lastIndexOf(",") + 1))
    ) return [];
    const tolerance = 0.5 * 10 ** -(digits.split(".")[1]?.length ?? 0) + 1e-9;
    return [{ of: of === undefined ? undefined : subjects[Number(of)], value, tolerance }];
  });
}

/** The text with the names of criteria, and of the total, as marks; without emphasis. */
function marked(prose: string, subjects: readonly string[]): string {
  let text = prose.replace(/[\uE000\uE001]/gu, "").replace(/[*`#>|]+/gu, "");
  const longestFirst = [...subjects.entries()].sort(([, a], [, b]) => b.length - a.length);
  for (const [index, subject] of longestFirst) {
    const words = subject === "total"
      ? "(?:total(?: score)?|overall(?: (?:score|mark|rating|grade))?)"
      : subject.replaceAll("_", "[_ -]");
    const word = new RegExp(`(?<![\\p{L}\\p{N}_\uE000])${words}(?![\\p{L}\\p{N}_\uE001])`, "giu");
    text = text.replace(word, `\uE000${index}\uE001`);
  }
  return text;
}
