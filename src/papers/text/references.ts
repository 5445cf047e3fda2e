import type { WebSearchResult } from "../../core/evidence.ts";
import type { Paper } from "../../core/paper.ts";
import { referenceOf } from "./reference_entry.ts";

/** The most entries of one paper. */
const MAX_REFERENCES = 200;
/** The most characters of a list of references, of an entry, of a heading, and how many headings are tried. */
const BOUNDS = { section: 200_000, entry: 700, heading: 80, headings: 20 } as const;
/** Shorter entries say nothing. */
const LEAST_ENTRY = 15;

const NAMES =
  "(?:list of |selected |cited )?references(?: cited| list)?|bibliography|works cited|" +
  "(?:cited )?literature(?: cited)?|(?:referencias|referências)(?: bibliogr[aá]ficas)?|bibliograf[ií]a|" +
  "références(?: bibliographiques)?|bibliographie|literatur(?:verzeichnis)?|riferimenti(?: bibliografici)?";
const NAMED = new RegExp(`(?<!\\p{L})(?:${NAMES})(?!\\p{L})`, "giu");
const HEADING = new RegExp(
  `^(#{1,6})?[\\s*_>]{0,8}(?:(?:\\d{1,2}(?:\\.\\d{1,2})?|[A-Z]|[IVX]{1,5})[.)]?\\s+)?(?:${NAMES})[\\s:.*_#]{0,12}$`,
  "iu",
);
/** A list that goes on behind its heading on the same line, as in the text of some PDF files. */
const HEADING_WITHIN = new RegExp(`^(?:${NAMES})[:.]?\\s+(?=\\[1\\]\\s)`, "iu");
const LAST_PARTS = new RegExp(
  "^(?:\\*\\*)?(?:(?:\\d{1,2}|[A-Z])[.)]?\\s+)?(?:appendix|appendices|acknowledge?ments?|supplementa(?:ry|l)|" +
    "supporting information|author contributions?|about the authors?|biograph(?:y|ies)|glossary|funding|" +
    "conflicts? of interest|competing interests|ethics statement|data availability|anhang|anexos?|apéndice|" +
    "annexe?s?|agradecimientos|danksagung|remerciements)(?![\\p{L}])[^.]{0,60}(?:\\*\\*)?$",
  "iu",
);

/**
 * The entries of a paper's own list of references, at most 200, as they stand in it: under a heading such as References,
 * Bibliography, Works cited or Literature, numbered, bulleted or by author and year, also where lines are wrapped. Nothing is
 * taken from elsewhere; empty where there is no such list.
 */
export function referencesIn({ text }: Pick<Paper, "text">): WebSearchResult[] {
  for (const section of sectionsIn(text)) {
    const entries = entriesIn(section).map((entry) => entry.slice(0, BOUNDS.entry))
      .filter((entry) => entry.length >= LEAST_ENTRY);
    if (entries.length > 0) return entries.slice(0, MAX_REFERENCES).map(referenceOf);
  }
  return [];
}

/** What stands under each heading that may be a list's, the last first: a heading may stand in a table of contents too. */
function* sectionsIn(text: string): Generator<string> {
  const found: { readonly from: number; readonly level: number }[] = [];
  for (const { 0: name, index } of text.matchAll(NAMED)) {
    const before = text.slice(Math.max(0, index - BOUNDS.heading), index);
    const after = text.slice(index, index + name.length + BOUNDS.heading);
    const end = (after + "\n").indexOf("\n");
    const line = before.slice(before.lastIndexOf("\n") + 1) + after.slice(0, end);
    const heading = HEADING.exec(line.trimEnd());
    const within = HEADING_WITHIN.exec(after)?.[0];
    if (heading !== null) found.push({ from: index + end, level: heading[1]?.length ?? 0 });
    else if (within !== undefined) found.push({ from: index + within.length, level: 0 });
    if (found.length > BOUNDS.headings) found.shift();
  }
  for (const { from, level } of found.reverse()) {
    yield sectionOf(text.slice(from, from + BOUNDS.section), level);
  }
}

/** Up to the next heading; page numbers alone on a line, and headings within the list, are left out. */
function sectionOf(text: string, level: number): string {
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const words = line.trim();
    const marks = /^(#{1,6})\s/.exec(words)?.[1]?.length;
    if (marks !== undefined && (level === 0 || marks <= level)) break;
    if (words.length <= BOUNDS.heading && LAST_PARTS.test(words)) break;
    if (
      marks !== undefined ||
      /^(?:[-=*_]{3,}|(?:page\s)?\d{1,4}(?:\s(?:of|\/)\s\d{1,4})?)$/i.test(words)
    ) {
      continue;
    }
    kept.push(line.trimEnd());
  }
  return kept.join("\n").trim();
}

