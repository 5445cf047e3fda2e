// Checks the arguments of a workflow: options and participants. Builds the cast of a run: participants, judges and helpers
// with their agents and prompt texts.
import { pricingOf } from "../config/prices.ts";
import { AgentError, ConfigurationError } from "../core/error.ts";
import { labelsOf, textsOf } from "../core/prompt.ts";
import { type Agent, HUMAN } from "../core/agent.ts";
import { checkWords } from "../core/topic.ts";
import {
  type CastMember,
  characterOf,
  type Helper,
  type Participant,
} from "../core/participant.ts";
import texts from "../data/prompts/dialogue.json" with { type: "json" };
import { parseConfig } from "../config/config.ts";
import type { Kind } from "../config/setting.ts";
import { checkAgent } from "../core/check_fields.ts";
import { counted } from "../core/text.ts";
import { isObject } from "../core/values.ts";
import { hostOf, INSTANCES, type Judge, type WorkflowOptions } from "./workflow_options.ts";

/** Returns the participants. Throws a `ConfigurationError` for fewer than two, and for a shared id or name. */
export function checkParticipants(participants: readonly Participant[]): readonly Participant[] {
  if (participants.length < 2) {
    throw new ConfigurationError(
      `Cannot hold a convening of ${counted(participants.length, "participant")}`,
      { field: "participants", hint: "Give at least two." },
    );
  }
  for (const key of ["name", "id"] as const) {
    const seen = new Set<string>();
    for (const participant of participants) {
      const value = checkWords(participant[key], key).normalize().replace(/\s+/g, " ")
        .toLowerCase();
      if (seen.has(value)) {
        const twice = `${key} ${JSON.stringify(participant[key].slice(0, 80))}`;
        throw new ConfigurationError(`Cannot tell participants apart: two have the ${twice}`, {
          field: "participants",
          hint: `Give each ${key === "id" ? "an" : "a"} ${key} of its own.`,
        });
      }
      seen.add(value);
    }
  }
  return participants;
}

/** Throws a `ConfigurationError` if `retry.minWait` is over `retry.maxWait`. */
export function checkRetry({ retry: { minWait, maxWait } = {} }: WorkflowOptions): void {
  if (minWait === undefined || maxWait === undefined || minWait <= maxWait) return;
  throw new ConfigurationError(
    `Cannot use retry.minWait ${minWait}: it is over retry.maxWait, which is ${maxWait}`,
    {
      field: "retry.minWait",
      hint: `Give retry.minWait at most ${maxWait}, or raise retry.maxWait.`,
    },
  );
}

/**
 * Returns participants, judges and helpers by id, each with its agent. If the options give agents, a judge, chair or helper without a
 * model gets the first judge's agent, else the chair's. Throws a `ConfigurationError` if neither has one.
 */
