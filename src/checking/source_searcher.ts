// Searches a convening's own sources by words and by section.
import { CancelledError } from "../core/error.ts";
import type { Source } from "../core/paper.ts";
import { chunkText, MAX_RESULTS, type Searcher, type SearchHit } from "../core/search.ts";
import { distinctBy } from "../core/values.ts";

const MAX_SECTIONS = 3;
/** The most characters of a source that is returned whole, about the length of five chunks. */
const WHOLE_LENGTH = 2500;
/** Matches a markdown heading, or a line that begins with a number: `## Scope`, `Section 2. Grant`, `4.1) Notices`. */
const HEADING =
  /^[ \t]*(?:(#{1,6})[ \t]+)?(?:(?:section|article|clause|chapter|part|§)[ \t]*)?(?:(\d{1,3}(?:\.\d{1,3})*)[.):]?[ \t]+)?(\S.*)$/gimu;
/** Matches references to sections in a query: `Section 4`, `clauses 2 and 7.1`. */
const NAMED =
  /(?:\b(?:sections?|sec\.|articles?|clauses?|chapters?|parts?|paragraphs?)|§+)\s*((?:\d+(?:\.\d+)*(?:\s*(?:,|and|or|&)\s*)?)+)/giu;

interface Section {
  readonly source: string;
  /** Number, such as `4.1`; empty if the heading has none. */
  readonly number: string;
  /** Words of the heading up to a full stop or colon, in lower case. */
  readonly title: string;
  readonly text: string;
}

/**
 * Creates a searcher over a convening's background files, by words. A section that the query names, by number or by a heading of two
 * or more words, is a whole hit and comes first. A short file is a single hit. Any other hit is a chunk of a file: the title names
 * the file and the first character, the URL is the file's path in the convening's directory, the snippet is the unchanged text.
 */
export function sourceSearcher(sources: readonly Pick<Source, "name" | "text">[]): Searcher {
  let loading: ReturnType<typeof load> | undefined;
  return {
    name: "sources",
    async search(query, { maxResults = MAX_RESULTS, signal } = {}) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const { sections, ranked } = await (loading ??= load(sources));
      const named = namedIn(query, sections).map(({ source, number, title, text }) => ({
        title: `${source}, section ${number || title}`,
        url: `sources/${source}`,
        snippet: text,
        score: 1,
      }));
      const found = ranked(query).map(({ item, score }): SearchHit => {
        const { title: source, start, text, file } = item;
        const url = `sources/${source}`;
        return file.length <= WHOLE_LENGTH
          ? { title: source, url, snippet: file.trim(), passage: text, score }
          : { title: `${source}, from character ${start + 1}`, url, snippet: text, score };
      });
      const isIn = (hits: readonly SearchHit[], { snippet }: SearchHit) =>
        hits.some((hit) => hit.snippet.includes(snippet));
      // Show each text once: drop sections of a whole file, and chunks of a shown section.
      const wholes = found.filter(({ passage }) => passage !== undefined);
      const shown = named.filter((hit) => !isIn(wholes, hit));
      const others = distinctBy(found, ({ snippet }) => snippet)
        .filter((hit) => !isIn(shown, hit));
      return [...shown, ...others].slice(0, maxResults);
    },
  };
}

/** Returns the sections that a query names; sections of files that the query also names come first. */
function namedIn(query: string, sections: readonly Section[]): Section[] {
  const words = query.toLowerCase();
  const numbers = new Set(
    [...query.matchAll(NAMED)].flatMap(([, list]) => list!.match(/[\d.]*\d/g)),
  );
  const isNamed = ({ source }: Section) =>
    source.toLowerCase().split(/[^\p{L}\p{N}]+/u).some((part) =>
      part.length > 2 && words.includes(part)
    );
  return sections.filter(({ number, title }) =>
    numbers.has(number) || (/\s/.test(title) && words.includes(title))
  ).toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a))).slice(0, MAX_SECTIONS);
}

/** Splits a text into sections, each up to the next heading of the same or a higher level. */
function sectionsOf({ name, text }: Pick<Source, "name" | "text">): Section[] {
  const headings = [...text.matchAll(HEADING)]
    .filter(([, marks, number]) => marks !== undefined || number !== undefined)
    .map(({ index, 1: marks, 2: number = "", 3: rest = "" }) => ({
      index,
      number,
      level: marks?.length ?? 7 + number.split(".").length,
      title: rest.split(/[.:]/u)[0]!.trim().toLowerCase(),
    }));
  return headings.map(({ index, level, number, title }, at) => {
    let next = at + 1;
    while (level < (headings[next]?.level ?? 0)) next++;
    const end = headings[next]?.index;
    return { source: name, number, title, text: text.slice(index, end).trim() };
  });
}

async function load(sources: readonly Pick<Source, "name" | "text">[]) {
  // Import on first use: most convenings do not search their sources.
  const { keywordIndex } = await import("../core/keyword_index.ts");
  const chunks = sources.flatMap(({ name, text: file }) =>
    chunkText(file).map((chunk) => ({ ...chunk, title: name, file }))
  );
  return { sections: sources.flatMap(sectionsOf), ranked: await keywordIndex(chunks) };
}
