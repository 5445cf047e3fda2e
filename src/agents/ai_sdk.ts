// Agents behind AI SDK language models: an instance of a program, or a package that is loaded by name when it is used.
import { z } from "zod";
import type { Agent, AgentReply, AgentRequest, ModelSource } from "../core/agent.ts";
import type { Served } from "../core/message.ts";
import { checkFields } from "../core/check_fields.ts";
import { CancelledError, ConveningError } from "../core/error.ts";
import { type Profile, type ProfileKeys, profileKeys } from "../core/profile.ts";
import type { ToolTrace } from "../core/tool.ts";
import {
  callOf,
  type LanguageModelLike,
  promptOf,
  type SdkMessage,
  type SdkReply,
  type StreamPart,
  StreamReader,
  toolMessages,
} from "./ai_sdk_wire.ts";
import { Deadline } from "./deadline.ts";
import { Limiter, limiterOf } from "./limiter.ts";
import { TOTAL_TIMEOUT } from "./openai_client.ts";
import {
  asAgentError,
  type Endpoint,
  failure,
  reportedProblem,
  unreachable,
} from "./openai_errors.ts";
import { callingReply, earlierReply, Said, toolRound } from "./openai_round.ts";
import { MAX_TOOL_ITERATIONS } from "./openai_tools.ts";
import { sumUsage, usageOf } from "./openai_usage.ts";
import { planOf, type RequestPlan } from "./request_plan.ts";

/** The most characters of a reply. */
const REPLY_CHARACTERS = 4_000_000;
/** Doublings of the cap after a reply that hidden reasoning used up. */
const DOUBLINGS = 2;

/** Options of {@linkcode languageModel}. */
export interface LanguageModelOptions {
  /** The provider's name for profile and price, such as `anthropic`. @default the instance's, up to its first `.` */
  readonly provider?: string | undefined;
  /** The model, as records show it. @default "PROVIDER:MODEL" */
  readonly name?: string | undefined;
  /** Keys of the model's profile, as `providers.NAME.profile` has them, over what is known. @default none */
  readonly profile?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds without a part of a reply. @default 60000 */
  readonly idleTimeout?: number | undefined;
  /** Milliseconds for one request and its whole reply. @default 300000 */
  readonly totalTimeout?: number | undefined;
  /** Requests in flight at once, at most. @default the profile's limits, else 32 */
  readonly maxConcurrency?: number | undefined;
}

const OPTIONS = z.strictObject({
  provider: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  profile: profileKeys.optional(),
  idleTimeout: z.number().optional(),
  totalTimeout: z.number().optional(),
  maxConcurrency: z.number().optional(),
});

/**
 * An agent behind a language model of the AI SDK, such as `createAnthropic({ apiKey })("claude-opus-5-5")`. Written for
 * specification `v4`; models of older versions are taken as far as they are alike.
 *
 * The instance decides about key, address and headers. Fails as the agents of servers do: with an `AgentError` that names
 * model, provider and status, or with a `CancelledError`.
 */
export function languageModel(
  model: LanguageModelLike,
  given: LanguageModelOptions = {},
): Agent {
  const options = checkFields(given, OPTIONS, "options of languageModel");
  const provider = options.provider ?? model.provider.split(".")[0]!;
  const name = options.name ?? `${provider}:${model.modelId}`;
  return new LanguageModelAgent(() => Promise.resolve(model), {
    ...options,
    endpoint: { model: name, provider, hasKey: true, secrets: [] },
    source: { model: model.modelId, provider },
    provider,
    limiter: new Limiter({ max: options.maxConcurrency }),
  });
}

/** Options of an agent besides its model. */
interface SdkAgentOptions extends LanguageModelOptions {
  readonly endpoint: Endpoint;
  readonly source: ModelSource;
  readonly provider: string;
  readonly apiKey?: string | undefined;
  /** @default the limiter of the source's server and the key */
  readonly limiter?: Limiter | undefined;
}

/** One call that was answered. */
interface Sent {
  readonly reply: SdkReply;
  readonly plan: RequestPlan;
  readonly usage: AgentReply["usage"];
}

/** Parts of one call of a reply. */
interface Round {
  readonly messages: readonly SdkMessage[];
  readonly mayCall: boolean;
  readonly onText: (text: string) => void;
}

