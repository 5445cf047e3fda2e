import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createDebateWorkflow, type DebateWorkflowConfig, memoryRecord } from "../../../mod.ts";
import { designOf } from "../../../src/debate/debate_design.ts";
import { cast, debateOf, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";

/** Says whatever it is asked for; questions other than the judges' cannot be read. */
function talker(): Talker {
  return new Talker(({ schema, context }) => {
    if (schema === undefined || context.kind === "score" || context.kind === "verdict") return;
    const speech = `Speech for ${context.key}. It has two sentences.`;
    return { text: JSON.stringify({ reflection: "r", critique: "c", speech }) };
  });
}

/** A debate of talkers as one run shows it. */
async function trace(config: DebateWorkflowConfig) {
  const agent = talker();
  const { workflow, record } = debateOf(agent, { roundCount: 2, ...config });
  const { result } = await drain(workflow);
  const { messages } = result!;
  return {
    agent,
    record,
    result: result!,
    kinds: messages.map(({ kind }) => kind),
    keys: agent.keys,
    head: agent.requests[0]!.messages[0]!.content,
    speakers: messages.map(({ participant }) => participant).join(""),
    cap: (kind: string) =>
      agent.requests.find(({ context, schema }) =>
        context.kind === kind && (schema === undefined || kind !== "summary")
      )?.maxTokens,
  };
}

describe("every key of a debate changes it", () => {
  const usual = trace({});
  const told = (name: string, test: () => Promise<void>) => it(`${name} changes the debate`, test);

  told("debateFormat", async () => {
    const { head, record } = await trace({ debateFormat: "competitive" });
    assert.match(head, /A competitive debate/);
    assert.match(record.files.get("messages/001_moderator_62c66a7a.md")!, /counts as granted/);
    assert.doesNotMatch((await usual).head, /competitive/);
  });

  told("exchange", async () => {
    const { kinds } = await trace({ exchange: "alternating" });
    assert.deepEqual(kinds.slice(3, 5), ["argument", "reply"]);
    assert.ok((await usual).kinds.includes("rebuttal"));
  });

  told("speakingOrder", async () => {
    const openers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => {
      const [first, again] = await Promise.all(
        [1, 2].map(() => trace({ speakingOrder: "drawn", openings: false, seed })),
      );
      assert.equal(first!.speakers, again!.speakers);
      return first!.speakers[1];
    }));
    assert.deepEqual([...new Set(openers)].sort(), ["a", "b"]);
  });

  told("blindClosings", async () => {
    const prompts = async (config: DebateWorkflowConfig) => {
      const { agent } = await trace({ ...config, roundCount: 0 });
      return promptOf(agent.asked("closing/b"));
    };
    assert.doesNotMatch(await prompts({ blindClosings: true }), /closing\/a/);
    assert.match(await prompts({}), /closing\/a/);
  });

  told("openings", async () => {
    assert.ok(!(await trace({ openings: false })).kinds.includes("opening_statement"));
    assert.ok((await usual).kinds.includes("opening_statement"));
  });

  told("closings", async () => {
    assert.ok(!(await trace({ closings: false })).kinds.includes("closing_statement"));
    assert.ok((await usual).kinds.includes("closing_statement"));
  });

  told("turnForm", async () => {
    const { agent } = await trace({ turnForm: "rcr" });
    assert.equal(agent.asked("round-1/argument/a").schema?.name, "reflected_turn");
    assert.equal((await usual).agent.asked("round-1/argument/a").schema, undefined);
  });

  told("summaryBy", async () => {
    assert.ok(!(await trace({ summaryBy: "none" })).kinds.includes("summary"));
    assert.ok((await trace({ summaryBy: "judge" })).keys.includes("summary/j"));
    assert.equal((await usual).kinds.at(-1), "summary");
  });

  told("interruptions", async () => {
    const { keys } = await trace({ interruptions: "rules" });
    assert.ok(keys.includes("round-1/argument/a/ruling"));
    assert.ok((await usual).keys.every((key) => !key.endsWith("/ruling")));
  });

  told("adaptive", async () => {
    assert.ok((await trace({ adaptive: true })).keys.includes("round-2/review/m"));
    assert.ok((await usual).keys.every((key) => !key.includes("/review/")));
  });

  told("decision", async () => {
    const { result, keys } = await trace({ decision: "audience" });
    assert.ok(keys.includes("stance/before/listener-5"));
    assert.equal(result.outcome, "unscored");
    assert.equal((await usual).result.outcome, "decided");
  });

  told("audience", async () => {
    assert.ok((await trace({ audience: [{}] })).keys.includes("stance/after/listener-1"));
  });

  told("baseline", async () => {
    assert.ok((await trace({ baseline: true })).keys.includes("baseline/j"));
    assert.ok(!(await usual).keys.includes("baseline/j"));
  });

  told("rubric", async () => {
    assert.match((await trace({ rubric: "academic" })).head, /correctness/);
    assert.doesNotMatch((await usual).head, /correctness/);
  });

  told("roundCount", async () => {
    assert.equal((await trace({ roundCount: 1 })).kinds.length, 11);
    assert.equal((await usual).kinds.length, 16);
  });

  for (
    const [key, kind] of [
      ["openingStatementMaxTokens", "opening_statement"],
      ["argumentMaxTokens", "rebuttal"],
      ["closingStatementMaxTokens", "closing_statement"],
      ["summaryMaxTokens", "summary"],
    ] as const
  ) {
    told(key, async () => {
      assert.equal((await trace({ [key]: 123 })).cap(kind), 123);
      assert.notEqual((await usual).cap(kind), 123);
    });
  }

  told("roundSummaries", async () => {
    assert.ok(!(await trace({ roundSummaries: false })).kinds.includes("round_summary"));
    assert.ok((await usual).kinds.includes("round_summary"));
  });

  told("blindOpenings", async () => {
    const second = ({ agent }: Awaited<typeof usual>) => promptOf(agent.asked("opening/b"));
    assert.match(second(await trace({ blindOpenings: false })), /<turn number="2"/);
    assert.doesNotMatch(second(await usual), /<turn number="2"/);
  });

  told("pacing", async () => {
    const { kinds } = await trace({ pacing: "simultaneous" });
    assert.deepEqual(kinds.slice(3, 7), ["argument", "argument", "rebuttal", "rebuttal"]);
  });

  told("closingOrder", async () => {
    assert.match((await trace({ closingOrder: "reversed" })).speakers, /bam$/);
    assert.match((await usual).speakers, /abm$/);
  });

  told("moderation", async () => {
    const { result } = await trace({ moderation: "model" });
    assert.equal(result.messages[0]!.model, "ollama:talker");
    assert.equal((await usual).result.messages[0]!.model, "template");
  });

  told("scoringEnabled", async () => {
    const { result } = await trace({ scoringEnabled: false });
    assert.deepEqual(result.scores, {});
  });

  told("generateFullTranscript", async () => {
    const { record } = await trace({ generateFullTranscript: true });
    assert.ok(record.files.has("transcript.md"));
    assert.ok(!(await usual).record.files.has("transcript.md"));
  });

  told("outputFormat", async () => {
    for (const [outputFormat, ending] of [["json", "json"], ["markdown", "md"], ["text", "txt"]]) {
      const { record } = await trace({ outputFormat: outputFormat as "json" });
      const written = [...record.files.keys()].filter((path) => path.startsWith("transcript."));
      assert.deepEqual(written, [`transcript.${ending}`]);
    }
  });

  told("judgeTemperature", async () => {
    const { agent } = await trace({ judgeTemperature: 0.1 });
    assert.equal(agent.asked("verdict/j/1").temperature, 0.1);
    assert.equal((await usual).agent.asked("verdict/j/1").temperature, undefined);
  });
});

