// Turns, questions and their answers.
import type { Agent, ReplySchema, ToolTrace } from "./agent.ts";
import type { AgentError } from "./error.ts";
import type { Choice, Fact } from "./fact.ts";
import type { Made, Mark, Message } from "./message.ts";
import type { PlaceholderValues } from "./prompt.ts";

/** The fields of a structured reply. */
export type Fields = Readonly<Record<string, unknown>>;

/** Prompt and messages that a structured reply was made with. */
export interface ReplyContext {
  /** Every call of a tool by this speaker so far, those of attempts that were turned down included. */
  readonly toolCalls: readonly ToolTrace[];
  /** Messages that the speaker had been given, oldest first. */
  readonly given: readonly Message[];
}

/** Action of a guard: none, mark the message, or reject the attempt. */
export type GuardMode = "off" | "warn" | "reject";

/** Reason for rejecting fields of the right shape. */
export interface FieldsProblem {
  /** Problem and remedy; the retry is told this. */
  readonly reason: string;
  /** Number of retries for this problem, at most. @default 3 */
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
  /** Tokens of the fields beside the speech, over the turn's own `maxTokens`. @default 0 */
  readonly tokens?: number | undefined;
  /** Message text made of the fields, in markdown. @default the field `speech` */
  render?(fields: F, sight: ReplyContext): string;
  /**
   * True if the turn fails when its reply can never be read, instead of being accepted as it stands. @default false
   */
  readonly required?: boolean | undefined;
  /** Problem of a reply of the right shape; the turn is asked again. @default nothing */
  check?(fields: F): FieldsProblem | undefined;
  /** Facts made of the fields. */
  toFacts(
    fields: F,
    place:
      & { readonly seq: number; readonly turn: string; readonly participant: string }
      & Made
      & ReplyContext,
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
  /** Task: the last words of the prompt. */
  readonly task: string;
  /** Text after the shape of the reply, as it is: prompts of several speakers are the same up to here. @default nothing stands there */
  readonly ending?: string | undefined;
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
  /** Texts that stand before the transcript, such as papers: prompts that show the same texts share their beginning. */
  readonly excerpts?: string | undefined;
  /** Further texts that the task refers to, such as the round summaries. */
  readonly notes?: string | undefined;
  /** Position of the speaker, where the convening itself gives it. @default the participant's */
  readonly position?: string | undefined;
}

/** A record as one question shows it, in the place of participants and transcript. */
export interface ShownRecord {
  /** Text of the record. */
  readonly text: string;
  /** Number of turns that were cut. */
  readonly shortened: number;
}

/** Answer to a structured question: a value, or the reason for its lack. */
export interface Answer<T> extends Made {
  /** Value of the reply, checked; absent where it could not be read. */
  readonly value?: T;
  /** Reason that the reply could not be read, or that there is none. */
  readonly problem?: string;
  /** The reply's text. */
  readonly text: string;
  /** Last message that the prompt showed in a summary alone. @default every message was whole */
  readonly folded?: number;
  /** Error of an agent that failed, in an answer to an observer or guard. @default the agent replied */
  readonly failed?: AgentError;
  /** Error of an agent that may answer the same question later. @default the agent replied, or fails for good */
  readonly later?: AgentError;
}

/** A structured question that is no turn: a score, a verdict, a bid, a stance. It is answered with the fact it leaves. */
export interface Question<T = unknown, F extends Fact = Fact>
  extends Pick<Turn, "key" | "phase" | "kind" | "round" | "task" | "values" | "ending"> {
  /** The id of the participant or judge asked. */
  readonly asked: string;
  /** Further material the task refers to, such as a fact check; stands as it is before the task. */
  readonly notes?: string | undefined;
  /** True if the prompt shows what the question itself quotes alone: no transcript, rubric or source. @default false */
  readonly alone?: boolean | undefined;
  /**
   * Shows the given messages in another way than as a transcript, turns of more than `mostWords` words cut; participants
   * are not listed. @default the transcript
   */
  record?(said: readonly Message[], mostWords?: number): ShownRecord;
  /** Number of earlier askings of the same question: a seed that the user gave is raised by it. @default 0 */
  readonly asking?: number | undefined;
  /** The shape of the answer. */
  readonly schema: ReplySchema<T>;
  /** Subject as data, for agents that are no models. */
  readonly data?: unknown;
  /** The most tokens of the answer. @default none */
  readonly maxTokens?: number | undefined;
  /** The key of the turn whose fields answer it; asked only where those could not be read. @default none */
  readonly answeredBy?: string | undefined;
  /** For a choice: the message number it is asked before. */
  readonly seq?: number | undefined;
  /** Computes the answer where the agent has a program for that; undefined where the agent is to be asked. */
  compute?(agent: Agent): T | Promise<T> | undefined;
  /** Fact of an answer, or of the lack of an answer; `number` counts the questions before one message, from 1. */
  toFact(answer: Answer<T>, number: number): F;
  /** True if a fact of the record answers this question. */
  matches(fact: Fact): fact is F;
}

/** A question whose answer is kept as a choice. */
export interface ChoiceQuestion<T> extends Omit<Question<T, Choice>, "toFact" | "matches" | "seq"> {
  /** The message number it is asked before. */
  readonly seq: number;
  /** Part of a reply that the record keeps; for a reply that could not be read, `undefined` is given. */
  valueOf(reply: T | undefined): unknown;
  /** The reasons a reply gives, in markdown. */
  reasonsOf(reply: T): string;
}

/** The question that leaves a choice; where its answer could not be read, the choice's reasons say why. */
export function choiceQuestion<T>(
  { valueOf, reasonsOf, ...question }: ChoiceQuestion<T>,
): Question<T, Choice> {
  const { key, seq, asked, kind } = question;
  return {
    ...question,
    toFact: ({ value, problem, text, ...made }: Answer<T>, number) => ({
      type: "choice",
      key,
      seq,
      number,
      participant: asked,
      kind,
      value: valueOf(value),
      reasons: value === undefined
        ? `The answer could not be read: ${problem ?? "there was none."}\n\n${text}`.trim()
        : reasonsOf(value),
      ...made,
    }),
    matches: (fact): fact is Choice => fact.type === "choice" && fact.key === key,
  };
}

/** A field of what a choice holds; undefined where it is no object, or has none of that name. */
export function fieldOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
