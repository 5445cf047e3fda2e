import { z } from "zod";
import { type Asked, between, phrase } from "./phrasing.ts";
import { sentencesOf } from "./quotation.ts";
import { shareIn, termsOf } from "./terms.ts";

const VerdictData = z.object({
  claim: z.string(),
  hits: z.array(z.object({
    title: z.string().default(""),
    snippet: z.string().default(""),
  })),
});

/** From this share of a claim's terms on, a sentence speaks of it. */
const SPEAKS_OF = 0.5;

/** What one search result says of a claim. */
interface Reading {
  /** Counted from 1, as they were shown. */
  readonly number: number;
  readonly says: "supports" | "contradicts" | "nothing";
  /** How much of the claim it speaks of, from 0 to 1. */
  readonly overlap: number;
}

const SAYS = {
  true: [
    "result {n} [says|states] the same [in other words|of the same matter]",
    "what result {n} [says|reports] [bears the claim out|agrees with the claim]",
  ],
  false: [
    "result {n} [says|states] the opposite of it",
    "what result {n} [says|reports] cannot be [true|the case] together with the claim",
  ],
  mixed: [
    "the results [disagree|contradict each other] about it: some [bear it out|support it], some [deny it|speak against it]",
  ],
  nothing: [
    "none of the results [speaks of|says anything about] what is claimed",
    "the results [touch|concern] other matters and [leave|say nothing on] this one",
  ],
  none: ["there is no result to [hold it against|compare it with]"],
} satisfies Readonly<Record<string, readonly string[]>>;

/** Whether search results bear a claim out, by its terms, numbers and denials. */
export function claimVerdictAnswer({ context, random }: Asked): unknown {
  const data = VerdictData.safeParse(context.data);
  if (!data.success) return undefined;
  const { claim, hits } = data.data;
  const readings = hits.map((hit, i) => readingOf(claim, hit, i + 1));
  const all = (says: Reading["says"]) => readings.filter((each) => each.says === says);
  const [supports, contradicts] = [all("supports"), all("contradicts")];
  const weight = (some: readonly Reading[]) => some.reduce((sum, { overlap }) => sum + overlap, 0);
  const lead = weight(supports) - weight(contradicts);
  const nearest = Math.max(0, ...readings.map(({ overlap }) => overlap));
  if (Math.abs(lead) < 0.25) {
    const says = hits.length === 0 ? SAYS.none : supports.length > 0 ? SAYS.mixed : SAYS.nothing;
    return {
      reason: phrase(says, {}, random),
      verdict: "unverifiable",
      confidence: rounded(between(0.2, 0.75 - nearest * 0.4, 0.8)),
      sources: [],
    };
  }
  const deciding = lead > 0 ? supports : contradicts;
  const verdict = lead > 0 ? "true" : "false";
  const against = weight(lead > 0 ? contradicts : supports);
  const share = weight(deciding) / (weight(deciding) + against);
  return {
    reason: phrase(SAYS[verdict], { n: [String(strongest(deciding).number)] }, random),
    verdict,
    confidence: rounded(
      between(
        0.3,
        (0.45 + 0.4 * strongest(deciding).overlap + 0.05 * deciding.length) * share,
        0.97,
      ),
    ),
    sources: deciding.map(({ number }) => number),
  };
}

