import assert from "node:assert/strict";
import {
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  folderRecord,
  judge,
  memoryRecord,
  verify,
} from "../../mod.ts";
import type { MemoryRecord } from "../../protocol.ts";
import { createScoringAgent, type Scoring } from "../../scoring.ts";
import { speakingAgent } from "../support/speaking_model.ts";

const TOPIC = "Should cities ban private cars?";

/** The most for Ada, the least for Ben. */
const forAda: Scoring["score"] = ({ name }, { criteria, scale: [least, most] }) => ({
  scores: Object.fromEntries(criteria.map(({ id }) => [id, name === "Ada" ? most : least])),
  reasons: `It is ${name}'s.`,
});

function debateWith(
  score: Scoring["score"],
  record: MemoryRecord | ReturnType<typeof folderRecord>,
) {
  const agent = speakingAgent();
  const sides = ["Ada", "Ben"].map((name) =>
    createDebateParticipant({ name, position: `As ${name} has it` }, agent)
  );
  return createDebateWorkflow(TOPIC, [createDebateModerator({}, agent), ...sides], {
    roundCount: 1,
    seed: 1,
    judges: [{ agent: createScoringAgent("program", score) }],
    limits: { maxCost: 1 },
    allowUnknownPrices: true,
    record,
  });
}

Deno.test("A program scores and decides in the place of a model, and costs no call", async () => {
  const record = memoryRecord();
  const { models } = await debateWith(forAda, memoryRecord()).plan();
  assert.ok(!("program" in models), "no call is planned");
  const result = await debateWith(forAda, record).run();
  assert.deepEqual([result.outcome, result.winner], ["decided", "ada"]);
  assert.equal(result.scores["ada"]!.total, 10);
  const files = [...record.files].filter(([path]) => path.startsWith("scores/"));
  assert.ok(files.length >= 6);
  assert.match(files[0]![1], /^model: program$/m);
});

Deno.test("A program's scores are on record: after a stop those alone are computed that are missing", async () => {
  const record = memoryRecord();
  const scoresIn = () => [...record.files.keys()].filter((path) => path.startsWith("scores/"));
  for await (const { type } of debateWith(forAda, record).stream()) if (type === "score") break;
  const before = scoresIn().length;
  assert.ok(before > 0);
  let told = 0;
  const resumed = debateWith(forAda, record).stream();
  let step = await resumed.next();
  for (; !step.done; step = await resumed.next()) if (step.value.type === "score") told++;
  assert.equal(step.value.winner, "ada");
  assert.equal(told, scoresIn().length - before);
});

Deno.test("What a program cannot score is unscored, with the reason", async () => {
  const record = memoryRecord();
  const { outcome } = await debateWith((message, rubric) => {
    if (message.name === "Ben") throw new RangeError("It is too long.");
    return { ...forAda(message, rubric), scores: { nonsense: 7 } };
  }, record).run();
  assert.equal(outcome, "unscored");
  const text = [...record.files].filter(([path]) => path.startsWith("scores/"))
    .map(([, file]) => file).join("\n");
  assert.match(text, /It is too long\./);
  assert.match(text, /status: unscored/);
});

Deno.test("A program judges a finished convening again, and the record is sound", async () => {
  const out = await Deno.makeTempDir();
  try {
    const { dir = "" } = await debateWith(forAda, folderRecord({ out })).run();
    const judged = await judge(dir, {
      judges: [{ name: "Late", agent: createScoringAgent("late", forAda) }],
    });
    assert.equal(judged.panel.winner, "ada");
    assert.equal(judged.panel.scores["ada"]!.total, 10);
    assert.deepEqual((await verify(dir)).findings, []);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});
