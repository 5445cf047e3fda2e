import { ENGLISH, FOREIGN, VERBS } from "../grammar_words.ts";
import {
  AUXILIARIES,
  DETERMINERS,
  FINITE_VERBS,
  FOREIGN_DETERMINERS,
  FOREIGN_OTHERS,
  GERUND_NOUNS,
  NOUN_ENDING,
  OF_STUDIES,
  OTHERS,
  PAPER_VERBS,
  PREPOSITIONS,
  THIN,
} from "./key_words.ts";
import { isOrder, proseBlocks, splitSentences } from "./quotable.ts";

/** A noun phrase of a text. */
interface Term {
  readonly words: readonly string[];
  /** How often it stands with a definite article, with an indefinite one, with none. */
  the: number;
  a: number;
  bare: number;
  /** From how it is written within a sentence to how often. */
  readonly forms: Map<string, number>;
}

/** How many key terms are wanted, and what they should be near to. */
export interface KeyTermOptions {
  /** The most terms. @default 12 */
  readonly most?: number;
  /** Terms with words of it come first. @default none */
  readonly title?: string;
}

/** The prose of a text as words and marks, without what follows the heading of its references. */
function tokensOf(text: string): string[] {
  const at = text.search(
    /^#*[ \t]*(?:\d+\.?[ \t]*)?(?:references|bibliography|works cited|literatur(?:verzeichnis)?|referencias|bibliografía)[ \t]*$/imu,
  );
  const body = at > text.length / 3 ? text.slice(0, at) : text;
  const words = /[\p{L}\p{N}][\p{L}\p{N}’']*(?:-[\p{L}\p{N}]+)*|[^\s\p{L}\p{N}’']/gu;
  const tokens: string[] = [];
  for (const { text: block } of proseBlocks(body)) {
    for (const sentence of splitSentences(block.replace(/-\n\s*(?=\p{Ll})/gu, ""))) {
      if (isOrder(sentence)) continue;
      for (const token of sentence.match(words) ?? []) tokens.push(token);
      tokens.push(".");
    }
  }
  return tokens;
}

/** Whether most small words of a text are English; a text without any is taken for it. */
export function isEnglishText(text: string): boolean {
  let [english, foreign] = [0, 0];
  for (const word of text.slice(0, 40_000).toLowerCase().match(/\p{L}+/gu) ?? []) {
    if (ENGLISH.has(word)) english++;
    if (FOREIGN.has(word)) foreign++;
  }
  return english >= foreign &&
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Cyrillic}]/u.test(text.slice(0, 300));
}

/**
 * What a text speaks of most, as noun phrases that can follow a preposition or a modal verb's clause, best first; none
 * where it says too little. Their number is not told: sentences made with them use modal verbs only.
 */
export function keyTerms(text: string, { most = 12, title = "" }: KeyTermOptions = {}): string[] {
  const tokens = tokensOf(text);
  if (!isEnglishText(text)) return foreignTerms(tokens, most);
  const named = new Set(title.toLowerCase().match(/\p{L}+/gu) ?? []);
  const nouns = nounsIn(tokens);
  const terms = new Map<string, Term>();
  for (const run of runsIn(tokens)) count(terms, run, nouns);
  const rated = [...terms.values()].map((term) => ({ term, rate: rateOf(term, named) }))
    .filter(({ rate }) => rate > 0).sort((a, b) => b.rate - a.rate);
  const chosen: Term[] = [];
  for (const { term } of rated) {
    if (chosen.length >= most) break;
    if (!chosen.some((other) => overlaps(other, term))) chosen.push(term);
  }
  const small = new Set(tokens.filter((token) => /^\p{Ll}/u.test(token)));
  return chosen.map((term) => written(term, small));
}

interface Run {
  readonly words: readonly string[];
  /** What stands before, in lower case; `.` at the beginning of a sentence. */
  readonly left: string;
  readonly right: string;
}

/** The longest rows of words that may be terms. */
function* runsIn(tokens: readonly string[]): Generator<Run> {
  let words: string[] = [];
  let left = ".";
  for (const token of tokens) {
    const small = token.toLowerCase();
    if (isContent(small)) {
      words.push(token);
      continue;
    }
    if (words.length > 0) yield { words, left, right: small };
    words = [];
    left = small;
  }
}

