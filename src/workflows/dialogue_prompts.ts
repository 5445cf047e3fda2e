/** The texts of a plain dialogue; each can be replaced under `prompts` in the configuration. */
export const DIALOGUE_TEMPLATES = {
  rules:
    "This is a conversation. The participants speak in turn, take up what the others said, and keep to " +
    "the topic.",
  participant:
    "You are {name}, taking part in this conversation. Speak for yourself, in the first person, " +
    "without headings and without announcing who you are.",
  opening: "Begin the conversation: say where you stand on the topic, and why.",
  statement: "It is your turn. Take up what was said last, and bring the conversation forward.",
} satisfies Readonly<Record<string, string>>;
