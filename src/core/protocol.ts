// Protocols: generators of requests for turns, questions and facts, and selections of speakers as a part of them.
import type { Fact, Failure } from "./fact.ts";
import type { Message } from "./message.ts";
import type { Question, Turn } from "./turn.ts";

/** A turn or question that was begun and not waited for. */
export interface Begun<A> {
  /** The key of what was begun. */
  readonly key: string;
  /** Only for the type of what {@linkcode settle} gives back. */
  readonly answer?: A;
}

/** The closed set of what a protocol can ask of the engine. */
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
 * The rules of a convening as a generator without I/O: it yields requests and is resumed with what was accepted.
 * Give a yielded answer its type with {@linkcode say}, {@linkcode begin}, {@linkcode settle},
 * {@linkcode settleWhatCan}, {@linkcode ask},
 * {@linkcode beginAsk} and {@linkcode results}.
 */
export type Protocol<T> = Generator<ProtocolRequest, T, unknown>;

/** Asks for a turn and waits for the message that was accepted. */
export function* say(turn: Turn): Protocol<Message> {
  return (yield { type: "say", turn }) as Message;
}

/** Begins a turn without waiting; its number is fixed now, and it sees what had been given by now. */
export function* begin(turn: Turn): Protocol<Begun<Message>> {
  return (yield { type: "begin", turn }) as Begun<Message>;
}

/** Waits for what was begun; one that failed for good fails the run, after the others have finished. */
export function* settle<A>(begun: readonly Begun<A>[]): Protocol<A[]> {
  return (yield { type: "settle", begun, required: true }) as A[];
}

/** Waits for what was begun and goes on without what failed: its place holds the failure. */
export function* settleWhatCan<A>(
  begun: readonly Begun<A>[],
): Protocol<(A | Failure)[]> {
  return (yield { type: "settle", begun, required: false }) as (A | Failure)[];
}

/** Asks a structured question and waits for the fact it leaves. */
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

/**
 * Waits until the observers, or the one of the given name, have dealt with every message so far, or every message up to
 * the number `through`; gives the facts that observers and questions left, those about later messages too.
 */
export function* results(observer?: string, through?: number): Protocol<readonly Fact[]> {
  return (yield { type: "results", observer, through }) as readonly Fact[];
}

/** One who can be given the floor. */
export interface Speaker {
  /** The participant's id. */
  readonly id: string;
  /** As prompts name it; unique among the speakers. */
  readonly label: string;
  /** As readers see it. */
  readonly name: string;
}

/** State of a convening when the next speaker is chosen. */
export interface SelectionContext {
  /** Participants that take turns, in order; two or more. */
  readonly participants: readonly Speaker[];
  /** The turns so far, oldest first. */
  readonly said: readonly Message[];
  /** The number of the turn, from 1. */
  readonly turn: number;
}

/** Says who speaks next in a dialogue. */
export interface SpeakerSelection {
  /** snake_case or with `-`, for messages about it. */
  readonly name: string;
  /**
   * The id of the next speaker. Part of the protocol: a function of what it is given and of the answers to what it asks,
   * and nothing else; after an interruption it is played again. A question's key holds the turn's number.
   */
  next(context: SelectionContext): Protocol<string>;
}

/** The speaker after the last one, in order; the first where nobody has spoken. */
export function nextInOrder({ participants, said }: Omit<SelectionContext, "turn">): string {
  const last = said.at(-1)?.participant;
  const index = participants.findIndex(({ id }) => id === last);
  return participants[(index + 1) % participants.length]!.id;
}

/** Participants that may speak next: all but the last speaker. */
export function othersThanLast({ participants, said }: SelectionContext): readonly Speaker[] {
  return participants.filter(({ id }) => id !== said.at(-1)?.participant);
}

/** Number of turns of each participant, by id. */
export function spokenTurns(
  { participants, said }: SelectionContext,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    participants.map(({ id }) => [id, said.filter((each) => each.participant === id).length]),
  );
}
