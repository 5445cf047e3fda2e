// Updates the samples in README and in the guide to records from a fresh run:
//
//     deno run --ignore-env --allow-read --allow-write --allow-run=deno tests/support/readme_sample.ts
import { basename, dirname, join } from "@std/path";
import { namesIn } from "./cli.ts";
import { ROOT } from "./deno_process.ts";
import { ran } from "./run_main.ts";

/** Command of the sample, as printed in README. */
const SAMPLE_ARGS = [
  "debate",
  "Should cities ban private cars from their centres?",
  "--seed",
  "1",
] as const;

/** Sections of README and of the guide to records that come from a run, by the names of their marks. */
export interface Sample {
  readonly tree: string;
  readonly index: string;
  readonly message: string;
}

const DAY = "2026-11-21";
const NAME = `${DAY}T20-33-05_debate`;
/** Number of entries shown of a long folder, before the last one, and of the index's list. */
const SHOWN = 2;

/** Runs the command in a folder and returns the convening's directory. */
export async function runSample(folder: string): Promise<string> {
  const { stdout } = await ran(SAMPLE_ARGS, { folder });
  return dirname(stdout.trim().split("\n").at(-1)!);
}

/** Returns the sections of a convening with fixed times. */
export async function sampleOf(dir: string): Promise<Sample> {
  const index = steady(await Deno.readTextFile(join(dir, "index.md"))).split("\n");
  const rows = index.findIndex((line) => line.startsWith("| [1]"));
  const [, message = ""] = await messageOf(dir, 4);
  return {
    tree: await treeOf(dir),
    index: [...index.slice(0, rows + 1 + SHOWN), "…"].join("\n"),
    message: steady(message).trimEnd(),
  };
}

/** Returns a message's file name and text. */
async function messageOf(dir: string, seq: number): Promise<[name: string, text: string]> {
  const folder = join(dir, "messages");
  const name = (await namesIn(folder)).find((each) => parseInt(each, 10) === seq)!;
  return [name, await Deno.readTextFile(join(folder, name))];
}

function steady(text: string): string {
  return text
    .replace(/^started_at: .*$/m, `started_at: ${DAY}T20:33:05.214Z`)
    .replace(/^ended_at: .*$/m, `ended_at: ${DAY}T20:33:05.894Z`)
    .replace(/^( *)created_at: .*$/m, `$1created_at: ${DAY}T20:33:05.519Z`)
    .replace(/^( *)latency_ms: .*$/m, "$1latency_ms: 4");
}

async function treeOf(dir: string): Promise<string> {
  const names = await namesIn(dir);
  const files = names.filter((name) => /\.\w+$/.test(name) && !name.startsWith("."));
  const folders = names.filter((name) => !name.includes("."));
  const inner = [
    ...files.map((name) => [name, []] as const),
    ...await Promise.all(
      folders.map(async (name) => [`${name}/`, shortened(await namesIn(join(dir, name)))] as const),
    ),
  ];
  const lines = inner.flatMap(([name, within], at) => {
    const last = at === inner.length - 1;
    return [
      `${last ? "└──" : "├──"} ${name}`,
      ...within.map((each, i) =>
        `${last ? "    " : "│   "}${i === within.length - 1 ? "└──" : "├──"} ${each}`
      ),
    ];
  });
  return [
    "convenings/",
    "├── index.md",
    `└── ${DAY}/`,
    "    ├── index.md",
    `    └── ${NAME}/`,
    ...lines.map((line) => `        ${line}`),
  ].join("\n");
}

function shortened(names: readonly string[]): string[] {
  return names.length <= SHOWN + 1 ? [...names] : [...names.slice(0, SHOWN), "…", names.at(-1)!];
}

const fence = (name: string) =>
  new RegExp(`(<!-- sample: ${name} -->\\s+\`\`\`\\w+\\n)([\\s\\S]*?)(\\n?\`\`\`\\n)`);

/** Documents with sections of the sample. */
const DOCUMENTS = ["README.md", "context-network/guides/records.md"] as const;

/** Returns the sections that the documents have now. */
export function shownSample(documents: ReadonlyMap<string, string>): Sample {
  const text = DOCUMENTS.map((path) => documents.get(path)).join("\n");
  const part = (name: string) => fence(name).exec(text)?.[2] ?? "";
  return { tree: part("tree"), index: part("index"), message: part("message") };
}

/** Returns a document with new sections and the new name of the message's file. */
function withSample(document: string, sample: Sample, messageName: string): string {
  return Object.entries(sample).reduce(
    (text, [name, part]) =>
      text.replace(fence(name), (_, before: string) => `${before}${part}\n\`\`\`\n`),
    document,
  ).replace(/`messages\/004_\w+\.md`/, `\`messages/${messageName}\``);
}

if (import.meta.main) {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const dir = await runSample(folder);
  const [name] = await messageOf(dir, 4);
  for (const document of DOCUMENTS) {
    const path = join(ROOT, document);
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, withSample(text, await sampleOf(dir), basename(name)));
  }
  await Deno.remove(folder, { recursive: true });
}
