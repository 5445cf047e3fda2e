// The cast of a paper debate: questioner, debaters and reporter, given or usual.
import { ConfigurationError } from "../../core/error.ts";
import { labelsOf, letters } from "../../core/prompt.ts";
import type { Tool } from "../../core/tool.ts";
import { createParticipant, type Participant } from "../../core/participant.ts";
import {
  PAPER_DEBATE_DEFAULTS,
  type PaperDebateOptions,
  POSTURE_COUNT,
} from "./paper_debate_options.ts";

/** The roles of those who take part in a paper debate. */
const ROLES = ["questioner", "debater", "reporter"] as const;

/** Participants of a paper debate. */
export interface PaperCast {
  readonly questioner: Participant;
  /** Debaters, as many as postures. */
  readonly debaters: readonly Participant[];
  readonly reporter: Participant;
  /** All of them, in order. */
  readonly all: readonly Participant[];
  /** Labels of participants in prompts, by id. */
  readonly labels: ReadonlyMap<string, string>;
}

/** The cast of a paper debate; those who were not given are made. Debaters are given the tools they have not. */
export function castOf(options: PaperDebateOptions, tools: readonly Tool[]): PaperCast {
  const { participants = [], model } = options;
  checkRoles(participants);
  participants.forEach(checkNoPosition);
  const one = (role: "questioner" | "reporter", name: string) =>
    participants.find((each) => each.role === role) ?? createParticipant({ name, role });
  const given = participants.filter(({ role }) => role === "debater");
  const debaters = (given.length > 0 ? given : usualDebaters(countOf(options)))
    .map((each) => ({ ...each, tools: withTools(each, tools) }));
  if (given.length > 0) checkCount(given.length, options.postures);
  const questioner = one("questioner", "Questioner");
  const reporter = one("reporter", "Reporter");
  const all = [questioner, ...debaters, reporter];
  const labels = labelsOf(
    all.map((each) => ({ ...each, model: each.agent?.model ?? each.model ?? model })),
  );
  return { questioner, debaters, reporter, all, labels };
}

/** Debater A, Debater B and so on. */
export function usualDebaters(count: number): Participant[] {
  return Array.from({ length: count }, (_, index) =>
    createParticipant({
      name: `Debater ${letters(index)}`,
      role: "debater",
      agentConfig: { id: `debater-${letters(index).toLowerCase()}` },
    }));
}

function withTools({ tools: own = [] }: Participant, tools: readonly Tool[]): readonly Tool[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...tools.filter(({ name }) => !names.has(name))];
}

function countOf(
  { postures: count = PAPER_DEBATE_DEFAULTS.postures, given }: PaperDebateOptions,
): number {
  if (given !== undefined) return given.postures.length;
  const { min, max } = POSTURE_COUNT;
  if (Number.isInteger(count) && count >= min && count <= max) return count;
  throw new ConfigurationError(`Cannot take ${count} postures`, {
    field: "postures",
    hint: `Give ${min} to ${max}.`,
  });
}

/** Refuses whoever was given a position: what a debater stands for comes with the postures. */
export function checkNoPosition({ name, position }: Participant): void {
  if (position === undefined) return;
  throw new ConfigurationError(
    `Cannot use position: what "${name}" stands for is taken from the papers`,
    {
      field: "position",
      hint: "Leave position out; persona and systemPrompt say how one argues.",
    },
  );
}

function checkRoles(participants: readonly Participant[]): void {
  const roles: readonly string[] = ROLES;
  const odd = participants.find(({ role }) => !roles.includes(role));
  const twice = ["questioner", "reporter"].find((role) =>
    participants.filter((each) => each.role === role).length > 1
  );
  if (odd === undefined && twice === undefined) return;
  throw new ConfigurationError(
    odd === undefined
      ? `Cannot hold a paper debate with two of the role ${twice}`
      : `Cannot give "${odd.name}" a part in a paper debate: its role is ${odd.role}`,
    {
      field: "participants",
      hint: "The roles are debater, and at most one questioner, reporter and fact_checker.",
    },
  );
}

function checkCount(debaters: number, postures: number | undefined): void {
  const { min, max } = POSTURE_COUNT;
  if (debaters < min || debaters > max) {
    throw new ConfigurationError(`Cannot hold a paper debate of ${debaters} debaters`, {
      field: "participants",
      hint: `Give ${min} to ${max}, or none: then there are as many as postures.`,
    });
  }
  if (postures === undefined || postures === debaters) return;
  throw new ConfigurationError(
    `Cannot take ${postures} postures: ${debaters} debaters take part`,
    { field: "postures", hint: "Leave postures out, or give as many as debaters." },
  );
}
