// Protocols: generators that request turns, questions and facts; the selection of the next speaker.
import type { ParticipantInfo } from "./event.ts";
import type { Fact, Failure } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Question, Turn } from "./turn.ts";

/** Handle of a turn or question that was begun without waiting for the answer. */
export interface Begun<A> {
  /** Key of the turn or question. */
  readonly key: string;
  /** Never set; carries the type of the answer to {@linkcode settle}. */
  readonly answer?: A;
}

/** All requests that a protocol can yield to the engine. */
export type ProtocolRequest =
  | { readonly type: "say"; readonly turn: Turn }
  | { readonly type: "ask"; readonly question: Question }
  | { readonly type: "begin"; readonly turn: Turn }
  | { readonly type: "begin-ask"; readonly question: Question }
  | {
    readonly type: "settle";
    readonly begun: readonly Begun<unknown>[];
    readonly required: boolean;
  }
  | {
    readonly type: "results";
    readonly observer?: string | undefined;
    readonly through?: number | undefined;
  };

/**
 * Rules of a convening, as a generator without I/O: it yields requests and is resumed with the accepted answers.
 * {@linkcode say}, {@linkcode begin}, {@linkcode settle}, {@linkcode settleWhatCan}, {@linkcode ask},
 * {@linkcode beginAsk} and {@linkcode results} yield requests and give the answers their types.
 */
export type Protocol<T> = Generator<ProtocolRequest, T, unknown>;

/** Requests a turn and waits for the accepted message. */
export function* say(turn: Turn): Protocol<Message> {
  return (yield { type: "say", turn }) as Message;
}

/** Begins a turn without waiting. The turn gets its number now and sees the messages given so far. */
export function* begin(turn: Turn): Protocol<Begun<Message>> {
  return (yield { type: "begin", turn }) as Begun<Message>;
}

/** Begins several turns: each sees only the messages given before the first. */
export function* beginTurns(turns: Iterable<Turn>): Protocol<Begun<Message>[]> {
  const begun: Begun<Message>[] = [];
  for (const turn of turns) begun.push(yield* begin(turn));
  return begun;
}

/** Waits for begun turns and questions. If one fails for good, the run fails after the others have finished. */
export function* settle<A>(begun: readonly Begun<A>[]): Protocol<A[]> {
  return (yield { type: "settle", begun, required: true }) as A[];
}

/** Waits for begun turns and questions. A failure takes the place of an answer, and the protocol continues. */
export function* settleWhatCan<A>(
  begun: readonly Begun<A>[],
): Protocol<(A | Failure)[]> {
  return (yield { type: "settle", begun, required: false }) as (A | Failure)[];
}

/** Asks a structured question and waits for its fact. */
export function* ask<T, F extends Fact>(question: Question<T, F>): Protocol<F> {
  return (yield {
    type: "ask",
    question: question as unknown as Question,
  }) as F;
}

/** Begins a structured question without waiting. */
export function* beginAsk<T, F extends Fact>(
  question: Question<T, F>,
): Protocol<Begun<F>> {
  return (yield {
    type: "begin-ask",
    question: question as unknown as Question,
  }) as Begun<F>;
}

/** Begins several structured questions without waiting. */
export function* beginQuestions<T, F extends Fact>(
  questions: Iterable<Question<T, F>>,
): Protocol<Begun<F>[]> {
  const begun: Begun<F>[] = [];
  for (const question of questions) begun.push(yield* beginAsk(question));
  return begun;
}

/**
 * Waits until the observers (or the observer named) have processed every message up to number `through`, by default every
 * message so far. Returns all facts of observers and questions, including facts about later messages, and own facts of replies.
 */
export function* results(observer?: string, through?: number): Protocol<readonly Fact[]> {
  return (yield { type: "results", observer, through }) as readonly Fact[];
}

/** Participant that can take the next turn; the label is unique among the speakers. */
export type Speaker = Pick<ParticipantInfo, "id" | "label" | "name">;

/** State of a convening at the selection of the next speaker. */
export interface SelectionContext {
  /** Participants that take turns, in order; at least two. */
  readonly participants: readonly Speaker[];
  /** Turns so far, oldest first. */
  readonly said: readonly Message[];
  /** Number of the next turn, from 1. */
  readonly turn: number;
}

/** Strategy that selects the next speaker of a dialogue. */
export interface SpeakerSelection {
  /** Name for messages, in snake_case or with `-`. */
  readonly name: string;
  /**
   * Returns the id of the next speaker. Must be a pure function of the context and of the answers to its questions, because
   * a resumed run plays it again. Keys of its questions must contain the number of the turn.
   */
  next(context: SelectionContext): Protocol<string>;
}

/** Returns the participant after the last speaker, in a cycle; the first participant if nobody has spoken. */
export function nextInOrder({ participants, said }: Omit<SelectionContext, "turn">): string {
  const last = said.at(-1)?.participant;
  const index = participants.findIndex(({ id }) => id === last);
  return participants[(index + 1) % participants.length]!.id;
}

export function othersThanLast({ participants, said }: SelectionContext): readonly Speaker[] {
  return participants.filter(({ id }) => id !== said.at(-1)?.participant);
}

/** Counts the turns of each participant, by id. */
export function spokenTurns(
  { participants, said }: SelectionContext,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    participants.map(({ id }) => [id, said.filter((each) => each.participant === id).length]),
  );
}
