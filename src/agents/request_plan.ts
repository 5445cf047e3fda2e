// Plans a request by the model's profile: cap, effort, temperature, seed and JSON format, with notes on changed or dropped parameters.
import type { AgentNote, AgentRequest } from "../core/agent.ts";
import { type Effort, EFFORTS, type JsonForm, type Profile } from "../core/profile.ts";

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
export function capWithin(
  { window }: Profile,
  cap: number | undefined,
  promptTokens: number,
): number | undefined {
  if (cap === undefined || window === undefined) return cap;
  const room = window - Math.ceil(promptTokens * TEMPLATE.share) - TEMPLATE.tokens;
  return room > 0 ? Math.min(cap, room) : cap;
}
