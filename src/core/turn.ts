// Turns and structured questions, as a protocol requests them, and the answers to questions.
import type { Agent, ReplySchema, ToolTrace } from "./agent.ts";
import type { AgentError } from "./error.ts";
import type { Choice, Fact, OfTurn } from "./fact.ts";
import type { Made, Mark, Message } from "./message.ts";
import type { PlaceholderValues } from "./prompt.ts";

/** Fields of a structured reply. */
export type Fields = Readonly<Record<string, unknown>>;

/** Context in which a structured reply was made. */
export interface ReplyContext {
  /** All tool calls of the speaker so far, including those of rejected attempts. */
  readonly toolCalls: readonly ToolTrace[];
  /** Messages that the speaker had seen, oldest first. */
  readonly given: readonly Message[];
}

/** Action of a guard: off, mark the message, or reject the attempt. */
export type GuardMode = "off" | "warn" | "reject";

/** Reason to reject a reply that fits the schema. */
export interface FieldsProblem {
  /** Problem and remedy, as sent to the speaker with the retry. */
  readonly reason: string;
  /** Maximum number of retries for this problem. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Mark of the message if the last attempt is accepted in spite of the problem. */
  readonly mark?: Mark | undefined;
  /** True if the turn fails when no retry is left, instead of accepting the last attempt. @default false */
  readonly fatal?: boolean | undefined;
}

/** Reply with several fields: which become the message, and which become facts of their own. */
export interface TurnStructure<F extends Fields = Fields> {
  /** Schema of the reply. */
  readonly schema: ReplySchema<F>;
  /** Key of the field with the message text; with `render`, the keys (at any depth) whose texts are streamed to listeners. */
  readonly speech: string | readonly string[];
  /** Tokens for the other fields, in addition to the turn's `maxTokens`. @default 0 */
  readonly tokens?: number | undefined;
  /** Renders the message text, in markdown. @default the field `speech` */
  render?(fields: F, context: ReplyContext): string;
  /** True if the turn fails when no reply can be parsed, instead of accepting the raw text. @default false */
  readonly required?: boolean | undefined;
  /** Returns the problem of a reply that fits the schema; the turn is then retried. @default no check */
  check?(fields: F): FieldsProblem | undefined;
  /** Converts the fields to facts. */
  toFacts(fields: F, place: OfTurn & Made & ReplyContext): readonly Fact[];
}

/** Request of a protocol for a message: speaker, phase, round, task. */
export interface Turn extends Pick<Message, "phase" | "kind" | "round"> {
  /** Key: stable across runs and unique in the convening, such as `round-2/rebuttal/advocate-b/advocate-a`. */
  readonly key: string;
  /** Id of the participant. */
  readonly speaker: string;
  /** Instruction at the end of the prompt. */
  readonly task: string;
  /** Text after the description of the reply's shape; prompts of several speakers are identical up to here. @default none */
  readonly ending?: string | undefined;
  /** Values of the task's placeholders. */
  readonly values?: PlaceholderValues | undefined;
  /** Number of the message that the turn answers. */
  readonly replyTo?: number | undefined;
  /** Maximum length of the message, in tokens. @default none */
  readonly maxTokens?: number | undefined;
  /** Text of a template: becomes the message as it is, without a request to an agent. */
  readonly text?: string | undefined;
  /** True if the turn interrupts the message that it answers; reported by an `interruption` event. @default false */
  readonly interrupts?: boolean | undefined;
  /** True if later prompts leave the message out of their transcript, such as a round summary. @default false */
  readonly aside?: boolean | undefined;
  /** Structure of the reply. @default plain text */
  readonly structure?: TurnStructure | undefined;
  /** Texts before the transcript, such as papers; prompts with the same texts share a cacheable prefix. A function is called for each request. */
  readonly excerpts?: string | (() => string) | undefined;
  /** Further texts that the task refers to, such as round summaries. A prompt without room for a list leaves its first texts out. */
  readonly notes?: string | readonly string[] | undefined;
  /** Position of the speaker in this turn. @default the participant's */
  readonly position?: string | undefined;
}

