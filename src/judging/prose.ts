// Winners and numbers that the prose of a judge names.
import type { Score } from "../core/fact.ts";

/** A side, and what prose may call it. */
export interface NamedSide {
  /** The participant's id. */
  readonly id: string;
  /** Its label, and whatever else it is called. */
  readonly names: readonly string[];
}

/** How a side is marked in the text: its number between two characters that no text uses. */
const SIDE = "\uE000(\\d+)\uE001";
const ANY_SIDE = "\uE000\\d+\uE001";

/** What makes a finding one about the whole debate. */
const WHOLE =
  /\b(?:overall|on (?:the whole|balance)|in (?:the end|sum|total)|all (?:things considered|in all|told)|taken (?:together|as a whole)|ultimately|(?:the|this) (?:whole |entire )?debate|winner|victor|my vote|over all turns)\b/iu;

/** “If A had …” decides nothing; “even if” does. */
const CONDITIONAL = /(?<!\beven )\b(?:if|unless|whether|were it not|only when|but only)\b/iu;

/** Before a finding, these make it none: a negation, a doubt, or what somebody else says. */
const HEDGED =
  /n[’']t\b|\b(?:not|no|never|neither|nor|nobody|nothing|cannot|hardly|would|could|might|may|had|tempting|hard to|difficult to|claim\w*|argu(?:e|es|ed|ing)|assert\w*|says?|said|believes?d?|hopes?d?|wants?|tr(?:y|ies|ied)|seeks?|sought|suggest\w*|predict\w*)\b/iu;

/** A clause that begins so is about a part of the debate, unless it goes on as {@linkcode NO_PART} says. */
const PART =
  "(?:on|in|as (?:for|to)|regarding|concerning|judged|measured|purely|during|within|until|initially|at first|early)";
const NO_PART =
  "(?:balance|points|reflection|spite|all|both|short|sum|total|conclusion|light of|view of|account|favou?r|my|(?:the|its|this|terms of the) (?:whole|end|final|overall|merits?|record|strength|basis|debate))";
const OPENS_PART = new RegExp(`^(?:and |so |then )?${PART}\\b(?! ${NO_PART}\\b)`, "iu");

/** A heading that introduces the finding about the whole; any other introduces one about a part. */
const CONCLUDES =
  /\b(?:overall|winner|verdict|vote|decision|result|conclusion|finding|outcome|judge?ment|final|short|sum|summary|end|balance|whole|reasons?)\b/iu;

const ADVERB =
  "(?:clearly|narrowly|just|still|thus|therefore|overall|then|easily|barely|decisively|convincingly|slightly|ultimately|finally|nevertheless|nonetheless|really|on balance|on the whole|in the end|in my view|by a \\w+ margin)";
const SUBJECT =
  `${SIDE}(?:[’']s? (?:overall )?(?:case|arguments?|side|position|performance|reasoning))?(?: (?:who|that|which))?(?: ${ADVERB})*`;

const DEBATE =
  "(?: (?:the|this) (?:(?:whole|entire) )?(?:debate|day|match|contest|vote|comparison|exchange as a whole))";
/** No part follows. */
const NOT_A_PART = `(?! (?:on|in|for the part) (?!${NO_PART}\\b))`;
/** What may follow a verb that has no object: with anything else, a part is won. */
const END =
  `(?=$|\\s*[,;:.!?)–—]| (?:${ADVERB}|and|because|since|as|for|by|thanks|due|outright|of the two|comfortably|(?:on|in) ${NO_PART}|(?:over|against|than) ${ANY_SIDE})(?:\\b|(?<=\uE001))${NOT_A_PART})`;
const BETTER =
  "(?:much |far |slightly |somewhat |more or less )?(?:stronger|better|strongest|best|(?:more|most) (?:convincing|convincingly|persuasive|persuasively|compelling|compellingly))(?: (?:side|case|argument|arguments|advocate|debater|speaker|performance))?";

/** Findings by themselves. */
const FOUND = [
  `${SUBJECT} (?:wins?|won|has won|carries|carried|takes|took|edges)${DEBATE}\\b${NOT_A_PART}`,
  `${SUBJECT} (?:wins?|won|has won|prevails?|prevailed|should win|deserves to win|(?:comes?|came) out (?:on top|ahead))${END}`,
  `${SUBJECT} (?:is|was|remains|emerges as|comes out as) (?:(?:the|my|overall|clear|narrow|deserved) )*(?:winner|victor)\\b(?! (?:of|on|in) (?!(?:the|this) (?:whole )?debate))`,
  `${SUBJECT} (?:deserves|gets|has|earns|takes) (?:the win|(?:the )?victory|my vote)\\b${NOT_A_PART}`,
  `${SUBJECT} (?:beats|beat|defeats|defeated) ${ANY_SIDE}${NOT_A_PART}`,
  `\\b(?:winner|victor)(?: of (?:the|this) debate)?(?: is| was)?(?: clear)?\\s*[:=–—-]?\\s*${SIDE}${NOT_A_PART}`,
  `\\bI (?:${ADVERB} )*(?:vote for|side with|find for|decide for|choose|pick|(?:award|give) (?:the (?:debate|win|victory)|victory|my vote) to|(?:find|decide|rule|judge) in favou?r of) ${SIDE}${NOT_A_PART}`,
  `\\bI (?:${ADVERB} )*(?:declare|name|judge|consider|call) ${SIDE}(?: as)?(?: the)?(?: overall| clear)? (?:winner|victor)\\b`,
  `\\bmy (?:vote|verdict|decision) (?:is|goes) (?:for|to|in favou?r of) ${SIDE}${NOT_A_PART}`,
  `\\b(?:the (?:debate|win|victory|day)|victory) (?:goes|belongs|falls|is awarded) to ${SIDE}${NOT_A_PART}`,
  `\\bdebate (?:is|was|has been) won by ${SIDE}`,
  `\\b(?:loses|lost|is beaten|is defeated) (?:to|by) ${SIDE}${NOT_A_PART}`,
].map((pattern) => new RegExp(pattern, "giu"));

/** Findings where the sentence speaks of the whole. */
const COMPARED = [
  `${SUBJECT} (?:is|are|was|were|makes?|made|has|had|presents?|presented|offers?|offered|argues?|argued|does|did)(?: ${ADVERB})*(?: the| a)? ${BETTER}${END}`,
  `${SUBJECT} (?:has|had|holds|gets|is)(?: the edge| ahead)${END}`,
  `\\bthe edge (?:goes|falls|belongs) to ${SIDE}${NOT_A_PART}`,
].map((pattern) => new RegExp(pattern, "giu"));

/** A side that loses: of two, the other wins. */
const LOST = new RegExp(
  `${SUBJECT} (?:loses|lost|has lost)(?:${DEBATE}\\b${NOT_A_PART}|${END})`,
  "giu",
);

/** That a side wins, and whether that is expressly said of the whole. */
interface Finding {
  readonly side: number;
  readonly whole: boolean;
}

/**
 * The sides that a judge's reasons name as winner of the whole debate, as ids; English prose alone is understood. It goes
 * by the wording of single clauses and rather finds nothing than what is not said: a part that is won, a condition, a
 * negation, or what a side claims does not count; and where one finding is expressly about the whole, others do not.
 */
export function winnersInProse(prose: string, sides: readonly NamedSide[]): string[] {
  const found = sentencesOf(marked(prose, sides))
    .filter((sentence) => !CONDITIONAL.test(sentence))
    .flatMap((sentence) => findingsIn(sentence, sides.length));
  const whole = found.filter((each) => each.whole);
  const counted = whole.length > 0 ? whole : found;
  return [...new Set(counted.map(({ side }) => sides[side]!.id))];
}

/** The text with sides as marks, without emphasis, and without quotations of more than a name. */
function marked(prose: string, sides: readonly NamedSide[]): string {
  const names = sides.flatMap((side, index) => side.names.map((name) => ({ name, index })))
    .map(({ name, index }) => ({ name: name.trim(), index }))
    .filter(({ name }) => name !== "")
    .sort((a, b) => b.name.length - a.name.length);
  let text = prose.replace(/[\uE000\uE001]/gu, "").replace(/[*_`#>]+/gu, "");
  for (const { name, index } of names) {
    const pattern = name.replace(/[*_`#>]+/gu, "").replace(/[.+?^${}()|[\]\\]/g, "\\$&")
      .replace(/\s+/g, "\\s+");
    // A short name in another case is another word: "A" and "a", "Con" and "con".
    const flags = name.length > 3 ? "giu" : "gu";
    const word = new RegExp(`(?<![\\p{L}\\p{N}\uE000])${pattern}(?![\\p{L}\\p{N}\uE001])`, flags);
    text = text.replace(word, `\uE000${index}\uE001`);
  }
  return text.replace(/[“"«][^”"»\n]* [^”"»\n]*[”"»]/gu, "…").replace(/[“”"«»]/gu, "");
}

/** “…, on balance, …” */
const ASIDE = new RegExp(`, (${ADVERB}|however|though|in sum|all in all), `, "giu");
const CONTRAST =
  /,? \b(?:but|however|although|though|while|whereas|yet|despite)\b,? |^(?:but|although|though|while|whereas|despite)\b,? |(?<=\uE001[^,]*), (?=\uE000)/iu;

function findingsIn(sentence: string, sides: number): Finding[] {
  const ofWhole = WHOLE.test(sentence);
  return sentence.replace(ASIDE, " $1 ").split(CONTRAST).flatMap((clause) => [
    ...findings(clause, FOUND),
    ...(ofWhole ? findings(clause, COMPARED) : []),
    ...(sides === 2 ? findings(clause, [LOST]) : []).map((each) => ({
      ...each,
      side: 1 - each.side,
    })),
  ]);
}

function findings(clause: string, patterns: readonly RegExp[]): Finding[] {
  return patterns.flatMap((pattern) => [...clause.matchAll(pattern)])
    .filter(({ index }) => isFinding(clause.slice(0, index)))
    .map(([, side]) => ({ side: Number(side), whole: WHOLE.test(clause) }));
}

/** Whether what stands before it in its clause leaves it the judge's own finding about the whole. */
function isFinding(before: string): boolean {
  if (OPENS_PART.test(before)) return false;
  const heading = /^(.*):[^:]*$/u.exec(before);
  if (heading !== null && !CONCLUDES.test(heading[1]!)) return false;
  const nearest = before.slice(Math.max(before.lastIndexOf(","), before.lastIndexOf(":")) + 1);
  return !HEDGED.test(nearest) && !/\uE001,? (?:and|or) $/u.test(before);
}

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
const HEDGED_NUMBER =
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
  const matches = sentencesOf(withCriteriaMarked(prose, subjects))
    .flatMap((sentence) => PATTERNS.flatMap((pattern) => [...sentence.matchAll(pattern)]));
  return matches.flatMap(({ groups = {}, index, input, 0: text }) => {
    const { of, value: digits = "", outOf } = groups;
    const value = Number(digits);
    const before = input.slice(0, index + text.indexOf(digits));
    if (
      value < least || value > most || (outOf !== undefined && Number(outOf) !== most) ||
      HEDGED_NUMBER.test(before.slice(before.lastIndexOf(",") + 1))
    ) return [];
    const tolerance = 0.5 * 10 ** -(digits.split(".")[1]?.length ?? 0) + 1e-9;
    return [{ of: of === undefined ? undefined : subjects[Number(of)], value, tolerance }];
  });
}

/** The text with the names of criteria, and of the total, as marks; without emphasis. */
function withCriteriaMarked(prose: string, subjects: readonly string[]): string {
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

/** The sentences of a prose text, each in one line; a line break and a semicolon end one too. */
export function sentencesOf(prose: string): string[] {
  return prose.split(/(?<=[.!?])\s|\n|;/u)
    .map((each) => each.replace(/\s+/gu, " ").trim()).filter((each) => each !== "");
}
