// People as agents: parsing of typed answers.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { createHumanAgent } from "../../src/agents/human.ts";
import type { Schema } from "../../src/core/values.ts";
import { turnRequest } from "../contracts/agent_contract.ts";

const PICK = z.object({ question: z.union([z.int().min(1).max(9), z.string().min(10)]) });
const VERDICT = z.object({ reasons: z.string(), winner: z.string() });

async function answer(text: string, type?: Schema): Promise<string> {
  const schema = type === undefined ? undefined : { name: "answer", type };
  const hear = () => Promise.resolve(text);
  return (await createHumanAgent().reply(turnRequest({ schema, hear }))).text;
}

const one = (value: z.ZodType) => z.object({ value });
const BID = z.object({ reason: z.string(), bid: z.number().max(1), again: z.boolean() });
const RANKING = z.array(z.enum(["Tea", "Milk"]));
const SCORES = z.object({
  reasons: z.string(),
  scores: z.object({ clarity: z.number(), ["factUse"]: z.number() }),
});
const SCORED = { reasons: "Clear.", scores: { clarity: 7, factUse: 6.5 } };
const CHOICE = z.object({
  reasons: z.string(),
  winner: z.enum(["Side 1", "tie"]),
  mainReason: z.string(),
});
const NAMED = z.object({
  stances: z.array(z.object({ on: z.enum(["Advocate A", "Advocate B"]) })),
});
const LISTED = z.object({ stances: z.array(z.string()) });
const anyKeys = z.preprocess((given) => ({ stances: Object.values(Object(given)) }), LISTED);
const ANY_KEYS: Schema = {
  safeParse: (value) => anyKeys.safeParse(value),
  toJSONSchema: (options) => LISTED.toJSONSchema(options),
};

/** Answers by what they show: the question, the typed text, and the value that is read from the text. */
const READ: Readonly<Record<string, readonly (readonly [Schema, string, unknown])[]>> = {
  "uses an answer to a single field as its value": [
    [PICK, "2", { question: 2 }],
    [PICK, " 12\n", { question: 12 }],
    [PICK, "question: 3", { question: 3 }],
    [PICK, "Question: How far does it reach?", { question: "How far does it reach?" }],
    [PICK, "How far does it reach?", { question: "How far does it reach?" }],
    [PICK, "Cost: how far does it matter?", { question: "Cost: how far does it matter?" }],
    [PICK, "Cost: how far?\nTime: how long?", { question: "Cost: how far?\nTime: how long?" }],
    [PICK, "What of {braces} in it?", { question: "What of {braces} in it?" }],
    [PICK, '{"question": 4}', { question: 4 }],
  ],
  "converts the single field to the requested type": [
    [one(z.string()), "2024", { value: "2024" }],
    [one(z.boolean()), "yes", { value: true }],
    [one(z.string()), "No", { value: "No" }],
    [one(z.array(z.string())), "One?\n\n Two?\n", { value: ["One?", "Two?"] }],
    [one(z.array(z.string())), "value:", { value: [] }],
    [one(z.array(z.string())), "value:\n- One\n- cost: two", { value: ["One", "cost: two"] }],
    [one(RANKING), "milk\ntea", { value: ["Milk", "Tea"] }],
    [one(RANKING), "value:\n1. Milk\n2) tea\nwhy: x", { value: ["Milk", "Tea"], why: "x" }],
    [one(z.string().default("")), "Cost: too high.", { value: "Cost: too high." }],
  ],
  "reads lines of key: value for several fields": [
    [VERDICT, "Reasons: A was\nclearer.\nwinner: A", { reasons: "A was\nclearer.", winner: "A" }],
    [VERDICT, "reasons：甲更清楚。\nwinner：甲", { reasons: "甲更清楚。", winner: "甲" }],
    [VERDICT, "Reasons: A set {x} first.\nWinner: A", { reasons: "A set {x} first.", winner: "A" }],
  ],
  "puts lines of inner keys, such as criteria, where the question has them": [
    [SCORES, "reasons: Clear.\nClarity: 7\nfactUse: 6.5", SCORED],
    [SCORES, JSON.stringify(SCORED), SCORED],
  ],
  "reads the names of a question in any case, and other names within a text": [
    [
      CHOICE,
      'reasons: Strength: clear.\nGap: none.\nWinner: "side 1"\nmainreason: It answered.',
      { reasons: "Strength: clear.\nGap: none.", winner: "Side 1", mainReason: "It answered." },
    ],
    [NAMED, "advocate a: agree 0.8\nAdvocate B: abstain", {
      "Advocate A": "agree 0.8",
      "Advocate B": "abstain",
    }],
  ],
  "reads lines of other keys that a question takes": [
    [ANY_KEYS, "p1: agree\np2: abstain", { p1: "agree", p2: "abstain" }],
  ],
  "keeps a number or a yes as text when a text is requested": [
    [BID, "reason: no\nbid: 0.5\nagain: yes", { reason: "no", bid: 0.5, again: true }],
    [BID, "reason: 2\nbid: 7\nagain: no", { reason: "2", bid: 7, again: false }],
    [VERDICT, "reasons: Yes\nand more\nwinner: 7", { reasons: "Yes\nand more", winner: "7" }],
  ],
};

for (const [what, cases] of Object.entries(READ)) {
  Deno.test(`createHumanAgent() ${what}`, async () => {
    for (const [type, text, value] of cases) {
      assert.deepEqual(JSON.parse(await answer(text, type)), value, text);
    }
  });
}

Deno.test("createHumanAgent() returns a text that is no answer to several fields as it is", async () => {
  for (const text of ['{"winner": 5}', "A wins", "Cost: high {really}"]) {
    assert.equal(await answer(text, VERDICT), text);
  }
  assert.equal(await answer("Cost: high"), "Cost: high");
});

Deno.test("createHumanAgent() keeps all data of a custom question", async () => {
  const own = fc.string({ minLength: 10, maxLength: 60 }).filter((text) =>
    text.trim().length >= 10 && !/^\s*(question\s*:|-?\d+(\.\d+)?\s*$)/im.test(text) &&
    !text.includes("{")
  );
  await fc.assert(fc.asyncProperty(own, async (text) => {
    assert.equal(JSON.parse(await answer(text, PICK)).question, text.trim());
  }));
});
