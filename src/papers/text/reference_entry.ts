import { oneLine } from "../../core/message.ts";
import type { WebSearchResult } from "../../core/evidence.ts";

/** The most code points of a title where no title can be told from the entry, and of a snippet. */
const LENGTHS = { title: 200, snippet: 300 } as const;

const URL_TEXT = /https?:\/\/[^\s<>"“”]+/gi;
const DOI = /(?<![\w/.])10\.\d{4,9}\/[^\s<>"“”]+/;
const DOI_HOST = /^https?:\/\/(?:dx\.)?doi\.org\/(10\.\d{4,9}\/.+)$/i;
const ARXIV =
  /\barxiv(?:\.org\/(?:abs|pdf)\/|\s*:\s*|\s+)((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,2})?)\b/i;
const YEAR = /(?:1[5-9]|20)\d\d[a-z]?/.source;
const AFTER_YEAR = new RegExp(
  `^.{0,400}?\\((?:[^()]{0,20}\\s)?${YEAR}[^()]{0,20}\\)[.,:]?\\s+(.+)$`,
  "su",
);
const AFTER_PLAIN_YEAR = new RegExp(`^.{0,400}?[.,]\\s${YEAR}[.:]\\s+(.+)$`, "su");

/**
 * One entry of a list of references: its title as far as it can be told, else the entry's beginning; the address it names
 * itself (a DOI, a URL, an arXiv id, in this order), else none; the entry on one line.
 */
export function referenceOf(entry: string): WebSearchResult {
  return {
    title: oneLine(titleIn(entry) ?? plainWords(entry), LENGTHS.title),
    url: addressIn(entry),
    snippet: oneLine(entry, LENGTHS.snippet),
  };
}

/** An address that a page can link to: `http` or `https`, of a host and without a password; undefined for any other. */
export function linkableAddress(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url.href : undefined;
}

function addressIn(entry: string): string {
  const urls = [...entry.matchAll(URL_TEXT)].map(([url]) => trimmed(url));
  const rest = entry.replace(URL_TEXT, " ");
  const doi = urls.map((url) => DOI_HOST.exec(url)?.[1]).find((each) => each !== undefined) ??
    doiIn(rest);
  if (doi !== undefined) return `https://doi.org/${encodedDoi(doi)}`;
  const url = urls.map(linkableAddress).find((each) => each !== undefined);
  if (url !== undefined) return url;
  const arxiv = ARXIV.exec(rest)?.[1];
  return arxiv === undefined ? "" : `https://arxiv.org/abs/${arxiv}`;
}

function doiIn(text: string): string | undefined {
  const doi = DOI.exec(text)?.[0];
  return doi === undefined ? undefined : trimmed(doi);
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
    const last = address[end - 1]!;
    const kept = address.slice(0, end);
    const isOpen = last === ")" && count(kept, "(") >= count(kept, ")");
    if (isOpen || !/[.,;:!?'’”»\]}>)*_|]/.test(last)) break;
    end--;
  }
  return address.slice(0, end);
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

/** The first of what may be the title that reads as one. */
function titleIn(entry: string): string | undefined {
  for (const find of TITLES) {
    const title = plainWords(find(entry) ?? "").replace(/[\s,.;:]+$/, "");
    if (isTitle(title)) return title;
  }
  return undefined;
}

/** A part in quotation marks that is parted from its surroundings as a title is, not one within a title. */
function quotedTitle(entry: string): string | undefined {
  const quoted = /(?:^|[,.:;)])\s+?["“„«]([^"“”„«»]{8,300})["”“»](?=[,.;]|\s*$)/u.exec(entry) ??
    /(?:^|[,.:;)])\s+?["“„«]([^"“”„«»]{8,300}[,.?!])["”“»]/u.exec(entry) ??
    /(?:^|[,.:;)])\s+?[‘]([^‘\n]{8,300}?)’(?=[,.;])/u.exec(entry);
  return quoted?.[1];
}

