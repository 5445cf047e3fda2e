// Runs the command line in a process of its own, and temporary folders for it.
import { join } from "@std/path";
import { parse } from "@std/yaml";
import project from "../../deno.json" with { type: "json" };
import { ROOT } from "./deno_process.ts";
import { testsWith } from "./tests_with.ts";
import { seen } from "./timers.ts";

const MAIN = join(ROOT, "src/cli/main.ts");

/** Returns the `deno run` flags of a task in `deno.json`. */
export function taskFlags(task: "debate" | "convenings" | "study" | "serve"): string[] {
  const words = project.tasks[task].command.split(" ");
  return words.slice(2, words.indexOf("src/cli/main.ts"));
}

/** Environment variables that the program reads, unset. */
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

/** Options of {@linkcode startCli}. */
interface CliOptions {
  /** Working directory; `--allow-write=.` means this folder. */
  readonly folder: string;
  /** Environment variables. @default those in `UNSET`, empty */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of `deno run`. @default those of the task `convenings` */
  readonly flags?: readonly string[];
  /** Text or bytes of standard input. @default no standard input */
  readonly stdin?: string | Uint8Array<ArrayBuffer>;
}

/** Exit code and output of a process. */
export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process. */
export interface CliProcess {
  kill(signal: Deno.Signal): void;
  /** Resolves when standard error contains `text`; rejects if the program ends before, or after a minute. */
  saw(text: string): Promise<void>;
  readonly end: Promise<CliEnd>;
}

/** Starts the program in a process of its own. */
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
    // The program may exit before it has read its input: that is no failure of the test.
    new Blob([stdin]).stream().pipeTo(child.stdin).catch(() => {});
  }
  let stderr = "";
  const follow = new Set<() => void>();
  const reading = (async () => {
    for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += piece;
      for (const look of follow) look();
    }
  })();
  const end = (async () => {
    const stdout = await new Response(child.stdout).text();
    await reading;
    return { code: (await child.status).code, stdout, stderr };
  })();
  return {
    kill: (signal) => child.kill(signal),
    saw: (text) => seen(text, { said: () => stderr, follow, end }),
    end,
  };
}

/** Runs the program in a process of its own until it exits. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  return startCli(args, options).end;
}

/** Parses standard output as a single JSON object; throws for anything else. */
export function jsonOf({ stdout, stderr }: CliEnd): Record<string, unknown> {
  const value: unknown = JSON.parse(stdout);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new Error(`No JSON object: ${stdout}\n${stderr}`);
}

/** Calls `use` with a temporary folder and removes the folder afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "convenings-" }));
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

withFolder.test = testsWith(withFolder);

/** Returns the sorted names of a folder's entries. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

/** Returns the configuration in a convening's metadata.md. */
export async function configurationOf(dir: unknown): Promise<Record<string, unknown>> {
  const text = await Deno.readTextFile(join(String(dir), "metadata.md"));
  const front = parse(text.slice(4, text.indexOf("\n---", 4)), { schema: "core" });
  return (front as { configuration: Record<string, unknown> }).configuration;
}
