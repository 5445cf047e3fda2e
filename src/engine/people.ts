// Input from outside a run: words of people and clients for their turns, interjections, and requests to pause.
import type { AgentRequest } from "../core/agent.ts";
import { untilAborted } from "../core/clock.ts";
import { ConfigurationError, TurnOrderError } from "../core/error.ts";
import type { WaitedFor } from "../core/event.ts";
import type { Inbox, NewSubmission, Submission } from "../core/record.ts";
import { RunStop } from "./run_stop.ts";

/** The words of a person or client, with the id of the submission to remove after the words are recorded. */
interface Words {
  readonly text: string;
  readonly id?: string | undefined;
}

/** A prompt for a client to answer. */
export interface ClientRequest extends WaitedFor {
  /** Unique id; another attempt at the same turn has another id. */
  readonly id: string;
  /** The prompt, its place in the convening, and the schema and length of the answer. */
  readonly request: Pick<AgentRequest, "messages" | "context" | "maxTokens" | "schema">;
}

/** A turn that waits for the words of a person or client. */
interface Waiting {
  readonly participant: string;
  readonly request?: ClientRequest | undefined;
  readonly resolve: (heard: Words) => void;
  readonly reject: (why: Error) => void;
}

interface PeopleOptions {
  /** Inbox for submissions of other processes. */
  readonly inbox?: Inbox | undefined;
  /** The most milliseconds to wait for a person. @default unlimited */
  readonly personTimeout?: number | undefined;
}

/** Remedy for words after the end of a run. */
const ELSEWHERE = "Resume the convening, or fork it before its end, and say the words there.";

/** Milliseconds between reads of the inbox while a turn waits. */
const POLL_INTERVAL = 250;

/** Collects submissions of this process and of the inbox, and delivers words to the turns that wait for them. */
export class People {
  /** Submissions of this process. */
  readonly #own: Submission[] = [];
  /** Ids of the submissions that were taken, which an earlier read of the inbox may still return. */
  readonly #taken = new Set<string>();
  readonly #waiting = new Map<string, Waiting>();
  /** Turns whose wait timed out. */
  readonly #timedOut: WaitedFor[] = [];
  #options: PeopleOptions = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  /** Connects to the inbox of a run. Discards requests to pause that were meant for an earlier run. */
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

  get timedOut(): readonly WaitedFor[] {
    return this.#timedOut;
  }

  /** Refuses all words from now on: the run has ended, and nothing would hear them. */
  end(): void {
    this.#ended = true;
  }

  /** Submits words for a turn before the run starts, an interjection before the next turn, or a request to pause. */
  submit(submission: NewSubmission): void {
    if (this.#ended && submission.type !== "pause") {
      const act = submission.type === "say" ? "speak" : "interject";
      throw new ConfigurationError(`Cannot ${act}: the run has ended`, { hint: ELSEWHERE });
    }
    this.#own.push({ id: `own-${this.#own.length + 1}`, ...submission });
    if (submission.type === "pause") this.#cancelWaits(new RunStop("paused"));
  }

  /**
   * Delivers words to a waiting turn; `request` is the turn's key, or the id of the turn's client request. Throws a
   * `TurnOrderError` if none waits.
   */
  say(participant: string, text: string, request?: string): void {
    const [key, waiting] =
      [...this.#waiting].find(([turn, each]) =>
        each.participant === participant && [undefined, turn, each.request?.id].includes(request)
      ) ?? [];
    if (key === undefined || waiting === undefined) throw this.#outOfTurn(participant);
    this.#waiting.delete(key);
    waiting.resolve({ text });
  }

  /**
   * Returns the submitted interjections. Throws a `RunStop` if a pause was requested before any of them. At the end there is
   * nothing to pause, and without an interjection all later words are refused.
   */
  async interjections(
    isEnd: boolean,
  ): Promise<readonly Extract<Submission, { type: "interjection" }>[]> {
    const all = this.#untaken(await this.#options.inbox?.read());
    const first = all.find(({ type }) => type !== "say");
    if (first?.type === "pause" && !isEnd) await this.#takePause(all);
    const heard = all.filter((submission) => submission.type === "interjection");
    if (isEnd && heard.length === 0) this.end();
    return heard;
  }

