// Interface to record stores; index of a record's facts by the keys of a protocol; kinds of facts that programs define.
import { z } from "zod";
import type { ConveningEvent, ConveningStart } from "./event.ts";
import type {
  Choice,
  Fact,
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
import { checkFields, IN_PLAIN_WORDS, remediesOf, schema as anySchema } from "./check_fields.ts";
import { isoTime, systemClock } from "./clock.ts";
import { asConveningError } from "./error.ts";
import { noJsonBecause, type Schema } from "./values.ts";

/** Submission from outside the run: an answer to a person's turn, an interjection, or a request to pause. */
export type Submission =
  & { /** Id, unique in the inbox. */ readonly id: string }
  & (
    | {
      readonly type: "say";
      /** Id of the participant whose turn it is. */
      readonly participant: string;
      /** Key of the turn to answer; at other turns, the submission waits. @default the next turn */
      readonly turn?: string | undefined;
      /** Text in markdown. */
      readonly text: string;
    }
    | { readonly type: "interjection"; readonly text: string }
    | { readonly type: "pause" }
  );

/** A {@linkcode Submission} without an id. */
export type NewSubmission = Submission extends infer S ? S extends unknown ? Omit<S, "id"> : never
  : never;

/** Inbox of a run for submissions from other processes. */
export interface Inbox {
  /** Returns the pending submissions, oldest first. */
  read(): Promise<readonly Submission[]>;
  /** Removes a submission after its effect is recorded. */
  done(id: string): Promise<void>;
}

/** Answer that is part of an unfinished turn, question or summary. */
export interface KeptAnswer {
  /** Key of the turn, question or summary. */
  readonly of: string;
  /** Unique id; a later answer with the same id replaces this one. */
  readonly id: string;
  /** Value, as JSON; not validated when read. */
  readonly value: unknown;
}

/** Store of intermediate answers, until the fact that depends on them is recorded. */
export interface AnswerShelf {
  /** Returns all stored answers. */
  read(): Promise<readonly KeptAnswer[]>;
  /** Stores an answer. When the promise resolves, a crash does not lose the answer. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Deletes the answers of a turn, question or summary after its fact is recorded. */
  drop(of: string): Promise<void>;
  /** Deletes all answers, at the end of the convening. */
  clear(): Promise<void>;
}

/** Embedding vector of a text. */
export interface KeptVector {
  /** Id, derived from text and model. */
  readonly id: string;
  /** Vector, as returned by the model, in 32-bit floats. */
  readonly vector: Float32Array;
}

/** Store of embedding vectors, kept with the record. */
export interface VectorShelf {
  /** Reads the stored vectors; for a repeated id, the last one counts. */
  read(): AsyncIterable<KeptVector>;
  /** Appends vectors. */
  add(vectors: readonly KeptVector[]): Promise<void>;
}

/** Record that is open for writing, locked by one process. */
export interface OpenRecord {
  /** Absolute path of the directory; absent for a record in memory. */
  readonly dir?: string;
  /** Start of the convening; a resumed record keeps its original start. */
  readonly start: ConveningStart;
  /** True if the record already contained a convening. */
  readonly resumed: boolean;
  /** Status at opening: that of the last `convening-end`; `running` without one, and after a `convening-resume`. */
  readonly status: Status;
  /** Facts at opening: messages by number, other facts in the order of their files. */
  readonly facts: readonly Fact[];
  /** Number of the last event at opening. */
  readonly lastEvent: number;
  /** Latest time in the record, in ISO 8601; later events get no earlier time. @default the time of the start */
  readonly lastTime?: string | undefined;
  /** Inbox for submissions from other processes; absent if the record cannot have one. */
  readonly inbox?: Inbox;
  /** Store of intermediate answers; absent if they need not survive the process. */
  readonly answers?: AnswerShelf;
  /** Store of embedding vectors; absent if they need not survive the process. */
  readonly vectors?: VectorShelf;
  /** Applies a numbered event. When the promise resolves, the file of the event's fact is on disk. */
  apply(event: ConveningEvent): Promise<void>;
  /** Updates the derived files and releases the lock. */
  close(): Promise<void>;
}

/** Store of one convening: a new directory in an archive, a directory to resume, or memory. */
export interface RecordStore {
  /**
   * Creates a record for `start`, or opens the existing one, whose own start stays. Rejects with `config_invalid` if the kind
   * of `start` is another one, and with `locked` while the record is open elsewhere.
   */
  open(start: ConveningStart): Promise<OpenRecord>;
}

/** Index of a record's facts, by the keys of turns and questions. */
export class RecordedFacts {
  /** Messages by turn key. */
  readonly messages = new Map<string, Message>();
  /** Look-ups before the first message, such as memories of earlier convenings. */
  readonly remembered: LookUp[] = [];
  /** Early ends, oldest first. */
  readonly stops: Stop[] = [];
  /** A program's own facts, by the number of the message that they are about. */
  readonly own = new Map<number, OwnFact[]>();
  /** Highest message number of any fact; new interjections get higher numbers. */
  lastSeq = 0;
  /** Facts given to the constructor. */
  readonly facts: readonly Fact[];
  /** All recorded facts, by identity. */
  readonly #recorded = new Map<string, Fact>();
  /** Facts passed to {@linkcode RecordedFacts.add}, by identity. */
  readonly #known = new Map<string, Fact>();
  readonly #rejections = new Map<string, Rejection[]>();
  readonly #answers = new Map<string, Fact[]>();
  readonly #interjections = new Map<number, Message>();
  /** Question keys of the choices, by `SEQ/NUMBER` as in their file names. */
  readonly #choices = new Map<string, string>();

  /** Indexes the facts. */
  constructor(facts: readonly Fact[]) {
    this.facts = facts;
    for (const fact of facts) this.add(fact);
  }

  /** Returns the rejected attempts at a turn, oldest first. */
  rejections(turn: string): readonly Rejection[] {
    return this.#rejections.get(turn) ?? [];
  }

  /** Returns the fact of a type that is about one turn (a failure, by the turn's key) or one message (by its number). */
  find<T extends "failure" | "fact-check" | "flow" | "evidence">(
    type: T,
    about: string | number,
  ): Extract<Fact, { readonly type: T }> | undefined {
    return this.#known.get(`${type} ${about}`) as Extract<Fact, { readonly type: T }> | undefined;
  }

  interjection(seq: number): Message | undefined {
    return this.#interjections.get(seq);
  }

  /** Returns true if the choice `SEQ/NUMBER` belongs to a question with another key. */
  isTaken(seq: number, number: number, key: string): boolean {
    const taken = this.#choices.get(`${seq}/${number}`);
    return taken !== undefined && taken !== key;
  }

  /** Returns the recorded answer to a question. */
  recall<T, F extends Fact>(question: Question<T, F>): F | undefined {
    try {
      return this.#answers.get(question.key)?.find((fact): fact is F => question.matches(fact));
    } catch (error) {
      throw asConveningError(error, { part: `matches of question "${question.key}"` });
    }
  }

  /** Returns true if a fact with the same identity is recorded. */
  has(fact: Fact): boolean {
    return this.#recorded.has(identityOf(fact));
  }

  /** All recorded facts, of earlier runs and of this run. */
  get recorded(): readonly Fact[] {
    return [...this.#recorded.values()];
  }

  /** Adds a fact of this run to the recorded facts, without indexing it. */
  note(fact: Fact): void {
    this.#recorded.set(identityOf(fact), fact);
  }

  /** Adds and indexes a fact, so that no question asks for it again. */
  add(fact: Fact): void {
    this.note(fact);
    this.#known.set(identityOf(fact), fact);
    if ("seq" in fact && fact.type !== "stance") this.lastSeq = Math.max(this.lastSeq, fact.seq);
    if (fact.type === "own") this.own.getOrInsert(fact.message, []).push(fact);
    if (isAnswer(fact)) this.#answers.getOrInsert(questionKey(fact), []).push(fact);
    switch (fact.type) {
      case "message":
        this.messages.set(fact.turn, fact);
        if (fact.kind === INTERJECTION) this.#interjections.set(fact.seq, fact);
        break;
      case "rejected":
        this.#rejections.getOrInsert(fact.turn, []).push(fact);
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

/** Kind of a message from the audience, outside any turn. */
export const INTERJECTION = "interjection";

type AnswerFact = Score | Verdict | Choice | Stance;

function isAnswer(fact: Fact): fact is AnswerFact {
  return ["score", "verdict", "choice", "stance"].includes(fact.type);
}

export function questionKey(fact: AnswerFact): string {
  if (fact.type === "score") return fact.key ?? `score/${fact.message}/${fact.judge}`;
  if (fact.type === "verdict") return fact.key ?? `verdict/${fact.judge}/${fact.number}`;
  return fact.key;
}

/** Adds the question's key to a score or verdict whose key is not the default. */
export function withQuestionKey<F extends Fact>(fact: F, key: string): F {
  const isKeyed = fact.type !== "score" && fact.type !== "verdict";
  return isKeyed || questionKey(fact) === key ? fact : { ...fact, key };
}

/** Returns the identity of a fact: equal for two facts of the same type about the same subject. */
export function identityOf(fact: Fact): string {
  // A judge may judge again by another rubric.
  const rubric = "rubric" in fact ? ` ${fact.rubric}` : "";
  return `${fact.type} ${isAnswer(fact) ? questionKey(fact) : ownKey(fact)}${rubric}`;
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

/** Fields of a program's own fact. */
export interface OwnFactParts<T> extends Partial<Omit<OwnFact, "type" | "kind" | "value">> {
  /** Unique key; a second fact with the same kind and key is not recorded. */
  readonly key: string;
  /** Value that fits the schema of the kind. */
  readonly value: T;
}

/** Kind of fact that a program defines. */
export interface FactKind<T> {
  /** Name of the kind. */
  readonly kind: string;
  /**
   * Makes a fact for `ObserverTools.record`. Throws a `TypeError` if the value, or what JSON keeps of the value, does not fit
   * the schema: a date becomes text.
   */
  make(parts: OwnFactParts<T>): OwnFact & { readonly value: T };
  /** Returns the facts of the kind; values that do not fit the schema are skipped. */
  in(facts: readonly Fact[]): readonly (OwnFact & { readonly value: T })[];
  /** Returns the problem of a value, such as `value.words: Give a number`; undefined if the value fits the schema. */
  problem(value: unknown): string | undefined;
}

const KIND = z.strictObject({ kind: z.string().min(1), value: anySchema });

/** Defines a kind of fact. Records with its facts can be read, verified, resumed and forked without the definition. */
export function defineFact<T>(
  definition: {
    /** Name, such as `word_count`. */
    readonly kind: string;
    readonly value: Schema<T>;
  },
): FactKind<T> {
  const { kind, value: schema } = checkFields(definition, KIND, "kind of fact");
  const problem = (value: unknown): string | undefined => {
    const read = schema.safeParse(value, IN_PLAIN_WORDS);
    if (read.success) return undefined;
    const issues = read.error.issues.map((each) => ({ ...each, path: ["value", ...each.path] }));
    return remediesOf(issues, "value");
  };
  const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  return {
    kind,
    problem,
    make: ({ value, message = 0, body = "", createdAt = isoTime(systemClock), ...rest }) => {
      const read = schema.safeParse(value);
      const unfit = read.success
        ? noJsonBecause(read.data) ?? problem(kept(read.data))
        : problem(value);
      if (!read.success || unfit !== undefined) {
        const as = read.success ? "as JSON, " : "";
        throw new TypeError(`Cannot make a fact of kind "${kind}": ${as}${unfit}`);
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
