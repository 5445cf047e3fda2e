// Interfaces of searchers, retrievers and embedders; answers from records; splitting of texts into chunks for search.
import type { ModelSource } from "./agent.ts";
import type { BriefQuote } from "./brief.ts";
import type { Made } from "./message.ts";
import { sentenceStarts } from "./words.ts";

/** Result of a search. Its text is quoted in prompts but never followed as an instruction. */
export interface SearchHit {
  /** Title, on one line. */
  readonly title: string;
  /** URL (`http` or `https`), or path in the convening's directory. Never opened by the program. */
  readonly url: string;
  /** Text that matches the query, without markup. */
  readonly snippet: string;
  /** Best part of the snippet, which records keep. @default the snippet */
  readonly passage?: string;
  /** Relevance from 0 to 1, relative to the query. */
  readonly score?: number;
}

/** Options of a search. */
export interface SearchOptions {
  /** Maximum number of results. @default 5 */
  readonly maxResults?: number | undefined;
  /** Cancels the search. */
  readonly signal?: AbortSignal | undefined;
}

/** Search engine, such as a web search or a search in a convening's sources. */
export interface Searcher {
  /** Name in records, such as `webSearch` or `sources`. */
  readonly name: string;
  /**
   * Returns the results, best first; any text is a valid query. Rejects with a `SearchError` if the search is impossible,
   * and with a `CancelledError` if `signal` aborts.
   */
  search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
}

/** Default number of search results (context-network/rules/paper_debate.md). */
export const MAX_RESULTS = 5;

/** Passage of a paper, found by a look-up. */
export interface PaperHit {
  /** Id of the chunk, unique among the chunks of all searched papers. */
  readonly chunkId: string;
  /** Id of the paper. */
  readonly paper: string;
  /** Text of the passage, exactly as in the paper. */
  readonly text: string;
  /** Relevance: over 0 to 1, the best passage of a query having 1. */
  readonly score: number;
  /** Start in the paper, in UTF-16 units. */
  readonly start: number;
  /** End in the paper, exclusive, in UTF-16 units. */
  readonly end: number;
  /** Page on which the passage begins, from 1; absent if the paper has no pages. */
  readonly page?: number | undefined;
}

/** Options of a look-up in papers. */
export interface RetrieveOptions {
  /** Maximum number of passages. @default 5 */
  readonly limit?: number | undefined;
  /** Cancels the look-up. */
  readonly signal?: AbortSignal | undefined;
}

/** Finds passages in the papers of a debate. */
export interface Retriever {
  /** Name in records: `keyword`, `semantic`, `hybrid`, or a name of your own. */
  readonly name: string;
  /** Returns the passages that match the query, best first, or none. Any text is a valid query, never a pattern. */
  search(query: string, options?: RetrieveOptions): Promise<readonly PaperHit[]>;
  /** Loads data for searches before the convening begins; rejects if something is missing. @default nothing is loaded */
  ready?(): Promise<void>;
}

/** Default number of passages per look-up (context-network/rules/paper_debate.md). */
export const MAX_PASSAGES = 5;

/** Options of {@linkcode Embedder.embed}. */
export interface EmbedOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the tokens of each request, as reported by the server. */
  readonly onTokens?: ((tokens: number) => void) | undefined;
}

/**
 * Reserves the cost of an embeddings request before it is sent; resolves with a function to be called with the tokens
 * used. Rejects as cancelled if the request exceeds a limit.
 */
export type EmbeddingMeter = (
  embedder: Pick<Embedder, "model" | "source">,
  texts: readonly string[],
) => Promise<(tokens: number) => Promise<void>>;

/** Embedder whose requests count toward a run's limits. */
export interface MeteredEmbedder extends Embedder {
  /** Meter of the open record. @default requests are not counted */
  meter: EmbeddingMeter | undefined;
}

/** Default embedding model. */
export const EMBEDDING_MODEL = "text-embedding-3-small";

/** Model that maps texts to vectors; texts of similar meaning have similar vectors. */
export interface Embedder {
  /** Name of the model; vectors of different models are not comparable. */
  readonly model: string;
  /** Provider of the model, for the look-up of its price. @default the price is unknown, unless the user sets one */
  readonly source?: ModelSource | undefined;
  /**
   * Returns one vector per text, in order, all of one length, to be compared by cosine. Accepts any text, even an empty one;
   * a vector of zeros is similar to nothing.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly ArrayLike<number>[]>;
  /** Checks requirements such as a key, without a call; rejects if one is missing. @default no requirement */
  ready?(): Promise<void>;
  /**
   * Rejects with an `AgentError` if the server is unreachable or refuses the key or the model. Called before the record is
   * created. @default no check
   */
  check?(signal?: AbortSignal): Promise<void>;
}

/** Part of a text, small enough to be quoted. */
export interface Chunk {
  /** Text between `start` and `end`, exactly as in the source. */
  readonly text: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
  /** End in the text, exclusive, in UTF-16 units. */
  readonly end: number;
}

