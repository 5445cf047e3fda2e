import assert from "node:assert/strict";
import type { Evidence } from "../../../mod.ts";
import { paperDebateOf, paperTalker } from "../support/paper_talkers.ts";

Deno.test("Judges are given the evidence in the order of the speeches, whoever was ready first", async () => {
  let ready = () => {};
  const others = new Promise<void>((resolve) => ready = resolve);
  let answered = 0;
  const agent = paperTalker(async ({ context: { key } }) => {
    // The first debater waits for an answer to the other two.
    if (key === "argument/debater-a") await others;
    else if (key.startsWith("argument/") && ++answered === 2) setTimeout(ready);
    return undefined;
  });
  const { workflow } = paperDebateOf(agent, { crossExamine: true });
  const told: number[] = [];
  for await (const event of workflow.stream()) {
    if (event.type === "evidence") told.push(event.evidence.seq);
  }
  const [first, ...rest] = told;
  assert.ok(rest.some((seq) => seq < first!), `the first debater was not late: ${told}`);
  const { arguments: given } = agent.asked("insights/judge").context.data as {
    readonly arguments: readonly Evidence[];
  };
  assert.deepEqual(given.map(({ seq }) => seq), told.toSorted((a, b) => a - b));
});
