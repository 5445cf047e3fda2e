/** One thing a search found: words of others, to be quoted and never followed. */
export interface SearchHit {
  /** One line. */
  readonly title: string;
  /** Where it stands: an http or https address, or a path in the convening's directory. Nothing opens it. */
  readonly url: string;
  /** What it says about the query, in plain text. */
  readonly snippet: string;
  /** How well it fits, 0 to 1 within its query. */
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
   * What fits the query, best first; any text is a query. Fails with a `SearchError` when it cannot be searched, and with a
   * `CancelledError` when `signal` aborts.
   */
  search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
}

/** How many hits a search brings where nothing else is said (context-network/rules/paper_debate.md). */
export const MAX_RESULTS = 5;
