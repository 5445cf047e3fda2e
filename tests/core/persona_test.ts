import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { type Persona, personaText } from "../../src/core/participant.ts";

const NURSE: Persona = {
  id: "nurse",
  name: "Night\nnurse",
  description: "A nurse from a mining town.",
  reasoningStyle: "Begins with one patient.",
  vocabulary: ["handover", "triage"],
  does: ["ask who\nis on shift"],
  doesNot: ["speak of patients as numbers"],
};

describe("personaText()", () => {
  it("personaText() holds every text of the persona, each in its line", () => {
    assert.equal(
      personaText(NURSE),
      [
        "Night nurse: A nurse from a mining town.",
        "Reasoning style: Begins with one patient.",
        "Vocabulary: handover, triage",
        "Do:",
        "- ask who is on shift",
        "Do not:",
        "- speak of patients as numbers",
      ].join("\n"),
    );
  });

  it("personaText() leaves out headings with nothing under them", () => {
    const bare = personaText({ ...NURSE, vocabulary: [], does: [], doesNot: [] });
    assert.equal(bare.split("\n").length, 2);
  });
});
