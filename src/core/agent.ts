// Interface between the engine and agents: requests, replies and tools.
import type { Message, Served, Usage } from "./message.ts";
import type { Effort } from "./profile.ts";
import type { Schema } from "./values.ts";

/** Function that an agent may call while it answers. Results are recorded under `lookups/`. */
export interface Tool {
  /** Name in tool calls: letters, digits, `_`. */
  readonly name: string;
  /** Description for the model: what the tool does and when to call it. */
  readonly description: string;
  /** Schema of the arguments. A call that does not fit gets the validation error as its result. */
  readonly parameters: Schema;
  /** True if the calls of one reply run one after another, each with the results of those before it. @default false */
  readonly inOrder?: boolean | undefined;
  /** Runs one call and returns its result as text. A thrown error becomes the result and does not fail the turn. */
  run(
    args: unknown,
    options?: {
      readonly signal?: AbortSignal | undefined;
      /** Earlier calls whose results the model already has. @default none */
      readonly earlier?: readonly ToolTrace[] | undefined;
    },
  ): Promise<string>;
}

/** Tool call with its result. */
export interface ToolTrace {
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments, as JSON. */
  readonly args: unknown;
  /** Result, or the error message if `failed`. */
  readonly result: string;
  /** True if the call failed. */
  readonly failed: boolean;
}

/** Maximum number of rounds of tool calls; then the model has to answer without tools. */
export const MAX_TOOL_ITERATIONS = 10;

/** Message of a chat request. */
export interface ChatMessage {
  /** Role in the chat. */
  readonly role: "system" | "user" | "assistant";
  /** Text of the message. */
  readonly content: string;
  /** Number of leading characters that later requests repeat, such as the transcript; used for prompt caching. @default 0 */
  readonly shared?: number | undefined;
}

/** Schema of a structured reply. */
export interface ReplySchema<T = unknown> {
  /** Name sent to providers: letters, digits and `_`. */
  readonly name: string;
  /** Schema of the reply; sent to providers as JSON Schema. */
  readonly type: Schema<T>;
}

/**
 * Metadata of a request. Models never see it; agents without a model (a replay, a script, a person) look up their answer
 * with it. Texts of other participants are only in the prompt.
 */
export interface RequestContext extends Pick<Message, "phase" | "round"> {
  /** Key of the turn or question, unique in the convening. */
  readonly key: string;
  /** `turn` asks for a message, `question` for a value, `fold` for a summary of older turns. */
  readonly purpose: "turn" | "question" | "fold";
  /** Topic of the convening. */
  readonly topic: string;
  /** Id of the participant or judge asked. */
  readonly participant: string;
  /** Name in prompts, such as `Advocate A`. */
  readonly label: string;
  /** Role in snake_case, such as `position_advocate`, `moderator`, `participant` or `judge`. */
  readonly role: string;
  /** Position of the participant asked. */
  readonly position?: string | undefined;
  /** Number of the message, from 1; 0 for a question. */
  readonly seq: number;
  /** Kind of turn or question: `opening_statement`, `argument`, `rebuttal`, `score`, `verdict` … */
  readonly kind: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Seed of the convening. */
  readonly seed: number;
  /** Subject of a question, such as a rubric's id or the labels of the sides; a replay looks up its answer with it. */
  readonly data?: unknown;
}

/** Store for the intermediate results of an answer that takes several requests. */
export interface ReplyRounds {
  /** Returns the value kept for request `number` (from 0) by this run or an interrupted run; undefined if there is none. */
  before(number: number): unknown;
  /** Stores the result of one request, as JSON. When the promise resolves, a crash does not lose the result. */
  keep(number: number, round: unknown): Promise<void>;
}

/** Note that a parameter was changed, not sent, or refused. */
export interface ParameterDropped {
  /** Discriminant of the union. */
  readonly type: "parameter_dropped";
  /** Name of the parameter, as in configurations, such as `temperature`. */
  readonly parameter: string;
  /** Requested value. */
  readonly asked?: unknown;
  /** Value sent. @default the parameter was not sent */
  readonly sent?: unknown;
  /** Reason of the change. */
  readonly because: string;
}

/** Note that a server's response changed a model's profile. */
export interface ProfileLearned {
  /** Discriminant of the union. */
  readonly type: "profile_learned";
  /** Origin (scheme, host and port) of the server. */
  readonly origin: string;
  /** Model, as the server names it. */
  readonly model: string;
  /** Key of the profile, such as `seed`. */
  readonly key: string;
  /** Previous value. */
  readonly from?: unknown;
  /** New value. */
  readonly to: unknown;
  /** Server's message, at most 200 characters. */
  readonly because: string;
  /** Time of the response, in ISO 8601, UTC; possibly during an earlier convening. */
  readonly learnedAt: string;
}

/** Difference between a request and what was sent, or a change of the model's profile. */
export type AgentNote = ParameterDropped | ProfileLearned;

