/**
 * A formal debate between participants with opposing viewpoints, with each participant's scores and the moderator's
 * summary.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/06_usage_example.ts
 */
import assert from "node:assert/strict";
import {
  createAgent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
} from "../mod.ts";

const agent = createAgent("offline");

const participants = [
  createDebateParticipant({
    name: "Advocate A",
    role: "position_advocate",
    position: "The technology offers more benefits than risks",
    agentConfig: { id: "advocate_a", systemPrompt: "Show what people gain by it." },
  }, agent),

  createDebateParticipant({
    name: "Advocate B",
    role: "position_advocate",
    position: "The risks of the technology outweigh the benefits",
    agentConfig: { id: "advocate_b", systemPrompt: "Show what people stand to lose by it." },
  }, agent),

  createDebateModerator({
    name: "Moderator",
    role: "moderator",
    agentConfig: { id: "moderator", systemPrompt: "Guide the debate and stay neutral." },
  }, agent),
];

const debate = createDebateWorkflow(
  "The societal impact of artificial general intelligence",
  participants,
  {
    debateFormat: "formal",
    roundCount: 3,
    openingStatementMaxTokens: 300,
    argumentMaxTokens: 250,
    closingStatementMaxTokens: 350,
    scoringEnabled: true,
    generateFullTranscript: false,
    ...(Deno.args[0] === undefined ? {} : { out: Deno.args[0] }),
  },
);

const result = await debate.run();

console.log("Debate completed with reason:", result.endReason);
console.log("Duration:", result.duration / 1000, "seconds");
console.log("\nScores:");
for (const [participantId, score] of Object.entries(result.scores)) {
  const participant = participants.find((each) => each.id === participantId);
  console.log(`${participant?.name}: ${score.total.toFixed(2)}`);
  console.log(
    "  Breakdown:",
    Object.entries(score.breakdown)
      .map(([criterion, value]) => `${criterion}: ${value.toFixed(2)}`)
      .join(", "),
  );
}
console.log("\nModerator Summary:", result.summary);

assert.deepEqual(Object.keys(result.scores).sort(), ["advocate_a", "advocate_b"]);
assert.equal(result.endReason, "completed");
assert.notEqual(result.summary, "");
