// Papers that are debated, and the evidence that is drawn from them.

/** A paper that is debated (context-network/rules/paper_debate.md). */
export interface Paper {
  /** Unique in a debate; citations name the paper by it. */
  readonly id: string;
  /** As readers see it. */
  readonly title: string;
  /** The whole text: line breaks are `\n`, without control characters. */
  readonly text: string;
  /** Start of each page, in UTF-16 units: `pages[0]` is page 1's. @default no pages */
  readonly pages?: readonly number[] | undefined;
}

/** A background file given to a convening. */
export interface Source {
  /** A file name without folders. */
  readonly name: string;
  /** The whole file. */
  readonly text: string;
}

/** The page a place of a paper is on, from 1; undefined where the paper has no pages. */
export function pageAt({ pages }: Pick<Paper, "pages">, offset: number): number | undefined {
  if (pages === undefined || pages.length === 0) return undefined;
  const after = pages.findIndex((start) => start > offset);
  return after === -1 ? pages.length : Math.max(after, 1);
}

/** The name of a paper's file in its convening's directory: `paper.md` for the first, `paper-2.md` and so on after it. */
export function paperFile(index: number): string {
  return index === 0 ? "paper.md" : `paper-${index + 1}.md`;
}

/** The most characters (UTF-16 units) of a paper's text. */
export const MAX_PAPER_CHARACTERS = 5_000_000;

/** A text without what a page cannot show, and its places. */
interface CleanText {
  /** Line breaks are `\n`; no control characters but tabs; no white space at the end of a line. */
  readonly text: string;
  /** Offsets in the cleaned text of the offsets given. */
  readonly places: readonly number[];
}

const BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
const CONTROL = /(?!\t)\p{Cc}/gu;

/**
 * A text as papers are kept: line breaks of every kind made one, other control characters turned into spaces, halves of
 * characters into U+FFFD, a byte order mark and the white space at the end of lines left out. `places` are offsets in
 * UTF-16 units, rising; each is moved with the character it stands before.
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
    if (index < start) continue;
    addLine(index);
    start = index + mark.length;
  }
  addLine(raw.length);
  const text = lines.join("\n");
  while (moved.length < places.length) moved.push(text.length);
  return { text, places: moved };
}

/**
 * Result of a check: a quotation found at its place, or a citation found among the look-ups
 * (context-network/rules/paper_debate.md).
 */
export type Verification = "verified" | "not found";

/** A passage of a paper that is cited. */
export interface LookupHit {
  /** The id of a chunk. */
  readonly chunkId: string;
  /** The chunk's text; of one that was never returned, what the debater says it is, else empty. */
  readonly text: string;
  /** Fit with the query, over 0 to 1; 0 of a passage that no look-up returned. */
  readonly score: number;
  /** The paper's id. */
  readonly paper?: string | undefined;
  /** The page it begins on, from 1. */
  readonly page?: number | undefined;
  /** Start in the paper, in UTF-16 units. */
  readonly start?: number | undefined;
  /** End in the paper, exclusive. */
  readonly end?: number | undefined;
  /** The place in the paper of the words that the debater cites. @default it gives none, or the passage lacks them */
  readonly cited?: PaperPlace | undefined;
  /** Mark: verified if a look-up of the debater returned the passage. */
  readonly status?: Verification | undefined;
}

/** A page of the web that is cited, or recommended. */
export interface WebSearchResult {
  /** One line. */
  readonly title: string;
  /** `http` or `https`; empty where there is none. */
  readonly url: string;
  /** Text of the result. */
  readonly snippet: string;
  /** Mark: verified if a search of the debater returned the page. */
  readonly status?: Verification | undefined;
}

/** Passages and web pages that an argument on one topic cites. */
export interface Citations {
  /** Passages of the papers. */
  readonly paper?: readonly LookupHit[] | undefined;
  /** Pages of the web. */
  readonly web?: readonly WebSearchResult[] | undefined;
}

