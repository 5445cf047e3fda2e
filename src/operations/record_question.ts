// Asks models questions outside of a convening: the calls with retries and one repair, the prompt that shows a record, and
// the check of an answer's quotations.
import { z } from "zod";
import { type Agent, type ChatMessage, isWaitedFor, type ReplySchema } from "../core/agent.ts";
import { type AskKind, askOf, tokensFor } from "../core/profile.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { AgentError, ConfigurationError } from "../core/error.ts";
import type { Made, Message, Usage } from "../core/message.ts";
import type { CommonConfig } from "../config/convening_config.ts";
import { formOf, readReply, repairOf } from "../engine/asker.ts";
import { Budget } from "../engine/budget.ts";
import { type Called, Caller, madeOf, withUsageOfBoth } from "../engine/caller.ts";
import { drawSeed, largestShare, promptBound } from "../engine/start.ts";
import { factCheckNotes } from "../checking/questions.ts";
import { exactWords, quotedPassages } from "../core/quotations.ts";
import {
  fenced,
  fillTemplate,
  NO_ORDERS,
  renderHead,
  renderTurn,
  textsOf,
} from "../core/prompt.ts";
import { BUILT_IN, type Catalogue } from "../compose.ts";
import type { Fact } from "../core/fact.ts";
import type { BriefQuote } from "../core/brief.ts";
import { ADDRESS_SETTINGS, type AgentSettings } from "../core/key_rules.ts";
import { oneLine, withoutBold } from "../core/text.ts";
import type { Assessment } from "../core/outcome.ts";
import type { ConveningStart } from "../core/event.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { judgeNotes, sheetIn } from "../debate/flow_sheet.ts";
import type { WorkflowOptions } from "../engine/workflow_options.ts";
import { defaultModel } from "../inputs/servers.ts";
import { arguing } from "../judging/assessment.ts";
import { panelsOf } from "../judging/panels.ts";
import {
  assessmentSentences,
  consensusLines,
  judgeName,
  outcomeSentence,
} from "../record/words.ts";
import texts from "../data/prompts/record.json" with { type: "json" };
import type { Schema } from "../core/values.ts";

/**
 * Settings of the models that answer questions about a record. Each key, if present, replaces the recorded value, even if
 * undefined; `retry` replaces its own keys alone.
 */
export interface RecordModelOptions extends AgentSettings, Pick<WorkflowOptions, "signal"> {
  /** Known kinds and agents. @default the built-in kinds and agents */
  readonly catalogue?: Catalogue | undefined;
}

interface AskerOptions extends Pick<CommonConfig, "temperature" | "seed" | "retry" | "prices"> {
  readonly topic: string;
  /** Kind of the questions; it sets the length of the answers and the effort. */
  readonly kind: AskKind;
  /** Clock for the times of requests. @default the system clock */
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface ModelQuestion<T> {
  readonly messages: readonly ChatMessage[];
  readonly schema: ReplySchema<T>;
  readonly maxTokens: number;
}

/** Asks an agent questions of one kind, and sums the usage. */
export class ModelAsker {
  readonly agent: Agent;
  readonly #budget: Budget;
  readonly #caller: Caller;
  readonly #options: AskerOptions;
  readonly #seed: number;

  constructor(agent: Agent, options: AskerOptions) {
    const { clock = systemClock, signal, retry = {}, prices, seed } = options;
    this.agent = agent;
    this.#options = options;
    this.#seed = seed ?? drawSeed();
    this.#budget = new Budget({}, clock, () => Promise.resolve());
    this.#caller = new Caller({
      budget: this.#budget,
      clock,
      retry,
      prices,
      seed,
      signal: signal ?? new AbortController().signal,
    });
  }

  get usage(): Usage {
    return this.#budget.usage;
  }

  /**
   * Asks a question and returns the parsed reply with its provenance. Asks once more if the reply cannot be parsed. Throws
   * `agent_bad_reply` if the second reply cannot be parsed either, and the errors of the agent.
   */
  async ask<T>(question: ModelQuestion<T>): Promise<Made & { readonly value: T }> {
    const { messages, schema } = question;
    const first = await this.call(question, 1);
    const read = readReply(first, schema);
    if (read.problem === undefined) return { ...madeOf(first), value: read.value };
    const again = { said: first.reply.text, why: read.problem, unreadable: true };
    const repair = [...messages, ...repairOf(again, schema)];
    const second = await this.call({ ...question, messages: repair }, 2);
    const repaired = readReply(second, schema);
    if (repaired.problem === undefined) {
      return { ...madeOf(withUsageOfBoth(first, second)), value: repaired.value };
    }
    throw new AgentError(
      "agent_bad_reply",
      `Cannot read what "${this.agent.model}" replied, asked twice: ${repaired.problem}`,
      { hint: "Try another model." },
    );
  }

  /** Sends one request, with retries; `attempt` counts from 1. */
  async call(
    { messages, schema, maxTokens }: ModelQuestion<unknown>,
    attempt: number,
  ): Promise<Called> {
    const { topic, kind, temperature, signal } = this.#options;
    // A wrong address, key or model fails at once, without retries.
    if (attempt === 1) await this.agent.check?.(signal);
    const { effort } = askOf(kind, "question");
    return await this.#caller.call({
      agent: this.agent,
      estimate: { tokens: 0, cost: 0 },
      reserve: { tokens: 0, cost: 0 },
      request: {
        messages,
        maxTokens,
        usualEffort: effort,
        temperature,
        schema,
        context: {
          key: `${schema.name}/${attempt}`,
          purpose: "question",
          topic,
          participant: kind,
          label: "Reader",
          role: "reader",
          seq: 0,
          phase: kind,
          kind,
          round: 0,
          attempt,
          seed: this.#seed,
        },
      },
    });
  }
}

