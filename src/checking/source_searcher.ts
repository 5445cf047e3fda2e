// Search of a convening's own sources.
import { CancelledError } from "../core/error.ts";
import type { Source } from "../core/paper.ts";
import {
  type Chunk,
  chunkText,
  MAX_RESULTS,
  type Searcher,
  type SearchHit,
} from "../core/search.ts";

/** The most sections that a query gets for naming them. */
const MAX_SECTIONS = 3;
/** The most characters of a source that is given whole: as many as five pieces of it have. */
const WHOLE_LENGTH = 2500;
/** A heading of markdown, or a line that begins with a number: `## Scope`, `Section 2. Grant`, `4.1) Notices`. */
const HEADING =
  /^[ \t]*(?:(#{1,6})[ \t]+)?(?:(?:section|article|clause|chapter|part|§)[ \t]*)?(?:(\d{1,3}(?:\.\d{1,3})*)[.):]?[ \t]+)?(\S.*)$/gimu;
/** Numbers of sections that a query names: `Section 4`, `clauses 2 and 7.1`. */
const NAMED =
  /(?:\b(?:sections?|sec\.|articles?|clauses?|chapters?|parts?|paragraphs?)|§+)\s*((?:\d+(?:\.\d+)*(?:\s*(?:,|and|or|&)\s*)?)+)/giu;

interface Section {
  readonly source: string;
  /** Such as `4.1`; empty where the heading has none. */
  readonly number: string;
  /** The heading's words up to a full stop or colon, in small letters. */
  readonly title: string;
  readonly text: string;
}

/**
 * Searches a convening's own background files, by words. A section that the query names, by its number or by a heading of
 * two words or more, is a hit as a whole and comes first. A short file is one hit, whole. Any other hit is a chunk of a file:
 * its title says which and from which character on, its address is the file's path in the convening's directory, its snippet
 * is the chunk as it stands there.
 */
export function sourceSearcher(sources: readonly Pick<Source, "name" | "text">[]): Searcher {
  let loading: ReturnType<typeof load> | undefined;
  return {
    name: "sources",
    async search(query, { maxResults = MAX_RESULTS, signal } = {}) {
      if (signal?.aborted) throw new CancelledError(signal.reason);
      const { chunks, sections, index } = await (loading ??= load(sources));
      const named = namedIn(query, sections).map(({ source, number, title, text }) => ({
        title: `${source}, section ${number || title}`,
        url: `sources/${source}`,
        snippet: text,
        score: 1,
      }));
      const found = index.search(query).map(({ id, score }): SearchHit => {
        const { chunk: { source, start, text }, file } = chunks.get(id)!;
        const url = `sources/${source}`;
        return file.length <= WHOLE_LENGTH
          ? { title: source, url, snippet: file.trim(), passage: text, score }
          : { title: `${source}, from character ${start + 1}`, url, snippet: text, score };
      });
      const isIn = (hits: readonly SearchHit[], { snippet }: SearchHit) =>
        hits.some((hit) => hit.snippet.includes(snippet));
      // A text is shown once: the whole of a short file stands for its sections, a section for its pieces.
      const wholes = found.filter(({ passage }) => passage !== undefined);
      const shown = named.filter((hit) => !isIn(wholes, hit));
      const others = found.filter((hit, at) =>
        !isIn(shown, hit) && found.findIndex(({ snippet }) => snippet === hit.snippet) === at
      );
      return [...shown, ...others].slice(0, maxResults);
    },
  };
}

/** The sections that a query names, those of files that it names too first. */
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

/** A text's sections, each to the next heading of its level or above. */
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
    const next = headings.slice(at + 1).find((each) => each.level <= level);
    return { source: name, number, title, text: text.slice(index, next?.index).trim() };
  });
}

async function load(sources: readonly Pick<Source, "name" | "text">[]) {
  // A convening that never searches its sources does not load what indexes them.
  const { keywordIndex } = await import("../core/keyword_index.ts");
  // Two files may share a name: their number tells their chunks apart.
  const chunks = new Map<string, { readonly chunk: Chunk; readonly file: string }>(
    sources.flatMap(({ name, text: file }, number) =>
      chunkText(file, name).map((chunk: Chunk) =>
        [`${number}/${chunk.id}`, { chunk, file }] as const
      )
    ),
  );
  const documents = Array.from(
    chunks,
    ([id, { chunk: { text, source } }]) => ({ id, text, title: source }),
  );
  return { chunks, sections: sources.flatMap(sectionsOf), index: await keywordIndex(documents) };
}
