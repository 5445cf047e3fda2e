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

Deno.test("createHumanAgent() uses an answer to a single field as its value", async () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["2", { question: 2 }],
    [" 12\n", { question: 12 }],
    ["question: 3", { question: 3 }],
    ["Question: How far does it reach?", { question: "How far does it reach?" }],
    ["How far does it reach?", { question: "How far does it reach?" }],
    ["Cost: how far does it matter?", { question: "Cost: how far does it matter?" }],
    ["Cost: how far?\nTime: how long?", { question: "Cost: how far?\nTime: how long?" }],
    ["What of {braces} in it?", { question: "What of {braces} in it?" }],
    ['{"question": 4}', { question: 4 }],
  ];
  for (const [text, value] of cases) {
    assert.deepEqual(JSON.parse(await answer(text, PICK)), value, text);
  }
});

Deno.test("createHumanAgent() converts the single field to the requested type", async () => {
  const of = async (text: string, type: z.ZodType) =>
    JSON.parse(await answer(text, z.object({ value: type }))).value;
  assert.equal(await of("2024", z.string()), "2024");
  assert.equal(await of("yes", z.boolean()), true);
  assert.equal(await of("No", z.string()), "No");
  assert.deepEqual(await of("One?\n\n Two?\n", z.array(z.string())), ["One?", "Two?"]);
  assert.deepEqual(await of("value:", z.array(z.string())), []);
  assert.equal(await of("Cost: too high.", z.string().default("")), "Cost: too high.");
});

Deno.test("createHumanAgent() reads lines of key: value for several fields, otherwise returns the text", async () => {
  assert.deepEqual(JSON.parse(await answer("Reasons: A was\nclearer.\nwinner: A", VERDICT)), {
    reasons: "A was\nclearer.",
    winner: "A",
  });
  assert.deepEqual(JSON.parse(await answer("Reasons: A set {x} first.\nWinner: A", VERDICT)), {
    reasons: "A set {x} first.",
    winner: "A",
  });
  assert.equal(await answer('{"winner": 5}', VERDICT), '{"winner": 5}');
  assert.equal(await answer("A wins", VERDICT), "A wins");
  assert.equal(await answer("Cost: high {really}", VERDICT), "Cost: high {really}");
  assert.equal(await answer("Cost: high"), "Cost: high");
});

Deno.test("createHumanAgent() puts lines of inner keys, such as criteria, where the question has them", async () => {
  const scores = z.object({ clarity: z.number(), ["factUse"]: z.number() });
  const type = z.object({ reasons: z.string(), scores });
  const text = "reasons: Clear.\nClarity: 7\nfactUse: 6.5";
  const value = { reasons: "Clear.", scores: { clarity: 7, factUse: 6.5 } };
  assert.deepEqual(JSON.parse(await answer(text, type)), value);
  assert.deepEqual(JSON.parse(await answer(JSON.stringify(value), type)), value);
});

Deno.test("createHumanAgent() reads the names of a question in any case, and other names within a text", async () => {
  const type = z.object({
    reasons: z.string(),
    winner: z.enum(["Side 1", "tie"]),
    mainReason: z.string(),
  });
  const text = 'reasons: Strength: clear.\nGap: none.\nWinner: "side 1"\nmainreason: It answered.';
  assert.deepEqual(JSON.parse(await answer(text, type)), {
    reasons: "Strength: clear.\nGap: none.",
    winner: "Side 1",
    mainReason: "It answered.",
  });
  const on = z.object({ on: z.enum(["Advocate A", "Advocate B"]) });
  const stances = z.object({ stances: z.array(on) });
  assert.deepEqual(
    JSON.parse(await answer("advocate a: agree 0.8\nAdvocate B: abstain", stances)),
    {
      "Advocate A": "agree 0.8",
      "Advocate B": "abstain",
    },
  );
});

Deno.test("createHumanAgent() reads lines of other keys that a question takes", async () => {
  const type = z.object({ stances: z.array(z.string()) });
  const taken = z.preprocess((given) => ({ stances: Object.values(Object(given)) }), type);
  const question: Schema = {
    safeParse: (value) => taken.safeParse(value),
    toJSONSchema: (options) => type.toJSONSchema(options),
  };
  assert.deepEqual(JSON.parse(await answer("p1: agree\np2: abstain", question)), {
    p1: "agree",
    p2: "abstain",
  });
});

Deno.test("createHumanAgent() keeps a number or a yes as text when a text is requested", async () => {
  const bid = z.object({ reason: z.string(), bid: z.number().max(1), again: z.boolean() });
  assert.deepEqual(JSON.parse(await answer("reason: no\nbid: 0.5\nagain: yes", bid)), {
    reason: "no",
    bid: 0.5,
    again: true,
  });
  assert.deepEqual(JSON.parse(await answer("reasons: Yes\nand more\nwinner: 7", VERDICT)), {
    reasons: "Yes\nand more",
    winner: "7",
  });
  assert.deepEqual(JSON.parse(await answer("reason: 2\nbid: 7\nagain: no", bid)).bid, 7);
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
