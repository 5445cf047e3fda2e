import type { Agent, ReplySchema } from "./agent.ts";
import type { Fact } from "./fact.ts";
import type { Made, Mark, Message } from "./message.ts";
import type { PlaceholderValues } from "./prompt.ts";
import type { ToolTrace } from "./tool.ts";

/** The fields of a structured reply. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a structured reply was made with. */
export interface ReplySight {
  /** Every call of a tool by this speaker so far, those of attempts that were turned down included. */
  readonly toolCalls: readonly ToolTrace[];
  /** What the speaker had been given, oldest first. */
  readonly given: readonly Message[];
}

/** Why fields are turned down although their shape is right. */
export interface FieldsProblem {
  /** What was wrong and what would be right; the retry is told this. */
  readonly reason: string;
  /** How often this is asked again, at most. @default 3 */
  readonly maxRetries?: number;
  /** Marks the last attempt when it is accepted all the same. */
  readonly mark?: Mark;
  /** The turn fails instead of being accepted. @default false */
  readonly fatal?: boolean;
}

/** A reply of several fields: what is said of them, and what is kept beside the message. */
export interface TurnStructure<F extends Fields = Fields> {
  /** The shape of the reply. */
  readonly schema: ReplySchema<F>;
  /** The field that is said, a key of the reply; or, with `render`, the fields at any depth whose texts are shown as they come. */
  readonly speech: string | readonly string[];
  /** What is said, as markdown made of the fields. @default the field `speech` */
  render?(fields: F, sight: ReplySight): string;
  /** Whether the turn fails where its reply can never be read, instead of being accepted as it stands. @default false */
  readonly required?: boolean | undefined;
  /** What is wrong with a reply whose shape is right; the turn is asked again. @default nothing */
  check?(fields: F): FieldsProblem | undefined;
  /** What is kept of the fields. */
  toFacts(
    fields: F,
    place:
      & { readonly seq: number; readonly turn: string; readonly participant: string }
      & Made
      & ReplySight,
  ): readonly Fact[];
}

/** A turn that a protocol asks for: who speaks, in which phase and round, what is asked, in answer to what. */
export interface Turn {
  /** Stable across runs, unique in the convening, such as `round-2/rebuttal/advocate-b/advocate-a`. */
  readonly key: string;
  /** The participant's id. */
  readonly speaker: string;
  /** Such as `opening`. */
  readonly phase: string;
  /** Such as `rebuttal`. */
  readonly kind: string;
  /** From 1; 0 outside the rounds. */
  readonly round: number;
  /** What is asked, as the last words of the prompt. */
  readonly task: string;
  /** Values of placeholders in the task. */
  readonly values?: PlaceholderValues | undefined;
  /** The number of the message it answers. */
  readonly replyTo?: number | undefined;
  /** The most tokens the speaker may say. @default none */
  readonly maxTokens?: number | undefined;
  /** A template's text: it is said as it stands and no agent is asked. */
  readonly text?: string | undefined;
  /** Marks a turn that interrupts the message it answers; an event tells so. @default false */
  readonly interrupts?: boolean | undefined;
  /** Kept out of the transcript that later prompts show (a round summary). @default false */
  readonly aside?: boolean | undefined;
  /** The reply's fields, where it is not plain text. @default plain text */
  readonly structure?: TurnStructure | undefined;
  /** Further material the task refers to, such as the round summaries. */
  readonly notes?: string | undefined;
  /** What the speaker stands for, where the convening itself brought it. @default the participant's */
  readonly position?: string | undefined;
}

/** What a structured question brought: a value, or why there is none. */
export interface Answer<T> extends Made {
  /** What the reply says, checked; absent where it could not be read. */
  readonly value?: T;
  /** Why the reply could not be read, or why there is none. */
  readonly problem?: string;
  /** The reply's text. */
  readonly text: string;
}

/** A structured question that is no turn: a score, a verdict, a bid, a stance. It is answered with the fact it leaves. */
export interface Question<T = unknown, F extends Fact = Fact> {
  /** Unique in the convening. */
  readonly key: string;
  /** The id of the participant or judge asked. */
  readonly asked: string;
  /** Such as `verdict`. */
  readonly phase: string;
  /** Such as `score`. */
  readonly kind: string;
  /** From 1; 0 outside the rounds. */
  readonly round: number;
  /** What is asked, as the last words of the prompt. */
  readonly task: string;
  /** Values of placeholders in the task. */
  readonly values?: PlaceholderValues | undefined;
  /** Further material the task refers to, such as a fact check; stands as it is before the task. */
  readonly notes?: string | undefined;
  /** The shape of the answer. */
  readonly schema: ReplySchema<T>;
  /** What it is about, as data, for agents that are no models. */
  readonly data?: unknown;
  /** The most tokens of the answer. @default none */
  readonly maxTokens?: number | undefined;
  /** The key of the turn whose fields answer it; asked only where those could not be read. @default none */
  readonly answeredBy?: string | undefined;
  /** For a choice: the message number it is asked before. */
  readonly seq?: number | undefined;
  /** Computes the answer where the agent has a program for that; undefined where the agent is to be asked. */
  compute?(agent: Agent): T | Promise<T> | undefined;
  /** What is kept of an answer, or of there being none; `number` counts what is asked before one message, from 1. */
  toFact(answer: Answer<T>, number: number): F;
  /** Whether a fact of the record is this question's. */
  matches(fact: Fact): fact is F;
}