/** The place of a passage in a paper. */
export interface PaperPlace {
  /** Start, in UTF-16 units. */
  readonly start?: number | undefined;
  /** End in the paper, exclusive. */
  readonly end?: number | undefined;
  /** The page it begins on, from 1. */
  readonly page?: number | undefined;
}

/** A passage in quotation marks, and where it was found. */
export interface Quotation extends PaperPlace {
  /** The words between the marks. */
  readonly text: string;
  /** Mark: `said` if only an earlier message has the words, which proves nothing. */
  readonly status: Verification | "said";
  /** Type of the source: a paper, a web page that a search returned, an earlier message. */
  readonly from?: "paper" | "web" | "message" | undefined;
  /** The paper's id, the page's address, or the message's number. */
  readonly source?: string | undefined;
  /** The places of the parts between omissions. @default no words are left out */
  readonly parts?: readonly PaperPlace[] | undefined;
  /** The page that the speaker names, from 1, where the words do not stand on it. */
  readonly namedPage?: number | undefined;
  /** The topic they stand under; absent in an overall position and in a cross-examination. */
  readonly topic?: string | undefined;
}

/** Argument of a debater on one topic. */
export interface TopicArgument {
  /** One of the debate's topics. */
  readonly topic: string;
  /** Claim in one or two sentences. */
  readonly claim: string;
  /** Reasons for the claim. */
  readonly reasoning: string;
  /** Objections of a rival: one or two. */
  readonly counterpoints: readonly string[];
  /** Citations that support the claim. */
  readonly citations: Citations;
}

/** Argument of a debater for its posture, topic by topic. */
export interface DebaterArgument {
  /** Posture of the debater. */
  readonly posture: string;
  /** One for each topic it argued. */
  readonly perTopic: readonly TopicArgument[];
  /** Conclusion of the argument. */
  readonly overallPosition: string;
  /** Its passages in quotation marks, with their marks. @default none was looked up */
  readonly quotations?: readonly Quotation[] | undefined;
}

/**
 * Counts of a debater's quotations and citations that were found and not found; those marked `said` are in neither.
 */
export interface EvidenceFigures {
  /** Quotations and citations that were found. */
  readonly verified: number;
  /** Number not found. */
  readonly notFound: number;
}

/** Counts of an evidence file; a quotation or citation without a mark counts as not found. */
export function figuresOf(
  evidence: {
    readonly perTopic: readonly TopicArgument[];
    readonly citations: Citations;
    readonly quotations: readonly Quotation[];
  },
): EvidenceFigures {
  const cited = [...evidence.perTopic.map(({ citations }) => citations), evidence.citations]
    .flatMap(({ paper = [], web = [] }) => [...paper, ...web]);
  const all = [...cited, ...evidence.quotations];
  const verified = all.filter(({ status }) => status === "verified").length;
  const said = all.filter(({ status }) => status === "said").length;
  return { verified, notFound: all.length - verified - said };
}

/** The mark of a quotation as readers see it, such as `verified, with omissions` or `said in message 3`. */
export function markOf({ status, source = "", parts }: Omit<Quotation, "text">): string {
  if (status === "said") return `said in message ${source}`;
  return status === "verified" && parts !== undefined ? `${status}, with omissions` : status;
}

/** The pages and characters of a passage, part by part, such as `page 1, characters 3–9`; empty where neither is known. */
export function placeWords(
  { parts, namedPage, ...whole }: PaperPlace & Pick<Quotation, "parts" | "namedPage">,
): string {
  const places = (parts ?? [whole]).map(({ page, start, end }) =>
    [
      ...(page === undefined ? [] : [`page ${page}`]),
      ...(start === undefined || end === undefined ? [] : [`characters ${start}–${end}`]),
    ].join(", ")
  ).filter((each) => each !== "");
  return [places.join(" and "), ...namedWords({ namedPage })].filter(Boolean).join(", ");
}

/** The page that a speaker names wrongly, in words; none where the page is right or not named. */
export function namedWords({ namedPage }: Pick<Quotation, "namedPage">): string[] {
  return namedPage === undefined ? [] : [`not on page ${namedPage} as named`];
}