/** Texts of prompts about records. */
export const RECORD_TEXTS = textsOf(texts);

/** Returns a record's model settings, overridden by the given ones, and `fallback`, the model where none is named. */
export function recordSettings(
  { configuration }: ConveningStart,
  { catalogue: _, ...given }: RecordModelOptions,
): { readonly settings: WorkflowOptions; readonly fallback: string } {
  const { model, retry, ...recorded } = configuration as WorkflowOptions & { model?: unknown };
  const { baseUrl, providers, prices, allowUnknownPrices } = recorded;
  const { idleTimeout, totalTimeout, maxReplyBytes } = recorded;
  const settings = {
    ...{ baseUrl, providers, prices, allowUnknownPrices, idleTimeout, totalTimeout, maxReplyBytes },
    ...given,
    retry: { ...retry, ...given.retry },
    untrusted: given.untrusted ?? ADDRESS_SETTINGS.filter((key) => !(key in given)),
  };
  return { settings, fallback: typeof model === "string" ? model : defaultModel(settings) };
}

/** Returns the moderator's model, the default reader of a record; undefined if the convening's model is the default. */
export function usualReader({ configuration }: ConveningStart): string | undefined {
  const { moderatorModel } = configuration;
  return typeof moderatorModel === "string" ? moderatorModel : undefined;
}

/** Throws `config_invalid` for a person's or a client's model: nobody is asked about a convening that has ended. */
export function refuseWaitedFor(model: string, field: string): void {
  if (!isWaitedFor(model)) return;
  throw new ConfigurationError(
    `Cannot use the model "${model}" for a convening that has ended: nobody is there to answer`,
    { field, hint: "Name another model." },
  );
}

/** Returns the agent for questions about a record (`agent`, else the one of `model`, else the default) with the record's settings. */
export function readerOf(
  start: ConveningStart,
  { model = usualReader(start), agent, ...options }: RecordModelOptions & {
    readonly model?: string | undefined;
    readonly agent?: Agent | undefined;
  },
): ReturnType<typeof recordSettings> & { readonly agent: Agent } {
  const found = recordSettings(start, options);
  if (agent !== undefined) return { ...found, agent };
  const name = model ?? found.fallback;
  refuseWaitedFor(name, "model");
  return { ...found, agent: (options.catalogue ?? BUILT_IN).agent(name, found.settings) };
}

/** Tokens of a prompt that are reserved for parts other than turns and notes. */
const RESERVED = 2500;

interface RecordPrompt {
  readonly messages: readonly ChatMessage[];
  /** Number of shown messages. */
  readonly read: number;
  /** Numbers of the messages that are shown in part. */
  readonly cut: readonly number[];
}

/** Builds a prompt of a record's turns, `notes`, the task, and the shape of the answer, in this order. */
export async function recordPrompt(
  start: ConveningStart,
  turns: readonly Message[],
  { agent, best = turns, notes = [], task, shape }: {
    /** The agent to ask; its context window bounds the prompt. */
    readonly agent: Agent;
    /** The turns to show if not all fit. @default all, the longest cut */
    readonly best?: readonly Message[];
    readonly notes?: readonly string[];
    readonly task: string;
    readonly shape: Schema;
  },
): Promise<RecordPrompt> {
  const count = await loadTokenCounter();
  const { maxPromptTokens } = start.configuration as WorkflowOptions;
  const most = await promptBound({ agent, part: "judge" }, { maxPromptTokens });
  const used = notes.reduce((sum, each) => sum + count(each), RESERVED);
  const room = Math.max(most - used, most / 4);
  const whole = fitTurns(turns, room, count);
  const { shown, cut } = whole.cut.length === 0
    ? whole
    : fitTurns(turns.filter((each) => best.includes(each)), room, count);
  const labels = new Map(start.participants.map(({ id, label }) => [id, label]));
  const head = renderHead({
    topic: start.topic,
    rules: RECORD_TEXTS.reader,
    sides: start.participants.map(({ label, position }) =>
      position === undefined ? label : `${label}: ${position}`
    ),
    notes: [],
    sources: [],
    hidden: "turns that failed, and turns for which there is no room,",
  });
  const parts = [
    shown.map((each) => renderTurn(each, labels.get(each.participant) ?? each.name)).join("")
      .trimEnd(),
    ...cut.length === 0 ? [] : [fillTemplate(RECORD_TEXTS.short, { turns: cut.join(", ") })],
    ...notes,
    task,
    formOf({ type: shape }),
  ];
  return {
    messages: [{ role: "system", content: head }, { role: "user", content: parts.join("\n\n") }],
    read: shown.length,
    cut,
  };
}

