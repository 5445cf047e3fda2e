// Converts requests to AI SDK calls and AI SDK streams to replies: prompts with cache breakpoints, provider options, reply parts.
import type { Profile } from "../core/profile.ts";
import { defined, isObject, jsonIn, type JsonObject, listIn, objectIn } from "../core/values.ts";
import { brokenOff } from "./openai_client.ts";
import {
  ANSWER_TOOL,
  callableTools,
  framed,
  lastChoice,
  type PromptEntry,
  type RequestPlan,
  RESERVES,
  wireSchema,
} from "./openai_request.ts";
import {
  bytesOf,
  countOf,
  FAILED,
  finishReasonOf,
  isWithin,
  type ReadOptions,
  tooLong,
} from "./openai_stream.ts";
import {
  type Completion,
  splitAtClosingTag,
  type SplitText,
  ThoughtFilter,
  type WireToolCall,
} from "./reply.ts";
import type { Sending } from "./served_agent.ts";

/** A part of a prompt or reply. */
type Part = {
  readonly type: string;
  text?: string;
  providerOptions?: Metadata | undefined;
  readonly [key: string]: unknown;
};

type Metadata = Readonly<Record<string, object>>;

/** A part of a stream, with the fields that {@linkcode StreamReader} reads. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  /** True for a tool of the provider, which has its result. */
  readonly providerExecuted?: boolean;
  readonly modelId?: string;
  readonly providerMetadata?: Metadata;
  readonly warnings?: readonly Readonly<Record<string, unknown>>[];
  readonly finishReason?: string | { readonly unified: string; readonly raw?: string | undefined };
  /** Token counts: objects by kind of token since `v3`, plain sums in `v2`; `raw` is the provider's own report. */
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
  /** The server's own event. */
  readonly rawValue?: unknown;
}

/** An AI SDK language model of specification `v4`, or of `v2` and `v3` as far as they are compatible. */
export interface LanguageModelLike {
  /** Version of the specification, such as `v4`. */
  readonly specificationVersion: string;
  /** Name of the provider, such as `anthropic.messages`. */
  readonly provider: string;
  /** The provider's id of the model. */
  readonly modelId: string;
  /** Streams one reply; takes the call options of the specification. */
  doStream(options: never): PromiseLike<{
    readonly stream: ReadableStream<unknown>;
    /** Response headers, if the model provides them. */
    readonly response?: { readonly headers?: Record<string, string> };
  }>;
}

const BREAKPOINT = {
  anthropic: { cacheControl: { type: "ephemeral" } },
  bedrock: { cachePoint: { type: "default" } },
};

/** Converts an entry of a prompt; cache breakpoints end the shared parts. */
function sdkMessages(entry: PromptEntry, { cache }: Profile): object[] {
  if ("traces" in entry) {
    const results = entry.traces.map(({ tool, result }, i) => ({
      type: "tool-result",
      toolCallId: entry.toolCalls[i]!.id,
      toolName: tool,
      output: { type: "text", value: result },
    }));
    return [
      { role: "assistant", content: entry.parts ?? [] },
      { role: "tool", content: results },
    ];
  }
  const { role, content, shared = 0 } = entry;
  const marked = cache.kind === "breakpoints" ? { providerOptions: BREAKPOINT } : {};
  if (role === "system") return [{ role, content, ...marked }];
  const parts = [
    { type: "text", text: content.slice(0, shared), ...marked },
    { type: "text", text: content.slice(shared) },
  ];
  return [{ role, content: parts.filter(({ text }) => text !== "") }];
}

/** Builds the call options of `doStream`. */
export function callOf(model: LanguageModelLike, sending: Sending): object {
  const { prompt, request: { schema, tools = [] }, mayCall, plan, signal } = sending;
  const isOld = model.specificationVersion < "v4";
  const isOldGoogle = isOld && /^google\b/.test(model.provider);
  const profile: Profile = { ...sending.profile, ...(isOldGoogle ? { api: "gemini" } : {}) };
  const hasEffort = profile.api === "chat" && plan.sendsEffort;
  const budget = budgetOf(plan, profile);
  // Anthropic's package adds the reasoning budget to the cap.
  const cap = profile.api === "messages" && budget !== undefined && plan.cap !== undefined
    ? Math.max(1, plan.cap - budget)
    : plan.cap;
  const hasFormat = plan.json === "schema" || plan.json === "object";
  const effort = plan.effort === "off" ? "none" : plan.effort;
  const choice = mayCall ? "auto" : lastChoice(profile, plan);
  return {
    prompt: framed(prompt, { schema, plan, profile })
      .flatMap((entry) => sdkMessages(entry, profile)),
    ...defined({ maxOutputTokens: cap, temperature: plan.temperature, seed: plan.seed }),
    ...(hasEffort && !isOld ? { reasoning: effort } : {}),
    ...(schema === undefined || !hasFormat ? {} : {
      responseFormat: plan.json === "object"
        ? { type: "json" }
        : { type: "json", name: schema.name, schema: wireSchema(schema.type).schema },
    }),
    ...(tools.length === 0 ? {} : {
      tools: callableTools(tools, schema, plan).map(({ name, description, parameters }) => ({
        type: "function",
        name,
        description,
        inputSchema: wireSchema(parameters).schema,
      })),
      toolChoice: choice === ANSWER_TOOL ? { type: "tool", toolName: choice } : { type: choice },
    }),
    // Packages before v4 take an effort as their own option only; others than OpenAI's and Azure's ignore the option.
    providerOptions: hasEffort && isOld
      ? { openai: { reasoningEffort: effort } }
      : providerOptionsOf({ ...sending, profile }, { budget, effort }),
    abortSignal: signal,
    // Without these parts, the pings of a server that thinks for long do not arrive here.
    includeRawChunks: true,
  };
}

