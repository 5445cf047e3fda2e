// The seams to searchers, retrievers and embedders, and the chunks of texts that are searched.
import type { ModelSource } from "./agent.ts";

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

/** Options of one call of an {@linkcode Embedder}. */
export interface EmbedOptions {
  /** Gives up, as cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the tokens of each request, as the server counts them. */
  readonly onTokens?: ((tokens: number) => void) | undefined;
}

/**
 * Reserves the cost of a request of embeddings before it is sent; gives the function that takes the tokens that the model
 * read. Fails as cancelled where the request does not fit.
 */
export type EmbeddingMeter = (
  embedder: Pick<Embedder, "model" | "source">,
  texts: readonly string[],
) => Promise<(tokens: number) => Promise<void>>;

/** An embedder whose requests a run counts. */
export interface MeteredEmbedder extends Embedder {
  /** Counts the requests of the open record. @default nothing is counted */
  meter: EmbeddingMeter | undefined;
}

/** A model that turns texts into vectors; texts of like meaning get near vectors. */
export interface Embedder {
  /** The model's name; vectors of two models cannot be compared. */
  readonly model: string;
  /** Server of the model, by which its price is found. @default the price is unknown without one of the user's */
  readonly source?: ModelSource | undefined;
  /**
   * One vector a text, in their order, all of one length; near ones have a cosine near 1. Any text is taken, an empty one
   * too; a vector of zeros is like no text.
   */
  embed(
    texts: readonly string[],
    options?: EmbedOptions,
  ): Promise<readonly ArrayLike<number>[]>;
  /** Finds what calls need, such as a key, without a call; fails where something is missing. @default nothing is needed */
  ready?(): Promise<void>;
}

/** A piece of a text, small enough to be quoted. */
export interface Chunk {
  /** Unique among the chunks of its source: `SOURCE#N`, N from 1. */
  readonly id: string;
  /** The name of the text it is from. */
  readonly source: string;
  /** The text from `start` to `end`, to the character. */
  readonly text: string;
  /** Start in the text, in UTF-16 units. */
  readonly start: number;
  /** End in the text, exclusive. */
  readonly end: number;
}

interface ChunkOptions {
  /** The most characters (UTF-16 units) of a chunk. @default 500 */
  readonly size?: number | undefined;
  /** The most characters that a chunk repeats of the one before; less than half of `size`. @default 100 */
  readonly overlap?: number | undefined;
}

/**
 * A text cut into chunks (context-network/rules/paper_debate.md): at ends of sentences or paragraphs where one lies in the second
 * half of a chunk, else between words, else between characters. Each begins with the last sentence of the one before, or
 * its last words, as far as `overlap` goes. White space around chunks is left out; nothing else is.
 */
export function chunkText(text: string, source: string, options: ChunkOptions = {}): Chunk[] {
  const { size = 500, overlap = 100 } = options;
  if (!(size >= 10) || !(overlap >= 0) || overlap >= size / 2) {
    throw new RangeError(`Cannot cut chunks of ${size} characters that share ${overlap}`);
  }
  const chunks: Chunk[] = [];
  const length = text.trimEnd().length;
  let start = wordFrom(text, 0);
  let done = 0;
  while (start < length) {
    const limit = Math.min(start + size, length);
    const breaks = limit === length ? [] : sentenceStarts(text, start, limit);
    const cut = limit === length ? length : cutBefore(text, { start, limit, breaks });
    const end = start + text.slice(start, cut).trimEnd().length;
    if (end <= done) {
      // Much white space, or a long word after it: what would be repeated leaves no room for more.
      start = wordFrom(text, done);
      continue;
    }
    done = end;
    const id = `${source}#${chunks.length + 1}`;
    chunks.push({ id, source, text: text.slice(start, end), start, end });
    if (cut === length) break;
    start = nextStart(text, { start, end, cut, overlap, breaks });
  }
  return chunks;
}

/** Made when it is first needed: that takes milliseconds. */
let sentences: Intl.Segmenter | undefined;
/** Characters read beyond a chunk to tell the end of a sentence from a full stop within a sentence. */
const AHEAD = 40;
/** Characters read before the end of a sentence. */
const LINE = 160;
/** A line break inside a paragraph: the next line goes on with a letter, and this one is no heading. */
const WRAP = /(?<=[^\r\n])(?<!^#{1,6} .*)(?:\r\n|\n)(?=[ \t]*\p{L})/gmu;
/** A heading belongs to what follows it. */
const HEADING = /^#{1,6} .*\s*(?![^])/mu;
const ENDED = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"'*_]*\s*$|\n\s*$/u;
/** A dot that ends no sentence: after an initial, a title, or what papers shorten. */
const SHORT =
  /(?:^|[\s(])(?:\p{Lu}|[Dd]r|Mrs?|Ms|Prof|St|[Nn]o|[Ff]igs?|[Ee]qs?|[Ss]ec|[Vv]ol|pp?|vs|cf|al|ca|e\.g|i\.e|approx)\.\s*$/u;

/** Starts of sentences and paragraphs after `start` and up to `limit`, in order. */
function sentenceStarts(text: string, start: number, limit: number): number[] {
  const window = text.slice(start, limit + AHEAD).replace(WRAP, (line) => " ".repeat(line.length));
  const starts: number[] = [];
  sentences ??= new Intl.Segmenter("en", { granularity: "sentence" });
  for (const { index } of sentences.segment(window)) {
    if (start + index > limit) break;
    const before = window.slice(Math.max(index - LINE, 0), index);
    // The segmenter ends a sentence at every dot that a capital follows, and at every line's end.
    if (ENDED.test(before) && !SHORT.test(before) && !HEADING.test(before)) {
      starts.push(start + index);
    }
  }
  return starts;
}

interface Cut {
  readonly start: number;
  readonly limit: number;
  readonly breaks: readonly number[];
}

function cutBefore(text: string, { start, limit, breaks }: Cut): number {
  const half = start + Math.floor((limit - start) / 2);
  const sentence = breaks.findLast((each) => each > half);
  if (sentence !== undefined) return sentence;
  for (let at = limit; at > half; at--) {
    if (isSpace(text, at) || isSpace(text, at - 1)) return at;
  }
  return isWithinCharacter(text, limit) ? limit - 1 : limit;
}

interface Overlap {
  readonly start: number;
  readonly end: number;
  readonly cut: number;
  readonly overlap: number;
  readonly breaks: readonly number[];
}

/** Start of the next chunk: at most `overlap` before the end of the chunk given. */
function nextStart(text: string, { start, end, cut, overlap, breaks }: Overlap): number {
  const least = end - overlap;
  if (overlap === 0 || least <= start) return wordFrom(text, cut);
  const sentence = breaks.find((each) => each >= least && each < end);
  if (sentence !== undefined) return wordFrom(text, sentence);
  for (let at = least; at < end; at++) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at;
  }
  // No word begins there: the last one is longer than the overlap, or the script writes no spaces.
  if (isSpace(text, end)) return wordFrom(text, cut);
  return isWithinCharacter(text, least) ? least + 1 : least;
}

/** The first place from `at` on that is no white space. */
function wordFrom(text: string, at: number): number {
  let from = at;
  while (from < text.length && isSpace(text, from)) from++;
  return from;
}

/** True if an offset lies between the two units of one character. */
function isWithinCharacter(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "");
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text[at] ?? "");
}
