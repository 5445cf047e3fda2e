/** One of several rankings, best first: numbers of texts, each once. */
export type Ranking = readonly number[];

/** How little the first places weigh over the next ones: the constant of Cormack, Clarke and Büttcher (2009). */
const RANK_CONSTANT = 60;

/** What is ranked, and how well. */
export interface Ranked {
  /** The number of a text. */
  readonly number: number;
  /** Over 0 to 1, which is the best. */
  readonly score: number;
}

/** One ranking of several by reciprocal rank fusion: places count, not scores; equals by number. */
export function fuse(rankings: readonly Ranking[]): Ranked[] {
  const sums = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [place, number] of ranking.entries()) {
      sums.set(number, (sums.get(number) ?? 0) + 1 / (RANK_CONSTANT + place + 1));
    }
  }
  const best = Math.max(0, ...sums.values());
  return Array.from(sums, ([number, sum]) => ({ number, score: sum / best }))
    .sort((a, b) => b.score - a.score || a.number - b.number);
}
