import { z } from "zod";
import { wordsOf } from "./domains.ts";
import type { Asked } from "./phrasing.ts";
import { sentencesOf } from "./quotation.ts";
import { termsOf } from "./terms.ts";

const ClaimsData = z.object({ max: z.number().int().min(0), body: z.string().optional() });

/** The most claims of a message where the question does not say. */
const USUAL_MOST = 5;
/** From this rate on a sentence states something that can be looked up. */
const CHECKABLE = 2;
/** The longest claim, in characters. */
const LONGEST = 400;

const SIGNS: readonly (readonly [pattern: RegExp, rate: number])[] = [
  [/\d/u, 2],
  [
    /\b(half|third|quarter|majority|most|dozens?|hundreds?|thousands?|millions?|billions?|percent|twice|double[ds]?)\b/iu,
    0.8,
  ],
  [
    /\b(stud(y|ies)|research|researchers|survey|data|statistics|report(s|ed)?|experiments?|according to|meta-analys[ie]s|census|trials? (show|found)\w*)\b/iu,
    2,
  ],
  [
    /\b(more|less|fewer|higher|lower|larger|smaller|faster|slower|greater|cheaper|older|longer|safer) than\b/iu,
    1,
  ],
  [/\b(first|largest|biggest|oldest|highest|smallest|only|fastest|longest) \p{L}+/iu, 0.6],
  [
    /\b(causes?|caused|leads? to|led to|results? in|resulted in|reduced?s?|increased?s?|lowered|raised|cuts?|prevents?|prevented|kills?|killed|costs?|rose|fell|doubled|halved|destroy(s|ed)?|invented|discovered|founded|introduced|abolished|banned)\b/iu,
    1,
  ],
  [/\b(was|were|has been|have been|became|began|ended)\b/iu, 0.4],
];

const AGAINST: readonly (readonly [pattern: RegExp, rate: number])[] = [
  [/[?？؟]["”’)]*$/u, 4],
  [/\b(I|me|my|mine|we|us|our|you|your)\b/u, 1.5],
  [
    /\b(should|would|could|might|may|ought|must|shall|let us|let me|suppose|imagine|picture|consider|perhaps|maybe)\b/iu,
    1.6,
  ],
  [/^(if|imagine|picture|think|suppose|take|consider|ask|watch|stand|spend|give|put|look)\b/iu, 2],
  [/[“"«]/u, 1.2],
];

/** The sentences of a message that can be looked up, as they stand; none where nothing is stated. */
export function claimsAnswer({ context }: Asked): unknown {
  const data = ClaimsData.safeParse(context.data);
  const most = data.success ? data.data.max : USUAL_MOST;
  const body = (data.success ? data.data.body : undefined) ?? context.about.at(-1)?.body ?? "";
  const labels = [
    context.label,
    ...context.opponents.map(({ label }) => label),
    context.about.at(-1)?.label ?? "",
  ];
  return { claims: claimsIn(body, most, labels).map((text) => ({ quote: text, text })) };
}

/** At most so many sentences that state something, the most telling ones, in the text's order. */
export function claimsIn(body: string, most: number, labels: readonly string[] = []): string[] {
  const seen = new Set<string>();
  return sentencesOf(body.slice(0, 40_000)).map((sentence, place) => ({
    text: sentence.replace(/\s+/gu, " "),
    place,
    rate: rateOf(sentence, labels),
  }))
    .filter(({ text, rate }) => {
      const key = wordsOf(text).join(" ");
      if (rate < CHECKABLE || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .sort((a, b) => b.rate - a.rate || a.place - b.place).slice(0, most)
    .sort((a, b) => a.place - b.place)
    .map(({ text }) =>
      text.length > LONGEST ? `${[...text].slice(0, LONGEST - 2).join("")} …` : text
    );
}

function rateOf(sentence: string, labels: readonly string[]): number {
  const text = labels.reduce(
    (rest, label) => label === "" ? rest : rest.replaceAll(label, "someone"),
    sentence,
  );
  if (termsOf(text).size < 2) return 0;
  let rate = 0;
  for (const [pattern, by] of SIGNS) if (pattern.test(text)) rate += by;
  const names = namesIn(text);
  rate += Math.min(2, names);
  const words = wordsOf(text).length;
  if (names > 0 && /\b(is|are|was|were|has|have|had|lies|borders)\b/u.test(text)) rate += 1;
  if (
    words <= 14 &&
    /\b(is|are|causes?|leads? to|prevents?|kills?|reduces?|increases?)\b/iu.test(text)
  ) rate += 1;
  if (/^(all|no|every|most|many|some|few) \p{L}+ /iu.test(text)) rate += 0.6;
  for (const [pattern, by] of AGAINST) if (pattern.test(text)) rate -= by;
  return words > 45 ? rate - 1 : rate;
}

/** Words within a sentence that are written like names. */
function namesIn(sentence: string): number {
  const found = sentence.match(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}’'-]+/gu) ?? [];
  return new Set(found.filter((word) => !/^I(’|'|$)/u.test(word))).size;
}
