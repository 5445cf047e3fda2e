import { ConveningError } from "./error.ts";
import type { Past } from "./past.ts";
import type { Message } from "./message.ts";
import type { Protocol, ProtocolRequest } from "./protocol.ts";

/** A record that its protocol cannot have left behind: what is missing or too much, and how it shows. */
export interface OrderProblem {
  /** The message's number. */
  readonly seq: number;
  /** The key of the turn or question. */
  readonly key: string;
  /** What is the matter, as the end of a sentence about the message. */
  readonly problem: string;
}

/** What playing a record brought. */
export interface OrderCheck {
  readonly problem?: OrderProblem | undefined;
  /** The keys of failed turns that the protocol had gone on without: they are not tried again. */
  readonly without: ReadonlySet<string>;
}

/**
 * Plays a protocol from a record alone, as far as the record goes. A missing message is work in flight as long as no
 * later turn had waited for it; else it was lost, and this says which.
 */
export function checkOrder(
  protocol: Protocol<unknown>,
  past: Past,
  ends: (messages: readonly Message[]) => boolean = () => false,
): OrderCheck {
  const player = new OrderPlayer(past, ends);
  try {
    return { problem: player.play(protocol), without: player.without };
  } finally {
    protocol.return(undefined);
  }
}

/** What observers and questions leave. */
const FOUND: ReadonlySet<string> = new Set([
  "score",
  "verdict",
  "choice",
  "stance",
  "fact-check",
  "evidence",
]);

/** What one request brought: an answer, or why the play ends. */
interface Played {
  readonly answer?: unknown;
  readonly problem?: OrderProblem;
  readonly missing?: { readonly seq: number; readonly key: string };
}

class OrderPlayer {
  readonly #past: Past;
  readonly #ends: (messages: readonly Message[]) => boolean;
  readonly #unused: Map<string, Message>;
  readonly #given: Message[] = [];
  readonly #begun = new Map<
    string,
    { readonly seq: number; readonly answer: unknown; readonly aside: boolean }
  >();
  readonly #skipped: string[] = [];
  #seq = 0;
  #ended = false;
  /** The failed turns that a recorded message, or the answer to a question, came after. */
  readonly without = new Set<string>();

  constructor(past: Past, ends: (messages: readonly Message[]) => boolean) {
    this.#past = past;
    this.#ends = ends;
    this.#unused = new Map(past.messages);
  }

  play(protocol: Protocol<unknown>): OrderProblem | undefined {
    let step = nextOf(protocol);
    while (step?.done === false) {
      const { answer, problem, missing } = this.#answer(step.value);
      if (problem !== undefined) return problem;
      if (missing !== undefined) return this.#lost(missing);
      if (this.#ended) break;
      step = nextOf(protocol, answer);
    }
    this.#hear();
    const [extra] = this.#unused.values();
    return extra && {
      seq: extra.seq,
      key: extra.turn,
      problem: "is none of the turns this convening can have",
    };
  }

  /** Nothing more can be answered: whatever came later had waited for what is missing. */
  #lost(
    { seq, key }: NonNullable<Played["missing"]>,
  ): OrderProblem | undefined {
    this.#hear();
    const [later] = [...this.#unused.values()].sort((a, b) => a.seq - b.seq);
    return later &&
      {
        seq,
        key,
        problem: `is missing, although message ${later.seq} came after it`,
      };
  }

  #answer(
    request: ProtocolRequest,
  ): {
    answer?: unknown;
    problem?: OrderProblem;
    missing?: { seq: number; key: string };
  } {
    switch (request.type) {
      case "say": {
        const { seq, message, problem } = this.#turn(request.turn.key);
        if (message !== undefined && request.turn.aside !== true) this.#give(message);
        return problem ??
          (message ? { answer: message } : { missing: { seq, key: request.turn.key } });
      }
      case "begin": {
        const { seq, message, problem } = this.#turn(request.turn.key);
        const { key, aside = false } = request.turn;
        this.#begun.set(key, { seq, answer: message, aside });
        return problem ?? { answer: { key: request.turn.key } };
      }
      case "ask": {
        const fact = this.#past.recall(request.question);
        if (fact !== undefined) this.#wentOn();
        return fact
          ? { answer: fact }
          : { missing: { seq: this.#seq + 1, key: request.question.key } };
      }
      case "begin-ask": {
        const answer = this.#past.recall(request.question);
        if (answer !== undefined) this.#wentOn();
        this.#begun.set(request.question.key, { seq: this.#seq, answer, aside: true });
        return { answer: { key: request.question.key } };
      }
      case "settle":
        return this.#settle(
          request.begun.map(({ key }) => key),
          request.required,
        );
      case "results":
        return { answer: this.#past.facts.filter(({ type }) => FOUND.has(type)) };
    }
  }

  #settle(
    keys: readonly string[],
    required: boolean,
  ): Played {
    const answers: unknown[] = [];
    for (const key of keys) {
      const { seq, answer } = this.#begun.get(key)!;
      const found = answer ?? (required ? undefined : this.#past.failure(key));
      if (found === undefined) return { missing: { seq, key } };
      if (answer === undefined) this.#skipped.push(key);
      answers.push(found);
    }
    for (const key of keys) {
      const { answer, aside } = this.#begun.get(key)!;
      if (answer !== undefined && !aside) this.#give(answer as Message);
    }
    return { answer: answers };
  }

  /** What came later is on record: the protocol had gone on without what it skipped. */
  #wentOn(): void {
    for (const skipped of this.#skipped.splice(0)) this.without.add(skipped);
  }

  #give(message: Message): void {
    this.#given.push(message);
    this.#ended ||= this.#ends(this.#given);
  }

  /** Interjections are no turns: they were heard before the turn that would have had their number. */
  #hear(): void {
    for (;;) {
      const heard = this.#past.interjection(this.#seq + 1);
      if (heard === undefined) return;
      this.#seq++;
      this.#unused.delete(heard.turn);
      this.#give(heard);
    }
  }

  #turn(
    key: string,
  ): { seq: number; message?: Message; problem?: Played } {
    this.#hear();
    const seq = ++this.#seq;
    const message = this.#unused.get(key);
    if (message === undefined) return { seq };
    this.#unused.delete(key);
    this.#wentOn();
    if (message.seq === seq) return { seq, message };
    return {
      seq,
      message,
      problem: {
        problem: {
          seq: message.seq,
          key,
          problem: `should have the number ${seq}`,
        },
      },
    };
  }
}

/** A protocol's next request, or its end; undefined where it refuses to go on from here, which ends it too. */
function nextOf(
  protocol: Protocol<unknown>,
  answer?: unknown,
): IteratorResult<ProtocolRequest, unknown> | undefined {
  try {
    return protocol.next(answer);
  } catch (error) {
    if (error instanceof ConveningError) return undefined;
    throw error;
  }
}
