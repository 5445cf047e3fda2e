// Agents behind AI SDK language models: an instance of a program, or a package that is loaded by name when it is used.
import { z } from "zod";
import type { Agent, ChatMessage } from "../core/agent.ts";
import { checkFields } from "../core/check_fields.ts";
import { ConveningError } from "../core/error.ts";
import { type Profile, profileKeys } from "../core/profile.ts";
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
import { type Endpoint, failure, reportedProblem, unreachable } from "./openai_errors.ts";
import type { CallingReply } from "./openai_round.ts";
import { usageOf } from "./openai_usage.ts";
import { type Sender, type Sending, ServedAgent, type ServedReply } from "./served_agent.ts";
import type { OpenAIAgentOptions } from "./openai_client.ts";

/** The most characters of a reply. */
const REPLY_CHARACTERS = 4_000_000;

/** Options of {@linkcode languageModel}. */
export interface LanguageModelOptions
  extends Pick<OpenAIAgentOptions, "profile" | "idleTimeout" | "totalTimeout"> {
  /** The provider's name for profile and price, such as `anthropic`. @default the instance's, up to its first `.` */
  readonly provider?: string | undefined;
  /** The model, as records show it. @default "PROVIDER:MODEL" */
  readonly name?: string | undefined;
  /** Requests in flight at once, at most. @default the limits of the profile, which provider and model id find, else 32 */
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
  const endpoint = { model: name, provider, hasKey: true, secrets: [] };
  return new ServedAgent(
    new SdkSender(() => Promise.resolve(model), { endpoint, sendsExtraBody: false }),
    {
      ...options,
      endpoint,
      source: { model: model.modelId, provider },
      provider,
    },
  );
}

/** Sends calls of a language model that is loaded when it is first needed; a failed load is tried again. */
export class SdkSender implements Sender<SdkMessage> {
  readonly needsParts = true;
  readonly #load: () => Promise<LanguageModelLike>;
  readonly #endpoint: Endpoint;
  readonly #sendsExtraBody: boolean;
  #loading: Promise<LanguageModelLike> | undefined;

  /** A sender for the model that `load` gives; without `sendsExtraBody` the further fields of the profile are noted. */
  constructor(
    load: () => Promise<LanguageModelLike>,
    { endpoint, sendsExtraBody }: { readonly endpoint: Endpoint; readonly sendsExtraBody: boolean },
  ) {
    this.#load = load;
    this.#endpoint = endpoint;
    this.#sendsExtraBody = sendsExtraBody;
  }

  load(): Promise<LanguageModelLike> {
    return this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
  }

  prompt(messages: readonly ChatMessage[], profile: Profile): SdkMessage[] {
    return promptOf(messages, profile);
  }

  async send(
    { messages, request, mayCall, onText, profile, plan, limiter, deadline }: Sending<SdkMessage>,
  ): Promise<ServedReply> {
    const model = await this.load();
    const endpoint = this.#endpoint;
    const reader = new StreamReader(onText);
    const { schema, tools = [], keepReasoning = false } = request;
    const version = model.specificationVersion;
    const { signal } = deadline;
    let reply: SdkReply;
    if (!this.#sendsExtraBody && profile.extraBody !== undefined) {
      request.onNote?.({
        type: "parameter_dropped",
        parameter: "extraBody",
        asked: profile.extraBody,
        because: "the instance of the model makes the requests itself",
      });
    }
    const parts = { version, messages, schema, tools, mayCall, plan, profile, keepReasoning };
    const call = callOf({ ...parts, signal });
    try {
      const { stream, response } = await model.doStream(call as never);
      limiter.heed(new Headers(response?.headers));
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
      reply = reader.reply();
    } catch (error) {
      throw sdkError(error, endpoint);
    }
    for (const { setting, because } of reply.warnings) {
      const asked = Reflect.get(call, setting) ?? true;
      request.onNote?.({ type: "parameter_dropped", parameter: setting, asked, because });
    }
    const usage = reply.usage ?? await usageOf({ ...reply, usage: undefined }, request.messages);
    return { ...reply, refusal: "", usage };
  }

  afterTools({ toolCalls, parts = [] }: CallingReply, traces: readonly ToolTrace[]): SdkMessage[] {
    return toolMessages(parts, { toolCalls, traces });
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
  return Object.assign(new Error(error.message), {
    status: statusCode,
    headers: new Headers(responseHeaders),
    code,
    type,
    param,
  });
}