function entriesIn(section: string): string[] {
  return numbered(section, /(?:^|\s)\\?\[\^?(\d{1,3})\\?\]:?\s*(?=\S)/g) ??
    numbered(section, /(?:^|\n)[ \t]*(\d{1,3})(?:\\?[.)]\s+|\s+(?=[\p{Lu}“"]))(?=\S)/gu) ??
    marked(section, /^[ \t]*\\?\[[^\]\n]{1,40}\\?\]:?\s+(?=\S)/gm) ??
    marked(section, /^[ \t]*[-*+•–][ \t]+(?=\S)/gm) ??
    paragraphs(section);
}

/** Entries that count up from the first number, or that markdown counts and all begin with 1; undefined if it is none. */
function numbered(section: string, marker: RegExp): string[] | undefined {
  const starts: { readonly from: number; readonly to: number }[] = [];
  let expected: number | undefined;
  let allOnes = true;
  for (const match of section.matchAll(marker)) {
    const number = Number(match[1]);
    if (expected === undefined && match.index !== 0) return undefined;
    const isOne = allOnes && number === 1 && starts.length > 0;
    if (expected !== undefined && number !== expected && !isOne) continue;
    if (!isOne) allOnes = starts.length === 0 && number === 1;
    starts.push({ from: match.index + match[0].length, to: match.index });
    expected = number + 1;
  }
  return starts.length === 0 ? undefined : between(section, starts);
}

/** Entries that each begin with a mark at a line's beginning; undefined where the first line has none. */
function marked(section: string, marker: RegExp): string[] | undefined {
  const starts = [...section.matchAll(marker)]
    .map(({ 0: mark, index }) => ({ from: index + mark.length, to: index }));
  return starts[0]?.to === 0 ? between(section, starts).filter(isReference) : undefined;
}

function between(
  section: string,
  starts: readonly { readonly from: number; readonly to: number }[],
): string[] {
  return starts.slice(0, MAX_REFERENCES).map(({ from }, index) => {
    const whole = section.slice(
      from,
      Math.min(starts[index + 1]?.to ?? section.length, from + 2000),
    );
    // What stands behind an empty line, after what may be a whole entry, is no part of it.
    const [first = "", ...rest] = whole.split(/\n[ \t]*\n/);
    const lines = isReference(first) ? first : [first, ...rest].join("\n");
    return joined(lines.split("\n"));
  });
}

/** Entries by author and year, parted by empty lines or by lines that begin as an entry does; up to what is prose. */
function paragraphs(section: string): string[] {
  const entries: string[][] = [];
  for (const block of section.split(/\n[ \t]*\n/)) {
    if (entries.length > 0 && block.length > PROSE && !isReference(block)) break;
    let isFirst = true;
    for (const line of block.split("\n")) {
      const words = line.trim();
      if (words === "") continue;
      const last = entries.at(-1);
      const before = last?.join(" ") ?? "";
      const begins = BEGINS.test(words) || (isFirst && !/^\p{Ll}/u.test(words));
      const isWhole = isReference(before) && !/[,;:&(-]$/.test(before);
      if (last !== undefined && !(begins && isWhole) && before.length < BOUNDS.entry) {
        last.push(words);
      } else if (entries.length < MAX_REFERENCES) entries.push([words]);
      else return entriesOf(entries);
      isFirst = false;
    }
  }
  return entriesOf(entries);
}

function entriesOf(lines: readonly (readonly string[])[]): string[] {
  return lines.map(joined).filter(isReference);
}

/** A paragraph of more characters that names no year is no entry. */
const PROSE = 250;

/** How an entry by author and year begins: a surname and more, initials and a surname, or a name and then the year. */
const BEGINS = new RegExp(
  "^(?:(?:van|von|de|der|den|di|da|la|le|el|al)\\s){0,2}(?:" +
    "\\p{Lu}[\\p{L}'’-]{1,30}(?:\\s\\p{Lu}[\\p{L}'’-]{1,30})?,\\s\\p{Lu}|" +
    "\\p{Lu}[\\p{L}'’-]{1,30}\\s\\p{Lu}{1,3}[,.]|" +
    "(?:\\p{Lu}\\.[\\s-]?){1,3}\\p{Lu}\\p{L}|" +
    "\\p{Lu}[^.()]{2,100}\\((?:1[5-9]|20)\\d\\d|" +
    "\\p{Lu}[^.\\d]{3,200}\\.\\s(?:1[5-9]|20)\\d\\d[a-z]?\\.)",
  "u",
);

/** Whether a text names a year, or says where it stands: prose seldom does. */
function isReference(text: string): boolean {
  return /\b(?:1[5-9]|20)\d\d[a-z]?\b|\bn\.\s?d\.|\bin press\b|\bforthcoming\b|https?:\/\/|\b10\.\d{4,9}\/|\barxiv\b/i
    .test(text);
}

/** Wrapped lines as one: words that were parted by a hyphen, and addresses, are put together again. */
function joined(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    const next = line.trim();
    if (next === "") continue;
    const last = /\S+$/.exec(text.slice(-200))?.[0] ?? "";
    const isAddress = /(?:https?:\/\/|\bdoi\b|^10\.\d{4,9}\/|arxiv:)/i.test(last);
    if (isAddress && (/[/\-_=?&%]$/.test(last) || /^[/\-_]/.test(next) || goesOn(last, next))) {
      text += next;
    } else if (/\p{L}-$/u.test(last) && /^\p{Ll}/u.test(next)) text = text.slice(0, -1) + next;
    else text += (text === "" ? "" : " ") + next;
    if (text.length > 2 * BOUNDS.entry) break;
  }
  return text.replace(/\s+/gu, " ");
}

/** Whether an identifier that ends with a full stop goes on with the digits of the next line. */
function goesOn(last: string, next: string): boolean {
  return /(?:10\.\d{4,9}\/\S*|arxiv:\d{4})\.$/i.test(last) && /^\d{3}/.test(next);
}
