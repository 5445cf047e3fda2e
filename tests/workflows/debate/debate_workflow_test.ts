import assert from "node:assert/strict";
import {
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  memoryRecord,
} from "../../../mod.ts";
import { debateRubric, weightedTotal } from "../../../scoring.ts";
import { cast, debateOf, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";

function threeOf(agent: Talker) {
  const names = ["Ada", "Ben", "Cy"];
  return [
    createDebateModerator({}, agent),
    ...names.map((name) =>
      createDebateParticipant({ name, position: `${name}'s position` }, agent)
    ),
  ];
}

Deno.test("A debate of three runs, every side scored on the same kinds of turn, the verdict in three rotations", async () => {
  const agent = new Talker();
  const record = memoryRecord();
  const { result, events } = await drain(
    createDebateWorkflow(TOPIC, threeOf(agent), { roundCount: 2, record, seed: 1 }),
  );
  const perSide = 2 + 2 * 3;
  assert.deepEqual(Object.values(result!.scores).map(({ scored }) => scored), [
    perSide,
    perSide,
    perSide,
  ]);
  const kinds = (id: string) =>
    events.flatMap((event) =>
      event.type === "score" && event.score.participant === id
        ? [result!.messages.find(({ seq }) => seq === event.score.message)!.kind]
        : []
    ).sort();
  assert.deepEqual(kinds("ada"), kinds("ben"));
  assert.deepEqual(kinds("ben"), kinds("cy"));
  assert.equal(result!.value!.verdicts.length, 3);
  assert.equal(result!.outcome, "decided");
  assert.equal(result!.winner, "ada");
});

Deno.test("A judge that goes by the order of the sides decides nothing", async () => {
  const agent = new Talker(({ context }) => {
    if (context.kind !== "verdict") return undefined;
    const { labels } = context.data as { labels: Record<string, string> };
    return { text: JSON.stringify({ reasons: "The first.", winner: Object.values(labels)[0] }) };
  });
  const { result } = await drain(debateOf(agent).workflow);
  assert.equal(result?.outcome, "undecided");
  assert.equal(result?.winner, null);
});

Deno.test("A debate gives totals that are the weighted sums of what its files show", async () => {
  const { workflow, record } = debateOf(new Talker(), { roundCount: 2 });
  const { result, events } = await drain(workflow);
  const weights = Object.fromEntries(
    debateRubric("formal").criteria.map(({ id, weight }) => [id, weight]),
  );
  for (const event of events) {
    if (event.type === "score") {
      assert.equal(event.score.total, weightedTotal(event.score.criteria, event.score.weights));
    }
  }
  for (const { total, breakdown } of Object.values(result!.scores)) {
    assert.equal(total, weightedTotal(breakdown, weights));
    assert.match(record.files.get("scores.md")!, new RegExp(String(total).replace(".", "\\.")));
  }
});

Deno.test("A debate scores blind openings on all criteria but those that need an answer, and the files say so", async () => {
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

Deno.test("A debate's formats differ in rules and rubric, and every request is told both", async () => {
  const told = new Set<string>();
  for (const debateFormat of ["formal", "casual", "educational", "competitive"] as const) {
    const agent = new Talker();
    const { workflow, record } = debateOf(agent, { debateFormat, roundCount: 0 });
    await drain(workflow);
    told.add(agent.requests[0]!.messages[0]!.content);
    const rubric = debateFormat === "formal" ? "debate" : `debate-${debateFormat}`;
    const score = [...record.files].find(([path]) => path.startsWith("scores/"))![1];
    assert.match(score, new RegExp(`^rubric: ${rubric}$`, "m"));
  }
  assert.equal(told.size, 4);
});

Deno.test("A debate's rubric order comes from the seed", async () => {
  const orders = new Set<string>();
  for (const seed of [1, 1, 2, 3]) {
    const agent = new Talker();
    await drain(debateOf(agent, { seed, roundCount: 0 }).workflow);
    orders.add(/scored from[^]*Write in/.exec(agent.requests[0]!.messages[0]!.content)![0]);
  }
  assert.ok(orders.size >= 2 && orders.size <= 3);
});

Deno.test("A debate without scoring asks no judge, and is unscored", async () => {
  const agent = new Talker();
  const { workflow, record } = debateOf(agent, { scoringEnabled: false });
  const { result } = await drain(workflow);
  assert.ok(agent.requests.every(({ schema }) => schema === undefined));
  assert.equal(result?.outcome, "unscored");
  assert.deepEqual(result?.scores, {});
  assert.ok(!record.files.has("scores.md"));
});

Deno.test("A debate with a model's moderation asks for the introduction, else a template says it", async () => {
  const agent = new Talker();
  const model = await drain(debateOf(agent, { moderation: "model" }).workflow);
  assert.equal(model.result!.messages[0]!.model, "ollama:talker");
  assert.match(promptOf(agent.asked("opening/m")), /gives Ada the floor/);
  const template = await drain(debateOf(new Talker()).workflow);
  assert.equal(template.result!.messages[0]!.model, "template");
  assert.equal(template.result!.messages[0]!.usage.outputTokens, 0);
});

Deno.test("A panel's judges each score and judge alone; most votes win", async () => {
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

Deno.test("A side that is called tie can win", async () => {
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
  const { result } = await drain(
    createDebateWorkflow(TOPIC, participants, {
      judges: [{ agent: judge }],
      roundCount: 0,
      record: memoryRecord(),
    }),
  );
  assert.equal(result?.winner, "a");
  assert.notEqual(winner(judge.asked("verdict/judge/1"))?.toLowerCase(), "tie");
});

Deno.test("What a tool gave back is on record with the turn that asked", async () => {
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
