/** The texts of a plain dialogue; each can be replaced under `prompts` in the configuration. */
export const DIALOGUE_TEMPLATES = {
  rules:
    "This is a conversation. The participants speak in turn, take up what the others said, and keep to " +
    "the topic.",
  participant:
    "You are {name}, taking part in this conversation. Speak for yourself, in the first person, " +
    "without headings and without announcing who you are.",
  moderator:
    "You are {name}, the moderator of this conversation. You are neutral: you give the floor, and take no side.",
  opening: "Begin the conversation: say where you stand on the topic, and why.",
  statement: "It is your turn. Take up what was said last, and bring the conversation forward.",
  bid:
    "Who speaks next goes by bids. How much do you want to speak now? Give the reason first, in one sentence: what you " +
    "would add, and whether it is new. Then your bid, from 0 (nothing to add) to 1 (it must be said now). Answer with " +
    "one JSON object: reason, then bid.",
  nextSpeaker:
    "Say who speaks next: whoever can best take up what was said last, or has been heard least. Not who has just " +
    "spoken. Give the reason first, in one sentence. Answer with one JSON object: reason, then speaker, by name.",
} satisfies Readonly<Record<string, string>>;