function linkedTitle(entry: string): string | undefined {
  const words = /\[([^[\]]{8,300})\]\(https?:/i.exec(entry)?.[1];
  return words === undefined || /^(?:https?:|doi|arxiv|www\.|10\.)/i.test(words)
    ? undefined
    : words;
}

/** The sentence after a year in brackets. */
function afterYear(entry: string): string | undefined {
  const rest = AFTER_YEAR.exec(entry)?.[1];
  return rest === undefined ? undefined : firstSentence(rest);
}

/** The sentence after a year that ends the authors' names. */
function afterPlainYear(entry: string): string | undefined {
  const rest = AFTER_PLAIN_YEAR.exec(entry)?.[1];
  return rest === undefined ? undefined : firstSentence(rest);
}

/** Words in `*` or `_`, as in books' titles. */
function stressedTitle(entry: string): string | undefined {
  return /(?<![\p{L}\p{N}*])\*{1,2}([^*]{8,250})\*/u.exec(entry)?.[1] ??
    /(?<![\p{L}\p{N}_])_([^_]{8,250})_(?![\p{L}\p{N}])/u.exec(entry)?.[1];
}

const VANCOUVER =
  /^(?:\p{Lu}[\p{L}'’-]{0,30}(?: \p{L}[\p{L}'’-]{0,30}){0,2} \p{Lu}{1,3}, ){0,60}(?:\p{Lu}[\p{L}'’-]{0,30}(?: \p{L}[\p{L}'’-]{0,30}){0,2} \p{Lu}{1,3}|et al)\.\s+(.+)$/su;

const ONE_AUTHOR = /^(?:\p{Lu}\.[\s-]?){1,3}(?:\p{L}{1,20}[\s-]){0,2}\p{Lu}[\p{L}'’-]{1,30}$/u;

/** The sentence after the authors' names, of an entry whose year comes later. */
function afterAuthors(entry: string): string | undefined {
  const rest = VANCOUVER.exec(entry)?.[1];
  if (rest !== undefined) return firstSentence(rest);
  const authors = firstSentence(entry);
  const after = entry.slice(authors.length + 1).trim();
  const isAuthors = ONE_AUTHOR.test(authors) ||
    /,|\band\b|&|\bet al\b/u.test(authors) && /(?:^|[\s-])\p{Lu}\./u.test(authors);
  return isAuthors && new RegExp(`\\b${YEAR}\\b`).test(after) ? firstSentence(after) : undefined;
}

/** Up to a full stop that ends a sentence: not an initial's, not an abbreviation's; with a question or exclamation mark. */
function firstSentence(text: string): string {
  for (const { 0: end, index } of text.matchAll(/[.?!](?=["”’*_)]{0,2}(?:\s|$))/g)) {
    const before = text.slice(Math.max(0, index - 8), index);
    if (
      end === "." && /(?:^|[\s.(-])(?:\p{Lu}|vs|cf|Vol|No|St|Dr|Jr|Eds?|eds?|pp?)$/u.test(before)
    ) {
      continue;
    }
    return text.slice(0, index) + (end === "." ? "" : end);
  }
  return text;
}

/** Where titles stand, the surest first. */
const TITLES = [
  quotedTitle,
  linkedTitle,
  afterYear,
  afterAuthors,
  afterPlainYear,
  stressedTitle,
] as const;

function isTitle(text: string): boolean {
  return /^["“'‘(¿¡]?[\p{L}\p{N}]/u.test(text) && /\p{L}{4}/u.test(text) &&
    !/^(?:https?:|doi\b|arxiv\b|in\b|pp?\b)/i.test(text) && text.length <= 400;
}

/** Without markup: links as their words, stressed words plain, escapes undone. */
function plainWords(text: string): string {
  return text.replace(/\[([^[\]]{1,300})\]\([^()\s]{1,2000}\)/g, "$1")
    .replace(/\*+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/\\([\\`*_{}[\]()#+.!|~<>&-])/g, "$1").trim();
}
