// Recommended reading: the reference lists of papers, and pages that were cited or found.
import type { ConveningStart } from "../../core/event.ts";
import type { Paper, WebSearchResult } from "../../core/paper.ts";
import type { Fact, LookUp } from "../../core/fact.ts";
import { oneLine } from "../../core/text.ts";
import { wordsOf } from "../../core/words.ts";
import { pagesIn, WEB_SEARCH } from "../tools.ts";
import { type DebaterRecord, debatersOf, subjectOf } from "./debaters.ts";

/** The most next reads of a report. */
const MAX_READS = 7;

/** Recommended reading, or the reason why there is none. */
interface NextReads {
  /** At most seven, each page once. */
  readonly reads: readonly WebSearchResult[];
  /** One sentence, where there are none. */
  readonly why?: string | undefined;
}

/**
 * Recommended reading: pages that verified citations cite, then those that web searches returned, then what the papers
 * refer to, what shares most words with the question first. What nothing returned and no paper names is never among them.
 */
export function nextReads(
  start: ConveningStart,
  facts: readonly Fact[],
): NextReads {
  const searches = facts.filter((fact): fact is LookUp =>
    fact.type === "lookup" && fact.tool === WEB_SEARCH
  ).toSorted((a, b) => a.seq - b.seq || a.number - b.number);
  const returned = pagesIn(searches);
  const references = (start.papers ?? []).flatMap(referencesIn);
  const { question } = subjectOf(facts);
  const pages = [
    ...debatersOf(start, facts).flatMap(citedPages).map(pageOf),
    ...returned.map(({ title, url, snippet }) => pageOf({ title, url, snippet })),
  ];
  const found = [...pages, ...byQuestion(references, question)];
  const reads = distinct(found).slice(0, MAX_READS);
  return reads.length > 0 ? { reads } : { reads, why: whyNone(searches) };
}

/** Reasons why web searches failed, each once; and that none was set up, where the tool of earlier versions said so. */
export function searchFailures(facts: readonly Fact[]): string[] {
  const reasons = facts.flatMap((fact) => {
    if (fact.type !== "lookup" || fact.tool !== WEB_SEARCH) return [];
    if (fact.failed) return [`a web search failed: ${oneLine(fact.result, 200)}`];
    return NO_KEY.test(fact.result) && pagesIn([fact]).length === 0
      ? ["no search key was set (TAVILY_API_KEY), so that the web was not searched"]
      : [];
  });
  return [...new Set(reasons.map((reason) => reason.replace(/[.\s]+$/, "")))];
}

/** Words of the tool in records of earlier versions, where no search was set up. */
const NO_KEY = /\bTAVILY_API_KEY\b/;

function citedPages({ argument, evidence }: DebaterRecord): readonly WebSearchResult[] {
  const cited = [
    ...(argument?.perTopic ?? []).map(({ citations }) => citations),
    ...evidence.map(({ citations }) => citations),
  ];
  return cited.flatMap(({ web = [] }) => web).filter(({ status }) => status === "verified");
}

/** A page that a search returned, fit for a list. */
function pageOf({ title, url, snippet }: WebSearchResult): WebSearchResult {
  const address = linkableAddress(url) ?? "";
  return {
    title: oneLine(title, 200) || address,
    url: address,
    snippet: oneLine(snippet, 300),
    status: "verified",
  };
}

/** Each address and each title once; what has no title is left out. */
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

/** The beginnings of longer words: endings differ, and short words say little. */
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

/** The most entries of one paper. */
const MAX_REFERENCES = 200;
/** The most characters of a list of references, of an entry, and of a heading. */
const BOUNDS = { section: 200_000, entry: 700, heading: 80 } as const;
/** Shorter entries say nothing. */
const LEAST_ENTRY = 15;
/** The most code points of an entry's title. */
const TITLE_LENGTH = 300;

