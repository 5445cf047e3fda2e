// Child processes of the benchmark: each runs a module, prints lines of JSON, and may answer requests on a port.
import { join } from "@std/path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Options of a process. */
interface ChildOptions {
  /** Flags of `deno run` for a server, whose standard error is hidden. @default the flags of the benchmark's modules */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Folder that the process may write. */
  readonly out?: string;
}

const OPEN = ["--no-prompt", "--ignore-env", "--allow-read", "--allow-net=127.0.0.1"];

/** A process that runs a module, given by its path relative to this folder. */
export class Child implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncGenerator<string>;
  #control = "";

  constructor(module: string, { flags, args = [], env = {}, cwd, out }: ChildOptions = {}) {
    const config = `--config=${join(HERE, "../../deno.test.json")}`;
    const write = out === undefined ? [] : [`--allow-write=${out}`];
    this.#child = new Deno.Command("deno", {
      args: ["run", config, ...flags ?? OPEN, ...write, join(HERE, module), ...args],
      ...cwd === undefined ? {} : { cwd },
      env: { NO_COLOR: "1", ...env },
      stdin: "null",
      stdout: "piped",
      stderr: flags === undefined ? "inherit" : "null",
    }).spawn();
    this.#lines = linesOf(this.#child.stdout);
  }

  /** Reads and parses the next line. */
  async line<T>(): Promise<T> {
    const { value } = await this.#lines.next();
    if (value === undefined) throw new Error("A process of the benchmark ended too early");
    return JSON.parse(value);
  }

  /** Reads the port of a process that calls `serveControl` from the first line. */
  async ready(): Promise<this> {
    this.#control = (await this.line<{ control: string }>()).control;
    return this;
  }

  /** Sends a request to a process after `ready`. */
  async ask<T>(asked: unknown): Promise<T> {
    const answer = await fetch(this.#control, { method: "POST", body: JSON.stringify(asked) });
    if (!answer.ok) throw new Error(`A process failed at ${JSON.stringify(asked)}`);
    return await answer.json();
  }

  /** Waits until the process exits. */
  async end(): Promise<void> {
    for await (const _ of this.#lines);
    const { code } = await this.#child.status;
    if (code !== 0) throw new Error(`A process of the benchmark ended with ${code}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // The process has exited.
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

/** Answers requests of the parent process on a port, which is printed in the first line. */
export function serveControl<T>(answer: (asked: T) => unknown): Deno.HttpServer {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => Response.json(await answer(await request.json()) ?? null),
  );
  say({ control: `http://127.0.0.1:${server.addr.port}/` });
  return server;
}

/** Prints a line for the parent process. */
export function say(line: unknown): void {
  // deno-lint-ignore no-console -- the line is what the caller reads
  console.log(JSON.stringify(line));
}

/** Returns a quantile of sorted values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns milliseconds since 1970 on a clock that all processes of the machine share. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