/** Record as shown in a question, in place of participants and transcript. */
export interface ShownRecord {
  /** Complete text. */
  readonly text: string;
  /** Number of turns that were cut to fit. */
  readonly shortened: number;
}

/** Answer to a structured question: a value, or a problem. */
export interface Answer<T> extends Made {
  /** Validated value of the reply; absent if the reply could not be parsed. */
  readonly value?: T;
  /** Reason that there is no value. */
  readonly problem?: string;
  /** Raw text of the reply. */
  readonly text: string;
  /** Number of the last message that the prompt showed only in a summary. @default every message was shown whole */
  readonly folded?: number;
  /** Error of a failed agent, in an answer to an observer or guard. @default the agent replied */
  readonly failed?: AgentError;
  /** Error of an agent that may answer the same question later. @default the agent replied, or failed for good */
  readonly later?: AgentError;
}

/** Structured question that is not a turn: a score, verdict, bid or stance. The answer is a fact. */
export interface Question<T = unknown, F extends Fact = Fact>
  extends Pick<Turn, "key" | "phase" | "kind" | "round" | "task" | "values" | "ending"> {
  /** Id of the participant or judge asked. */
  readonly asked: string;
  /** Further texts that the task refers to, such as a fact check; inserted before the task without changes. */
  readonly notes?: string | undefined;
  /** True if the prompt contains only the texts in the question: no transcript, rubric or source. @default false */
  readonly alone?: boolean | undefined;
  /**
   * Renders the messages in place of the transcript and the list of participants; cuts turns of more than `mostWords`
   * words. @default the transcript
   */
  record?(said: readonly Message[], mostWords?: number): ShownRecord;
  /** Number of earlier askings of the same question; added to the user's seed. @default 0 */
  readonly asking?: number | undefined;
  /** Schema of the answer. */
  readonly schema: ReplySchema<T>;
  /** Subject of the question, for agents without a model. */
  readonly data?: unknown;
  /** Maximum length of the answer, in tokens. @default none */
  readonly maxTokens?: number | undefined;
  /** Key of a turn whose reply contains the answer; the question is asked only if that reply could not be parsed. @default none */
  readonly answeredBy?: string | undefined;
  /** Number of the next message; only for a choice. */
  readonly seq?: number | undefined;
  /** Computes the answer, if the agent has a program for the task; undefined if the agent has to be asked. */
  compute?(agent: Agent): T | Promise<T> | undefined;
  /** Converts an answer, or the lack of one, to a fact; `number` counts the questions before the next message, from 1. */
  toFact(answer: Answer<T>, number: number): F;
  /** Returns true if a recorded fact answers this question. */
  matches(fact: Fact): fact is F;
}

/** Question whose answer is recorded as a choice. */
export interface ChoiceQuestion<T> extends Omit<Question<T, Choice>, "toFact" | "matches" | "seq"> {
  /** Number of the next message. */
  readonly seq: number;
  /** Returns the value to record; called with undefined if the reply could not be parsed. */
  valueOf(reply: T | undefined): unknown;
  /** Returns the reasons of a reply, in markdown. */
  reasonsOf(reply: T): string;
}

/** Makes a question that is recorded as a choice; if the answer could not be parsed, the choice's reasons say why. */
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

/** Joins the notes of a turn. */
export function notesText(notes: Turn["notes"]): string {
  return [notes ?? []].flat().join("\n\n");
}

/** Returns a field of a choice's value; undefined if the value is no object or lacks the field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Structured question without a fact of its own; the caller records the answer. */
export type Consultation<T = unknown> = Omit<Question<T>, "toFact" | "matches" | "seq">;

/** Asks without recording a fact. If the agent fails, the answer has a `problem`. */
export type Consult = <T>(question: Consultation<T>) => Promise<Answer<T>>;
