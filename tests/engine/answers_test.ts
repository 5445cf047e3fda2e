// Stored answers: reuse after a crash.
import assert from "node:assert/strict";
import { z } from "zod";
import type { AgentRequest, AnswerShelf, KeptAnswer } from "../../protocol.ts";
import { Answers, type Called } from "../../src/engine/caller.ts";
import { turnRequest } from "../contracts/agent_contract.ts";

/** A custom store of answers that keeps JSON. */
class Drawer implements AnswerShelf {
  readonly kept = new Map<string, string>();

  read(): Promise<KeptAnswer[]> {
    return Promise.resolve([...this.kept.values()].map((text) => JSON.parse(text)));
  }

  keep(answer: KeptAnswer): Promise<void> {
    this.kept.set(answer.id, JSON.stringify(answer));
    return Promise.resolve();
  }

  drop(of: string): Promise<void> {
    for (const [id, text] of this.kept) if (JSON.parse(text).of === of) this.kept.delete(id);
    return Promise.resolve();
  }

  clear(): Promise<void> {
    this.kept.clear();
    return Promise.resolve();
  }
}

const USAGE = { inputTokens: 3, cachedInputTokens: 0, outputTokens: 2 };

function called(model = "small"): Called {
  return {
    model,
    usage: { ...USAGE, costUsd: "unknown" },
    latencyMs: 12,
    createdAt: "2026-11-21T20:33:05.114Z",
    reply: {
      text: "Words.",
      finishReason: "stop",
      model,
      usage: USAGE,
      toolCalls: [{ tool: "lookUp", args: { word: null }, result: "None.", failed: false }],
    },
  };
}

const REQUEST = turnRequest();
const AGAIN: AgentRequest = {
  ...REQUEST,
  context: { ...REQUEST.context, attempt: REQUEST.context.attempt + 1 },
};
const ELSE: AgentRequest = {
  ...REQUEST,
  messages: [...REQUEST.messages, { role: "user", content: "And?" }],
};

Deno.test("Answers returns the stored answer to the same request once after a crash, and to no other request", async () => {
  const drawer = new Drawer();
  await new Answers(drawer, []).keep("turn/1", { request: REQUEST, called: called() });
  const answers = new Answers(drawer, await drawer.read());
  assert.equal(answers.recall(AGAIN), undefined);
  assert.equal(answers.recall(ELSE), undefined);
  assert.deepEqual(answers.recall(REQUEST), called());
  assert.equal(answers.recall(REQUEST), undefined);
  assert.equal(drawer.kept.size, 1);
  await answers.drop("turn/2");
  assert.equal(drawer.kept.size, 1);
  await answers.drop("turn/1");
  assert.equal(drawer.kept.size, 0);
});

Deno.test("Answers does not return an answer in the run that stored it: nothing is counted twice", async () => {
  const answers = new Answers(new Drawer(), []);
  await answers.keep("turn/1", { request: REQUEST, called: called() });
  assert.equal(answers.recall(REQUEST), undefined);
});

Deno.test("Answers does not store a person's words, which are read from the inbox", async () => {
  const drawer = new Drawer();
  await new Answers(drawer, []).keep("turn/1", { request: REQUEST, called: called("human") });
  assert.equal(drawer.kept.size, 0);
});

Deno.test("Answers treats unreadable entries as absent", async () => {
  const drawer = new Drawer();
  await new Answers(drawer, []).keep("turn/1", { request: REQUEST, called: called() });
  const [kept] = await drawer.read();
  for (
    const value of [null, "Words.", { ...called(), usage: {} }, { ...called(), latencyMs: -1 }]
  ) {
    const answers = new Answers(drawer, [{ ...kept!, value }]);
    assert.equal(answers.recall(REQUEST), undefined);
    await answers.keep("turn/1", { request: REQUEST, called: called() });
    assert.deepEqual(new Answers(drawer, await drawer.read()).recall(REQUEST), called());
  }
});

Deno.test("Answers runs a task once, also after a crash, and again if it failed or its result is unreadable", async () => {
  const drawer = new Drawer();
  const schema = z.object({ hits: z.number() });
  let made = 0;
  const search = (answers: Answers) =>
    answers.once("turn/1", "search/1", { schema, make: () => Promise.resolve({ hits: ++made }) });
  const failing = { schema, make: () => Promise.reject(new Error("down")) };
  await assert.rejects(new Answers(drawer, []).once("turn/1", "search/1", failing), /down/);
  assert.equal(drawer.kept.size, 0);
  assert.deepEqual(await search(new Answers(drawer, [])), { hits: 1 });
  assert.deepEqual(await search(new Answers(drawer, await drawer.read())), { hits: 1 });
  const damaged = { of: "turn/1", id: "search/1", value: { hits: "one" } };
  assert.deepEqual(await search(new Answers(drawer, [damaged])), { hits: 2 });
  assert.deepEqual(await search(new Answers(undefined, [])), { hits: 3 });
  assert.deepEqual(await search(new Answers(drawer, await drawer.read())), { hits: 2 });
});

Deno.test("Answers returns a reply's tool rounds within the same run until the turn is over", async () => {
  const drawer = new Drawer();
  const answers = new Answers(drawer, []);
  await answers.rounds("turn/1", REQUEST)?.keep(0, { text: "A look." });
  const found = () => answers.rounds("turn/1", REQUEST)?.before(0);
  assert.deepEqual(found(), { text: "A look." });
  assert.equal(answers.rounds("turn/1", REQUEST)?.before(1), undefined);
  assert.equal(answers.rounds("turn/1", AGAIN)?.before(0), undefined);
  const later = new Answers(drawer, await drawer.read());
  assert.deepEqual(later.rounds("turn/1", REQUEST)?.before(0), { text: "A look." });
  assert.equal(later.recall(REQUEST), undefined);
  await answers.drop("turn/1");
  assert.equal(found(), undefined);
  assert.equal(new Answers(undefined, []).rounds("turn/1", REQUEST), undefined);
});
