// Words of texts as keyword indexes count them.
import { languageOf, termReader } from "./key_terms.ts";
import { onceEach } from "./once_each.ts";

// Modules that need words are loaded where they are needed; no other module waits for this.
const { stemmer } = await import("stemmer");

interface Word {
  /** As it is compared: letter case, diacritics and English endings aside. */
  readonly term: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
  /** End in the text, exclusive. */
  readonly end: number;
}

// One locale for every machine; the script of a text decides how it is taken apart, not the locale.
const SEGMENTER = new Intl.Segmenter("en", { granularity: "word" });
const PICTURE = /^\p{Extended_Pictographic}/u;
/** Texts of which a pattern finds the same words as the segmenter, many times as fast. */
const PLAIN = /^[\0-\x7f·–—‘’“”…]*$/;
const PLAIN_WORD =
  /[A-Za-z0-9_]+(?:(?:(?<=[A-Za-z])['·‘’](?=[A-Za-z])|(?<=[0-9])['.,;‘’](?=[0-9]))[A-Za-z0-9_]+)*/g;

/**
 * The words of a text in any script, by Unicode word boundaries (a dictionary's, where the script writes no spaces).
 * `C++` and `C#` are words of their own besides `C`; so are pictures such as emoji. Nothing else counts.
 */
export function* words(text: string): Generator<Word> {
  if (PLAIN.test(text)) return yield* plainWords(text);
  let last: Word | undefined;
  for (const { segment, index, isWordLike } of SEGMENTER.segment(text)) {
    if (isWordLike || PICTURE.test(segment)) {
      last = { term: termOf(segment), start: index, end: index + segment.length };
      yield last;
    } else if (last?.end === index && /^[+#]$/.test(segment)) {
      last = { term: last.term + segment, start: last.start, end: index + 1 };
      yield last;
    } else last = undefined;
  }
}

function* plainWords(text: string): Generator<Word> {
  for (const { 0: word, index: start } of text.matchAll(PLAIN_WORD)) {
    if (word === "_") continue;
    let term = termOf(word);
    let end = start + word.length;
    yield { term, start, end };
    for (; text[end] === "+" || text[end] === "#"; end++) {
      term += text[end];
      yield { term, start, end: end + 1 };
    }
  }
}

/** The terms of a text's words, in their order. */
export function terms(text: string): string[] {
  if (PLAIN.test(text) && !/[+#]/.test(text)) {
    return (text.match(PLAIN_WORD) ?? []).filter((word) => word !== "_").map(termOf);
  }
  return Array.from(words(text), ({ term }) => term);
}

/** The terms of a message, taken apart once. */
export const termsIn: (message: { readonly body: string }) => readonly string[] = onceEach(
  ({ body }) => terms(body),
);

const known = new Map<string, string>();

/** Words come again and again: what they are compared as is kept for some thousands. */
function termOf(word: string): string {
  let term = known.get(word);
  if (term === undefined) {
    if (known.size >= 20_000) known.clear();
    const bare = folded(word).replace(/'s$/, "");
    known.set(word, term = STEMMED.test(bare) ? stemmer(bare) : bare);
  }
  return term;
}

/** A word without letter case, width, ligatures and the accents of alphabets; vowel signs of other scripts stay. */
function folded(word: string): string {
  const plain = word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
  // By way of capitals, which have no sharp s and no dotless i.
  return plain.replaceAll("’", "'").toUpperCase().toLowerCase();
}

/** Words whose endings the stemmer knows; it is made for English, and what it does to other words it does to all alike. */
const STEMMED = /^[a-z]{3,}$/;

/** Tells the words of texts that say what these are about. */
type KeyWords = (text: string) => Set<string>;

/** A reader of the terms of a text but its language's function words and single letters, in their order. */
export async function keyWords(): Promise<KeyWords> {
  const reader = await termReader();
  return (text) => {
    const { languages } = reader.read(text);
    const language = languageOf({ words: [], languages });
    const key = new Set<string>();
    for (const { term, start, end } of words(text)) {
      const word = text.slice(start, end).toLowerCase().replaceAll("’", "'");
      // The lists know "not", and no word it has grown together with.
      if (word.endsWith("n't")) continue;
      if (/\p{N}/u.test(word) || reader.terms({ words: [word], languages }, language).size > 0) {
        key.add(term);
      }
    }
    return key;
  };
}
