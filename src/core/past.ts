import type {
  Choice,
  Context,
  Evidence,
  Fact,
  FactCheck,
  Failure,
  LookUp,
  Rejection,
  Score,
  Stance,
  Stop,
  Verdict,
} from "./fact.ts";
import type { Message } from "./message.ts";
import type { Question } from "./turn.ts";

/** What a record held when it was opened, found by the keys the protocol asks with. */
export class Past {
  /** The messages by turn key. */
  readonly messages = new Map<string, Message>();
  readonly #rejections = new Map<string, Rejection[]>();
  readonly #failures = new Map<string, Failure>();
  readonly #answers = new Map<string, Fact[]>();
  readonly #contexts = new Map<number, Context>();
  readonly #factChecks = new Map<number, FactCheck>();
  readonly #evidence = new Map<number, Evidence>();
  readonly #interjections = new Map<number, Message>();
  /** The keys of the choices by their file's place: `SEQ/NUMBER`. */
  readonly #choices = new Map<string, string>();
  /** What tools gave back before the first message: what was remembered of earlier convenings. */
  readonly remembered: LookUp[] = [];
  /** The early ends, oldest first. */
  readonly stops: Stop[] = [];
  /** The highest number that anything on record has: what is heard anew comes after it. */
  lastSeq = 0;
  /** Every fact, as the record gave them. */
  readonly facts: readonly Fact[];

  /** An index over a record's facts. */
  constructor(facts: readonly Fact[]) {
    this.facts = facts;
    for (const fact of facts) this.add(fact);
  }

  /** The attempts at a turn that were turned down, oldest first. */
  rejections(turn: string): readonly Rejection[] {
    return this.#rejections.get(turn) ?? [];
  }

  /** The failure of a turn, if it failed for good. */
  failure(turn: string): Failure | undefined {
    return this.#failures.get(turn);
  }

  /** The rolling summary of the given number. */
  context(number: number): Context | undefined {
    return this.#contexts.get(number);
  }

  /** The fact check of a message. */
  factCheck(message: number): FactCheck | undefined {
    return this.#factChecks.get(message);
  }

  /** What a debater's message argues and rests on. */
  evidence(message: number): Evidence | undefined {
    return this.#evidence.get(message);
  }

  /** The interjection that has the given number, if that is one. */
  interjection(seq: number): Message | undefined {
    return this.#interjections.get(seq);
  }

  /** Whether another question's answer has the given place among the choices. */
  isTaken(seq: number, number: number, key: string): boolean {
    const taken = this.#choices.get(`${seq}/${number}`);
    return taken !== undefined && taken !== key;
  }

  /** The fact that a question left, if it was asked. */
  recall<T, F extends Fact>(question: Question<T, F>): F | undefined {
    return this.#answers.get(question.key)?.find((fact): fact is F => question.matches(fact));
  }

  /** Takes in a fact that a turn of this run left beside its message, so that no question asks for it again. */
  add(fact: Fact): void {
    if ("seq" in fact && fact.type !== "stance") this.lastSeq = Math.max(this.lastSeq, fact.seq);
    switch (fact.type) {
      case "message":
        this.messages.set(fact.turn, fact);
        if (fact.kind === INTERJECTION) this.#interjections.set(fact.seq, fact);
        break;
      case "rejected":
        push(this.#rejections, fact.turn, fact);
        break;
      case "failure":
        this.#failures.set(fact.turn, fact);
        break;
      case "context":
        this.#contexts.set(fact.number, fact);
        break;
      case "stop":
        this.stops.push(fact);
        break;
      case "lookup":
        if (fact.seq === 0) this.remembered.push(fact);
        break;
      case "fact-check":
        this.#factChecks.set(fact.message, fact);
        break;
      case "evidence":
        this.#evidence.set(fact.seq, fact);
        break;
      case "draft":
        break;
      case "choice":
        this.#choices.set(`${fact.seq}/${fact.number}`, fact.key);
        push(this.#answers, questionKey(fact), fact);
        break;
      case "score":
      case "verdict":
      case "stance":
        push(this.#answers, questionKey(fact), fact);
    }
  }
}

/** The kind of message that is no turn: somebody who takes none was heard. */
export const INTERJECTION = "interjection";

/** The key of the question that left a fact. */
export function questionKey(fact: Score | Verdict | Choice | Stance): string {
  switch (fact.type) {
    case "score":
      return `score/${fact.message}/${fact.judge}`;
    case "verdict":
      return `verdict/${fact.judge}/${fact.number}`;
    case "choice":
    case "stance":
      return fact.key;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
