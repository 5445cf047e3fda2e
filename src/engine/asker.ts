// The one place that asks: prompt, context, limits, kept answers and people's words, for turns, questions and summaries.
import asking from "../data/prompts/asking.json" with { type: "json" };
import { pricingOf } from "../config/prices.ts";
import {
  type AgentNote,
  type AgentRequest,
  type ChatMessage,
  CLIENT,
  HUMAN,
  type ReplySchema,
  type RequestContext,
  type Tool,
} from "../core/agent.ts";
import { askOf, UNBOUNDED_TOKENS, wordsFor } from "../core/asks.ts";
import { fillTemplate, quoted, textsOf, unfenced } from "../core/prompt.ts";
import { AgentError } from "../core/error.ts";
import type { TurnInfo } from "../core/event.ts";
import { type Made, NO_USAGE, sha256 } from "../core/message.ts";
import type { Past } from "../core/record.ts";
import { jsonSchemaOf, readStructured, shapeInWords } from "../core/schema.ts";
import type { WordRange } from "../core/words.ts";
import type { Answered, Answers, Call, Called, Caller } from "./caller.ts";
import type { Budget, Estimate } from "./budget.ts";
import type { CastMember } from "./casting.ts";
import type { Emitter } from "./emitter.ts";
import type { ClientRequest, People } from "./people.ts";
import type { Prompter, PromptTail, TranscriptView } from "./prompter.ts";
import type { CommonConfig } from "../config/convening_config.ts";

export const ASKING_TEXTS = textsOf(asking);

const NOTHING: Estimate = { tokens: 0, cost: 0 };

/** Request to a cast member, and its place in the convening. */
export interface Asked extends PromptTail {
  readonly key: string;
  readonly purpose: RequestContext["purpose"];
  /** The number of the message that is asked for; 0 for what is no turn. */
  readonly seq: number;
  readonly kind: string;
  /** The part of the transcript that the prompt shows. */
  readonly sight: TranscriptView;
  readonly data?: unknown;
  /** Number of earlier askings of the same question. @default 0 */
  readonly asking?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly schema?: ReplySchema | undefined;
  readonly tools?: readonly Tool[] | undefined;
  /** A person may answer, in their own time. @default false */
  readonly waits?: boolean | undefined;
  readonly onText?: AgentRequest["onDelta"];
  /** Hears that streamed text is void: the request is sent again. */
  readonly onReset?: Call["onReset"];
}

/** A reply that cannot stand, and why. */
interface Again {
  readonly said: string;
  readonly why: string;
  /** True where the reply could not be read in the shape that was asked for. @default false */
  readonly unreadable?: boolean | undefined;
}

export class Asker {
  readonly #run: RunContext;
  /** Ids of inbox entries that answer a turn or question, by its key, until the answer is on record. */
  readonly #heard = new Map<string, string>();
  /** Notes of agents that are on record. */
  readonly #noted = new Set<string>();
  /** True if a window was learned that prompts are not fitted into yet. */
  #learned = false;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Asks within the limits, a first time or after a reply that cannot stand; what was answered before a crash is not asked again. */
  async ask(asked: Asked, attempt: number, again?: Again): Promise<Answered> {
    const { answers, budget, caller, prompter } = this.#run;
    const { member, onReset } = asked;
    if (this.#learned) await this.#narrow();
    const bound = prompter.boundOf(member.id);
    const request = await this.#request(asked, attempt, again);
    const before = answers.recall(request);
    if (before !== undefined) {
      budget.spend(before.usage);
      request.onDelta?.(before.reply.text);
      return { request, called: before };
    }
    const [estimate, reserve] = await this.#estimates(member, request);
    const { agent } = member;
    try {
      return { request, called: await caller.call({ request, agent, estimate, reserve, onReset }) };
    } catch (error) {
      // A refusal may teach that the window is smaller: the prompt is folded to fit, and sent again.
      if (!(error instanceof AgentError)) throw error;
      await this.#narrow();
      if (prompter.boundOf(member.id) >= bound) throw error;
      return await this.ask(asked, attempt, again);
    }
  }

  /** Takes over what was learned of windows. */
  async #narrow(): Promise<void> {
    const { prompter, cast, boundOf } = this.#run;
    this.#learned = false;
    for (const member of cast.values()) {
      if (member.agent.window === undefined) continue;
      const bound = await boundOf(member);
      if (bound < prompter.boundOf(member.id)) await prompter.bind(member.id, bound);
    }
  }

