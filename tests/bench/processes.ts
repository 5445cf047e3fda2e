// Everything that is measured runs in a process of its own, with the permissions it needs and no more.
import { dirname, join } from "@std/path";
import { fileURLToPath } from "node:url";
import type { Candidate, DebateCost, DebateTask } from "./debate_process.ts";
import type { Preparation, Seen } from "./model_process.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));

/** What debates of a benchmark are about. */
export const TOPIC = "Should cities ban private cars from their centres?";
/** What they name as their model. */
export const MODEL = "bench-model";

/** What a debate of the benchmark leaves to be said. */
export interface DebateSize {
  readonly rounds: number;
  /** @default the engine's own */
  readonly maxPromptTokens?: number;
  /** Debates at once. @default 1 */
  readonly debates?: number;
  /** Milliseconds a search takes, where claims are checked. @default none are */
  readonly search?: number | undefined;
  /** Whether the bare loop's judge has a beginning of its own. @default false */
  readonly judgeApart?: boolean;
}

/** A command line that starts a module of this folder, or of the project, with `deno run`. */
export function command(module: string, { out, args }: {
  readonly out?: string;
  readonly args: readonly string[];
}): Deno.Command {
  return new Deno.Command("deno", {
    args: [
      "run",
      "--no-prompt",
      `--config=${join(ROOT, "deno.test.json")}`,
      "--ignore-env",
      "--allow-read",
      "--allow-net=127.0.0.1",
      ...(out === undefined ? [] : [`--allow-write=${out}`]),
      module.includes("/") ? join(ROOT, module) : join(HERE, module),
      ...args,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs a module to its end; gives the JSON of its last line. */
export async function runJson(
  module: string,
  options: { readonly out: string; readonly args: readonly string[] },
): Promise<unknown> {
  const { code, stdout, stderr } = await command(module, options).output();
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(`${module} ended with ${code}:\n${decoder.decode(stderr)}`);
  return JSON.parse(decoder.decode(stdout).trim().split("\n").at(-1) ?? "");
}

/** The model server, and the folder that everything is written under. */
export class Bench implements AsyncDisposable {
  readonly url: string;
  readonly #control: string;
  readonly #server: Deno.ChildProcess;
  readonly #folder: string;

  private constructor(
    server: Deno.ChildProcess,
    { url, control, folder }: { url: string; control: string; folder: string },
  ) {
    this.#server = server;
    this.url = url;
    this.#control = control;
    this.#folder = folder;
  }

  /** Starts the model server. */
  static async start(): Promise<Bench> {
    const folder = await Deno.makeTempDir({ prefix: "convenings-bench-" });
    const server = command("model_process.ts", { args: [] }).spawn();
    const lines = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const { value } = await lines.read();
    if (value === undefined) {
      throw new Error(`The model server ended:\n${await new Response(server.stderr).text()}`);
    }
    const { url, control } = JSON.parse(value);
    return new Bench(server, { url, control, folder });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.kill();
    await this.#server.status;
    await Deno.remove(this.#folder, { recursive: true });
  }

  /** Tells the server how to answer from here on, and to count from 0. */
  async prepare(preparation: Preparation): Promise<void> {
    const body = JSON.stringify(preparation);
    await (await fetch(this.#control, { method: "POST", body })).body?.cancel();
  }

  /** What the server saw since it was prepared. */
  async seen(): Promise<Seen> {
    return await (await fetch(this.#control)).json();
  }

  /**
   * A new folder. It is removed with the benchmark, not before: a file system that has just removed many files takes
   * longer to make new ones, and the next candidate would pay for it.
   */
  async folder(): Promise<string> {
    return await Deno.makeTempDir({ dir: this.#folder });
  }

  /** What a candidate is told. */
  task(
    candidate: Candidate,
    { rounds, maxPromptTokens = 12_000, debates = 1, search, judgeApart = false }: DebateSize,
  ): (out: string) => DebateTask {
    return (out) => ({
      candidate,
      topic: TOPIC,
      baseUrl: this.url,
      model: MODEL,
      rounds,
      maxPromptTokens,
      debates,
      judgeApart,
      ...(search === undefined ? {} : { search }),
      out,
    });
  }

  /** Runs debates in a process of their own. */
  async debate(candidate: Candidate, size: DebateSize): Promise<DebateCost> {
    const task = this.task(candidate, size);
    const out = await this.folder();
    const args = [JSON.stringify(task(out))];
    return await runJson("debate_process.ts", { out, args }) as DebateCost;
  }
}
