import type { Fact } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Question } from "./turn.ts";

/** What an observer can do about a message. */
export interface ObserverTools {
  /** Asks a structured question about the message, which sees what the message saw, then the message; the answer is recorded. */
  ask<T, F extends Fact>(question: Question<T, F>): Promise<F>;
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
