// Debate workflow: scores, verdicts, moderation, defaults and turns with reflection.
import assert from "node:assert/strict";
import { AgentError, type DebateConfig } from "../../mod.ts";
import { cast, debateOf, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";
import { describe, it } from "@std/testing/bdd";
import { debateFrom } from "../../src/debate/debate_workflow.ts";
import { debate } from "../../protocol.ts";
import { RCR } from "../../src/debate/rules.ts";
import { playAll, rules } from "../support/players.ts";

Deno.test("A debate scores blind openings without the criteria that need an answer, and the files state the omission", async () => {
  const agent = new Talker();
  const { workflow, record } = debateOf(agent);
  const { result } = await drain(workflow);
  const files = [...record.files].filter(([path]) => path.startsWith("scores/")).map(([, text]) =>
    text
  );
  const openings = files.filter((text) => /^message: [23]$/m.test(text));
  assert.equal(openings.length, 2);
  for (const text of openings) {
    assert.match(text, /^not_applicable: \[responsiveness\]$/m);
    assert.match(
      text,
      /^weights: \{ logical_coherence: 0\.3125, evidence_quality: 0\.3125, persuasiveness: 0\.1875, rule_adherence: 0\.1875 \}$/m,
    );
    assert.doesNotMatch(text, /^criteria: .*responsiveness/m);
  }
  assert.ok(
    files.filter((text) => !openings.includes(text)).every((text) =>
      !text.includes("not_applicable")
    ),
  );
  const asked = agent.asked("score/2/j");
  assert.doesNotMatch(JSON.stringify(asked.schema), /responsiveness/);
  assert.match(
    asked.messages.at(-1)!.content,
    /Turn 2 was made before any other side had spoken: it is not scored on responsiveness\./,
  );
  assert.deepEqual(Object.keys(result!.scores["a"]!.breakdown).length, 5);
});

Deno.test("A debate's order of criteria comes from the seed", async () => {
  const orders = new Set<string>();
  for (const seed of [1, 1, 2, 3]) {
    const agent = new Talker();
    await drain(debateOf(agent, { seed, roundCount: 0 }).workflow);
    orders.add(/scored from[^]*Write in/.exec(agent.requests[0]!.messages[0]!.content)![0]);
  }
  assert.ok(orders.size >= 2 && orders.size <= 3);
});

Deno.test("A panel's judges score and judge independently, and most votes win", async () => {
  const judge = (id: string) =>
    new Talker(({ context }) => {
      if (context.kind !== "verdict") return undefined;
      const { labels } = context.data as { labels: Record<string, string> };
      return { text: JSON.stringify({ reasons: "r", winner: labels[id] }) };
    });
  const judges = [judge("b"), judge("b"), judge("a")].map((agent) => ({ agent }));
  const { result, events } = await drain(
    debateOf(new Talker(), { judges, roundCount: 0 }).workflow,
  );
  assert.equal(result?.winner, "b");
  const ids = new Set(events.flatMap((event) => event.type === "score" ? [event.score.judge] : []));
  assert.deepEqual([...ids].sort(), ["judge-1", "judge-2", "judge-3"]);
  assert.equal(result?.scores["a"]?.scored, 6);
});

Deno.test("A side whose id is tie can win", async () => {
  const agent = new Talker();
  const [m, a, b] = cast(agent);
  const winner = (request: { context: { data?: unknown } }) =>
    (request.context.data as { labels: Record<string, string> }).labels["a"];
  const judge = new Talker((request) =>
    request.context.kind === "verdict"
      ? { text: JSON.stringify({ reasons: "r", winner: winner(request) }) }
      : undefined
  );
  const participants = [m!, { ...a!, name: "Tie" }, b!];
  const judges = [{ agent: judge }];
  const { result } = await drain(debateOf(agent, { participants, judges, roundCount: 0 }).workflow);
  assert.equal(result?.winner, "a");
  assert.notEqual(winner(judge.asked("verdict/judge/1"))?.toLowerCase(), "tie");
});

Deno.test("A tool's results are recorded with the turn that called the tool", async () => {
  const toolCalls = [{ tool: "search", args: { query: "cars" }, result: "Found.", failed: false }];
  const agent = new Talker(({ context }) =>
    context.key === "opening/a" ? { toolCalls } : undefined
  );
  const { workflow, record } = debateOf(agent);
  const { events } = await drain(workflow);
  const types = events.flatMap((event) =>
    event.type === "lookup" || event.type === "message" && event.message.seq === 2
      ? [event.type]
      : []
  );
  assert.deepEqual(types, ["lookup", "message"]);
  assert.match(record.files.get("lookups/002_1.md")!, /^tool: search$/m);
});

function castFrom(config: Partial<DebateConfig>) {
  const agent = new Talker();
  const workflow = debateFrom(
    { kind: "debate", topic: TOPIC, ...config },
    { agentOf: () => agent },
  );
  return workflow.participants.map(({ id, role, position, persona }) => ({
    id,
    role,
    position,
    persona,
  }));
}

describe("debateFrom()", () => {
  it("debateFrom() adds a moderator to advocates and a fact checker, and none to a complete cast", () => {
    const participants = [{ name: "Ada", position: "Yes" }, { name: "Ben", position: "No" }];
    const roles = (config: Partial<DebateConfig>) => castFrom(config).map(({ role }) => role);
    assert.deepEqual(roles({ participants }), [
      "moderator",
      "position_advocate",
      "position_advocate",
    ]);
    const checker = { name: "Vera", role: "fact_checker" };
    assert.deepEqual(roles({ participants: [...participants, checker] })[0], "moderator");
    assert.deepEqual(roles({ participants, moderation: "none" }).length, 2);
    const moderator = { name: "Mo", role: "moderator" };
    assert.equal(roles({ participants: [...participants, moderator] }).length, 3);
  });
});

/** Answers every turn with three fields; two of them are private. */
function reflecting(): Talker {
  return new Talker(({ context, schema }) => {
    if (schema?.name !== "reflected_turn") return undefined;
    const { key } = context;
    return {
      text: JSON.stringify({
        reflection: `Inward ${key}.`,
        critique: `Doubt ${key}.`,
        speech: `Aloud ${key}, in whole sentences.`,
      }),
    };
  });
}

describe("RCR", () => {
  it("RCR is the form of the speeches in rounds and closings alone", () => {
    const { turns } = playAll(debate(rules({ structure: RCR })));
    for (const { kind, structure, task } of turns) {
      const expected = ["argument", "rebuttal", "closing_statement"].includes(kind);
      assert.equal(structure?.schema === RCR.schema, expected, kind);
      assert.equal(/three phases/.test(task), expected, kind);
    }
  });

  it("RCR replies have room for the private fields in addition to the speech's cap: 2,000 tokens for 500 words", () => {
    const caps = { opening: 300, argument: 1000, closing: 250, summary: 400 };
    const { turns } = playAll(debate(rules({ structure: RCR, caps })));
    const cap = (kind: string) => {
      const { maxTokens, structure } = turns.find((turn) => turn.kind === kind)!;
      return [maxTokens, structure?.tokens];
    };
    assert.deepEqual(cap("argument"), [1000, 1000]);
    assert.deepEqual(cap("closing_statement"), [250, 600]);
    assert.deepEqual(cap("opening_statement"), [300, undefined]);
  });

  it("RCR speeches are live from their beginning after a failed request", async () => {
    const usual = reflecting();
    let tries = 0;
    const agent = new Talker((request) => {
      if (request.context.key !== "closing/a" || ++tries > 1) {
        return usual.reply({ ...request, onDelta: undefined });
      }
      request.onDelta?.('{"speech": "Half a');
      throw new AgentError("agent_unreachable", "The connection was cut", { retryable: true });
    });
    const retry = { minWait: 0, maxWait: 0 };
    const { events } = await drain(debateOf(agent, { turnForm: "rcr", retry }).workflow);
    const live = [""];
    for (const event of events) {
      if (event.type === "message-reset") live.push("");
      if (event.type !== "message-delta" || event.turn.turn !== "closing/a") continue;
      live[live.length - 1] += event.text;
    }
    assert.deepEqual(live, ["Half a", "Aloud closing/a, in whole sentences."]);
  });

  it("RCR reflection and critique are recorded but absent from transcripts, prompts and judges' questions", async () => {
    const agent = reflecting();
    const { workflow, record } = debateOf(agent, { turnForm: "rcr", transcript: ["md"] });
    const { result } = await drain(workflow);
    const argument = result!.messages.find(({ kind }) => kind === "argument")!;
    assert.equal(argument.body, "Aloud round-1/argument/a, in whole sentences.");
    const draft = record.files.get("drafts/004.md")!;
    assert.match(draft, /Inward round-1\/argument\/a/);
    assert.match(draft, /Doubt round-1\/argument\/a/);
    for (const request of agent.requests) assert.doesNotMatch(promptOf(request), /Inward|Doubt/);
    for (const [path, text] of record.files) {
      if (!path.startsWith("drafts/") && path !== "log.jsonl") {
        assert.doesNotMatch(text, /Inward|Doubt/, path);
      }
    }
  });
});
