// A small study of one topic and two contestants without a model.

export const STUDY = {
  study: "tea",
  base: { kind: "debate", roundCount: 1, model: "offline" },
  topics: [{ id: "tea", topic: "Is tea better than coffee for work?" }],
  contestants: [{ id: "a", persona: "scientist" }, { id: "b" }],
  judges: [{ model: "offline" }],
} as const;