/** Request to an agent. */
export interface AgentRequest {
  /** Prompt. */
  readonly messages: readonly ChatMessage[];
  /** Metadata, which is not part of the prompt. */
  readonly context: RequestContext;
  /** Target length of the answer, in tokens; agents allow more, for hidden reasoning among others. */
  readonly maxTokens?: number | undefined;
  /** User's cap of output tokens, hidden reasoning included. @default twice `maxTokens`, plus a reserve for reasoning */
  readonly maxOutputTokens?: number | undefined;
  /** Sampling temperature, 0 to 2. @default the provider's */
  readonly temperature?: number | undefined;
  /** Temperature if the user set none and the model accepts one at this effort. @default the provider's */
  readonly usualTemperature?: number | undefined;
  /** Number of earlier askings of the same question; added to the seed that is sent. @default 0 */
  readonly asking?: number | undefined;
  /** Seed; sent to the provider only if the user set one. */
  readonly seed?: number | undefined;
  /** Reasoning effort set by the user. @default `usualEffort` */
  readonly reasoningEffort?: Effort | undefined;
  /** Reasoning effort if the user set none and the model supports efforts. @default "low" */
  readonly usualEffort?: Effort | undefined;
  /** Also requests the text of hidden reasoning, if the provider returns it on request. @default false */
  readonly keepReasoning?: boolean | undefined;
  /** Position in the provider's request queue; 0 goes first. @default 0 */
  readonly priority?: number | undefined;
  /** Schema of a JSON reply. @default the reply is prose */
  readonly schema?: ReplySchema | undefined;
  /** Tools that the agent may call. @default none */
  readonly tools?: readonly Tool[] | undefined;
  /** Store of completed rounds of tool calls, so that a resumed run does not pay for them twice. @default none */
  readonly rounds?: ReplyRounds | undefined;
  /** Called with each piece of streamed text. */
  readonly onDelta?: ((text: string) => void) | undefined;
  /** Called with each note on a parameter or on the model's profile. */
  readonly onNote?: ((note: AgentNote) => void) | undefined;
  /** Waits for a person's answer in this process; called by agents that stand for a person. */
  readonly hear?: (() => Promise<string>) | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the run or its time ends: a request that waits for the end of a provider's pause fails; others finish. @default never */
  readonly ending?: AbortSignal | undefined;
}

/** Model name of a person. */
export const HUMAN = "human";

/** Model name of a client of the program, which reads each prompt and answers when it is ready. */
export const CLIENT = "client";

/** Returns true for the model names that wait for an answer from outside: a person's or a client's. */
export function isWaitedFor(model: string | undefined): boolean {
  return model === HUMAN || model === CLIENT;
}

/** Reason that a reply ended. */
export type FinishReason = "stop" | "length" | "refused";

/** Complete answer of an agent. */
export interface AgentReply {
  /** Complete text. */
  readonly text: string;
  /** Reason that the reply ended. */
  readonly finishReason: FinishReason;
  /** Model that answered. */
  readonly model: string;
  /** Provenance reported by the provider, and the parameters that were sent. @default unknown */
  readonly served?: Served | undefined;
  /** Text of hidden reasoning, which is not part of `text`. @default none returned */
  readonly reasoning?: string | undefined;
  /** Usage; `costUsd` is optional because the engine computes it from its price table. */
  readonly usage: Omit<Usage, "costUsd"> & Partial<Pick<Usage, "costUsd">>;
  /** Tool calls, in order. */
  readonly toolCalls?: readonly ToolTrace[] | undefined;
  /**
   * Facts of a replayed record that hold the answer instead of `text`: a question's choice, or the draft and own facts of a turn
   * whose message is `text`. @default `text` holds the answer
   */
  readonly recorded?: readonly { readonly type: string }[] | undefined;
}

/** Score of a message, given by a program. */
export interface Scored {
  /** Number by criterion id. */
  readonly scores: Readonly<Record<string, number>>;
  /** Reasons, in markdown. */
  readonly reasons: string;
}

/** Parts of a rubric that a scoring program needs. */
export interface ScoringRubric {
  /** Criteria that apply to the message. */
  readonly criteria: readonly { readonly id: string; readonly description: string }[];
  /** Lowest and highest number of a criterion. */
  readonly scale: readonly [number, number];
}

/** Scoring by a program instead of a model. The side with the highest total wins; equal sides tie. */
export interface Scoring {
  /**
   * Scores each criterion within the scale; a turn with another value, or with an error, is unscored. Must be deterministic:
   * verdicts and a resumed convening score again.
   */
  score(message: Message, rubric: ScoringRubric): Scored | Promise<Scored>;
}

/** Model at a provider; the provider is identified by URL or name. */
export interface ModelSource {
  /** Model, as the provider names it. */
  readonly model: string;
  /** Base URL of the server. */
  readonly url?: string | undefined;
  /** Name of the provider, such as `anthropic`; used if `url` is absent. */
  readonly provider?: string | undefined;
}

/**
 * Answers requests: a model's client, the offline agent, a replay, a person, or a class of the program.
 *
 * `reply` rejects with an `AgentError`; the engine retries if the error is `retryable`.
 */
export interface Agent {
  /** Name of the model, as shown in records. */
  readonly model: string;
  /** Provider of the model, for the look-up of its price. @default the price is unknown, unless the user sets one */
  readonly source?: ModelSource | undefined;
  /** Scores and compares without requests, if the agent is a judge. @default `reply` is asked */
  readonly scoring?: Scoring | undefined;
  /**
   * Answers one request: in JSON if it has a `schema`. Rejects with a `CancelledError` once its `signal` aborts; the run
   * then waits no longer for the answer.
   */
  reply(request: AgentRequest): Promise<AgentReply>;
  /**
   * Rejects with an `AgentError` if the server is unreachable or refuses the key or the model. Called before a record is
   * created, resumed or asked about. @default no check
   */
  check?(signal?: AbortSignal): Promise<void>;
  /** Returns the maximum output tokens of a request, hidden reasoning included, for budgets. @default the requested tokens */
  cap?(request: Omit<AgentRequest, "context">): Promise<number | undefined>;
  /** Returns the context window: the maximum of prompt and reply tokens together. Prompts are folded to fit. @default unknown */
  window?(): Promise<number | undefined>;
  /** Loads the modules and data that a reply needs; the time does not count as latency. @default nothing is loaded */
  load?(request: AgentRequest): Promise<void>;
}
