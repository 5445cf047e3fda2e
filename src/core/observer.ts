// The seam to observers: code that sees accepted messages.
import type { Fact, FactCheck, Flow } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Schema } from "./schema.ts";
import type { Answer, Question } from "./turn.ts";

/** A structured question that leaves no fact of its own: whoever asks keeps what came of it. */
export type Consultation<T = unknown> = Omit<Question<T>, "toFact" | "matches" | "seq">;

/** Asks without leaving a fact; an agent that fails gives an answer with its `problem`. */
export type Consult = <T>(question: Consultation<T>) => Promise<Answer<T>>;

/**
 * Has something done once for a message: gives what came of it before the run was interrupted, else what `make` gives,
 * which is kept, as JSON, until everything about the message is on record. What fails is not kept.
 */
export type Once = <T>(
  key: string,
  options: { readonly schema: Schema<T>; readonly make: () => Promise<T> },
) => Promise<T>;

/** Services for an observer. */
export interface ObserverTools {
  /** Asks a structured question about the message, which sees what the message saw, then the message; the answer is recorded. */
  ask<T, F extends Fact>(question: Question<T, F>): Promise<F>;
  /**
   * Asks a structured question whose answer the caller keeps, in a fact it records. It sees what the message saw, and of
   * the message what the question itself quotes.
   */
  readonly consult: Consult;
  /** Has something done that costs, such as a search, and does not have it done again. */
  readonly once: Once;
  /** Records a fact the observer made of what it found; a fact that is on record already is not recorded again. */
  record(fact: Fact): Promise<void>;
  /** The facts on record: of earlier runs, and what was found in this run. */
  recorded(): readonly Fact[];
  /** The message's fact check, where the record already holds one. */
  readonly factCheck: FactCheck | undefined;
  /** The message's points, where the record already holds them. */
  readonly flow: Flow | undefined;
  /** Ends with the run. */
  readonly signal: AbortSignal;
  /** The messages given so far, oldest first. */
  readonly transcript: readonly Message[];
}

/** Runs alongside: looks at each accepted message while the next turn is already being made. */
export interface Observer {
  /** snake_case, for messages about it. */
  readonly name: string;
  /** After a resume it sees every message again; a question the record answers is not asked again. */
  observe(message: Message, tools: ObserverTools): Promise<void>;
}