const NAMES =
  "(?:list of |selected |cited )?references(?: cited| list)?|bibliography|works cited|" +
  "(?:cited )?literature(?: cited)?|(?:referencias|referências)(?: bibliogr[aá]ficas)?|bibliograf[ií]a|" +
  "références(?: bibliographiques)?|bibliographie|literatur(?:verzeichnis)?|riferimenti(?: bibliografici)?";
const HEADING = new RegExp(
  `^(#{1,6})?[\\s*_>]{0,8}(?:(?:\\d{1,2}(?:\\.\\d{1,2})?|[A-Z]|[IVX]{1,5})[.)]?\\s+)?(?:${NAMES})[\\s:.*_#]{0,12}$`,
  "iu",
);
/** A list that goes on behind its heading on the same line. */
const HEADING_WITHIN = new RegExp(`(?:^|\\s)(?:${NAMES})[:.]?\\s+(?=\\[1\\]\\s)`, "iu");
const LAST_PARTS = new RegExp(
  "^(?:\\*\\*)?(?:(?:\\d{1,2}|[A-Z])[.)]?\\s+)?(?:append(?:ix|ices)|acknowledge?ments?|supplementa(?:ry|l)|" +
    "author contributions?|about the authors?|funding|conflicts? of interest|data availability)\\b[^.]{0,60}$",
  "iu",
);
/** Beginnings of entries: numbers in brackets, numbers, keys in brackets, bullets. */
const MARKS = [
  /(?:^|\s)\\?\[\^?\d{1,3}\\?\]:?\s*(?=\S)/g,
  /^[ \t]*\d{1,3}[.)]\s+(?=\S)/gm,
  /^[ \t]*\\?\[[^\]\n]{1,40}\\?\]:?\s+(?=\S)/gm,
  /^[ \t]*[-*+•–][ \t]+(?=\S)/gm,
] as const;
/** A year, or where a work is found: prose seldom has either in every paragraph. */
const REFERENCE =
  /\b(?:1[5-9]|20)\d\d[a-z]?\b|\bn\.\s?d\.|\bin press\b|\bforthcoming\b|https?:\/\/|\b10\.\d{4,9}\/|\barxiv\b/i;

/** The beginning of a line that names an author, or a name and then the year. */
const BEGINS =
  /^(?:(?:van|von|de|der|den|di|la|le)\s)*\p{Lu}[\p{L}'’-]*(?:,|\s\p{Lu}{1,3}[,.]|\.\s\p{Lu}|\s[^.()]{0,100}\((?:1[5-9]|20)\d\d)/u;

const URL_TEXT = /https?:\/\/[^\s<>"“”]+/gi;
const DOI = /(?<![\w/.])10\.\d{4,9}\/[^\s<>"“”]+/;
const DOI_HOST = /^https?:\/\/(?:dx\.)?doi\.org\/(10\.\d{4,9}\/.+)$/i;
const ARXIV =
  /\barxiv(?:\.org\/(?:abs|pdf)\/|\s*:\s*|\s+)((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,2})?)\b/i;

/**
 * The entries of a paper's own list of references, at most 200, as they stand in it: under a heading such as References,
 * Bibliography, Works cited or Literature, numbered, bulleted, on lines of their own or parted by empty lines. The title
 * is the entry without its addresses. Nothing is taken from elsewhere; empty where there is no such list.
 */
export function referencesIn({ text }: Pick<Paper, "text">): WebSearchResult[] {
  const section = sectionIn(text);
  if (section === undefined) return [];
  return entriesIn(section).map((entry) => entry.slice(0, BOUNDS.entry))
    .filter((entry) => entry.length >= LEAST_ENTRY).slice(0, MAX_REFERENCES).map(referenceOf);
}

/** An address that a page can link to: `http` or `https`, of a host and without a password; undefined for any other. */
export function linkableAddress(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url.href : undefined;
}

/** The text under the last heading of a list, up to the next heading. */
function sectionIn(text: string): string | undefined {
  const lines = text.split("\n");
  const isHeading = (line: string) => line.length <= BOUNDS.heading && HEADING.test(line.trimEnd());
  const at = lines.findLastIndex(isHeading);
  if (at === -1) {
    const tail = text.slice(-BOUNDS.section);
    const within = HEADING_WITHIN.exec(tail);
    return within === null ? undefined : tail.slice(within.index + within[0].length);
  }
  const level = HEADING.exec(lines[at]!.trimEnd())?.[1]?.length ?? 0;
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.slice(at + 1)) {
    const words = line.trim();
    const marks = /^(#{1,6})\s/.exec(words)?.[1]?.length;
    if (marks !== undefined && (level === 0 || marks <= level)) break;
    if (words.length <= BOUNDS.heading && LAST_PARTS.test(words)) break;
    // A page's number, or a heading within the list.
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
      const [first = "", ...rest] = whole.split(/\n[ \t]*\n/);
      return joined((REFERENCE.test(first) ? first : [first, ...rest].join("\n")).split("\n"));
    }).filter((entry) => REFERENCE.test(entry));
  }
  return blocksOf(section);
}

