// The setting of a benchmark: the model server, the folder that everything is written under, and runs of candidates.
import type { BenchLatency } from "./calls.ts";
import { Child } from "./child.ts";

export const TOPIC = "Should cities ban private cars from their centres?";
export const MODEL = "bench-model";

/** Candidates that are compared. */
export type Candidate = "ours" | "bare";

/** Extent of a benchmark. */
export interface Extent {
  readonly repetitions: number;
  /** A smoke run: small debates, figures that mean nothing. */
  readonly quick: boolean;
}

/** Size of a debate. */
interface DebateSize {
  readonly rounds: number;
  /** The most tokens of a prompt; 0 is unbounded. @default 12,000 */
  readonly maxPromptTokens?: number;
  /** Debates at once. @default 1 */
  readonly debates?: number;
  /** Milliseconds of a search, where claims are checked; the bare loop checks none. @default none are */
  readonly search?: number;
  /** True if points are noted; the bare loop notes none. @default false */
  readonly flow?: boolean;
  /** True if the bare loop's judge has a beginning of its own. @default false */
  readonly judgeApart?: boolean;
}

/** One debate of a candidate. */
export interface DebateTask extends DebateSize {
  readonly candidate: Candidate;
  readonly topic: string;
  readonly baseUrl: string;
  readonly model: string;
  /** The archive. */
  readonly out: string;
  readonly maxPromptTokens: number;
}

/** Cost of debates: milliseconds, and megabytes at most. */
type DebateCost = Readonly<Record<"cpu" | "wall" | "peak", number>>;

/** The next answers of the model server. */
export interface Preparation {
  readonly latency: BenchLatency;
  /** True if beginnings of requests are compared, which takes time. @default false */
  readonly prefixes?: boolean;
}

/** Number of requests, their characters, and those of them that repeat the beginning of an earlier request. */
export type Compared = Readonly<Record<"requests" | "characters" | "repeated", number>>;

/** Requests since the server was prepared. */
export interface Seen extends Compared {
  /** By kind of request: a speech, or the name of the schema. */
  readonly kinds: Readonly<Record<string, Compared>>;
  /** Time of the first request, in milliseconds since 1970. */
  readonly firstAt: number;
}

/** The model server and the folder. */
export class Bench implements AsyncDisposable {
  readonly url: string;
  readonly #model: Child;
  readonly #folder: string;

  private constructor(url: string, model: Child, folder: string) {
    this.url = url;
    this.#model = model;
    this.#folder = folder;
  }

  /** Starts the model server. */
  static async start(): Promise<Bench> {
    const model = await new Child("model.ts").ready();
    const { url } = await model.line<{ url: string }>();
    return new Bench(url, model, await Deno.makeTempDir({ prefix: "convenings-bench-" }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#model[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }

  /** Prepares the model server. */
  async prepare(preparation: Preparation): Promise<void> {
    await this.#model.ask(preparation);
  }

  /** Requests of some work, answered as prepared. */
  async seen(preparation: Preparation, work: () => Promise<unknown>): Promise<Seen> {
    await this.prepare(preparation);
    await work();
    return await this.#model.ask<Seen>(null);
  }

  /**
   * A new folder. It is removed with the benchmark, not before: a file system that has just removed many files takes
   * longer to make new ones, and the next candidate would pay for it.
   */
  async folder(): Promise<string> {
    return await Deno.makeTempDir({ dir: this.#folder });
  }

  /** Runs a module with a task, which writes into a folder; gives the line that the module prints. */
  async run<T>(module: string, task: object, folder?: string): Promise<T> {
    const out = folder ?? await this.folder();
    await using child = new Child(module, { out, args: [this.task(out, task)] });
    return await child.line<T>();
  }

  /** A task as the argument of a process. */
  task(out: string, task: object): string {
    const usual = { topic: TOPIC, model: MODEL, baseUrl: this.url, maxPromptTokens: 12_000 };
    return JSON.stringify({ ...usual, out, ...task });
  }

  /** Runs debates in a process of their own. */
  async debate(candidate: Candidate, size: DebateSize): Promise<DebateCost> {
    return await this.run<DebateCost>("work.ts", { work: "debate", candidate, ...size });
  }
}
