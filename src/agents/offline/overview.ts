import { z } from "zod";
import type { RequestContext } from "../../core/agent.ts";
import { composeText } from "./compose.ts";
import { featuresOf } from "./features.ts";
import { type Asked, phrase, traitOf } from "./phrasing.ts";
import { sentencesOf } from "./quotation.ts";
import { stanceOf } from "./stance.ts";

const BaselineData = z.object({
  order: z.array(z.string()).min(2),
  labels: z.record(z.string(), z.string()),
});

/** The most tokens of an answer in prose where the question sets none. */
const USUAL_TOKENS = 500;
/** Two cases are as good as equal within this. */
const CLOSE = 0.006;

const STARTS = [
  "asked without any debate, I [see|find] a case for [each|every] side",
  "before anyone has [spoken|argued], the sides can be put like this",
];
const ENDS = {
  winner: [
    "on balance I would follow {label}, since [its case|what speaks for it] holds together better: {own}",
    "of these the case of {label} seems the stronger to me: {own}",
  ],
  tie: [
    "neither case outweighs the other as far as I can [see|tell] by myself",
    "as far as one answer can go, the two are [even|balanced]",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

/** A single answer to the topic: a case made for each side, and which of them holds better. */
export function baselineAnswer({ context, random, count }: Asked): unknown {
  const data = BaselineData.safeParse(context.data);
  if (!data.success) return undefined;
  const { order, labels } = data.data;
  const sides = [...order].sort().map((id) => {
    const side = sideContext(context, id, labels[id] ?? id);
    const text = composeText({ messages: [], context: side, maxTokens: 150 }, count);
    const { logic, evidence, response, style } = featuresOf(text, "", context.topic);
    const strength = (logic + evidence + response + style) / 4 +
      0.03 * traitOf(context, "baseline", id);
    return {
      label: side.label,
      text: sentencesOf(text).slice(0, 3).join(" "),
      strength,
      own: stanceOf(side).own,
    };
  }).sort((a, b) => b.strength - a.strength);
  const [first, second] = [sides[0]!, sides[1]!];
  const tie = first.strength - second.strength < CLOSE;
  const told = [...sides].sort((a, b) => a.label < b.label ? -1 : 1)
    .map(({ label, text }) => `For ${label}: ${text}`);
  const end = phrase(
    tie ? ENDS.tie : ENDS.winner,
    { label: [first.label], own: [first.own] },
    random,
  );
  return {
    answer: [phrase(STARTS, {}, random), ...told, end].join("\n\n"),
    winner: tie ? "tie" : first.label,
  };
}

/** The context in which a side would make its case. */
function sideContext(context: RequestContext, id: string, label: string): RequestContext {
  const position = context.opponents.find((each) => each.id === id)?.position;
  return {
    ...context,
    ...{ participant: id, label, position, persona: undefined, kind: "opening_statement" },
    opponents: context.opponents.filter((each) => each.id !== id),
  };
}

/** What was said on each side, in prose; it decides nothing. */
export function summaryAnswer({ context, count, maxTokens = USUAL_TOKENS }: Asked): unknown {
  const room = Math.min(USUAL_TOKENS, Math.floor(maxTokens * 0.85));
  const summed = { ...context, kind: "summary" };
  return { summary: composeText({ messages: [], context: summed, maxTokens: room }, count) };
}