/** Returns the token budget of hidden reasoning for a model that takes a budget. */
function budgetOf(
  { effort }: RequestPlan,
  { reasoning: { kind, min = 0, max = Infinity } }: Profile,
): number | undefined {
  if (kind !== "budget" || effort === undefined) return undefined;
  return effort === "off" ? 0 : Math.min(Math.max(RESERVES[effort], min), max);
}

/** Returns the effort as the provider's own options, because the packages' own mapping would subtract the effort from the cap. */
function providerOptionsOf(
  { plan: { sendsEffort }, profile: { api, reasoning: { kind } }, request }: Sending,
  { budget, effort }: { readonly budget: number | undefined; readonly effort: string | undefined },
): object {
  const { schema, keepReasoning = false } = request;
  if (api === "messages") {
    if (!sendsEffort) return {};
    if (effort === "none" || budget === 0) return { anthropic: { thinking: { type: "disabled" } } };
    return kind === "budget"
      ? { anthropic: { thinking: { type: "enabled", budgetTokens: budget } } }
      : { anthropic: { thinking: { type: "adaptive" }, effort } };
  }
  if (api === "gemini") {
    if (!sendsEffort) return {};
    const control = kind === "budget" ? { thinkingBudget: budget } : { thinkingLevel: effort };
    const shown = keepReasoning ? { includeThoughts: true } : {};
    return { google: { thinkingConfig: { ...control, ...shown } } };
  }
  if (api !== "responses") return {};
  const strict = schema === undefined ? undefined : wireSchema(schema.type).strict;
  return {
    openai: {
      store: false,
      ...(sendsEffort ? { reasoningEffort: effort } : {}),
      ...defined({ strictJsonSchema: strict }),
    },
  };
}

type ReaderOptions = Omit<ReadOptions, "onBytes">;

