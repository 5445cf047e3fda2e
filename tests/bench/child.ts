// Processes of the benchmark: each runs one module, prints lines of JSON, and may answer requests on a port of its own.
import { dirname, join } from "@std/path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));

/** A process that runs a module of this folder, or of the project. */
export class Child implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncGenerator<string>;
  #control = "";

  /** Starts a process; `flags` are those of `deno run`. */
  constructor(module: string, { flags = ["--no-prompt"], args = [], env = {}, cwd, out }: {
    readonly flags?: readonly string[];
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly cwd?: string;
    /** The folder that the process may write. */
    readonly out?: string;
  } = {}) {
    const open = ["--ignore-env", "--allow-read", "--allow-net=127.0.0.1"];
    this.#child = new Deno.Command("deno", {
      args: [
        "run",
        `--config=${join(ROOT, "deno.test.json")}`,
        ...flags,
        ...flags.length > 1 ? [] : open,
        ...out === undefined ? [] : [`--allow-write=${out}`],
        module.includes("/") ? join(ROOT, module) : join(HERE, module),
        ...args,
      ],
      ...cwd === undefined ? {} : { cwd },
      env: { NO_COLOR: "1", ...env },
      stdin: "null",
      stdout: "piped",
      stderr: flags.length > 1 ? "null" : "inherit",
    }).spawn();
    this.#lines = linesOf(this.#child.stdout);
  }

  /** The next line, read. */
  async line<T>(): Promise<T> {
    const { value } = await this.#lines.next();
    if (value === undefined) throw new Error("A process of the benchmark ended too early");
    return JSON.parse(value);
  }

  /** Reads the port of a process that calls `serveControl`, which is its first line. */
  async ready(): Promise<this> {
    this.#control = (await this.line<{ control: string }>()).control;
    return this;
  }

  /** Asks a process that is ready. */
  async ask<T>(asked: unknown): Promise<T> {
    const answer = await fetch(this.#control, { method: "POST", body: JSON.stringify(asked) });
    if (!answer.ok) throw new Error(`A process failed at ${JSON.stringify(asked)}`);
    return await answer.json();
  }

  /** Waits for the end. */
  async end(): Promise<void> {
    for await (const _ of this.#lines);
    const { code } = await this.#child.status;
    if (code !== 0) throw new Error(`A process of the benchmark ended with ${code}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // The process has ended.
    }
    await this.#lines.return(undefined);
    await this.#child.status;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Answers whoever started this process, on a port that its first line names. */
export function serveControl<T>(answer: (asked: T) => unknown): Deno.HttpServer {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => Response.json(await answer(await request.json()) ?? null),
  );
  say({ control: `http://127.0.0.1:${server.addr.port}/` });
  return server;
}

/** Prints a line for whoever started this process. */
export function say(line: unknown): void {
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify(line));
}

/** The value below which a share of sorted values lie. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds since 1970, on a clock that all processes of the machine share. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