  /** Asks once more after a limit was hit, from what was kept for it; undefined where that is not enough. */
  async callAfterStop(asked: Asked): Promise<Called | undefined> {
    const { budget, caller } = this.#run;
    const { member } = asked;
    const request = await this.#request(asked, 1);
    const [estimate] = await this.#estimates(member, request);
    if (!budget.fits(estimate)) return undefined;
    return await caller.callUnlimited({ request, agent: member.agent, estimate });
  }

  /** Takes out of the inbox what was said in a turn, or to a question, that is on record now. */
  async taken(key: string): Promise<void> {
    const id = this.#heard.get(key);
    if (id === undefined) return;
    this.#heard.delete(key);
    await this.#run.people.done(id);
  }

  async #request(asked: Asked, attempt: number, again?: Again): Promise<AgentRequest> {
    const { prompter, answers } = this.#run;
    const { key, member, tools, kind, purpose, schema, onText } = asked;
    const prompt = await prompter.build(asked.sight, { ...asked, shape: shapeOf(asked) });
    const messages = again === undefined ? prompt : [...prompt, ...repairOf(again, schema)];
    const context = this.#context(asked, attempt);
    const { tokens, effort, priority, temperature } = askOf(kind, purpose);
    const maxTokens = asked.maxTokens ?? tokens;
    const client = member.agent.model === CLIENT
      ? clientRequest({ messages, context, maxTokens, schema })
      : undefined;
    const waits = asked.waits === true || client !== undefined && purpose === "fold";
    return {
      messages,
      context,
      maxTokens,
      maxOutputTokens: this.#run.maxOutputTokens,
      keepReasoning: purpose !== "fold" && this.#run.keepReasoning,
      temperature: member.temperature,
      usualTemperature: temperature,
      reasoningEffort: member.reasoningEffort,
      usualEffort: effort,
      priority,
      tools,
      rounds: tools && answers.rounds(key, { context, messages }),
      schema,
      ...asked.asking === undefined ? {} : { asking: asked.asking },
      onDelta: onText,
      onNote: (note) => this.#note(member, note),
      hear: waits ? () => this.#hear(asked, client) : undefined,
    };
  }

  /** Records a difference between a request and what was sent, once a model. */
  #note({ agent: { model } }: CastMember, note: AgentNote): void {
    const event = note.type === "parameter_dropped" ? { ...note, model } : note;
    const id = JSON.stringify(event);
    if (this.#noted.has(id)) return;
    this.#noted.add(id);
    if (note.type === "profile_learned" && note.key === "window") this.#learned = true;
    this.#run.emitter.tell(event);
  }

  /** Purpose and place of a request; prompts show none of it. */
  #context(asked: Asked, attempt: number): RequestContext {
    const { key, purpose, member, seq, phase, kind, round, data } = asked;
    const { topic, seed } = this.#run;
    return {
      key,
      purpose,
      seq,
      phase,
      kind,
      round,
      attempt,
      data,
      topic,
      seed,
      participant: member.id,
      label: member.label,
      role: member.role,
      position: asked.position ?? member.position,
    };
  }

  /** Words of a person, after the task and the notes that a model would be given, or of a client. */
  async #hear(asked: Asked, request?: ClientRequest): Promise<string> {
    const { people, emitter, prompter, signal } = this.#run;
    const { key, member, round, task, ending, values, notes = "" } = asked;
    const turn = turnInfo(asked);
    const filled = fillTemplate(task, {
      ...prompter.values,
      position: member.position ?? "",
      round: String(round),
      name: member.name,
      ...values,
    });
    const shown = [unfenced(notes), filled, ending ?? ""].filter((part) => part !== "")
      .join("\n\n");
    const { text, id } = await people.listen({ participant: member.id, turn: key }, {
      request,
      signal,
      onWait: () => emitter.emit({ type: "turn-wait", turn, task: shown }),
      onAnswer: () => emitter.emit({ type: "turn-answer", turn }),
    });
    if (id !== undefined) this.#heard.set(key, id);
    return text;
  }

  /**
   * The most that a request may use, and the reserve for the summary of an early end, which reads about as much;
   * nothing is counted where no limit asks for it.
   */
  async #estimates(
    { agent }: CastMember,
    request: AgentRequest,
  ): Promise<readonly [call: Estimate, summary: Estimate]> {
    const { caller, prompter, prices, summaryTokens } = this.#run;
    if (!caller.counts) return [NOTHING, NOTHING];
    const { messages, maxTokens } = request;
    const input = await prompter.tokens(messages);
    const most = await agent.cap?.(request) ?? maxTokens ?? UNBOUNDED_TOKENS;
    const pricing = await pricingOf(agent, prices);
    const priced = (inputTokens: number, outputTokens: number) => {
      const { costUsd } = pricing({ inputTokens, cachedInputTokens: 0, outputTokens });
      return { tokens: inputTokens + outputTokens, cost: costUsd === "unknown" ? 0 : costUsd };
    };
    return [
      priced(input, most),
      summaryTokens === undefined ? NOTHING : priced(input + UNBOUNDED_TOKENS, summaryTokens),
    ];
  }
}

