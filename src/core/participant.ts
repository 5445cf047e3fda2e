// Participants: creation, the roles of advocate and moderator, helpers, motivations and personas.
import { z } from "zod";
import { type Effort, EFFORTS } from "./profile.ts";
import type { Agent, Tool } from "./agent.ts";
import { checkAgent, checkFields, idShape, roleShape } from "./check_fields.ts";
import { ConfigurationError } from "./error.ts";
import { sha256 } from "./message.ts";
import { oneLine } from "./text.ts";
import { memo } from "./values.ts";
import { checkWords } from "./topic.ts";

/** Role of an advocate in a debate. */
export const ADVOCATE = "position_advocate";
/** Role of the moderator. */
export const MODERATOR = "moderator";

/** Configuration of a participant. */
export interface ParticipantConfig {
  /** Id: letters, digits, `_`, `.` and `-`, at most 64. @default derived from the name */
  readonly id?: string | undefined;
  /** Display name, unique in the convening. */
  readonly name: string;
  /** Role in snake_case. @default "position_advocate" in a debate, else "participant" */
  readonly role?: string | undefined;
  /** Position that the participant argues for. */
  readonly position?: string | undefined;
  /** Id of a persona, path of a persona's YAML file, or a description of the persona for the prompt. */
  readonly persona?: string | undefined;
  /**
   * Motivation: `truth-seeking`, `consensus-seeking`, `devils-advocate`, `curiosity`, `persuasion`, or free text. Influences
   * bids and turns.
   */
  readonly motivation?: string | undefined;
  /** Further instructions, inserted in the prompts without changes. */
  readonly systemPrompt?: string | undefined;
  /** Name of the model. @default the convening's */
  readonly model?: string | undefined;
  /** Sampling temperature, 0 to 2. @default the convening's */
  readonly temperature?: number | undefined;
  /** Reasoning effort. @default the convening's */
  readonly reasoningEffort?: Effort | undefined;
}

/** Participant with id, role and agent. */
export interface Participant extends Omit<ParticipantConfig, "id" | "role"> {
  /** Id, unique in the convening. */
  readonly id: string;
  /** Role in snake_case, such as `position_advocate`. */
  readonly role: string;
  /** Agent that answers. @default the agent of `model` */
  readonly agent?: Agent | undefined;
  /** Tools that the agent may call during a turn. */
  readonly tools?: readonly Tool[] | undefined;
}

/** Options of the agent behind a participant. */
export type ParticipantAgentConfig = Pick<
  ParticipantConfig,
  "id" | "systemPrompt" | "model" | "temperature" | "reasoningEffort"
>;

/** Options of {@linkcode createParticipant}. */
export interface ParticipantOptions
  extends
    Omit<ParticipantConfig, "id" | "systemPrompt" | "model" | "temperature" | "reasoningEffort">,
    Pick<Participant, "tools"> {
  /** Id, model and instructions. */
  readonly agentConfig?: ParticipantAgentConfig | undefined;
}

const fields = memo(() => {
  const text = z.string().optional();
  return z.strictObject({
    name: z.string(),
    role: roleShape.optional(),
    position: text,
    persona: text,
    motivation: text,
    tools: z.array(z.unknown()).optional(),
    agentConfig: z.strictObject({
      id: idShape.optional(),
      systemPrompt: text,
      model: text,
      temperature: z.number().min(0).max(2).optional(),
      reasoningEffort: z.enum(EFFORTS).optional(),
    }).optional(),
  });
});

/** Validates options and makes a participant. Without `agent`, the convening creates one for the model's name. */
export function createParticipant(
  options: ParticipantOptions,
  agent?: Agent,
): Participant {
  checkFields(options, fields(), "participant");
  if (agent !== undefined) checkAgent(agent, "arguments of createParticipant");
  const { role = "participant", agentConfig = {}, position, motivation, ...others } = options;
  const name = checkWords(options.name, "name");
  const { id = idOf(name) } = agentConfig;
  return {
    ...others,
    ...agentConfig,
    id,
    name,
    role,
    agent,
    position: position === undefined ? undefined : checkWords(position, "position"),
    motivation: motivation === undefined ? undefined : checkWords(motivation, "motivation"),
  };
}

/**
 * Derives an id from a name: its letters a to z without accents and its digits, joined by `-`, or a hash if there are none. Seeds and
 * keys of a study depend on the ids of its papers, so another form would end studies that have begun.
 */
export function idOf(name: string): string {
  const slug = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  return slug === "" ? `p-${sha256(name).slice(0, 8)}` : slug;
}

/** Participant of a debate: an advocate with a position, or a moderator. */
export type DebateParticipant = Participant;

/** Makes a participant of a debate. The default role, `position_advocate`, needs a position. */
export function createDebateParticipant(
  options: ParticipantOptions,
  agent?: Agent,
): DebateParticipant {
  checkFields(options, fields(), "participant");
  const { role = ADVOCATE } = options;
  if (role === ADVOCATE && options.position === undefined) {
    throw new ConfigurationError(`Cannot create advocate "${options.name}": it has no position`, {
      field: "position",
      hint: "Say what the advocate stands for.",
    });
  }
  return createParticipant({ ...options, role }, agent);
}

/** Makes the moderator of a debate, who introduces and sums up but does not decide. */
export function createDebateModerator(
  options: Partial<ParticipantOptions> = {},
  agent?: Agent,
): Participant {
  return createParticipant({ name: "Moderator", ...options, role: MODERATOR }, agent);
}

/** Returns the participants, preceded by a new moderator if there is none; avoids names and ids in use. */
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
 * Makes the participants of a configuration; a moderator without a model gets `moderatorModel`. Errors name the key with
 * its index, such as `participants.1.name`.
 */
