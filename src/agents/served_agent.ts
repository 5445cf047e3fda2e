// The agent behind a model server, whatever its protocol: tools, larger caps, lessons of refusals, the provider's limiter.
import {
  type Agent,
  type AgentReply,
  type AgentRequest,
  type ChatMessage,
  type FinishReason,
  MAX_TOOL_ITERATIONS,
  type ModelSource,
  type ReplyRounds,
  type ToolTrace,
} from "../core/agent.ts";
import { AgentError, CancelledError } from "../core/error.ts";
import { addUsage, type Served } from "../core/message.ts";
import type { Profile, ProfileKeys } from "../core/profile.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { jsonIn, memo } from "../core/values.ts";
import {
  type Change,
  changeFor,
  fits,
  isRepeated,
  learn,
  learnedKeys,
  lessonsOf,
} from "./learned.ts";
import { Deadline, type Limiter, limiterOf, limiterWithin, LONGEST_PAUSE } from "./limiter.ts";
import {
  asAgentError,
  clockTime,
  type Endpoint,
  failure,
  type OpenAIAgentOptions,
  TOTAL_TIMEOUT,
} from "./openai_client.ts";
import { ANSWER_TOOL, wireRequest, wireSchema } from "./openai_request.ts";
import type { Completion } from "./openai_stream.ts";
import { type CallingReply, callingReply, earlierReply, Said, toolRound } from "./openai_tools.ts";
import { capWithin, planOf, type RequestPlan } from "./request_plan.ts";

/** Loads the table of profiles, with the first request. */
const profiles = memo(() => import("./profiles.ts"));

/** Milliseconds without a part of a reply. */
const IDLE_TIMEOUT = 60_000;
/** The path at which Ollama gives its window; it cuts longer prompts without an error. */
const OLLAMA_WINDOW = "/api/ps";
/** The least share of our own count that a server reads of a whole prompt. */
const READ_SHARE = 0.8;
/** Number of times that a cap is doubled after hidden reasoning used it up. */
const DOUBLINGS = 2;

export interface ServedOptions extends
  Pick<
    OpenAIAgentOptions,
    "profile" | "apiKey" | "idleTimeout" | "totalTimeout" | "maxConcurrency" | "maxWait"
  > {
  readonly endpoint: Endpoint;
  readonly source: ModelSource;
  /** The provider's name for the profile. @default the server of the source's address */
  readonly provider?: string | undefined;
}

export interface ServedReply extends Omit<Completion, "usage"> {
  readonly usage: AgentReply["usage"];
  /** Parts that the next prompt repeats, with signatures. @default the text and the calls are enough */
  readonly parts?: readonly { readonly type: string }[] | undefined;
}

/** A request on its way; `M` is a message of the protocol. */
export interface Sending<M> {
  readonly messages: readonly M[];
  /** True if tools may be called; else they are named only because messages have their results. */
  readonly mayCall: boolean;
  readonly onText: (text: string) => void;
  readonly request: AgentRequest;
  readonly profile: Profile;
  readonly plan: RequestPlan;
  readonly limiter: Limiter;
  readonly deadline: Deadline;
}

/** Parts of one request that hold however often it is sent. */
type Round<M> = Pick<Sending<M>, "request" | "messages" | "mayCall" | "onText">;

/** Speaks a protocol. */
export interface Sender<M> {
  /** True if earlier replies can only be repeated with their parts. */
  readonly needsParts: boolean;
  load(): Promise<unknown>;
  prompt(messages: readonly ChatMessage[], profile: Profile): M[];
  /** Sends one request; fails as it comes, with a `status` where the server gave one. */
  send(sending: Sending<M>): Promise<ServedReply>;
  afterTools(calling: CallingReply, traces: readonly ToolTrace[], profile: Profile): readonly M[];
}

interface Sent {
  readonly reply: ServedReply;
  readonly plan: RequestPlan;
  readonly usage: AgentReply["usage"];
}

