// The agent behind servers of OpenAI's chat completions: requests by profile, tools, larger caps, lessons of refusals.
import { z } from "zod";
import type OpenAI from "openai";
import type { Agent, AgentReply, AgentRequest, FinishReason, ModelSource } from "../core/agent.ts";
import type { Served } from "../core/message.ts";
import { callable, checkFields } from "../core/check_fields.ts";
import { AgentError, CancelledError } from "../core/error.ts";
import type { Tool, ToolTrace } from "../core/tool.ts";
import { jsonIn } from "../core/json_text.ts";
import { type Profile, type ProfileKeys, profileKeys } from "../core/profile.ts";
import { loadTokenCounter } from "../core/tokens.ts";
import { Deadline } from "./deadline.ts";
import { changeFor, fits, learn, learnedKeys, lessonsOf } from "./learned.ts";
import { type Limiter, limiterOf } from "./limiter.ts";
import {
  connect,
  endpointOf,
  OPENAI_URL,
  type OpenAIAgentOptions,
  TOTAL_TIMEOUT,
} from "./openai_client.ts";
import { asAgentError, clockTime, type Endpoint, failure } from "./openai_errors.ts";
import { ANSWER_TOOL, type WireMessage, type WireRequest, wireRequest } from "./openai_request.ts";
import { callingReply, earlierReply, Said, toolRound } from "./openai_round.ts";
import { wireSchema } from "./openai_schema.ts";
import { type Completion, readCompletion } from "./openai_stream.ts";
import { MAX_TOOL_ITERATIONS } from "./openai_tools.ts";
import { sumUsage, usageOf } from "./openai_usage.ts";
import { capWithin, planOf, type RequestPlan } from "./request_plan.ts";
import { partedAtClose, ThoughtFilter } from "./thought.ts";

/** The most bytes of a reply. */
const REPLY_BYTES = 4_000_000;

const text = z.string().optional();
const OPTIONS = z.strictObject({
  model: z.string().min(1),
  name: text,
  baseUrl: text,
  provider: text,
  apiKeyEnv: text,
  idleTimeout: z.number().optional(),
  totalTimeout: z.number().optional(),
  maxReplyBytes: z.number().optional(),
  fetch: callable.optional(),
  prefix: text,
  profile: profileKeys.optional(),
  maxConcurrency: z.int().min(1).optional(),
  maxWait: z.number().min(0).optional(),
  // No error shows what is secret.
  apiKey: z.unknown().optional(),
  headers: z.unknown().optional(),
});

/**
 * An agent behind any server that speaks OpenAI's chat completions: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM …
 *
 * Replies are streamed. A request is built from the model's profile; what a server refuses by name (`stream_options`, a
 * JSON schema, `max_tokens`, `temperature`, `seed`, an effort) is left out or put another way and remembered for the
 * server and model. Tools are called until the model answers, ten rounds at most. An empty reply that hidden reasoning cut off is
 * asked for again with twice the cap, two times at most. No redirect is followed. Nothing is sent again after a failure:
 * that is the engine's part. Without counts from the server, tokens are counted here.
 *
 * With a schema, the text is the last request's alone; without, what was said between tool calls is part of it. Thought
 * text is never part of the text.
 *
 * Fails with an `AgentError` (`agent_auth`, `agent_rate_limited`, `agent_timeout`, `agent_unreachable`,
 * `agent_bad_reply`) that names model, provider and status, or with a `CancelledError`. A key or header that cannot be
 * sent is a `ConfigurationError` at once.
 */
export function createOpenAIAgent(options: OpenAIAgentOptions): Agent {
  return new OpenAIAgent(checkFields(options, OPTIONS, "options of createOpenAIAgent"));
}

/** Milliseconds that a provider may have requests wait. */
const LONGEST_WAIT = 120_000;
/** Number of times that a cap is doubled after hidden reasoning used it up. */
const DOUBLINGS = 2;

/** A completion, and the plan and body it answers. */
interface Sent {
  readonly completion: Completion;
  readonly plan: RequestPlan;
  readonly usage: AgentReply["usage"];
}

/** The parts of one request of a reply. */
interface Round {
  readonly messages: readonly WireMessage[];
  readonly tools: readonly Tool[];
  readonly mayCall: boolean;
  readonly onText: (text: string) => void;
}

