/** Counts the tokens of a text (o200k_base); over 64,000 characters the count is an estimate from parts of the text. */
export type TokenCounter = (text: string) => number;

/** The most characters that are counted. Of a longer text as many are counted, in parts at equal distances. */
const COUNTED = { characters: 64_000, parts: 32 } as const;
/** The most letters, blanks or other signs in a row that are counted together: the tokenizer is quadratic in them. */
const LONGEST_RUN = 512;
const RUN = new RegExp(
  `[\\p{L}\\p{M}]{1,${LONGEST_RUN}}|\\s{1,${LONGEST_RUN}}|[^\\s\\p{L}\\p{N}]{1,${LONGEST_RUN}}`,
  "gu",
);

const BLANK = /\s/;

let loading: Promise<TokenCounter> | undefined;

/**
 * The o200k_base counter; text that looks like a control token counts as plain text. Its table takes some 25 MB and 55 ms,
 * so it is loaded where it is first needed.
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= import("./token_ranks.ts").then(({ countTokens }) => {
    const count = byLine(countTokens);
    return (text) => bounded(text, count);
  });
  return loading;
}

/** The count in time that grows with the text at most: exact but for runs that are cut, and for texts that are very long. */
function bounded(text: string, count: TokenCounter): number {
  const { characters, parts } = COUNTED;
  if (text.length <= characters) return inRuns(text, count);
  const size = characters / parts;
  let tokens = 0;
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((text.length - size) * part / (parts - 1));
    tokens += inRuns(text.slice(from, from + size), count);
  }
  return Math.round(tokens * text.length / characters);
}

function inRuns(text: string, count: TokenCounter): number {
  let tokens = 0;
  let from = 0;
  if (mayHaveRun(text)) {
    for (const { 0: run, index } of text.matchAll(RUN)) {
      if (run.length < LONGEST_RUN) continue;
      tokens += count(text.slice(from, index + run.length));
      from = index + run.length;
    }
  }
  return tokens + count(text.slice(from));
}

/** True for a text with so many signs in a row that all are blanks, or none is: each such row holds one of some places. */
function mayHaveRun(text: string): boolean {
  for (let at = LONGEST_RUN - 1; at < text.length; at += LONGEST_RUN) {
    const isBlank = BLANK.test(text[at]!);
    const isAlike = (place: number) => place < text.length && BLANK.test(text[place]!) === isBlank;
    let [from, end] = [at, at + 1];
    while (from > at - LONGEST_RUN + 1 && isAlike(from - 1)) from--;
    while (end < from + LONGEST_RUN && isAlike(end)) end++;
    if (end - from >= LONGEST_RUN) return true;
  }
  return false;
}

/** The most characters of texts whose lines are remembered. */
const REMEMBERED = 1_000_000;
/** A sign after a line's end that the tokenizer may read together with the end. */
const JOINED = /[\s/]/;

/**
 * Counts line by line, each line once: the engine and the record count the same message, and prompts repeat their lines.
 * The sum is exact: no token of o200k_base goes on past the end of a line, unless a blank or a slash comes next.
 */
function byLine(count: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  let read = 0;
  const ofLine = (line: string) => {
    const tokens = known.get(line) ?? count(line);
    known.set(line, tokens);
    return tokens;
  };
  return (text) => {
    // A line may hold the whole text in memory.
    if ((read += text.length) > REMEMBERED) {
      known.clear();
      read = text.length;
    }
    let tokens = 0;
    let from = 0;
    for (let end = text.indexOf("\n") + 1; end > 0; end = text.indexOf("\n", end) + 1) {
      if (JOINED.test(text[end] ?? " ")) continue;
      tokens += ofLine(text.slice(from, end));
      from = end;
    }
    return tokens + ofLine(text.slice(from));
  };
}