const ANSWER = z.object({
  passages: z.array(z.object({ turn: z.int(), quote: z.string() })),
  answer: z.string(),
});

export function answerTask(question: string): {
  readonly task: string;
  readonly schema: ReplySchema<z.infer<typeof ANSWER>>;
  readonly maxTokens: number;
} {
  return {
    task: fillTemplate(RECORD_TEXTS.answer, { question: fenced("question", question) }),
    schema: { name: "answer", type: ANSWER },
    maxTokens: tokensFor("answer"),
  };
}

/** Fits turns into `room` tokens: whole if they fit, else the longest ones cut to a common length. */
function fitTurns(
  turns: readonly Message[],
  room: number,
  count: (text: string) => number,
): { readonly shown: readonly Message[]; readonly cut: readonly number[] } {
  const sizes = turns.map(({ body }) => count(body));
  const most = largestShare(sizes, room);
  const cut: number[] = [];
  const shown = turns.map((turn, index) => {
    const size = sizes[index]!;
    if (size <= most) return turn;
    cut.push(turn.seq);
    const words = turn.body.slice(0, Math.floor(turn.body.length * most / size));
    return { ...turn, body: `${words.replace(/\s\S*$/u, "")} […]` };
  });
  return { shown, cut };
}

/** Maximum length of a judge's reasons in a prompt, in code points. */
const REASONS = 800;

/**
 * Returns notes for a prompt on the result of a record: the outcome in sentences, the reasons of the convening's own judges,
 * the points of the flow sheet, and the checked claims.
 */
export function resultNotes(
  start: ConveningStart,
  facts: readonly Fact[],
  assessment: Assessment,
): readonly string[] {
  const labels = new Map(start.participants.map(({ id, label }) => [id, label]));
  const { outcome, winner, consensus } = assessment;
  const verdicts = panelsOf(start, facts).find(({ own }) => own)?.verdicts ?? [];
  const lines = [
    ...winner === null ? [] : [`Winner: ${labels.get(winner)}`],
    ...outcome === "undecided" || consensus !== undefined
      ? [outcomeSentence(start, assessment)]
      : [],
    ...assessment.strength === undefined ? [] : [assessment.strength.sentence],
    ...assessmentSentences(start, assessment),
    ...consensusLines(start, assessment),
    ...verdicts.map((verdict) =>
      `${judgeName(start, verdict)}, for ${
        verdict.winner === null ? "a tie" : labels.get(verdict.winner)
      }: ${oneLine(verdict.reasons, REASONS)}`
    ),
  ];
  const sides = new Map(arguing(start.participants).map(({ id, label }) => [id, label]));
  const points = judgeNotes(sheetIn(facts), sides);
  const checked = facts.filter((fact) => fact.type === "fact-check");
  const checks = factCheckNotes(checked, labels);
  return [
    ...lines.length === 0
      ? []
      : [`${RECORD_TEXTS.result} ${NO_ORDERS}\n${fenced("result", lines.join("\n"))}`],
    ...points === undefined ? [] : [points],
    ...checks === undefined ? [] : [checks],
  ];
}

/** Maximum length of an answer's text field, in code points. */
const FIELD = 2000;

/** Looks up quotations of an answer in messages, and counts the quotations that no message has. */
export class QuotationCheck {
  readonly #messages: readonly Message[];
  readonly #topic: string;
  /** Number of quotations that no message has, so far. */
  leftOut = 0;

  /** Creates a check against messages; quoted words of the topic are accepted too. */
  constructor(messages: readonly Message[], topic: string) {
    this.#messages = messages;
    this.#topic = topic;
  }

  /** Finds the exact words of a quotation in the message `turn`, else in any message; undefined and counted if not found. */
  find(
    { turn, quote }: { readonly turn: number; readonly quote: string },
  ): BriefQuote | undefined {
    const named = this.#messages.filter(({ seq }) => seq === turn);
    for (const { seq: message, body } of [...named, ...this.#messages]) {
      const words = exactWords(quote, body);
      if (words !== undefined) return { message, quote: words };
    }
    this.leftOut++;
    return undefined;
  }

  /** Returns a text in one line, with an ellipsis for each quotation that no message has. */
  prose(text: string): string {
    let shown = withoutBold(text);
    for (const { text: words } of quotedPassages(shown)) {
      const isFound = exactWords(words, this.#topic) !== undefined ||
        this.#messages.some(({ body }) => exactWords(words, body) !== undefined);
      if (isFound) continue;
      this.leftOut++;
      shown = shown.replace(words, "…");
    }
    return oneLine(shown, FIELD);
  }
}
