import { dirname, join } from "@std/path";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MAIN = join(ROOT, "src/cli/main.ts");

/** The flags of a task's `deno run`, as users get them. */
export function taskFlags(task: "debate" | "convenings" | "serve"): string[] {
  const words = project.tasks[task].command.split(" ");
  return words.slice(2, words.indexOf("src/cli/main.ts"));
}

/** The variables that would change what a run does, unset. */
const UNSET = {
  OPENAI_API_KEY: "",
  OPENAI_BASE_URL: "",
  OPENROUTER_API_KEY: "",
  GOOGLE_API_KEY: "",
  ANTHROPIC_API_KEY: "",
  TAVILY_API_KEY: "",
  TAVILY_BASE_URL: "",
  CONVENINGS_TOKEN: "",
  INIT_CWD: "",
};

/** Where and how a command line runs. */
export interface CliOptions {
  /** The folder the user stands in; `--allow-write=.` means it. */
  readonly folder: string;
  /** @default none of those the program reads */
  readonly env?: Readonly<Record<string, string>>;
  /** The flags of `deno run`. @default those of the task `convenings` */
  readonly flags?: readonly string[];
  /** What is on standard input. @default nothing */
  readonly stdin?: string;
}

/** How a command line ended. */
export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line that runs. */
export interface CliProcess {
  kill(signal: Deno.Signal): void;
  /** Resolves when standard error holds `text`; rejects when it ends without. */
  saw(text: string): Promise<void>;
  readonly end: Promise<CliEnd>;
}

/** Starts the program as a process of its own. */
export function startCli(
  args: readonly string[],
  { folder, env = {}, flags = taskFlags("convenings"), stdin }: CliOptions,
): CliProcess {
  const child = new Deno.Command("deno", {
    args: ["run", ...flags, MAIN, ...args],
    cwd: folder,
    env: { NO_COLOR: "1", ...UNSET, ...env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (stdin !== undefined) {
    // A program that ends without reading it is no failure of the test.
    new Blob([stdin]).stream().pipeTo(child.stdin).catch(() => {});
  }
  let stderr = "";
  const waiting = new Set<() => void>();
  const reading = (async () => {
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += piece;
      for (const check of waiting) check();
    }
  })();
  const end = (async () => {
    const stdout = await new Response(child.stdout).text();
    await reading;
    return { code: (await child.status).code, stdout, stderr };
  })();
  return {
    kill: (signal) => child.kill(signal),
    saw: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!stderr.includes(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
        end.then(() => reject(new Error(`Standard error ended without ${text}:\n${stderr}`)));
      }),
    end,
  };
}

/** Runs the program to its end. */
export function runCli(
  args: readonly string[],
  options: CliOptions,
): Promise<CliEnd> {
  return startCli(args, options).end;
}

/** The one JSON object a run printed; fails when there is more, or something else. */
export function jsonOf({ stdout, stderr }: CliEnd): Record<string, unknown> {
  const value: unknown = JSON.parse(stdout);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new Error(`No JSON object: ${stdout}\n${stderr}`);
}

/** Runs `use` with a folder of its own, which is removed afterwards. */
export async function withFolder<T>(
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await Deno.realPath(
    await Deno.makeTempDir({ prefix: "convenings-" }),
  );
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The names of what a folder holds, sorted. */
export async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) names.push(name);
  return names.sort();
}
