import assert from "node:assert/strict";
import type { DebateWorkflowConfig } from "../../mod.ts";
import type { Observer } from "../../protocol.ts";
import { debateOf, dialogueOf, drain, Talker } from "./support/talkers.ts";

const CONFIGS: [string, DebateWorkflowConfig][] = [
  ["of the defaults", { roundCount: 3 }],
  ["without rounds", { roundCount: 0 }],
  ["at once", { pacing: "simultaneous", roundCount: 2 }],
  ["without scores", { scoringEnabled: false }],
  ["with a model's introduction and no round summaries", {
    moderation: "model",
    roundSummaries: false,
  }],
  ["that see each other's openings", { blindOpenings: false }],
];
for (const [name, config] of CONFIGS) {
  Deno.test(`plan() of a debate ${name} counts the turns and calls the run then makes, and makes none`, async () => {
    const agent = new Talker();
    const { workflow } = debateOf(agent, config);
    const plan = await workflow.plan();
    assert.equal(agent.requests.length, 0);
    const { result } = await drain(workflow);
    assert.equal(plan.calls, agent.requests.length);
    assert.equal(plan.turns, result?.messages.length);
    assert.deepEqual(plan.models, { "ollama:talker": plan.calls });
    assert.ok(plan.maxTokens >= result!.usage.outputTokens);
  });
}

Deno.test("plan() of a dialogue counts its turns", async () => {
  const agent = new Talker();
  const { workflow } = dialogueOf(agent, { maxTurns: 7 });
  const { turns, calls, chain, maxCost } = await workflow.plan();
  assert.deepEqual({ turns, calls, chain, maxCost }, { turns: 7, calls: 7, chain: 7, maxCost: 0 });
  await drain(workflow);
  assert.equal(agent.requests.length, 7);
});

Deno.test("plan() does not know the cost of a model without a price", async () => {
  const { workflow } = dialogueOf(new Talker(undefined, "nobody-knows"));
  assert.equal((await workflow.plan()).maxCost, "unknown");
});

Deno.test("plan() gets by with observers that fail at messages nobody said", async () => {
  const observers: Observer[] = [
    { name: "later", observe: ({ body }) => Promise.reject(new Error(body)) },
    {
      name: "at once",
      observe() {
        throw new Error("no");
      },
    },
  ];
  assert.equal((await dialogueOf(new Talker(), { observers }).workflow.plan()).turns, 4);
});
