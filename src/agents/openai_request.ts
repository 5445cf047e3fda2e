// Plans a request by the model's profile, builds its body, and converts schemas to the JSON Schema that providers take.
import type OpenAI from "openai";
import type { AgentNote, AgentRequest, ChatMessage, ReplySchema, Tool } from "../core/agent.ts";
import { type Effort, EFFORTS, type JsonForm, type Profile } from "../core/profile.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import { isObject, jsonIn, mapValues, memoByObject, type Schema } from "../core/values.ts";
import type { CalledRound } from "./reply.ts";

/** Tokens reserved for hidden reasoning, by effort. */
export const RESERVES: Readonly<Record<Effort, number>> = {
  off: 0,
  minimal: 1000,
  low: 4000,
  medium: 12_000,
  high: 24_000,
  xhigh: 24_000,
  max: 24_000,
};

/** The parameters of a request. */
export interface RequestPlan {
  /** Token cap of the reply, hidden reasoning included; undefined if no length was requested. */
  readonly cap: number | undefined;
  /** Effort of hidden reasoning; undefined for a model without efforts. */
  readonly effort: Effort | undefined;
  /** True if the effort is sent; else the server's default applies. */
  readonly sendsEffort: boolean;
  readonly temperature: number | undefined;
  readonly seed: number | undefined;
  /** Method of requesting JSON; with `tool` the answer is a tool call. */
  readonly json: JsonForm | "tool" | undefined;
  /** Notes on parameters that are not sent as asked. */
  readonly notes: readonly AgentNote[];
}

export function planOf(profile: Profile, request: Omit<AgentRequest, "context">): RequestPlan {
  const { maxTokens, maxOutputTokens, seed, schema, reasoningEffort, tools = [] } = request;
  const { temperature = request.usualTemperature } = request;
  const notes: AgentNote[] = [];
  const note = (parameter: string, asked: unknown, because: string, sent?: unknown) => {
    notes.push({ type: "parameter_dropped", parameter, asked, sent, because });
  };
  const effort = effortOf(profile, request);
  const sendsEffort = effort !== undefined && profile.reasoningSend !== "none" &&
    (profile.reasoning.kind !== "template" || reasoningEffort !== undefined);
  if (reasoningEffort !== undefined && !(sendsEffort && effort === reasoningEffort)) {
    const because = !sendsEffort
      ? "the model or its server takes no effort"
      : effort === "off"
      ? "the model takes no reasoning together with tools"
      : "the nearest effort that the model takes";
    note("reasoningEffort", reasoningEffort, because, sendsEffort ? effort : undefined);
  }
  const reasons = effort !== undefined && effort !== "off";
  const takes = profile.temperature === true || profile.temperature === "off_only" && !reasons;
  if (temperature !== undefined && !takes) {
    const because = profile.temperature === false
      ? "the model takes none"
      : "the model takes none while reasoning";
    note("temperature", temperature, because);
  }
  if (seed !== undefined && !profile.seed) note("seed", seed, "the server takes none");
  const [form] = profile.json;
  const json = schema === undefined
    ? undefined
    : form === "prompt" || profile.jsonWithTools || tools.length === 0
    ? form
    : "tool";
  if (json === "tool") {
    note("responseFormat", form, "the model takes no form of JSON together with tools", "tool");
  } else if (json !== undefined && json !== "schema") {
    note("responseFormat", "schema", "the server takes no JSON schema, or ignores it", json);
  }
  return {
    cap: maxOutputTokens === undefined
      ? capOf(profile, maxTokens, effort)
      : Math.min(maxOutputTokens, profile.output ?? Infinity),
    effort,
    sendsEffort,
    temperature: takes ? temperature : undefined,
    seed: profile.seed ? seed : undefined,
    json,
    notes,
  };
}

/** Returns twice the requested length plus the reserve of the effort, at most the model's maximum output. */
function capOf(
  { output = Infinity, reasoning: { kind } }: Profile,
  asked: number | undefined,
  effort: Effort | undefined,
): number | undefined {
  if (asked === undefined) return undefined;
  const reserve = kind === "fixed" ? RESERVES.medium : RESERVES[effort ?? "off"];
  return Math.min(asked * 2 + reserve, output);
}

