/**
 * The shortest complete debate: two positions, a moderator, one command, one directory.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/01_first_debate.ts
 */
import assert from "node:assert/strict";
import {
  createAgent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  verify,
} from "../mod.ts";

const agent = createAgent("offline");
const debate = createDebateWorkflow(
  "Should cities ban private cars from their centres?",
  [
    createDebateModerator({}, agent),
    createDebateParticipant({ name: "Ada", position: "Yes, they should" }, agent),
    createDebateParticipant({ name: "Ben", position: "No, they should not" }, agent),
  ],
  { seed: 1, out: Deno.args[0] ?? "convenings" },
);

const result = await debate.run();
console.log(`${result.outcome}: read ${result.dir}/index.md`);

assert.equal(result.status, "completed");
assert.equal(result.messages.length, 21);
assert.deepEqual((await verify(result.dir!)).findings, []);
