// Constructors reject invalid arguments by field.
import assert from "node:assert/strict";
import { ClientError, createClient } from "../../src/client/mod.ts";
import {
  ConveningError,
  createAgent,
  createDebateParticipant,
  createDialogueWorkflow,
  createLibrary,
  createOpenAIAgent,
  createParticipant,
  folderRecord,
} from "../../mod.ts";
import { createEmbedder } from "../../papers.ts";
import {
  coherenceGuard,
  defineFact,
  defineKind,
  fileRecord,
  lengthGuard,
  repetitionGuard,
} from "../../protocol.ts";
import { createScoringAgent } from "../../scoring.ts";

/** Returns a constructor as untyped code calls it. */
const untyped = (made: unknown) => made as (...given: readonly unknown[]) => unknown;

/** Constructors with invalid arguments, and the fields and suggestions in the error. */
const REFUSED: readonly (readonly [unknown, readonly unknown[], string, RegExp?])[] = [
  [createLibrary, [{ kinds: [{}] }], "kinds.0.name", /kinds\.0\.create/],
  [createLibrary, [{ agents: 3 }], "agents", /keys and values/],
  [createLibrary, [{ agents: { mine: createAgent("offline") } }], "agents.mine", /a function/],
  [createLibrary, [{ kinds_: [] }], "kinds_", /Did you mean "kinds"/],
  [createLibrary, [null], "options of createLibrary"],
  [defineKind, [{}], "name", /summary.*settings.*create/],
  [defineKind, [], "name"],
  [
    defineKind,
    [{ name: "x", summary: "", settings: { a: 3 }, create: () => {} }],
    "settings.a",
    /a schema/,
  ],
  [defineFact, [{}], "kind", /value/],
  [
    createDialogueWorkflow,
    ["Is it worth its price?", [{ id: "ada", name: "Ada" }]],
    "participants.0.role",
  ],
  [createParticipant, [{ nme: "Ada" }], "name", /Did you mean "name"/],
  [createDebateParticipant, [{ nme: "Ada" }], "name", /Did you mean "name"/],
  [createDebateParticipant, [{ name: "Ada" }], "position", /stands for/],
  [createParticipant, [], "name", /missing/],
  [createParticipant, [{ name: "Ada", agentConfig: { modle: "offline" } }], "agentConfig.modle"],
  [createScoringAgent, [], "model", /score/],
  [createScoringAgent, ["brevity"], "score", /Give a function/],
  [createOpenAIAgent, [{ modle: "m" }], "model", /Did you mean "model"/],
  [createOpenAIAgent, [{ model: "m", totalTimeout: "9" }], "totalTimeout", /a number/],
  [createEmbedder, [{}], "name", /a text/],
  [coherenceGuard, [{ treshold: 3 }], "treshold", /Did you mean "threshold"/],
  [coherenceGuard, [{ threshold: 3 }], "threshold", /at most 1/],
  [lengthGuard, [{ min: 9, max: 1 }], "max", /at least min/],
  [lengthGuard, [], "min"],
  [repetitionGuard, [{ mode: "rejct" }], "mode", /Did you mean "reject"/],
  [createClient, [{ url: "ftp:x" }], "url", /http:/],
  [createClient, [], "url", /nothing/],
  [fileRecord, [{}, { out: "/archive" }], "files.makeFolder", /Give a function/],
  [folderRecord, [{}], "place", /Give out/],
  [folderRecord, [{ out: 3 }], "place.out", /a text/],
];

for (const [made, given, field, says = /./] of REFUSED) {
  const { name } = made as { readonly name: string };
  const shown = given.map((each) => JSON.stringify(each)).join(", ");
  Deno.test(`${name}(${shown}) is rejected with the field ${field}`, () => {
    assert.throws(() => untyped(made)(...given), (error: unknown) => {
      assert.ok(error instanceof ConveningError || error instanceof ClientError, String(error));
      assert.deepEqual([error.code, error.field], ["config_invalid", field]);
      assert.match(`${error.message} ${error.hint}`, says);
      return true;
    });
  });
}

Deno.test("An error about an agent's options does not contain the API key", () => {
  assert.throws(
    () => untyped(createOpenAIAgent)({ model: 3, apiKey: "secret", headers: { a: "secret" } }),
    (error: unknown) =>
      error instanceof ConveningError && !JSON.stringify(error).includes("secret"),
  );
});
