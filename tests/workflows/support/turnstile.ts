import type { Agent } from "../../../mod.ts";
import type { AgentReply, AgentRequest } from "../../../protocol.ts";
import type { FaultyFiles } from "../../output/support/faulty_files.ts";

/** Looks at the files once more in a later turn of the event loop: all that an answer led to has happened by then. */
const STILL = 3;

interface Waiting {
  readonly id: string;
  readonly leave: () => void;
}

/**
 * Lets one answer out at a time, and only after all that the one before led to is written: a kill comes when at most the
 * latest answer is on its way to disk. Of what was asked at once the last goes first; what an answer led to, such as a
 * repair, waits for all that was asked before.
 */
export class Turnstile {
  /** What was let out while the process lived, in its order. */
  readonly answered: string[] = [];
  readonly #files: FaultyFiles;
  readonly #waiting: Waiting[] = [];
  /** What came since an answer was let out. */
  #new: Waiting[] = [];
  #turns = false;

  /** A turnstile for what is written to these files. */
  constructor(files: FaultyFiles) {
    this.#files = files;
  }

  /** Resolves when it is the turn of the answer of this id. */
  async pass(id: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#new.push({ id, leave: resolve });
    if (!this.#turns) void this.#turn();
    await promise;
  }

  async #turn(): Promise<void> {
    this.#turns = true;
    while (this.#waiting.length + this.#new.length > 0) {
      await this.#quiet();
      this.#waiting.push(...this.#new.toReversed());
      this.#new = [];
      const { id, leave } = this.#waiting.shift()!;
      if (!this.#files.isDead) this.answered.push(id);
      leave();
    }
    this.#turns = false;
  }

  async #quiet(): Promise<void> {
    let before = -1;
    for (let still = 0; still < STILL;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const now = this.#files.operations + this.#new.length;
      still = now === before ? still + 1 : 0;
      before = now;
    }
  }
}

/** An agent behind a turnstile, whose requests are told apart by key, attempt and every word. */
export class Metered implements Agent {
  readonly model: string;
  /** The ids of what was asked, in order. */
  readonly asked: string[] = [];
  readonly #agent: Agent;
  readonly #turnstile: Turnstile;

  /** The agent behind the turnstile. */
  constructor(agent: Agent, turnstile: Turnstile) {
    this.model = agent.model;
    this.#agent = agent;
    this.#turnstile = turnstile;
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const { context: { key, attempt }, messages } = request;
    const id = `${key} (${attempt}): ${JSON.stringify(messages)}`;
    this.asked.push(id);
    const reply = await this.#agent.reply(request);
    await this.#turnstile.pass(id);
    request.signal?.throwIfAborted();
    return reply;
  }
}
