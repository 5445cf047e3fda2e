// Motivations of participants.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  createDebateModerator,
  createDebateParticipant,
  createParticipant,
  DebateWorkflow,
  DialogueWorkflow,
  memoryRecord,
} from "../../mod.ts";
import { characterOf, MOTIVATIONS } from "../../src/core/participant.ts";
import { drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";

describe("characterOf()", () => {
  it("characterOf() appends a built-in motivation's sentence to the persona", () => {
    const text = characterOf({ persona: "You are terse.", motivation: "curiosity" })!;
    assert.match(text, /^You are terse\.\n\nWhat you are after: to understand\. /);
    assert.ok(text.endsWith(MOTIVATIONS["curiosity"]!));
  });

  it("characterOf() keeps any other text unchanged and returns nothing without persona and motivation", () => {
    assert.equal(
      characterOf({ motivation: "to sell {topic}" }),
      "What you are after: to sell {topic}",
    );
    assert.equal(characterOf({ motivation: "toString" }), "What you are after: toString");
    assert.equal(characterOf({ persona: "You are terse." }), "You are terse.");
    assert.equal(characterOf({}), undefined);
  });
});

describe("A motivation", () => {
  it("A motivation is in the prompts of its participant, unchanged, and in no other prompts", async () => {
    const agent = new Talker();
    const participants = [
      createParticipant(
        { name: "Ada", persona: "You are terse.", motivation: "to sell {topic}" },
        agent,
      ),
      createParticipant({ name: "Ben", motivation: "truth-seeking" }, agent),
    ];
    const record = memoryRecord();
    await drain(new DialogueWorkflow(TOPIC, participants, { maxTurns: 2, record }));
    assert.match(
      promptOf(agent.asked("turn-1/ada")),
      /You are terse\.\n\nWhat you are after: to sell \{topic\}/,
    );
    assert.doesNotMatch(promptOf(agent.asked("turn-2/ben")), /terse|to sell/);
    assert.match(promptOf(agent.asked("turn-2/ben")), /to find out what is true/);
  });

  it("A motivation is recorded unchanged, next to the persona", async () => {
    const agent = new Talker();
    const record = memoryRecord();
    const moderator = createDebateModerator({}, agent);
    const sides = ["Ada", "Ben"].map((name) =>
      createDebateParticipant({
        name,
        position: `What ${name} holds`,
        persona: "You are terse.",
        motivation: "devils-advocate",
      }, agent)
    );
    await drain(
      new DebateWorkflow(TOPIC, [moderator, ...sides], {
        roundCount: 0,
        scoringEnabled: false,
        seed: 1,
        record,
      }),
    );
    const metadata = record.files.get("metadata.md")!;
    assert.match(metadata, /persona: You are terse\.\s+motivation: devils-advocate/);
    assert.doesNotMatch(metadata, /What you are after/);
  });

  it("A motivation is rejected when it is blank or too long", () => {
    for (const motivation of [" ", "x".repeat(1001)]) {
      assert.throws(
        () => createParticipant({ name: "Ada", motivation }),
        /Cannot use motivation: it has [\d,]+ characters/,
      );
    }
  });
});
