/**
 * Test tools for programs that embed convenings: an agent that follows a script, and contract suites for agents, records and
 * retrievers.
 *
 * @module
 */
import type { Agent, AgentReply, AgentRequest, FinishReason, ToolTrace } from "../core/agent.ts";
import { checkArguments } from "../core/check_fields.ts";
import { AgentError, CancelledError } from "../core/error.ts";

export { agentContract, type Subject } from "../../tests/contracts/agent_contract.ts";
export { recordStoreContract } from "../../tests/contracts/record_store_contract.ts";
export type { StoreUnderTest } from "../../tests/contracts/record_store_contract.ts";
export { retrieverContract } from "../../tests/contracts/retriever_contract.ts";

/** Reply of a line: text, a value sent as JSON, or a function of the request that returns either. */
export type ScriptedText =
  | string
  | object
  | ((request: AgentRequest) => string | object | Promise<string | object>);

/** One planned answer. */
export interface ScriptedLine {
  /** Key or kind of the request to answer, or a predicate. @default the next request that no such line matches */
  readonly when?: string | ((request: AgentRequest) => boolean) | undefined;
  /** Reply. @default "" */
  readonly reply?: ScriptedText | undefined;
  /** Number of answers; `Infinity` for any number. @default 1 */
  readonly times?: number | undefined;
  /** Reason for the end of the reply. @default "stop" */
  readonly finishReason?: FinishReason | undefined;
  /** Usage of the reply. @default the options' usage */
  readonly usage?: AgentReply["usage"] | undefined;
  /** Tool calls to report. @default none */
  readonly toolCalls?: readonly ToolTrace[] | undefined;
  /** Error to throw after `reply` was streamed. @default none */
  readonly error?: Error | undefined;
}

/** Options of {@linkcode createScriptedAgent}. */
export interface ScriptedOptions {
  /** Name of the model. @default "scripted" */
  readonly model?: string | undefined;
  /** Usage of each reply. @default 0 tokens, without a price */
  readonly usage?: AgentReply["usage"] | undefined;
}

/** An agent that replies with planned lines and checks that all lines were used. */
export interface ScriptedAgent extends Agent {
  /** Requests so far, in order, including unplanned ones. */
  readonly calls: readonly AgentRequest[];
  /** Throws if a line was not used or a request was not planned; the error names them. */
  assertDone(): void;
}

/**
 * Creates an agent for tests that answers from a script. A line with `when` answers the first request that matches. Lines without
 * `when` answer the remaining requests in order.
 *
 * A request without a line rejects with an `AgentError` (`agent_bad_reply`) that names the request's key.
 *
 * @example Two lines, one of them for the closings
 * ```ts
 * import assert from "node:assert/strict";
 * import { createScriptedAgent } from "@convenings/convenings/testing";
 *
 * const agent = createScriptedAgent([
 *   "I open.",
 *   { when: "closing_statement", reply: "I close." },
 * ]);
 * assert.equal(agent.calls.length, 0);
 * assert.throws(() => agent.assertDone(), /I open/);
 * ```
 */
export function createScriptedAgent(
  lines: readonly (string | ScriptedLine)[],
  options: ScriptedOptions = {},
): ScriptedAgent {
  checkArguments("createScriptedAgent", { lines });
  return new Script(lines, options);
}

interface Pending {
  readonly line: ScriptedLine;
  readonly number: number;
  left: number;
}

class Script implements ScriptedAgent {
  readonly model: string;
  readonly calls: AgentRequest[] = [];
  readonly #usage: AgentReply["usage"];
  readonly #unplanned: string[] = [];
  /** Unused lines, in order. */
  readonly #pending: Pending[];

  constructor(
    lines: readonly (string | ScriptedLine)[],
    { model = "scripted", usage }: ScriptedOptions,
  ) {
    this.model = model;
    this.#usage = usage ?? { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
    this.#pending = lines.map((each, i) => {
      const line = typeof each === "string" ? { reply: each } : each;
      return { line, number: i + 1, left: line.times ?? 1 };
    });
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const { signal, context } = request;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    this.calls.push(request);
    const line = this.#take(request);
    if (line === undefined) {
      this.#unplanned.push(context.key);
      throw new AgentError(
        "agent_bad_reply",
        `Cannot answer "${context.key}": the script of ${this.model} has no line for it (a ${context.kind} by ${context.participant})`,
      );
    }
    const text = await textOf(line.reply ?? "", request);
    await stream(text, request);
    if (line.error !== undefined) throw line.error;
    return {
      text,
      finishReason: line.finishReason ?? "stop",
      model: this.model,
      usage: line.usage ?? this.#usage,
      ...(line.toolCalls === undefined ? {} : { toolCalls: line.toolCalls }),
    };
  }

  assertDone(): void {
    const unused = this.#pending.filter(({ left }) => left > 0 && left !== Infinity)
      .map(described);
    const problems = [
      ...(unused.length === 0 ? [] : [`not used: ${unused.join(", ")}`]),
      ...(this.#unplanned.length === 0 ? [] : [`not planned: ${this.#unplanned.join(", ")}`]),
    ];
    if (problems.length > 0) {
      throw new Error(`Cannot call the script of ${this.model} done: ${problems.join("; ")}`);
    }
  }

  #take(request: AgentRequest): ScriptedLine | undefined {
    const next = this.#pending.find(({ line }) => fits(line, request)) ??
      this.#pending.find(({ line }) => line.when === undefined);
    if (next !== undefined && --next.left <= 0) {
      this.#pending.splice(this.#pending.indexOf(next), 1);
    }
    return next?.line;
  }
}

function fits({ when }: ScriptedLine, request: AgentRequest): boolean {
  const { key, kind } = request.context;
  return typeof when === "function" ? when(request) : when === key || when === kind;
}

async function textOf(reply: ScriptedText, request: AgentRequest): Promise<string> {
  const said = typeof reply === "function" ? await reply(request) : reply;
  return typeof said === "string" ? said : JSON.stringify(said);
}

/** Streams a text word by word; throws a `CancelledError` on abort. */
async function stream(text: string, { onDelta, signal }: AgentRequest): Promise<void> {
  for (const [word] of text.matchAll(/\s*\S+\s*$|\s*\S+|\s+/g)) {
    if (signal?.aborted) break;
    onDelta?.(word);
    await Promise.resolve();
  }
  if (signal?.aborted) throw new CancelledError(signal.reason);
}

function described({ line: { when, reply }, number }: Pending): string {
  const name = [when, reply].find((each) => typeof each === "string");
  return name === undefined ? `line ${number}` : `line ${number} "${name.slice(0, 60)}"`;
}
