// Full-text search by keywords: extraction of terms, ranking, and snippets around matches.
import { languageOf, termReader, wordsOf } from "./words.ts";
import { pause } from "./clock.ts";
import { memoByText, tally } from "./values.ts";
import { cutAtWord, foldedText, proseLine } from "./text.ts";

// A dynamic import: modules that need keywords import this one lazily, so that no other module waits for the stemmer.
const { stemmer } = await import("stemmer");

interface Word {
  /** Normalized form: without letter case, diacritics and English endings. */
  readonly term: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
  /** End in the text, exclusive, in UTF-16 units. */
  readonly end: number;
}

/** Word of a text that is searched: unlike in a count of words, a full stop or a colon between letters ends the word. */
const SEARCHED =
  /[\p{L}\p{N}\p{M}\p{Pc}\u200c\u200d]+(?:(?:(?<=\p{L})['·‘’](?=\p{L})|(?<=\p{N})['.,;‘’](?=\p{N}))[\p{L}\p{N}\p{M}\p{Pc}\u200c\u200d]+)*/gu;

/** The most signs after a word: each is one more term, so that a long row of signs would fill the memory. */
const TWO_SIGNS = /[+#]{2}$/;

/** Yields the words of a text in any script; `C++` and `C#` are yielded in addition to `C`. */
export function* words(text: string): Generator<Word> {
  for (const { text: word, start } of wordsOf(text, SEARCHED)) {
    let term = termOf(word);
    let end = start + word.length;
    yield { term, start, end };
    for (; (text[end] === "+" || text[end] === "#") && !TWO_SIGNS.test(term); end++) {
      term += text[end];
      yield { term, start, end: end + 1 };
    }
  }
}

/** Returns the terms of a text, in order. */
export function terms(text: string): string[] {
  return Array.from(words(text), ({ term }) => term);
}

/** Elided word or article before a word, as in the French `l'école`, the Italian `dell'acqua` and the Arabic `الحافلات`. */
const ELISION =
  /^(?:[a-z]{1,6}'(?=[a-z]{3})|(?:[وفبک]?ال|[وف]?لل)(?:ال)?(?=\p{sc=Arab}{2})(?!له$))/u;

/** Normalizes a word to its term; memoized. */
const termOf = memoByText(20_000, (word) => {
  const bare = foldedText(word).replace(/'s$/, "").replace(ELISION, "");
  return STEMMED.test(bare) ? stemmer(bare) : bare.replace(PARTICLE, "");
});

/**
 * Particles of a Korean noun, which are written as the end of the word: “버스는”, “버스에서는”. All are removed, so that a noun that
 * ends like a particle is the same term with and without one.
 */
const PARTICLE =
  /(?<=[가-힣]{2})(?:들|은|는|이|가|을|를|의|에|에서|에게|와|과|도|만|로|으로|까지|부터|보다|처럼){1,4}$/;

/** Words that are stemmed. The stemmer is made for English; words of other languages are at least stemmed consistently. */
const STEMMED = /^[a-z]{3,}$/;

/** Extracts the terms that carry a text's subject. */
type KeyWords = (text: string) => Set<string>;

/** Loads the extractor of key terms: all terms except function words of the text's language and single letters. */
export async function keyWords(): Promise<KeyWords> {
  const reader = await termReader();
  return (text) => {
    const language = languageOf(reader.read(text));
    const key = new Set<string>();
    for (const { term, start, end } of words(text)) {
      const word = text.slice(start, end).toLowerCase().replaceAll("’", "'");
      // The lists contain "not", but not its contractions.
      if (word.endsWith("n't")) continue;
      if (/\p{N}/u.test(word) || reader.termOf(word, language) !== undefined) key.add(term);
    }
    return key;
  };
}

/** Terms of a text in the form that is searched. */
export interface TermList {
  /** The terms in order, each between two line breaks. */
  readonly lines: string;
  /** Number of different terms. */
  readonly different: number;
}

/** Returns the terms of a text in the form that is searched. */
export function termList(text: string): TermList {
  const all = terms(text);
  return { lines: `\n${all.join("\n")}\n`, different: new Set(all).size };
}

/** Term list of a title; memoized, because many documents have the same title, such as the name of their speaker. */
const titleTerms = memoByText(1000, termList);

interface KeywordHit<T> {
  readonly item: T;
  /** Relevance: over 0 to 1, the best document of a query having 1. */
  readonly score: number;
  /** Absolute relevance, over 0 to 1: near 1 if the document has every word of the query, whatever the other documents have. */
  readonly fit: number;
  /** Matching terms of the document. */
  readonly terms: ReadonlySet<string>;
}

/** Weight of a prefix match, which decreases by a share of the letters that the word has in addition. */
const PREFIX = { weight: 0.3, decrease: 0.3 } as const;
/** Minimum length of a term for prefix matches. */
const PREFIX_LENGTH = 5;
/** Weights of the fields: title, text. */
const FIELD_WEIGHTS = [2, 1] as const;
/** Parameters of BM25+: saturation of repeated terms, weight of a field's length, and least value of a term. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 } as const;
/** Factor of BM25+ for a term that occurs once in a document of average length. */
const SINGLE_OCCURRENCE = 1.5;

/**
 * Ranks documents by one query (BM25+). Of each document only the length and the counts of the query's terms are kept. Any
 * text is a valid query, never a pattern. A term of five or more letters, or of two in Korean, also matches longer words as a
 * prefix, with less weight. Function words of the query's language count only if the query has no other words.
 */
export class KeywordRanking<T> {
  readonly #asked: readonly string[];
  readonly #pattern: RegExp;
  readonly #found: { readonly item: T; readonly lengths: readonly number[] }[] = [];
  /** For each matching term and field: numbers in `#found`, each followed by the count of the term. */
  readonly #occurrences = new Map<string, [title: number[], text: number[]]>();
  /** Sums of the lengths of all documents, by field. */
  readonly #lengths: [title: number, text: number] = [0, 0];
  #documents = 0;

  /** Creates a ranking without documents. */
  constructor(query: string, keyTerms: KeyWords) {
    const key = keyTerms(query);
    this.#asked = [...(key.size > 0 ? key : new Set(terms(query)))];
    const patterns = this.#asked.map((term) =>
      RegExp.escape(term) + (isPrefix(term) ? "[^\\n]*" : "")
    );
    this.#pattern = new RegExp(`(?<=\n)(?:${patterns.join("|") || "(?!)"})(?=\n)`, "g");
  }

  add(item: T, text: TermList, title = ""): void {
    this.#documents++;
    const fields = [titleTerms(title), text];
    let number: number | undefined;
    for (const [field, { lines, different }] of fields.entries()) {
      this.#lengths[field]! += different;
      for (const [term, count] of tally(lines.match(this.#pattern) ?? [])) {
        number ??= this.#found.push({ item, lengths: fields.map((each) => each.different) }) - 1;
        const occurrences = this.#occurrences.getOrInsertComputed(term, () => [[], []]);
        occurrences[field]!.push(number, count);
      }
    }
  }

  /** Returns the documents with any term of the query, best first, and in the order of addition among equals. */
  hits(): KeywordHit<T>[] {
    const hits = this.#found.map(({ item }) => ({
      ...{ item, score: 0, asked: 0 },
      terms: new Set<string>(),
    }));
    let full = 0;
    for (const asked of this.#asked) {
      const scores = this.#scores(asked, (number, term) => hits[number]!.terms.add(term));
      for (const [number, score] of scores) {
        hits[number]!.score += score;
        hits[number]!.asked++;
      }
      full += this.#rarity(scores.size) * SINGLE_OCCURRENCE * this.#asked.length;
    }
    for (const hit of hits) hit.score *= hit.asked;
    hits.sort((a, b) => b.score - a.score);
    const best = hits[0]?.score ?? 1;
    return hits.map(({ item, score, terms }) => {
      const fit = Math.min(1, Number((score / full).toPrecision(2)));
      return { item, score: score / best, fit, terms };
    });
  }

  /** Returns the scores of the documents for a term of the query, by number. */
  #scores(asked: string, onMatch: (number: number, term: string) => void): Map<number, number> {
    const scores = new Map<number, number>();
    for (const [term, fields] of this.#occurrences) {
      const weight = matchWeight(asked, term);
      if (weight === 0) continue;
      for (const [field, occurrences] of fields.entries()) {
        const rarity = this.#rarity(occurrences.length / 2);
        const average = this.#lengths[field]! / this.#documents;
        for (let at = 0; at < occurrences.length; at += 2) {
          const [number, count] = [occurrences[at]!, occurrences[at + 1]!];
          const length = this.#found[number]!.lengths[field]! / average;
          const { k, b, d } = BM25;
          const value = d + count * (k + 1) / (count + k * (1 - b + b * length));
          const score = weight * FIELD_WEIGHTS[field]! * rarity * value;
          scores.set(number, (scores.get(number) ?? 0) + score);
          onMatch(number, term);
        }
      }
    }
    return scores;
  }

  #rarity(count: number): number {
    return Math.log(1 + (this.#documents - count + 0.5) / (count + 0.5));
  }
}

function isPrefix(term: string): boolean {
  return term.length >= PREFIX_LENGTH || /^[가-힣]{2}/.test(term);
}

/** Returns the weight of a document's term for a term of the query; 0 without a match. */
function matchWeight(asked: string, term: string): number {
  if (term === asked) return 1;
  if (!isPrefix(asked) || !term.startsWith(asked)) return 0;
  return PREFIX.weight * term.length /
    (term.length + PREFIX.decrease * (term.length - asked.length));
}

/** Items whose terms are found per task: about 50 ms of passages. */
const ITEMS_PER_TASK = 200;

/**
 * Finds the terms of items; returns a function that ranks the items with any term of a query, as {@linkcode KeywordRanking} does.
 * A title has twice the weight of the text.
 */
export async function keywordIndex<
  T extends { readonly text: string; readonly title?: string | undefined },
>(items: readonly T[]): Promise<(query: string) => KeywordHit<T>[]> {
  const keyTerms = await keyWords();
  const lists: TermList[] = [];
  for (const { text } of items) {
    if (lists.push(termList(text)) % ITEMS_PER_TASK === 0) await pause(1);
  }
  return (query) => {
    const ranking = new KeywordRanking<T>(query, keyTerms);
    for (const [at, item] of items.entries()) ranking.add(item, lists[at]!, item.title);
    return ranking.hits();
  };
}

/** Maximum length of a snippet, in code points. */
const SNIPPET_LENGTH = 200;

/**
 * Returns the part of a text with the most of `terms` (normalized as by {@linkcode words}), or its beginning without any:
 * one line of plain text, at most 200 code points.
 */
export function snippetOf(body: string, terms: ReadonlySet<string>): string {
  const line = proseLine(body);
  if (line.length <= SNIPPET_LENGTH) return line;
  const all = [...words(line)];
  const found = all.filter(({ term }) => terms.has(term));
  let anchor = 0;
  let most = 0;
  for (const [i, { start }] of found.entries()) {
    const near = new Set<string>();
    for (let at = i; at < found.length && found[at]!.end <= start + SNIPPET_LENGTH * 0.7; at++) {
      near.add(found[at]!.term);
    }
    if (near.size <= most) continue;
    most = near.size;
    anchor = start;
  }
  const lead = all.find(({ start }) => start >= anchor - SNIPPET_LENGTH * 0.25)?.start ?? 0;
  return cutAtWord(lead <= (all[0]?.start ?? 0) ? line : `…${line.slice(lead)}`, SNIPPET_LENGTH);
}