/**
 * Returns the requested effort, else the default effort of the request's kind, mapped to an effort of the model. Returns `off` if the
 * model cannot combine reasoning with the tools, or with a requested temperature when no effort was requested.
 */
function effortOf(
  profile: Profile,
  { reasoningEffort, usualEffort = "low", temperature, tools = [] }: Omit<AgentRequest, "context">,
): Effort | undefined {
  const excluded = tools.length > 0 && !profile.toolsWithReasoning ||
    reasoningEffort === undefined && temperature !== undefined &&
      profile.temperature === "off_only";
  return allowedEffort(
    profile,
    excluded && allowedEfforts(profile).includes("off") ? "off" : reasoningEffort ?? usualEffort,
  );
}

/** Maps a requested effort to one of the model's: the same, else the nearest below, else the least. */
export function allowedEffort(profile: Profile, asked: Effort): Effort | undefined {
  const allowed = allowedEfforts(profile);
  const most = EFFORTS.indexOf(asked);
  return EFFORTS.findLast((effort, at) => at <= most && allowed.includes(effort)) ?? allowed[0];
}

/** Returns the efforts that model and server support, from the least. */
function allowedEfforts({ reasoning, efforts: server }: Profile): Effort[] {
  const { kind, efforts = ["low", "medium", "high"], off } = reasoning;
  if (kind === "none" || kind === "fixed") return [];
  const canBeOff = off ?? (kind !== "effort" && kind !== "level" || efforts.includes("none"));
  return EFFORTS.filter((effort) => {
    const wire = effort === "off" ? "none" : effort;
    const isOwn = wire === "none" ? canBeOff : efforts.includes(wire);
    return isOwn && server?.includes(wire) !== false;
  });
}

/** Estimated overhead of a chat template on a prompt's tokens. */
const TEMPLATE = { share: 1.05, tokens: 50 } as const;

/** Lowers a cap so that prompt and reply fit a known context window. */
export function capWithin(window: number, cap: number, promptTokens: number): number {
  const room = window - Math.ceil(promptTokens * TEMPLATE.share) - TEMPLATE.tokens;
  return room > 0 ? Math.min(cap, room) : cap;
}

/** An entry of a prompt: a message, or a round of tool calls with its results. */
export type PromptEntry = ChatMessage | CalledRound;

type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
/** A request of the wire format, with fields of other servers besides OpenAI's. */
export type WireRequest =
  & OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming
  & Record<string, unknown>;

/** Name of the tool whose arguments are the answer. */
export const ANSWER_TOOL = "answer";

interface WireParts {
  readonly model: string;
  readonly prompt: readonly PromptEntry[];
  readonly schema?: ReplySchema | undefined;
  readonly tools: readonly Tool[];
  /** True if tools may be called; else they are listed only because the prompt holds their results. */
  readonly mayCall: boolean;
  readonly plan: RequestPlan;
}

export function wireRequest(
  { model, prompt, schema, tools, mayCall, plan }: WireParts,
  profile: Profile,
): WireRequest {
  const body: WireRequest = {
    ...profile.extraBody,
    model,
    messages: framed(prompt, { schema, plan, profile })
      .flatMap((entry) => wireMessages(entry, profile, model)),
    stream: true,
  };
  if (profile.streamOptions) body.stream_options = { include_usage: true };
  if (plan.cap !== undefined) body[profile.cap] = plan.cap;
  if (plan.temperature !== undefined) body.temperature = plan.temperature;
  if (plan.seed !== undefined) body[profile.seedField] = plan.seed;
  if (plan.sendsEffort) Object.assign(body, reasoningOf(profile, plan.effort!));
  const wireTools = callableTools(tools, schema, plan)
    .map(({ name, description, parameters }) => ({
      type: "function" as const,
      function: { name, description, parameters: wireSchema(parameters).schema },
    }));
  if (wireTools.length > 0) body.tools = wireTools;
  if (tools.length > 0 && !mayCall) {
    const choice = lastChoice(profile, plan);
    body.tool_choice = choice === ANSWER_TOOL
      ? { type: "function", function: { name: choice } }
      : choice;
  }
  const format = replyFormat(schema, plan.json);
  if (format !== undefined) body.response_format = format;
  return body;
}

/** Models whose providers cache only what is marked; on OpenRouter other models cache without marks. */
const MARKED = /claude|qwen/i;

