// Configurations that the parity tests run through every surface.
import { EARLIER_RULES } from "../../support/earlier_rules.ts";
import { MODEL } from "../../support/speaking_model.ts";

/** Topic of the debates. */
export const TOPIC = "Should cities ban private cars from their centres?";

export const DEBATE = {
  kind: "debate",
  topic: TOPIC,
  model: MODEL,
  roundCount: 1,
  seed: 1,
} as const;

/** A short debate without retries; advocates and judge have models of their own. */
export const MODELS = {
  ...DEBATE,
  ...EARLIER_RULES,
  model: "good",
  participants: [
    { id: "ada", name: "Ada", position: "Ban them", model: "ada" },
    { id: "ben", name: "Ben", position: "Keep them", model: "ben" },
  ],
  judges: [{ name: "Jo", model: "jo" }],
  retry: { retries: 0 },
  guards: { repetition: "off" },
} as const;

/** A dialogue of a person and the model; the person's turn stays pending on disk. */
export const WITH_A_PERSON = {
  kind: "dialogue",
  topic: "What makes a good teacher of small children?",
  model: MODEL,
  participants: [{ id: "ada", name: "Ada" }, { id: "eve", name: "Eve", model: "human" }],
  maxTurns: 4,
  personTimeout: 0,
  seed: 1,
} as const;

export const PAPERS = {
  trees: {
    id: "trees",
    title: "Trees and heat",
    text: [
      "# Trees and heat",
      "We measured the air of forty streets. Streets with trees were two degrees cooler at noon.",
      "At night the difference was small. Watering the trees took much work in dry summers.",
      "A city that plants trees should plan for their care, since young trees die without water.",
    ].join("\n\n"),
  },
  buses: {
    id: "buses",
    title: "Buses at night",
    text: [
      "# Buses at night",
      "Night buses ran on nine lines for two years. Riders were mostly nurses and bakers.",
      "Every line lost money, but shops near its stops stayed open longer than others did.",
    ].join("\n\n"),
  },
} as const;
