/** What one can be after, by the word that stands for it in configurations; any other text stands for itself. */
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

/** Who one is and what it is after, as its prompts say it: the persona, then the motivation; undefined without both. */
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
