// A debate with all optional parts fails at each request and is resumed.
import assert from "node:assert/strict";
import {
  createDebateWorkflow,
  type DebateWorkflowConfig,
  folderRecord,
  resume,
} from "../../../mod.ts";
import { AgentError } from "../../../src/core/error.ts";
import { cast, Talker, TOPIC } from "../support/talkers.ts";

/** Creates a talker with fixed replies for all optional parts of a debate. */
function powerful(fails: (key: string) => boolean): Talker {
  return new Talker(({ context, schema }) => {
    const { kind, key, data } = context;
    if (fails(key)) throw new AgentError("agent_bad_reply", `No answer to ${key}`);
    if (kind === "ruling") {
      const breach = key === "round-1/rebuttal/b/a/ruling";
      return json({ reason: "r", breach, rule: breach ? "No personal remarks." : "" });
    }
    if (kind === "round_review") return json({ reason: "r", ["anything_new"]: true });
    if (kind === "stance") return json({ reasons: "r", stances: stancesOn(data) });
    if (kind === "baseline") return json({ answer: "Alone.", winner: "Ben" });
    if (schema?.name === "reflected_turn") {
      return json({ reflection: "In.", critique: "Out.", speech: `Speech for ${key}. And more.` });
    }
    if (kind === "score") return json({ reasons: "r", scores: fives(data) });
    return undefined;
  });
}

function json(value: unknown): { text: string } {
  return { text: JSON.stringify(value) };
}

function fives(data: unknown): Record<string, number> {
  const { rubric } = data as { rubric: { criteria: { id: string }[] } };
  return Object.fromEntries(rubric.criteria.map(({ id }) => [id, 5]));
}

function stancesOn(data: unknown): object[] {
  const { labels } = data as { labels: Record<string, string> };
  return Object.values(labels).map((label) => ({
    on: label,
    stance: "agree",
    strength: 0.5,
    condition: "",
  }));
}

const CONFIG = {
  roundCount: 2,
  seed: 1,
  turnForm: "rcr",
  interruptions: "rules",
  adaptive: true,
  baseline: true,
  audience: [{}, {}],
  guards: { repetition: "off" },
} satisfies DebateWorkflowConfig;

async function runTo(fails: (key: string) => boolean): Promise<string> {
  const agent = powerful(fails);
  const out = await Deno.makeTempDir();
  const workflow = createDebateWorkflow(TOPIC, cast(agent), {
    ...CONFIG,
    judges: [{ id: "j", agent }],
    record: folderRecord({ out }),
  });
  try {
    return (await workflow.run()).dir!;
  } catch (error) {
    return (error as { dir: string }).dir;
  }
}

async function goOn(dir: string) {
  const agent = powerful(() => false);
  const ids = ["m", "a", "b", "j", "listener-1", "listener-2"];
  const resumed = await resume(dir, { agents: Object.fromEntries(ids.map((id) => [id, agent])) });
  return { agent, result: await resumed.run() };
}

Deno.test("A debate with all optional parts that fails at any request resumes from there and ends with the same result", async () => {
  const whole = await goOn(await runTo(() => false));
  const expected = whole.result.messages.map(({ seq, turn, replyTo }) => [seq, turn, replyTo]);
  // Two planned rounds and one more for level sides; each has four turns, one of them interrupted and answered.
  assert.equal(expected.length, 6 + 3 * 5 + 2);
  for (
    const place of [
      "round-1/rebuttal/b/a/interruption/answer",
      "round-1/argument/b",
      "round-3/rebuttal/a/b",
      "closing/b",
      "summary/m",
    ]
  ) {
    const dir = await runTo((key) => key === place);
    const { result, agent } = await goOn(dir);
    assert.equal(result.status, "completed", place);
    assert.deepEqual(
      result.messages.map(({ seq, turn, replyTo }) => [seq, turn, replyTo]),
      expected,
      place,
    );
    assert.ok(!agent.keys.includes("round-1/argument/a/ruling"), place);
    assert.ok(!agent.keys.includes("stance/before/listener-1"), place);
  }
});
