import { exponent, type Figure, figure, spread } from "./figure.ts";
import type { Compared, Seen } from "./model_process.ts";
import { paperPrompts } from "./paper_row.ts";
import type { Bench } from "./processes.ts";
import type { Candidate } from "./debate_process.ts";
import type { Extent } from "./rows.ts";

/** What is sent does not depend on time: one repetition tells all. */
export async function growth(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const sizes = quick ? [1, 2, 4] : [10, 20, 40, 80, 160];
  const of = async (candidate: Candidate): Promise<[number, number][]> => {
    const points: [number, number][] = [];
    for (const rounds of sizes) {
      await bench.prepare({ latency: 0 });
      await bench.debate(candidate, { rounds });
      points.push([rounds, (await bench.seen()).characters]);
    }
    return points;
  };
  const [ours, bare] = [await of("ours"), await of("bare")];
  // Below some 20 rounds prompts are not yet at their bound: the later fit tells how it goes on.
  return [0, -2].map((from) => {
    const [own, other] = [exponent(ours.slice(from)), exponent(bare.slice(from))];
    return figure(`exponent of total prompt size, ${sizes.at(from)} to ${sizes.at(-1)} rounds`, {
      row: "growth",
      goal: { atMost: 1.1 },
      value: [own],
      ours: spread([own]),
      bare: spread([other]),
      others: "1.93–1.95",
    });
  });
}

/** How much of all prompts repeats the beginning of an earlier one. */
export async function share(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const cases = [
    { rounds: quick ? 1 : 10, maxPromptTokens: 0, bound: "unbounded", goal: 0.96 },
    { rounds: quick ? 2 : 40, maxPromptTokens: 12_000, bound: "bounded", goal: 0.9 },
  ];
  const figures: Figure[] = [];
  for (const { rounds, maxPromptTokens, bound, goal } of cases) {
    const of = async (candidate: Candidate): Promise<number> => {
      await bench.prepare({ latency: 0, prefixes: true });
      await bench.debate(candidate, { rounds, maxPromptTokens });
      const { repeated, characters } = await bench.seen();
      return repeated / characters;
    };
    const [ours, bare] = [await of("ours"), await of("bare")];
    figures.push(figure(`share of prompts that repeats, ${rounds} rounds, ${bound}`, {
      row: "share",
      goal: { atLeast: goal },
      value: [ours],
      ours: spread([ours]),
      bare: spread([bare]),
      others: "0.006–0.80",
    }));
  }
  return figures;
}

/** The part of the price of a token that a token of a provider's cache costs. */
const CACHED_PRICE = 0.1;

/** What a provider's prompt cache can save: shares that repeat, their cost, and what is fresh against a bare loop. */
export async function cache(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const seenIn = async (candidate: Candidate, rounds: number, judgeApart = false) => {
    await bench.prepare({ latency: 0, prefixes: true });
    await bench.debate(candidate, { rounds, maxPromptTokens: 0, judgeApart });
    return await bench.seen();
  };
  const rounds = quick ? 1 : 10;
  const figures = [
    ...cached(`a debate of ${rounds} rounds`, { seen: await seenIn("ours", rounds), goal: 0.95 }),
    ...cached("a paper debate", { seen: await paperPrompts(bench, 2), goal: 0.85 }),
  ];
  const few = quick ? 1 : 3;
  const [ours, bare] = [await seenIn("ours", few), await seenIn("bare", few, true)].map(fresh);
  const what = `fresh characters ÷ bare whose judge shares nothing, ${few} rounds`;
  figures.push(figure(what, {
    row: "cache",
    goal: { atMost: 1.2 },
    value: [ours! / bare!],
    ours: spread([ours!]),
    bare: spread([bare!]),
    others: "not measured",
  }));
  return figures;
}

/** The share of prompts that repeats, and their cost with a tenth for what repeats, over all kinds and each. */
function cached(
  name: string,
  { seen, goal }: { readonly seen: Seen; readonly goal: number },
): Figure[] {
  const by = (of: (compared: Compared) => number) => ({
    row: "cache",
    value: [of(seen)],
    kinds: Object.fromEntries(Object.entries(seen.kinds).map(([kind, each]) => [kind, of(each)])),
    others: "not measured",
  });
  const share = ({ repeated, characters }: Compared) => repeated / characters;
  const cost = (compared: Compared) => 1 - (1 - CACHED_PRICE) * share(compared);
  const most = Number((1 - (1 - CACHED_PRICE) * goal).toFixed(3));
  return [
    figure(`share that repeats, ${name}`, { ...by(share), goal: { atLeast: goal } }),
    figure(`cost of prompts ÷ without a cache, ${name}`, { ...by(cost), goal: { atMost: most } }),
  ];
}

function fresh({ characters, repeated }: Compared): number {
  return characters - repeated;
}
