// The setting of a benchmark: the model server, the folder that everything is written under, and runs of candidates.
import { Child } from "./child.ts";
import type { BenchLatency } from "./calls.ts";

/** Topic of the debates. */
export const TOPIC = "Should cities ban private cars from their centres?";
/** Model of the debates. */
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
export interface DebateTask extends Required<Omit<DebateSize, "search" | "flow">> {
  readonly candidate: Candidate;
  readonly topic: string;
  readonly baseUrl: string;
  readonly model: string;
  /** The archive. */
  readonly out: string;
  readonly search?: number;
  readonly flow?: boolean;
}

/** Cost of debates: milliseconds, and megabytes at most. */
export interface DebateCost {
  readonly cpu: number;
  readonly wall: number;
  readonly peak: number;
}

/** The next answers of the model server. */
export interface Preparation {
  readonly latency: BenchLatency;
  /** True if beginnings of requests are compared, which takes time. @default false */
  readonly prefixes?: boolean;
}

/** Number of requests, their characters, and those of them that repeat the beginning of an earlier request. */
export interface Compared {
  readonly requests: number;
  readonly characters: number;
  readonly repeated: number;
}

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

  /** Requests of some work, answered as prepared. */
  async seen(preparation: Preparation, work: () => Promise<unknown>): Promise<Seen> {
    await this.prepare(preparation);
    await work();
    return await this.#model.ask<Seen>(null);
  }

  /** Prepares the model server. */
  async prepare(preparation: Preparation): Promise<void> {
    await this.#model.ask(preparation);
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
    const given = JSON.stringify({ baseUrl: this.url, model: MODEL, out, ...task });
    await using child = new Child(module, { out, args: [given] });
    return await child.line<T>();
  }

  /** Runs debates in a process of their own. */
  async debate(candidate: Candidate, size: DebateSize): Promise<DebateCost> {
    const usual = { topic: TOPIC, maxPromptTokens: 12_000, debates: 1, judgeApart: false };
    return await this.run<DebateCost>("debate.ts", { ...usual, candidate, ...size });
  }
}
