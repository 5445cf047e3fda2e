// Recommended reading: cited pages, pages found by searches, and entries of the papers' reference lists.
import { checkArguments } from "../../core/check_fields.ts";
import { citationsOf, type Paper, type WebSearchResult } from "../../core/paper.ts";
import type { Fact, LookUp } from "../../core/fact.ts";
import { oneLine } from "../../core/text.ts";
import { wordsOf } from "../../core/words.ts";
import { pagesIn, WEB_SEARCH } from "../tools.ts";
import type { DebaterRecord } from "./debaters.ts";
import { linkableAddress } from "./lists.ts";

const MAX_READS = 7;

/** Recommended reading, or the reason why there is none. */
interface NextReads {
  /** At most seven, without duplicates. */
  readonly reads: readonly WebSearchResult[];
  /** One sentence; absent if there are reads. */
  readonly why?: string | undefined;
}

/**
 * Returns recommended reading: pages of verified citations, then pages from web searches, then the papers' references, those
 * that share most words with the question first. Pages that no search returned and no paper lists are excluded.
 */
export function nextReads(
  papers: readonly Paper[],
  facts: readonly Fact[],
  { question, debaters }: {
    readonly question: string;
    readonly debaters: readonly DebaterRecord[];
  },
): NextReads {
  const searches = facts.filter((fact): fact is LookUp =>
    fact.type === "lookup" && fact.tool === WEB_SEARCH
  ).toSorted((a, b) => a.seq - b.seq || a.number - b.number);
  const cited = debaters.flatMap(({ evidence }) => evidence).flatMap(citationsOf)
    .flatMap(({ web = [] }) => web).filter(({ status }) => status === "verified");
  const pages = [...cited, ...pagesIn(searches)].map(pageOf);
  const references = byQuestion(papers.flatMap(referencesIn), question);
  const reads = distinct([...pages, ...references]).slice(0, MAX_READS);
  return reads.length > 0 ? { reads } : { reads, why: whyNone(searches) };
}

/** Returns the distinct reasons of failed web searches. */
export function searchFailures(facts: readonly Fact[]): string[] {
  const reasons = facts.flatMap((fact) =>
    fact.type === "lookup" && fact.tool === WEB_SEARCH && fact.failed
      ? [`a web search failed: ${oneLine(fact.result, 200)}`]
      : []
  );
  return [...new Set(reasons.map((reason) => reason.replace(/[.\s]+$/, "")))];
}

/** Shortens a page from a search for the list. */
function pageOf(
  { title, url, snippet }: Pick<WebSearchResult, "title" | "url" | "snippet">,
): WebSearchResult {
  const address = linkableAddress(url) ?? "";
  return {
    title: oneLine(title, 200) || address,
    url: address,
    snippet: oneLine(snippet, 300),
    status: "verified",
  };
}

