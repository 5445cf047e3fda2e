// A configuration with every list and mapping present.
import { PAPER } from "./paper_holding.ts";
import { type Kind, person, type Settings, TOPIC } from "./holding.ts";

/** A custom rubric. */
export const RUBRIC = {
  id: "plain",
  scale: [0, 10],
  criteria: [
    {
      id: "plainness",
      weight: 0.5,
      description: "Whether it is plain.",
      anchors: [{ from: 5, means: "Plain enough." }],
    },
    { id: "honesty", weight: 0.5, description: "Whether it is honest." },
  ],
  anchors: [{ from: 5, means: "Good enough." }],
} as const;

/** A profile with every mapping. */
const PROFILE = {
  reasoning: { kind: "effort", kwargs: { odd: 1 } },
  cache: { kind: "auto" },
  limits: { start: 1 },
  extraBody: { odd: 1 },
} as const;

/** Returns a configuration with every list and mapping, so that any single key can be made invalid. */
export function wholeSettings(kind: Kind): Settings {
  return {
    kind,
    topic: TOPIC,
    participants: [person("Ada"), person("Ben")],
    limits: {},
    retry: {},
    words: { min: 200, max: 400 },
    prompts: {},
    prices: { date: "2026-11-01", models: { odd: { input: 1, output: 1 } } },
    providers: {
      odd: {
        baseUrl: "http://127.0.0.1:9/v1",
        headers: { odd: "one" },
        extraBody: { odd: 1 },
        profile: PROFILE,
        models: { odd: PROFILE },
      },
    },
    guards: { repetition: {}, coherence: {}, refusedTerms: {} },
    factCheck: {},
    ...kind === "paper-debate" &&
      { papers: [PAPER], paperCharacters: {}, rubric: RUBRIC, judges: [{ rubric: RUBRIC }] },
    ...kind === "debate" && { rubric: RUBRIC, judges: [{ rubric: RUBRIC }], audience: [{}] },
  };
}
