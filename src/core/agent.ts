// The seam to agents: requests, replies and tools.
import type { Schema } from "./schema.ts";
import type { Message, Served, Usage } from "./message.ts";
import type { Effort } from "./profile.ts";

/** Something an agent may call while it answers. Its results are recorded under `lookups/`. */
export interface Tool {
  /** The name the model calls it by: letters, digits, `_`. */
  readonly name: string;
  /** Description for the model: purpose and use. */
  readonly description: string;
  /** The shape of its arguments; a call that does not fit is answered with the reason. */
  readonly parameters: Schema;
  /** Answers one call with text. A thrown error is told to the model and does not fail the turn. */
  run(
    args: unknown,
    options?: {
      readonly signal?: AbortSignal | undefined;
      /** Calls whose results the model has before it already. @default none */
      readonly earlier?: readonly ToolTrace[] | undefined;
    },
  ): Promise<string>;
}

/** One call of a tool and what it gave back. */
export interface ToolTrace {
  /** The tool's name. */
  readonly tool: string;
  /** Arguments as JSON. */
  readonly args: unknown;
  /** Result, or the error. */
  readonly result: string;
  /** True if the call failed; `result` then is the reason. */
  readonly failed: boolean;
}

/** Number of rounds of tool calls before a model has to answer without them. */
export const MAX_TOOL_ITERATIONS = 10;

/** One message of a chat request. */
export interface ChatMessage {
  /** Role of the message's author, in the protocol's terms. */
  readonly role: "system" | "user" | "assistant";
  /** The text. */
  readonly content: string;
  /** Characters at the beginning of the text that later requests repeat, such as the transcript. @default 0 */
  readonly shared?: number | undefined;
}

/** A structured reply that is asked for: its name and its shape. */
export interface ReplySchema<T = unknown> {
  /** Letters, digits and `_`; providers show it. */
  readonly name: string;
  /** Schema of the reply; providers are sent its JSON schema. */
  readonly type: Schema<T>;
}

/**
 * Purpose and place of a request. Models never see them; agents that are no models (a replay, a script, a person) find
 * their answer by them. The words of others stand in the prompt alone.
 */
export interface RequestContext {
  /** The key of the turn or question; unique in the convening. */
  readonly key: string;
  /** `turn` is spoken; `question` is answered with a value; `fold` asks for a summary of older turns. */
  readonly purpose: "turn" | "question" | "fold";
  /** The convening's topic. */
  readonly topic: string;
  /** Id of the participant or judge that is asked. */
  readonly participant: string;
  /** As others see it, such as `Advocate A`. */
  readonly label: string;
  /** snake_case: `position_advocate`, `moderator`, `participant`, `judge` … */
  readonly role: string;
  /** Position of the participant that is asked. */
  readonly position?: string | undefined;
  /** 1 for the first message of the convening; 0 for a question. */
  readonly seq: number;
  /** Phase of the convening, such as `opening`. */
  readonly phase: string;
  /** `opening_statement`, `argument`, `rebuttal` …; for a question `score`, `verdict` … */
  readonly kind: string;
  /** From 1; 0 outside the rounds. */
  readonly round: number;
  /** The attempt's number, from 1. */
  readonly attempt: number;
  /** The convening's seed. */
  readonly seed: number;
  /**
   * Subject of a question, as data, such as a rubric's id or the labels of sides; a replay finds its answer by it.
   */
  readonly data?: unknown;
}

/** Store of an agent that sends several requests for one answer: the result of each. */
export interface ReplyRounds {
  /** Value kept for the request of that number, from 0, by this run or an interrupted run; of any type. */
  before(number: number): unknown;
  /** Leaves what came of one, in JSON; when this returns, a crash does not lose it. */
  keep(number: number, round: unknown): Promise<void>;
}

/** A parameter that was not sent, or changed, or refused. */
export interface ParameterDropped {
  /** Tells notes apart. */
  readonly type: "parameter_dropped";
  /** The name, as configurations have it, such as `temperature`. */
  readonly parameter: string;
  /** The value that was asked for. */
  readonly asked?: unknown;
  /** The value that was sent. @default the parameter was not sent */
  readonly sent?: unknown;
  /** The reason. */
  readonly because: string;
}

/** A key of a model's profile that a server's answer changed. */
export interface ProfileLearned {
  /** Tells notes apart. */
  readonly type: "profile_learned";
  /** The server. */
  readonly origin: string;
  /** The model, as the server knows it. */
  readonly model: string;
  /** The key of the profile, such as `seed`. */
  readonly key: string;
  /** The value before. */
  readonly from?: unknown;
  /** The value from then on. */
  readonly to: unknown;
  /** The server's words, 200 characters at most. */
  readonly because: string;
  /** Time of the server's answer, which an earlier convening may have had; ISO 8601, UTC. */
  readonly learnedAt: string;
}

/** A difference between a request and what was sent, or what a refusal taught. */
export type AgentNote = ParameterDropped | ProfileLearned;

