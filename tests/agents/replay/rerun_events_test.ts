// Replays of runs with interjections, failures and people.
import assert from "node:assert/strict";
import { type Agent, AgentError } from "../../../mod.ts";
import type { Fact } from "../../../protocol.ts";
import { Talker } from "../../support/talkers.ts";
import { COMMON, essentials, heldTwice } from "./held_twice.ts";
import { MODEL, speakingAgent } from "../../support/speaking_model.ts";

function scoresIn(facts: readonly Fact[]): unknown[] {
  return facts.flatMap((fact) =>
    fact.type === "score" ? [[fact.participant, fact.criteria, fact.reasons]] : []
  );
}

function saidIn(facts: readonly Fact[]): unknown[] {
  return facts.flatMap((fact) =>
    fact.type === "message" && fact.kind !== "interjection" ? [[fact.turn, fact.body]] : []
  );
}

const PARTICIPANTS = [
  { name: "Ada", position: "Yes, they should" },
  { name: "Ben", position: "No, they should not" },
  { id: "checker", name: "Checker", role: "fact_checker" },
];

/** Says something different in every turn. */
const speaker = speakingAgent((text, { context, schema }) =>
  schema === undefined ? `Of ${context.key}: ${text}` : text
);
/** Finds the first sentence of every statement as a claim. */
const checker = new Talker(({ context }) => {
  const { body } = context.data as { body: string };
  const [text] = body.split(". ");
  return { text: JSON.stringify({ claims: [{ quote: text, text }] }) };
});

Deno.test("replay:DIR repeats no interjections but reproduces later messages with their scores and checks", async () => {
  const { first, second } = await heldTwice(
    { ...COMMON, kind: "debate", roundCount: 1, participants: PARTICIPANTS },
    {
      agents: { ada: speaker, ben: speaker, checker },
      prepare: (workflow) => workflow.interject("And what about buses?"),
    },
  );
  const heard = (facts: readonly Fact[]) =>
    facts.filter((fact) => fact.type === "message" && fact.kind === "interjection").length;
  assert.deepEqual([heard(first.facts), heard(second.facts)], [1, 0]);
  assert.deepEqual(saidIn(second.facts), saidIn(first.facts));
  assert.equal(scoresIn(first.facts).length, 10);
  assert.deepEqual(scoresIn(second.facts), scoresIn(first.facts));
  const claims = (facts: readonly Fact[]) =>
    facts.flatMap((fact) => fact.type === "fact-check" ? [fact.claims] : []);
  assert.ok(claims(first.facts).flat().length > 0);
  assert.deepEqual(claims(second.facts), claims(first.facts));
});

Deno.test("replay:DIR fails a turn that failed for good", async () => {
  const moderator: Agent = {
    model: MODEL,
    reply: (request) => {
      if (request.context.kind !== "round_summary") return speakingAgent().reply(request);
      return Promise.reject(new AgentError("agent_refused", "Cannot sum up: it was refused"));
    },
  };
  const { first, second } = await heldTwice(
    { ...COMMON, kind: "debate", roundCount: 2, roundSummaries: true, moderation: "template" },
    { agents: { moderator } },
  );
  assert.ok(first.facts.some((fact) => fact.type === "failure" && fact.code === "agent_refused"));
  assert.deepEqual(essentials(second), essentials(first));
});

Deno.test("replay:DIR reproduces people's words and stances", async () => {
  const people = ["ada", "ben"].map((id) => ({ id, name: id === "ada" ? "Ada" : "Ben" }));
  const config = { ...COMMON, kind: "consensus", stableTurns: 1, personTimeout: 0 } as const;
  const { first, second } = await heldTwice({
    ...config,
    participants: people.map((each) => ({ ...each, model: "human" })),
  }, {
    again: { ...config, participants: people },
    prepare: (workflow) => {
      for (const { id, name } of people) {
        workflow.prepare(id, `proposals: ${name} wants more buses.`);
        for (const why of ["They are cheap.", "Shops can be reached by them.", "So be it."]) {
          workflow.prepare(id, `I am ${name}, and I am for buses. ${why}`);
          workflow.prepare(id, "p1: agree\np2: agree if the shops are asked");
        }
      }
    },
  });
  const stances = (facts: readonly Fact[]) =>
    facts.flatMap((fact) => fact.type === "stance" ? [[fact.key, fact.stances]] : []);
  assert.equal(first.status, "completed");
  assert.ok(stances(first.facts).length >= 2);
  assert.deepEqual(stances(second.facts), stances(first.facts));
  assert.deepEqual(saidIn(second.facts), saidIn(first.facts));
});

Deno.test("replay:DIR does not cut a person's words, which may be longer than a model's turn", async () => {
  const people = ["ada", "ben"].map((id) => ({ id, name: id }));
  const config = { ...COMMON, kind: "dialogue", maxTurns: 1, maxTokensPerTurn: 20 } as const;
  const { first, second } = await heldTwice({
    ...config,
    participants: people.map((each) => ({ ...each, model: "human" })),
  }, {
    again: { ...config, participants: people },
    prepare: (workflow) => workflow.prepare("ada", "Buses are cheap and quick. ".repeat(40)),
  });
  assert.deepEqual(saidIn(second.facts), saidIn(first.facts));
});
