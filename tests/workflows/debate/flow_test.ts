import assert from "node:assert/strict";
import type { Flow } from "../../../src/core/fact.ts";
import { DROPPED, noting } from "../support/notes.ts";
import { debateOf, drain, promptOf, Talker } from "../support/talkers.ts";

async function held(config: Parameters<typeof debateOf>[1] = {}) {
  const agent = new Talker(noting(DROPPED));
  const { workflow, record } = debateOf(agent, { flow: true, ...config });
  const { result, error, events } = await drain(workflow);
  assert.equal(error, undefined);
  const flows = events.flatMap((event) => event.type === "flow" ? [event.flow] : [])
    .toSorted((a, b) => a.message - b.message);
  return { agent, record, result, flows };
}

const idsOf = (flows: readonly Flow[]) => flows.map(({ points }) => points.map(({ id }) => id));

Deno.test("Points are numbered by side in the order of the turns", async () => {
  const { flows } = await held();
  assert.deepEqual(idsOf(flows), [["A1", "A2"], ["B1"], ["A3"], ["B2"], ["B3", "B4"], ["A4"], [
    "A5",
  ], []]);
  assert.deepEqual(flows[4]!.points[1]!.answers, []);
  assert.equal(flows[4]!.unknown, 1);
});

Deno.test("A speaker is given the notes of the turns up to the turn before the last", async () => {
  const { agent } = await held();
  console.log(promptOf(agent.asked("round-1/rebuttal/a/b")).slice(-1800));
  console.log(promptOf(agent.asked("closing/a")).slice(-1800));
  console.log(promptOf(agent.asked("verdict/j/1")).slice(-2500));
  console.log(promptOf(agent.asked("notes/6/1")).slice(-2900));
});
