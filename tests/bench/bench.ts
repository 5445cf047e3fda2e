// Setup of a benchmark: the model server, the temporary folder, and runs of the candidates.
import type { BenchLatency } from "./calls.ts";
import { Child } from "./child.ts";

export const TOPIC = "Should cities ban private cars from their centres?";
export const MODEL = "bench-model";

/** Implementations under comparison: the library and the baseline. */
export type Candidate = "ours" | "bare";

/** Extent of a benchmark run. */
export interface Extent {
  readonly repetitions: number;
  /** True if this is a smoke run: small debates, meaningless figures. */
  readonly quick: boolean;
}

/** Size of a debate. */
interface DebateSize {
  readonly rounds: number;
  /** Token limit of a prompt; 0 is unlimited. @default 12,000 */
  readonly maxPromptTokens?: number;
  /** Number of concurrent debates. @default 1 */
  readonly debates?: number;
  /** Milliseconds of a search in fact checks, which only the library makes. @default no fact checks */
  readonly search?: number;
  /** True if points are noted, which only the library does. @default false */
  readonly flow?: boolean;
  /** True if the baseline's judge has a separate beginning of its prompts. @default false */
  readonly judgeApart?: boolean;
}

/** A debate of a candidate. */
export interface DebateTask extends DebateSize {
  readonly candidate: Candidate;
  readonly topic: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Archive folder. */
  readonly out: string;
  readonly maxPromptTokens: number;
}

/** Cost of debates: milliseconds of processor and wall time, peak memory in megabytes. */
type DebateCost = Readonly<Record<"cpu" | "wall" | "peak", number>>;

/** Settings of the model server's next replies. */
export interface Preparation {
  readonly latency: BenchLatency;
  /** True if the beginnings of prompts are compared, which takes time. @default false */
  readonly prefixes?: boolean;
}

/** Number of requests, of their characters, and of the characters that repeat the beginning of an earlier request. */
export type Compared = Readonly<Record<"requests" | "characters" | "repeated", number>>;

/** Requests since the last preparation of the server. */
export interface Seen extends Compared {
  /** Counts by kind of request: a speech, or the schema's name. */
  readonly kinds: Readonly<Record<string, Compared>>;
  /** Time of the first request, in milliseconds since 1970. */
  readonly firstAt: number;
}

export class Bench implements AsyncDisposable {
  readonly url: string;
  readonly #model: Child;
  readonly #folder: string;

  private constructor(url: string, model: Child, folder: string) {
    this.url = url;
    this.#model = model;
    this.#folder = folder;
  }

  static async start(): Promise<Bench> {
    const model = await new Child("model.ts").ready();
    const { url } = await model.line<{ url: string }>();
    return new Bench(url, model, await Deno.makeTempDir({ prefix: "convenings-bench-" }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }

  /** Sets the model server's next replies. */
  async prepare(preparation: Preparation): Promise<void> {
    await this.#model.ask(preparation);
  }

  /** Prepares the server, runs `work`, and returns the requests of `work`. */
  async seen(preparation: Preparation, work: () => Promise<unknown>): Promise<Seen> {
    await this.prepare(preparation);
    await work();
    return await this.#model.ask<Seen>(null);
  }

  /**
   * Makes a temporary folder. Folders are removed only when the benchmark ends: after the removal of many files a file
   * system creates files more slowly, which would slow the next candidate down.
   */
  async folder(): Promise<string> {
    return await Deno.makeTempDir({ dir: this.#folder });
  }

  /** Runs a module with a task in a process that may write to a folder; returns the line that the module prints. */
  async run<T>(module: string, task: object, folder?: string): Promise<T> {
    const out = folder ?? await this.folder();
    await using child = new Child(module, { out, args: [this.task(out, task)] });
    return await child.line<T>();
  }

  /** Returns a task as a process argument. */
  task(out: string, task: object): string {
    const usual = { topic: TOPIC, model: MODEL, baseUrl: this.url, maxPromptTokens: 12_000 };
    return JSON.stringify({ ...usual, out, ...task });
  }

  /** Runs debates in a process of their own. */
  async debate(candidate: Candidate, size: DebateSize): Promise<DebateCost> {
    return await this.run<DebateCost>("work.ts", { work: "debate", candidate, ...size });
  }
}
