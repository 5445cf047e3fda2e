// Asks a cast member for a turn, an answer or a summary: builds the request, reuses stored answers, waits for people, estimates cost.
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
import { askOf, UNBOUNDED_TOKENS, wordsFor } from "../core/profile.ts";
import { fillTemplate, quoted, textsOf, withoutTags } from "../core/prompt.ts";
import { AgentError } from "../core/error.ts";
import type { TurnInfo } from "../core/event.ts";
import { addUsage, type Made, NO_USAGE, sha256 } from "../core/message.ts";
import type { Rubric } from "../core/outcome.ts";
import type { RecordedFacts } from "../core/record.ts";
import { linesInWords, NO_OBJECT, readStructured, shapeInWords } from "../core/schema.ts";
import { shortened } from "../core/text.ts";
import { fieldOf, notesText } from "../core/turn.ts";
import type { WordRange } from "../core/words.ts";
import {
  type Answered,
  type Answers,
  type Call,
  type Called,
  type Caller,
  takeUsage,
  withUsageOfBoth,
} from "./caller.ts";
import type { Budget, Estimate } from "./budget.ts";
import { ofAgent } from "./run_stop.ts";
import type { CastMember } from "../core/participant.ts";
import type { Emitter } from "./emitter.ts";
import type { ClientRequest, People } from "./people.ts";
import type { Prompter, PromptTail, TranscriptView } from "./prompter.ts";
import { fitDesign, promptBound } from "./start.ts";
import type { WorkflowOptions } from "./workflow_options.ts";

export const ASKING_TEXTS = textsOf(asking);

const NOTHING: Estimate = { tokens: 0, cost: 0 };
const CUT_OFF = "The reply was cut off at its token limit: be shorter.";
/** The most code points that the next attempt's prompt quotes of a reply that was cut off. */
const MOST_CUT_WORDS = 1000;

/** A request to a cast member, with its place in the convening. */
export interface Asked extends PromptTail {
  readonly key: string;
  readonly purpose: RequestContext["purpose"];
  /** Number of the requested message; 0 for questions and summaries. */
  readonly seq: number;
  readonly kind: string;
  /** Part of the transcript in the prompt. */
  readonly view: TranscriptView;
  readonly data?: unknown;
  /** Number of earlier askings of the same question. @default 0 */
  readonly asking?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly schema?: ReplySchema | undefined;
  readonly tools?: readonly Tool[] | undefined;
  /** True if a person or client may answer without a deadline of the request. @default false */
  readonly waits?: boolean | undefined;
  readonly onText?: AgentRequest["onDelta"];
  /** Called when streamed text becomes invalid because the request is retried. */
  readonly onReset?: Call["onReset"];
}

/** A rejected reply, which the next attempt's prompt quotes with the reason. */
interface RejectedReply {
  readonly said: string;
  readonly why: string;
  /** True if the reply did not fit the schema. @default false */
  readonly unreadable?: boolean | undefined;
}

export class Asker {
  readonly #run: RunContext;
  /** Ids of submissions in the inbox that answered a turn or question, by its key, until the answer is recorded. */
  readonly #submissions = new Map<string, string>();
  /** Notes of agents that were already emitted, as JSON. */
  readonly #noted = new Set<string>();
  /** True if an agent learned its model's context window and the prompt bounds are not updated yet. */
  #learned = false;

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Asks within the limits; `rejected` is the reply of the attempt before. Returns a stored answer if an interrupted run got one. */
  async ask(asked: Asked, attempt: number, rejected?: RejectedReply): Promise<Answered> {
    const { answers, budget, caller, prompter } = this.#run;
    const { member, onReset } = asked;
    if (this.#learned) await this.#lowerBounds();
    const bound = prompter.boundOf(member.id);
    const request = await this.#request(asked, attempt, rejected);
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
      // The error may show that the context window is smaller: fold the prompt to fit, and send it again.
      if (!(error instanceof AgentError)) throw error;
      await this.#lowerBounds();
      if (prompter.boundOf(member.id) >= bound) throw error;
      const lost = takeUsage(error);
      const again = await this.ask(asked, attempt, rejected).catch((next: unknown) => {
        if (next instanceof AgentError) next.usage = addUsage(lost, takeUsage(next));
        throw next;
      });
      return { ...again, called: withUsageOfBoth({ usage: lost, latencyMs: 0 }, again.called) };
    }
  }