function strongest(readings: readonly Reading[]): Reading {
  return readings.reduce((a, b) => b.overlap > a.overlap ? b : a);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function readingOf(
  claim: string,
  { title, snippet }: { readonly title: string; readonly snippet: string },
  number: number,
): Reading {
  const terms = termsOf(claim.replace(/\d[\d.,]*/gu, " "));
  const sentences = sentencesOf(snippet.slice(0, 8000));
  const near = [...sentences, title].map((sentence) => ({
    sentence,
    overlap: shareIn(terms, termsOf(sentence)),
  })).filter(({ overlap }) => overlap >= SPEAKS_OF);
  if (near.length === 0) {
    return { number, says: "nothing", overlap: shareIn(terms, termsOf(snippet)) };
  }
  const best = near.reduce((a, b) => b.overlap > a.overlap ? b : a);
  const denied = near.some(({ sentence }) => denies(claim, sentence)) ||
    sentences.some((sentence) => FLATLY_NOT.test(sentence));
  if (denied) return { number, says: "contradicts", overlap: best.overlap };
  const confirmed = sentences.some((sentence) => FLATLY_SO.test(sentence));
  const missing = numbersIn(claim).length > 0 &&
    !near.some(({ sentence }) => sharesNumber(claim, sentence));
  if (missing && !confirmed) return { number, says: "nothing", overlap: best.overlap };
  return { number, says: "supports", overlap: best.overlap };
}

/** A whole sentence that turns down what the rest of the text repeats, or confirms it. */
const FLATLY_NOT =
  /^(?:(?:in fact|actually|no|verdict|rating|answer|conclusion)\W+)*(?:this|that|it|the (?:claim|statement|idea|belief|story|notion)(?: that [^.]*)?)?\W*(?:is|was|are|has been)?\W*(?:simply |largely |entirely |a |an |widely )*(?:false|untrue|not true|wrong|incorrect|myth|hoax|misleading|debunked|disproved|unfounded|fiction)\b/iu;
const FLATLY_SO =
  /^(?:(?:in fact|actually|yes|verdict|rating|answer)\W+)*(?:this|that|it|the (?:claim|statement)(?: that [^.]*)?)?\W*(?:is|was|has been)?\W*(?:true|correct|accurate|confirmed)\b/iu;

const DENIALS =
  /\b(?:not(?! only)|no(?! doubt)|never|none|nothing|nobody|neither|nor|cannot|without|false|untrue|incorrect|wrong|myth|misconception|mistaken|hoax|debunked|disproved|misleading|unfounded|hardly|fails? to|failed to|failed)\b|n[’']t\b/giu;

/** Whether a sentence about the same matter says otherwise: by a denial, another number, or the other direction. */
function denies(claim: string, sentence: string): boolean {
  const odd = (text: string) => (text.match(DENIALS)?.length ?? 0) % 2 === 1;
  if (odd(claim) !== odd(sentence)) return true;
  const [up, down] = [directionOf(claim), directionOf(sentence)];
  if (up !== 0 && down !== 0 && up !== down) return true;
  const said = numbersIn(sentence);
  const claimed = numbersIn(claim);
  const counted = claimed.filter(({ unit }) => unit !== YEAR);
  return (counted.length > 0 ? counted : claimed).some((one) => {
    const same = said.filter((other) => other.unit === one.unit);
    return same.length > 0 && !same.some((other) => alike(one, other));
  });
}

const UP =
  /\b(increas\w*|ris(?:e|es|ing)|rose|rais\w+|grow\w*|grew|more|higher|longer|faster|larger|gain\w*|improv\w*|doubl\w*|strengthen\w*)\b/iu;
const DOWN =
  /\b(decreas\w*|fall\w*|fell|reduc\w*|lower\w*|less|fewer|shorter|slower|smaller|declin\w*|drop\w*|cut|cuts|worsen\w*|halv\w*|weaken\w*|shrink\w*)\b/iu;

function directionOf(text: string): -1 | 0 | 1 {
  const [up, down] = [UP.test(text), DOWN.test(text)];
  return up === down ? 0 : up ? 1 : -1;
}

/** The unit of a number that looks like a year. */
const YEAR = "year";

interface Quantity {
  readonly value: number;
  /** What is counted; empty where nothing is named. */
  readonly unit: string;
}

const TIMES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/** The numbers of a text with what they count. */
function numbersIn(text: string): Quantity[] {
  const pattern = /(\d[\d.,]*)\s*(thousand|million|billion)?\s*(%|per ?cent|[\p{L}°€$£]+)?/giu;
  return [...text.matchAll(pattern)].flatMap(([, digits = "", times = "", word = ""]) => {
    const plain = digits.replace(/[.,]+$/u, "").replace(/[.,](?=\d{3}(?!\d))/gu, "").replace(
      ",",
      ".",
    );
    const value = Number(plain) * (TIMES[times.toLowerCase()] ?? 1);
    if (!Number.isFinite(value)) return [];
    const year = /^(?:1[5-9]|20|21)\d\d$/u.test(plain) && times === "";
    const unit = /^(?:%|per ?cent)$/iu.test(word) ? "%" : [...termsOf(word)][0] ?? "";
    return [{ value, unit: year ? YEAR : unit }];
  });
}

function sharesNumber(claim: string, sentence: string): boolean {
  const said = numbersIn(sentence);
  return numbersIn(claim).some((one) => said.some((other) => alike(one, other)));
}

/** Whether two numbers may be the same one, roundings aside; a year is a year. */
function alike(one: Quantity, other: Quantity): boolean {
  const gap = Math.abs(one.value - other.value);
  return one.unit === YEAR ? gap === 0 : gap <= 0.02 * Math.max(one.value, other.value);
}
