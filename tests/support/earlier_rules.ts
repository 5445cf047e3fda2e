// Debate rules that apply to presets, to old records and to workflows made in code, for tests of these rules.

/** Settings of a debate with rebuttals in the given order and closings one after the other. */
export const EARLIER_RULES = {
  exchange: "rebuttals",
  speakingOrder: "given",
  closingOrder: "opening",
  blindClosings: false,
} as const;
