/** Counts the tokens of a text (o200k_base). */
export type TokenCounter = (text: string) => number;

let loading: Promise<TokenCounter> | undefined;

/** The o200k_base counter. It takes some 60 MB and 0.2 s, so it is loaded where it is first needed. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= import("gpt-tokenizer").then(({ countTokens }) => {
    // Text that looks like a control token is counted as the plain text it is.
    const options = { disallowedSpecial: new Set<string>() };
    return remembering((text) => countTokens(text, options));
  });
  return loading;
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
