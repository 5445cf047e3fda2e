// Records: the seam to their stores, their facts by the keys that a protocol asks with, and kinds of facts that programs add.
import type { ConveningEvent, ConveningStart } from "./event.ts";
import type {
  Choice,
  Evidence,
  Fact,
  FactCheck,
  Failure,
  Flow,
  LookUp,
  OwnFact,
  Rejection,
  Score,
  Stance,
  Status,
  Stop,
  Verdict,
} from "./fact.ts";
import type { Message } from "./message.ts";
import type { Question } from "./turn.ts";
import { z } from "zod";
import { checkFields, schema as anySchema } from "./check_fields.ts";
import { isoTime, systemClock } from "./clock.ts";
import type { Schema } from "./schema.ts";

/** Submission from outside the run: a person's turn, an interjection, a request to pause. */
export type Submission =
  & { /** Unique among what was left. */ readonly id: string }
  & (
    | {
      readonly type: "say";
      /** The id of the participant whose turn it is. */
      readonly participant: string;
      /** The key of the turn it is for; left for another turn, it is stale. @default the next of the participant */
      readonly turn?: string | undefined;
      /** Text in markdown. */
      readonly text: string;
    }
    | { readonly type: "interjection"; readonly text: string }
    | { readonly type: "pause" }
  );

/** Inbox of a run for submissions of other processes. */
export interface Inbox {
  /** Submissions that are waiting, oldest first. */
  read(): Promise<readonly Submission[]>;
  /** Takes one out, once what it asked for is on record. */
  done(id: string): Promise<void>;
}

/** An answer that is part of something which is not on record yet. */
export interface KeptAnswer {
  /** Key of the turn, question or summary that the answer is part of. */
  readonly of: string;
  /** Tells it from the others; one of the same id takes its place. */
  readonly id: string;
  /** JSON; what was read may be anything. */
  readonly value: unknown;
}

/** Store of answers until their turn or question is on record. */
export interface AnswerShelf {
  /** Answers in the store. */
  read(): Promise<readonly KeptAnswer[]>;
  /** Keeps one; when this returns, a crash does not lose it. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Takes out what is part of `of`: that is on record. */
  drop(of: string): Promise<void>;
  /** Takes out everything: nothing is missing any more. */
  clear(): Promise<void>;
}

/** The vector of a text, under an id that names text and model. */
export interface KeptVector {
  /** The same for the same text and model. */
  readonly id: string;
  /** As the model made it, in 32 bits a number. */
  readonly vector: Float32Array;
}

/** Store of vectors of texts, kept with the record. */
export interface VectorShelf {
  /** The vectors that are kept; of one id, the last counts. */
  read(): AsyncIterable<KeptVector>;
  /** Keeps more of them. */
  add(vectors: readonly KeptVector[]): Promise<void>;
}

/** A record that is open for writing, by one process alone. */
export interface OpenRecord {
  /** The absolute path of the directory; absent for a record that is none. */
  readonly dir?: string;
  /** Start of the convening: of a resumed record, as it was then. */
  readonly start: ConveningStart;
  /** True if the record held a convening when it was opened. */
  readonly resumed: boolean;
  /** Status when the record was opened. */
  readonly status: Status;
  /** Facts when the record was opened; messages by number, the rest in the order of their files. */
  readonly facts: readonly Fact[];
  /** The number of the last event it held. */
  readonly lastEvent: number;
  /** The latest time on record, in ISO 8601: no later event is given an earlier one. @default that of the start */
  readonly lastTime?: string | undefined;
  /** Inbox for submissions of other processes; absent where there can be none. */
  readonly inbox?: Inbox;
  /** Store of answers that are in no fact yet; absent where answers end with the process. */
  readonly answers?: AnswerShelf;
  /** Store of vectors of texts; absent where vectors end with the process. */
  readonly vectors?: VectorShelf;
  /** Applies one numbered event; when this returns, the truth file it stands for is on disk. */
  apply(event: ConveningEvent): Promise<void>;
  /** Brings the derived files up to date and lets go of the record. */
  close(): Promise<void>;
}

/** Store of a convening: a new directory in an archive, a directory to resume, or memory. */
export interface RecordStore {
  /** Claims a new record for `start`, or opens the store's own and ignores `start` but for the check that the kinds agree. */
  open(start: ConveningStart): Promise<OpenRecord>;
}

