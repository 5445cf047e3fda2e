// Rows of the benchmark without a server under test: processor time, chains, prompts, starts, memory.
import {
  type Bench,
  type Candidate,
  type Compared,
  type Extent,
  MODEL,
  type Seen,
  TOPIC,
} from "./bench.ts";
import { callsOf, longestChain } from "./calls.ts";
import { Child, now } from "./child.ts";
import { each, type Figure, figure, type Pairs, pairs, ratio, spread } from "./figure.ts";
import { parsers } from "./parser_rows.ts";
import { ratings, reading } from "./record_rows.ts";
import { server } from "./server_rows.ts";
import { studies } from "./study_rows.ts";

/** A row of the benchmark, with the goals of the table "What a run costs". */
interface Row {
  readonly name: string;
  readonly what: string;
  measure(bench: Bench, extent: Extent): Promise<Figure[]>;
}

/** All rows, in the table's order. */
export const ROWS: readonly Row[] = [
  { name: "cpu", what: "own processor time per call at 0 ms latency", measure: cpu },
  { name: "chain", what: "longest dependent chain ÷ wall, fixed latency", measure: chain },
  { name: "lognormal", what: "the same with log-normal latency", measure: lognormal },
  { name: "facts", what: "calls that standard fact checking adds to the chain", measure: facts },
  { name: "flow", what: "calls, characters and time that notes of points add", measure: flow },
  { name: "papers", what: "a paper debate, with few debaters and many", measure: papers },
  { name: "growth", what: "growth of total prompt size with rounds", measure: growth },
  { name: "share", what: "prompt characters repeating an earlier beginning", measure: share },
  { name: "cache", what: "savings of a provider's prompt cache", measure: cache },
  { name: "start", what: "start to first request", measure: start },
  { name: "many", what: "100 debates at once in one process", measure: many },
  { name: "messages", what: "cost per message to the ten-thousandth", measure: messages },
  {
    name: "server",
    what: "answers, viewers and runs of a server, and their cost",
    measure: server,
  },
  {
    name: "studies",
    what: "workers, rates, budgets, queues and exports of studies",
    measure: studies,
  },
  { name: "ratings", what: "intervals of ratings", measure: ratings },
  { name: "parsers", what: "growth of parsers' time with long odd texts", measure: parsers },
  { name: "reading", what: "tokens that questions on a record cost a reader", measure: reading },
];

async function cpu(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const others = "1.0–7.3, most growing";
  const figures: Figure[] = [];
  const byRounds: Pairs<number>[] = [];
  await bench.prepare({ latency: 0 });
  for (const rounds of quick ? [1] : [2, 10, 50]) {
    const costs = await pairs(repetitions, (candidate) => bench.debate(candidate, { rounds }));
    const parts = each(costs, (cost) => cost.cpu / callsOf(rounds));
    byRounds.push(parts);
    const what = `own CPU per call ÷ bare, ${rounds} rounds`;
    figures.push(ratio(what, { atMost: 1.6 }, { ...parts, unit: "ms", others }));
  }
  if (quick) return figures;
  const [few, many] = [byRounds[0]!, byRounds.at(-1)!];
  const grown = many.ours.map((ours, at) =>
    ours / many.bare[at]! / (few.ours[at]! / few.bare[at]!)
  );
  return [
    ...figures,
    figure("that ratio at 50 rounds ÷ at 2", { atMost: 1.05 }, grown, { others }),
  ];
}

async function chain(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const latency = quick ? 20 : 200;
  await bench.prepare({ latency });
  const figures: Figure[] = [];
  for (const rounds of quick ? [1] : [3, 10]) {
    const times = rounds > 3 ? Math.min(repetitions, 3) : repetitions;
    const costs = await pairs(times, (candidate) => bench.debate(candidate, { rounds }));
    const parts = each(costs, ({ wall }) => longestChain(rounds, latency) / wall);
    const what = `longest chain ÷ wall, less bare's, ${latency} ms, ${rounds} rounds`;
    const others = "0.28–0.51, tuned 0.93–0.98";
    const lead = parts.ours.map((share, at) => share - parts.bare[at]!);
    figures.push(figure(what, { atLeast: -0.02 }, lead, { ...parts, others }));
  }
  return figures;
}