/** A body on its way: the plan and profile it was made of, and the request it answers. */
interface Sending extends Pick<Round, "onText"> {
  readonly profile: Profile;
  readonly plan: RequestPlan;
  readonly request: AgentRequest;
}

class OpenAIAgent implements Agent {
  readonly model: string;
  readonly source: ModelSource;
  readonly #options: OpenAIAgentOptions;
  readonly #endpoint: Endpoint;
  readonly #baseUrl: string;
  readonly #idle: number;
  readonly #total: number;
  #client: Promise<OpenAI> | undefined;
  #limiter: Limiter | undefined;

  constructor(options: OpenAIAgentOptions) {
    this.#endpoint = endpointOf(options);
    this.model = this.#endpoint.model;
    this.source = { model: options.model, url: options.baseUrl ?? OPENAI_URL };
    this.#options = options;
    this.#baseUrl = options.baseUrl ?? OPENAI_URL;
    this.#idle = options.idleTimeout ?? 60_000;
    this.#total = options.totalTimeout ?? TOTAL_TIMEOUT;
    // It takes as long as all else before the first request: it is read while the record is opened.
    import("openai").catch(() => {});
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const messages: WireMessage[] = request.messages.map(({ role, content }) => ({
      role,
      content,
    }));
    const traces: ToolTrace[] = [];
    const usages: AgentReply["usage"][] = [];
    const thoughts: string[] = [];
    const said = new Said(request.onDelta);
    const tools = request.tools ?? [];
    for (let number = 0;; number++) {
      const mayCall = number < MAX_TOOL_ITERATIONS;
      let calling = mayCall && tools.length > 0 ? earlierReply(request.rounds, number) : undefined;
      if (calling === undefined) {
        const onText = (text: string) => said.add(text);
        const sent = await this.#complete(request, { messages, tools, mayCall, onText });
        const { completion, usage } = sent;
        if (completion.reasoning !== "") thoughts.push(completion.reasoning);
        const answer = completion.toolCalls.find(({ name }) => name === ANSWER_TOOL);
        const isLast = completion.toolCalls.length === 0 || tools.length === 0 || !mayCall;
        if (isLast || answer !== undefined && sent.plan.json === "tool") {
          if (answer !== undefined) said.add(answer.arguments);
          const text = answer?.arguments ??
            (request.schema === undefined ? said.text : completion.text);
          return {
            text: text === "" ? completion.refusal : text,
            finishReason: finishReason(completion),
            model: this.model,
            served: this.#served(sent),
            usage: sumUsage([...usages, usage]),
            ...(thoughts.length === 0 ? {} : { reasoning: thoughts.join("\n\n") }),
            ...(traces.length === 0 ? {} : { toolCalls: traces }),
          };
        }
        calling = callingReply(completion, usage);
      } else if (calling.text !== "") said.add(calling.text);
      usages.push(calling.usage);
      const made = await toolRound(calling, {
        tools,
        signal: request.signal,
        leave: (reply) => request.rounds?.keep(number, reply),
      });
      messages.push(...made.messages);
      traces.push(...made.traces);
      said.pause();
    }
  }

