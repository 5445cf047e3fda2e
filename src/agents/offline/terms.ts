import { wordsOf } from "./domains.ts";

const COMMON: ReadonlySet<string> = new Set(
  ("about above after again against also although always another because been before being below between both cannot could does " +
    "doing down during each even every from further have having here into itself just know less like made make many more most much " +
    "must need never only other ought over rather same should since some still such than that their them then there these they thing " +
    "think this those though through under until upon very want well were what when where whether which while will with within " +
    "without would your yours ourselves himself herself nothing something someone somebody anyone anything everything else ever often " +
    "seldom rarely says said argues held holds the and for are but not you all can her was one our out has had how its may who did " +
    "get him his she too any yet now own way why let put say per few far off nor")
    .split(" "),
);

/** Writing that puts no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The words that carry a text's subject, endings cut off so that forms of one word meet. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const [acronym] of text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}{2}(?![\p{L}\p{N}])/gu)) {
    terms.add(acronym.toLowerCase());
  }
  for (const word of wordsOf(text)) {
    if (UNSPACED.test(word)) {
      const letters = [...word];
      for (let i = 1; i < letters.length; i++) terms.add(letters[i - 1]! + letters[i]!);
    } else if (/\d/u.test(word) || (word.length > 2 && !COMMON.has(word))) {
      terms.add(stem(word));
    }
  }
  return terms;
}

/** How much of some terms is among others, from 0 to 1; 0 of none. */
export function shareIn(terms: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (terms.size === 0) return 0;
  let shared = 0;
  for (const term of terms) if (others.has(term)) shared++;
  return shared / terms.size;
}

/** How much two sets have in common of all they hold, from 0 to 1. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** A word without the endings of number, tense and person. */
function stem(word: string): string {
  if (word.length < 5 || /\d/u.test(word)) return word;
  const cut = word.replace(/(?:ies|ied)$/u, "y").replace(/(?:ing|edly|ed|es|s|ly)$/u, "");
  return (cut.length < 3 ? word : cut).replace(/e$/u, "").replace(/([^aeiou])\1$/u, "$1");
}
