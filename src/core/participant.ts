// Participants: what they are made from, those with a role of their own, and personas.
import { z } from "zod";
import { type Effort, EFFORTS } from "./profile.ts";
import type { Agent, Tool } from "./agent.ts";
import { checkFields } from "./check_fields.ts";
import { ConfigurationError } from "./error.ts";
import { sha256 } from "./message.ts";
import { memo } from "./values.ts";
import { checkWords } from "./topic.ts";

/** The role of an advocate of a debate. */
export const ADVOCATE = "position_advocate";
/** The role of a moderator, who gives the floor, sums up and takes no side. */
export const MODERATOR = "moderator";

/** A participant in a configuration. */
export interface ParticipantConfig {
  /** Letters, digits, `_`, `.` and `-`, at most 64. @default made from the name */
  readonly id?: string | undefined;
  /** The name for readers; unique in the convening. */
  readonly name: string;
  /** snake_case. @default in a debate "position_advocate", else "participant" */
  readonly role?: string | undefined;
  /** Position of the participant. */
  readonly position?: string | undefined;
  /** A persona's id, the path of its YAML file, or the way of speaking as text for the prompt. */
  readonly persona?: string | undefined;
  /** Aim of the participant: a key of `MOTIVATIONS`, or in words; shapes bids and turns. */
  readonly motivation?: string | undefined;
  /** More instructions; they stand whole in the prompts. */
  readonly systemPrompt?: string | undefined;
  /** The name of the model. @default the convening's */
  readonly model?: string | undefined;
  /** 0 to 2. @default the convening's */
  readonly temperature?: number | undefined;
  /** The effort of hidden reasoning. @default the convening's */
  readonly reasoningEffort?: Effort | undefined;
}

/** A participant with an id and a role, and the agent that answers. */
export interface Participant extends Omit<ParticipantConfig, "id" | "role"> {
  /** Unique in a convening; records and results know the participant by it. */
  readonly id: string;
  /** snake_case, such as `position_advocate`. */
  readonly role: string;
  /** The agent that answers. @default the agent of `model` */
  readonly agent?: Agent | undefined;
  /** Tools that may be called during a turn. */
  readonly tools?: readonly Tool[] | undefined;
}

/** The settings that `agentConfig` gathers. */
export type ParticipantAgentConfig = Pick<
  ParticipantConfig,
  "id" | "systemPrompt" | "model" | "temperature" | "reasoningEffort"
>;

/** Options of a participant. */
export interface ParticipantOptions
  extends
    Omit<ParticipantConfig, "id" | "systemPrompt" | "model" | "temperature" | "reasoningEffort">,
    Pick<Participant, "tools"> {
  /** The id, the model and more instructions. */
  readonly agentConfig?: ParticipantAgentConfig | undefined;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const ROLE = /^[a-z][a-z0-9_]{0,31}$/;

const fields = memo(() => {
  const text = z.string().optional();
  return z.strictObject({
    name: z.string(),
    role: text,
    position: text,
    persona: text,
    motivation: text,
    tools: z.array(z.unknown()).optional(),
    agentConfig: z.strictObject({
      id: text,
      systemPrompt: text,
      model: text,
      temperature: z.number().min(0).max(2).optional(),
      reasoningEffort: z.enum(EFFORTS).optional(),
    }).optional(),
  });
});

/** A participant, checked; without an `agent`, the convening gives it one by its model's name. */
export function createParticipant(
  options: ParticipantOptions,
  agent?: Agent,
): Participant {
  checkFields(options, fields(), "participant");
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
    reasoningEffort: agentConfig.reasoningEffort,
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

/** One who takes part in a debate: an advocate with a position, a moderator, a judge. */
export type DebateParticipant = Participant;

/** A participant of a debate; the role `position_advocate` (the default) needs a position. */
export function createDebateParticipant(
  options: ParticipantOptions,
  agent?: Agent,
): DebateParticipant {
  checkFields(options, fields(), "participant");
  const { role = ADVOCATE } = options;
  if (role === ADVOCATE && options.position === undefined) {
    throw new ConfigurationError(
      `Cannot create advocate "${options.name}": it has no position`,
      {
        field: "position",
        hint: "Say what the advocate stands for.",
      },
    );
  }
  return createParticipant({ ...options, role }, agent);
}

/** The moderator of a debate: introduces, summarises each round and the whole, and does not decide. */
export function createDebateModerator(
  options: Partial<ParticipantOptions> = {},
  agent?: Agent,
): Participant {
  return createParticipant(
    { name: "Moderator", ...options, role: MODERATOR },
    agent,
  );
}

/** The participants with a moderator first, made with `model` where they have none; its name and id are free ones. */
export function withModerator(
  participants: readonly Participant[],
  { model, agent }: Pick<Participant, "model" | "agent">,
): readonly Participant[] {
  if (participants.some(({ role }) => role === MODERATOR)) return participants;
  const taken = (value: string) =>
    participants.some(({ id, name }) =>
      id.toLowerCase() === value.toLowerCase() || name.toLowerCase() === value.toLowerCase()
    );
  const name = ["Moderator", "The Moderator"].find((each) => !taken(each)) ?? "The Chair";
  const id = ["moderator", "the-moderator"].find((each) => !taken(each)) ?? "the-chair";
  return [createDebateModerator({ name, agentConfig: { id, model } }, agent), ...participants];
}

/**
 * The participants of a configuration, each made by `make`; a moderator that names no model has `moderatorModel`. An error
 * about a key names the place, such as `participants.1.name`.
 */
export function participantsFrom(
  given: readonly ParticipantConfig[],
  { moderatorModel, make = createParticipant }: {
    readonly moderatorModel?: string | undefined;
    /** @default {@linkcode createParticipant} */
    readonly make?: (options: ParticipantOptions) => Participant;
  } = {},
): Participant[] {
  return given.map((each, index) =>
    atParticipant(index, () => {
      const model = each.model ?? (each.role === MODERATOR ? moderatorModel : undefined);
      const { id, systemPrompt, temperature, reasoningEffort, model: _own, ...options } = each;
      const agentConfig = { id, systemPrompt, model, temperature, reasoningEffort };
      return make({ ...options, agentConfig });
    })
  );
}

function atParticipant<T>(index: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ConfigurationError) || error.field === undefined) throw error;
    const key = error.field.replace(/^agentConfig\./, "");
    const field = `participants.${index}.${key}`;
    const message = error.message.replace(`Cannot use ${key}:`, `Cannot use ${field}:`);
    throw new ConfigurationError(message, { field, hint: error.hint, cause: error });
  }
}