export function participantsFrom(
  configs: readonly ParticipantConfig[],
  { moderatorModel, make = createParticipant }: {
    readonly moderatorModel?: string | undefined;
    /** Makes one participant. @default {@linkcode createParticipant} */
    readonly make?: (options: ParticipantOptions) => Participant;
  } = {},
): Participant[] {
  const taken = new Set(configs.flatMap(({ id }) => id?.toLowerCase() ?? []));
  return configs.map((each, index) =>
    atParticipant(index, () => {
      const model = each.model ?? (each.role === MODERATOR ? moderatorModel : undefined);
      const { id, systemPrompt, temperature, reasoningEffort, model: _own, ...options } = each;
      const agentConfig = { id, systemPrompt, model, temperature, reasoningEffort };
      const made = make({ ...options, agentConfig });
      if (id !== undefined) return made;
      // Different names may give the same id, such as `C` and `C++`.
      let free = made.id;
      for (let number = 2; taken.has(free); number++) free = `${made.id}-${number}`;
      taken.add(free);
      return { ...made, id: free };
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

/** Motivations by name. Any other text in a configuration is used literally. */
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

/** Returns the description of a participant for prompts: persona, then motivation; undefined without either. */
export function characterOf(
  { persona, motivation }: Pick<Participant, "persona" | "motivation">,
): string | undefined {
  if (motivation === undefined) return persona;
  const meant = Object.hasOwn(MOTIVATIONS, motivation) ? MOTIVATIONS[motivation]! : motivation;
  const sought = `What you are after: ${meant}`;
  return persona === undefined || persona.trim() === "" ? sought : `${persona}\n\n${sought}`;
}

/** Participant that neither speaks nor judges, such as a fact checker or a listener. */
export interface Helper extends
  Pick<
    Participant,
    "id" | "name" | "role" | "persona" | "model" | "agent" | "temperature" | "reasoningEffort"
  > {
  /** True if the record lists the helper among the participants. @default false */
  readonly recorded?: boolean | undefined;
  /** True if the offline agent cannot be the helper of a convening in which models speak. @default false */
  readonly needsModel?: boolean | undefined;
}

/** Prefixes an id with `the-` until it is not taken. */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  return taken.has(id) ? freeId(`the-${id}`, taken) : id;
}

/** Returns ids and names of the listeners of a debate, in order; `taken` are the ids of participants and judges. */
export function listenersNamed(
  audience: readonly { readonly name?: string | undefined }[],
  taken: ReadonlySet<string>,
): readonly { readonly id: string; readonly name: string }[] {
  return audience.map(({ name }, index) => ({
    id: freeId(`listener-${index + 1}`, taken),
    name: name ?? `Listener ${index + 1}`,
  }));
}

/** Participant, judge or helper in a run, with its agent. */
export interface CastMember
  extends
    Omit<Helper, "agent" | "needsModel">,
    Pick<Participant, "position" | "systemPrompt" | "tools"> {
  /** Name in prompts. */
  readonly label: string;
  /** Persona and motivation as configured, for the record; `persona` is their text in prompts. @default the persona */
  readonly given?: Pick<Participant, "persona" | "motivation"> | undefined;
  /** Agent that answers. */
  readonly agent: Agent;
  /** True for the chair, which introduces and sums up. */
  readonly chairs: boolean;
  /** Function of the member: takes turns, judges, or is only asked. */
  readonly part: "speaker" | "judge" | "helper";
  /** Prompt text that states the member's role; may have placeholders. */
  readonly template: string;
}

/** Description of how a participant thinks and speaks. */
export interface Persona {
  /** Id in commands and configurations: small letters, digits, `-` and `_`. */
  readonly id: string;
  /** Name in prompts, such as `Scientist`. */
  readonly name: string;
  /** Description of the speaker, in one or two sentences. */
  readonly description: string;
  /** Style of reasoning. @default none */
  readonly reasoningStyle?: string | undefined;
  /** Preferred words and phrases. */
  readonly vocabulary: readonly string[];
  /** Habits in every turn. */
  readonly does: readonly string[];
  /** Habits to avoid. */
  readonly doesNot: readonly string[];
}

/** Renders a persona for a prompt; every field is collapsed to one line. */
export function personaText(persona: Persona): string {
  const { name, description, reasoningStyle, vocabulary, does, doesNot } = persona;
  return [
    `${oneLine(name)}: ${oneLine(description)}`,
    ...(reasoningStyle === undefined ? [] : [`Reasoning style: ${oneLine(reasoningStyle)}`]),
    ...(vocabulary.length === 0
      ? []
      : [`Vocabulary: ${vocabulary.map((each) => oneLine(each)).join(", ")}`]),
    ...section("Do:", does),
    ...section("Do not:", doesNot),
  ].join("\n");
}

function section(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [heading, ...items.map((each) => `- ${oneLine(each)}`)];
}

/** Roles of participants that do not speak for themselves: they have no side, and are not judged. */
const NO_SIDE: ReadonlySet<string> = new Set([
  "moderator",
  "fact_checker",
  "audience",
  "questioner",
  "reporter",
  "judge",
]);

/** Returns the side of a participant, 1 to 6 in the record's order; undefined for the moderator and other helpers. */
export function sideOf(
  start: { readonly participants: readonly Pick<Participant, "id" | "role">[] },
  id: string,
): number | undefined {
  const at = sidesOf(start).findIndex((each) => each.id === id);
  return at === -1 ? undefined : at % 6 + 1;
}

export function sidesOf<P extends Pick<Participant, "role">>(
  { participants }: { readonly participants: readonly P[] },
): P[] {
  return participants.filter(({ role }) => !NO_SIDE.has(role));
}
