// Processes that go on until they are told to end: servers, and what asks them.
import { dirname, join } from "@std/path";
import { fileURLToPath } from "node:url";
import { taskFlags } from "../support/cli.ts";
import type { Gauge } from "./gauge.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const MAIN = join(ROOT, "src/cli/main.ts");

/** A process and the lines it prints first. */
class Running implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncGenerator<Record<string, unknown>>;

  constructor(flags: readonly string[], { cwd, env = {} }: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {}) {
    this.#child = new Deno.Command("deno", {
      args: ["run", `--config=${join(ROOT, "deno.test.json")}`, ...flags],
      ...cwd === undefined ? {} : { cwd },
      env: { NO_COLOR: "1", ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#lines = linesOf(this.#child.stdout);
  }

  /** What the next line says, which is JSON. */
  async line(): Promise<Record<string, unknown>> {
    const { value } = await this.#lines.next();
    if (value === undefined) throw new Error("A process of the benchmark ended before it said so");
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#lines.return(undefined);
    await this.#child.status;
  }
}

async function* linesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Record<string, unknown>> {
  let rest = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

async function ask<T>(control: string, asked: unknown): Promise<T> {
  const answer = await fetch(control, { method: "POST", body: JSON.stringify(asked) });
  if (!answer.ok) throw new Error(`A process of the benchmark failed at ${JSON.stringify(asked)}`);
  return await answer.json();
}

/** A module of this folder that does what it is asked. */
export class Helper implements AsyncDisposable {
  readonly #running: Running;
  /** What its first line said. */
  readonly told: Readonly<Record<string, unknown>>;

  private constructor(running: Running, told: Readonly<Record<string, unknown>>) {
    this.#running = running;
    this.told = told;
  }

  /** Starts a module, which may reach this machine and nothing else, unless it needs more. */
  static async start(module: string, flags = ["--allow-net=127.0.0.1"]): Promise<Helper> {
    const running = new Running(["--no-prompt", ...flags, join(HERE, module)]);
    return new Helper(running, await running.line());
  }

  /** Asks it; gives what it answers. */
  ask<T>(asked: unknown): Promise<T> {
    return ask<T>(String(this.told["control"]), asked);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
  }
}

/** A server of an archive in a process of its own, and what it costs. */
export class Served implements AsyncDisposable {
  readonly port: number;
  readonly #running: Running;
  readonly #control: string;

  private constructor(running: Running, { port, control }: { port: number; control: string }) {
    this.#running = running;
    this.port = port;
    this.#control = control;
  }

  /** `convenings serve`, as its task starts it. */
  static ours(out: string, flags: readonly string[] = []): Promise<Served> {
    const env = { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", TAVILY_API_KEY: "", INIT_CWD: "" };
    const main = [MAIN, "serve", "--json", "--port=0", `--out=${out}`, ...flags];
    return Served.#start([...taskFlags("serve"), PRELOAD, ...main], { cwd: out, env });
  }

  /** A server that only reads files and answers. */
  static bare(out: string): Promise<Served> {
    const flags = ["--no-prompt", "--ignore-env", "--allow-read", "--allow-net=127.0.0.1"];
    return Served.#start([...flags, PRELOAD, join(HERE, "bare_server.ts"), out]);
  }

  static async #start(
    flags: readonly string[],
    options?: ConstructorParameters<typeof Running>[1],
  ): Promise<Served> {
    const running = new Running(flags, options);
    const { control } = await running.line();
    const { port } = await running.line();
    return new Served(running, { port: Number(port), control: String(control) });
  }

  /** What its process has used so far. */
  gauge(): Promise<Gauge> {
    return ask<Gauge>(this.#control, {});
  }

  /** Starts a convening; gives its id. */
  async convene(body: unknown): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/convenings`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { id, error } = await answer.json();
    if (answer.status !== 201) throw new Error(`Nothing was started: ${JSON.stringify(error)}`);
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
  }
}

const PRELOAD = `--preload=${join(HERE, "gauge.ts")}`;