/**
 * An agent that builds requests from the model's profile and sends them by its sender. A refusal by name changes the
 * profile for the process; an empty reply that hidden reasoning cut off is asked for again with twice the cap, two times
 * at most; tools are called until the model answers, ten rounds at most.
 */
export class ServedAgent<M extends { readonly content?: unknown }> implements Agent {
  readonly model: string;
  readonly source: ModelSource;
  readonly #sender: Sender<M>;
  readonly #options: ServedOptions;
  /** Number of rounds whose usage an error carried: a further attempt finds these rounds again. */
  readonly #charged = new WeakMap<ReplyRounds, number>();
  #limiter: Limiter | undefined;

  constructor(sender: Sender<M>, options: ServedOptions) {
    this.model = options.endpoint.model;
    this.source = options.source;
    this.#sender = sender;
    this.#options = options;
  }

  async load(): Promise<void> {
    await this.#sender.load();
  }

  check(): Promise<void> {
    return this.load();
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const usages: AgentReply["usage"][] = [];
    try {
      return await this.#reply(request, usages);
    } catch (error) {
      const { rounds } = request;
      if (error instanceof AgentError) {
        error.usage = usageWith(usages, error);
        if (rounds !== undefined) {
          this.#charged.set(rounds, this.#chargedOf(rounds) + usages.length);
        }
      }
      throw error;
    }
  }

  async #reply(request: AgentRequest, usages: AgentReply["usage"][]): Promise<AgentReply> {
    const profile = await this.#profile();
    const messages = this.#sender.prompt(request.messages, profile);
    const traces: ToolTrace[] = [];
    const thoughts: string[] = [];
    const said = new Said(request.onDelta);
    const { tools = [], signal, rounds } = request;
    const charged = this.#chargedOf(rounds);
    for (let number = 0;; number++) {
      const mayCall = number < MAX_TOOL_ITERATIONS;
      let calling = mayCall && tools.length > 0 ? earlierReply(rounds, number) : undefined;
      if (calling === undefined || this.#sender.needsParts && calling.parts === undefined) {
        const onText = (text: string) => said.add(text);
        const sent = await this.#complete({ request, messages, mayCall, onText });
        const { reply, usage } = sent;
        if (reply.reasoning !== "") thoughts.push(reply.reasoning);
        said.settle(reply.text);
        const answer = reply.toolCalls.find(({ name }) => name === ANSWER_TOOL);
        const isLast = reply.toolCalls.length === 0 || tools.length === 0 || !mayCall;
        if (isLast || answer !== undefined && sent.plan.json === "tool") {
          if (answer !== undefined) said.add(answer.arguments);
          const text = answer?.arguments ??
            (request.schema === undefined ? said.text : reply.text);
          return {
            text: text === "" ? reply.refusal : text,
            finishReason: finishReason(reply),
            model: this.model,
            served: this.#served(sent),
            usage: sumUsage([...usages, usage]),
            ...(thoughts.length === 0 ? {} : { reasoning: thoughts.join("\n\n") }),
            ...(traces.length === 0 ? {} : { toolCalls: traces }),
          };
        }
        calling = callingReply(reply, usage);
      } else if (calling.text !== "") said.add(calling.text);
      if (number >= charged) usages.push(calling.usage);
      const leave = (left: CallingReply) => rounds?.keep(number, left);
      const made = await toolRound(calling, { tools, signal, earlier: traces, leave });
      messages.push(...this.#sender.afterTools(calling, made, profile));
      traces.push(...made);
      said.pause();
    }
  }

