// Papers, the citations and quotations of an argument about them, and the cleaning of their text.

/** Paper under debate (context-network/rules/paper_debate.md). */
export interface Paper {
  /** Id in citations, unique in the debate. */
  readonly id: string;
  /** Title. */
  readonly title: string;
  /** Complete text, with `\n` as line break and without control characters. */
  readonly text: string;
  /** Start offset of each page, in UTF-16 units; `pages[0]` is page 1. @default no pages */
  readonly pages?: readonly number[] | undefined;
}

/** Background file of a convening. */
export interface Source {
  /** File name, without folders. */
  readonly name: string;
  /** Complete text. */
  readonly text: string;
}

/** Returns the page, from 1, at an offset; undefined if the paper has no pages. */
export function pageAt({ pages }: Pick<Paper, "pages">, offset: number): number | undefined {
  if (pages === undefined || pages.length === 0) return undefined;
  const after = pages.findIndex((start) => start > offset);
  return after === -1 ? pages.length : Math.max(after, 1);
}

/** Returns the first and the last page of a part of a paper; empty if the paper has no pages. */
export function pageRange(
  paper: Paper,
  start: number,
  end: number,
): [first?: number, last?: number] {
  const [first, last] = [pageAt(paper, start), pageAt(paper, Math.max(start, end - 1))];
  return first === undefined || last === undefined ? [] : [first, last];
}

/** Names the pages of a part of a paper, such as `pages 2 to 3`; undefined if the paper has no pages. */
export function pageWords(paper: Paper, start: number, end: number): string | undefined {
  const [first, last] = pageRange(paper, start, end);
  if (first === undefined) return undefined;
  return first === last ? `page ${first}` : `pages ${first} to ${last}`;
}

/** Returns a sentence for each paper that has pages without text, such as scanned pages. */
export function unreadPages(papers: readonly Paper[]): string[] {
  return papers.flatMap(({ title, text, pages = [] }) => {
    const empty = pages.flatMap((start, at) =>
      text.slice(start, pages[at + 1]).trim() === "" ? [String(at + 1)] : []
    );
    if (empty.length === 0) return [];
    const which = empty.length > 10 ? [...empty.slice(0, 9), "…"] : empty;
    return [
      `No text was found on ${empty.length} of the ${pages.length} pages of “${title}”: ` +
      `${which.join(", ")}.`,
    ];
  });
}

/** Returns the file name of a paper in its convening's directory: `paper.md` for the first, then `paper-2.md` and so on. */
export function paperFile(index: number): string {
  return index === 0 ? "paper.md" : `paper-${index + 1}.md`;
}

/** Maximum length of a paper's text, in UTF-16 units. */
export const MAX_PAPER_CHARACTERS = 5_000_000;

interface CleanText {
  /** Text with `\n` as line break, no control characters except tabs, and no trailing white space on lines. */
  readonly text: string;
  /** Offsets in the cleaned text of the given offsets. */
  readonly places: readonly number[];
}

const BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
const CONTROL = /(?!\t)\p{Cc}/gu;

/**
 * Cleans a text for storage as a paper: unifies line breaks, replaces other control characters by spaces and lone surrogates
 * by U+FFFD, and removes a byte order mark and trailing white space. `places` are ascending offsets in UTF-16 units; each
 * is mapped to the same character in the cleaned text.
 */
export function cleanText(raw: string, places: readonly number[] = []): CleanText {
  const begin = raw.startsWith("\ufeff") ? 1 : 0;
  const lines: string[] = [];
  const moved: number[] = [];
  let length = 0;
  let start = begin;
  const addLine = (end: number) => {
    const line = raw.slice(start, end).toWellFormed().replace(CONTROL, " ").trimEnd();
    while (moved.length < places.length && places[moved.length]! <= end) {
      const offset = Math.max(0, places[moved.length]! - start);
      moved.push(length + Math.min(offset, line.length));
    }
    lines.push(line);
    length += line.length + 1;
  };
  for (const { 0: mark, index } of raw.matchAll(BREAK)) {
    addLine(index);
    start = index + mark.length;
  }
  addLine(raw.length);
  return { text: lines.join("\n"), places: moved };
}

/** Result of verifying a quotation or citation (context-network/rules/paper_debate.md). */
export type Verification = "verified" | "not found";

/** Cited passage of a paper. */
export interface LookupHit extends PaperPlace {
  /** Id of the chunk. */
  readonly chunkId: string;
  /** Text of the chunk; if no look-up returned it, the text that the debater claims, or empty. */
  readonly text: string;
  /** Relevance to the query, over 0 to 1; 0 if no look-up returned the passage. */
  readonly score: number;
  /** Id of the paper. */
  readonly paper?: string | undefined;
  /** Place of the cited words in the paper. @default no words are cited, or the passage lacks them */
  readonly cited?: PaperPlace | undefined;
  /** Verified if a look-up of the debater returned the passage. */
  readonly status?: Verification | undefined;
}

/** Cited or recommended web page. */
export interface WebSearchResult {
  /** Title, on one line. */
  readonly title: string;
  /** URL (`http` or `https`); empty if unknown. */
  readonly url: string;
  /** Excerpt of the page. */
  readonly snippet: string;
  /** Verified if a search of the debater returned the page. */
  readonly status?: Verification | undefined;
}

