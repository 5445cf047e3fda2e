// Facts of a record at its opening, found by the keys that a protocol asks with.
import type {
  Choice,
  Evidence,
  Fact,
  FactCheck,
  Failure,
  Flow,
  LookUp,
  Rejection,
  Score,
  Stance,
  Stop,
  Verdict,
} from "./fact.ts";
import type { Message } from "./message.ts";
import type { Question } from "./turn.ts";

/** Facts of a record at its opening, found by the keys that the protocol asks with. */
export class Past {
  /** The messages by turn key. */
  readonly messages = new Map<string, Message>();
  readonly #rejections = new Map<string, Rejection[]>();
  readonly #failures = new Map<string, Failure>();
  readonly #answers = new Map<string, Fact[]>();
  readonly #factChecks = new Map<number, FactCheck>();
  readonly #flows = new Map<number, Flow>();
  readonly #evidence = new Map<number, Evidence>();
  readonly #interjections = new Map<number, Message>();
  /** The keys of the choices by their file's place: `SEQ/NUMBER`. */
  readonly #choices = new Map<string, string>();
  /** The facts on record by their identity. */
  readonly #recorded = new Map<string, Fact>();
  /** Look-ups before the first message: memories of earlier convenings. */
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

  /** The fact check of a message. */
  factCheck(message: number): FactCheck | undefined {
    return this.#factChecks.get(message);
  }

  /** The points of a message. */
  flow(message: number): Flow | undefined {
    return this.#flows.get(message);
  }

  /** Evidence of a debater's message. */
  evidence(message: number): Evidence | undefined {
    return this.#evidence.get(message);
  }

  /** The interjection that has the given number, if that is one. */
  interjection(seq: number): Message | undefined {
    return this.#interjections.get(seq);
  }

  /** True if another question's answer has the given number among the choices. */
  isTaken(seq: number, number: number, key: string): boolean {
    const taken = this.#choices.get(`${seq}/${number}`);
    return taken !== undefined && taken !== key;
  }

  /** The fact that a question left, if it was asked. */
  recall<T, F extends Fact>(question: Question<T, F>): F | undefined {
    return this.#answers.get(question.key)?.find((fact): fact is F => question.matches(fact));
  }

  /** True if a fact of the same identity is on record. */
  has(fact: Fact): boolean {
    return this.#recorded.has(identityOf(fact));
  }

  /** Every fact on record: of earlier runs, and those that were noted since. */
  get recorded(): readonly Fact[] {
    return [...this.#recorded.values()];
  }

  /** Takes in a fact that was recorded in this run. */
  note(fact: Fact): void {
    this.#recorded.set(identityOf(fact), fact);
  }

  /** Takes in a fact that a turn of this run left beside its message, so that no question asks for it again. */
  add(fact: Fact): void {
    this.note(fact);
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
      case "stop":
        this.stops.push(fact);
        break;
      case "lookup":
        if (fact.seq === 0) this.remembered.push(fact);
        break;
      case "fact-check":
        this.#factChecks.set(fact.message, fact);
        break;
      case "flow":
        this.#flows.set(fact.message, fact);
        break;
      case "evidence":
        this.#evidence.set(fact.seq, fact);
        break;
      case "context":
      case "draft":
      case "thought":
      case "brief":
      case "own":
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
      return fact.key ?? `score/${fact.message}/${fact.judge}`;
    case "verdict":
      return fact.key ?? `verdict/${fact.judge}/${fact.number}`;
    case "choice":
    case "stance":
      return fact.key;
  }
}

/** A fact with the key of the question that left it, where nothing else in the fact says so. */
export function withQuestionKey<F extends Fact>(fact: F, key: string): F {
  const isKeyed = fact.type !== "score" && fact.type !== "verdict";
  return isKeyed || questionKey(fact) === key ? fact : { ...fact, key };
}

/** The identity of a fact: the same where the same is found again about the same. */
function identityOf(fact: Fact): string {
  switch (fact.type) {
    case "score":
    case "verdict":
    case "choice":
    case "stance":
      return `${fact.type} ${questionKey(fact)}`;
    case "thought":
      return `thought ${fact.key}`;
    case "message":
    case "failure":
      return `${fact.type} ${fact.turn}`;
    case "rejected":
      return `rejected ${fact.turn} ${fact.attempt}`;
    case "lookup":
      return `lookup ${fact.seq} ${fact.number} ${JSON.stringify(fact.args)}`;
    case "fact-check":
    case "flow":
      return `${fact.type} ${fact.message}`;
    case "draft":
    case "evidence":
      return `${fact.type} ${fact.seq}`;
    case "context":
    case "stop":
    case "brief":
      return `${fact.type} ${fact.number}`;
    case "own":
      return `own ${fact.kind} ${fact.key}`;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