async function lognormal(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const rounds = quick ? 1 : 3;
  const parts = await pairs(repetitions, async (candidate, seed) => {
    const latency = { median: quick ? 20 : 200, sigma: 0.6, seed };
    await bench.prepare({ latency });
    return longestChain(rounds, latency) / (await bench.debate(candidate, { rounds })).wall;
  });
  const what = `longest chain ÷ wall, log-normal, ${rounds} rounds`;
  return [figure(what, { atLeast: 0.97 }, parts.ours, { ...parts, others: "0.68–0.98" })];
}

/** Returns the number of calls that `size` adds to the longest chain, computed from the difference of wall times. */
async function callsAdded(
  bench: Bench,
  { repetitions, latency }: { readonly repetitions: number; readonly latency: number },
  size: Parameters<Bench["debate"]>[1],
): Promise<number[]> {
  await bench.prepare({ latency });
  const found: number[] = [];
  for (let i = 0; i < Math.min(repetitions, 3); i++) {
    const usual = await bench.debate("ours", { rounds: size.rounds });
    found.push(((await bench.debate("ours", size)).wall - usual.wall) / latency);
  }
  return found;
}

async function facts(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const latency = quick ? 20 : 200;
  const figures: Figure[] = [];
  for (const rounds of quick ? [1] : [1, 4]) {
    const added = await callsAdded(bench, { repetitions, latency }, { rounds, search: latency });
    const what = `calls that standard fact checking adds to the chain, ${rounds} rounds`;
    // After the last closing: its claims, a search, a verdict on them; scores and verdicts wait for these, then one more call.
    figures.push(figure(what, { atMost: 4 }, added));
  }
  return figures;
}

async function flow(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const [rounds, latency] = quick ? [1, 20] : [4, 200];
  const seen = (flow: boolean) =>
    bench.seen({ latency: 0 }, () => bench.debate("ours", { rounds, flow }));
  const [without, noted] = [await seen(false), await seen(true)];
  const added = await callsAdded(bench, { repetitions, latency }, { rounds, flow: true });
  const requests = (noted.requests - without.requests) / (4 * rounds + 4);
  const characters = noted.characters / without.characters;
  return [
    figure(`requests that notes add to a turn, ${rounds} rounds`, { atMost: 1 }, requests),
    figure("characters of prompts with notes ÷ without", { atMost: 1.5 }, characters),
    // The judges wait for the notes of the last closing.
    figure("calls that notes add to the chain", { atMost: 2 }, added),
  ];
}

/** Longest chain of calls in a paper debate: questions, postures, two look-ups, argument, judging, report. */
const PAPER_CHAIN = 7;

async function papers(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const latency = quick ? 20 : 200;
  await bench.prepare({ latency });
  const figures: Figure[] = [];
  const walls: number[][] = [];
  for (const postures of quick ? [2] : [2, 8]) {
    const ours: number[] = [];
    for (let i = 0; i < repetitions; i++) ours.push(await paperWall(bench, postures));
    walls.push(ours);
    const what = `longest chain ÷ wall of a paper debate, ${latency} ms, ${postures} debaters`;
    const shares = ours.map((wall) => PAPER_CHAIN * latency / wall);
    figures.push(figure(what, { atLeast: 0.8 }, shares, { ours, unit: "ms" }));
  }
  const [few, many] = walls;
  if (many === undefined) return figures;
  const grown = many.map((wall, at) => wall / few![at]!);
  const others = "4, one after the other";
  return [...figures, figure("wall with 8 debaters ÷ with 2", { atMost: 1.2 }, grown, { others })];
}

