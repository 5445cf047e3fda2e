import type { Agent } from "../core/agent.ts";
import { ConfigurationError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import { checkWords } from "../core/topic.ts";
import type { Tool } from "../core/tool.ts";

/** Who takes part: a name, a role, and how its answers are got. */
export interface Participant {
  /** Unique in a convening; records and results know it by this. */
  readonly id: string;
  /** As readers see it; unique in the convening. */
  readonly name: string;
  /** snake_case, such as `position_advocate`. */
  readonly role: string;
  /** What an advocate stands for. */
  readonly position?: string | undefined;
  /** Who it is: temper, reasoning, vocabulary. Stands whole in its prompts. */
  readonly persona?: string | undefined;
  /** What it is after: one of `MOTIVATIONS`, or in words of its own. Stands in its prompts, after the persona. */
  readonly motivation?: string | undefined;
  /** Orders of its own. Stand whole in its prompts. */
  readonly systemPrompt?: string | undefined;
  /** A model's name; used where no `agent` is given. @default the convening's model */
  readonly model?: string | undefined;
  /** What answers for it. */
  readonly agent?: Agent | undefined;
  /** 0 to 2. @default the convening's */
  readonly temperature?: number | undefined;
  /** What it may call while it answers. */
  readonly tools?: readonly Tool[] | undefined;
}

/** The settings that `agentConfig` gathers. */
export interface ParticipantAgentConfig {
  /** Unique in the convening. @default made from the name */
  readonly id?: string | undefined;
  /** What it is told besides, last in the prompt. */
  readonly systemPrompt?: string | undefined;
  /** The name of its model. @default the convening's */
  readonly model?: string | undefined;
  /** 0 to 2. @default the convening's */
  readonly temperature?: number | undefined;
}

/** What a participant is made from. */
export interface ParticipantOptions {
  /** As readers see it; unique in the convening. */
  readonly name: string;
  /** snake_case. @default "participant" */
  readonly role?: string | undefined;
  /** What it stands for. */
  readonly position?: string | undefined;
  /** How it speaks, as text for the prompt. */
  readonly persona?: string | undefined;
  /** What it is after, such as `truth-seeking`, or in words; shapes its bids and turns. */
  readonly motivation?: string | undefined;
  /** Its id, its model and what it is told. */
  readonly agentConfig?: ParticipantAgentConfig | undefined;
  /** What it may call during a turn. */
  readonly tools?: readonly Tool[] | undefined;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const ROLE = /^[a-z][a-z0-9_]{0,31}$/;

/** A participant, checked; without an `agent`, the convening gives it one by its model's name. */
export function createParticipant(
  options: ParticipantOptions,
  agent?: Agent,
): Participant {
  const { role = "participant", agentConfig = {} } = options;
  const name = checkWords(options.name, "name");
  const id = agentConfig.id ?? idOf(name);
  if (!ID.test(id)) {
    throw new ConfigurationError(
      `Cannot use participant id ${JSON.stringify(id.slice(0, 80))}`,
      {
        field: "agentConfig.id",
        hint: "An id has letters, digits, '_', '.' and '-', at most 64.",
      },
    );
  }
  if (!ROLE.test(role)) {
    throw new ConfigurationError(
      `Cannot use role ${JSON.stringify(role.slice(0, 80))}`,
      {
        field: "role",
        hint: "A role is in snake_case, such as position_advocate.",
      },
    );
  }
  return {
    id,
    name,
    role,
    position: options.position === undefined ? undefined : checkWords(options.position, "position"),
    persona: options.persona,
    motivation: options.motivation === undefined
      ? undefined
      : checkWords(options.motivation, "motivation"),
    systemPrompt: agentConfig.systemPrompt,
    model: agentConfig.model,
    temperature: agentConfig.temperature,
    agent,
    tools: options.tools,
  };
}

/** An id made from a name: its letters and digits, else a hash. */
export function idOf(name: string): string {
  const slug = name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "").slice(0, 40);
  return slug === "" ? `p-${sha256(name).slice(0, 8)}` : slug;
}
