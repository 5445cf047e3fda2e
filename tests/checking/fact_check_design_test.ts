// Configuration of fact checks: checker, models, prompts and judges.
import assert from "node:assert/strict";
import {
  ConfigurationError,
  createParticipant,
  DialogueWorkflow,
  memoryRecord,
} from "../../mod.ts";
import { type FactCheckConfig, say } from "../../protocol.ts";
import type { Score } from "../../scoring.ts";
import { factCheckDesign } from "../../src/checking/fact_checker.ts";
import type { Rubric } from "../../src/core/outcome.ts";
import { scorer } from "../../src/judging/scorer.ts";
import { finding, startSearchServer } from "../support/search_server.ts";
import { drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";
import { checkedDialogue, checkerAgent, found, searchOf } from "./support/checking.ts";

const ADA = createParticipant({ name: "Ada" });
const BEN = createParticipant({ name: "Ben" });
const searchers = () => [];
const VERA = createParticipant({
  name: "Vera",
  role: "fact_checker",
  persona: "Patient.",
  agentConfig: { model: "vera-model", systemPrompt: "Count twice.", temperature: 0 },
});

Deno.test("factCheckDesign() enables checks when configured or when there is a fact checker", () => {
  const speakers = [ADA, BEN];
  const modes: [FactCheckConfig | undefined, typeof VERA | undefined, number][] = [
    [undefined, undefined, -1],
    [{ mode: "off" }, undefined, -1],
    [{}, undefined, 0],
    [undefined, VERA, 0],
    [{ maxClaims: 2 }, VERA, 0],
    [{ mode: "strict" }, undefined, 1],
  ];
  for (const [config, checker, guards] of modes) {
    const design = factCheckDesign(config, { speakers, checker, searchers });
    assert.equal(design?.guards.length ?? -1, guards);
    if (guards >= 0) assert.equal(design!.observers[0]!.name, "fact_checker");
  }
  assert.throws(
    () => factCheckDesign({ mode: "off" }, { speakers, checker: VERA, searchers }),
    (error) => error instanceof ConfigurationError && error.field === "factCheck.mode",
  );
});

Deno.test("factCheckDesign() asks one helper, or two when another model finds the claims", () => {
  const speakers = [ADA, BEN];
  const parties = (config: FactCheckConfig, checker?: typeof VERA) =>
    factCheckDesign(config, { speakers, checker, searchers })!.helpers.map((
      { id, role, model },
    ) => [id, role, model]);
  assert.deepEqual(parties({}), [["fact-checker", "fact_checker", undefined]]);
  assert.deepEqual(parties({}, VERA), [["vera", "fact_checker", "vera-model"]]);
  assert.deepEqual(parties({ verificationModel: "big", extractionModel: "big" }, VERA), [
    ["vera", "fact_checker", "big"],
  ]);
  assert.deepEqual(parties({ verificationModel: "big", extractionModel: "small" }), [
    ["fact-checker", "fact_checker", "big"],
    ["claim-finder", "claim_finder", "small"],
  ]);
  const taken = factCheckDesign({ extractionModel: "small" }, {
    speakers: [ADA, { ...BEN, id: "fact-checker" }],
    taken: ["claim-finder"],
    searchers,
  });
  assert.deepEqual(taken!.helpers.map(({ id }) => id), ["the-fact-checker", "the-claim-finder"]);
});

Deno.test("A fact checker's name, persona and orders are in its prompts, and templates can be replaced", async () => {
  const checker = checkerAgent();
  const { workflow, record } = checkedDialogue(new Talker(), checker, {
    prompts: { factChecker: "You are {name}, the auditor.", claims: "Audit it, on {topic}." },
    maxTurns: 1,
  });
  await drain(workflow);
  const prompt = promptOf(checker.requests[0]!);
  assert.match(prompt, /You are Vera, the auditor\./);
  assert.match(prompt, new RegExp(`Audit it, on ${TOPIC.replace("?", "\\?")}`));
  assert.match(record.files.get("metadata.md")!, /id: vera, name: Vera, role: fact_checker/);
  assert.throws(
    () => checkedDialogue(new Talker(), checker, { prompts: { claims: "{nonsense}" } }),
    (error) => error instanceof ConfigurationError && error.field === "prompts.claims",
  );
});

Deno.test("A moderator's turns, templates and interjections are not checked", async () => {
  class Moderated extends DialogueWorkflow {
    protected override *protocol() {
      const turn = { phase: "dialogue", round: 0, task: "Speak." };
      yield* say({ ...turn, key: "intro", speaker: "mod", kind: "introduction" });
      yield* say({ ...turn, key: "text", speaker: "ada", kind: "statement", text: "Set words." });
      yield* say({ ...turn, key: "own", speaker: "ada", kind: "statement" });
    }
  }
  const agent = new Talker();
  const checker = checkerAgent();
  const workflow = new Moderated(TOPIC, [
    createParticipant({ name: "Mo", role: "moderator", agentConfig: { id: "mod" } }, agent),
    createParticipant({ name: "Ada" }, agent),
    createParticipant({ name: "Vera", role: "fact_checker" }, checker),
  ], { record: memoryRecord(), factCheck: { mode: "strict" } });
  workflow.interject("Fact: Buses are slow.");
  const { messages, checks } = found(await drain(workflow));
  assert.equal(messages.length, 4);
  assert.deepEqual(checks.map(({ message }) => message), [4]);
});

const RUBRIC: Rubric = {
  id: "truth",
  scale: [0, 10],
  criteria: [{ id: "truth", weight: 1, description: "Whether it is so.", evidence: true }],
  anchors: [],
};

for (const factCap of [true, false]) {
  Deno.test(`A judge scores a turn after its only fact check; refuted claims ${factCap ? "cap" : "do not cap"} its scores for evidence`, async () => {
    await using server = await startSearchServer({
      answers: {
        buses: finding("The count contradicts that.", { title: "The count of 2024" }),
        trams: { status: 500 },
      },
    });
    const [checker, judge] = [checkerAgent(), new Talker()];
    const speaker = new Talker(({ context: { key } }) => ({
      text: key === "turn-1/ada" ? "Fact: Buses are slow." : "Fact: Trams are fast.",
    }));
    const speakers = ["Ada", "Ben"].map((name) => createParticipant({ name }, speaker));
    const checking = factCheckDesign({}, {
      speakers,
      checker: createParticipant({ name: "Vera", role: "fact_checker" }, checker),
      searchers: () => [searchOf(server)],
      taken: ["j"],
    })!;
    const record = memoryRecord();
    const workflow = new DialogueWorkflow(TOPIC, speakers, {
      maxTurns: 2,
      record,
      design: {
        kind: "scored",
        judges: [{ id: "j", name: "Judge", agent: judge, rubric: RUBRIC.id }],
        ...checking,
        observers: [
          ...checking.observers,
          scorer({
            judges: ["j"],
            rubric: RUBRIC,
            order: ["truth"],
            task: "Score turn {answered}.",
            labels: new Map(speakers.map(({ id, name }) => [id, name])),
            checkOf: checking.checkOf,
            factCap,
          }),
        ],
      },
    });
    const { models } = await workflow.plan();
    assert.deepEqual(models, { "ollama:talker": 4, "ollama:checker": 12 });
    const drained = await drain(workflow);
    const scores = drained.events.flatMap((event): Score[] =>
      event.type === "score" ? [event.score] : []
    );
    assert.deepEqual(scores.map(({ status }) => status), ["scored", "scored"]);
    scores.sort((a, b) => a.message - b.message);
    const [own] = scores.slice(1).map(({ total }) => total);
    assert.ok(own !== undefined && own > 0);
    assert.deepEqual(
      scores.map(({ total, judged }) => [total, judged]),
      factCap ? [[0, { truth: own }], [own, undefined]] : [[own, undefined], [own, undefined]],
    );
    const first = [...record.files].find(([path]) => path.startsWith("scores/001"))?.[1] ?? "";
    assert.equal(first.includes(`criteria: { truth: 0 }\njudged: { truth: ${own} }\n`), factCap);
    assert.equal(found(drained).checks.length, 2);
    assert.equal(checker.keys.filter((key) => key === "claims/1/1").length, 1);
    assert.match(
      promptOf(judge.asked("score/1/j")),
      /<fact-check turn="1">\n- false \(0\.8\): “Buses are slow\.” \(source: “example\.org”\)\n<\/fact-check>\n\nScore turn 1\./,
    );
    assert.match(promptOf(judge.asked("score/2/j")), /turn 2 were not checked.*\n\nScore turn 2\./);
  });
}
