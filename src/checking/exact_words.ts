// Words that rest on a text: found in the text, and given as the text has them.
import { PassageFinder, wordWeight } from "../core/passage_finder.ts";

/** The fewest words of a quotation that something rests on. */
const LEAST_WORDS = 2;
/** The most UTF-16 units of the words. */
const LENGTH = 500;

/**
 * The words of a quotation as the text has them, as one line of at most 500 characters; undefined where they are not in
 * the text, or are fewer than two words.
 */
export function exactWords(quote: string, text: string): string | undefined {
  const place = wordWeight(quote) < LEAST_WORDS ? undefined : new PassageFinder(text).find(quote);
  if (place === undefined) return undefined;
  // A place ends at words; a mark of code at an edge of the quotation is kept.
  const start = place.start - Number(quote.startsWith("`") && text[place.start - 1] === "`");
  const end = place.end + Number(quote.endsWith("`") && text[place.end] === "`");
  const words = text.slice(start, end).replace(/\s+/gu, " ");
  // An ellipsis would stand for words that are left out.
  return words.length <= LENGTH ? words : words.slice(0, LENGTH).replace(/\s\S*$/u, "");
}
