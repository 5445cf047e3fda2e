/**
 * A person as a participant: the program answers an event with the person's words, interjects a remark from the audience,
 * and pauses. Another program continues from the directory days later.
 *
 *     deno run --no-prompt --allow-read --allow-write=. examples/11_person_takes_part.ts
 */
import assert from "node:assert/strict";
import { composeConvening, openConvening, resume, speak, TurnOrderError, verify } from "../mod.ts";

const talk = await composeConvening({
  kind: "dialogue",
  topic: "How does one learn to listen?",
  model: "offline",
  participants: [{ name: "Wren" }, { name: "Ines", model: "human" }],
  maxTurns: 6,
  seed: 5,
  out: Deno.args[0] ?? "convenings",
});

// An event announces the person's turn; the words may come at any time, here at once.
const answers = [
  "By asking one more question than you meant to.",
  "And by waiting for the answer.",
];
const events = talk.stream();
let step = await events.next();
for (; !step.done; step = await events.next()) {
  const event = step.value;
  if (event.type === "turn-wait") talk.say(event.turn.participant, answers.shift()!);
  if (event.type !== "message") continue;
  console.log(`${event.message.seq}. ${event.message.name}: ${event.message.body}\n`);
  // The remark becomes a message before the next turn; it takes no turn, and the order of turns stays.
  if (event.message.seq === 1) talk.interject("Say something to those who talk too much.");
  if (event.message.participant === "ines") talk.pause();
}
const { status, dir = "" } = step.value;
assert.equal(status, "paused");
assert.equal((await openConvening(dir)).messages[1]!.role, "audience");

// With a timeout of 0 nobody answers: the run stops at the person's turn, and nothing is lost.
const waiting = await (await resume(dir, { config: { personTimeout: 0 } })).run();
assert.equal(waiting.status, "waiting");
console.log(`waiting for ${waiting.waitingFor?.map(({ participant }) => participant).join(", ")}`);

// Days later: words for another participant are rejected, and the error names whose turn it is.
await assert.rejects(speak(dir, "Let me go first.", { as: "Wren" }), (error) => {
  assert.ok(error instanceof TurnOrderError);
  console.log(`${error.message}. ${error.hint}`);
  return /Ines/.test(error.hint ?? "");
});
for (const text of ["One can hear a pause, too.", "So I will stop here."]) {
  const said = await speak(dir, text, { as: "Ines", config: { personTimeout: 0 } });
  if (!said.left) console.log(`said; ${(await said.convening.run()).status}`);
}

const { result, messages } = await openConvening(dir);
assert.equal(result.status, "completed");
const said = messages.filter(({ participant }) => participant === "ines");
assert.equal(said.length, 3);
assert.deepEqual((await verify(dir)).findings, []);
