/**
 * A consensus: proposals first, then turns with a stance on every proposal, as data and never derived from the speech. It
 * ends when enough participants agree for some turns, when no stance changes any more, or at a limit.
 *
 *     deno run --no-prompt --allow-read examples/10_consensus.ts
 */
import assert from "node:assert/strict";
import { createAgent, createConsensusWorkflow, createParticipant, memoryRecord } from "../mod.ts";

const agent = createAgent("offline");
const consensus = createConsensusWorkflow("How should a village spend its windfall?", [
  createParticipant({ name: "Farmer", motivation: "thinks of the water pipes" }, agent),
  createParticipant(
    { name: "Teacher", motivation: "thinks of the children in twenty years" },
    agent,
  ),
  createParticipant({ name: "Baker", motivation: "would rather wait than waste" }, agent),
], { threshold: 0.8, stableTurns: 3, seed: 8, record: memoryRecord(), limits: { maxTurns: 24 } });

for await (const event of consensus.stream()) {
  if (event.type === "message") console.log(`${event.message.name}: ${event.message.body}\n`);
  if (event.type === "stance") {
    const { participant, stances } = event.stance;
    console.log(
      `  ${participant}: ${stances.map(({ on, stance }) => `${on} ${stance}`).join(", ")}`,
    );
  }
  if (event.type !== "convening-end") continue;
  const { endReason, consensus: standing } = event.ending;
  console.log(`ended: ${endReason}`);
  for (const { id, text, share, holds } of standing?.agreed ?? []) {
    const conditions = Object.entries(holds).filter(([, { condition }]) => condition !== undefined);
    console.log(`agreed by ${share}: ${id} ${text} (${conditions.length} on a condition)`);
  }
  for (const { id, text, share } of standing?.open ?? []) {
    console.log(`open at ${share}: ${id} ${text}`);
  }
  assert.ok(["consensus", "impasse", "max_turns"].includes(endReason ?? ""));
  assert.ok(standing !== undefined && standing.agreed.length + standing.open.length > 0);
  if (endReason === "consensus") assert.ok(standing.agreed.length > 0);
  for (const { share } of standing.agreed) assert.ok(share >= 0.8);
}