async function paperWall(bench: Bench, postures: number): Promise<number> {
  return (await bench.run<{ wall: number }>("work.ts", { work: "paper", postures })).wall;
}

/** Measures the growth of prompts; requests do not depend on time, so one repetition is enough. */
async function growth(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const sizes = quick ? [1, 2, 4] : [10, 20, 40, 80, 160];
  const points = async (candidate: Candidate): Promise<[number, number][]> => {
    const found: [number, number][] = [];
    for (const rounds of sizes) {
      const work = () => bench.debate(candidate, { rounds });
      found.push([rounds, (await bench.seen({ latency: 0 }, work)).characters]);
    }
    return found;
  };
  const [own, other] = [await points("ours"), await points("bare")];
  // Below some 20 rounds prompts have not reached their limit: the later fit shows the growth after that.
  return [0, -2].map((from) => {
    const [ours, bare] = [[exponent(own.slice(from))], [exponent(other.slice(from))]];
    const what = `exponent of total prompt size, ${sizes.at(from)} to ${sizes.at(-1)} rounds`;
    return figure(what, { atMost: 1.1 }, ours, { ours, bare, others: "1.93–1.95" });
  });
}

/** Returns the exponent of growth: the slope of the regression line through the logarithms. */
function exponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (of: (point: readonly [number, number]) => number): number =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean(([x]) => x), mean(([, y]) => y)];
  return mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2);
}

/** Runs a debate and compares the beginnings of its requests. */
function prompts(
  bench: Bench,
  candidate: Candidate,
  size: Parameters<Bench["debate"]>[1],
): Promise<Seen> {
  return bench.seen({ latency: 0, prefixes: true }, () => bench.debate(candidate, size));
}

function shareOf({ repeated, characters }: Compared): number {
  return repeated / characters;
}

async function share(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const cases = [
    { rounds: quick ? 1 : 10, maxPromptTokens: 0, bound: "unbounded", atLeast: 0.96 },
    { rounds: quick ? 2 : 40, maxPromptTokens: 12_000, bound: "bounded", atLeast: 0.9 },
  ];
  const figures: Figure[] = [];
  for (const { bound, atLeast, ...size } of cases) {
    const ours = [shareOf(await prompts(bench, "ours", size))];
    const bare = [shareOf(await prompts(bench, "bare", size))];
    const what = `share of prompts that repeats, ${size.rounds} rounds, ${bound}`;
    figures.push(figure(what, { atLeast }, ours, { ours, bare, others: "0.006–0.80" }));
  }
  return figures;
}

/** Price of a cached token relative to a fresh one. */
const CACHED_PRICE = 0.1;

/** Measures repeated shares of prompts, their cost, and fresh characters relative to the baseline. */
async function cache(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const [rounds, few, maxPromptTokens] = [quick ? 1 : 10, quick ? 1 : 3, 0];
  const debate = await prompts(bench, "ours", { rounds, maxPromptTokens });
  const paper = await bench.seen({ latency: 0, prefixes: true }, () => paperWall(bench, 2));
  const fresh = ({ characters, repeated }: Compared) => [characters - repeated];
  const apart = { rounds: few, maxPromptTokens, judgeApart: true };
  const ours = fresh(await prompts(bench, "ours", apart));
  const bare = fresh(await prompts(bench, "bare", apart));
  const what = `fresh characters ÷ bare whose judge shares nothing, ${few} rounds`;
  return [
    ...cached(`a debate of ${rounds} rounds`, debate, 0.95),
    ...cached("a paper debate", paper, 0.85),
    ratio(what, { atMost: 1.2 }, { ours, bare }),
  ];
}

