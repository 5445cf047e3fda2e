import assert from "node:assert/strict";
import { z } from "zod";
import { createReplayAgent } from "../../src/agents/replay/replay_agent.ts";
import { AgentError } from "../../src/core/error.ts";
import type { Fact } from "../../src/core/fact.ts";
import { type Message, NO_USAGE, sha256 } from "../../src/core/message.ts";
import {
  agentContract,
  contextOf,
  scoreRequest,
  TURN_KEY,
  turnRequest,
} from "../contracts/agent_contract.ts";

const made = {
  model: "gpt-4o-mini",
  usage: { ...NO_USAGE, inputTokens: 900, costUsd: 0.1 },
  latencyMs: 1200,
  createdAt: "2026-11-21T20:33:12.114Z",
};
const judged = { ...made, judge: "judge", rubric: "contract" };
const body = "Shops need deliveries. Quiet is not all there is.";

const message: Message = {
  ...made,
  type: "message",
  seq: 5,
  turn: TURN_KEY,
  participant: "advocate-b",
  name: "Advocate B",
  role: "position_advocate",
  phase: "argument",
  kind: "rebuttal",
  round: 1,
  body,
  attempts: 1,
  marks: [],
  sha256: sha256(body),
};

const facts: Fact[] = [
  message,
  {
    ...judged,
    type: "score",
    message: 2,
    participant: "advocate-a",
    scale: [0, 10],
    status: "scored",
    weights: { logical_coherence: 0.5, evidence_quality: 0.5 },
    criteria: { logical_coherence: 7, evidence_quality: 4.5 },
    total: 5.75,
    reasons: "It follows, but nothing is cited.",
  },
  {
    ...judged,
    type: "score",
    message: 3,
    participant: "advocate-b",
    scale: [0, 10],
    status: "unscored",
    reason: "no JSON",
    weights: {},
    criteria: {},
    reasons: "I would rather not say.",
  },
  {
    ...judged,
    type: "verdict",
    number: 1,
    order: ["advocate-a", "advocate-b"],
    status: "read",
    winner: "advocate-b",
    reasons: "B answered.",
  },
  {
    ...judged,
    type: "verdict",
    number: 2,
    order: ["advocate-b", "advocate-a"],
    status: "read",
    winner: null,
    reasons: "Neither.",
  },
  {
    ...made,
    type: "choice",
    key: "bid/7/advocate-a",
    seq: 7,
    number: 1,
    participant: "advocate-a",
    kind: "bid",
    value: { bid: 0.4, reason: "I have said it" },
    reasons: "",
  },
  {
    ...made,
    type: "choice",
    key: "proposals-merged",
    seq: 1,
    number: 3,
    participant: "moderator",
    kind: "proposals_merged",
    value: {
      proposals: [
        { id: "p1", text: "Ban cars on Sundays.", by: ["ben", "ada"] },
        { id: "p2", text: "Run more buses.", by: ["cleo"] },
      ],
    },
    reasons: "Two say the same.",
  },
  {
    ...made,
    type: "choice",
    key: "next-speaker/turn-3",
    seq: 7,
    number: 2,
    participant: "moderator",
    kind: "next_speaker",
    value: { speaker: "ben" },
    reasons: "Ben was addressed.",
  },
  { ...made, type: "context", number: 1, through: 16, body: "So far: much." },
  {
    type: "lookup",
    seq: 5,
    number: 1,
    turn: TURN_KEY,
    participant: "advocate-b",
    tool: "lookupPaper",
    args: { query: "noise" },
    failed: false,
    result: "[]",
    createdAt: made.createdAt,
  },
  {
    type: "lookup",
    seq: 5,
    number: 101,
    turn: TURN_KEY,
    participant: "advocate-b",
    tool: "webSearch",
    args: { query: "Shops need deliveries.", claim: 1 },
    failed: false,
    result: "[]",
    createdAt: made.createdAt,
  },
];

const agent = createReplayAgent({
  model: "gpt-4o-mini",
  messages: new Map([[TURN_KEY, message]]),
  facts,
}, { model: "replay:debate", dir: "convenings/debate" });

agentContract("createReplayAgent()", () => ({ agent }));

Deno.test("createReplayAgent() answers a turn from its message, with its look-ups, at no cost", async () => {
  assert.deepEqual(await agent.reply(turnRequest()), {
    text: body,
    finishReason: "stop",
    model: "replay:debate",
    usage: NO_USAGE,
    toolCalls: [{
      tool: "lookupPaper",
      args: { query: "noise" },
      result: "[]",
      failed: false,
    }],
  });
});

