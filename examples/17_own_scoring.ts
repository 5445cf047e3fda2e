/**
 * A judge that is a function instead of a model. It scores the sides by the share of sentences with a reason. The highest
 * mean total wins, and the record has the scores like those of any judge.
 *
 *     deno run --no-prompt --allow-read examples/17_own_scoring.ts
 */
import assert from "node:assert/strict";
import {
  createAgent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  memoryRecord,
} from "../mod.ts";
import { createScoringAgent } from "../scoring.ts";

const reasons = createScoringAgent("reasons", ({ body }, { criteria, scale: [least, most] }) => {
  const sentences = body.split(/[.!?]\s/).length;
  const given = body.match(/\b(?:because|since|so|therefore)\b/gi)?.length ?? 0;
  const share = Math.min(1, given / sentences);
  return {
    scores: Object.fromEntries(criteria.map(({ id }) => [id, least + share * (most - least)])),
    reasons: `${given} reasons in ${sentences} sentences.`,
  };
});

const agent = createAgent("offline");
const debate = createDebateWorkflow("Should cities ban private cars from their centres?", [
  createDebateModerator({}, agent),
  createDebateParticipant({ name: "Ada", position: "Yes, they should" }, agent),
  createDebateParticipant({ name: "Ben", position: "No, they should not" }, agent),
], { roundCount: 1, seed: 3, judges: [{ agent: reasons }], record: memoryRecord() });

const { scores, winner, outcome } = await debate.run();
for (const { name, total } of Object.values(scores)) console.log(`${name}: ${total}`);
console.log(`Winner: ${winner ?? "none"}`);
assert.ok(outcome === "decided" || outcome === "undecided");
assert.equal(Object.keys(scores).length, 2);