/** Returns the repeated share of prompts and the cost with cached repetitions, in all and by kind. */
function cached(name: string, seen: Seen, atLeast: number): Figure[] {
  const by = (of: (compared: Compared) => number) =>
    Object.fromEntries(Object.entries(seen.kinds).map(([kind, each]) => [kind, of(each)]));
  const priceOf = (share: number) => 1 - (1 - CACHED_PRICE) * share;
  const cost = (compared: Compared) => priceOf(shareOf(compared));
  const atMost = Number(priceOf(atLeast).toFixed(3));
  const what = `cost of prompts ÷ without a cache, ${name}`;
  return [
    figure(`share that repeats, ${name}`, { atLeast }, shareOf(seen), { kinds: by(shareOf) }),
    figure(what, { atMost }, cost(seen), { kinds: by(cost) }),
  ];
}

/** Measures the time from the start of a process to its first request. */
async function start(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const debate = ["debate", TOPIC, "--rounds=0", `--model=${MODEL}`, "--quiet"];
  const work = (candidate: Candidate) => (out: string) => [
    bench.task(out, { work: "start", candidate, rounds: 0 }),
  ];
  const starters: Readonly<Record<string, readonly [string, (out: string) => string[]]>> = {
    bare: ["work.ts", work("bare")],
    library: ["work.ts", work("ours")],
    "command line": [
      "../../src/cli/main.ts",
      (out) => [...debate, `--base-url=${bench.url}`, `--out=${out}`],
    ],
  };
  const names = Object.keys(starters);
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let i = 0; i < (quick ? 1 : repetitions * 2 + 1); i++) {
    for (const name of [...names.slice(i % 3), ...names.slice(0, i % 3)]) {
      const [module, args] = starters[name]!;
      const out = await bench.folder();
      const started = now();
      const { firstAt } = await bench.seen({ latency: 0 }, async () => {
        await using child = new Child(module, { out, args: args(out) });
        await child.end();
      });
      times[name]!.push(firstAt - started);
    }
  }
  return names.slice(1).map((name) =>
    ratio(`start to first request ÷ bare, ${name}`, { atMost: 1.8 }, {
      ours: times[name]!,
      bare: times["bare"]!,
      unit: "ms",
      others: "1.4–4.6",
    })
  );
}

/** Memory of the tokenizer in megabytes. */
const TOKENIZER = 60;

async function many(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const debates = quick ? 4 : 100;
  const name = `${debates} debates at once`;
  const figures: Figure[] = [];
  for (const latency of quick ? [20] : [200, 2000]) {
    const isSlow = latency > 1000;
    const rounds = isSlow || quick ? 1 : 3;
    await bench.prepare({ latency });
    const times = Math.min(repetitions, isSlow ? 1 : 3);
    const costs = await pairs(times, (candidate) => bench.debate(candidate, { rounds, debates }));
    const walls = {
      ...each(costs, ({ wall }) => wall),
      unit: "ms",
      others: "ideal ÷ wall 0.29–0.92",
    };
    figures.push(ratio(`${name}: wall ÷ bare's, ${latency} ms`, { atMost: 1.3 }, walls));
    if (isSlow) continue;
    const memory = each(costs, ({ peak }) => peak - TOKENIZER);
    const shown = { ...memory, unit: "MB", others: "1.3–3.9 × bare" };
    figures.push(figure(`${name}: MB, less the tokenizer`, { atMost: 300 }, memory.ours, shown));
  }
  return figures;
}

/** Measures the cost of late messages in a dialogue relative to early ones. */
async function messages(bench: Bench, { quick }: Extent): Promise<Figure[]> {
  const count = quick ? 200 : 10_000;
  const task = { work: "messages", count, block: count / 10 };
  const cost = await bench.run<Record<"cpu" | "wall", number[]>>("work.ts", task);
  return ([["CPU", cost.cpu], ["time", cost.wall]] as const).map(([name, ours]) => {
    // The first block includes compilation, and its prompts are still short.
    const early = spread(ours.slice(1, 4)).median;
    const what = `${name} of a message, last three tenths of ${count} ÷ tenths 2 to 4`;
    const late = ours.slice(-3).map((each) => each / early);
    const others = "linear where an index is rewritten";
    return figure(what, { atMost: 1.1 }, late, { ours, unit: "ms", others });
  });
}
