// Parts of texts, and rows of results, by tokens.
import { ConfigurationError } from "../core/error.ts";
import { loadTokenCounter } from "../core/tokens.ts";

/** A part of a text. */
export interface TextPiece {
  readonly text: string;
  /** Tokens of the part (o200k_base). */
  readonly tokens: number;
  /** Beginning of the rest, in UTF-16 units; absent where there is none. */
  readonly next?: number | undefined;
}

/** Beginning of a part, in UTF-16 units, and the bound of its tokens. */
export interface PieceOptions {
  readonly offset: number;
  readonly maxTokens: number;
}

/** No token of any text is longer, but runs of blanks and the like: they are cut earlier. */
const UNITS_PER_TOKEN = 8;

/**
 * The part of a text from an offset on that has at most so many tokens, which must be 20 or more: a single character may
 * take several. Fails with `config_invalid` behind its end.
 */
export async function pieceOf(
  text: string,
  { offset, maxTokens }: PieceOptions,
): Promise<TextPiece> {
  if (offset > text.length) {
    throw new ConfigurationError(`Cannot read from ${offset}: the text has ${text.length}`, {
      field: "offset",
      hint: "Give the `next` of the result before.",
    });
  }
  const count = await loadTokenCounter();
  const from = wholeAt(text, offset);
  let end = wholeAt(text, Math.min(text.length, from + maxTokens * UNITS_PER_TOKEN));
  let tokens = count(text.slice(from, end));
  while (tokens > maxTokens && end > from + 2) {
    const fewer = Math.floor((end - from) * Math.min(0.9, maxTokens / tokens));
    end = wholeAt(text, from + Math.max(2, fewer));
    tokens = count(text.slice(from, end));
  }
  return { text: text.slice(from, end), tokens, ...end < text.length ? { next: end } : {} };
}

/** The place, or the one before where a character of two units would be cut. */
function wholeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** Tokens of the line over the words of one entry, at most. */
export const FRAME_TOKENS = 40;
/** The fewest tokens of words that are cut. */
const LEAST_TOKENS = 20;

/** A row of a result, and words of it. */
interface Entry {
  readonly data: Readonly<Record<string, unknown>>;
  readonly of: string;
  readonly text: string;
}

/** The first entries that take at most so many tokens, `used` among them: at least one, whose words may be cut. */
export async function fitted<T, E extends Entry>(
  items: readonly T[],
  read: (item: T) => Promise<E>,
  { maxTokens, used = 0 }: { readonly maxTokens: number; readonly used?: number },
): Promise<{ entries: (E & { readonly piece: TextPiece })[]; tokens: number }> {
  const count = await loadTokenCounter();
  const entries: (E & { readonly piece: TextPiece })[] = [];
  let tokens = used;
  for (const item of items) {
    const entry = await read(item);
    const own = count(JSON.stringify(entry.data)) + (entry.text === "" ? 0 : FRAME_TOKENS);
    const left = maxTokens - tokens - own;
    const most = Math.max(LEAST_TOKENS, left);
    const piece = await pieceOf(entry.text, { offset: 0, maxTokens: most });
    if (entries.length > 0 && (left < piece.tokens || piece.next !== undefined)) break;
    tokens += own + piece.tokens;
    entries.push({ ...entry, piece });
  }
  return { entries, tokens };
}
