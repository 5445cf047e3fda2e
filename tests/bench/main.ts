// `deno task bench`: the cost of runs compared with a baseline, a bare loop over `openai`, on the same local model server.
//
// --json prints data, --quick is a smoke run, --only=cpu,start selects rows, --repetitions=N sets the repetitions (5).
import { parseArgs } from "node:util";
import { Bench } from "./bench.ts";
import { type Figure, table } from "./figure.ts";
import { ROWS } from "./rows.ts";

const USAGE = `Usage: deno task bench [--json] [--quick] [--only=ROW,…] [--repetitions=N]

Rows:
${ROWS.map(({ name, what }) => `  ${name.padEnd(10)} ${what}`).join("\n")}
`;

function write(to: typeof Deno.stdout, text: string): void {
  to.writeSync(new TextEncoder().encode(text));
}

function refuse(problem: string): never {
  write(Deno.stderr, `${problem}\n\n${USAGE}`);
  Deno.exit(2);
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        json: { type: "boolean" },
        quick: { type: "boolean" },
        only: { type: "string" },
        repetitions: { type: "string" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

const { json = false, quick = false, only, repetitions: given, help } = parsed(Deno.args);
if (help) {
  write(Deno.stdout, USAGE);
  Deno.exit();
}
const names = only?.split(",") ?? ROWS.map(({ name }) => name);
const odd = names.find((name) => !ROWS.some((row) => row.name === name));
if (odd !== undefined) refuse(`There is no row "${odd}"`);
const repetitions = given === undefined ? quick ? 1 : 5 : Number(given);
if (!Number.isInteger(repetitions) || repetitions < 1) refuse(`Not a number of times: ${given}`);
await using bench = await Bench.start();
const figures: (Figure & { readonly row: string })[] = [];
for (const { name, what, measure } of ROWS.filter((row) => names.includes(row.name))) {
  // Progress goes to standard error, figures to standard output.
  write(Deno.stderr, `${what} …\n`);
  const found = await measure(bench, { repetitions, quick });
  figures.push(...found.map((each) => ({ row: name, ...each })));
}
const { deno } = Deno.version;
const cores = navigator.hardwareConcurrency;
const data = JSON.stringify({ deno, cores, repetitions, quick, figures }, null, 2);
const smoke = quick ? ", a smoke run: these figures mean nothing" : "";
const head = `Deno ${deno}, ${cores} cores, ${repetitions} repetitions${smoke}`;
write(Deno.stdout, json ? `${data}\n` : `\n${head}\n\n${table(figures)}\n`);
