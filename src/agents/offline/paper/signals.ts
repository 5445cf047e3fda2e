/** What a sentence of a paper is good for. */
export type SentenceKind = "finding" | "limit" | "plain";

const FINDING =
  /\b(?:found|finds?|show(?:s|ed|n)?|results?|suggest(?:s|ed)?|indicate[sd]?|increase[sd]?|decrease[sd]?|reduce[sd]?|lower(?:s|ed)?|raise[sd]?|higher|improve[sd]?|rose|fell|gain(?:s|ed)?|associated|correlat\w*|significant(?:ly)?|effects?|outperform\w*|percent|per cent|twice|more than|less than|largest|strongest|most|conclude[sd]?|\p{L}{3,}er than|(?:cool|warm|fast|slow|long|short)er)\b|\d\s?%/giu;
const LIMIT =
  /\b(?:limit(?:s|ed|ations?)?|however|although|only|cannot|could not|did not|does not|do not|was not|were not|is not|are not|no|caution\w*|uncertain\w*|unclear|small|few|lack\w*|bias\w*|confound\w*|remains?|unknown|further research|weak\w*|fail\w*|single|untested|unable|too|rather than)\b/giu;
const CONDITION =
  /\b(?:depend\w*|when|where|if|unless|var(?:y|ies|ied|iation)|differ\w*|conditions?|whereas|while|except|some|under|in most|mainly|smaller|between)\b/giu;

/** How often a sentence sounds like a result, a reservation, a condition. */
export interface Signals {
  readonly finding: number;
  readonly limit: number;
  readonly condition: number;
}

/** Counts the signs of each in an English sentence; in another language there are none. */
export function signalsIn(sentence: string): Signals {
  const hits = (pattern: RegExp) => Math.min(3, sentence.match(pattern)?.length ?? 0);
  return { finding: hits(FINDING), limit: hits(LIMIT), condition: hits(CONDITION) };
}

const PLAIN_LIMIT =
  /\b(?:limitations?|limited|cautio\w*|uncertain\w*|unclear|unknown|small sample|untested|too (?:few|small|short)|(?:are|is) (?:few|small)|only (?:one|two|a|in)|single|remains? (?:open|to be)|further research)\b/iu;
const DENIED =
  /\b(?:cannot|(?:did|was|were|does|do|could|is|are|can) not) (?:\p{L}+ ){0,2}(?:record|measur|know|blind|test|stud|chosen|chose|random|assess|rule|control|includ|collect|tell|say|said|show|establish|general|exclud|separat|explain|decide|follow)/iu;

/** Whether a sentence reports, reserves or neither. */
export function kindOf(sentence: string): SentenceKind {
  const { finding, limit } = signalsIn(sentence);
  if (/\?$/u.test(sentence)) return "plain";
  if (PLAIN_LIMIT.test(sentence) || DENIED.test(sentence) || limit > finding + 1) return "limit";
  return finding > 0 ? "finding" : "plain";
}
