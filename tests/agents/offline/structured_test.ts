import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { createOfflineAgent } from "../../../src/agents/offline.ts";
import type { AgentRequest, RequestContext } from "../../../src/core/agent.ts";
import type { Rubric } from "../../../src/config/convening_config.ts";
import { scoreSchema } from "../../../src/judging/scoring.ts";
import { readStructured } from "../../../src/core/structured.ts";

const TOPIC = "Should cities ban private cars from their centres?";
const SIDES = [
  { id: "advocate-a", label: "Advocate A", position: "for" },
  { id: "advocate-b", label: "Advocate B", position: "against" },
] as const;

const agent = createOfflineAgent();

function ask(some: Partial<RequestContext>, more: Partial<AgentRequest> = {}) {
  const context: RequestContext = {
    key: "question",
    purpose: "question",
    topic: TOPIC,
    participant: "judge",
    label: "Judge",
    role: "judge",
    seq: 0,
    phase: "argument",
    kind: "question",
    round: 1,
    attempt: 1,
    about: [],
    opponents: SIDES,
    seed: 1,
    ...some,
  };
  return agent.reply({ messages: [], context, ...more });
}

const of = (body: string, side = 0) => ({
  label: SIDES[side]!.label,
  participant: SIDES[side]!.id,
  body,
});

/** What each side says in its openings and arguments of one seed. */
async function turns(seed: number) {
  const all: ReturnType<typeof of>[] = [];
  for (const [i, kind] of ["opening_statement", "argument", "argument"].entries()) {
    for (const [side, { id, label, position }] of SIDES.entries()) {
      const opponents = [SIDES[1 - side]!];
      const who = { participant: id, label, position, role: "position_advocate", opponents };
      const turn = { kind, seed, seq: 2 * i + side + 2, round: i, key: `${kind}/${i}/${id}` };
      const reply = await ask({ ...who, ...turn, purpose: "turn" }, { maxTokens: 250 });
      all.push(of(reply.text, side));
    }
  }
  return all;
}

const RUBRIC: Rubric = {
  id: "debate",
  scale: [0, 10],
  criteria: [
    { id: "logical_coherence", weight: 0.5, description: "How well reasons are joined." },
    { id: "evidence_quality", weight: 0.25, description: "What supports the claims." },
    { id: "responsiveness", weight: 0.25, description: "Whether it answers." },
  ],
  anchors: [],
};

function score(body: string, answered: string, message: number) {
  const schema = { name: "score", type: scoreSchema(RUBRIC) };
  return ask({
    purpose: "question",
    kind: "score",
    seq: 0,
    about: [of(answered, 1), of(body)],
    data: { rubric: RUBRIC, message },
  }, { schema }).then(({ text }) => readStructured(text, schema.type).value!);
}

function verdict(order: readonly string[], bodies: readonly string[]) {
  const labels = Object.fromEntries(SIDES.map(({ id, label }) => [id, label]));
  const names = order.map((id) => labels[id]!);
  const type = z.object({ reasons: z.string().min(1), winner: z.enum([...names, "tie"]) });
  return ask({
    purpose: "question",
    kind: "verdict",
    seq: 0,
    participant: "judge",
    about: bodies.map((body, i) => of(body, i % 2)),
    data: { order, labels },
  }, { schema: { name: "verdict", type } }).then(({ text }) => type.parse(JSON.parse(text)));
}

describe("createOfflineAgent() asked for values", () => {
  const strong =
    "Because buses share the street with cars, they are late; so people drive, and the street fills further. Consider a nurse on a late shift: if the bus is late, she drives. Therefore the rule should come first, although it asks something of drivers.";
  const weak = "Cars are nice. I like cars. Cars are good.";
  const answered =
    "Buses are late because drivers fill the street, and a nurse on a late shift cannot rely on them.";

  it("scores a reasoned turn above a bare one, and turns differently", async () => {
    const [a, b] = [await score(strong, answered, 4), await score(weak, answered, 5)];
    for (const { id } of RUBRIC.criteria) {
      assert.ok(a.scores[id]! > b.scores[id]!, id);
      assert.equal(Math.round(a.scores[id]! * 10) / 10, a.scores[id]);
      assert.ok(a.reasons.includes(String(a.scores[id])), a.reasons);
    }
  });

  it("names the same winner in either order", async () => {
    const ids = SIDES.map(({ id }) => id);
    const there = await verdict(ids, [strong, weak]);
    const back = await verdict([...ids].reverse(), [strong, weak]);
    assert.equal(there.winner, "Advocate A");
    assert.equal(back.winner, "Advocate A");
    assert.equal((await verdict(ids, [weak, strong])).winner, "Advocate B");
  });

  it("does not give every debate to the same side", async () => {
    const winners = new Set<string>();
    for (let seed = 1; seed <= 8; seed++) {
      const labels = Object.fromEntries(SIDES.map(({ id, label }) => [id, label]));
      const type = z.object({ reasons: z.string(), winner: z.string() });
      const { text } = await ask({
        kind: "verdict",
        seed,
        about: await turns(seed),
        data: { order: SIDES.map(({ id }) => id), labels },
      }, { schema: { name: "verdict", type } });
      winners.add(type.parse(JSON.parse(text)).winner);
    }
    assert.ok(winners.size > 1, [...winners].join());
  });

  it("fills any schema with values that fit it", async () => {
    const type = z.object({
      bid: z.number().min(0).max(1),
      rank: z.number().int().min(1).max(5),
      reason: z.string().min(40).max(90),
      stance: z.enum(["agree", "disagree", "abstain"]),
      questions: z.array(z.object({ text: z.string().min(1), open: z.boolean() })).min(8).max(12),
      note: z.string().nullable(),
      maybe: z.string().optional(),
      kind: z.literal("plan"),
      either: z.union([z.number(), z.string()]),
      pair: z.tuple([z.string(), z.number()]),
    });
    const request = { schema: { name: "any", type } };
    const { text } = await ask({ purpose: "question", kind: "bid", seq: 0 }, request);
    const value = type.parse(JSON.parse(text));
    assert.equal(new Set(value.questions.map((each) => each.text)).size, value.questions.length);
    const { text: other } = await ask(
      { purpose: "question", kind: "bid", seq: 0, seed: 2 },
      request,
    );
    assert.notEqual(text, other);
  });
});
