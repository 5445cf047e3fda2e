/**
 * Stops a debate at a limit, resumes it, and forks it with one message rewritten.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/04_resume_and_fork.ts
 */
import assert from "node:assert/strict";
import { composeConvening, fork, openConvening, resume, verify } from "../mod.ts";

const debate = await composeConvening({
  kind: "debate",
  topic: "Is it fair to keep animals in zoos?",
  model: "offline",
  roundCount: 2,
  seed: 5,
  limits: { maxTurns: 6 },
  out: Deno.args[0] ?? "convenings",
});
const stopped = await debate.run();
const dir = stopped.dir!;
console.log(`stopped: ${stopped.endReason} after ${stopped.messages.length} messages`);
assert.equal(stopped.status, "stopped");
assert.equal(stopped.endReason, "max_turns");

const resumed = await resume(dir, { config: { limits: { maxTurns: 100 } } });
const whole = await resumed.run();
console.log(`resumed: ${whole.outcome} after ${whole.messages.length} messages`);
assert.equal(whole.status, "completed");
assert.deepEqual(whole.messages.slice(0, 6), stopped.messages);

const forked = await fork(dir, { at: 4, edit: "A zoo is a school with the lessons left out." });
const other = await (await resume(forked, { config: { limits: { maxTurns: 100 } } })).run();
console.log(`forked: ${other.dir}`);
assert.equal((await openConvening(forked)).start.parent?.seq, 4);
assert.equal(other.messages[3]!.body, "A zoo is a school with the lessons left out.");
assert.deepEqual((await verify(forked)).findings, []);
