// Counting of tokens, bounded in time and memoized by line.
/** Counts the tokens (o200k_base) of a text; over 64,000 characters, the count is estimated from samples of the text. */
export type TokenCounter = (text: string) => number;

/** Maximum number of characters that are tokenized. A longer text is sampled: 32 equidistant parts of equal size. */
const SAMPLE = { characters: 64_000, parts: 32 } as const;
let loading: Promise<TokenCounter> | undefined;

/**
 * Loads the o200k_base counter on first use, because its table takes about 25 MB and 55 ms. Control tokens in a text count
 * as plain text.
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= import("./token_ranks.ts").then(({ countTokens }) => {
    const count = memoizedByLine(countTokens);
    return (text) => countBounded(text, count);
  });
  return loading;
}

/** Counts in linear time: exact, except for texts that are sampled, and for words of more than 512 characters. */
function countBounded(text: string, count: TokenCounter): number {
  const { characters, parts } = SAMPLE;
  if (text.length <= characters) return count(text);
  const size = characters / parts;
  let tokens = 0;
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((text.length - size) * part / (parts - 1));
    tokens += count(text.slice(from, from + size));
  }
  return Math.round(tokens * text.length / characters);
}

/** Maximum number of characters of texts whose lines are cached. */
const MAX_CACHED = 1_000_000;
/** Character that the tokenizer may join to the line end before it. */
const JOINS_LINE_END = /[\s/]/;

/**
 * Memoizes the count per line, because engine and record count the same message and prompts repeat their lines. The sum is
 * exact: no token of o200k_base extends beyond a line end, unless white space or a slash follows.
 */
function memoizedByLine(count: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  let read = 0;
  const ofLine = (line: string) => {
    const tokens = known.get(line) ?? count(line);
    known.set(line, tokens);
    return tokens;
  };
  return (text) => {
    // A cached line may keep the whole text in memory, so the texts are counted.
    if ((read += text.length) > MAX_CACHED) {
      known.clear();
      read = text.length;
    }
    let tokens = 0;
    let from = 0;
    for (let end = text.indexOf("\n") + 1; end > 0; end = text.indexOf("\n", end) + 1) {
      if (JOINS_LINE_END.test(text[end] ?? " ")) continue;
      tokens += ofLine(text.slice(from, end));
      from = end;
    }
    return tokens + ofLine(text.slice(from));
  };
}
