// `deno task bench`: what a run costs, beside a bare loop over `openai` on the same local model server.
//
// --json prints data, --quick is a smoke run, --only=cpu,start picks rows, --repetitions=N sets how often (5).
import { parseArgs } from "node:util";
import { type Figure, table } from "./figure.ts";
import { Bench } from "./bench.ts";

import { ROWS } from "./rows.ts";

const USAGE = `Usage: deno task bench [--json] [--quick] [--only=ROW,…] [--repetitions=N]

Rows:
${ROWS.map(({ name, what }) => `  ${name.padEnd(10)} ${what}`).join("\n")}
`;

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}

/** Tells how far it has come, apart from the figures. */
function tell(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

function usage(problem: string): never {
  tell(`${problem}\n\n${USAGE}`);
  Deno.exit(2);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: "boolean" },
        quick: { type: "boolean" },
        only: { type: "string" },
        repetitions: { type: "string" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

async function main(): Promise<void> {
  const { json = false, quick = false, only, repetitions: given, help } = parsed(Deno.args);
  if (help) return say(USAGE);
  const names = only?.split(",") ?? ROWS.map(({ name }) => name);
  const odd = names.find((name) => !ROWS.some((row) => row.name === name));
  if (odd !== undefined) usage(`There is no row "${odd}"`);
  const repetitions = given === undefined ? quick ? 1 : 5 : Number(given);
  if (!Number.isInteger(repetitions) || repetitions < 1) usage(`Not a number of times: ${given}`);
  await using bench = await Bench.start();
  const figures: Figure[] = [];
  for (const row of ROWS.filter(({ name }) => names.includes(name))) {
    tell(`${row.what} …\n`);
    figures.push(...await row.measure(bench, { repetitions, quick }));
  }
  const { deno } = Deno.version;
  const cores = navigator.hardwareConcurrency;
  if (json) {
    return say(`${JSON.stringify({ deno, cores, repetitions, quick, figures }, null, 2)}\n`);
  }
  say(
    `\nDeno ${deno}, ${cores} cores, ${repetitions} repetitions${
      quick ? ", a smoke run: these figures mean nothing" : ""
    }\n\n${table(figures)}\n`,
  );
}

await main();
