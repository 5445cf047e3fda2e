/**
 * Presets and personas: a debate that differs in more than a setting is one key, `preset`; who speaks how is a built-in
 * persona, a YAML file of your own, or a few words. All of a persona's text stands in its speaker's prompts.
 *
 *     deno run --no-prompt --allow-read examples/07_presets_and_personas.ts
 */
import assert from "node:assert/strict";
import { type Agent, composeConvening, createAgent, loadPersona, memoryRecord } from "../mod.ts";
import { personaText } from "../protocol.ts";

const nurse = `${import.meta.dirname}/configurations/personas/night_nurse.yaml`;
console.log(personaText(await loadPersona(nurse)));

/** An agent that passes everything on, and keeps what it was told. */
function overheard(agent: Agent, heard: string[]): Agent {
  return {
    model: agent.model,
    reply(request) {
      heard.push(request.messages.map(({ content }) => content).join("\n"));
      return agent.reply(request);
    },
  };
}

// Two speakers in turn, no moderator, no openings: a round is one turn.
const offline = createAgent("offline");
const heard: string[] = [];
const alternating = await composeConvening({
  kind: "debate",
  preset: "alternating",
  topic: "Is it fair to keep a hospital open all night?",
  model: "offline",
  roundCount: 6,
  seed: 4,
  participants: [
    { id: "ida", name: "Ida", persona: "scientist" },
    { id: "noor", name: "Noor", persona: nurse },
  ],
}, { record: memoryRecord(), agents: { noor: overheard(offline, heard) } });
const talk = await alternating.run();
for (const { round, name, body } of talk.messages) console.log(`${round}. ${name}: ${body}\n`);

assert.deepEqual(
  talk.messages.map(({ name, replyTo }) => [name, replyTo]),
  [["Ida", undefined], ["Noor", 1], ["Ida", 2], ["Noor", 3], ["Ida", 4], ["Noor", 5]],
);
const { does, doesNot } = await loadPersona(nurse);
assert.ok(heard.length > 0);
for (const line of [...does, ...doesNot]) assert.ok(heard.every((prompt) => prompt.includes(line)));

// An audience says where it stands before and after; whoever moved most of it has won, whatever the judge thinks.
const oxford = await composeConvening({
  kind: "debate",
  preset: "oxford",
  topic: "Should museums give back what was taken from other countries?",
  model: "offline",
  roundCount: 1,
  seed: 4,
}, { record: memoryRecord() });
const { audience, winner } = await oxford.run();
for (const [side, { before, after }] of Object.entries(audience?.sides ?? {})) {
  console.log(`${side}: ${before} of the audience before, ${after} after`);
}
assert.equal(audience?.members, 5);
assert.equal(winner, audience.winner);