/** Removes reads with a duplicate URL or title, and reads without a title. */
function distinct(reads: readonly WebSearchResult[]): WebSearchResult[] {
  const seen = new Set<string>();
  return reads.filter(({ title, url }) => {
    const keys = [
      ...(url === "" ? [] : [url.replace(/^https?:\/\/(?:www\.)?|#.*$|\/$/g, "").toLowerCase()]),
      title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim(),
    ];
    if (title === "" || keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

function byQuestion(references: readonly WebSearchResult[], question: string): WebSearchResult[] {
  const asked = stemsOf(question);
  const shared = new Map(references.map((reference) => {
    const found = stemsOf(`${reference.title} ${reference.snippet}`);
    return [reference, [...asked].filter((stem) => found.has(stem)).length] as const;
  }));
  return references.toSorted((a, b) => shared.get(b)! - shared.get(a)!);
}

/** Returns the first six letters of words of five letters or more: a simple stemming without short words. */
function stemsOf(text: string): Set<string> {
  const words = [...wordsOf(text)].map(({ text: word }) => word.toLowerCase());
  return new Set(words.filter((word) => word.length >= 5).map((word) => word.slice(0, 6)));
}

function whyNone(searches: readonly LookUp[]): string {
  const [failed] = searchFailures(searches);
  const web = searches.length === 0
    ? "no web search was made"
    : failed ?? "web searches returned nothing";
  return `There is nothing to recommend: ${web}, and the papers list no references that could be read.`;
}

/** Maximum entries of one paper. */
const MAX_REFERENCES = 200;
/** Maximum characters of a reference list, of an entry, of the rest of an entry after an empty line, and of a heading. */
const BOUNDS = { section: 200_000, entry: 700, rest: 300, heading: 80 } as const;
/** Minimum characters of an entry. */
const LEAST_ENTRY = 15;
/** Maximum code points of an entry's title. */
const TITLE_LENGTH = 300;

const NAMES = "(?:list of |select(?:ed)? |cited |notes (?:and|&) )?references(?: cited| list)?|" +
  "(?:select(?:ed)? )?bibliography|works cited|(?:cited )?literature(?: cited)?|" +
  "(?:referencias|referências)(?: bibliogr[aá]ficas)?|bibliograf[ií]a|" +
  "références(?: bibliographiques)?|bibliographie|literatur(?:verzeichnis)?|riferimenti(?: bibliografici)?";
const HEADING = new RegExp(
  `^(#{1,6})?[\\s*_>]{0,8}(?:(?:\\d{1,2}(?:\\.\\d{1,2})?|[A-Z]|[IVX]{1,5})[.)]?\\s+)?(?:${NAMES})[\\s:.*_#]{0,12}$`,
  "iu",
);
const LAST_PARTS = new RegExp(
  "^(?:\\*\\*)?(?:(?:\\d{1,2}|[A-Z])[.)]?\\s+)?(?:append(?:ix|ices)|acknowledge?ments?|supplementa(?:ry|l)|" +
    "author contributions?|about the authors?|funding|conflicts? of interest|data availability)\\b[^.]{0,60}$",
  "iu",
);
/** Marks before entries: numbers in brackets, numbers, keys in brackets, bullets. */
const MARKS = [
  /(?:^|\s)\\?\[\^?\d{1,3}\\?\]:?\s*(?=\S)/g,
  /^[ \t]*\d{1,3}[.)]\s+(?=\S)/gm,
  /^[ \t]*\\?\[[^\]\n]{1,40}\\?\]:?\s+(?=\S)/gm,
  /^[ \t]*[-*+•–][ \t]+(?=\S)/gm,
] as const;
/** A year or an address, which identifies an entry: prose seldom has either in every paragraph. */
const REFERENCE =
  /\b(?:1[5-9]|20)\d\d[a-z]?\b|\bn\.\s?d\.|\bin press\b|\bforthcoming\b|https?:\/\/|\b10\.\d{4,9}\/|\barxiv\b/i;

/** Start of an entry: an author, or a name and a year. */
const BEGINS =
  /^(?:(?:van|von|de|der|den|di|la|le)\s)*\p{Lu}[\p{L}'’-]*(?:,|\s\p{Lu}{1,3}[,.]|\.\s\p{Lu}|\s[^.()]{0,100}\((?:1[5-9]|20)\d\d)/u;

const URL_TEXT = /https?:\/\/[^\s<>"“”]+/gi;
const DOI = /(?<![\w/.])10\.\d{4,9}\/[^\s<>"“”]+/;
const DOI_HOST = /^https?:\/\/(?:dx\.)?doi\.org\/(10\.\d{4,9}\/.+)$/i;
const ARXIV =
  /\barxiv(?:\.org\/(?:abs|pdf)\/|\s*:\s*|\s+)((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,2})?)\b/i;

/**
 * Returns the entries of a paper's reference list, at most 200: under a heading such as References, Bibliography, Works cited
 * or Literature, or numbered from [1] on without a heading; numbered, bulleted, one per line or separated by empty lines. The
 * title is the entry without URLs. Returns an empty list for a paper without such a list.
 */
export function referencesIn(paper: Pick<Paper, "text">): WebSearchResult[] {
  const text = (paper as typeof paper | undefined)?.text!;
  checkArguments("referencesIn", { text });
  const section = sectionIn(text);
  if (section === undefined) return [];
  return entriesIn(section).map((entry) => entry.slice(0, BOUNDS.entry))
    .filter((entry) => entry.length >= LEAST_ENTRY).slice(0, MAX_REFERENCES).map(referenceOf);
}

/**
 * Returns the text under the last heading of a reference list, up to the next heading; without such a heading, from the last
 * line that begins with [1] and that a line with [2] follows.
 */
function sectionIn(text: string): string | undefined {
  const lines = text.split("\n");
  const isHeading = (line: string) => line.length <= BOUNDS.heading && HEADING.test(line.trimEnd());
  const heading = lines.findLastIndex(isHeading);
  // Papers of physics have a list without a heading; output of R has lines with [1], too.
  const numbered = (number: number, before = Infinity) =>
    lines.findLastIndex((line, at) => at < before && line.startsWith(`[${number}] `));
  const first = numbered(1, numbered(2));
  if (heading === -1 && first === -1) return undefined;
  const at = heading === -1 ? first - 1 : heading;
  const level = HEADING.exec(lines[heading]?.trimEnd() ?? "")?.[1]?.length ?? 0;
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.slice(at + 1)) {
    const words = line.trim();
    const marks = /^(#{1,6})\s/.exec(words)?.[1]?.length;
    if (marks !== undefined && (level === 0 || marks <= level)) break;
    if (words.length <= BOUNDS.heading && LAST_PARTS.test(words)) break;
    // Skips page numbers, rules, and headings within the list.
    if (marks === undefined && !/^(?:[-=*_]{3,}|\d{1,4})$/.test(words)) kept.push(line.trimEnd());
    length += line.length + 1;
    if (length > BOUNDS.section) break;
  }
  return kept.join("\n").trim();
}

function entriesIn(section: string): string[] {
  for (const mark of MARKS) {
    const starts = [...section.matchAll(mark)];
    if (starts[0]?.index !== 0) continue;
    return starts.slice(0, MAX_REFERENCES).map((match, index) => {
      const from = match.index + match[0].length;
      const end = Math.min(starts[index + 1]?.index ?? Infinity, from + 2000);
      const whole = section.slice(from, end);
      const [first = "", rest = "", ...more] = whole.split(/\n[ \t]*\n/).filter(Boolean);
      // A page may end within an entry; after the last entry there is other text.
      const isDivided = starts[index + 1] !== undefined && more.length === 0 &&
        rest.length <= BOUNDS.rest && !/^(?:fig(?:ure|\.)|table) /i.test(rest);
      return joinedLines((isDivided || !REFERENCE.test(first) ? whole : first).split("\n"));
    }).filter((entry) => REFERENCE.test(entry));
  }
  return blocksOf(section);
}

/** Beginning of a line with the year after the authors. */
const YEAR_FIRST = /^\(?(?:1[5-9]|20)\d\d\b/;

/**
 * Splits unmarked entries at empty lines, and at lines that begin with a name after a complete entry; stops at prose and at a
 * heading: a short line that ends with a letter. An empty line within an entry, as a PDF has after a line that ends with a period,
 * is no end.
 */
function blocksOf(section: string): string[] {
  const entries: string[][] = [];
  const blocks = section.split(/\n[ \t]*\n/);
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1] ?? "";
    const isWhole = REFERENCE.test(block);
    const isPart = block.length <= BOUNDS.rest && !/^.{0,79}\p{L}$/u.test(block) &&
      REFERENCE.test(next);
    if (!isWhole && !isPart && entries.length > 0) break;
    for (const [at, line] of block.split("\n").entries()) {
      const last = entries.at(-1);
      const before = last?.join(" ").trim() ?? "";
      const begins = at > 0
        ? REFERENCE.test(before) && /[.\d/)*]$/.test(before) && BEGINS.test(line)
        : isWhole
        ? REFERENCE.test(before) || !YEAR_FIRST.test(line)
        : YEAR_FIRST.test(next);
      if (last === undefined || begins) entries.push([line]);
      else if (before.length < BOUNDS.entry) last.push(line);
    }
  }
  return entries.map(joinedLines).filter((entry) => REFERENCE.test(entry));
}

/** Joins wrapped lines; rejoins hyphenated words and URLs. */
function joinedLines(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    const next = line.trim();
    if (next === "") continue;
    const last = /\S+$/.exec(text.slice(-200))?.[0] ?? "";
    const isAddress = /https?:\/\/|\bdoi\b|^10\.\d{4,9}\/|arxiv:/i.test(last);
    if (
      isAddress && (/[/\-_=?&%.]$/.test(last) || /^[/\-_][a-z\d]/.test(next)) && !/^\D+$/.test(last)
    ) {
      text += next;
    } else if (/\p{L}-$/u.test(last) && /^\p{Ll}/u.test(next)) text = text.slice(0, -1) + next;
    else text += (text === "" ? "" : " ") + next;
    if (text.length > 2 * BOUNDS.entry) break;
  }
  return text.replace(/\s+/gu, " ");
}

/** Parses an entry; the URL comes from its DOI, a URL or an arXiv id, in this order, and may be empty. */
function referenceOf(entry: string): WebSearchResult {
  const plain = entry.replace(/\[([^[\]]{1,300})\]\([^()\s]{1,2000}\)/g, "$1")
    .replace(/<?https?:\/\/[^\s<>"“”]+>?/gi, "").replace(/\*+/g, "").replace(/\s+/gu, " ").trim()
    .replace(/,? URL:?$/, "");
  return {
    title: oneLine(plain === "" ? entry : plain, TITLE_LENGTH),
    url: addressIn(entry),
    snippet: "",
  };
}

function addressIn(entry: string): string {
  const urls = [...entry.matchAll(URL_TEXT)].map(([url]) => withoutEndPunctuation(url));
  const rest = entry.replace(URL_TEXT, " ");
  const doi = urls.map((url) => DOI_HOST.exec(url)?.[1]).find((each) => each !== undefined) ??
    DOI.exec(rest)?.[0];
  if (doi !== undefined) return `https://doi.org/${encodedDoi(withoutEndPunctuation(doi))}`;
  const url = urls.map(linkableAddress).find((each) => each !== undefined);
  if (url !== undefined) return url;
  const arxiv = ARXIV.exec(rest)?.[1];
  return arxiv === undefined ? "" : `https://arxiv.org/abs/${arxiv}`;
}

/** Percent-encodes a DOI for a URL; idempotent. */
function encodedDoi(doi: string): string {
  return encodeURI(doi.toWellFormed()).replace(/%25(?=[0-9a-f]{2})/gi, "%")
    .replace(/[?#]/g, encodeURIComponent);
}

/** Removes punctuation of the sentence from the end of a URL; keeps a closing parenthesis that the URL opens. */
function withoutEndPunctuation(address: string): string {
  let end = address.length;
  while (end > 0) {
    const kept = address.slice(0, end);
    const isOpen = kept.endsWith(")") && kept.split("(").length >= kept.split(")").length;
    if (isOpen || !/[.,;:!?'’”»\]}>)*_|]$/.test(kept)) break;
    end--;
  }
  return address.slice(0, end);
}
