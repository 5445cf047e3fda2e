// Participants and judges of a debate: roles, sides, panels and rubrics.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createDebateParticipant } from "../../mod.ts";
import { castOf, describePanel, panelOf } from "../../src/debate/cast.ts";
import { cast, debateOf, drain, promptOf, Talker } from "../support/talkers.ts";
import type { Rubric } from "../../scoring.ts";
import { parseConfig } from "../../src/config/config.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { rubricNamed } from "../../src/judging/scoring.ts";

const agent = new Talker();

describe("castOf()", () => {
  it("castOf() separates the moderator from the sides and keeps the sides' order", () => {
    const { moderator, sides } = castOf(cast(agent), {});
    assert.equal(moderator?.id, "m");
    assert.deepEqual(sides.map(({ id, label }) => [id, label]), [["a", "Ada"], ["b", "Ben"]]);
  });

  it("castOf() treats a common default model of all sides as one model", () => {
    const [ada, ben] = ["Ada", "Ben"].map((name) =>
      createDebateParticipant({ name, position: name })
    );
    assert.equal(castOf([ada!, ben!], { preset: "self-play" }).sides.length, 2);
    assert.throws(
      () => castOf([{ ...ada!, model: "x" }, ben!], { preset: "self-play" }),
      /"Ada" has model "x", "Ben" has the usual model/,
    );
    assert.equal(
      castOf([{ ...ada!, model: "x" }, ben!], { preset: "self-play", model: "x" }).sides.length,
      2,
    );
  });
});

const OWN: Rubric = {
  id: "own",
  scale: [0, 5],
  criteria: [
    { id: "wit", weight: 0.5, description: "Is it witty?" },
    { id: "grace", weight: 0.5, description: "Is it graceful?" },
  ],
  anchors: [],
};

function panel(
  judges: Parameters<typeof panelOf>[0]["config"]["judges"],
  rubric?: string | Rubric,
) {
  return panelOf({
    config: { judges, rubric },
    seed: 1,
    defaultRubric: rubricNamed("debate"),
    participants: [],
    moderator: undefined,
  });
}

/** Scores by the requested criteria and names the first side by label as winner. */
function scoring(): Talker {
  return new Talker(({ context }) => {
    if (context.kind !== "score") return undefined;
    const { rubric } = context.data as { rubric: Rubric };
    const [, most] = rubric.scale;
    const scores = Object.fromEntries(rubric.criteria.map(({ id }) => [id, most / 2]));
    return { text: JSON.stringify({ reasons: "r", scores }) };
  });
}

describe("panelOf()", () => {
  it("panelOf() gives each judge its own rubric, else the debate's, else the format's", () => {
    const rubrics = ({ judges }: ReturnType<typeof panelOf>) => judges.map(({ rubric }) => rubric);
    assert.deepEqual(rubrics(panel([{}, { rubric: "academic" }, { rubric: OWN }])), [
      "debate",
      "academic",
      "own",
    ]);
    assert.deepEqual(rubrics(panel([{}, { rubric: OWN }], "conceptual")), ["conceptual", "own"]);
    assert.deepEqual(rubrics(panel(undefined)), ["debate"]);
    assert.deepEqual(rubrics(panel([{}], rubricNamed("academic"))), ["academic"]);
  });

  it("panelOf() groups judges by rubric, with one order of criteria per rubric", () => {
    const { rubrics } = panel([{}, { rubric: OWN }, { rubric: { ...OWN } }]);
    assert.deepEqual(rubrics.map(({ judges }) => judges), [["judge-1"], ["judge-2", "judge-3"]]);
    assert.deepEqual(rubrics[1]!.order.toSorted(), ["grace", "wit"]);
  });
});

describe("describePanel()", () => {
  it("describePanel() describes every rubric in use and, if there are several, names its judges", () => {
    assert.match(describePanel(panel([{}]))[0]!, /^Speeches are scored from 0 to 10/);
    const [usual, own, ...more] = describePanel(
      panel([{ name: "Ann" }, { name: "Bo", rubric: OWN }]),
    );
    assert.deepEqual(more, []);
    assert.match(usual!, /^Rubric "debate", of the judge Ann\. Speeches are scored from 0 to 10/);
    assert.match(own!, /^Rubric "own", of the judge Bo\. Speeches are scored from 0 to 5[^]*grace/);
  });
});

Deno.test("A panel with two rubrics asks each judge by its own and records each judge's scores", async () => {
  const agent = scoring();
  const judges = [{ id: "j", agent }, { id: "k", agent, rubric: OWN }];
  const { workflow, record } = debateOf(agent, { judges, roundCount: 0 });
  const { result, events } = await drain(workflow);
  const scores = events.flatMap((event) => event.type === "score" ? [event.score] : []);
  assert.ok(scores.every(({ judge, rubric }) => rubric === (judge === "j" ? "debate" : "own")));
  assert.equal(scores.length, 8);
  assert.equal(result!.scores["a"]!.total, 5);
  assert.match(promptOf(agent.asked("verdict/k/1")), /Your rubric is "own"/);
  assert.match(promptOf(agent.asked("score/2/j")), /Your rubric is "debate"/);
  assert.match(agent.requests[0]!.messages[0]!.content, /Rubric "own", of the judge Judge 2/);
  const { configuration } = readFrontMatter(record.files.get("metadata.md")!, "m").data;
  const config = parseConfig(configuration);
  assert.ok(config.kind === "debate");
  assert.deepEqual(config.judges!.map(({ rubric }) => rubric), [undefined, OWN]);
});

Deno.test("A custom rubric is recorded whole, a built-in one by its id", async () => {
  const agent = scoring();
  const own = debateOf(agent, { rubric: OWN, roundCount: 0 });
  await drain(own.workflow);
  const text = own.record.files.get("metadata.md")!;
  assert.match(text.slice(text.indexOf("configuration:")), /Is it witty\?/);
  const named = debateOf(agent, { rubric: "academic", roundCount: 0 });
  await drain(named.workflow);
  assert.match(named.record.files.get("metadata.md")!, /^ {2}rubric: academic$/m);
});
