// Settings of a debate: each key changes the debate.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { DebateWorkflowConfig } from "../../../mod.ts";
import { designOf } from "../../../src/debate/debate_design.ts";
import { cast, debateOf, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";

/** Answers turns and judges' questions; other questions get unreadable answers. */
function talker(): Talker {
  return new Talker(({ schema, context }) => {
    if (schema === undefined || context.kind === "score" || context.kind === "verdict") return;
    const speech = `Speech for ${context.key}. It has two sentences.`;
    return { text: JSON.stringify({ reflection: "r", critique: "c", speech }) };
  });
}

/** Runs a debate and returns its compared parts. */
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

type Trace = Awaited<ReturnType<typeof trace>>;

const isSaid = (kind: string) => ({ kinds }: Trace) => kinds.includes(kind);
const isAsked = (key: string) => ({ keys }: Trace) => keys.includes(key);

/** By key: another value, the compared part, and that part with and without the value. */
const CHANGES: readonly (readonly [
  key: keyof DebateWorkflowConfig,
  value: unknown,
  shows: (trace: Trace) => unknown,
  changed: unknown,
  usual: unknown,
])[] = [
  ["debateFormat", "competitive", ({ head }) => /A competitive debate/.test(head), true, false],
  [
    "debateFormat",
    "competitive",
    ({ record }) =>
      record.files.get("messages/001_moderator_62c66a7a.md")!.includes("counts as granted"),
    true,
    false,
  ],
  [
    "exchange",
    "alternating",
    ({ kinds }) => kinds.slice(3, 5).join(" "),
    "argument reply",
    "argument rebuttal",
  ],
  [
    "blindClosings",
    true,
    ({ agent }) => promptOf(agent.asked("closing/b")).includes("closing/a"),
    false,
    true,
  ],
  ["openings", false, isSaid("opening_statement"), false, true],
  ["closings", false, isSaid("closing_statement"), false, true],
  [
    "turnForm",
    "rcr",
    ({ agent }) => agent.asked("round-1/argument/a").schema?.name,
    "reflected_turn",
    undefined,
  ],
  ["summaryBy", "none", isSaid("summary"), false, true],
  ["summaryBy", "judge", isAsked("summary/j"), true, false],
  ["interruptions", "rules", isAsked("round-1/argument/a/ruling"), true, false],
  ["adaptive", true, isAsked("round-2/review/m"), true, false],
  ["decision", "audience", isAsked("stance/before/listener-5"), true, false],
  ["decision", "audience", ({ result }) => result.outcome, "unscored", "decided"],
  ["audience", [{}], isAsked("stance/after/listener-1"), true, false],
  ["baseline", true, isAsked("baseline/j"), true, false],
  ["rubric", "academic", ({ head }) => head.includes("correctness"), true, false],
  ["roundCount", 1, ({ kinds }) => kinds.length, 11, 16],
  ["openingStatementMaxTokens", 123, ({ cap }) => cap("opening_statement"), 123, 300],
  ["argumentMaxTokens", 123, ({ cap }) => cap("rebuttal"), 123, 250],
  ["closingStatementMaxTokens", 123, ({ cap }) => cap("closing_statement"), 123, 350],
  ["summaryMaxTokens", 123, ({ cap }) => cap("summary"), 123, 400],
  ["roundSummaries", false, isSaid("round_summary"), false, true],
  [
    "blindOpenings",
    false,
    ({ agent }) => promptOf(agent.asked("opening/b")).includes('<turn number="2"'),
    true,
    false,
  ],
  [
    "pacing",
    "simultaneous",
    ({ kinds }) => kinds.slice(3, 7).join(" "),
    "argument argument rebuttal rebuttal",
    "argument rebuttal argument rebuttal",
  ],
  ["closingOrder", "reversed", ({ speakers }) => speakers.slice(-3), "bam", "abm"],
  [
    "moderation",
    "model",
    ({ result }) => result.messages[0]!.model,
    "ollama:talker",
    "template",
  ],
  ["scoringEnabled", false, ({ result }) => Object.keys(result.scores), [], ["a", "b"]],
  ["generateFullTranscript", true, transcripts, ["transcript.md"], []],
  ["outputFormat", "json", transcripts, ["transcript.json"], []],
  ["outputFormat", "markdown", transcripts, ["transcript.md"], []],
  ["outputFormat", "text", transcripts, ["transcript.txt"], []],
  ["judgeTemperature", 0.1, ({ agent }) => agent.asked("verdict/j/1").temperature, 0.1, undefined],
];

function transcripts({ record }: Trace): string[] {
  return [...record.files.keys()].filter((path) => path.startsWith("transcript."));
}

describe("every key of a debate changes the debate", () => {
  const usual = trace({});
  for (const [key, value, shows, changed, before] of CHANGES) {
    it(`${key} ${JSON.stringify(value)} changes the debate`, async () => {
      assert.deepEqual(shows(await trace({ [key]: value })), changed);
      assert.deepEqual(shows(await usual), before);
    });
  }

  it("speakingOrder changes the debate", async () => {
    const openers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => {
      const [first, again] = await Promise.all(
        [1, 2].map(() => trace({ speakingOrder: "drawn", openings: false, seed })),
      );
      assert.equal(first!.speakers, again!.speakers);
      return first!.speakers[1];
    }));
    assert.deepEqual([...new Set(openers)].sort(), ["a", "b"]);
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

  it("designOf() expects the maximal number of messages, and its plan counts them", async () => {
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

  it("designOf() includes interruptions and the added round in the expected messages", () => {
    const expected = (config: DebateWorkflowConfig) =>
      designOf(TOPIC, cast(new Talker()), { roundCount: 2, ...config, seed: 1 }).design
        .expectedMessages;
    assert.equal(expected({}), 16);
    assert.equal(expected({ interruptions: "rules" }), 16 + 2 * 8);
    assert.equal(expected({ adaptive: true }), 16 + 5);
    assert.equal(expected({ exchange: "statements" }), 2 + 2 + 2 * 3 + 2);
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
    const { agent } = await trace({});
    for (const request of agent.requests) assert.doesNotMatch(promptOf(request), /fact check/);
  });
});

Deno.test("The four formats leave records that differ in introductions, order of closings, summaries and rubrics", async () => {
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