/** Maximum number of characters (UTF-16 units) of a chunk, and of those repeated from the previous chunk. */
const [SIZE, OVERLAP] = [500, 100];

/**
 * Splits a text into chunks (context-network/rules/paper_debate.md). A chunk ends at the last end of a sentence or paragraph
 * in its second half, else between words, else between characters. It begins with the last sentence or words of the
 * previous chunk. White space around chunks is dropped; nothing else is.
 */
export function chunkText(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  const length = text.trimEnd().length;
  let start = wordFrom(text, 0);
  let done = 0;
  while (start < length) {
    const limit = Math.min(start + SIZE, length);
    const half = start + Math.floor((limit - start) / 2);
    const breaks = limit === length ? [length] : startsIn(text, start, limit);
    const cut = breaks.findLast((each) => each > half) ?? lastBreak(text, half, limit);
    const end = start + text.slice(start, cut).trimEnd().length;
    if (end <= done) {
      // Long white space, or a long word after it: the overlap leaves no room for new text.
      start = wordFrom(text, done);
      continue;
    }
    done = end;
    chunks.push({ text: text.slice(start, end), start, end });
    if (cut === length) break;
    const least = end - OVERLAP;
    const repeated = least <= start
      ? undefined
      : breaks.find((each) => each >= least && each < end) ?? repeatFrom(text, least, end);
    start = wordFrom(text, repeated ?? cut);
  }
  return chunks;
}

/** Number of characters read beyond a chunk, to tell the end of a sentence from a full stop within it. */
const AHEAD = 40;
/** Number of characters examined before the end of a sentence. */
const BEHIND = 160;
/** Line break inside a paragraph: the next line begins with a letter, and this line is no heading. */
const WRAP = /(?<=[^\r\n])(?<!^#{1,6} .*)(?:\r\n|\n)(?=[ \t]*\p{L})/gmu;
/** Heading at the end of a text, which belongs to the text after it. */
const HEADING = /^#{1,6} .*\s*(?![^])/mu;
const SENTENCE_END = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_]*\s*$|\n\s*$/u;
/** Full stop that ends no sentence: after an initial, a title, or an abbreviation common in papers. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|[Dd]r|Mrs?|Ms|Prof|St|[Nn]o|[Ff]igs?|[Ee]qs?|[Ss]ec|[Vv]ol|pp?|vs|cf|al|ca|e\.g|i\.e|approx)\.\s*$/u;

/** Returns the starts of sentences and paragraphs after `start`, up to `limit`, in order. */
function startsIn(text: string, start: number, limit: number): number[] {
  const window = text.slice(start, limit + AHEAD).replace(WRAP, (line) => " ".repeat(line.length));
  const starts: number[] = [];
  for (const index of sentenceStarts(window)) {
    if (start + index > limit) break;
    const before = window.slice(Math.max(index - BEHIND, 0), index);
    // The segmenter ends a sentence at every full stop before a capital, and at every line end.
    if (SENTENCE_END.test(before) && !ABBREVIATION.test(before) && !HEADING.test(before)) {
      starts.push(start + index);
    }
  }
  return starts;
}

/** Returns the last break between words, or else between characters, after `half` and up to `limit`. */
function lastBreak(text: string, half: number, limit: number): number {
  for (let at = limit; at > half; at--) {
    if (isSpace(text, at) || isSpace(text, at - 1)) return at;
  }
  return wholeCharacter(text, limit, -1);
}

/** Returns the first start of a word from `least` on, else `least` within a word; undefined if that word ends at `end`. */
function repeatFrom(text: string, least: number, end: number): number | undefined {
  for (let at = least; at < end; at++) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at;
  }
  return isSpace(text, end) ? undefined : wholeCharacter(text, least, 1);
}

/** Returns the first offset from `at` that is not white space. */
function wordFrom(text: string, at: number): number {
  let from = at;
  while (from < text.length && isSpace(text, from)) from++;
  return from;
}

/** Returns an offset, moved by `step` if the offset splits a surrogate pair. */
function wholeCharacter(text: string, at: number, step: number): number {
  const isWithin = /[\ud800-\udbff]/.test(text[at - 1] ?? "") &&
    /[\udc00-\udfff]/.test(text[at] ?? "");
  return isWithin ? at + step : at;
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text[at] ?? "");
}

/** An exact quotation of a message that supports an answer. */
export interface AnswerPassage extends BriefQuote {
  /** Name of the speaker. */
  readonly name: string;
  /** Path of the message's file in the convening's directory, with `/`. */
  readonly file: string;
}

/** A model's answer to a question about a record. */
export interface ModelAnswer extends Made {
  /** The answer in one line; a quotation that is in no message is replaced by an ellipsis. */
  readonly text: string;
  /** Passages that support the answer, strongest first. */
  readonly passages: readonly AnswerPassage[];
  /** Number of quotations that were left out because they are in no message. */
  readonly leftOut: number;
  /** Number of messages in the prompt: all searched messages if they fit, else the best matches. */
  readonly read: number;
  /** Numbers of the messages that the prompt shows in part, for lack of room. */
  readonly cut: readonly number[];
}