/** Motivations by their name in configurations; any other text is a motivation as it stands. */
export const MOTIVATIONS: Readonly<Record<string, string>> = {
  ["truth-seeking"]:
    "to find out what is true. You speak up where a claim is doubtful or a reason missing, say openly what you do not " +
    "know, and change your mind when the reasons are better than yours.",
  ["consensus-seeking"]:
    "an agreement that all can live with. You speak up where positions could meet, name what is already shared, and " +
    "propose what would bring the others in.",
  ["devils-advocate"]:
    "to test what is said. You speak up where everybody seems to agree, make the strongest case against it, and give " +
    "way once it has been answered.",
  curiosity:
    "to understand. You speak up where something is unclear or new, ask the question nobody has asked, and follow an " +
    "idea further before you judge it.",
  persuasion:
    "to win the others over. You speak up where your position is attacked or can be made stronger, and you choose " +
    "the reasons that weigh with those who listen.",
};

/** Description of a participant in its prompts: the persona, then the motivation; undefined without both. */
export function characterOf(
  { persona, motivation }: {
    readonly persona?: string | undefined;
    readonly motivation?: string | undefined;
  },
): string | undefined {
  if (motivation === undefined) return persona;
  const meant = Object.hasOwn(MOTIVATIONS, motivation) ? MOTIVATIONS[motivation]! : motivation;
  const sought = `What you are after: ${meant}`;
  return persona === undefined || persona.trim() === "" ? sought : `${persona}\n\n${sought}`;
}

/** A helper: asked, but neither a speaker nor a judge, such as a fact checker or a listener. */
export interface Helper extends
  Pick<
    Participant,
    "id" | "name" | "role" | "persona" | "model" | "agent" | "temperature" | "reasoningEffort"
  > {
  /** True if records list the helper among the participants. @default false */
  readonly recorded?: boolean | undefined;
  /** True if words of models need a model as the helper: the offline agent is not asked then. @default false */
  readonly needsModel?: boolean | undefined;
}

/** A manner of thinking and speaking that a participant takes on, as data. */
export interface Persona {
  /** Small letters, digits, `-` and `_`; commands and configurations name it by it. */
  readonly id: string;
  /** As prompts name it, such as `Scientist`. */
  readonly name: string;
  /** Description of the speaker, one or two sentences. */
  readonly description: string;
  /** Reasoning style. @default none */
  readonly reasoningStyle?: string | undefined;
  /** Words and phrases it likes to use. */
  readonly vocabulary: readonly string[];
  /** Habits of every turn. */
  readonly does: readonly string[];
  /** Habits to avoid. */
  readonly doesNot: readonly string[];
}

/** Everything a persona says, for its prompt; all of it quoted as text, whatever it holds. */
export function personaText(persona: Persona): string {
  const { name, description, reasoningStyle, vocabulary, does, doesNot } = persona;
  return [
    `${inLine(name)}: ${inLine(description)}`,
    ...(reasoningStyle === undefined ? [] : [`Reasoning style: ${inLine(reasoningStyle)}`]),
    ...(vocabulary.length === 0 ? [] : [`Vocabulary: ${vocabulary.map(inLine).join(", ")}`]),
    ...listed("Do:", does),
    ...listed("Do not:", doesNot),
  ].join("\n");
}

function listed(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [heading, ...items.map((each) => `- ${inLine(each)}`)];
}

function inLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
