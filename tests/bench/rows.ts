import { callsOf, longestChain } from "./calls.ts";
import { type Figure, figure, pairs, ratios, spread } from "./figure.ts";
import { papers } from "./paper_row.ts";
import { cache, growth, share } from "./prompt_rows.ts";
import type { Bench } from "./processes.ts";
import { server } from "./server_row.ts";
import { start } from "./start_row.ts";
import { messages } from "./message_row.ts";

/** How much is measured. */
export interface Extent {
  readonly repetitions: number;
  /** A smoke run: small debates, figures that mean nothing. */
  readonly quick: boolean;
}

/** One row of the table "What a run costs". */
export interface Row {
  readonly name: string;
  readonly what: string;
  measure(bench: Bench, extent: Extent): Promise<Figure[]>;
}

/** Every row, in the table's order. */
export const ROWS = [
  { name: "cpu", what: "own processor time per call at 0 ms latency", measure: cpu },
  { name: "chain", what: "longest dependent chain ÷ wall, fixed latency", measure: chain },
  { name: "lognormal", what: "the same with log-normal latency", measure: lognormal },
  { name: "facts", what: "what standard fact checking adds to the chain", measure: facts },
  { name: "papers", what: "a paper debate, with few debaters and many", measure: papers },
  { name: "growth", what: "growth of total prompt size with rounds", measure: growth },
  { name: "share", what: "prompt characters repeating an earlier beginning", measure: share },
  { name: "cache", what: "what a provider's prompt cache can save", measure: cache },
  { name: "start", what: "start to first request", measure: start },
  { name: "many", what: "100 debates at once in one process", measure: many },
  { name: "messages", what: "cost per message to the ten-thousandth", measure: messages },
  { name: "server", what: "what a server answers, holds and shows, and how soon", measure: server },
] satisfies readonly Row[];

async function cpu(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const figures: Figure[] = [];
  const byRounds: number[][] = [];
  await bench.prepare({ latency: 0 });
  for (const rounds of quick ? [1] : [2, 10, 50]) {
    const costs = await pairs(repetitions, (candidate) => bench.debate(candidate, { rounds }));
    const perCall = (list: typeof costs.ours) => list.map((cost) => cost.cpu / callsOf(rounds));
    const [ours, bare] = [perCall(costs.ours), perCall(costs.bare)];
    const value = ratios(ours, bare);
    byRounds.push(value);
    figures.push(figure(`own CPU per call ÷ bare, ${rounds} rounds`, {
      row: "cpu",
      goal: { atMost: 1.2 },
      value,
      ours: spread(ours),
      bare: spread(bare),
      unit: "ms",
      others: "1.0–7.3, most growing",
    }));
  }
  if (byRounds.length === 1) return figures;
  figures.push(figure("that ratio at 50 rounds ÷ at 2", {
    row: "cpu",
    goal: { atMost: 1.05 },
    value: ratios(byRounds.at(-1)!, byRounds[0]!),
    others: "most growing",
  }));
  return figures;
}

async function chain(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const figures: Figure[] = [];
  const latency = quick ? 20 : 200;
  await bench.prepare({ latency });
  for (const rounds of quick ? [1] : [3, 10]) {
    const ideal = longestChain(rounds, latency);
    const times = rounds > 3 ? Math.min(repetitions, 3) : repetitions;
    const costs = await pairs(times, (candidate) => bench.debate(candidate, { rounds }));
    const parts = (list: typeof costs.ours) => list.map(({ wall }) => ideal / wall);
    figures.push(figure(`longest chain ÷ wall, ${latency} ms, ${rounds} rounds`, {
      row: "chain",
      goal: { atLeast: 0.97 },
      value: parts(costs.ours),
      ours: spread(parts(costs.ours)),
      bare: spread(parts(costs.bare)),
      others: "0.28–0.51, tuned 0.93–0.98",
    }));
  }
  return figures;
}

async function lognormal(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const rounds = quick ? 1 : 3;
  const median = quick ? 20 : 200;
  const parts = await pairs(repetitions, async (candidate, seed) => {
    const latency = { median, sigma: 0.6, seed };
    await bench.prepare({ latency });
    const { wall } = await bench.debate(candidate, { rounds });
    return longestChain(rounds, latency) / wall;
  });
  return [figure(`longest chain ÷ wall, log-normal, ${rounds} rounds`, {
    row: "lognormal",
    goal: { atLeast: 0.97 },
    value: parts.ours,
    ours: spread(parts.ours),
    bare: spread(parts.bare),
    others: "0.68–0.98",
  })];
}

/** After the last closing: its claims, a search, a verdict; score and verdicts wait for it, where a summary would end it. */
const CALLS_AFTER_THE_END = 3;

async function facts(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const figures: Figure[] = [];
  const latency = quick ? 20 : 200;
  await bench.prepare({ latency });
  for (const rounds of quick ? [1] : [1, 4]) {
    const longer: number[] = [];
    for (let i = 0; i < Math.min(repetitions, 3); i++) {
      const without = await bench.debate("ours", { rounds });
      const checked = await bench.debate("ours", { rounds, search: latency });
      longer.push((checked.wall - without.wall) / latency);
    }
    figures.push(figure(`calls that standard fact checking adds to the chain, ${rounds} rounds`, {
      row: "facts",
      goal: { atMost: CALLS_AFTER_THE_END + 1 },
      value: longer,
      others: "not measured",
    }));
  }
  return figures;
}

/** What the tokenizer alone takes, in megabytes. */
const TOKENIZER = 60;

async function many(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const debates = quick ? 4 : 100;
  const figures: Figure[] = [];
  for (const latency of quick ? [20] : [200, 2000]) {
    const rounds = latency > 1000 || quick ? 1 : 3;
    await bench.prepare({ latency });
    const ideal = longestChain(rounds, latency);
    const times = Math.min(repetitions, latency > 1000 ? 1 : 3);
    const costs = await pairs(
      times,
      (candidate) => bench.debate(candidate, { rounds, debates }),
    );
    const parts = (list: typeof costs.ours) => list.map(({ wall }) => ideal / wall);
    figures.push(figure(`${debates} debates at once: ideal ÷ wall, ${latency} ms`, {
      row: "many",
      goal: { atLeast: 0.93 },
      value: parts(costs.ours),
      ours: spread(parts(costs.ours)),
      bare: spread(parts(costs.bare)),
      others: "0.29–0.92",
    }));
    if (latency > 1000) continue;
    const memory = (list: typeof costs.ours) => list.map(({ peak }) => peak - TOKENIZER);
    figures.push(figure(`${debates} debates at once: memory ÷ bare, less the tokenizer`, {
      row: "many",
      goal: { atMost: 1.2 },
      value: ratios(memory(costs.ours), memory(costs.bare)),
      ours: spread(memory(costs.ours)),
      bare: spread(memory(costs.bare)),
      unit: "MB",
      others: "1.3–3.9",
    }));
  }
  return figures;
}