/** Converts an entry of a prompt; where a provider caches only what is marked, cache breakpoints end the shared parts. */
function wireMessages(
  entry: PromptEntry,
  { cache, system, reasoning }: Profile,
  model: string,
): WireMessage[] {
  if ("traces" in entry) return calledMessages(entry, reasoning.text === "reasoning_content");
  const { role, content, shared = 0 } = entry;
  if (role === "system" && system === "developer") return [{ role: "developer", content }];
  const isMarked = cache.kind === "breakpoints" && MARKED.test(model);
  if (!isMarked || role === "assistant") return [{ role, content }];
  const end = role === "system" ? content.length : shared;
  const parts = [
    { ...textPart(content.slice(0, end)), cache_control: { type: "ephemeral" } },
    textPart(content.slice(end)),
  ];
  return [{ role, content: parts.filter(({ text }) => text !== "") }];
}

function textPart(text: string) {
  return { type: "text" as const, text };
}

/** Converts a round of tool calls; some servers want the reasoning back. */
function calledMessages(
  { text, toolCalls, reasoning, traces }: CalledRound,
  repeatsThought: boolean,
): WireMessage[] {
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...(repeatsThought && reasoning !== undefined ? { ["reasoning_content"]: reasoning } : {}),
      tool_calls: toolCalls.map(({ id, name, arguments: args, extra }) => ({
        id,
        type: "function",
        // Servers reject a prompt whose arguments are no object.
        function: { name, arguments: isObject(jsonIn(args)) ? args : "{}" },
        ...(extra === undefined ? {} : { extra_content: extra }),
      })),
    },
    ...traces.map(({ result }, i): WireMessage => ({
      role: "tool",
      tool_call_id: toolCalls[i]!.id,
      content: result,
    })),
  ];
}

/** Returns the tool choice of the last round: the answer tool if the answer is a tool call, else none. */
export function lastChoice(
  { forcedTool }: Profile,
  { json }: RequestPlan,
): "none" | "auto" | typeof ANSWER_TOOL {
  if (json !== "tool") return "none";
  return forcedTool ? ANSWER_TOOL : "auto";
}

/** Returns the fields that send an effort in the server's format. */
function reasoningOf(
  { reasoning: { kind, kwargs = { enable_thinking: false } }, reasoningSend }: Profile,
  effort: NonNullable<RequestPlan["effort"]>,
): Record<string, unknown> {
  const isOff = effort === "off";
  const byKind = { thinking: "thinking", template: "chat_template_kwargs" } as const;
  switch (reasoningSend ?? byKind[kind as keyof typeof byKind]) {
    case "reasoning":
      return { reasoning: isOff ? { enabled: false } : { effort } };
    case "thinking":
      return isOff
        ? { thinking: { type: "disabled" } }
        : { thinking: { type: "enabled" }, reasoning_effort: effort };
    case "chat_template_kwargs": {
      const switched = Object.entries(kwargs).map(([name, off]) => [name, isOff ? off : !off]);
      return { chat_template_kwargs: Object.fromEntries(switched) };
    }
    default:
      return { reasoning_effort: isOff ? "none" : effort };
  }
}

function replyFormat(
  schema: ReplySchema | undefined,
  json: RequestPlan["json"],
): WireRequest["response_format"] {
  if (schema === undefined) return undefined;
  if (json === "object") return { type: "json_object" };
  if (json !== "schema") return undefined;
  return { type: "json_schema", json_schema: { name: schema.name, ...wireSchema(schema.type) } };
}

type CallableTool = Pick<Tool, "name" | "description" | "parameters">;

/** Returns the tools of a request, with the answer tool if the answer is a tool call. */
export function callableTools(
  tools: readonly Tool[],
  schema: ReplySchema | undefined,
  { json }: RequestPlan,
): readonly CallableTool[] {
  if (json !== "tool" || schema === undefined) return tools;
  return [...tools, {
    name: ANSWER_TOOL,
    description: "Gives the answer. Call this tool last, once, instead of writing the answer.",
    parameters: schema.type,
  }];
}

