// The agent of a replay: each turn and question is answered with what a record holds for its key.
import type { Agent, AgentReply, AgentRequest, RequestContext } from "../../core/agent.ts";
import {
  AGENT_ERROR_CODES,
  AgentError,
  type AgentErrorCode,
  CancelledError,
} from "../../core/error.ts";
import type { Fact, Failure } from "../../core/fact.ts";
import { type Message, NO_USAGE } from "../../core/message.ts";
import { answerText } from "./answer_text.ts";
import { checkText, notesText } from "./check_text.ts";
import { Recording } from "./recording.ts";
import { turnText } from "./turn_text.ts";

/** Answers of an earlier convening's record. */
export interface ReplayAnswers {
  /** Model in records, unless the options give another. */
  readonly model: string;
  /** The accepted messages, by turn key. */
  readonly messages: ReadonlyMap<string, Message>;
  /** The record's other facts: scores, verdicts, choices, stances, drafts, evidence, fact checks, points, summaries, look-ups. */
  readonly facts: readonly Fact[];
}

/** Options of a replay agent. */
export interface ReplayOptions {
  /** Model in records. @default the answers' own */
  readonly model?: string | undefined;
  /** The directory of the answers, for messages. @default the model's name stands in */
  readonly dir?: string | undefined;
}

/** Answers with the contents of a record; see `createReplayAgent`. */
export class ReplayAgent implements Agent {
  readonly model: string;
  readonly #recording: Recording;
  readonly #dir: string;

  /** An agent over the answers of a record. */
  constructor({ model, messages, facts }: ReplayAnswers, options: ReplayOptions) {
    this.model = options.model ?? model;
    this.#recording = new Recording(messages, facts);
    this.#dir = options.dir ?? model;
  }

  // deno-lint-ignore require-await -- a throw has to become a rejection
  async reply(request: AgentRequest): Promise<AgentReply> {
    const { context, signal, onDelta } = request;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const text = this.#textOf(request);
    if (text === undefined) throw this.#unanswered(context);
    if (text !== "") onDelta?.(text);
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const toolCalls = this.#recording.traces(context.key);
    return {
      text,
      finishReason: "stop",
      model: this.model,
      usage: NO_USAGE,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    };
  }

  #textOf(request: AgentRequest): string | undefined {
    const { context } = request;
    const recording = this.#recording;
    const message = recording.message(context.key);
    if (message !== undefined) return turnText(message, request, recording);
    if (context.kind === "claims" || context.kind === "claim_verdict") {
      return checkText(request, recording);
    }
    if (context.kind === "notes") return notesText(request, recording);
    const fact = recording.answer(context);
    return fact && answerText(fact, request);
  }

  #unanswered({ key, label }: RequestContext): AgentError {
    const failure = this.#recording.failure(key);
    if (failure !== undefined) {
      // Whoever asks adds whose turn it was.
      const message = failure.message.replace(` (turn "${key}" of ${label})`, "");
      return new AgentError(codeOf(failure), message);
    }
    return new AgentError(
      "agent_bad_reply",
      `Cannot answer "${key}": nothing is recorded for it in ${this.#dir}`,
      { hint: "Replay the convening with the configuration it was held in." },
    );
  }
}

function codeOf({ code }: Failure): AgentErrorCode {
  return AGENT_ERROR_CODES.find((each) => each === code) ?? "agent_bad_reply";
}
