/** Whether a quotation stands where it is said to, or a citation was really returned (context-network/rules/paper_debate.md). */
export type Verification = "verified" | "not found";

/** A passage of a paper that is cited. */
export interface LookupHit {
  /** The id of a chunk. */
  readonly chunkId: string;
  /** The chunk's text; of one that was never returned, what the debater says it is, else empty. */
  readonly text: string;
  /** How well it fitted its query, over 0 to 1; 0 for one that was never returned. */
  readonly score: number;
  /** The paper's id. */
  readonly paper?: string | undefined;
  /** The page it begins on, from 1. */
  readonly page?: number | undefined;
  /** Where it begins in the paper, in UTF-16 units. */
  readonly start?: number | undefined;
  /** Where it ends. */
  readonly end?: number | undefined;
  /** Whether a look-up of the debater really returned it. */
  readonly status?: Verification | undefined;
}

/** A page of the web that is cited, or recommended. */
export interface WebSearchResult {
  /** One line. */
  readonly title: string;
  /** `http` or `https`; empty where there is none. */
  readonly url: string;
  /** What it says. */
  readonly snippet: string;
  /** Whether a search of the debater really returned it. */
  readonly status?: Verification | undefined;
}

/** What an argument on one topic cites. */
export interface Citations {
  /** Passages of the papers. */
  readonly paper?: readonly LookupHit[] | undefined;
  /** Pages of the web. */
  readonly web?: readonly WebSearchResult[] | undefined;
}

/** The place of a passage in a paper. */
export interface PaperPlace {
  /** Where it begins, in UTF-16 units. */
  readonly start?: number | undefined;
  /** Where it ends. */
  readonly end?: number | undefined;
  /** The page it begins on, from 1. */
  readonly page?: number | undefined;
}

/** A passage in quotation marks, and where it was found. */
export interface Quotation extends PaperPlace {
  /** The words between the marks. */
  readonly text: string;
  /** Whether they were found; `said` where only an earlier message has them, which proves nothing. */
  readonly status: Verification | "said";
  /** What they are from: a paper, a page of the web that a search returned, an earlier message. */
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

/** What a debater argues on one topic. */
export interface TopicArgument {
  /** One of the debate's topics. */
  readonly topic: string;
  /** What is claimed, in one or two sentences. */
  readonly claim: string;
  /** Why it follows. */
  readonly reasoning: string;
  /** What a rival would say against it: one or two. */
  readonly counterpoints: readonly string[];
  /** What it rests on. */
  readonly citations: Citations;
}

/** What a debater argues for its posture, topic by topic. */
export interface DebaterArgument {
  /** What it stands for. */
  readonly posture: string;
  /** One for each topic it argued. */
  readonly perTopic: readonly TopicArgument[];
  /** What it comes to. */
  readonly overallPosition: string;
  /** Its passages in quotation marks, with their marks. @default none was looked up */
  readonly quotations?: readonly Quotation[] | undefined;
}

/** How many quotations and citations of a debater were found where they are said to stand; those `said` are neither. */
export interface EvidenceFigures {
  /** Quotations and citations that were found. */
  readonly verified: number;
  /** Those that were not. */
  readonly notFound: number;
}

/** How much of what an evidence file holds was found; what has no mark was not. */
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
