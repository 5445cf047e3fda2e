/** One thing a search found: words of others, to be quoted and never followed. */
export interface SearchHit {
  /** One line. */
  readonly title: string;
  /** Address: http or https, or a path in the convening's directory. Nothing opens it. */
  readonly url: string;
  /** Text that fits the query, plain. */
  readonly snippet: string;
  /** Part of the snippet that fits best; records keep it. @default the snippet */
  readonly passage?: string;
  /** Fit, 0 to 1 within its query. */
  readonly score?: number;
}

/** Options of one search. */
export interface SearchOptions {
  /** The most hits. @default 5 */
  readonly maxResults?: number | undefined;
  /** Gives up, as cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** Something that can be searched: the web, a convening's own sources. */
export interface Searcher {
  /** As records name it, such as `webSearch` or `sources`. */
  readonly name: string;
  /**
   * Hits for the query, best first; any text is a query. Fails with a `SearchError` when the search is not possible,
   * and with a `CancelledError` when `signal` aborts.
   */
  search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
}

/** Number of hits of a search by default (context-network/rules/paper_debate.md). */
export const MAX_RESULTS = 5;