function isContent(word: string): boolean {
  if (!/^\p{L}/u.test(word) || word.length < 3 && !/^\p{Lu}+$/u.test(word)) return false;
  if (DETERMINERS.has(word) || PREPOSITIONS.has(word) || AUXILIARIES.has(word)) return false;
  if (OTHERS.has(word) || /ly$/u.test(word) || /['’]/u.test(word)) return false;
  const base = word.replace(/(?<=s|x|ch|sh|o)es$|s$/u, "");
  if (PAPER_VERBS.has(word) || PAPER_VERBS.has(base)) return false;
  return !VERBS.has(word) && !VERBS.has(base) || NOUN_ENDING.test(word);
}

function isVerb(word: string): boolean {
  return AUXILIARIES.has(word) || FINITE_VERBS.has(word);
}

const AFTER_NOUN = /^(?:of|[.,;:)])$/u;

/** Words that stand where only nouns stand, somewhere in the text. */
function nounsIn(tokens: readonly string[]): ReadonlySet<string> {
  const nouns = new Set<string>();
  for (const { words, left, right } of runsIn(tokens)) {
    const last = words.at(-1)!.toLowerCase();
    const opens = DETERMINERS.has(left) || PREPOSITIONS.has(left);
    const alone = words.length === 1 && opens && AFTER_NOUN.test(right);
    if (alone || (isVerb(right) && !/ed$/u.test(last))) nouns.add(last);
    if (PREPOSITIONS.has(left) && /[^su]s$/u.test(last)) nouns.add(last);
    if (right === "of" && opens && !/(?:ed|ful|able|ous|ive)$/u.test(last)) nouns.add(last);
  }
  return nouns;
}

function isNoun(word: string, nouns: ReadonlySet<string>): boolean {
  if (/ed$/u.test(word) || (/ing$/u.test(word) && !GERUND_NOUNS.has(word) && !nouns.has(word))) {
    return false;
  }
  if (/(?:al|ous|ive|ful|able|ible|ic|less|ish|ary)$/u.test(word) && !nouns.has(word)) return false;
  const singular = word.replace(/ies$/u, "y").replace(/s$/u, "");
  return nouns.has(word) || nouns.has(singular) || nouns.has(`${word}s`) || NOUN_ENDING.test(word);
}

function count(terms: Map<string, Term>, { words, left, right }: Run, nouns: ReadonlySet<string>) {
  if (words.length > 3 || right === "-") return;
  const [first, last] = [words[0]!.toLowerCase(), words.at(-1)!.toLowerCase()];
  const opens = DETERMINERS.has(left) || PREPOSITIONS.has(left);
  if (!opens && !/^(?:[.,;:(]|and|or|that)$/u.test(left)) return;
  if (/ing$/u.test(first) && !GERUND_NOUNS.has(first)) return;
  if (!isNoun(last, nouns) || OF_STUDIES.has(last) || (words.length === 1 && THIN.has(last))) {
    return;
  }
  const key = words.map((word) => word.toLowerCase()).join(" ");
  const term = terms.get(key) ??
    { words: key.split(" "), the: 0, a: 0, bare: 0, forms: new Map<string, number>() };
  terms.set(key, term);
  if (left === "a" || left === "an") term.a++;
  else if (DETERMINERS.has(left)) term.the++;
  else if (PREPOSITIONS.has(left) || isVerb(right) || PREPOSITIONS.has(right)) term.bare++;
  const form = words.join(" ");
  if (left !== ".") term.forms.set(form, (term.forms.get(form) ?? 0) + 1);
}

function rateOf({ words, the, a, bare, forms }: Term, named: ReadonlySet<string>): number {
  const seen = the + a + bare;
  const name = words.length === 1 && [...forms.keys()].some((form) => /^\p{Lu}\p{Ll}/u.test(form));
  if (seen === 0 || name || (words.length === 1 && words[0]!.length < 4)) return 0;
  const near = words.filter((word) => named.has(word)).length / words.length;
  const single = words.length === 1 && seen === 1 ? 0.4 : 1;
  return Math.sqrt(seen) * [0, 0.7, 1.7, 1.4][words.length]! * single * (1 + near);
}

function overlaps(a: Term, b: Term): boolean {
  const stem = (word: string) => word.replace(/ies$/u, "y").replace(/s$/u, "");
  const shared = a.words.filter((word) => b.words.some((other) => stem(other) === stem(word)));
  return shared.length >= Math.min(a.words.length, b.words.length);
}

/** With the article that keeps it right in any sentence: plurals and what the text uses without one have none. */
function written({ words, the, a, bare, forms }: Term, small: ReadonlySet<string>): string {
  const most = [...forms].sort((x, y) => y[1] - x[1])[0]?.[0] ?? words.join(" ");
  const form = most.split(" ")
    .map((word) => small.has(word.toLowerCase()) ? word.toLowerCase() : word).join(" ");
  const last = words.at(-1)!;
  const plural = /[^su]s$/u.test(last) && !/(?:ics|sis|us)$/u.test(last);
  return plural || (bare > 0 && bare >= a && bare * 2 >= the) ? form : `the ${form}`;
}

/** In a language other than English: the words that follow its articles most often. */
function foreignTerms(tokens: readonly string[], most: number): string[] {
  const counts = new Map<string, number>();
  const german = tokens.some((token) => /^(?:und|nicht|wird)$/u.test(token));
  tokens.forEach((token, i) => {
    const before = tokens[i - 1]?.toLowerCase() ?? "";
    if (!/^\p{L}[\p{L}-]{4,}$/u.test(token) || FOREIGN_OTHERS.has(token.toLowerCase())) return;
    const noun = german
      ? /^\p{Lu}/u.test(token) && before !== "."
      : FOREIGN_DETERMINERS.has(before);
    if (noun) counts.set(token, (counts.get(token) ?? 0) + 1);
  });
  const stems = new Set<string>();
  return [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word).filter((word) => {
    const stem = word.toLowerCase().slice(0, 6);
    if (stems.has(stem)) return false;
    stems.add(stem);
    return true;
  }).slice(0, most);
}
