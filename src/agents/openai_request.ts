// The body of a chat request, from a request's plan and the model's profile, and JSON schemas as providers take them.
import type OpenAI from "openai";
import type { ReplySchema, Tool } from "../core/agent.ts";
import type { Profile } from "../core/profile.ts";
import { jsonSchemaOf, type Schema } from "../core/schema.ts";
import { onceEach } from "../core/values.ts";
import type { RequestPlan } from "./request_plan.ts";

/** A message of the wire format. */
export type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
/** A request of the wire format; servers have fields besides OpenAI's. */
export type WireRequest =
  & OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming
  & Record<string, unknown>;

/** The name of the tool whose arguments are the answer. */
export const ANSWER_TOOL = "answer";

interface WireParts {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly schema?: ReplySchema | undefined;
  readonly tools: readonly Tool[];
  /** True if tools may be called; else they are named only because messages have their results. */
  readonly mayCall: boolean;
  readonly plan: RequestPlan;
}

export function wireRequest(
  { model, messages, schema, tools, mayCall, plan }: WireParts,
  profile: Profile,
): WireRequest {
  const body: WireRequest = {
    ...profile.extraBody,
    model,
    messages: inRoles(withInstruction(messages, schema, plan.json), profile.system),
    stream: true,
  };
  if (profile.streamOptions) body.stream_options = { include_usage: true };
  if (plan.cap !== undefined) body[profile.cap] = plan.cap;
  if (plan.temperature !== undefined) body.temperature = plan.temperature;
  if (plan.seed !== undefined) body[profile.seedField] = plan.seed;
  if (plan.sendsEffort) Object.assign(body, reasoningOf(profile, plan.effort!));
  const wireTools = callableTools(tools, schema, plan).map(wireTool);
  if (wireTools.length > 0) body.tools = wireTools;
  if (tools.length > 0 && !mayCall) body.tool_choice = lastChoice(profile, plan);
  const format = replyFormat(schema, plan.json);
  if (format !== undefined) body.response_format = format;
  return body;
}

/** The choice of tools once none may be called any more: the answer's, or none. */
function lastChoice(
  { forcedTool }: Profile,
  { json }: RequestPlan,
): OpenAI.Chat.Completions.ChatCompletionToolChoiceOption {
  if (json !== "tool") return "none";
  return forcedTool ? { type: "function", function: { name: ANSWER_TOOL } } : "auto";
}

/** The fields of an effort as the server spells them. */
function reasoningOf(
  { reasoning: { kind, kwargs = { enable_thinking: false } }, reasoningSend }: Profile,
  effort: NonNullable<RequestPlan["effort"]>,
): Record<string, unknown> {
  const isOff = effort === "off";
  const usual = { thinking: "thinking", template: "chat_template_kwargs" } as const;
  switch (reasoningSend ?? usual[kind as keyof typeof usual]) {
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
  const wire = wireSchema(schema.type);
  return {
    type: "json_schema",
    json_schema: { name: schema.name, schema: wire.schema, strict: wire.strict },
  };
}

type CallableTool = Pick<Tool, "name" | "description" | "parameters">;

function wireTool(
  { name, description, parameters }: CallableTool,
): OpenAI.Chat.Completions.ChatCompletionTool {
  return {
    type: "function",
    function: { name, description, parameters: wireSchema(parameters).schema },
  };
}

/** The tools of a request, the answer's among them where the answer is the call of a tool. */
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

/** The words that ask for the shape of the answer; undefined where a schema asks for it. */
export function instructionOf(
  schema: ReplySchema | undefined,
  json: RequestPlan["json"],
): string | undefined {
  if (schema === undefined || json === "schema") return undefined;
  return json === "tool"
    ? `Give the answer by calling the tool "${ANSWER_TOOL}".`
    : "Answer with one JSON object and nothing else, no text around it. " +
      "It fits this JSON Schema, with its keys in this order:\n" +
      JSON.stringify(wireSchema(schema.type).schema);
}

/** The instruction goes into the last message: some models refuse two messages of one role in a row. */
function withInstruction(
  messages: readonly WireMessage[],
  schema: ReplySchema | undefined,
  json: RequestPlan["json"],
): readonly WireMessage[] {
  const instruction = instructionOf(schema, json);
  if (instruction === undefined) return messages;
  const last = messages.at(-1);
  if (last?.role === "user" && typeof last.content === "string") {
    const content = `${last.content}\n\n${instruction}`;
    return [...messages.slice(0, -1), { role: "user", content }];
  }
  return [...messages, { role: "user", content: instruction }];
}

/** Instructions in the role that the server has for them. */
function inRoles(messages: readonly WireMessage[], system: Profile["system"]): WireMessage[] {
  if (system === "developer") {
    return messages.map((each) =>
      each.role === "system" ? { role: "developer", content: each.content } : each
    );
  }
  if (system !== "first_user") return [...messages];
  const words = messages.flatMap((each) => each.role === "system" ? [String(each.content)] : []);
  const rest = messages.filter(({ role }) => role !== "system");
  const first = rest[0];
  if (words.length === 0) return rest;
  if (first?.role !== "user") return [{ role: "user", content: words.join("\n\n") }, ...rest];
  return [
    { role: "user", content: [...words, String(first.content)].join("\n\n") },
    ...rest.slice(1),
  ];
}

/** A reply's shape as JSON Schema, and whether a provider's strict mode can hold it. */
interface WireSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Every object is closed and every property required. */
  readonly strict: boolean;
}

/** Words of JSON Schema that strict modes refuse; the reply is validated against them all the same. */
const REFUSED = new Set([
  "$schema",
  "default",
  "maxLength",
  "minLength",
  "propertyNames",
  "uniqueItems",
]);

/** The JSON Schema of a type as it goes over the wire: properties in the order they were written. */
export const wireSchema: (type: Schema) => WireSchema = onceEach((type: Schema) => {
  const state = { strict: true };
  const schema = closed(jsonSchemaOf(type), state) as Record<string, unknown>;
  return { schema, strict: state.strict };
});

/** A copy with objects closed, refused words left out and all that has a default required. */
function closed(node: unknown, state: { strict: boolean }): unknown {
  if (Array.isArray(node)) return node.map((each) => closed(each, state));
  if (typeof node !== "object" || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "properties" || key === "$defs") {
      copy[key] = Object.fromEntries(
        Object.entries(value as object).map(([name, each]) => [name, closed(each, state)]),
      );
    } else if (key === "oneOf") copy["anyOf"] = closed(value, state);
    else if (["const", "enum", "required"].includes(key)) copy[key] = value;
    else if (!REFUSED.has(key)) copy[key] = closed(value, state);
  }
  if (copy["type"] === "object") close(copy, { node, state });
  return copy;
}

function close(
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