  /** Removes a submission after its effect is recorded. */
  async done(id: string): Promise<void> {
    this.#taken.add(id);
    if (!this.#own.some((each) => each.id === id)) await this.#options.inbox?.done(id);
  }

  /** Returns the words for a turn, submitted before or awaited now. Throws a `RunStop` after `personTimeout`. */
  async listen(
    { participant, turn }: WaitedFor,
    { request, signal, onWait, onAnswer }: {
      /** The prompt, if a client is to answer. @default a person is to answer */
      readonly request?: ClientRequest | undefined;
      readonly signal: AbortSignal;
      readonly onWait: () => Promise<void>;
      /** Called when the words arrive, after `onWait` has resolved. */
      readonly onAnswer: () => Promise<void>;
    },
  ): Promise<Words> {
    const { personTimeout = Infinity } = this.#options;
    const before = this.#takeWords(await this.#options.inbox?.read(), { participant, turn });
    if (before !== undefined) return before;
    // Register the wait before `onWait` announces the turn, so that a listener can answer at once.
    const waited = this.#wait({ participant, turn }, { request, personTimeout, signal });
    // Awaited below; until then a rejection must not count as unhandled.
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
  ): Promise<Words> {
    const { promise, resolve, reject } = Promise.withResolvers<Words>();
    const timer = personTimeout === Infinity
      ? undefined
      // Words that were left since the last read of the inbox are in time.
      : setTimeout(
        () => void this.hear().then(() => reject(new RunStop("waiting"))),
        personTimeout,
      );
    this.#waiting.set(turn, { participant, request, resolve, reject });
    this.#poll();
    try {
      return await untilAborted(promise, signal);
    } catch (error) {
      if (error instanceof RunStop && error.status === "waiting") {
        this.#timedOut.push({ participant, turn });
      }
      throw error;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(turn);
      if (this.#waiting.size === 0) clearTimeout(this.#timer);
    }
  }

  /** Polls the inbox while a turn waits. */
  #poll(): void {
    if (this.#options.inbox === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.hear().then(() => {
        if (this.#waiting.size > 0) this.#poll();
      });
    }, POLL_INTERVAL);
  }

  /**
   * Reads the inbox: words are delivered to the turns that wait, and a pause or an error ends the waits. Returns false if the
   * wait for the turn with the key `turn` has timed out: the run ends, and leaves the turn's words in the inbox.
   */
  async hear(turn?: string): Promise<boolean> {
    await this.#deliver().catch((error: unknown) => this.#cancelWaits(error));
    return this.#timedOut.every((each) => each.turn !== turn);
  }

  async #deliver(): Promise<void> {
    const left = await this.#options.inbox?.read() ?? [];
    // Without a wait that a pause can end, the next turn takes the pause.
    if (this.#waiting.size > 0) await this.#takePause(left);
    for (const [turn, { participant, resolve }] of this.#waiting) {
      const heard = this.#takeWords(left, { participant, turn });
      if (heard === undefined) continue;
      this.#waiting.delete(turn);
      resolve(heard);
    }
  }

  /** Returns the submissions of this process and those read from the inbox, without the taken ones. */
  #untaken(left: readonly Submission[] = []): readonly Submission[] {
    return [...this.#own, ...left].filter(({ id }) => !this.#taken.has(id));
  }

  /** Takes the words submitted for a turn. Words for other turns stay: a person may be asked several questions at once. */
  #takeWords(
    left: readonly Submission[] | undefined,
    { participant, turn }: WaitedFor,
  ): Words | undefined {
    const words = this.#untaken(left).find((each) =>
      each.type === "say" && each.participant === participant && (each.turn ?? turn) === turn
    );
    if (words?.type !== "say") return undefined;
    this.#taken.add(words.id);
    return { text: words.text, id: words.id };
  }

  /** Takes the requests to pause; throws a `RunStop` if there are any. */
  async #takePause(all: readonly Submission[]): Promise<void> {
    const pauses = all.filter(({ type }) => type === "pause");
    if (pauses.length === 0) return;
    // Cancelled before the removal, during which words could answer the last wait.
    const stop = this.#cancelWaits(new RunStop("paused"));
    for (const { id } of pauses) await this.done(id);
    throw stop;
  }

  #cancelWaits<E>(why: E): E {
    const error = why instanceof Error ? why : new Error(String(why));
    for (const { reject } of this.#waiting.values()) reject(error);
    return why;
  }

  #outOfTurn(participant: string): TurnOrderError {
    const names = new Set(this.waitingFor.map(({ participant }) => participant));
    const none = this.#ended ? ELSEWHERE : "No turn waits for a person; interject instead.";
    return new TurnOrderError(`Cannot let "${participant}" speak: it is not their turn`, {
      field: "participant",
      hint: names.size === 0 ? none : `It is the turn of ${[...names].join(", ")}.`,
    });
  }
}
