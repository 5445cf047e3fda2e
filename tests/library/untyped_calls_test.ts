// Untyped calls of published functions: an argument that is missing or of a wrong form is named.
import assert from "node:assert/strict";
import * as library from "../../mod.ts";

const TOPIC = "Should buses run all night?";

// The cast is the point: a program in JavaScript has no types to hold it back.
const untyped = library as unknown as Record<string, (...args: unknown[]) => unknown>;

const CALLS: readonly [name: string, args: readonly unknown[], field: string, hint: RegExp][] = [
  ["createPaperDebateWorkflow", [], "papers", /list of papers/],
  ["createPaperDebateWorkflow", ["a.md"], "papers", /list of papers/],
  ["createConsensusWorkflow", [TOPIC], "participants", /list of participants/],
  ["createDebateWorkflow", [TOPIC], "participants", /list of participants/],
  ["createDialogueWorkflow", [TOPIC, { name: "A" }], "participants", /list of participants/],
  ["createDebateWorkflow", [undefined, []], "topic", /topic, a text/],
  ["createDebateWorkflow", [TOPIC, [null]], "participants.0", /createParticipant/],
  ["fork", ["nowhere"], "at", /at: 3/],
  ["fork", [undefined, { at: 3 }], "dir", /directory of a convening/],
  ["askConvening", ["nowhere"], "question", /question, a text/],
  ["searchArchive", ["nowhere"], "text", /words to look for/],
  ["searchArchive", [undefined, "buses"], "out", /folder of the archive/],
];

for (const [name, args, field, hint] of CALLS) {
  Deno.test(`${name}(${JSON.stringify(args).slice(1, -1)}) names ${field}`, async () => {
    await assert.rejects(async () => await untyped[name]!(...args), (error) => {
      assert.ok(error instanceof library.ConfigurationError, String(error));
      assert.equal(error.field, field);
      assert.match(error.hint ?? "", hint);
      return true;
    });
  });
}