export function castMembers(
  participants: readonly Participant[],
  options: WorkflowOptions,
): ReadonlyMap<string, CastMember> {
  const { roles, chair, adds, judges: judging = [], helpers: helping = [] } = options.design ?? {};
  // A run that only judges an ended record asks no speakers.
  const handedIn = (adds === true ? [] : [...judging, ...participants])
    // A person does not replace a model as judge or helper.
    .filter(({ agent }) => agent !== undefined && agent.model !== HUMAN);
  const standIn = handedIn.find((each) => !("role" in each) || each.role === chair)?.agent;
  const agents = new Map<string | undefined, Agent>();
  // `role` is that of a judge, chair or helper; undefined for a speaker, whom no other agent replaces.
  const agentOf = ({ agent, model }: Pick<Participant, "agent" | "model">, role?: string) => {
    const name = model ?? options.model;
    if (agent !== undefined) return agent;
    const mayReplace = name === undefined || model !== undefined && model === standIn?.model;
    if (role !== undefined && handedIn.length > 0 && mayReplace) return standIn ?? noAgent(role);
    return agents.getOrInsertComputed(name, () => hostOf(options, "agent").agent(name, options));
  };
  const cast = participants.map((each) => ({
    ...each,
    agent: agentOf(each, each.role === chair ? each.role : undefined),
  }));
  const labels = options.design?.labels ?? labelsOf(
    cast.map((each) => ({ ...each, model: each.agent.model })),
  );
  const speakers = cast.map(({ motivation, ...each }): CastMember => ({
    ...each,
    persona: characterOf({ persona: each.persona, motivation }),
    given: { persona: each.persona, motivation },
    label: labels.get(each.id)!,
    temperature: each.temperature ?? options.temperature,
    reasoningEffort: each.reasoningEffort ?? options.reasoningEffort,
    template: roleTemplate(each.role, roles),
    part: "speaker",
    chairs: each.role === chair,
  }));
  const memberOf = (each: Judge | Helper, role: string, part: CastMember["part"]) => ({
    ...each,
    role,
    part,
    label: each.name,
    chairs: false,
    reasoningEffort: each.reasoningEffort ?? options.reasoningEffort,
    agent: agentOf(each, role),
    template: roleTemplate(role, roles),
  });
  const judges = judging.map((each): CastMember => memberOf(each, "judge", "judge"));
  const hasModels = speakers.some(({ agent: { model } }) => model !== OFFLINE && model !== HUMAN);
  const helpers = helping.map((each): CastMember => {
    const { agent, ...member } = memberOf(each, each.role, "helper");
    return {
      ...member,
      temperature: each.temperature ?? options.temperature,
      agent: helpingAgent(agent, each.role, hasModels && each.needsModel === true),
    };
  });
  return new Map([...speakers, ...judges, ...helpers].map((member) => [member.id, member]));
}

function noAgent(role: string): never {
  throw new ConfigurationError(
    `Cannot cast the ${role.replaceAll("_", " ")}: agents were given, but none for this role`,
    {
      field: "model",
      hint: "Give an agent for a judge or the moderator, or a model for every role.",
    },
  );
}

const OFFLINE = "offline";

/** Returns a helper's agent. An agent that fails replaces the offline agent for a helper that needs a model. */
function helpingAgent(agent: Agent, role: string, needsModel: boolean): Agent {
  if (!needsModel || agent.model !== OFFLINE) return agent;
  return {
    model: agent.model,
    reply: () =>
      Promise.reject(
        new AgentError("agent_unreachable", `The ${role.replaceAll("_", " ")} has no model`, {
          hint:
            "Give a model to the fact checker, factCheck.verificationModel, or to the note-taker, noteModel.",
        }),
      ),
  };
}

/** Returns the cast with persona ids replaced by their texts; a persona of a single word is an id. */
export async function withPersonaTexts(
  cast: ReadonlyMap<string, CastMember>,
  textOf: (id: string) => Promise<string>,
): Promise<ReadonlyMap<string, CastMember>> {
  const changed = new Map(cast);
  for (const member of cast.values()) {
    const { persona, ...more } = member.given ?? { persona: member.persona };
    if (persona === undefined || !/^\S+$/.test(persona.trim())) continue;
    const given = { persona: await textOf(persona.trim()), ...more };
    changed.set(member.id, { ...member, given, persona: characterOf(given) });
  }
  return changed;
}

function roleTemplate(role: string, roles: Readonly<Record<string, string>> = {}): string {
  const own = Object.hasOwn(roles, role) ? roles[role] : roles.participant;
  return own ?? DIALOGUE_TEMPLATES.participant;
}

/** Throws a `ConfigurationError` if `maxCost` is set and a model has no price, unless `allowUnknownPrices` counts it as 0. */
export async function checkPrices(
  cast: ReadonlyMap<string, Pick<CastMember, "agent"> & Partial<Pick<CastMember, "part">>>,
  { limits, prices, allowUnknownPrices, design }: Pick<
    WorkflowOptions,
    "limits" | "prices" | "allowUnknownPrices" | "design"
  >,
  embedder?: Pick<Agent, "model" | "source">,
): Promise<void> {
  if (limits?.maxCost === undefined || allowUnknownPrices === true) return;
  const agents = [...cast.values()].flatMap(({ agent, part }) =>
    // A run that only adds to an ended record asks no speakers.
    agent.scoring !== undefined || design?.adds === true && part === "speaker" ? [] : [agent]
  );
  for (const agent of embedder === undefined ? agents : [...agents, embedder]) {
    const { costUsd } = (await pricingOf(agent, prices))({
      inputTokens: 0,
      cachedInputTokens: 0,
      outputTokens: 0,
    });
    if (costUsd !== "unknown") continue;
    throw new ConfigurationError(`Cannot hold maxCost: model "${agent.model}" has no price`, {
      field: "limits.maxCost",
      hint:
        `Give its price in the configuration, in US dollars per million tokens: prices.models."${agent.model}": { input: …, output: … }. Or give allowUnknownPrices: true, and the model counts as free.`,
    });
  }
}

