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
