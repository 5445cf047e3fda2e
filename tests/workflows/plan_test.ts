import assert from "node:assert/strict";
import { composeConvening, type DebateWorkflowConfig, memoryRecord } from "../../mod.ts";
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
  const { maxCost, unpriced } = await workflow.plan();
  assert.equal(maxCost, "unknown");
  assert.deepEqual(unpriced, ["nobody-knows"]);
});

Deno.test("plan() counts the caps of replies, hidden reasoning included, and names the price of a related version", async () => {
  const planned = async (settings: object) => {
    const workflow = await composeConvening({
      kind: "dialogue",
      topic: "Should cities ban private cars from their centres?",
      participants: [{ name: "Ada" }, { name: "Ben" }],
      maxTurns: 2,
      ...settings,
    }, {
      env: (name) => name.endsWith("_KEY") ? "secret-key-0001" : undefined,
      record: memoryRecord(),
    });
    return await workflow.plan();
  };
  const usual = await planned({ model: "gpt-4o-mini" });
  const thinking = await planned({ model: "gpt-5-mini" });
  assert.equal(thinking.maxTokens - usual.maxTokens, 2 * 4000);
  const bounded = await planned({ model: "gpt-5-mini", maxOutputTokens: 100 });
  assert.ok(bounded.maxTokens < usual.maxTokens);
  const { pricedBy } = await planned({ model: "anthropic:claude-sonnet-5-5" });
  assert.match(pricedBy["anthropic:claude-sonnet-5-5"]!, / estimated by claude-sonnet-5$/);
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