export const DIALOGUE_TEMPLATES: Readonly<Record<keyof typeof texts, string>> = textsOf(texts);

/** Configuration keys, by kind, that a constructor takes as arguments or in participants instead of in its options. */
const ARGUMENTS: Readonly<Record<Kind, readonly string[]>> = {
  dialogue: ["kind", "topic", "participants", "moderatorModel", "personas"],
  debate: ["kind", "topic", "participants", "positions", "moderatorModel", "personas"],
  consensus: ["kind", "topic", "participants", "personas"],
  "paper-debate": ["kind", "papers", "title", "personas"],
};

/** Options, by kind, that hold instances under a configuration key. */
const OWN_INSTANCES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  "paper-debate": ["participants", "given"],
};

const CHECKED = new WeakSet<object>();

/** Marks options as coming from a checked configuration, so that no constructor checks them again. */
export function markChecked<T extends object>(options: T): T {
  CHECKED.add(options);
  return options;
}

/** True if options come from a checked configuration. */
export function isChecked(options: object): boolean {
  return CHECKED.has(options);
}

/**
 * Checks options and returns them. Throws a `ConfigurationError` for an option that the kind would ignore, and for a value that the
 * configuration schema rejects. A paper debate has no `topic`.
 */
export function checkOptions<T extends object>(kind: Kind, options: T, topic?: string): T {
  if (isChecked(options)) return options;
  const ignored = ARGUMENTS[kind].find((key) => Object.hasOwn(options, key));
  if (ignored !== undefined) {
    throw new ConfigurationError(`Cannot use the options of a ${kind}: unknown key "${ignored}"`, {
      field: ignored,
      hint: "Give the topic and the participants before the options; positions are participants'.",
    });
  }
  const own = OWN_INSTANCES[kind] ?? [];
  const settings = Object.entries(options).flatMap(([key, value]) =>
    Object.hasOwn(INSTANCES, key) || own.includes(key) || value === undefined
      ? []
      : [[key, withoutInstances(key, value)] as const]
  );
  const needed = topic === undefined ? { papers: ["-"] } : { topic };
  parseConfig({ kind, ...needed, ...Object.fromEntries(settings) });
  return options;
}

/** Configuration keys that may hold an instance: a program's own selection or retriever. */
const SELECTABLE: readonly string[] = ["select", "retrieval"];

/** Removes instances from an option's value: agents of judges and audience, a program's own selection or retriever. */
function withoutInstances(key: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    refuseBareAgents(key, value);
    return value.map((each, index) => withoutAgent(each, `${key}.${index}`));
  }
  return SELECTABLE.includes(key) && isInstance(value) ? undefined : value;
}

/** Throws a `ConfigurationError` for an agent that a list of judges or listeners holds without the key `agent`. */
export function refuseBareAgents(key: string, list: readonly unknown[]): void {
  const at = list.findIndex((each) => isObject(each) && typeof each["reply"] === "function");
  if (at === -1) return;
  throw new ConfigurationError(`Cannot use ${key}: number ${at + 1} is an agent`, {
    field: `${key}.${at}`,
    hint: `Give it with the key agent: ${key}: [{ agent }].`,
  });
}

function withoutAgent(value: unknown, whole: string): unknown {
  if (value === null || typeof value !== "object" || !("agent" in value)) return value;
  const { agent, ...settings } = value;
  if (agent !== undefined) checkAgent(agent, whole);
  return settings;
}

/** True for an object with a class or with functions, which no configuration value has. */
function isInstance(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype !== Object.prototype && prototype !== null) ||
    Object.values(value).some((each) => typeof each === "function");
}
