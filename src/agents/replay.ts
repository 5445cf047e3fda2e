import type { Agent, AgentReply, AgentRequest } from "../core/agent.ts";
import { AgentError, CancelledError } from "../core/error.ts";
import type { Fact, Score, Verdict } from "../core/fact.ts";
import { type Message, NO_USAGE } from "../core/message.ts";
import { questionKey } from "../core/past.ts";
import type { ToolTrace } from "../core/tool.ts";

/** What an earlier convening's record holds. */
export interface ReplayAnswers {
  /** What records show as the model, unless the options say otherwise. */
  readonly model: string;
  /** The accepted messages, by turn key. */
  readonly messages: ReadonlyMap<string, Message>;
  /** The record's other facts: scores, verdicts, choices, summaries, look-ups. */
  readonly facts: readonly Fact[];
}

/** Options of {@linkcode createReplayAgent}. */
export interface ReplayOptions {
  /** What records show as the model. @default the answers' own */
  readonly model?: string | undefined;
  /** The directory of the answers, for messages. @default the model's name stands in */
  readonly dir?: string | undefined;
}

/**
 * An agent that answers each turn and question with what an earlier convening's record holds for its key, at no cost.
 *
 * A turn is its message and look-ups; a score, a verdict or a choice is JSON in the shape that was asked for; a
 * verdict names the winner by its present label. A question whose earlier answer could not be read is answered
 * unreadably again.
 *
 * Fails with an `AgentError` (`agent_bad_reply`) that names the key where nothing is recorded for it.
 */
export function createReplayAgent(
  answers: ReplayAnswers,
  options: ReplayOptions = {},
): Agent {
  return new ReplayAgent(answers, options);
}

class ReplayAgent implements Agent {
  readonly model: string;
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #dir: string;
  readonly #facts: ReadonlyMap<string, Fact>;
  readonly #lookups: ReadonlyMap<string, readonly ToolTrace[]>;

  constructor(
    { model, messages, facts }: ReplayAnswers,
    options: ReplayOptions,
  ) {
    this.model = options.model ?? model;
    this.#messages = messages;
    this.#dir = options.dir ?? model;
    this.#facts = factsByKey(facts);
    this.#lookups = lookupsByTurn(facts);
  }

  // deno-lint-ignore require-await -- a throw has to become a rejection
  async reply(request: AgentRequest): Promise<AgentReply> {
    const { context, signal, onDelta } = request;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const text = this.#textOf(request);
    if (text === undefined) {
      throw new AgentError(
        "agent_bad_reply",
        `Cannot answer "${context.key}": nothing is recorded for it in ${this.#dir}`,
        { hint: "Replay the convening with the configuration it was held in." },
      );
    }
    if (text !== "") onDelta?.(text);
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const toolCalls = this.#lookups.get(context.key);
    return {
      text,
      finishReason: "stop",
      model: this.model,
      usage: NO_USAGE,
      ...(toolCalls === undefined ? {} : { toolCalls }),
    };
  }

  #textOf(request: AgentRequest): string | undefined {
    const { key } = request.context;
    const message = this.#messages.get(key);
    if (message !== undefined) return message.body;
    const fact = this.#facts.get(key);
    switch (fact?.type) {
      case "score":
        return scoreText(fact);
      case "verdict":
        return verdictText(fact, request);
      case "choice":
        return JSON.stringify(fact.value);
      case "context":
        return fact.body;
      default:
        return undefined;
    }
  }
}

/** The facts that answer a question, by its key; of two with one key the first counts. */
function factsByKey(facts: readonly Fact[]): Map<string, Fact> {
  const byKey = new Map<string, Fact>();
  for (const fact of facts) {
    const key = keyOf(fact);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, fact);
  }
  return byKey;
}

function keyOf(fact: Fact): string | undefined {
  switch (fact.type) {
    case "score":
    case "verdict":
    case "choice":
      return questionKey(fact);
    case "context":
      return `fold/${fact.number}`;
    default:
      return undefined;
  }
}

function lookupsByTurn(facts: readonly Fact[]): Map<string, ToolTrace[]> {
  const byTurn = new Map<string, ToolTrace[]>();
  for (const fact of facts) {
    if (fact.type !== "lookup") continue;
    const { turn, tool, args, result, failed } = fact;
    const traces = byTurn.get(turn) ?? [];
    traces.push({ tool, args, result, failed });
    byTurn.set(turn, traces);
  }
  return byTurn;
}

function scoreText({ status, reasons, criteria }: Score): string {
  return status === "scored" ? JSON.stringify({ reasons, scores: criteria }) : reasons;
}

/** The ways a reply can say that no one won; the schema that was asked for decides. */
const TIES = [null, "tie", "none", "undecided", "draw"];

function verdictText(
  { status, reasons, winner }: Verdict,
  { schema, context }: AgentRequest,
): string {
  if (status === "unread") return reasons;
  const own = context.participant === winner ? context.label : undefined;
  const side = context.opponents.find(({ id }) => id === winner);
  const named = winner === null
    ? TIES.find((tie) => schema?.type.safeParse({ reasons, winner: tie }).success) ?? null
    : side?.label ?? own ?? winner;
  return JSON.stringify({ reasons, winner: named });
}