  /** Lowers the prompt bounds of members whose agents learned a smaller context window, and fits the design's texts anew. */
  async #lowerBounds(): Promise<void> {
    const { prompter, cast, options } = this.#run;
    this.#learned = false;
    for (const member of cast.values()) {
      if (member.agent.window === undefined) continue;
      const bound = await promptBound(member, options);
      if (bound >= prompter.boundOf(member.id)) continue;
      await prompter.bind(member.id, bound);
      await fitDesign(cast, options);
    }
  }

  /** Asks once after a limit was hit, within the reserve for the summary; undefined if the reserve is too small. */
  async callAfterStop(asked: Asked): Promise<Called | undefined> {
    const { budget, caller } = this.#run;
    const { member } = asked;
    const request = await this.#request(asked, 1);
    const [estimate] = await this.#estimates(member, request);
    if (!budget.fits(estimate)) return undefined;
    return await caller.callUnlimited({ request, agent: member.agent, estimate });
  }

  /**
   * Removes from the inbox the submission that answered a turn, question or summary, after the answer is recorded. Returns
   * undefined for an answer without a submission, so that a caller need not wait.
   */
  removeSubmission(key: string): Promise<void> | undefined {
    const id = this.#submissions.get(key);
    this.#submissions.delete(key);
    return id === undefined ? undefined : this.#run.people.done(id);
  }

  async #request(asked: Asked, attempt: number, rejected?: RejectedReply): Promise<AgentRequest> {
    const { prompter, answers, options } = this.#run;
    const { key, member, tools, kind, purpose, schema, onText } = asked;
    const prompt = await prompter.build(asked.view, { ...asked, shape: shapeOf(asked) });
    const messages = rejected === undefined ? prompt : [...prompt, ...repairOf(rejected, schema)];
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
      maxOutputTokens: options.maxOutputTokens,
      keepReasoning: purpose !== "fold" && options.keepReasoning,
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
      hear: waits ? () => this.#listen(asked, rejected, client) : undefined,
    };
  }

  /** Emits an agent's note about a model, such as a dropped parameter, once. */
  #note({ agent: { model } }: CastMember, note: AgentNote): void {
    const event = note.type === "parameter_dropped" ? { ...note, model } : note;
    // Each prompt that a server cuts has token counts of its own.
    const isCut = event.type === "parameter_dropped" && event.parameter === "prompt";
    const id = isCut ? model : JSON.stringify(event);
    if (this.#noted.has(id)) return;
    this.#noted.add(id);
    if (note.type === "profile_learned" && note.key === "window") this.#learned = true;
    this.#run.emitter.post(event);
  }

  /** Returns the purpose and place of a request, which agents use and prompts do not show. */
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

  /**
   * Waits for the words of a person or client. The event `turn-wait` shows the reason why the last words were
   * rejected, then the task and notes that a model's prompt would have.
   */
  async #listen(
    asked: Asked,
    rejected: RejectedReply | undefined,
    request: ClientRequest | undefined,
  ): Promise<string> {
    const { people, emitter, prompter, signal } = this.#run;
    const { key, member, round, task, ending, values, notes } = asked;
    // Rejected words must not answer again.
    await this.removeSubmission(key);
    const turn = turnInfo(asked);
    const filled = fillTemplate(task, {
      ...prompter.values,
      position: member.position ?? "",
      round: String(round),
      name: member.name,
      ...values,
    });
    // People write lines, not JSON.
    const isPerson = member.agent.model === HUMAN;
    const why = rejected?.why === NO_OBJECT && isPerson
      ? "No line begins with a name and a colon."
      : rejected?.why;
    const state = rejected?.unreadable === true ? "could not be read" : "was rejected";
    const again = rejected === undefined ? "" : `What you wrote ${state}: ${why}`;
    const lines = isPerson ? linesOf(asked) : "";
    const shown = [again, ...[notesText(notes), filled, ending ?? ""].map(withoutTags), lines]
      .filter((part) => part !== "").join("\n\n");
    const { text, id } = await people.listen({ participant: member.id, turn: key }, {
      request,
      signal,
      onWait: () => emitter.emit({ type: "turn-wait", turn, task: shown }),
      onAnswer: () => emitter.emit({ type: "turn-answer", turn }),
    });
    if (id !== undefined) this.#submissions.set(key, id);
    return text;
  }

  /**
   * Returns the most that a request can use, and the reserve for the summary of an early end, whose prompt is about as long.
   * Both are zero if no limit needs estimates.
   */
  async #estimates(
    { agent }: CastMember,
    request: AgentRequest,
  ): Promise<readonly [call: Estimate, summary: Estimate]> {
    const { caller, prompter, signal, options: { prices, design } } = this.#run;
    if (!caller.counts) return [NOTHING, NOTHING];
    const { messages, maxTokens } = request;
    const input = await prompter.tokens(messages);
    const cap = await ofAgent(agent, "cap", signal, () => agent.cap?.(request));
    const most = cap ?? maxTokens ?? UNBOUNDED_TOKENS;
    const pricing = await pricingOf(agent, prices);
    const priced = (inputTokens: number, outputTokens: number) => {
      const { costUsd } = pricing({ inputTokens, cachedInputTokens: 0, outputTokens });
      return { tokens: inputTokens + outputTokens, cost: costUsd === "unknown" ? 0 : costUsd };
    };
    return [
      priced(input, most),
      // A template needs no reserve.
      design?.summariser === undefined
        ? NOTHING
        : priced(input + UNBOUNDED_TOKENS, design.summariser.maxTokens),
    ];
  }
}

