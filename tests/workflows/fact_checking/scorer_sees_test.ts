import assert from "node:assert/strict";
import { createParticipant, DialogueWorkflow, memoryRecord } from "../../../mod.ts";
import type { Score } from "../../../scoring.ts";
import type { Rubric } from "../../../src/config/convening_config.ts";
import { factCheckDesign } from "../../../src/checking/fact_checker.ts";
import { scorer } from "../../../src/judging/scorer.ts";
import { finding, startSearchServer } from "../../support/search_server.ts";
import { drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";
import { checkerAgent, found, searchOf } from "./support/checking.ts";

const RUBRIC: Rubric = {
  id: "truth",
  scale: [0, 10],
  criteria: [{ id: "truth", weight: 1, description: "Whether it is so.", evidence: true }],
  anchors: [],
};

for (const factCap of [true, false]) {
  Deno.test(`A judge is asked for its scores with the turn's fact check before it, made once; refuted claims ${factCap ? "cap" : "do not cap"} its numbers for evidence`, async () => {
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