/** Citations of an argument on one topic. */
export interface Citations {
  /** Passages of the papers. */
  readonly paper?: readonly LookupHit[] | undefined;
  /** Web pages. */
  readonly web?: readonly WebSearchResult[] | undefined;
}

/** Place of a passage in a paper. */
export interface PaperPlace {
  /** Start, in UTF-16 units. */
  readonly start?: number | undefined;
  /** End in the paper, exclusive, in UTF-16 units. */
  readonly end?: number | undefined;
  /** Page on which the passage begins, from 1. */
  readonly page?: number | undefined;
}

/** Passage in quotation marks, with its verification. */
export interface Quotation extends PaperPlace {
  /** Words between the marks. */
  readonly text: string;
  /** Verification; `said` if only an earlier message has the words, which proves nothing. */
  readonly status: Verification | "said";
  /** Kind of the source: a paper, a web page that a search returned, or an earlier message. */
  readonly from?: "paper" | "web" | "message" | undefined;
  /** Id of the paper, URL of the page, or number of the message. */
  readonly source?: string | undefined;
  /** Places of the parts between omissions. @default no words are omitted */
  readonly parts?: readonly PaperPlace[] | undefined;
  /** Page named by the speaker, from 1, if the words are not on that page. */
  readonly namedPage?: number | undefined;
  /** Topic of the argument; absent in an overall position and in a cross-examination. */
  readonly topic?: string | undefined;
}

/** Argument of a debater on one topic. */
export interface TopicArgument {
  /** Topic, one of the debate's. */
  readonly topic: string;
  /** Claim, in one or two sentences. */
  readonly claim: string;
  /** Reasons for the claim. */
  readonly reasoning: string;
  /** Objections of a rival: one or two. */
  readonly counterpoints: readonly string[];
  /** Citations that support the claim. */
  readonly citations: Citations;
}

/** Argument of a debater for a posture. */
export interface DebaterArgument {
  /** Posture of the debater. */
  readonly posture: string;
  /** Argument per topic. */
  readonly perTopic: readonly TopicArgument[];
  /** Conclusion. */
  readonly overallPosition: string;
  /** Quotations with their verification. @default not verified */
  readonly quotations?: readonly Quotation[] | undefined;
}

/** Numbers of a debater's quotations and citations by verification; quotations with status `said` are not counted. */
export interface EvidenceFigures {
  /** Number of verified quotations and citations. */
  readonly verified: number;
  /** Number of quotations and citations that were not found. */
  readonly notFound: number;
}

interface CitedTopics {
  readonly perTopic: readonly TopicArgument[];
  readonly citations: Citations;
}

/** Returns the citations of an argument: of each topic, then of the overall position. */
export function citationsOf({ perTopic, citations }: CitedTopics): Citations[] {
  return [...perTopic.map((each) => each.citations), citations];
}

/** Counts the quotations and citations of an evidence file; one without a status counts as not found. */
export function figuresOf(
  evidence: CitedTopics & { readonly quotations: readonly Quotation[] },
): EvidenceFigures {
  const cited = citationsOf(evidence).flatMap(({ paper = [], web = [] }) => [...paper, ...web]);
  const all = [...cited, ...evidence.quotations];
  const verified = all.filter(({ status }) => status === "verified").length;
  const said = all.filter(({ status }) => status === "said").length;
  return { verified, notFound: all.length - verified - said };
}

/** Sums the figures of several evidence files. */
export function figuresIn(evidence: readonly Parameters<typeof figuresOf>[0][]): EvidenceFigures {
  const figures = evidence.map(figuresOf);
  return {
    verified: figures.reduce((sum, each) => sum + each.verified, 0),
    notFound: figures.reduce((sum, each) => sum + each.notFound, 0),
  };
}

/** Describes the figures of quotations and citations. */
export function figuresWords({ verified, notFound }: EvidenceFigures): string {
  return `${verified} verified, ${notFound} not found`;
}

/** Formats the status of a quotation, such as `verified, with omissions` or `said in message 3`. */
export function markOf({ status, source = "", parts }: Omit<Quotation, "text">): string {
  if (status === "said") return `said in message ${source}`;
  return status === "verified" && parts !== undefined ? `${status}, with omissions` : status;
}

/** Formats the pages and characters of a passage, such as `page 1, characters 3–9`; empty if neither is known. */
export function placeText(
  { parts, namedPage, ...whole }: PaperPlace & Pick<Quotation, "parts" | "namedPage">,
): string {
  const places = (parts ?? [whole]).map(({ page, start, end }) =>
    [
      ...(page === undefined ? [] : [`page ${page}`]),
      ...(start === undefined || end === undefined ? [] : [`characters ${start}–${end}`]),
    ].join(", ")
  ).filter((each) => each !== "");
  return [places.join(" and "), ...wrongPageText({ namedPage })].filter(Boolean).join(", ");
}

/** Formats the page that the speaker named wrongly; empty list if the page is right or not named. */
export function wrongPageText({ namedPage }: Pick<Quotation, "namedPage">): string[] {
  return namedPage === undefined ? [] : [`not on page ${namedPage} as named`];
}