/** A request to an agent. */
export interface AgentRequest {
  /** The prompt. */
  readonly messages: readonly ChatMessage[];
  /** Purpose and place of the request. */
  readonly context: RequestContext;
  /** The tokens that the answer is asked to have; an agent allows more, hidden reasoning included. */
  readonly maxTokens?: number | undefined;
  /** The most tokens of the reply that the user set, hidden reasoning included. @default twice `maxTokens`, and a reserve for reasoning */
  readonly maxOutputTokens?: number | undefined;
  /** 0 to 2. @default the provider's */
  readonly temperature?: number | undefined;
  /** The temperature where the user set none and the model takes one at this effort. @default the provider's */
  readonly usualTemperature?: number | undefined;
  /** Number of earlier askings of the same question, which the seed that is sent is raised by. @default 0 */
  readonly asking?: number | undefined;
  /** Sent to the provider only where the user gave a seed. */
  readonly seed?: number | undefined;
  /** The effort of hidden reasoning that the user set. @default `usualEffort` */
  readonly reasoningEffort?: Effort | undefined;
  /** The effort where the user set none and the model has efforts. @default "low" */
  readonly usualEffort?: Effort | undefined;
  /** Asks for the thought text too, where the provider gives it on demand. @default false */
  readonly keepReasoning?: boolean | undefined;
  /** The place among requests that wait for the same provider: 0 goes first. @default 0 */
  readonly priority?: number | undefined;
  /** Asks for JSON of this shape instead of prose. */
  readonly schema?: ReplySchema | undefined;
  /** Tools that the agent may call before the answer. */
  readonly tools?: readonly Tool[] | undefined;
  /** Store for the results of tool calls, so that none is paid twice. @default none */
  readonly rounds?: ReplyRounds | undefined;
  /** Called with each piece of text as it comes. */
  readonly onDelta?: ((text: string) => void) | undefined;
  /** Called with each difference between the request and what is sent, and with what a refusal taught. */
  readonly onNote?: ((note: AgentNote) => void) | undefined;
  /** Waits for what a person says here; agents that stand for a person answer with it. */
  readonly hear?: (() => Promise<string>) | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/** The model's name of a person. */
export const HUMAN = "human";

/** The model's name of a client of the program, which is given each prompt and answers in its own time. */
export const CLIENT = "client";

/** True of a model's name whose answers are waited for: a person's, or a client's. */
export function isWaitedFor(model: string | undefined): boolean {
  return model === HUMAN || model === CLIENT;
}

/** Reason for the end of a reply. */
export type FinishReason = "stop" | "length" | "refused";

/** One whole answer. */
export interface AgentReply {
  /** The whole answer. */
  readonly text: string;
  /** Reason for the end of the reply. */
  readonly finishReason: FinishReason;
  /** The model that answered. */
  readonly model: string;
  /** Data of the provider on the answer, and the parameters that were sent. @default none is known */
  readonly served?: Served | undefined;
  /** Thought text, which is no part of the answer. @default none came */
  readonly reasoning?: string | undefined;
  /** Without a price: the engine adds `costUsd` from its price table unless the agent knows it. */
  readonly usage: Omit<Usage, "costUsd"> & {
    readonly costUsd?: Usage["costUsd"];
  };
  /** The tools that were called, in order. */
  readonly toolCalls?: readonly ToolTrace[] | undefined;
}

/** The numbers of a message by criterion, and the reasons for them. */
export interface Scored {
  /** From criterion id to number. */
  readonly scores: Readonly<Record<string, number>>;
  /** In markdown. */
  readonly reasons: string;
}

/** The parts of a rubric that a program scores by. */
export interface ScoringRubric {
  /** The criteria that apply to the message. */
  readonly criteria: readonly { readonly id: string; readonly description: string }[];
  /** The least and the most of a criterion. */
  readonly scale: readonly [number, number];
}

/** Scoring by a program. The side with the best mean total is the winner; equal sides tie. */
export interface Scoring {
  /** A number within the scale for each criterion; the same for the same message, as a resumed convening asks again. */
  score(message: Message, rubric: ScoringRubric): Scored | Promise<Scored>;
}

/** A provider's model: the provider by the URL of its server, or by its name. */
export interface ModelSource {
  /** The model, as the provider names it. */
  readonly model: string;
  /** URL of the server. */
  readonly url?: string | undefined;
  /** The provider's name, such as `anthropic`; read where no URL is given. */
  readonly provider?: string | undefined;
}

/**
 * Whatever answers requests: a model, the offline writer, a replay, a person, or a class of your own.
 *
 * `reply` fails with an `AgentError`; the engine sends a `retryable` one again.
 */
export interface Agent {
  /** The model's name, as records show it. */
  readonly model: string;
  /** Server of the model, by which its price is found. @default the price is unknown without one of the user's */
  readonly source?: ModelSource | undefined;
  /** Scores and compares in the place of a model, where the agent judges. @default `reply` is asked */
  readonly scoring?: Scoring | undefined;
  /** Answers one request. */
  reply(request: AgentRequest): Promise<AgentReply>;
  /**
   * Fails with an `AgentError` where the agent's server cannot be reached, or refuses the key or the model. Called before
   * a convening has a record. @default nothing is checked
   */
  check?(signal?: AbortSignal): Promise<void>;
  /**
   * The most tokens of the reply to a request, hidden reasoning included; budgets reserve as many.
   * @default the tokens that are asked
   */
  cap?(request: Omit<AgentRequest, "context">): Promise<number | undefined>;
  /** Tokens of prompt and reply together, at most; prompts are folded to fit. @default it is not known */
  window?(): Promise<number | undefined>;
  /** Loads the modules and data that a reply needs; the time is no part of the reply's latency. @default nothing is loaded */
  load?(request: AgentRequest): Promise<void>;
}