/** A call on its way. */
interface Sending extends Round {
  readonly profile: Profile;
  readonly plan: RequestPlan;
}

/** An agent whose language model is loaded when it is first asked. */
export class LanguageModelAgent implements Agent {
  readonly model: string;
  readonly source: ModelSource;
  readonly #options: SdkAgentOptions;
  readonly #load: () => Promise<LanguageModelLike>;
  #loading: Promise<LanguageModelLike> | undefined;

  /** An agent of a model that `load` gives; a failed load is tried again. */
  constructor(load: () => Promise<LanguageModelLike>, options: SdkAgentOptions) {
    this.model = options.endpoint.model;
    this.source = options.source;
    this.#options = options;
    this.#load = load;
  }

  async load(): Promise<void> {
    await this.#model();
  }

  async check(): Promise<void> {
    await this.#model();
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const profile = await this.#profile();
    const messages: SdkMessage[] = promptOf(request.messages, profile);
    const traces: ToolTrace[] = [];
    const usages: AgentReply["usage"][] = [];
    const thoughts: string[] = [];
    const said = new Said(request.onDelta);
    const { tools = [], signal } = request;
    for (let number = 0;; number++) {
      const mayCall = number < MAX_TOOL_ITERATIONS;
      let calling = mayCall && tools.length > 0 ? earlierReply(request.rounds, number) : undefined;
      if (calling?.parts === undefined) {
        const onText = (text: string) => said.add(text);
        const sent = await this.#complete(request, profile, { messages, mayCall, onText });
        const { reply, usage } = sent;
        if (reply.reasoning !== "") thoughts.push(reply.reasoning);
        if (reply.toolCalls.length === 0 || tools.length === 0 || !mayCall) {
          return {
            text: request.schema === undefined ? said.text : reply.text,
            finishReason: reply.finishReason,
            model: this.model,
            served: this.#served(sent),
            usage: sumUsage([...usages, usage]),
            ...(thoughts.length === 0 ? {} : { reasoning: thoughts.join("\n\n") }),
            ...(traces.length === 0 ? {} : { toolCalls: traces }),
          };
        }
        calling = { ...callingReply(reply, usage), parts: [...reply.parts] };
      } else if (calling.text !== "") said.add(calling.text);
      usages.push(calling.usage);
      const made = await toolRound(calling, {
        tools,
        signal,
        leave: (reply) => request.rounds?.keep(number, reply),
      });
      messages.push(
        ...toolMessages(calling.parts!, { toolCalls: calling.toolCalls, traces: made.traces }),
      );
      traces.push(...made.traces);
      said.pause();
    }
  }

  async cap(request: AgentRequest): Promise<number | undefined> {
    return planOf(await this.#profile(), request).cap;
  }

  #model(): Promise<LanguageModelLike> {
    return this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
  }