function clientRequest(request: ClientRequest["request"]): ClientRequest {
  const { key, attempt, participant } = request.context;
  return { id: sha256(`${key} ${attempt}`).slice(0, 12), turn: key, participant, request };
}

/** The length of a turn in words: a range that it is held to, or what its tokens come to. */
export function lengthInWords(maxTokens = UNBOUNDED_TOKENS, held?: WordRange | undefined): string {
  if (held !== undefined) return `${held.min} to ${held.max} words`;
  return fillTemplate(ASKING_TEXTS.length, { count: String(wordsFor(maxTokens)) });
}

/** Place of a turn or question, as events give it. */
export function turnInfo(
  { seq, key, member, phase, kind, round }: Pick<
    Asked,
    "seq" | "key" | "member" | "phase" | "kind" | "round"
  >,
): TurnInfo {
  return { seq, turn: key, participant: member.id, name: member.name, phase, kind, round };
}

/** The messages that ask again: the reply, and what is wrong with it. */
export function repairOf({ said, why, unreadable }: Again, schema?: ReplySchema): ChatMessage[] {
  const { unreadable: inShape, rejected } = ASKING_TEXTS;
  const reason = quoted(why);
  const task = unreadable === true && schema !== undefined
    ? fillTemplate(inShape, { reason, shape: quoted(JSON.stringify(jsonSchemaOf(schema.type))) })
    : fillTemplate(rejected, { reason });
  return [{ role: "assistant", content: said || "(nothing)" }, { role: "user", content: task }];
}

/** The keys and types of a reply in words; a person may answer as people do. */
export function shapeOf({ schema, member }: Pick<Asked, "schema" | "member">): string | undefined {
  if (schema === undefined || member.agent.model === HUMAN) return undefined;
  return fillTemplate(ASKING_TEXTS.shape, { shape: quoted(shapeInWords(schema.type)) });
}

/** The value of a structured reply, or why that cannot be read, as the one who is asked again is told. */
export function readReply<T>(
  { reply: { text, finishReason } }: Called,
  { type }: ReplySchema<T>,
): ReturnType<typeof readStructured<T>> {
  if (finishReason === "refused") return { problem: "The provider refused to answer." };
  const reading = readStructured(text, type);
  if (reading.problem === undefined || finishReason !== "length") return reading;
  return { problem: `The reply was cut off at its token limit: be shorter. ${reading.problem}` };
}

/** Context that the parts of one run share. */
export interface RunContext
  extends Pick<CommonConfig, "topic" | "keepReasoning" | "maxOutputTokens" | "words" | "prices"> {
  /** The convening's seed, for agents that are no models. */
  readonly seed: number;
  readonly cast: ReadonlyMap<string, CastMember>;
  /** The record as it was when the run began, and what turns of this run left beside their messages. */
  readonly past: Past;
  readonly prompter: Prompter;
  /** The most tokens of a member's prompts, by what is known of its model now. */
  readonly boundOf: (member: CastMember) => Promise<number>;
  /** The biases that are known of a judge's model, a sentence each. */
  readonly biasesOf: (model: string) => Promise<readonly string[]>;
  readonly asker: Asker;
  readonly caller: Caller;
  readonly emitter: Emitter;
  readonly budget: Budget;
  /** Answers that no fact carries yet. */
  readonly answers: Answers;
  readonly people: People;
  /** Ends with the run. */
  readonly signal: AbortSignal;
  /** The time, as records write it. */
  readonly now: () => string;
  /** The kinds of turns that the range holds for. @default all */
  readonly wordedKinds?: readonly string[] | undefined;
  /** The most tokens of the summary of an early end; undefined where a template makes it. */
  readonly summaryTokens?: number | undefined;
}

/** The provenance of words that cost nothing: a template's, a person's, a failure's. */
export function madeFree({ now }: RunContext, model: string): Made {
  return { model, usage: NO_USAGE, latencyMs: 0, createdAt: now() };
}