  async cap(request: AgentRequest): Promise<number | undefined> {
    return (await this.#planned(await this.#profile(), request, request.messages)).cap;
  }

  async #profile(): Promise<Profile> {
    const { profileOf } = await import("./profiles.ts");
    const { model, prefix, profile } = this.#options;
    return profileOf({
      model,
      baseUrl: this.#baseUrl,
      provider: prefix,
      learned: learnedKeys(new URL(this.#baseUrl).origin, model),
      user: { provider: profile as ProfileKeys | undefined },
    }).profile;
  }

  /** The plan of a request; its cap leaves room for the prompt. */
  async #planned(
    profile: Profile,
    request: AgentRequest,
    messages: readonly WireMessage[],
  ): Promise<RequestPlan> {
    const plan = planOf(profile, request);
    const { window } = profile;
    if (plan.cap === undefined || window === undefined) return plan;
    const texts = messages.map(({ content }) => typeof content === "string" ? content : "");
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    // A token has a character at least: most prompts need no counting.
    if (characters + plan.cap <= window) return plan;
    const count = await loadTokenCounter();
    return { ...plan, cap: capWithin(profile, plan.cap, count(texts.join("\n"))) };
  }

  /** One request: put in another way as often as the server refuses it by name, and with more room for hidden reasoning. */
  async #complete(request: AgentRequest, round: Round): Promise<Sent> {
    const spent: AgentReply["usage"][] = [];
    const refused = new Set<string>();
    this.#noteLessons(request);
    for (let factor = 1;;) {
      const profile = await this.#profile();
      const planned = await this.#planned(profile, request, round.messages);
      const cap = planned.cap && Math.min(planned.cap * factor, profile.output ?? Infinity);
      const plan = { ...planned, cap };
      for (const note of plan.notes) request.onNote?.(note);
      const { model } = this.#options;
      const body = wireRequest({ model, ...round, schema: request.schema, plan }, profile);
      try {
        const completion = await this.#send(body, { profile, plan, request, ...round });
        const usage = await usageOf(completion, round.messages);
        spent.push(usage);
        if (isUsedUp(completion)) {
          if (factor < 2 ** DOUBLINGS && cap !== undefined && cap < (profile.output ?? Infinity)) {
            factor *= 2;
            continue;
          }
          throw this.#usedUp(plan);
        }
        this.#checkForm(completion, { request, profile, plan });
        return { completion, plan, usage: sumUsage(spent) };
      } catch (error) {
        const change = changeFor(profile, body, error);
        const step = JSON.stringify([change?.key, change?.to]);
        // What the user demands and the server refuses is an error; so is a change that did not help.
        const isDemanded = change !== undefined && this.#demands(change.key);
        if (change === undefined || isDemanded || refused.has(step)) {
          throw asAgentError(error, this.#endpoint);
        }
        refused.add(step);
        this.#learn(change, request);
      }
    }
  }

  /** True if a key of the profile is the user's. */
  #demands(key: string): boolean {
    return Object.hasOwn(this.#options.profile ?? {}, key);
  }

  /** Notes the lessons that a request is built with: an earlier convening may have learned them. */
  #noteLessons({ onNote }: AgentRequest): void {
    const { origin } = new URL(this.#baseUrl);
    for (const { at: _, ...lesson } of lessonsOf(origin, this.#options.model)) {
      if (!this.#demands(lesson.key)) onNote?.({ type: "profile_learned", ...lesson });
    }
  }

  #learn(change: NonNullable<ReturnType<typeof changeFor>>, { onNote }: AgentRequest): void {
    const { origin } = new URL(this.#baseUrl);
    const lesson = { origin, model: this.#options.model, ...change };
    learn(lesson);
    onNote?.({ type: "profile_learned", ...lesson });
  }

  /** Learns that a schema was ignored: a server that honours it gives no other shape. */
  #checkForm(
    { text, toolCalls, refusal, finishReason }: Completion,
    { request, profile, plan }: {
      readonly request: AgentRequest;
      readonly profile: Profile;
      readonly plan: RequestPlan;
    },
  ): void {
    if (request.schema === undefined || (plan.json !== "schema" && plan.json !== "object")) return;
    if (toolCalls.length > 0 || refusal !== "" || finishReason !== "stop") return;
    const value = jsonIn(text);
    const { schema, strict } = wireSchema(request.schema.type);
    const isKept = plan.json === "schema" && strict
      ? fits(value, schema)
      : typeof value === "object" && value !== null;
    if (isKept || this.#demands("json")) return;
    const because = `the reply is not of the shape of response_format ${plan.json}`;
    this.#learn({ key: "json", from: profile.json, to: ["prompt"], because }, request);
  }

  #usedUp({ cap, effort }: RequestPlan): Error {
    return failure("agent_bad_reply", {
      endpoint: this.#endpoint,
      state: `hidden reasoning used the whole cap of ${cap} tokens`,
      retryable: false,
      hint: `Lower reasoningEffort${
        effort === undefined ? "" : `, which is ${effort}`
      }, or raise maxOutputTokens.`,
    });
  }

  #served({ completion, plan }: Sent): Served {
    const { model, fingerprint, requestId } = completion;
    return {
      ...(model === undefined || model === this.#options.model ? {} : { model }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(plan.cap === undefined ? {} : { cap: plan.cap }),
      ...(plan.sendsEffort ? { effort: plan.effort } : {}),
    };
  }

  /** Sends a body when the provider's limiter has room, and tells the limiter what came of it. */
  async #send(
    body: WireRequest,
    round: Sending,
  ): Promise<Completion> {
    const { request: { signal, priority } } = round;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const { apiKey, maxConcurrency } = this.#options;
    const limiter = this.#limiter ??= limiterOf({ baseUrl: this.#baseUrl, apiKey }, {
      limits: round.profile.limits,
      maxConcurrency,
    });
    const { pausedMs } = limiter.state;
    if (pausedMs > (this.#options.maxWait ?? LONGEST_WAIT)) {
      throw failure("agent_rate_limited", {
        endpoint: this.#endpoint,
        state: `it takes no requests for ${Math.ceil(pausedMs / 1000)} s, as it said`,
        retryable: false,
        retryAfter: pausedMs,
        hint: `Resume after ${clockTime(pausedMs)}, or raise maxWait.`,
      });
    }
    const send = () => this.#sendNow(body, { ...round, limiter });
    return await limiter.run({ priority, signal }, send).catch((error: unknown) => {
      throw signal?.aborted && error === signal.reason ? new CancelledError(error) : error;
    });
  }

  async #sendNow(
    body: WireRequest,
    { onText, profile, plan, request: { signal }, limiter }: Sending & {
      readonly limiter: Limiter;
    },
  ): Promise<Completion> {
    const client = await (this.#client ??= connect(this.#options));
    using deadline = new Deadline({
      idle: this.#idle,
      total: this.#total,
      signal,
    });
    const { reasoning, thinkTags } = profile;
    try {
      const response = await client.chat.completions
        .create(body, { signal: deadline.signal }).asResponse();
      deadline.touch();
      limiter.heed(response.headers);
      const completion = await readCompletion(response, {
        endpoint: this.#endpoint,
        filter: new ThoughtFilter({
          isOn: thinkTags,
          opened: reasoning.text === "think" && plan.effort !== "off",
        }),
        maxBytes: this.#options.maxReplyBytes ?? REPLY_BYTES,
        onText,
        onBytes: () => deadline.touch(),
      });
      limiter.succeeded();
      if (deadline.expiry !== undefined) throw this.#expired(deadline, signal);
      return thinkTags ? withoutThought(completion) : completion;
    } catch (error) {
      if (deadline.expiry !== undefined) throw this.#expired(deadline, signal);
      const failed = asAgentError(error, this.#endpoint);
      // While the slot is still taken: the requests that wait for it must meet the pause.
      if (failed instanceof AgentError && isBusy(failed)) limiter.refused(failed.retryAfter);
      throw error;
    }
  }

  #expired({ expiry }: Deadline, signal: AbortSignal | undefined): Error {
    if (expiry === "cancelled") return new CancelledError(signal?.reason);
    return failure("agent_timeout", {
      endpoint: this.#endpoint,
      state: expiry === "idle"
        ? `nothing came for ${this.#idle} ms`
        : `the reply was not whole after ${this.#total} ms`,
      retryable: true,
    });
  }
}

/** True if hidden reasoning used up the cap before the answer began. */
function isUsedUp({ text, toolCalls, refusal, finishReason }: Completion): boolean {
  return finishReason === "length" && text.trim() === "" && refusal === "" &&
    toolCalls.length === 0;
}

/** True if a server refused a request because it has too many. */
function isBusy({ status, retryable, retryAfter }: AgentError): boolean {
  return retryable &&
    (status === 429 || status === 529 || status === 503 && retryAfter !== undefined);
}

/** The completion without thought text that ends with a closing tag alone. */
function withoutThought(completion: Completion): Completion {
  const { text, thought } = partedAtClose(completion.text);
  return { ...completion, text, reasoning: completion.reasoning + thought };
}

function finishReason({ finishReason, refusal }: Completion): FinishReason {
  if (refusal !== "" || finishReason === "content_filter") return "refused";
  return finishReason === "length" ? "length" : "stop";
}
