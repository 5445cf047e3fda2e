// The replay agent on one record.
import assert from "node:assert/strict";
import { relative } from "node:path";
import { z } from "zod";
import { createAgent } from "../../mod.ts";
import { createReplayAgent } from "../../src/agents/replay/replay_agent.ts";
import { AgentError } from "../../src/core/error.ts";
import type { Fact } from "../../src/core/fact.ts";
import { NO_USAGE } from "../../src/core/message.ts";
import {
  agentContract,
  contextOf,
  scoreRequest,
  TURN_KEY,
  turnRequest,
} from "../contracts/agent_contract.ts";
import { choiceOf, messageOf, scoreOf, verdictOf } from "../record/support/fixtures.ts";

const body = "Shops need deliveries. Quiet is not all there is.";
const message = messageOf(5, { turn: TURN_KEY, kind: "rebuttal", body });
const byHand = messageOf(6, { turn: "by-hand", model: "human", body });
const judged = { judge: "judge", rubric: "contract" };
const createdAt = "2026-11-21T20:33:12.114Z";
const lookUp = { type: "lookup", seq: 5, turn: TURN_KEY, participant: "advocate-b", createdAt };
const facts = [
  message,
  {
    ...scoreOf(2, "advocate-a", [0, 0]),
    ...judged,
    criteria: { logical_coherence: 7, evidence_quality: 4.5 },
    reasons: "It follows, but nothing is cited.",
  },
  {
    ...scoreOf(3, "advocate-b", [0, 0]),
    ...judged,
    status: "unscored",
    reasons: "I would rather not say.",
  },
  { ...verdictOf(1, "advocate-b"), ...judged, reasons: "B answered." },
  { ...verdictOf(2, null), ...judged, reasons: "Neither." },
  choiceOf({ key: "bid/7/advocate-a", value: { bid: 0.4, reason: "I have said it" } }),
  { type: "context", number: 1, through: 16, body: "So far: much.", createdAt },
  { ...lookUp, number: 1, tool: "lookupPaper", args: { query: "noise" }, result: "[]" },
  { ...lookUp, number: 101, tool: "webSearch", args: { query: "Shops.", claim: 1 }, result: "[]" },
].map((fact) => ({ failed: false, ...fact })) as unknown as Fact[];

const agent = createReplayAgent({
  model: "gpt-4o-mini",
  messages: new Map([[TURN_KEY, message], ["by-hand", byHand]]),
  facts,
}, { model: "replay:debate", dir: "convenings/debate" });

agentContract("createReplayAgent()", () => ({ agent }));

Deno.test("createReplayAgent() answers a turn with its message at no cost, with the turn's look-ups and without its fact check's", async () => {
  assert.deepEqual(await agent.reply(turnRequest()), {
    text: body,
    recorded: [],
    finishReason: "stop",
    model: "replay:debate",
    usage: NO_USAGE,
    toolCalls: [{ tool: "lookupPaper", args: { query: "noise" }, result: "[]", failed: false }],
  });
});

Deno.test("createReplayAgent() answers a score with the recorded numbers, and an unreadable one unreadably", async () => {
  assert.deepEqual(JSON.parse((await agent.reply(scoreRequest())).text), {
    reasons: "It follows, but nothing is cited.",
    scores: { logical_coherence: 7, evidence_quality: 4.5 },
  });
  const context = contextOf({ key: "score/3/judge", purpose: "question" });
  assert.equal((await agent.reply(scoreRequest({ context }))).text, "I would rather not say.");
});

const sides = { labels: { "advocate-a": "Side One", "advocate-b": "Side Two" } };
const verdict = z.object({
  reasons: z.string(),
  winner: z.enum(["Side One", "Side Two", "tie"]),
});

/** Questions by key, with data, schema and expected answer. */
const ANSWERS: readonly [what: string, string, unknown, z.ZodType | undefined, unknown][] = [
  ["the value of a choice", "bid/7/advocate-a", undefined, undefined, {
    bid: 0.4,
    reason: "I have said it",
  }],
  ["a tie", "verdict/judge/2", sides, verdict, {
    reasons: "Neither.",
    winner: "tie",
  }],
];

Deno.test("createReplayAgent() returns a person's structured turn as its body", async () => {
  const context = contextOf({ key: "by-hand" });
  const schema = { name: "answer", type: z.object({ speech: z.string(), price: z.int() }) };
  const { text, recorded } = await agent.reply(turnRequest({ context, schema }));
  assert.deepEqual([text, recorded], [body, []]);
});

for (const [what, key, data, type, answer] of ANSWERS) {
  Deno.test(`createReplayAgent() returns ${what}`, async () => {
    const context = contextOf({ key, purpose: "question", data });
    const schema = type === undefined ? undefined : { name: "answer", type };
    const { text } = await agent.reply(turnRequest({ context, schema }));
    assert.deepEqual(type?.parse(JSON.parse(text)) ?? JSON.parse(text), answer);
  });
}

Deno.test("createReplayAgent() returns a summary of older turns", async () => {
  const context = contextOf({ key: "fold/1" });
  assert.equal((await agent.reply(turnRequest({ context }))).text, "So far: much.");
});

Deno.test("createReplayAgent() throws for a key that is not recorded, with the key and the directory", async () => {
  const context = contextOf({ key: "round-9/argument/advocate-a" });
  await assert.rejects(agent.reply(turnRequest({ context })), (error: unknown) => {
    assert.ok(error instanceof AgentError);
    assert.deepEqual([error.code, error.retryable], ["agent_bad_reply", false]);
    assert.match(error.message, /"round-9\/argument\/advocate-a".*convenings\/debate/);
    return true;
  });
});

Deno.test("createAgent() reads a replay by a relative path", async () => {
  const records = new URL("../../examples/records/2026-11-23/", import.meta.url).pathname;
  const dir = relative(Deno.cwd(), `${records}2026-11-23T01-14-00_debate`);
  await assert.doesNotReject(async () => await createAgent(`replay:${dir}`).check?.());
});
