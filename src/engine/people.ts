// People and others outside the run: turns they speak, interjections, the wish to pause.
import type { AgentRequest } from "../core/agent.ts";
import { TurnOrderError } from "../core/error.ts";
import type { WaitedFor } from "../core/event.ts";
import type { Inbox, Submission } from "../core/record.ts";

/** Thrown where a run rests although nothing is wrong: it can be gone on with. */
export abstract class RunStop extends Error {
  /** Status of the convening then. */
  abstract readonly status: "waiting" | "paused";
}

class WaitStop extends RunStop {
  readonly status = "waiting";
}

class PauseStop extends RunStop {
  readonly status = "paused";
}

/** A person's words, and what to take out once they are on record. */
interface Heard {
  readonly text: string;
  readonly id?: string | undefined;
}

/** A prompt that a client is to answer. */
export interface ClientRequest extends WaitedFor {
  /** Names the request: another attempt at the same turn has another id. */
  readonly id: string;
  /** The prompt, its place in the convening, and the shape and length of the answer. */
  readonly request: Pick<AgentRequest, "messages" | "context" | "maxTokens" | "schema">;
}

/** A turn that waits for a person's or a client's words. */
interface Waiting {
  readonly participant: string;
  readonly request?: ClientRequest | undefined;
  readonly resolve: (heard: Heard) => void;
  readonly reject: (why: Error) => void;
}

interface PeopleOptions {
  /** Inbox of requests that other processes leave. */
  readonly inbox?: Inbox | undefined;
  /** Milliseconds a person has; 0 is none. @default no end */
  readonly personTimeout?: number | undefined;
}

/** Interval of looking into the inbox while a person is waited for, in milliseconds. */
const LOOK_EVERY = 250;

/** Hears people whose turn it is, interjections, and requests to pause. */
export class People {
  readonly #left: Submission[] = [];
  readonly #waiting = new Map<string, Waiting>();
  /** The turns that were waited for in vain. */
  readonly #missed: WaitedFor[] = [];
  #options: PeopleOptions = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #number = 0;

  /** Ties people to a run; the wish to pause that was left for a run before it is stale. */
  async open(options: PeopleOptions): Promise<void> {
    this.#options = options;
    for (const { id, type } of await options.inbox?.read() ?? []) {
      if (type === "pause") await options.inbox?.done(id);
    }
  }

