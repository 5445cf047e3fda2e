import { type Figure, figure, ratios, spread } from "./figure.ts";
import { type Bench, command, MODEL, TOPIC } from "./processes.ts";
import type { Extent } from "./rows.ts";

/** A program that a user could start, and its arguments. */
interface Starter {
  readonly module: string;
  readonly args: (out: string) => readonly string[];
}

/** From the start of a process to its first request at the server. */
export async function start(bench: Bench, { repetitions, quick }: Extent): Promise<Figure[]> {
  const setting = (out: string) => [
    JSON.stringify(bench.task("bare", { rounds: 0 })(out)),
  ];
  const starters: Readonly<Record<string, Starter>> = {
    bare: { module: "start_bare.ts", args: setting },
    library: { module: "start_engine.ts", args: setting },
    cli: {
      module: "src/cli/main.ts",
      args: (out) => [
        "debate",
        TOPIC,
        "--rounds=0",
        `--model=${MODEL}`,
        `--base-url=${bench.url}`,
        `--out=${out}`,
        "--quiet",
      ],
    },
  };
  const times: Record<string, number[]> = { bare: [], library: [], cli: [] };
  const names = Object.keys(starters);
  for (let i = 0; i < (quick ? 1 : repetitions * 2 + 1); i++) {
    const turned = [...names.slice(i % 3), ...names.slice(0, i % 3)];
    for (const name of turned) times[name]!.push(await firstRequest(bench, starters[name]!));
  }
  return ["library", "cli"].map((name) =>
    figure(`start to first request ÷ bare, ${name === "cli" ? "command line" : name}`, {
      row: "start",
      goal: { atMost: 1.2 },
      value: ratios(times[name]!, times["bare"]!),
      ours: spread(times[name]!),
      bare: spread(times["bare"]!),
      unit: "ms",
      others: "1.4–4.6",
    })
  );
}

async function firstRequest(bench: Bench, { module, args }: Starter): Promise<number> {
  const out = await bench.folder();
  await bench.prepare({ latency: 0 });
  const started = performance.timeOrigin + performance.now();
  const { code, stderr } = await command(module, { out, args: args(out) }).output();
  if (code !== 0) throw new Error(`${module} failed:\n${new TextDecoder().decode(stderr)}`);
  return (await bench.seen()).firstAt - started;
}
