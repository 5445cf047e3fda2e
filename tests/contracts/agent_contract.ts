// Contract suite of agents: the tests that every agent must pass, with sample requests.
import assert from "node:assert/strict";
import type { Agent, AgentRequest, RequestContext } from "../../src/core/agent.ts";
import { CancelledError } from "../../src/core/error.ts";
import type { Rubric } from "../../src/core/outcome.ts";
import { scoreSchema } from "../../src/judging/scoring.ts";
import { readStructured } from "../../src/core/schema.ts";

/** Key of the turn in the sample request. */
export const TURN_KEY = "round-1/rebuttal/advocate-b/advocate-a";
/** Key of the score in the sample request. */
const SCORE_KEY = "score/2/judge";

/** Rubric of the score in the sample request. */
export const RUBRIC: Rubric = {
  id: "contract",
  scale: [0, 10],
  criteria: [
    { id: "logical_coherence", weight: 0.5, description: "Does it follow?" },
    { id: "evidence_quality", weight: 0.5, description: "Is it supported?" },
  ],
  anchors: [{ from: 0, means: "anything" }],
};

/** Returns the context of a request that any agent can answer. */
export function contextOf(changes: Partial<RequestContext> = {}): RequestContext {
  return {
    key: TURN_KEY,
    purpose: "turn",
    topic: "Should cities ban private cars from their centres?",
    participant: "advocate-b",
    label: "Advocate B",
    role: "position_advocate",
    position: "No, they should not",
    seq: 5,
    phase: "argument",
    kind: "rebuttal",
    round: 1,
    attempt: 1,
    seed: 1,
    ...changes,
  };
}

/** Returns a request for a rebuttal. */
export function turnRequest(changes: Partial<AgentRequest> = {}): AgentRequest {
  return {
    messages: [
      { role: "system", content: "A debate on cars in cities." },
      { role: "user", content: "Advocate B, rebut Advocate A." },
    ],
    context: contextOf(),
    maxTokens: 200,
    ...changes,
  };
}

/** Returns a request for a score. */
export function scoreRequest(changes: Partial<AgentRequest> = {}): AgentRequest {
  return turnRequest({
    context: contextOf({
      key: SCORE_KEY,
      purpose: "question",
      participant: "judge",
      label: "Judge",
      role: "judge",
      position: undefined,
      seq: 0,
      kind: "score",
      data: { participant: "advocate-a", body: "Streets are quieter.", rubric: RUBRIC },
    }),
    schema: { name: "score", type: scoreSchema(RUBRIC) },
    ...changes,
  });
}

/** An agent under test and its cleanup. */
export interface Subject {
  /** Agent that answers the contract's requests. */
  readonly agent: Agent;
  /** Releases the agent's resources. */
  close?(): Promise<void>;
}

/** Declares the tests that every agent must pass. */
export function agentContract(
  name: string,
  create: () => Subject | Promise<Subject>,
): void {
  for (const [rule, check] of Object.entries(RULES)) {
    Deno.test(`${name} ${rule}`, async () => {
      const subject = await create();
      try {
        await check(subject.agent);
      } finally {
        await subject.close?.();
      }
    });
  }
}

const RULES = {
  async "answers a turn with text and says which model answered"(agent) {
    const reply = await agent.reply(turnRequest());
    assert.notEqual(reply.text.trim(), "");
    assert.equal(reply.finishReason, "stop");
    assert.notEqual(agent.model, "");
    assert.notEqual(reply.model, "");
  },

  async "reports the whole text, and nothing else, through onDelta"(agent) {
    const deltas: string[] = [];
    const reply = await agent.reply(turnRequest({ onDelta: (text) => deltas.push(text) }));
    assert.equal(deltas.join(""), reply.text);
    assert.ok(!deltas.includes(""), "an empty delta tells nothing");
  },

  async "answers a question in the shape that was asked for"(agent) {
    const reply = await agent.reply(scoreRequest());
    const { value, problem } = readStructured(reply.text, scoreSchema(RUBRIC));
    assert.equal(problem, undefined);
    assert.notEqual(value?.reasons, "");
  },

  async "counts tokens in whole numbers from zero up"(agent) {
    const { inputTokens, cachedInputTokens, outputTokens } =
      (await agent.reply(turnRequest())).usage;
    for (const count of [inputTokens, cachedInputTokens, outputTokens]) {
      assert.ok(Number.isInteger(count) && count >= 0, `${count}`);
    }
    assert.ok(cachedInputTokens <= inputTokens);
  },

  async "answers several requests at once"(agent) {
    const replies = await Promise.all(
      [scoreRequest(), turnRequest()].map((each) => agent.reply(each)),
    );
    assert.ok(replies.every(({ text }) => text.trim() !== ""));
  },

  async "refuses to begin once the signal is aborted"(agent) {
    const signal = AbortSignal.abort("enough");
    const deltas: string[] = [];
    const request = turnRequest({ signal, onDelta: (text) => deltas.push(text) });
    await assert.rejects(agent.reply(request), CancelledError);
    assert.deepEqual(deltas, []);
  },

  async "stops when the signal is aborted while it answers"(agent) {
    const controller = new AbortController();
    const onDelta = (): void => controller.abort("enough");
    const request = turnRequest({ signal: controller.signal, onDelta });
    await assert.rejects(agent.reply(request), CancelledError);
  },
} satisfies Record<string, (agent: Agent) => Promise<void>>;