  get waitingFor(): readonly WaitedFor[] {
    return [...this.#waiting].map(([turn, { participant }]) => ({ participant, turn }));
  }

  get requests(): readonly ClientRequest[] {
    return [...this.#waiting.values()].flatMap(({ request }) => request ?? []);
  }

  /** The turns that nobody spoke in. */
  get waitedFor(): readonly WaitedFor[] {
    return this.#missed;
  }

  /** Leaves an interjection for the next turn, or the wish to pause before it. */
  leave(
    what: { readonly type: "interjection"; readonly text: string } | { readonly type: "pause" },
  ): void {
    this.#left.push({ id: `own-${++this.#number}`, ...what });
    if (what.type === "pause") this.#stopWaiting(new PauseStop());
  }

  prepare(participant: string, text: string): void {
    this.#left.push({ id: `own-${++this.#number}`, type: "say", participant, text });
  }

  /** Says a person's turn, or answers the client's request of an id; refused out of turn, naming whose turn it is. */
  say(participant: string, text: string, request?: string): void {
    const [key, waiting] =
      [...this.#waiting].find(([, each]) =>
        each.participant === participant && (request === undefined || each.request?.id === request)
      ) ?? [];
    if (key === undefined || waiting === undefined) throw outOfTurn(participant, this.waitingFor);
    this.#waiting.delete(key);
    waiting.resolve({ text });
  }

  /** Interjections to be heard before the next turn; throws where a pause was requested. */
  async heard(): Promise<readonly Submission[]> {
    const all = [...this.#left, ...await this.#options.inbox?.read() ?? []];
    if (all.some(({ type }) => type === "pause")) await this.#takePause(all);
    return all.filter(({ type }) => type === "interjection");
  }

  /** Takes out what was left, once it is on record. */
  async done(id: string): Promise<void> {
    const own = this.#left.findIndex((each) => each.id === id);
    if (own !== -1) this.#left.splice(own, 1);
    else await this.#options.inbox?.done(id);
  }

  /** Waits for a person's words; throws a `WaitStop` when they do not come in time. */
  async listen(
    { participant, turn }: WaitedFor,
    { request, signal, onWait, onAnswer }: {
      /** The prompt, for a client. @default a person is told the task alone */
      readonly request?: ClientRequest | undefined;
      readonly signal: AbortSignal;
      readonly onWait: () => Promise<void>;
      /** Called only after `onWait`. */
      readonly onAnswer: () => Promise<void>;
    },
  ): Promise<Heard> {
    const { personTimeout = Infinity } = this.#options;
    const before = await this.#find(participant, turn);
    if (before !== undefined) return before;
    // Registered before it is told, so that whoever hears of it can answer at once.
    const waited = this.#wait({ participant, turn }, { request, personTimeout, signal });
    // Awaited below; a failure before that is not unhandled.
    waited.catch(() => {});
    await onWait();
    const heard = await waited;
    await onAnswer();
    return heard;
  }

  async #wait(
    { participant, turn }: WaitedFor,
    { request, personTimeout, signal }: Pick<Waiting, "request"> & {
      readonly personTimeout: number;
      readonly signal: AbortSignal;
    },
  ): Promise<Heard> {
    const { promise, resolve, reject } = Promise.withResolvers<Heard>();
    const stop = () => reject(signal.reason);
    const timer = personTimeout === Infinity
      ? undefined
      : setTimeout(() => reject(new WaitStop()), personTimeout);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    this.#waiting.set(turn, { participant, request, resolve, reject });
    this.#look();
    try {
      return await promise;
    } catch (error) {
      if (error instanceof WaitStop) this.#missed.push({ participant, turn });
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.#waiting.delete(turn);
      if (this.#waiting.size === 0) clearTimeout(this.#timer);
    }
  }

  /** Looks into the inbox again and again while somebody is waited for. */
  #look(): void {
    if (this.#options.inbox === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#deliver().catch((error: unknown) => this.#stopWaiting(error)).finally(() => {
        if (this.#waiting.size > 0) this.#look();
      });
    }, LOOK_EVERY);
  }

  async #deliver(): Promise<void> {
    for (const left of await this.#options.inbox!.read()) {
      if (left.type === "pause") await this.#takePause([left]);
    }
    for (const [turn, { participant, resolve }] of [...this.#waiting]) {
      const heard = await this.#find(participant, turn);
      if (heard === undefined || !this.#waiting.delete(turn)) continue;
      resolve(heard);
    }
  }

  /** The words a person has already left for a turn; what was left for another is taken out. */
  async #find(participant: string, turn: string): Promise<Heard | undefined> {
    const own = this.#left.findIndex((each) =>
      each.type === "say" && each.participant === participant
    );
    const [mine] = own === -1 ? [] : this.#left.splice(own, 1);
    if (mine?.type === "say") return { text: mine.text };
    for (const left of await this.#options.inbox?.read() ?? []) {
      if (left.type !== "say" || left.participant !== participant) continue;
      if (left.turn === undefined || left.turn === turn) return { text: left.text, id: left.id };
      await this.done(left.id);
    }
    return undefined;
  }

  async #takePause(all: readonly Submission[]): Promise<void> {
    for (const { id, type } of all) if (type === "pause") await this.done(id);
    throw this.#stopWaiting(new PauseStop());
  }

  #stopWaiting<E>(why: E): E {
    const error = why instanceof Error ? why : new Error(String(why));
    for (const { reject } of this.#waiting.values()) reject(error);
    return why;
  }
}

function outOfTurn(participant: string, waitingFor: readonly WaitedFor[]): TurnOrderError {
  return new TurnOrderError(
    `Cannot let "${participant}" speak: it is not their turn`,
    {
      hint: waitingFor.length === 0
        ? "It is nobody's turn that is waited for; interject instead."
        : `It is the turn of ${waitingFor.map((each) => each.participant).join(", ")}.`,
    },
  );
}
