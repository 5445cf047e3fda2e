import type { AgentReply, AgentRequest } from "../../../protocol.ts";
import { Talker } from "./talkers.ts";

/** A request in virtual time. */
export interface Span {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** A talker whose answers take virtual time: time moves on when nothing else can happen. */
export class VirtualTime {
  readonly spans: Span[] = [];
  readonly agent: Talker;
  readonly #pending: { readonly end: number; readonly answer: () => void }[] = [];
  #now = 0;

  /** `latency` is the duration of a request. */
  constructor(latency: (request: AgentRequest) => number = () => 1) {
    this.agent = new Talker((request) => this.#take(request, latency(request)));
  }

  /** How much time has passed. */
  get now(): number {
    return this.#now;
  }

  /** Runs `work` to its end, moving time on whenever all that is left is waiting. */
  async run<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finished = work.finally(() => done = true);
    finished.catch(() => {});
    while (!done) {
      // The next macrotask: by then everything that can go on has gone on.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (done || this.#pending.length === 0) continue;
      this.#now = Math.min(...this.#pending.map(({ end }) => end));
      const due = this.#pending.filter(({ end }) => end === this.#now);
      for (const each of due) {
        this.#pending.splice(this.#pending.indexOf(each), 1);
        each.answer();
      }
    }
    return await finished;
  }

  /** The keys of the requests that were in flight while the named one was, all of its time. */
  during(key: string): string[] {
    const { start, end } = this.spans.find((each) => each.key === key)!;
    return this.spans.filter((each) => each.key !== key && each.start < end && each.end > start)
      .map((each) => each.key);
  }

  async #take(
    { context }: AgentRequest,
    latency: number,
  ): Promise<Partial<AgentReply> | undefined> {
    const end = this.#now + latency;
    this.spans.push({ key: context.key, start: this.#now, end });
    await new Promise<void>((answer) => this.#pending.push({ end, answer }));
    return undefined;
  }
}