function clientRequest(request: ClientRequest["request"]): ClientRequest {
  const { key, attempt, participant } = request.context;
  return { id: sha256(`${key} ${attempt}`).slice(0, 12), turn: key, participant, request };
}

/** Returns a turn's length in words for the prompt: the required range, else the equivalent of the token cap. */
export function lengthInWords(maxTokens = UNBOUNDED_TOKENS, range?: WordRange | undefined): string {
  if (range !== undefined) return `${range.min} to ${range.max} words`;
  return fillTemplate(ASKING_TEXTS.length, { count: String(wordsFor(maxTokens)) });
}

/** Place of a turn or question, and the member that is asked. */
export type Place = Pick<Asked, "seq" | "key" | "member" | "phase" | "kind" | "round">;

/** Returns the place of a turn or question for events. */
export function turnInfo({ seq, key, member, phase, kind, round }: Place): TurnInfo {
  return { seq, turn: key, participant: member.id, name: member.name, phase, kind, round };
}

/** Returns the messages that ask again: the rejected reply, of fields the speech alone, and the reason and form as a new task. */
export function repairOf(
  { said, why, unreadable }: RejectedReply,
  schema?: ReplySchema,
): ChatMessage[] {
  const { unreadable: inForm, rejected } = ASKING_TEXTS;
  const shape = schema === undefined ? "" : formOf(schema);
  const template = unreadable === true && schema !== undefined ? inForm : rejected;
  const task = fillTemplate(template, { reason: quoted(why), shape }).trimEnd();
  // The beginning of a cut reply is enough: all of its words may not fit the context window.
  const shown = why.startsWith(CUT_OFF) ? shortened(said, MOST_CUT_WORDS) : said;
  return [{ role: "assistant", content: shown || "(nothing)" }, { role: "user", content: task }];
}

/** Describes the keys and types of a structured reply for the prompt; undefined for plain text and for people. */
export function shapeOf({ schema, member }: Pick<Asked, "schema" | "member">): string | undefined {
  return schema === undefined || member.agent.model === HUMAN ? undefined : formOf(schema);
}

/** Returns the instruction that names the keys and types of a structured reply. */
export function formOf({ type }: Pick<ReplySchema, "type">): string {
  return fillTemplate(ASKING_TEXTS.shape, { shape: quoted(shapeInWords(type)) });
}

/** Parses a structured reply. Returns its value, or the problem as the next attempt's prompt states it. */
export function readReply<T>(
  { reply: { text, finishReason } }: Called,
  { type }: ReplySchema<T>,
): ReturnType<typeof readStructured<T>> {
  if (finishReason === "refused") return { problem: "The provider refused to answer." };
  const reading = readStructured(text, type);
  if (reading.problem === undefined || finishReason !== "length") return reading;
  return { problem: `${CUT_OFF} ${reading.problem}` };
}

/** State and services that the parts of one run share. */
export interface RunContext {
  readonly topic: string;
  readonly options: WorkflowOptions;
  /** The convening's seed, for offline and scripted agents. */
  readonly seed: number;
  readonly cast: ReadonlyMap<string, CastMember>;
  /** The record as it was when the run began, and the facts of this run's structured replies. */
  readonly past: RecordedFacts;
  readonly prompter: Prompter;
  /** Returns the known biases of a judge's model, a sentence each. */
  readonly biasesOf: (model: string) => Promise<readonly string[]>;
  readonly asker: Asker;
  readonly caller: Caller;
  readonly emitter: Emitter;
  readonly budget: Budget;
  /** Answers that are in no fact yet. */
  readonly answers: Answers;
  readonly people: People;
  /** Aborted when the run is cancelled or its stream is closed. */
  readonly signal: AbortSignal;
  /** Returns the time in ISO 8601. */
  readonly now: () => string;
}

/** Returns the provenance of text without usage: of a template, a person or a failure. */
export function madeWithoutUsage({ now }: RunContext, model: string): Made {
  return { model, usage: NO_USAGE, latencyMs: 0, createdAt: now() };
}

/** Describes to a person the lines that answer a question; empty for a turn, and for an answer that is one text. */
function linesOf({ schema, data }: Asked): string {
  if (schema === undefined) return "";
  const rubric = fieldOf(data, "rubric") as Rubric | undefined;
  const meanings = rubric?.criteria.map(({ id, description }) => [id, description]) ?? [];
  const lines = linesInWords(schema.type, Object.fromEntries(meanings));
  if (lines === undefined) return formOf(schema);
  return lines.includes("\n") ? fillTemplate(ASKING_TEXTS.lines, { shape: quoted(lines) }) : "";
}
