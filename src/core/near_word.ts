// The word that a misspelt word may mean.

/** The fewest letters of a word that a longer word is known by. */
const BEGINNING = 4;

/** The candidate nearest to a word that none of them is, or the first that begins so; undefined where none is near. */
export function nearWord(word: string, candidates: Iterable<string>): string | undefined {
  const given = plain(word);
  const all = [...candidates];
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of all) {
    const edits = editsBetween(given, plain(candidate));
    const most = Math.max(1, Math.floor(Math.min(given.length, candidate.length) / 3));
    if (edits <= most && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  if (best !== undefined) return best.candidate;
  const stem = given.replace(/s$/, "");
  if (stem.length < BEGINNING) return undefined;
  return all.find((each) => plain(each).startsWith(stem));
}

/** A hint's first sentence: "Did you mean "x"? ", or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearWord(word, candidates);
  return near === undefined ? "" : `Did you mean "${near}"? `;
}

function plain(word: string): string {
  return word.slice(0, 100).toLowerCase().replace(/[\s_-]+/g, "");
}

/** Letters inserted, deleted, replaced or swapped with the next letter. */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let there = 1; there <= to.length; there++) {
      const same = from[at - 1] === to[there - 1];
      const swapped = from[at - 1] === to[there - 2] && from[at - 2] === to[there - 1];
      next[there] = Math.min(
        row[there]! + 1,
        next[there - 1]! + 1,
        row[there - 1]! + (same ? 0 : 1),
        swapped ? (before[there - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length]!;
}
