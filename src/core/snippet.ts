// Snippets of a text around the words of a query.
import { plainLine } from "./text.ts";
import { words } from "./index_words.ts";

/** The most code points of a snippet. */
const SNIPPET_LENGTH = 200;

/** The marks of markdown that say nothing in a line of plain text. */
const MARKS = /^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+|\*\*|`+/gm;

/**
 * The part of a text with the most of `terms` (as `words` compares them), its beginning where it has none: one line of plain
 * text, at most 200 code points.
 */
export function snippetOf(body: string, terms: ReadonlySet<string>): string {
  const line = plainLine(body.replace(MARKS, ""), Infinity);
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
  return cutAtWord(lead <= all[0]!.start ? line : `…${line.slice(lead)}`);
}

function cutAtWord(text: string): string {
  const points = [...text];
  if (points.length <= SNIPPET_LENGTH) return text;
  const cut = points.slice(0, SNIPPET_LENGTH - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > cut.length / 2 ? cut.slice(0, space) : cut}…`;
}
