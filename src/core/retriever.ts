/** A passage of a paper that a search found. */
export interface PaperHit {
  /** Unique among the chunks of all papers that are searched. */
  readonly chunkId: string;
  /** The paper's id. */
  readonly paper: string;
  /** The passage, to the character as it stands in the paper. */
  readonly text: string;
  /** How well it fits, over 0 to 1, which is the query's best. */
  readonly score: number;
  /** Where it begins, in UTF-16 units from the paper's beginning. */
  readonly start: number;
  /** Where it ends. */
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
  /** What fits the query, best first. Any text is a query, none is a pattern; what nothing fits brings nothing. */
  search(query: string, options?: RetrieveOptions): Promise<readonly PaperHit[]>;
  /** Loads what searches take, before anything is begun; fails where that is not there. @default nothing is loaded */
  ready?(): Promise<void>;
}

/** How many passages a look-up brings where nothing else is said (context-network/rules/paper_debate.md). */
export const MAX_PASSAGES = 5;
