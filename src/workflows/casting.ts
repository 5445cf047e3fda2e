import type { Agent } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
import { priceOf } from "../core/prices.ts";
import { labelsOf } from "../core/prompt.ts";
import { checkWords } from "../core/topic.ts";
import type { Participant } from "../participants/participant.ts";
import { DIALOGUE_TEMPLATES } from "./dialogue_prompts.ts";
import type { Party } from "./engine/party.ts";
import type { Judge, WorkflowHost, WorkflowOptions } from "./workflow_options.ts";

/** The participants, refused when there are fewer than two, or two share an id or a name. */
export function checkParticipants(
  participants: readonly Participant[],
): readonly Participant[] {
  if (participants.length < 2) {
    throw new ConfigurationError(
      `Cannot hold a convening of ${participants.length} participant${
        participants.length === 1 ? "" : "s"
      }`,
      { field: "participants", hint: "Give at least two." },
    );
  }
  for (const key of ["id", "name"] as const) {
    const seen = new Set<string>();
    for (const participant of participants) {
      const value = checkWords(participant[key], key).replace(/\s+/g, " ").toLowerCase();
      if (seen.has(value)) {
        throw new ConfigurationError(
          `Cannot tell participants apart: two have the ${key} ${
            JSON.stringify(participant[key].slice(0, 80))
          }`,
          { field: "participants", hint: `Give each a ${key} of its own.` },
        );
      }
      seen.add(value);
    }
  }
  return participants;
}

/** Everyone who can be asked, participants and judges, each with its agent. */
export function castParties(
  participants: readonly Participant[],
  options: WorkflowOptions,
  host: () => WorkflowHost,
): ReadonlyMap<string, Party> {
  const roles = options.design?.roles;
  const agents = new Map<string | undefined, Agent>();
  const agentOf = (
    { agent, model }: Pick<Participant | Judge, "agent" | "model">,
  ): Agent => {
    if (agent !== undefined) return agent;
    const name = model ?? options.model;
    const known = agents.get(name) ?? host().agent(name, options);
    agents.set(name, known);
    return known;
  };
  const cast = participants.map((each) => ({ ...each, agent: agentOf(each) }));
  const labels = options.design?.labels ?? labelsOf(
    cast.map((each) => ({ ...each, model: each.agent.model })),
  );
  const speakers = cast.map((each): Party => ({
    ...each,
    label: labels.get(each.id)!,
    temperature: each.temperature ?? options.temperature,
    template: roleTemplate(each.role, roles),
  }));
  const judges = (options.design?.judges ?? []).map((each): Party => ({
    ...each,
    role: "judge",
    label: each.name,
    agent: agentOf(each),
    template: roleTemplate("judge", roles),
  }));
  return new Map([...speakers, ...judges].map((party) => [party.id, party]));
}

function roleTemplate(role: string, roles: Readonly<Record<string, string>> = {}): string {
  return roles[role] ?? roles.participant ?? DIALOGUE_TEMPLATES.participant;
}

/** Refuses `maxCost` where a model has no price: it could not be held. */
export function checkPrices(
  parties: ReadonlyMap<string, Party>,
  options: WorkflowOptions,
): void {
  if (options.limits?.maxCost === undefined) return;
  for (const { agent } of parties.values()) {
    if (priceOf(agent.model, options.prices) !== undefined) continue;
    throw new ConfigurationError(
      `Cannot hold maxCost: model "${agent.model}" has no price`,
      {
        field: "limits.maxCost",
        hint:
          `Give its price in the configuration: prices.models."${agent.model}": {input, output}, in US dollars per million tokens.`,
      },
    );
  }
}