  async #profile(): Promise<Profile> {
    const { profileOf } = await import("./profiles.ts");
    const { source: { model, url: baseUrl = "" }, provider, profile } = this.#options;
    return profileOf({
      model,
      baseUrl,
      provider,
      user: { provider: profile as ProfileKeys | undefined },
    }).profile;
  }

  /** One call, with more room where hidden reasoning used up the cap. */
  async #complete(request: AgentRequest, profile: Profile, round: Round): Promise<Sent> {
    const spent: AgentReply["usage"][] = [];
    const { output = Infinity } = profile;
    for (let factor = 1;; factor *= 2) {
      const planned = planOf(profile, request);
      const cap = planned.cap && Math.min(planned.cap * factor, output);
      const plan = { ...planned, cap };
      for (const note of plan.notes) request.onNote?.(note);
      const reply = await this.#limited(request, { ...round, profile, plan });
      const usage = reply.usage ?? await usageOf({ ...reply, usage: undefined }, request.messages);
      spent.push(usage);
      const isUsedUp = reply.finishReason === "length" && reply.text.trim() === "" &&
        reply.toolCalls.length === 0;
      if (!isUsedUp) return { reply, plan, usage: sumUsage(spent) };
      if (cap === undefined || cap >= output || factor === 2 ** DOUBLINGS) {
        throw failure("agent_bad_reply", {
          endpoint: this.#options.endpoint,
          state: `hidden reasoning used the whole cap of ${cap} tokens`,
          retryable: false,
          hint: "Lower reasoningEffort, or raise maxOutputTokens.",
        });
      }
    }
  }

  /** Sends a call when the provider's limiter has room. */
  async #limited(request: AgentRequest, call: Sending): Promise<SdkReply> {
    const { signal, priority } = request;
    if (signal?.aborted) throw new CancelledError(signal.reason);
    const { apiKey, source, maxConcurrency } = this.#options;
    const limiter = this.#options.limiter ??
      limiterOf({ baseUrl: source.url!, apiKey }, { limits: call.profile.limits, maxConcurrency });
    const send = async () => {
      try {
        const reply = await this.#send(request, call);
        limiter.succeeded();
        return reply;
      } catch (error) {
        const { status, retryAfter } = error as { status?: number; retryAfter?: number };
        if ([429, 503, 529].includes(status ?? 0)) limiter.refused(retryAfter);
        throw error;
      }
    };
    return await limiter.run({ priority, signal }, send).catch((error: unknown) => {
      throw signal?.aborted && error === signal.reason ? new CancelledError(error) : error;
    });
  }

  async #send(
    request: AgentRequest,
    { messages, mayCall, onText, profile, plan }: Sending,
  ): Promise<SdkReply> {
    const model = await this.#model();
    const { endpoint, idleTimeout = 60_000, totalTimeout = TOTAL_TIMEOUT } = this.#options;
    const { schema, tools = [], signal } = request;
    using deadline = new Deadline({ idle: idleTimeout, total: totalTimeout, signal });
    const reader = new StreamReader(onText);
    try {
      const call = callOf({
        version: model.specificationVersion,
        messages,
        schema,
        tools,
        mayCall,
        plan,
        profile,
        signal: deadline.signal,
      });
      const { stream } = await model.doStream(call as never);
      for await (const part of stream) {
        deadline.touch();
        reader.take(part as StreamPart);
        if (reader.size > REPLY_CHARACTERS) {
          throw failure("agent_bad_reply", {
            endpoint,
            state: `the reply has more than ${REPLY_CHARACTERS} characters`,
            retryable: false,
          });
        }
      }
      const reply = reader.reply();
      for (const { setting, because } of reply.warnings) {
        request.onNote?.({ type: "parameter_dropped", parameter: setting, asked: true, because });
      }
      return reply;
    } catch (error) {
      // An aborted stream reaches us as an error of the package.
      if (deadline.expiry === "cancelled") throw new CancelledError(signal?.reason);
      if (deadline.expiry === undefined) throw sdkError(error, endpoint);
      throw failure("agent_timeout", {
        endpoint,
        state: deadline.expiry === "idle"
          ? `nothing came for ${idleTimeout} ms`
          : `the reply was not whole after ${totalTimeout} ms`,
        retryable: true,
      });
    }
  }

  #served({ reply, plan }: Sent): Served {
    const { model, requestId } = reply;
    return {
      ...(model === undefined || model === this.source.model ? {} : { model }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(plan.cap === undefined ? {} : { cap: plan.cap }),
      ...(plan.sendsEffort ? { effort: plan.effort } : {}),
    };
  }
}

/** The names of Anthropic's errors without a status of their own, with the status that they stand for. */
const STATUSES: Readonly<Record<string, number>> = {
  ["overloaded_error"]: 529,
  ["rate_limit_error"]: 429,
  ["api_error"]: 500,
};

/** The failure that an error of a package stands for: a status, a broken connection, or an error within the stream. */
function sdkError(error: unknown, endpoint: Endpoint): unknown {
  if (error instanceof ConveningError) return error;
  if (!(error instanceof Error)) {
    const { error: inner = error } = (error ?? {}) as { readonly error?: unknown };
    const { type, code, message } = (inner ?? {}) as Record<string, unknown>;
    return reportedProblem({ message, type, code: STATUSES[`${type}`] ?? code }, endpoint);
  }
  const { statusCode, responseHeaders, data } = error as {
    readonly statusCode?: number;
    readonly responseHeaders?: Record<string, string>;
    readonly data?: { readonly error?: Record<string, unknown> };
  };
  if (statusCode === undefined || statusCode < 300) return unreachable(error, endpoint);
  const { code, type, param } = data?.error ?? {};
  return asAgentError(
    Object.assign(new Error(error.message), {
      status: statusCode,
      headers: new Headers(responseHeaders),
      code,
      type,
      param,
    }),
    endpoint,
  );
}