  /** The server's origin; undefined for an instance without an address, of which nothing is learned. */
  get #origin(): string | undefined {
    const { url } = this.source;
    return url === undefined ? undefined : new URL(url).origin;
  }

  #chargedOf(rounds: AgentRequest["rounds"]): number {
    return rounds === undefined ? 0 : this.#charged.get(rounds) ?? 0;
  }

  async cap(request: Omit<AgentRequest, "context">): Promise<number | undefined> {
    return (await this.#planned(await this.#profile(), request, request.messages)).cap;
  }

  async window(): Promise<number | undefined> {
    return (await this.#profile()).window;
  }

  async #profile(): Promise<Profile> {
    const { profileOf } = await profiles();
    const { source: { model, url: baseUrl = "" }, provider, profile } = this.#options;
    const learned = learnedKeys(this.#origin, model);
    return profileOf({
      model,
      baseUrl,
      provider,
      learned,
      user: profile as ProfileKeys | undefined,
    }).profile;
  }

  /** The plan of a request; its cap leaves room for the prompt. */
  async #planned(
    profile: Profile,
    request: Omit<AgentRequest, "context">,
    messages: readonly { readonly content?: unknown }[],
  ): Promise<RequestPlan> {
    const plan = planOf(profile, request);
    const { window } = profile;
    if (plan.cap === undefined || window === undefined) return plan;
    const text = textOf(messages);
    // A token has a character at least: most prompts need no counting.
    if (text.length + plan.cap <= window) return plan;
    const count = await loadTokenCounter();
    return { ...plan, cap: capWithin(profile, plan.cap, count(text)) };
  }

  /** Notes that a server without an error for long prompts read less than was sent, and learns the window that it names. */
  async #noteCut(
    profile: Profile,
    { usage }: ServedReply,
    { request, messages }: Round<M>,
  ): Promise<void> {
    const origin = this.#origin;
    const { model } = this.source;
    if (profile.windowFrom !== OLLAMA_WINDOW || origin === undefined) return;
    const count = await loadTokenCounter();
    const asked = count(textOf(messages));
    const sent = usage.inputTokens;
    if (sent >= asked * READ_SHARE) return;
    const { loadedWindow } = await import("./local_servers.ts");
    const window = learnedKeys(origin, model).window ??
      await loadedWindow("ollama", { origin, model, signal: request.signal });
    // The count may lack what the server had in its cache.
    if (window !== undefined && asked <= window * READ_SHARE) return;
    const because = "the server cut the prompt; set OLLAMA_CONTEXT_LENGTH";
    request.onNote?.({ type: "parameter_dropped", parameter: "prompt", asked, sent, because });
    if (window === undefined || window === profile.window) return;
    this.#learn({ key: "window", from: profile.window, to: window, because }, request);
  }

  /** One request: put in another way as often as the server refuses it by name, and with more room for hidden reasoning. */
  async #complete(round: Round<M>): Promise<Sent> {
    const { request, messages, mayCall } = round;
    const spent: AgentReply["usage"][] = [];
    const refused = new Set<string>();
    this.#noteLessons(request);
    for (let factor = 1;;) {
      const profile = await this.#profile();
      const planned = await this.#planned(profile, request, messages);
      const most = Math.min(profile.output ?? Infinity, request.maxOutputTokens ?? Infinity);
      const cap = planned.cap && Math.min(planned.cap * factor, most);
      const plan = { ...planned, cap };
      for (const note of plan.notes) request.onNote?.(note);
      try {
        const reply = await this.#limited({ ...round, profile, plan });
        spent.push(reply.usage);
        await this.#noteCut(profile, reply, round);
        if (isUsedUp(reply)) {
          if (factor < 2 ** DOUBLINGS && cap !== undefined && cap < most) {
            factor *= 2;
            continue;
          }
          throw this.#usedUp(plan);
        }
        this.#checkForm(reply, { request, profile, plan });
        return { reply, plan, usage: sumUsage(spent) };
      } catch (error) {
        const { schema, tools = [] } = request;
        const parts = { model: this.source.model, messages: [], schema, tools, mayCall, plan };
        const body = wireRequest(parts, profile);
        const change = changeFor(profile, body, error, this.#options.endpoint.secrets);
        const step = JSON.stringify([change?.key, change?.to]);
        // A demand of the user that the server refuses is an error; so is a change that did not help.
        if (change === undefined || refused.has(step) || !this.#learn(change, request)) {
          const failed = asAgentError(error, this.#options.endpoint);
          if (failed instanceof AgentError) failed.usage = usageWith(spent, failed);
          throw failed;
        }
        refused.add(step);
      }
    }
  }

  /** Notes the lessons that a request is built with: an earlier convening may have learned them. */
  #noteLessons({ onNote }: AgentRequest): void {
    const { source: { model }, profile = {} } = this.#options;
    for (const { at: learnedAt, ...lesson } of lessonsOf(this.#origin, model)) {
      if (Object.hasOwn(profile, lesson.key)) continue;
      onNote?.({ type: "profile_learned", ...lesson, learnedAt });
    }
  }

  /** Keeps a lesson; false if the key of the profile is the user's, or the server has no address. */
  #learn(change: Change, { onNote }: AgentRequest): boolean {
    const { source: { model }, profile = {} } = this.#options;
    const origin = this.#origin;
    if (origin === undefined || Object.hasOwn(profile, change.key)) return false;
    const lesson = { origin, model, ...change };
    const learnedAt = learn(lesson);
    onNote?.({ type: "profile_learned", ...lesson, learnedAt });
    return true;
  }

  /** Learns that a schema was ignored: a server that honours it gives no other shape. */
  #checkForm(
    { text, toolCalls, refusal, finishReason }: ServedReply,
    { request, profile, plan }: Pick<Sending<M>, "request" | "profile" | "plan">,
  ): void {
    if (request.schema === undefined || (plan.json !== "schema" && plan.json !== "object")) return;
    if (toolCalls.length > 0 || refusal !== "" || finishReason !== "stop") return;
    // An empty reply says nothing about the schema.
    if (text.trim() === "") return;
    const value = jsonIn(text);
    const { schema, strict } = wireSchema(request.schema.type);
    const isKept = plan.json === "schema" && strict
      ? fits(value, schema)
      : typeof value === "object" && value !== null;
    if (isKept) return;
    const origin = this.#origin;
    if (origin === undefined || !isRepeated(origin, this.source.model)) return;
    const because = `the reply is not of the shape of response_format ${plan.json}`;
    this.#learn({ key: "json", from: profile.json, to: ["prompt"], because }, request);
  }

  #usedUp({ cap, effort }: RequestPlan): Error {
    return failure("agent_bad_reply", {
      endpoint: this.#options.endpoint,
      state: `hidden reasoning used the whole cap of ${cap} tokens`,
      retryable: false,
      hint: `Lower reasoningEffort${
        effort === undefined ? "" : `, which is ${effort}`
      }, or raise maxOutputTokens.`,
    });
  }

  #served({ reply: { model, fingerprint, requestId }, plan }: Sent): Served {
    return {
      ...(model === undefined || model === this.source.model ? {} : { model }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(plan.cap === undefined ? {} : { cap: plan.cap }),
      ...(plan.sendsEffort ? { effort: plan.effort } : {}),
    };
  }

  /** Sends a request when the provider's limiter has room, and tells the limiter what came of it. */
  async #limited(sending: Omit<Sending<M>, "limiter" | "deadline">): Promise<ServedReply> {
    const { request: { signal, priority }, profile } = sending;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const { source, apiKey, maxConcurrency, maxWait = LONGEST_PAUSE, endpoint } = this.#options;
    const bounds = { limits: profile.limits, maxConcurrency };
    // A server and key have one limiter; an instance without an address has its own.
    const limiter = this.#limiter ??= source.url === undefined
      ? limiterWithin(endpoint.provider, bounds)
      : limiterOf({ baseUrl: source.url, apiKey }, bounds);
    const { pausedMs } = limiter.state;
    if (pausedMs > maxWait) {
      throw failure("agent_rate_limited", {
        endpoint,
        state: `it takes no requests for ${Math.ceil(pausedMs / 1000)} s, as it said`,
        retryable: false,
        retryAfter: pausedMs,
        hint: `Resume after ${clockTime(pausedMs)}, or raise maxWait.`,
      });
    }
    const send = () => this.#send({ ...sending, limiter });
    return await limiter.run({ priority, signal }, send).catch((error: unknown) => {
      throw signal?.aborted && error === signal.reason ? new CancelledError(error) : error;
    });
  }

  async #send(sending: Omit<Sending<M>, "deadline">): Promise<ServedReply> {
    const { request: { signal }, limiter } = sending;
    const { idleTimeout: idle = IDLE_TIMEOUT, totalTimeout: total = TOTAL_TIMEOUT, endpoint } =
      this.#options;
    // The package or client is loaded outside of the time that a reply has.
    await this.#sender.load();
    using deadline = new Deadline({ idle, total, signal });
    const expired = (broken?: unknown): Error => {
      const usage = broken instanceof AgentError ? broken.usage : undefined;
      if (deadline.expiry === "cancelled") return new CancelledError(signal?.reason);
      const state = deadline.expiry === "idle"
        ? `nothing came for ${idle} ms`
        : `the reply was not whole after ${total} ms`;
      return failure("agent_timeout", { endpoint, state, retryable: true, usage });
    };
    try {
      const reply = await this.#sender.send({ ...sending, deadline });
      limiter.succeeded();
      if (deadline.expiry !== undefined) throw expired();
      return reply;
    } catch (error) {
      // An aborted stream reaches us as an error of the client or package.
      if (deadline.expiry !== undefined) throw expired(error);
      const failed = asAgentError(error, endpoint);
      // While the slot is still taken: the requests that wait for it must meet the pause.
      if (failed instanceof AgentError && isBusy(failed)) limiter.refused(failed.retryAfter);
      throw error;
    }
  }
}

