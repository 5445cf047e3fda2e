// Concurrency of paper debates in virtual time and against a server.
import assert from "node:assert/strict";
import { AgentError } from "../../../mod.ts";
import type { AgentRequest } from "../../../protocol.ts";
import { paperDebateOf, paperTalker } from "./support/paper_talkers.ts";
import { drain, truthOf, VirtualTime } from "../../support/talkers.ts";

/** Creates talkers of a paper debate whose replies take virtual time. */
function timed(latency: (request: AgentRequest) => number = () => 1) {
  const time = new VirtualTime(latency);
  const agent = paperTalker(async (request) => {
    await time.agent.reply({ ...request, schema: undefined, onDelta: undefined });
    return undefined;
  });
  return { time, agent };
}

const LATENCIES: Readonly<Record<string, number>> = {
  "questions": 3,
  "postures": 4,
  "argument/debater-a": 30,
  "argument/debater-b": 50,
  "argument/debater-c": 10,
  "cross_examination/debater-a": 7,
  "cross_examination/debater-b": 5,
  "cross_examination/debater-c": 9,
  "score/5/judge": 12,
  "insights/judge": 8,
  "report": 6,
};
const latency = ({ context: { key } }: AgentRequest) => LATENCIES[key] ?? 1;

for (const crossExamine of [false, true]) {
  Deno.test(`The debaters take as long as the slowest one, and the debate as long as its chain (cross-examination: ${crossExamine})`, async () => {
    const { time, agent } = timed(latency);
    const { workflow } = paperDebateOf(agent, { crossExamine });
    const { chain } = await workflow.plan();
    await time.run(workflow.run());
    const start = 3 + 4;
    const argued = start + 50;
    for (const id of ["a", "b", "c"]) {
      assert.equal(time.spans.find(({ key }) => key === `argument/debater-${id}`)!.start, start);
    }
    const crossed = argued + (crossExamine ? 9 : 0);
    for (const { key, start: begun } of time.spans) {
      if (/^(score|verdict|insights)\//.test(key)) assert.equal(begun, crossed, key);
    }
    assert.equal(time.now, crossed + 12 + 6);
    assert.equal(chain, crossExamine ? 6 : 5, "one request after another");
  });
}

Deno.test("The order of replies changes nothing in the record", async () => {
  const kept: Map<string, string>[] = [];
  for (const slow of ["argument/debater-a", "argument/debater-c"]) {
    const { time, agent } = timed(({ context: { key } }) => key === slow ? 9 : 1);
    const { workflow, record } = paperDebateOf(agent, { crossExamine: true });
    await time.run(workflow.run());
    kept.push(truthOf(record.files));
  }
  assert.deepEqual(kept[0], kept[1]);
});

const ORDERS = ["abc", "acb", "bac", "bca", "cab", "cba"];

Deno.test("The stages keep their order, whoever finishes or fails first", async () => {
  for (const [index, order] of ORDERS.entries()) {
    const fails = ["", order[0]!, order[2]!, order.slice(0, 2), order.slice(1), order[1]!][index]!;
    const crossExamine = index % 2 === 0;
    const time = new VirtualTime(({ context: { key } }) => 1 + order.indexOf(key.at(-1)!));
    const agent = paperTalker(async (request) => {
      await time.agent.reply({ ...request, schema: undefined, onDelta: undefined });
      const { kind, key } = request.context;
      if (kind !== "argument" || !fails.includes(key.at(-1)!)) return undefined;
      throw new AgentError("agent_auth", "Cannot log in", { status: 401 });
    });
    const { events } = await time.run(drain(paperDebateOf(agent, { crossExamine }).workflow));
    const names = events.flatMap((event) => event.type === "stage" ? [event.name] : []);
    const over = names.filter((name) => name === "debater_complete" || name === "debater_error");
    const where = `${order} without ${fails}`;
    assert.equal(over.length, 3, where);
    assert.deepEqual(
      over.map((name) => name === "debater_error"),
      order.split("").map((id) => fails.includes(id)),
      where,
    );
    assert.deepEqual(names, [
      "Generating questions from paper...",
      "questions_generated",
      "question_selected",
      "Generating postures and topics...",
      "postures_generated",
      "Running debate with 3 debaters...",
      ...Array(3).fill("debater_started"),
      ...over,
      "debate_complete",
      "Judging arguments...",
      "judging_complete",
      "Generating final report...",
      "report_complete",
    ], where);
  }
});