/** Assembles a reply from the parts of a stream. Throws the error of an error part, and an `AgentError` for a reply that is too long. */
export class StreamReader {
  /** Settings that the package dropped or changed, with the reason. */
  readonly warnings: { readonly setting: string; readonly because: string }[] = [];
  readonly #options: ReaderOptions;
  readonly #filter: ThoughtFilter;
  /** Text and reasoning, by kind and id. */
  readonly #blocks = new Map<string, Part>();
  /** Reasoning between tags of the text. */
  #thought = "";
  /** Words of the server's own events, because many packages leave refusals out. */
  #refusal = "";
  /** Text, reasoning and tool calls with the provider's signatures. */
  readonly parts: Part[] = [];
  readonly #calls: WireToolCall[] = [];
  #metadata: StreamPart | undefined;
  #finish: StreamPart | undefined;
  #size = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#filter = new ThoughtFilter(options);
  }

  take(part: StreamPart): void {
    if (part.type === "error") throw part.error;
    for (const { type, feature, setting, details, message } of part.warnings ?? []) {
      this.warnings.push({
        setting: `${feature ?? setting ?? type}`,
        because: `${details ?? message ?? "the package does not send it"}`,
      });
    }
    if (part.type === "response-metadata") this.#metadata = { ...this.#metadata, ...part };
    else if (part.type === "finish") this.#finish = part;
    else if (part.type === "tool-call") this.#takeCall(part);
    else if (part.type === "raw") this.#takeRefusal(objectIn(part.rawValue));
    else if (/^(?:text|reasoning)-(?:start|delta|end)$/.test(part.type)) this.#takeBlock(part);
  }

  /** Returns the reply after the last part. Throws an `AgentError` if the stream broke off. */
  reply(): Completion {
    const { endpoint, thinkTags } = this.#options;
    const usage = usageOf(this.#finish);
    if (this.#finish === undefined || isUnfinished(this.#finish)) throw brokenOff(endpoint, usage);
    const blocks = [...this.#blocks.values()];
    const last = blocks.findLast(({ type }) => type === "text");
    if (last !== undefined) this.#append(last, this.#filter.end());
    const all = (type: string) =>
      blocks.filter((block) => block.type === type).map(({ text }) => text!);
    const { text, thought } = splitAtClosingTag(all("text").join(""), thinkTags);
    return {
      text,
      reasoning: [...all("reasoning"), this.#thought, thought]
        .filter((each) => each !== "").join("\n\n"),
      isThoughtSaid: thought !== "",
      refusal: this.#refusal,
      parts: this.parts.filter((part) => part.type !== "text" || part.text !== ""),
      toolCalls: this.#calls,
      finishReason: finishReasonOf(endOf(this.#finish)),
      usage,
      model: this.#metadata?.modelId,
      requestId: this.#metadata?.id,
    };
  }

  #takeCall(part: StreamPart): void {
    if (part.providerExecuted === true) return;
    const { toolCallId: id = "", toolName: name = "", input, providerMetadata } = part;
    const args = typeof input === "string" ? input : JSON.stringify(input ?? {});
    this.#count(args);
    this.#calls.push({ id, name, arguments: args });
    this.parts.push({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      // Servers reject a prompt whose arguments are no object.
      input: objectIn(jsonIn(args)),
      ...defined({ providerOptions: providerMetadata }),
    });
  }

  /** Takes the part of a refusal in an event of the Responses API or of chat completions. */
  #takeRefusal({ type, delta, choices }: JsonObject): void {
    const said = objectIn(objectIn(listIn(choices)[0])["delta"])["refusal"];
    const words = type === "response.refusal.delta" ? delta : said;
    if (typeof words !== "string") return;
    this.#count(words);
    this.#refusal += words;
  }

  #count(text: string): void {
    this.#size += bytesOf(text);
    if (this.#size > this.#options.maxBytes) throw tooLong(this.#options);
  }

  #takeBlock({ type, id, delta, providerMetadata }: StreamPart): void {
    const kind = type.split("-")[0]!;
    const key = `${kind} ${id}`;
    let block = this.#blocks.get(key);
    if (block === undefined) {
      block = { type: kind, text: "" };
      this.#blocks.set(key, block);
      this.parts.push(block);
    }
    if (providerMetadata !== undefined) {
      block.providerOptions = merged(block.providerOptions, providerMetadata) as Metadata;
    }
    if (typeof delta !== "string") return;
    this.#count(delta);
    if (kind === "text") this.#append(block, this.#filter.add(delta));
    else {
      this.#filter.skip();
      block.text += delta;
    }
  }

  #append(block: Part, { text, thought }: SplitText): void {
    this.#thought += thought;
    block.text += text;
    if (text !== "") this.#options.onText(text);
  }
}

/** Merges two objects deeply; the second value takes precedence. */
export function merged(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const all: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    all[key] = Object.hasOwn(base, key) ? merged(base[key], value) : value;
  }
  return all;
}

/**
 * True if a reply failed or was truncated. The reason of a truncated stream is `interrupted` in v4, `other` without the server's own
 * reason in v3, and `unknown` in v2. In v2 a reason that the package does not know is `unknown` too; then the part reports output
 * tokens and metadata.
 */
function isUnfinished(finish: StreamPart): boolean {
  const end = endOf(finish);
  return /^(?:|interrupted)$/.test(end) || FAILED.test(end) || end === "unknown" &&
      (typeof finish.usage?.["outputTokens"] !== "number" || finish.providerMetadata === undefined);
}

/** Returns the reason of the end: `{ unified, raw }` since v3, the reason itself in v2; the server's own reason if the package knows none. */
function endOf({ finishReason: reason = "unknown" }: StreamPart): string {
  if (typeof reason === "string") return reason;
  return reason.unified === "other" ? reason.raw ?? "" : reason.unified;
}

function usageOf({ usage = {}, providerMetadata = {} }: Partial<StreamPart> = {}) {
  const { inputTokens: input, outputTokens: output, totalTokens, raw } = usage;
  const read = isObject(input) ? input : { total: input, cacheRead: usage["cachedInputTokens"] };
  // Gemini's package leaves reasoning out of the count of v2.
  const sum = Math.max(Number(output ?? NaN), countOf(totalTokens) - countOf(input));
  const written = isObject(output) ? output : { total: sum, reasoning: usage["reasoningTokens"] };
  const { total: inputTokens, cacheRead, cacheWrite: cached }: JsonObject = read;
  const { total: outputTokens, reasoning: thought }: JsonObject = written;
  if (!isWithin(inputTokens, 1e9) || !isWithin(outputTokens, 1e9)) return undefined;
  const [cacheWrite, reasoning] = [countOf(cached), countOf(thought)];
  // OpenRouter reports the cost as a number, Vercel's gateway as a text.
  const { cost = objectIn(raw)["cost"] } = objectIn(providerMetadata["gateway"]);
  const costUsd = typeof cost === "string" ? parseFloat(cost) : cost;
  // Some servers send zeros instead of no usage.
  if (inputTokens + outputTokens === 0 && !(Number(costUsd) > 0)) return undefined;
  return {
    inputTokens,
    cachedInputTokens: countOf(cacheRead),
    outputTokens,
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
    ...(cacheWrite === 0 ? {} : { cacheWriteTokens: cacheWrite }),
    ...(isWithin(costUsd, 1e6) ? { costUsd } : {}),
  };
}
