// Keys of words and names that ignore letter case and punctuation.
import { wordsOf } from "./words.ts";
import { saidLine, withoutListMarker } from "./said_text.ts";

/**
 * Key of a text: equal for texts that differ in letter case, white space and punctuation alone; empty for a text
 * without words.
 */
export function wordKey(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return [...wordsOf(folded)].map(({ text: word }) => word).join(" ");
}

/**
 * The topic that is meant by a name: the one that is written so, else the one of the same words, else, where the name has
 * a list marker before it (`2. Methods`), the one of the words after it.
 */
export function topicNamed(name: string, topics: readonly string[]): string | undefined {
  const line = saidLine(name);
  if (topics.includes(line)) return line;
  for (const key of [wordKey(line), wordKey(withoutListMarker(line))]) {
    const found = key === "" ? undefined : topics.find((topic) => wordKey(topic) === key);
    if (found !== undefined) return found;
  }
  return undefined;
}
