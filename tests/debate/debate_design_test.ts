// Settings of a debate: each key changes the debate.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { DebateWorkflowConfig } from "../../mod.ts";
import { DEBATE_FORMATS } from "../../src/config/setting_shapes.ts";
import { designOf } from "../../src/debate/debate_design.ts";
import { interruptionsOf } from "../../src/debate/settings.ts";
import { cast, debateOf, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";

/** Answers turns and judges' questions; other questions get unreadable answers. */
function talker(): Talker {
  return new Talker(({ schema, context }) => {
    if (schema === undefined || context.kind === "score" || context.kind === "verdict") return;
    const speech = `Speech for ${context.key}. It has two sentences.`;
    return { text: JSON.stringify({ reflection: "r", critique: "c", speech }) };
  });
}

describe("designOf()", () => {
  const STRUCTURES: DebateWorkflowConfig[] = [
    {},
    { roundCount: 0 },
    { exchange: "alternating", roundCount: 5 },
    { exchange: "statements", openings: false, closings: false },
    { exchange: "statements", roundSummaries: true },
    { exchange: "statements", roundSummaries: true, openings: false, closings: false },
    { roundSummaries: true, closings: false },
    { pacing: "simultaneous", summaryBy: "none" },
    { audience: [{}, {}], baseline: true, summaryBy: "judge", turnForm: "rcr" },
    { debateFormat: "casual" },
    { interruptions: "rules" },
  ];

  it("designOf() expects the maximal number of messages, and its plan counts them", async () => {
    for (const config of STRUCTURES) {
      const { workflow, record } = debateOf(talker(), { roundCount: 2, ...config });
      const planned = await workflow.plan();
      const { result } = await drain(workflow);
      const { length } = result!.messages;
      assert.equal(planned.turns, length, JSON.stringify(config));
      const [, expected] = /^expected_messages: (\d+)$/m.exec(record.files.get("metadata.md")!)!;
      // The moderator may interrupt each turn.
      const most = config.interruptions === "rules" ? 2 * length : length;
      assert.equal(Number(expected), most, JSON.stringify(config));
    }
  });

  it("designOf() includes interruptions and the added round in the expected messages, and only the moderator's turns that there will be", () => {
    const expected = (config: DebateWorkflowConfig) =>
      designOf(TOPIC, cast(new Talker()), { roundCount: 2, ...config, seed: 1 }).design
        .expectedMessages;
    assert.equal(expected({}), 16);
    assert.equal(expected({ interruptions: "rules" }), 16 + 2 * 8);
    assert.equal(expected({ adaptive: true }), 16 + 5);
    assert.equal(expected({ exchange: "statements" }), 2 + 2 + 2 * 3 + 2);
    const bare = { openings: false, closings: false, summaryBy: "judge" } as const;
    assert.equal(expected({ exchange: "statements", ...bare }), 2 * 3);
  });

  it("designOf() makes a fact checker among the participants check facts instead of debating", async () => {
    const agent = new Talker(({ context }) =>
      context.kind === "claims" ? { text: JSON.stringify({ claims: [] }) } : undefined
    );
    const checker = {
      ...cast(agent)[0]!,
      id: "fc",
      name: "Vera",
      role: "fact_checker",
    };
    const participants = [...cast(agent), checker];
    const { result } = await drain(debateOf(agent, { participants, roundCount: 0 }).workflow);
    assert.equal(result!.messages.length, 6);
    assert.equal(result!.factChecks?.checked, 4);
    assert.match(promptOf(agent.asked("verdict/j/1")), /what a fact check found/);
  });

  it("designOf() tells judges nothing of fact checks when there are none", async () => {
    const agent = talker();
    await drain(debateOf(agent).workflow);
    for (const request of agent.requests) assert.doesNotMatch(promptOf(request), /fact check/);
  });
});

Deno.test("The four formats differ in introductions, rules, summaries, order of closings and rubrics", async () => {
  const seen = await Promise.all(DEBATE_FORMATS.map(async (debateFormat) => {
    const agent = new Talker();
    const { workflow, record } = debateOf(agent, { debateFormat });
    const { messages } = (await drain(workflow)).result!;
    const closings = messages.filter(({ kind }) => kind === "closing_statement");
    const summary = agent.requests.find(({ context }) => context.key === "round-1/summary/m");
    const [, score = ""] = [...record.files].find(([path]) => path.startsWith("scores/"))!;
    return {
      introduction: messages[0]!.body,
      rules: agent.requests[0]!.messages[0]!.content,
      summary: summary === undefined ? "none" : promptOf(summary).split("\n\n").at(-1),
      closings: closings.map(({ participant }) => participant).join(""),
      rubric: /^rubric: (.*)$/m.exec(score)?.[1],
    };
  }));
  for (const key of ["introduction", "rules", "summary"] as const) {
    assert.equal(new Set(seen.map((each) => each[key])).size, 4, key);
  }
  assert.deepEqual(seen.map(({ closings }) => closings), ["ab", "ab", "ab", "ba"]);
  assert.deepEqual(
    seen.map(({ rubric }) => rubric),
    ["debate", "debate-casual", "debate-educational", "debate-competitive"],
  );
});

Deno.test("interruptionsOf() follows the format when asked to, as far as claims are checked", () => {
  const of = (checksFacts: boolean) =>
    DEBATE_FORMATS.map((debateFormat) =>
      interruptionsOf({ interruptions: "format", debateFormat }, { checksFacts })
    );
  assert.deepEqual(DEBATE_FORMATS, ["formal", "casual", "educational", "competitive"]);
  assert.deepEqual(of(true), ["both", "none", "facts", "facts"]);
  assert.deepEqual(of(false), ["rules", "none", "none", "none"]);
  const told = { interruptions: "rules", debateFormat: "casual" } as const;
  assert.equal(interruptionsOf(told, { checksFacts: true }), "rules");
});
