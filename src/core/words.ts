/** How many words a text has, by Unicode word boundaries. */
export function countWords(text: string): number {
  let count = 0;
  for (
    const part of new Intl.Segmenter(undefined, { granularity: "word" })
      .segment(text)
  ) {
    if (part.isWordLike) count++;
  }
  return count;
}

/** The longest run of whole sentences within `maxWords`; within the first sentence, whole words. */
export function cutAtSentence(text: string, maxWords: number): string {
  let kept = "";
  for (
    const { segment } of new Intl.Segmenter(undefined, {
      granularity: "sentence",
    }).segment(text)
  ) {
    if (countWords(kept + segment) > maxWords) break;
    kept += segment;
  }
  if (countWords(kept) > 0) return kept.trimEnd();
  let words = 0;
  let end = 0;
  for (
    const part of new Intl.Segmenter(undefined, { granularity: "word" })
      .segment(text)
  ) {
    if (part.isWordLike && ++words > maxWords) break;
    end = part.index + part.segment.length;
  }
  return text.slice(0, end).trimEnd();
}
