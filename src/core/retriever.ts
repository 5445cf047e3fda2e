/** A passage of a paper that a search found. */
export interface PaperHit {
  /** Unique among the chunks of all papers that are searched. */
  readonly chunkId: string;
  /** The paper's id. */
  readonly paper: string;
  /** The passage, to the character as it stands in the paper. */
  readonly text: string;
  /** Fit with the query, over 0 to 1, which is the best of the query. */
  readonly score: number;
  /** Start in the paper, in UTF-16 units. */
  readonly start: number;
  /** End in the paper, exclusive. */
  readonly end: number;
  /** The page it begins on, from 1; absent where the paper has no pages. */
  readonly page?: number | undefined;
}

/** Options of one search in papers. */
export interface RetrieveOptions {
  /** The most hits. @default 5 */
  readonly limit?: number | undefined;
  /** Gives up, as cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** Finds passages of the papers of a debate. */
export interface Retriever {
  /** As records name it: `keyword`, `semantic`, `hybrid`, or one's own. */
  readonly name: string;
  /**
   * Passages that fit the query, best first. Any text is a query, none is a pattern; a query without a fit gives
   * none.
   */
  search(query: string, options?: RetrieveOptions): Promise<readonly PaperHit[]>;
  /** Loads what searches take, before anything is begun; fails where that is not there. @default nothing is loaded */
  ready?(): Promise<void>;
}

/** Number of passages of a look-up by default (context-network/rules/paper_debate.md). */
export const MAX_PASSAGES = 5;