/** The sum of the usages of replies and of the error after them. */
function usageWith(
  replies: readonly AgentReply["usage"][],
  { usage }: AgentError,
): AgentError["usage"] {
  const all = usage === undefined ? replies : [...replies, usage];
  return all.length === 0 ? undefined : sumUsage(all);
}

/** True if hidden reasoning used up the cap before the answer began. */
function isUsedUp({ text, toolCalls, refusal, finishReason }: ServedReply): boolean {
  return finishReason === "length" && text.trim() === "" && refusal === "" &&
    toolCalls.length === 0;
}

/** True if a server refused a request because it has too many. */
function isBusy({ status, retryable, retryAfter }: AgentError): boolean {
  return retryable &&
    (status === 429 || status === 529 || status === 503 && retryAfter !== undefined);
}

function finishReason({ finishReason, refusal }: ServedReply): FinishReason {
  if (refusal !== "" || /^(?:refused|content_filter)$/.test(finishReason)) return "refused";
  return finishReason === "length" ? "length" : "stop";
}

function textOf(messages: readonly { readonly content?: unknown }[]): string {
  return messages.map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content ?? "")
  ).join("\n");
}

/** Usage of one request; tokens that the server did not count are counted here. */
export async function usageOf(
  { usage, text, reasoning: thought, toolCalls }: Pick<
    Completion,
    "usage" | "text" | "reasoning" | "toolCalls"
  >,
  messages: readonly { readonly content?: unknown }[],
): Promise<AgentReply["usage"]> {
  if (usage !== undefined) return usage;
  const count = await loadTokenCounter();
  const read = messages.map(({ content }) => typeof content === "string" ? content : "");
  const written = toolCalls.map((call) => call.name + call.arguments);
  return {
    inputTokens: count(read.join("\n")),
    cachedInputTokens: 0,
    outputTokens: count([text, thought, ...written].join("\n")),
  };
}

/** The sum over the requests of one reply; a cost that one of them lacks is left to the price table. */
function sumUsage(usages: readonly AgentReply["usage"][]): AgentReply["usage"] {
  const priced = usages.every(({ costUsd }) => costUsd !== undefined);
  const { costUsd, ...tokens } = usages
    .map((usage) => ({ ...usage, costUsd: usage.costUsd ?? 0 }))
    .reduce(addUsage);
  return priced ? { ...tokens, costUsd } : tokens;
}
