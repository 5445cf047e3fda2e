import { type Figure, figure, ratios, spread } from "./figure.ts";
import { PAPER_CHAIN } from "./paper_calls.ts";
import type { Seen } from "./model_process.ts";
import type { PaperTask } from "./paper_process.ts";
import { type Bench, MODEL, runJson } from "./processes.ts";
import type { Extent } from "./rows.ts";

/** How long a paper debate takes, against its longest chain of calls, and with more debaters. */
export async function papers(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const latency = quick ? 20 : 200;
  await bench.prepare({ latency });
  const walls = new Map<number, number[]>();
  for (const postures of quick ? [2] : [2, 8]) {
    const each: number[] = [];
    for (let i = 0; i < repetitions; i++) each.push(await wallOf(bench, postures));
    walls.set(postures, each);
  }
  const ideal = PAPER_CHAIN * latency;
  const figures = [...walls].map(([postures, each]) =>
    figure(`longest chain ÷ wall of a paper debate, ${latency} ms, ${postures} debaters`, {
      row: "papers",
      goal: { atLeast: 0.8 },
      value: each.map((wall) => ideal / wall),
      ours: spread(each),
      unit: "ms",
      others: "not measured",
    })
  );
  if (quick) return figures;
  figures.push(figure("wall with 8 debaters ÷ with 2", {
    row: "papers",
    goal: { atMost: 1.2 },
    value: ratios(walls.get(8)!, walls.get(2)!),
    others: "4, one after the other",
  }));
  return figures;
}

/** A paper debate's requests, compared with the beginnings of earlier ones. */
export async function paperPrompts(bench: Bench, postures: number): Promise<Seen> {
  await bench.prepare({ latency: 0, prefixes: true });
  await wallOf(bench, postures);
  return await bench.seen();
}

async function wallOf(bench: Bench, postures: number): Promise<number> {
  const out = await bench.folder();
  const task: PaperTask = { baseUrl: bench.url, model: MODEL, postures, out };
  const { wall } = await runJson("paper_process.ts", { out, args: [JSON.stringify(task)] }) as {
    wall: number;
  };
  return wall;
}