/** Facts of a record at its opening, found by the keys that the protocol asks with. */
export class Past {
  /** The messages by turn key. */
  readonly messages = new Map<string, Message>();
  /** Look-ups before the first message: memories of earlier convenings. */
  readonly remembered: LookUp[] = [];
  /** The early ends, oldest first. */
  readonly stops: Stop[] = [];
  /** The highest number that anything on record has: what is heard anew comes after it. */
  lastSeq = 0;
  /** Every fact, as the record gave them. */
  readonly facts: readonly Fact[];
  /** The facts on record by their identity. */
  readonly #recorded = new Map<string, Fact>();
  /** The facts that {@linkcode Past.add} took in, by their identity. */
  readonly #known = new Map<string, Fact>();
  readonly #rejections = new Map<string, Rejection[]>();
  readonly #answers = new Map<string, Fact[]>();
  readonly #interjections = new Map<number, Message>();
  /** The keys of the choices by their file's place: `SEQ/NUMBER`. */
  readonly #choices = new Map<string, string>();

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
    return this.#find("failure", turn);
  }

  /** The fact check of a message. */
  factCheck(message: number): FactCheck | undefined {
    return this.#find("fact-check", message);
  }

  /** The points of a message. */
  flow(message: number): Flow | undefined {
    return this.#find("flow", message);
  }

  /** Evidence of a debater's message. */
  evidence(message: number): Evidence | undefined {
    return this.#find("evidence", message);
  }

  /** The fact of a type whose identity is one key. */
  #find<T extends Fact["type"]>(
    type: T,
    key: string | number,
  ): Extract<Fact, { readonly type: T }> | undefined {
    return this.#known.get(`${type} ${key}`) as Extract<Fact, { readonly type: T }> | undefined;
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
    this.#known.set(identityOf(fact), fact);
    if ("seq" in fact && fact.type !== "stance") this.lastSeq = Math.max(this.lastSeq, fact.seq);
    if (isAnswer(fact)) push(this.#answers, questionKey(fact), fact);
    switch (fact.type) {
      case "message":
        this.messages.set(fact.turn, fact);
        if (fact.kind === INTERJECTION) this.#interjections.set(fact.seq, fact);
        break;
      case "rejected":
        push(this.#rejections, fact.turn, fact);
        break;
      case "stop":
        this.stops.push(fact);
        break;
      case "lookup":
        if (fact.seq === 0) this.remembered.push(fact);
        break;
      case "choice":
        this.#choices.set(`${fact.seq}/${fact.number}`, fact.key);
    }
  }
}

/** The kind of message that is no turn: somebody who takes none was heard. */
export const INTERJECTION = "interjection";

/** A fact that a question left. */
type AnswerFact = Score | Verdict | Choice | Stance;

function isAnswer(fact: Fact): fact is AnswerFact {
  return ["score", "verdict", "choice", "stance"].includes(fact.type);
}

/** The key of the question that left a fact. */
export function questionKey(fact: AnswerFact): string {
  if (fact.type === "score") return fact.key ?? `score/${fact.message}/${fact.judge}`;
  if (fact.type === "verdict") return fact.key ?? `verdict/${fact.judge}/${fact.number}`;
  return fact.key;
}

/** A fact with the key of the question that left it, where nothing else in the fact says so. */
export function withQuestionKey<F extends Fact>(fact: F, key: string): F {
  const isKeyed = fact.type !== "score" && fact.type !== "verdict";
  return isKeyed || questionKey(fact) === key ? fact : { ...fact, key };
}

/** The identity of a fact: the same where the same is found again about the same. */
function identityOf(fact: Fact): string {
  return `${fact.type} ${isAnswer(fact) ? questionKey(fact) : ownKey(fact)}`;
}

function ownKey(fact: Exclude<Fact, AnswerFact>): string | number {
  switch (fact.type) {
    case "thought":
      return fact.key;
    case "message":
    case "failure":
      return fact.turn;
    case "rejected":
      return `${fact.turn} ${fact.attempt}`;
    case "lookup":
      return `${fact.seq} ${fact.number} ${JSON.stringify(fact.args)}`;
    case "fact-check":
    case "flow":
      return fact.message;
    case "draft":
    case "evidence":
      return fact.seq;
    case "context":
    case "stop":
    case "brief":
      return fact.number;
    case "own":
      return `${fact.kind} ${fact.key}`;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Parts of a fact of a program's own kind. */
export interface OwnFactParts<T> extends Partial<Omit<OwnFact, "type" | "kind" | "value">> {
  /** Unique among the facts of the kind: a fact with a key that is on record is not recorded again. */
  readonly key: string;
  /** JSON that fits the kind's schema. */
  readonly value: T;
}

/** A kind of fact that a program adds to records. */
export interface FactKind<T> {
  /** The kind's name. */
  readonly kind: string;
  /** A fact of the kind, for `ObserverTools.record`. Fails where the value does not fit the schema. */
  make(parts: OwnFactParts<T>): OwnFact & { readonly value: T };
  /** The facts of the kind among others; a value that does not fit the schema is left out. */
  in(facts: readonly Fact[]): readonly (OwnFact & { readonly value: T })[];
  /** Problem of a value, such as `.words: expected number`; undefined for a value that fits the schema. */
  problem(value: unknown): string | undefined;
}

const KIND = z.strictObject({ kind: z.string().min(1), value: anySchema });

/** Defines a kind of fact; records that have such facts can be read, verified, resumed and forked without the definition. */
export function defineFact<T>(
  definition: {
    /** Such as `word_count`. */
    readonly kind: string;
    /** The shape of the facts' values. */
    readonly value: Schema<T>;
  },
): FactKind<T> {
  const { kind, value: schema } = checkFields(definition, KIND, "kind of fact");
  const problem = (value: unknown): string | undefined => {
    const read = schema.safeParse(value);
    if (read.success) return undefined;
    const [issue] = read.error.issues;
    const path = (issue?.path ?? []).map((key) => `.${String(key)}`).join("");
    return `${path}: ${issue?.message ?? "it does not fit the schema"}`;
  };
  return {
    kind,
    problem,
    make: ({ value, message = 0, body = "", createdAt = isoTime(systemClock), ...rest }) => {
      const read = schema.safeParse(value);
      if (!read.success) {
        throw new TypeError(`Cannot make a fact of kind "${kind}": value${problem(value)}`);
      }
      return { type: "own", kind, message, value: read.data, body, createdAt, ...rest };
    },
    in: (facts) =>
      facts.flatMap((fact) => {
        if (fact.type !== "own" || fact.kind !== kind) return [];
        const read = schema.safeParse(fact.value);
        return read.success ? [{ ...fact, value: read.data }] : [];
      }),
  };
}
