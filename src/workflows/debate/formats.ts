import type { DebateFormat } from "../../core/convening_config.ts";
import { checkRubric, type Rubric } from "../../core/scoring.ts";

/** A format as data: what the rules say, and how the criteria weigh. */
export interface DebateFormatRules {
  /** The rules, as all are told them. */
  readonly rules: string;
  /** How one speaks. */
  readonly tone: string;
  /** What the moderator looks after. */
  readonly moderation: string;
  /** Weights of logical coherence, evidence quality, responsiveness, persuasiveness and rule adherence. */
  readonly weights: readonly [number, number, number, number, number];
}

/** The four formats. */
export const FORMATS: Readonly<Record<DebateFormat, DebateFormatRules>> = {
  formal: {
    rules:
      "A formal debate. Every claim needs a reason; evidence is named for what it is; a rebuttal answers the argument " +
      "it is given, not a weaker one. No personal remarks.",
    tone: "Formal, precise and courteous.",
    moderation: "The moderator keeps strictly to the order and the rules.",
    weights: [0.25, 0.25, 0.2, 0.15, 0.15],
  },
  casual: {
    rules:
      "A casual debate among people who respect each other. Disagree openly, give reasons, and stay with the point.",
    tone: "Conversational and plain; an everyday example beats a technical term.",
    moderation: "The moderator keeps the exchange friendly and lets small slips pass.",
    weights: [0.25, 0.15, 0.25, 0.25, 0.1],
  },
  educational: {
    rules:
      "An educational debate: the audience wants to understand the question. Explain terms, show where the views really " +
      "part, and grant what is right on the other side.",
    tone: "Clear and patient; assume an interested listener without special knowledge.",
    moderation: "The moderator draws out what can be learned from each exchange.",
    weights: [0.3, 0.3, 0.2, 0.1, 0.1],
  },
  competitive: {
    rules:
      "A competitive debate: the sides argue to win. Press the strongest points, expose what is left unanswered, and " +
      "leave no argument of the other side standing. No personal remarks.",
    tone: "Sharp, vivid and to the point.",
    moderation: "The moderator keeps the pace and names what was left unanswered.",
    weights: [0.2, 0.2, 0.25, 0.25, 0.1],
  },
};

const CRITERIA = [
  ["logical_coherence", "Is the reasoning clear and sound, without gaps or contradictions?"],
  ["evidence_quality", "Are the examples and evidence relevant, credible and rightly used?"],
  ["responsiveness", "Does it answer what the other side really said, at its strongest?"],
  ["persuasiveness", "Would it move a fair-minded listener?"],
  ["rule_adherence", "Does it keep to the topic, the task and the rules of the format?"],
] as const;

/** The `debate` rubric with a format's weights; a format that weighs otherwise has a rubric id of its own. */
export function debateRubric(format: DebateFormat): Rubric {
  return checkRubric({
    id: format === "formal" ? "debate" : `debate-${format}`,
    scale: [0, 10],
    criteria: CRITERIA.map(([id, description], index) => ({
      id,
      description,
      weight: FORMATS[format].weights[index]!,
    })),
    anchors: [
      { from: 9, means: "outstanding: hard to improve on" },
      { from: 7, means: "strong, with small weaknesses" },
      { from: 5, means: "adequate: the point is made, with clear gaps" },
      { from: 3, means: "weak: mostly asserted or beside the point" },
      { from: 0, means: "fails the criterion" },
    ],
  });
}

/** A rubric as all are told it, its criteria in the given order. */
export function describeRubric(rubric: Rubric, order: readonly string[]): string {
  const by = new Map(rubric.criteria.map((each) => [each.id, each]));
  const criteria = order.map((id) => {
    const { weight, description } = by.get(id)!;
    return `- ${id} (weight ${weight}): ${description}`;
  });
  const anchors = rubric.anchors.map(({ from, means }) => `${from}+ ${means}`).join("; ");
  return `Speeches are scored from ${rubric.scale[0]} to ${rubric.scale[1]} on:\n${
    criteria.join("\n")
  }\nBands: ${anchors}.`;
}