/** Entries without marks, parted by empty lines or by lines that begin with a name after a whole entry; up to prose. */
function blocksOf(section: string): string[] {
  const entries: string[][] = [];
  for (const block of section.split(/\n[ \t]*\n/)) {
    if (!REFERENCE.test(block) && entries.length > 0) break;
    for (const [at, line] of block.split("\n").entries()) {
      const last = entries.at(-1);
      const before = last?.join(" ").trim() ?? "";
      const isWhole = REFERENCE.test(before) && /[.\d/)*]$/.test(before) && BEGINS.test(line);
      if (last === undefined || at === 0 || isWhole) entries.push([line]);
      else if (before.length < BOUNDS.entry) last.push(line);
    }
    if (entries.length >= MAX_REFERENCES) break;
  }
  return entries.map(joined).filter((entry) => REFERENCE.test(entry));
}

/** Wrapped lines as one: words that a hyphen parts, and addresses, are put together again. */
function joined(lines: readonly string[]): string {
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

/** The address is the entry's DOI, a URL or an arXiv id, in this order; empty where the entry has none. */
function referenceOf(entry: string): WebSearchResult {
  const plain = entry.replace(/\[([^[\]]{1,300})\]\([^()\s]{1,2000}\)/g, "$1")
    .replace(/<?https?:\/\/[^\s<>"“”]+>?/gi, "").replace(/\*+/g, "").replace(/\s+/gu, " ").trim();
  return {
    title: oneLine(plain === "" ? entry : plain, TITLE_LENGTH),
    url: addressIn(entry),
    snippet: "",
  };
}

function addressIn(entry: string): string {
  const urls = [...entry.matchAll(URL_TEXT)].map(([url]) => trimmed(url));
  const rest = entry.replace(URL_TEXT, " ");
  const doi = urls.map((url) => DOI_HOST.exec(url)?.[1]).find((each) => each !== undefined) ??
    DOI.exec(rest)?.[0];
  if (doi !== undefined) return `https://doi.org/${encodedDoi(trimmed(doi))}`;
  const url = urls.map(linkableAddress).find((each) => each !== undefined);
  if (url !== undefined) return url;
  const arxiv = ARXIV.exec(rest)?.[1];
  return arxiv === undefined ? "" : `https://arxiv.org/abs/${arxiv}`;
}

/** A DOI as it stands in an address; one that is already encoded stays so. */
function encodedDoi(doi: string): string {
  return encodeURI(doi.toWellFormed()).replace(/%25(?=[0-9a-f]{2})/gi, "%")
    .replace(/[?#]/g, encodeURIComponent);
}

/** Without the signs after an address that are the sentence's; a bracket stays where its partner is in the address. */
function trimmed(address: string): string {
  let end = address.length;
  while (end > 0) {
    const kept = address.slice(0, end);
    const isOpen = kept.endsWith(")") && kept.split("(").length >= kept.split(")").length;
    if (isOpen || !/[.,;:!?'’”»\]}>)*_|]$/.test(kept)) break;
    end--;
  }
  return address.slice(0, end);
}