/** Returns the instruction for the answer's format, which adds to a task in words; undefined if the request sends a schema. */
function instructionOf(
  schema: ReplySchema | undefined,
  { json }: RequestPlan,
): string | undefined {
  if (schema === undefined || json === "schema") return undefined;
  return json === "tool"
    ? `Give the answer by calling the tool "${ANSWER_TOOL}".`
    : "Write the JSON object alone, no text around it. Its JSON Schema, with the keys in their order:\n" +
      JSON.stringify(wireSchema(schema.type).schema);
}

/** Adds the instruction that asks for the answer's format, and puts instructions where the model takes them. */
export function framed(
  prompt: readonly PromptEntry[],
  { schema, plan, profile }: Pick<WireParts, "schema" | "plan"> & { readonly profile: Profile },
): readonly PromptEntry[] {
  const instructed = withInstruction(prompt, instructionOf(schema, plan));
  return profile.system === "first_user" ? withoutSystem(instructed) : instructed;
}

/** Appends the instruction to the user's last message: some models reject two consecutive messages of a role, or one after a tool's. */
function withInstruction(
  prompt: readonly PromptEntry[],
  instruction: string | undefined,
): readonly PromptEntry[] {
  if (instruction === undefined) return prompt;
  const at = prompt.findLastIndex((entry) => isOf("user", entry));
  const last = prompt[at];
  if (!isOf("user", last)) return [...prompt, { role: "user", content: instruction }];
  return prompt.with(at, { ...last, content: `${last.content}\n\n${instruction}` });
}

/** Moves the system messages to the beginning of the first user message. */
function withoutSystem(prompt: readonly PromptEntry[]): readonly PromptEntry[] {
  const system = prompt.filter((entry) => isOf("system", entry));
  const rest = prompt.filter((entry) => !isOf("system", entry));
  if (system.length === 0) return rest;
  const words = system.map(({ content }) => content).join("\n\n");
  const [first] = rest;
  if (!isOf("user", first)) return [{ role: "user", content: words }, ...rest];
  const start = `${words}\n\n`;
  const shared = start.length + (first.shared ?? 0);
  return [{ ...first, content: start + first.content, shared }, ...rest.slice(1)];
}

function isOf(role: ChatMessage["role"], entry: PromptEntry | undefined): entry is ChatMessage {
  return entry !== undefined && "role" in entry && entry.role === role;
}

interface WireSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  /** True if strict mode can be used: every object is closed and every property is required. */
  readonly strict: boolean;
}

/** Keywords of JSON Schema that strict modes reject; the validation of the reply still checks them. */
const REJECTED_KEYWORDS = new Set([
  "$schema",
  "default",
  "maxLength",
  "minLength",
  "propertyNames",
  "uniqueItems",
]);

/** Returns the JSON Schema of a type for providers, memoized; properties keep their order. */
export const wireSchema: (type: Schema) => WireSchema = memoByObject((type: Schema) => {
  const state = { strict: true };
  const schema = closedSchema(jsonSchemaOf(type), state) as Record<string, unknown>;
  return { schema, strict: state.strict };
});

/** Copies a schema node: closes objects, omits rejected keywords, and requires properties with a default. */
function closedSchema(node: unknown, state: { strict: boolean }): unknown {
  if (Array.isArray(node)) return node.map((each) => closedSchema(each, state));
  if (typeof node !== "object" || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "properties" || key === "$defs") {
      copy[key] = mapValues(value, (each) => closedSchema(each, state));
    } else if (key === "oneOf") copy["anyOf"] = closedSchema(value, state);
    else if (["const", "enum", "required"].includes(key)) copy[key] = value;
    else if (!REJECTED_KEYWORDS.has(key)) copy[key] = closedSchema(value, state);
  }
  if (copy["type"] === "object") closeObject(copy, { node, state });
  return copy;
}

function closeObject(
  copy: Record<string, unknown>,
  { node, state }: { readonly node: object; readonly state: { strict: boolean } },
): void {
  const { properties, required: given = [] } = node as {
    readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
    readonly required?: readonly string[];
  };
  if (copy["additionalProperties"] || properties === undefined) {
    state.strict = false;
    return;
  }
  const names = Object.keys(properties);
  const required = names.filter((name) =>
    given.includes(name) || properties[name]?.default !== undefined
  );
  copy["required"] = required;
  copy["additionalProperties"] = false;
  if (required.length < names.length) state.strict = false;
}
