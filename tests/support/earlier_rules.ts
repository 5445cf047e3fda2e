// The rules that presets, records without the keys and workflows made in code have: for tests of these rules.

/** Settings of a debate of rebuttals, in the order of its participants, that close one after the other. */
export const EARLIER_RULES = {
  exchange: "rebuttals",
  speakingOrder: "given",
  closingOrder: "opening",
  blindClosings: false,
} as const;