Deno.test("createReplayAgent() answers a score with the recorded numbers", async () => {
  const { text } = await agent.reply(scoreRequest());
  assert.deepEqual(JSON.parse(text), {
    reasons: "It follows, but nothing is cited.",
    scores: { logical_coherence: 7, evidence_quality: 4.5 },
  });
});

Deno.test("createReplayAgent() answers what could not be read unreadably again", async () => {
  const context = contextOf({ key: "score/3/judge", purpose: "question" });
  const { text } = await agent.reply(scoreRequest({ context }));
  assert.equal(text, "I would rather not say.");
});

Deno.test("createReplayAgent() names the winner of a verdict by its present label, a tie as the schema can", async () => {
  const labels = { "advocate-a": "Side One", "advocate-b": "Side Two" };
  const verdict = async (number: number, tie: z.ZodType): Promise<unknown> => {
    const type = z.object({
      reasons: z.string(),
      winner: z.union([z.enum(["Side One", "Side Two"]), tie]),
    });
    const { text } = await agent.reply(turnRequest({
      context: contextOf({ key: `verdict/judge/${number}`, data: { labels } }),
      schema: { name: "verdict", type },
    }));
    return JSON.parse(text);
  };
  assert.deepEqual(await verdict(1, z.null()), {
    reasons: "B answered.",
    winner: "Side Two",
  });
  assert.deepEqual(await verdict(2, z.null()), {
    reasons: "Neither.",
    winner: null,
  });
  assert.deepEqual(await verdict(2, z.literal("tie")), {
    reasons: "Neither.",
    winner: "tie",
  });
});

Deno.test("createReplayAgent() answers choices and summaries of older turns", async () => {
  const ask = async (key: string): Promise<string> =>
    (await agent.reply(turnRequest({ context: contextOf({ key }) }))).text;
  assert.deepEqual(JSON.parse(await ask("bid/7/advocate-a")), {
    bid: 0.4,
    reason: "I have said it",
  });
  assert.equal(await ask("fold/1"), "So far: much.");
});

/** What is answered to a question of a key, read as JSON. */
async function answerTo(key: string, data: unknown, type: z.ZodType): Promise<unknown> {
  const context = contextOf({ key, purpose: "question", data });
  const { text } = await agent.reply(turnRequest({ context, schema: { name: "answer", type } }));
  return type.parse(JSON.parse(text));
}

Deno.test("createReplayAgent() names the proposals in a merged one by the numbers they have now", async () => {
  const made = ["ada", "cleo", "ben", "ada"].map((participant, at) => ({
    number: at + 1,
    participant,
  }));
  const merged = z.object({
    reasons: z.string(),
    proposals: z.array(z.strictObject({ text: z.string(), from: z.array(z.int()).min(1) })),
  });
  assert.deepEqual(await answerTo("proposals-merged", { proposals: made }, merged), {
    reasons: "Two say the same.",
    proposals: [
      { text: "Ban cars on Sundays.", from: [3, 1, 4] },
      { text: "Run more buses.", from: [2] },
    ],
  });
});

Deno.test("createReplayAgent() names the next speaker by its present label, with strict shapes too", async () => {
  const type = z.strictObject({ reason: z.string(), speaker: z.enum(["Speaker B", "Speaker C"]) });
  const data = { labels: { ben: "Speaker B", cleo: "Speaker C" } };
  assert.deepEqual(await answerTo("next-speaker/turn-3", data, type), {
    reason: "Ben was addressed.",
    speaker: "Speaker B",
  });
});

Deno.test("createReplayAgent() gives the fields of a structured turn, those that nothing is known of empty", async () => {
  const type = z.object({ reflection: z.string(), speech: z.string() });
  assert.deepEqual(await answerTo(TURN_KEY, undefined, type), { reflection: "", speech: body });
});

Deno.test("createReplayAgent() answers a turn with its own look-ups, not those of its fact check", async () => {
  const { toolCalls = [] } = await agent.reply(turnRequest());
  assert.deepEqual(toolCalls.map(({ tool }) => tool), ["lookupPaper"]);
});

Deno.test("createReplayAgent() fails on a key that is not recorded, naming it and the directory", async () => {
  const context = contextOf({ key: "round-9/argument/advocate-a" });
  await assert.rejects(
    agent.reply(turnRequest({ context })),
    (error: unknown) => {
      assert.ok(error instanceof AgentError);
      assert.equal(error.code, "agent_bad_reply");
      assert.equal(error.retryable, false);
      assert.match(error.message, /"round-9\/argument\/advocate-a"/);
      assert.match(error.message, /convenings\/debate/);
      return true;
    },
  );
});
