import { oneLine } from "../core/message.ts";

const MARKUP = /[\\`*_{}[\]()<>#+!|~&$^=@]/g;

/**
 * Words of a participant as one line of markdown that says just those words: markup and HTML escaped, bare links and
 * list markers broken, control characters shown as spaces, cut to `max` code points before it is escaped.
 */
export function markdownText(text: string, max: number): string {
  return escapeMarkdown(oneLine(text.replace(/\p{Cc}+/gu, " "), max));
}

function escapeMarkdown(line: string): string {
  return line
    .replace(MARKUP, (char) => char === "<" ? "&lt;" : `\\${char}`)
    .replace(/^(?=-)/, "\\")
    .replace(/^(\d+)\./, "$1\\.")
    .replace(/(https?|ftp):(?=\/\/)/gi, "$1\\:")
    .replace(/(www)\./gi, "$1\\.");
}

/** How many tokens a text has, or a bound that is not exceeded. */
export type Measure = (text: string) => number;

/** As {@linkcode markdownText}, cut to `maxTokens` as well, which are counted escaped. */
export function boundedText(
  text: string,
  max: number,
  { maxTokens, measure }: { maxTokens: number; measure: Measure },
): string {
  const whole = markdownText(text, max);
  if (whole.length <= maxTokens / 3 || measure(whole) <= maxTokens) {
    return whole;
  }
  let low = 1;
  let high = Math.min(max, text.length);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(markdownText(text, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return markdownText(text, low);
}

/** At least as many as the tokens of a text, without a tokenizer: its bytes in UTF-8. */
export function byteMeasure(text: string): number {
  return new TextEncoder().encode(text).length;
}
