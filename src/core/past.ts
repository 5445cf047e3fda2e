import type { Context, Fact, Failure, LookUp, Rejection, Stop } from "./fact.ts";
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
  /** The early ends, oldest first. */
  readonly stops: Stop[] = [];
  /** Every fact, as the record gave them. */
  readonly facts: readonly Fact[];

  /** An index over a record's facts. */
  constructor(facts: readonly Fact[]) {
    this.facts = facts;
    for (const fact of facts) this.#add(fact);
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

  /** The fact that a question left, if it was asked. */
  recall<T, F extends Fact>(question: Question<T, F>): F | undefined {
    return this.#answers.get(question.key)?.find((fact): fact is F => question.matches(fact));
  }

  #add(fact: Fact): void {
    switch (fact.type) {
      case "message":
        this.messages.set(fact.turn, fact);
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
        break;
      case "score":
      case "verdict":
      case "choice":
        push(this.#answers, questionKey(fact), fact);
    }
  }
}

/** The key of the question that left a fact. */
export function questionKey(
  fact: Exclude<Fact, Message | Rejection | Failure | Context | LookUp | Stop>,
): string {
  switch (fact.type) {
    case "score":
      return `score/${fact.message}/${fact.judge}`;
    case "verdict":
      return `verdict/${fact.judge}/${fact.number}`;
    case "choice":
      return fact.key;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
