/**
 * Presets and personas. The key `preset` changes the shape of a debate. A persona describes how a participant speaks: a
 * built-in persona, a YAML file of your own, or a few words. The speaker's prompts contain the whole text of the persona.
 *
 *     deno run --no-prompt --allow-read examples/07_presets_and_personas.ts
 */
import assert from "node:assert/strict";
import { type Agent, composeConvening, createAgent, loadPersona, memoryRecord } from "../mod.ts";
import { personaText } from "../protocol.ts";

const nurse = `${import.meta.dirname}/configurations/personas/night_nurse.yaml`;
console.log(personaText(await loadPersona(nurse)));

/** Wraps an agent and stores its prompts in `heard`. */
function overheard(agent: Agent, heard: string[]): Agent {
  return {
    model: agent.model,
    reply(request) {
      heard.push(request.messages.map(({ content }) => content).join("\n"));
      return agent.reply(request);
    },
  };
}

// Two speakers take turns, without a moderator or openings: a round is one turn.
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

// An audience states its view before and after. The side that changed most views wins, whatever the judge's verdict.
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
