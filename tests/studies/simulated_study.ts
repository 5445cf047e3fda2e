// Draws debates of a study from known strengths, a side effect, an effect of length and ties.
import { seededRandom } from "../../src/core/statistics.ts";
import type { StudyDebate } from "../../src/studies/study.ts";

/** True values from which debates are drawn, on the scale of strengths. */
export interface Truth {
  readonly strengths: Readonly<Record<string, number>>;
  readonly side?: number;
  /** Effect of the words' difference divided by their sum. */
  readonly length?: number;
  /** Weight of a tie relative to a win between equals. */
  readonly tie?: number;
}

/** Draws debates of every pair in both seatings, on each topic, repeated. */
export function simulated(
  { strengths, side = 0, length = 0, tie = 0 }: Truth,
  { topics, repeats = 1, seed }: {
    readonly topics: number;
    readonly repeats?: number;
    readonly seed: number;
  },
): StudyDebate[] {
  const random = seededRandom(seed);
  const names = Object.keys(strengths);
  const debates: StudyDebate[] = [];
  for (let topic = 1; topic <= topics; topic++) {
    for (const first of names) {
      for (const second of names) {
        if (first === second) continue;
        for (let repeat = 1; repeat <= repeats; repeat++) {
          const words = [300 + Math.floor(random() * 400), 300 + Math.floor(random() * 400)];
          const [a, b] = words as [number, number];
          const d = strengths[first]! - strengths[second]! + side + length * (a - b) / (a + b);
          const [win, loss] = [Math.exp(d / 2), Math.exp(-d / 2)];
          const drawn = random() * (win + loss + tie);
          const winner = drawn < win ? first : drawn < win + loss ? second : null;
          debates.push(ended({ topic: `t${topic}`, first, second, repeat, winner, words: [a, b] }));
        }
      }
    }
  }
  return debates;
}

/** Returns a completed debate. */
export function ended(
  { topic = "t1", first, second, repeat = 1, winner, words = [500, 500] }: {
    readonly topic?: string;
    readonly first: string;
    readonly second: string;
    readonly repeat?: number;
    readonly winner: string | null;
    readonly words?: readonly [number, number];
  },
): StudyDebate {
  const key = `${topic}-${first}-${second}-${repeat}`;
  const side = (contestant: string, count: number) => ({
    contestant,
    participant: contestant,
    model: `model-${contestant}`,
    turns: 4,
    words: count,
    totals: {},
  });
  return {
    cell: { key, topic, first, second, format: "base", repeat, seed: 1 },
    dir: `/archive/studies/s/debates/${key}`,
    status: "completed",
    winner,
    sides: [side(first, words[0]), side(second, words[1])],
    votes: [],
    usage: { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 200, costUsd: 0.01 },
    startedAt: "2026-11-23T01:00:00.000Z",
    endedAt: "2026-11-23T01:01:00.000Z",
  };
}
