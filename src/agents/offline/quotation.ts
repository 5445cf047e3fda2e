import { wordsOf } from "./domains.ts";
import { CONNECTIVES } from "./leads.ts";
import { lowerFirst } from "./topic_grammar.ts";

/** How a passage is chosen and cut. */
export interface PassageOptions {
  /** Which passage, from 0 for the most telling. @default 0 */
  readonly rank?: number;
  /** The most words. @default 25 */
  readonly maxWords?: number;
  /** Whether a sentence may be cut at a comma or colon. @default true */
  readonly clip?: boolean;
}

/** The sentences of a text, without markdown marks, in order. */
export function sentencesOf(text: string): string[] {
  return text.replace(/^[#>\s*-]+/gmu, "").replace(/[*_`]+/gu, "")
    .split(
      /(?<=[.!?…。！？؟]["”’)]?)(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|approx|e\.g|i\.e)\.)\s+|\n{2,}/u,
    ).map((each) => each.trim())
    .filter((each) => /[\p{L}\p{N}]/u.test(each));
}

/**
 * The most telling passage of a text in quotation marks, ready to follow “that”; undefined when nothing in it is worth
 * quoting. Claims come before asides, commands, first persons and passages that quote already.
 */
export function passageOf(
  text: string,
  topic: string,
  options: PassageOptions = {},
): string | undefined {
  const { rank = 0, maxWords = 25, clip = true } = options;
  const about = new Set(wordsOf(topic).filter((word) => word.length > 3));
  const rated = sentencesOf(text.slice(0, 6000)).slice(0, 40).map((sentence, place) => ({
    sentence,
    rate: rateOf(withoutConnective(sentence), about) - place * 0.15,
  })).filter(({ rate }) => rate > -4.5).sort((a, b) => b.rate - a.rate);
  const chosen = rated[Math.min(rank, rated.length - 1)];
  if (chosen === undefined) return undefined;
  const plain = withoutConnective(chosen.sentence).replace(/[“”„"«»]/gu, "’");
  const short = cut(plain.replace(/[\s.!?…。！？؟;:,]+$/u, ""), maxWords, clip)
    .replace(/[.!?…。！？؟]+(?=\s)/gu, ",");
  return `“${starts(short, text)}”`;
}

const OPENERS = /^(however|moreover|furthermore|therefore|thus|and|but|yet|so|also|still)[,:]? /iu;

const CONNECTED = Object.values(CONNECTIVES).flat();

function withoutConnective(sentence: string): string {
  const small = sentence.toLowerCase();
  const found = CONNECTED.find((each) => small.startsWith(each));
  return found === undefined ? sentence.replace(OPENERS, "") : sentence.slice(found.length);
}

function rateOf(sentence: string, about: ReadonlySet<string>): number {
  const words = wordsOf(sentence);
  if (words.length < 5) return words.length < 3 ? -9 : -2;
  let rate = words.length > 34 ? -1 : words.length > 26 ? 0 : 1;
  rate += Math.min(2, words.filter((word) => about.has(word)).length * 0.5);
  if (/[“”"«»]/u.test(sentence)) rate -= 6;
  if (/\b(I|my|me|mine)\b/u.test(sentence)) rate -= 5;
  if (/[?]$/u.test(sentence)) rate -= 1.5;
  if (IMPERATIVE.test(sentence)) rate -= 3;
  if (/\b(because|must|should|would|cannot|means|matters?|not)\b/iu.test(sentence)) rate += 0.7;
  if (/^(this|that|these|those|they|he|she|such|it) /iu.test(sentence)) rate -= 0.7;
  return rate;
}

const IMPERATIVE =
  /^(picture|imagine|think|consider|take|ask|stand|spend|look|walk|watch|notice|suppose|compare|let|give|hand|put|sit|follow|read|say|tell|explain|remember|try|make|write|draw|bring|seat|weigh|count|change|swap|admittedly|granted)\b/iu;

const SUBORDINATE =
  /^(when|if|where|as|once|unless|until|although|though|because|whoever|whatever|what|while|before|over|by)\b/iu;

function cut(sentence: string, maxWords: number, clip: boolean): string {
  const words = sentence.split(/\s+/u);
  if (clip) {
    const strong = sentence.search(/;|:| – | — /u);
    const head = strong === -1 ? sentence : sentence.slice(0, strong);
    if (
      words.length > maxWords && head.split(/\s+/u).length >= 10 &&
      head.split(/\s+/u).length <= maxWords
    ) return head;
  }
  if (words.length > maxWords) {
    const start = words.slice(0, maxWords).join(" ");
    const comma = start.lastIndexOf(",");
    const enough = comma > 0 && start.slice(0, comma).split(/\s+/u).length >= 7;
    const main = !SUBORDINATE.test(start) || start.indexOf(",") < comma;
    if (enough && main) return start.slice(0, comma);
    return `${start.replace(/[,;:]+$/u, "")} …`;
  }
  return [...sentence].length > 240 ? [...sentence].slice(0, 200).join("") + " …" : sentence;
}

/** A first word that is also written small somewhere, or is no name for certain, is written small. */
function starts(passage: string, text: string): string {
  const word = /^[\p{L}’'-]+/u.exec(passage)?.[0] ?? "";
  const small = word.toLowerCase();
  const common = COMMON.has(small) || /(ing|ly)$/u.test(small) || text.includes(` ${small} `);
  return common ? lowerFirst(passage) : passage;
}

const COMMON = new Set(
  "the a an it this that these those there what when where while if although because people we they our most many some every each no nobody not nothing one those who before between behind over by on in at for with from without unless until once as to here whatever whoever half much more all any both either neither certain good bad great common shared clear ordinary small large one anyone everyone someone something everything under whether how why such their his her its your my is are do does can could should would will must may might has have had and or but so yet still even only just"
    .split(" "),
);
