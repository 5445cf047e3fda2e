// Valid convenings of every kind give the same results and records in library, CLI, HTTP and MCP.
import assert from "node:assert/strict";
import { DEBATE, PAPERS } from "./support/asked.ts";
import type { Asked } from "./support/door.ts";
import { withSpeaker } from "./support/four_doors.ts";
import { MODEL } from "../support/speaking_model.ts";

/** Valid input. */
const HELD: readonly (readonly [name: string, asked: Asked])[] = [
  ["a debate with two judges and a listener", {
    config: {
      ...DEBATE,
      judges: [{ name: "Jo" }, { name: "Kim", rubric: "academic" }],
      audience: [{ name: "Mira" }],
      baseline: true,
    },
  }],
  ["a casual debate without openings, whose rounds are simultaneous", {
    config: {
      ...DEBATE,
      debateFormat: "casual",
      openings: false,
      pacing: "simultaneous",
      generateFullTranscript: true,
      transcript: ["json", "txt"],
    },
  }],
  ["an alternating debate of personas with sources", {
    config: {
      ...DEBATE,
      preset: "alternating",
      words: { min: 200, max: 300 },
      participants: [
        {
          name: "Ada",
          position: "Ban them",
          persona: "She counts costs, and speaks in short words.",
        },
        { name: "Ben", position: "Keep them", motivation: "truth-seeking" },
      ],
    },
    sources: [{ name: "counts.md", text: "# Counts\n\nTwelve streets had nine cars each." }],
  }],
  ["a fact-checked debate of two sides", {
    config: { ...DEBATE, preset: "pro-con", factCheck: { mode: "standard", maxClaims: 2 } },
    sources: [{ name: "counts.md", text: "# Counts\n\nTwelve streets had nine cars each." }],
  }],
  ["a dialogue that a moderator leads", {
    config: {
      kind: "dialogue",
      topic: "What makes a good teacher of small children?",
      model: MODEL,
      select: "moderator",
      participants: [{ name: "Ada" }, { name: "Ben" }, { name: "Cleo" }],
      maxTurns: 4,
      seed: 7,
    },
  }],
  ["a consensus", {
    config: {
      kind: "consensus",
      topic: "How should our street be used on Sundays?",
      model: MODEL,
      threshold: 0.6,
      limits: { maxTurns: 6 },
      seed: 3,
    },
  }],
  ["a debate over two papers", {
    config: {
      kind: "paper-debate",
      model: MODEL,
      question: "Do trees cool streets enough to be worth their water?",
      postures: 2,
      crossExamine: true,
      seed: 2,
    },
    papers: [PAPERS.trees, PAPERS.buses],
  }],
  ["a debate over a paper that questions are put to", {
    config: { kind: "paper-debate", model: MODEL, pick: 2, postures: 2, seed: 5 },
    papers: [PAPERS.trees],
  }],
];

for (const [name, asked] of HELD) {
  withSpeaker.test(`library, CLI, HTTP and MCP return the same result of ${name}`, async (doors) => {
    const { given } = await doors.hold(asked);
    assert.equal(given.error, undefined);
    if (asked.config["kind"] !== "consensus") assert.equal(given.value?.["status"], "completed");
  });
}