describe("designOf()", () => {
  const STRUCTURES: DebateWorkflowConfig[] = [
    {},
    { roundCount: 0 },
    { exchange: "alternating", roundCount: 5 },
    { exchange: "statements", openings: false, closings: false },
    { exchange: "statements", roundSummaries: true },
    { pacing: "simultaneous", summaryBy: "none" },
    { audience: [{}, {}], baseline: true, summaryBy: "judge", turnForm: "rcr" },
    { debateFormat: "casual" },
    { interruptions: "rules" },
  ];

  it("designOf() expects as many messages as there can be, and its plan counts them right", async () => {
    for (const config of STRUCTURES) {
      const { workflow, record } = debateOf(talker(), { roundCount: 2, ...config });
      const planned = await workflow.plan();
      const { result } = await drain(workflow);
      const { length } = result!.messages;
      assert.equal(planned.turns, length, JSON.stringify(config));
      const [, expected] = /^expected_messages: (\d+)$/m.exec(record.files.get("metadata.md")!)!;
      assert.ok(Number(expected) >= length, JSON.stringify(config));
    }
  });

  it("designOf() has every interruption and the added round among the messages it expects", () => {
    const expected = (config: DebateWorkflowConfig) =>
      designOf(TOPIC, cast(new Talker()), { roundCount: 2, ...config, seed: 1 }).design
        .expectedMessages;
    assert.equal(expected({}), 16);
    assert.equal(expected({ interruptions: "rules" }), 16 + 2 * 8);
    assert.equal(expected({ adaptive: true }), 16 + 5);
    assert.equal(expected({ exchange: "statements" }), 2 + 2 + 2 * 3 + 2);
  });

  it("designOf() has a fact checker among the participants check facts, and not debate", async () => {
    const agent = new Talker(({ context }) =>
      context.kind === "claims" ? { text: JSON.stringify({ claims: [] }) } : undefined
    );
    const checker = {
      ...cast(agent)[0]!,
      id: "fc",
      name: "Vera",
      role: "fact_checker",
    };
    const { result } = await drain(createDebateWorkflow(TOPIC, [...cast(agent), checker], {
      roundCount: 0,
      record: memoryRecord(),
      judges: [{ agent }],
      guards: { repetition: "off" },
    }));
    assert.equal(result!.messages.length, 6);
    assert.equal(result!.factChecks?.checked, 4);
    assert.match(promptOf(agent.asked("verdict/judge/1")), /what a fact check found/);
  });

  it("designOf() tells judges nothing of fact checks where none are made", async () => {
    const { agent } = await trace({});
    for (const request of agent.requests) assert.doesNotMatch(promptOf(request), /fact check/);
  });
});

Deno.test("The four formats leave records that differ: introductions, order of closings, summaries, rubrics", async () => {
  const seen = new Map<string, string[]>();
  for (const debateFormat of ["formal", "casual", "educational", "competitive"] as const) {
    const agent = new Talker();
    const { workflow } = debateOf(agent, { debateFormat });
    const { result } = await drain(workflow);
    const asked = agent.keys.includes("round-1/summary/m")
      ? promptOf(agent.asked("round-1/summary/m")).split("\n\n").at(-1)!
      : "none";
    const closing = result!.messages.filter(({ kind }) => kind === "closing_statement");
    seen.set(debateFormat, [
      result!.messages[0]!.body,
      asked,
      closing.map(({ participant }) => participant).join(""),
    ]);
  }
  const [introductions, summaries, closings] = [0, 1, 2].map((index) =>
    [...seen.values()].map((each) => each[index]!)
  );
  assert.equal(new Set(introductions).size, 4);
  assert.equal(new Set(summaries).size, 4);
  assert.deepEqual(closings, ["ab", "ab", "ab", "ba"]);
});
