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

/** A text that may have such a run. */
const LONG = new RegExp(`\\S{${LONGEST_RUN}}|\\s{${LONGEST_RUN}}`);

let loading: Promise<TokenCounter> | undefined;

/** The o200k_base counter. It takes some 60 MB and 0.2 s, so it is loaded where it is first needed. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= import("gpt-tokenizer").then(({ countTokens }) => {
    // Text that looks like a control token is counted as the plain text it is.
    const options = { disallowedSpecial: new Set<string>() };
    return remembering((text) => bounded(text, (part) => countTokens(part, options)));
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
  if (LONG.test(text)) {
    for (const { 0: run, index } of text.matchAll(RUN)) {
      if (run.length < LONGEST_RUN) continue;
      tokens += count(text.slice(from, index + run.length));
      from = index + run.length;
    }
  }
  return tokens + count(text.slice(from));
}

/** Remembers the counts of the latest texts: the engine and the record both ask for a message's. */
function remembering(count: TokenCounter, size = 256): TokenCounter {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = count(text);
    known.set(text, tokens);
    if (known.size > size) known.delete(known.keys().next().value!);
    return tokens;
  };
}
