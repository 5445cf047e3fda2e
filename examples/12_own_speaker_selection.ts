/**
 * A speaker selection of your own: the participant with the fewest words speaks next. A selection is part of the protocol
 * and depends only on earlier messages, so an interrupted convening continues with the same speaker.
 *
 *     deno run --no-prompt --allow-read examples/12_own_speaker_selection.ts
 */
import assert from "node:assert/strict";
import { createAgent, createDialogueWorkflow, createParticipant, memoryRecord } from "../mod.ts";
import type { Protocol, SelectionContext, SpeakerSelection } from "../protocol.ts";

class QuietestFirst implements SpeakerSelection {
  readonly name = "quietest-first";

  // deno-lint-ignore require-yield -- a selection may ask with `yield* ask(question)`; this one only counts
  *next({ participants, said }: SelectionContext): Protocol<string> {
    const words = (id: string) =>
      said.filter(({ participant }) => participant === id)
        .reduce((sum, { body }) => sum + body.split(/\s+/).length, 0);
    const last = said.at(-1)?.participant;
    const others = participants.filter(({ id }) => id !== last);
    return others.toSorted((a, b) => words(a.id) - words(b.id))[0]!.id;
  }
}

const agent = createAgent("offline");
const talk = createDialogueWorkflow("What makes a street worth living in?", [
  createParticipant({ name: "Ada", persona: "Says everything in one short sentence." }, agent),
  createParticipant({ name: "Ben" }, agent),
  createParticipant({ name: "Cem" }, agent),
], { select: new QuietestFirst(), maxTurns: 9, seed: 2, record: memoryRecord() });

const { messages } = await talk.run();
const spoken = new Map<string, number>();
for (const { name, body } of messages) {
  const before = Math.min(...["Ada", "Ben", "Cem"].map((each) => spoken.get(each) ?? 0));
  console.log(`${name} speaks, after ${spoken.get(name) ?? 0} words (the fewest: ${before})`);
  spoken.set(name, (spoken.get(name) ?? 0) + body.split(/\s+/).length);
}

assert.equal(messages.length, 9);
assert.equal(new Set(messages.slice(0, 3).map(({ name }) => name)).size, 3);
for (const [i, { name }] of messages.slice(1).entries()) assert.notEqual(name, messages[i]!.name);
