// The row of ratings: how often intervals hold the truth, and the time of a fit and of a report.
import { rateStudy } from "../../src/studies/ratings.ts";
import { reportOf } from "../../src/studies/report.ts";
import { simulated } from "../studies/simulated_study.ts";
import type { Bench, Extent } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";

const STRENGTHS = { a: 1, b: 0.7, c: 0.4, d: 0.1, e: -0.1, f: -0.4, g: -0.7, h: -1 };
const TRUTH = { strengths: STRENGTHS, side: 0.4, length: 1, tie: 0.5 } as const;
/** Points of a rating for a strength of 1. */
const POINTS = 400 / Math.LN10;

/** Figures of ratings and reports; no server is needed. */
export async function ratings(
  _bench: Bench,
  { repetitions, quick }: Extent,
): Promise<Figure[]> {
  const shares = coverage(quick ? 50 : 1000);
  const row = { row: "ratings" };
  const missed = Object.values(shares).map((share) => Math.abs(share - 0.95));
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`c${at}`, at / 15 - 1]));
  const debates = simulated({ ...TRUTH, strengths: many }, { topics: quick ? 2 : 12, seed: 1 });
  const [fits, reports]: [number[], number[]] = [[], []];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    fits.push(await seconds(() => rateStudy({ study: "bench", plan: "", debates })));
    const study = { study: "bench", base: { kind: "debate" } } as const;
    reports.push(await seconds(() => reportOf({ study, dir: "/bench", plan: "" }, debates)));
  }
  return [
    figure("distance of the share of 95 % intervals that hold the truth from 0.95, the greatest", {
      ...row,
      goal: { atMost: quick ? 0.1 : 0.02 },
      ours: [Math.max(...missed)],
      kinds: shares,
    }),
    figure("ratings of 30 contestants over 10,440 debates", {
      ...row,
      goal: { atMost: 3 },
      ours: fits,
      unit: "s",
    }),
    figure("the report of these debates, read already", {
      ...row,
      goal: { atMost: 10 },
      ours: reports,
      unit: "s",
    }),
  ];
}

async function seconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Shares of the intervals of drawn studies of 224 debates that hold the truth. */
function coverage(studies: number): Record<"ratings" | "side" | "length", number> {
  const held = { ratings: 0, side: 0, length: 0 };
  const holds = ([low, high]: readonly [number, number], truth: number) =>
    low <= truth && truth <= high ? 1 : 0;
  for (let seed = 1; seed <= studies; seed++) {
    const debates = simulated(TRUTH, { topics: 4, seed });
    const { ratings: all, side, length, model } = rateStudy({ study: "bench", plan: "", debates });
    for (const { contestant, interval } of all) {
      const truth = 1500 + POINTS * STRENGTHS[contestant as keyof typeof STRENGTHS];
      held.ratings += holds(interval!, truth) / all.length;
    }
    held.side += holds(side!.interval, TRUTH.side);
    held.length += holds(length!.interval, TRUTH.length * model.lengthScale);
  }
  return {
    ratings: held.ratings / studies,
    side: held.side / studies,
    length: held.length / studies,
  };
}
