// Acts on a finished or waiting convening have the same results in library, CLI, HTTP and MCP.
import assert from "node:assert/strict";
import { DEBATE, PAPERS, WITH_A_PERSON } from "./support/asked.ts";
import { withSpeaker } from "./support/four_doors.ts";
import { MODEL } from "../support/speaking_model.ts";

withSpeaker.test("library, CLI, HTTP and MCP return the same data of a debate", async (doors) => {
  const held = await doors.hold({ config: DEBATE });
  const { value } = await doors.at(held, (door, dir) => door.verify(dir));
  assert.equal(value?.["sound"], true);
  await doors.at(held, (door, dir) => door.message(dir, 3));
  const ask = "What do bus lanes change for shopkeepers?";
  const answers = await doors.at(held, (door, dir) => door.ask(dir, ask));
  assert.equal(Object(answers.value?.["answers"]).length, 5);
  const found = await doors.each((door) => door.search("narrow streets"));
  assert.ok(Object(found.value?.["results"]).length > 0);
  await doors.hold({ config: { ...DEBATE, limits: { maxTurns: 3 } } });
  const list = await doors.each((door) => door.list());
  assert.equal(Object(list.value?.["convenings"]).length, 2);
});

withSpeaker.test("library, CLI, HTTP and MCP judge a debate again and resume a fork alike", async (doors) => {
  const held = await doors.hold({ config: DEBATE });
  const how = { rubric: "academic", models: [MODEL] };
  const { value } = await doors.at(held, (door, dir) => door.judge(dir, how));
  assert.equal(Object(value?.["panel"]).rubric, "academic");
  await doors.compare(held);
  const fork = await doors.fork(held, { at: 4, edit: "Let me begin anew, with the buses." });
  const on = await doors.at(fork, (door, dir) => door.resume(dir));
  assert.equal(on.value?.["status"], "completed");
  await doors.compare(fork);
  // The fork is complete: `resume` only returns its result.
  await doors.at(fork, (door, dir) => door.resume(dir));
});

withSpeaker.test("library, CLI, HTTP and MCP resume alike after a limit with other settings", async (doors) => {
  const held = await doors.hold({ config: { ...DEBATE, limits: { maxTurns: 3 } } });
  assert.equal(held.given.value?.["status"], "stopped");
  const again = await doors.at(held, (door, dir) => door.resume(dir, { limits: { maxTurns: 5 } }));
  assert.equal(again.value?.["endReason"], "max_turns");
  await doors.compare(held);
  const on = await doors.at(
    held,
    (door, dir) => door.resume(dir, { limits: { maxTurns: 100, maxTokens: 1_000_000 } }),
  );
  assert.equal(on.value?.["status"], "completed");
  await doors.compare(held);
});

withSpeaker.test("library, CLI, HTTP and MCP accept a person's turn and an interjection alike", async (doors) => {
  const held = await doors.hold({ config: WITH_A_PERSON });
  const { status, outcome, winner } = held.given.value ?? {};
  assert.deepEqual([status, outcome, winner], ["waiting", null, null]);
  const waits = await doors.at(held, (door, dir) => door.pause(dir));
  assert.deepEqual(waits.value, { held: false, status: "waiting" });
  const aside = { text: "And the parents?", interject: true };
  const heard = await doors.at(held, (door, dir) => door.say(dir, aside));
  assert.deepEqual(heard.value, { interjected: true, held: false });
  const words = { text: "Somebody who listens first.", participant: "Eve" };
  const said = await doors.at(held, (door, dir) => door.say(dir, words));
  assert.deepEqual(said.value, { participant: "eve", left: false });
  await doors.compare(held);
  await doors.at(held, (door, dir) => door.say(dir, { text: "And who laughs." }));
  await doors.compare(held);
  const over = await doors.at(held, (door, dir) => door.resume(dir));
  assert.equal(over.value?.["status"], "completed");
  const { value } = await doors.at(held, (door, dir) => door.verify(dir));
  assert.equal(value?.["sound"], true);
});

withSpeaker.test("library, CLI, HTTP and MCP wait for the choice of a question and debate the chosen one alike", async (doors) => {
  const config = {
    kind: "paper-debate",
    model: MODEL,
    pick: "ask",
    postures: 2,
    personTimeout: 0,
    seed: 2,
  };
  const held = await doors.hold({ config, papers: [PAPERS.trees] });
  assert.equal(held.given.value?.["status"], "waiting");
  for (const text of ["99", "Why?"]) {
    const refused = await doors.at(held, (door, dir) => door.say(dir, { text }));
    assert.deepEqual(refused.error, { code: "config_invalid", field: "text" });
  }
  const own = { question: "Do trees cool streets at night?", pick: 2 };
  const both = await doors.at(held, (door, dir) => door.resume(dir, own));
  assert.deepEqual(both.error, { code: "config_invalid", field: "pick" });
  const none = await doors.at(held, (door, dir) => door.resume(dir, { pick: 99 }));
  assert.equal(none.error?.code, "config_invalid");
  const on = await doors.at(held, (door, dir) => door.resume(dir, { pick: 2 }));
  assert.equal(on.value?.["status"], "completed");
  await doors.compare(held);
  const fork = await doors.fork(held, { at: 1 });
  const question = "Do trees cool streets at night as well?";
  const other = await doors.at(fork, (door, dir) => door.resume(dir, { question }));
  assert.equal(other.value?.["question"], question);
  await doors.compare(fork);
});
