// Untyped calls of published functions: an argument that is missing or of a wrong form is named.
import assert from "node:assert/strict";
import * as library from "../../mod.ts";
import { createMcpServer } from "../../src/mcp/mod.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { initializeDebateState, validateDebateConfig } from "../../src/operations/pro_con.ts";
import { createServer } from "../../src/server/mod.ts";
import * as papers from "../../papers.ts";
import * as protocol from "../../protocol.ts";
import * as scoring from "../../scoring.ts";
import { ClientError, createClient } from "../../src/client/mod.ts";
import { createScriptedAgent } from "../../src/testing/mod.ts";
import { studyReport } from "../../studies.ts";

const TOPIC = "Should buses run all night?";
const DIALOGUE = { kind: "dialogue", topic: TOPIC };
const AGENT = library.createAgent("offline");
const PAPER = { title: "Trees", text: "# Trees\n\nTrees cool streets." };
const CRITERION = { id: "calm", weight: 1 };
const ODD_KIND = { name: "x", summary: "", settings: { a: 3 }, create: () => {} };

// The cast is the point: a program in JavaScript has no types to hold it back.
const untyped = {
  ...library,
  ...papers,
  ...protocol,
  ...scoring,
  createClient,
  createMcpServer,
  createServer,
  initializeDebateState,
  createScriptedAgent,
  studyReport,
} as unknown as Record<string, (...args: unknown[]) => unknown>;

const CALLS: readonly [name: string, args: readonly unknown[], field: string, hint: RegExp][] = [
  ["createPaperDebateWorkflow", [], "papers", /a list/],
  ["createPaperDebateWorkflow", ["a.md"], "papers", /a list/],
  ["createConsensusWorkflow", [TOPIC], "participants", /a list/],
  ["createDebateWorkflow", [TOPIC], "participants", /a list/],
  ["createDialogueWorkflow", [TOPIC, { name: "A" }], "participants", /a list/],
  ["createDebateWorkflow", [undefined, []], "topic", /a text/],
  ["createDebateWorkflow", [TOPIC, [null]], "participants.0", /keys and values/],
  ["DebateWorkflow", [TOPIC], "participants", /a list/],
  ["DialogueWorkflow", [undefined, []], "topic", /a text/],
  ["fork", ["nowhere"], "at", /a number/],
  ["fork", [undefined, { at: 3 }], "dir", /a text/],
  ["askConvening", ["nowhere"], "question", /a text/],
  ["searchArchive", ["nowhere"], "text", /a text/],
  ["searchArchive", [undefined, "buses"], "out", /a text|folder of the archive/],
  ["listConvenings", [], "out", /a text|folder of the archive/],
  ["openConvening", [], "dir", /a text/],
  ["resume", [7], "dir", /a text/],
  ["resume", ["nowhere", null], "options", /keys and values/],
  ["verify", [], "dir", /a text/],
  ["rebuildIndex", [], "dir", /a text/],
  ["exportConvening", [], "dir", /a text/],
  ["exportConvening", ["nowhere"], "format", /: format is missing Allowed: md/],
  ["exportConvening", ["nowhere", "pdf"], "format", /md, json, txt, html/],
  ["showMessage", ["nowhere"], "seq", /a number/],
  ["judge", [], "dir", /a text/],
  ["judge", ["nowhere", null], "options", /keys and values/],
  ["noteFlow", [], "dir", /a text/],
  ["writeBrief", [], "dir", /a text/],
  ["speak", ["nowhere"], "text", /a text/],
  ["interject", ["nowhere"], "text", /a text/],
  ["pauseConvening", [], "dir", /a text/],
  ["untilReleased", ["nowhere"], "within", /a number/],
  ["untilReleased", ["nowhere", {}], "within", /a number/],
  ["createAgent", [7], "name", /a text/],
  ["createParticipant", [{ name: "A" }, "gpt"], "agent", /a function reply/],
  ["createDialogueWorkflow", [TOPIC, [], { record: {} }], "record", /a function open/],
  ["createDialogueWorkflow", [TOPIC, [], { moreGuards: [{}] }], "moreGuards.0", /a function check/],
  ["createDialogueWorkflow", [TOPIC, [], { observers: 7 }], "observers", /a list/],
  ["createDialogueWorkflow", [TOPIC, [], { sources: ["a.md"] }], "sources.0", /a name and a text/],
  [
    "createDialogueWorkflow",
    [TOPIC, [], { moreGuards: [{ name: 5, check() {} }] }],
    "moreGuards.0",
    /a text name/,
  ],
  ["createDialogueWorkflow", [TOPIC, [], { gate: {} }], "gate", /a function enter/],
  ["createParticipant", [{ name: "A" }, { model: 5, reply() {} }], "agent", /a text model/],
  ["createDebateWorkflow", [TOPIC, [], { judges: [{ agent: {} }] }], "agent", /a function reply/],
  ["composeConvening", [DIALOGUE, { agents: { ada: {} } }], "agents.ada", /a function reply/],
  ["createDialogueWorkflow", [TOPIC, [], { signal: 7 }], "signal", /AbortSignal/],
  ["createDialogueWorkflow", [TOPIC, [], null], "options", /keys and values/],
  ["createDebateWorkflow", [TOPIC, [], ["formal"]], "options", /keys and values/],
  [
    "createConsensusWorkflow",
    [TOPIC, [], { threshold: 2 }],
    "threshold",
    /: 2 is not allowed Give at most 1\.$/,
  ],
  [
    "createDebateWorkflow",
    [TOPIC, [], { roundCount: -1 }],
    "roundCount",
    /: -1 is not allowed Give at least 0\.$/,
  ],
  ["composeConvening", [], "configuration", /keys and values/],
  ["loadPersona", [], "idOrPath", /a text/],
  ["loadRubric", [], "idOrPath", /a text/],
  ["createServer", [], "out", /a text|folder of the archive/],
  ["createServer", [{ out: "x", readonly: true }], "readonly", /readOnly/],
  ["createServer", [{ out: "x", token: "" }], "token", /at least 1 character/],
  ["createServer", [{ out: "x", maxRunning: Infinity }], "maxRunning", /finite number/],
  ["createServer", [{ out: "x", maxRunning: 1.5 }], "maxRunning", /whole number/],
  ["createServer", [{ out: "x", library: {} }], "library.catalogue", /createLibrary/],
  ["createMcpServer", [{ out: "x", library: {} }], "library.catalogue", /createLibrary/],
  ["composeConvening", [DIALOGUE, { agentz: {} }], "agentz", /Did you mean "agents"/],
  ["composeConvening", [DIALOGUE, { signal: 7 }], "signal", /AbortSignal/],
  ["composeConvening", [DIALOGUE, null], "inputs of composeConvening", /keys and values/],
  ["createMcpServer", [{}], "out", /a text|folder of the archive/],
  ["createMcpServer", [{ out: "x", readonly: true }], "readonly", /readOnly/],
  ["writeSite", ["nowhere"], "out", /a text/],
  ["proposeTopics", [], "subject", /1 to 1,000 characters/],
  ["createReplayAgent", [], "answers", /keys and values/],
  ["createReplayAgent", [{}], "answers.model", /a map of messages/],
  ["readPaper", [], "path", /a text/],
  ["readPapers", [], "paths", /a list/],
  ["createRetriever", [], "papers", /a list/],
  ["krippendorffAlpha", [], "data", /a list/],
  ["krippendorffAlpha", [[1]], "data.0", /a list/],
  ["krippendorffAlpha", [[[1, null, 3], [1, 2, 3]]], "data.0.1", /number/],
  ["krippendorffAlpha", [[[1, NaN, 3], [1, 2, 3]]], "data.0.1", /number/],
  ["krippendorffAlpha", [[], "cosine"], "metric", /interval/],
  ["referencesIn", [], "text", /a text/],
  ["createScriptedAgent", [], "lines", /a list/],
  ["weightedTotal", [{}], "weights", /keys and values/],
  ["createDebateWorkflow", [TOPIC, [], { judges: [AGENT] }], "judges.0", /\[\{ agent \}\]/],
  ["judge", ["nowhere", { models: ["gpt-4o"] }], "models", /Allowed here: .*judges,/],
  ["resume", ["nowhere", { model: "gpt-4o" }], "model", /Allowed here: .*config,/],
  ["resume", ["nowhere", { config: "a.yaml" }], "config", /keys and values/],
  ["speak", ["nowhere", "Yes.", { ass: "ada" }], "ass", /Did you mean "as"/],
  ["speak", ["nowhere", "Yes.", { say: {} }], "say", /Allowed here: /],
  ["fork", ["nowhere", { at: 1, edits: "Yes." }], "edits", /Did you mean "edit"/],
  ["writeBrief", ["nowhere", { form: "adr" }], "form", /Allowed here: .*as,/],
  ["noteFlow", ["nowhere", { modle: "offline" }], "modle", /Did you mean "model"/],
  ["askConvening", ["nowhere", "Why?", { speakers: "Ada" }], "speakers", /Did you mean "speaker"/],
  ["proposeTopics", ["Zoos in cities", { n: 3 }], "n", /Allowed here: .*count,/],
  ["createAgent", ["offline", { baseURL: "x" }], "baseURL", /Did you mean "baseUrl"/],
  ["createOfflineAgent", [{ name: "x" }], "name", /Allowed here: model/],
  ["verify", ["nowhere", { catalog: {} }], "catalog", /Did you mean "catalogue"/],
  ["searchArchive", ["nowhere", "buses", { limits: 3 }], "limits", /Did you mean "limit"/],
  ["watchConvening", ["nowhere", { since: 3 }], "since", /Allowed here: from, signal/],
  ["untilReleased", ["nowhere", { within: 0, singal: 1 }], "singal", /Did you mean "signal"/],
  ["folderRecord", [{ out: "x" }, { exclusiv: true }], "exclusiv", /Did you mean "exclusive"/],
  [
    "fileRecord",
    [new MemoryFileSystem(), { out: "/x" }, { exclusiv: true }],
    "exclusiv",
    /mean "exclusive"/,
  ],
  ["memoryRecord", [{ holders: 3 }], "holders", /Did you mean "holder"/],
  ["judge", ["nowhere", { judges: [AGENT] }], "judges.0", /\[\{ agent \}\]/],
  ["createLibrary", [{ kinds: [{}] }], "kinds.0.name", /kinds\.0\.create/],
  ["createLibrary", [{ agents: 3 }], "agents", /keys and values/],
  ["createLibrary", [{ agents: { mine: AGENT } }], "agents.mine", /a function/],
  ["createLibrary", [{ kinds_: [] }], "kinds_", /Did you mean "kinds"/],
  ["createLibrary", [null], "options of createLibrary", /./],
  ["defineKind", [{}], "name", /summary.*settings.*create/],
  ["defineKind", [], "name", /./],
  ["defineKind", [ODD_KIND], "settings.a", /a schema/],
  ["defineFact", [{}], "kind", /value/],
  ["createDialogueWorkflow", [TOPIC, [{ id: "ada", name: "Ada" }]], "participants.0.role", /./],
  ["createParticipant", [{ nme: "Ada" }], "name", /Did you mean "name"/],
  ["createParticipant", [], "name", /./],
  ["createParticipant", [{ name: "Ada", agentConfig: { modle: "x" } }], "agentConfig.modle", /./],
  ["createDebateParticipant", [{ nme: "Ada" }], "name", /Did you mean "name"/],
  ["createDebateParticipant", [{ name: "Ada" }], "position", /stands for/],
  ["checkRubric", [{ id: "own" }], "rubric", /no criteria/],
  ["checkRubric", [{ id: "own", criteria: [{}] }], "rubric", /no scale/],
  ["checkRubric", [{ id: "own", criteria: [CRITERION], scale: [0, 1] }], "rubric", /no anchors/],
  ["createScoringAgent", [], "model", /score/],
  ["createScoringAgent", ["brevity"], "score", /Give a function/],
  ["createOpenAIAgent", [{ modle: "m" }], "model", /Did you mean "model"/],
  ["createOpenAIAgent", [{ model: "m", totalTimeout: "9" }], "totalTimeout", /a number/],
  ["createEmbedder", [{}], "name", /a text/],
  ["coherenceGuard", [{ treshold: 3 }], "treshold", /Did you mean "threshold"/],
  ["coherenceGuard", [{ threshold: 3 }], "threshold", /at most 1/],
  ["lengthGuard", [{ min: 9, max: 1 }], "max", /at least min/],
  ["lengthGuard", [], "min", /./],
  ["repetitionGuard", [{ mode: "rejct" }], "mode", /Did you mean "reject"/],
  ["createClient", [{ url: "ftp:x" }], "url", /http:/],
  ["createClient", [], "url", /./],
  ["fileRecord", [{}, { out: "/archive" }], "files", /makeFolder/],
  ["folderRecord", [{}], "place", /Give out/],
  ["folderRecord", [{ out: 3 }], "place.out", /a text/],
  ["createDebateWorkflow", [TOPIC, [], { limits: { maxRounds: 1 } }], "limits.maxRounds", /./],
  ["createDebateWorkflow", [TOPIC, [], { judges: [{ nickname: "J" }] }], "judges.0.nickname", /./],
  ["createDebateWorkflow", [TOPIC, [], { positions: ["Yes", "No"] }], "positions", /./],
  ["createDebateWorkflow", [TOPIC, [], { topic: "Another topic altogether" }], "topic", /./],
  ["createDebateWorkflow", [TOPIC, [], { agent: AGENT }], "agent", /./],
  ["createDebateWorkflow", [TOPIC, [], { model: AGENT }], "model", /./],
  ["DebateWorkflow", [TOPIC, [], { pacing: "fast" }], "pacing", /./],
  ["DebateWorkflow", [TOPIC, [], { kind: "debate" }], "kind", /./],
  ["DialogueWorkflow", [TOPIC, [], { select: "nobody" }], "select", /./],
  ["DialogueWorkflow", [TOPIC, [], { rounds: 1 }], "rounds", /./],
  ["ConsensusWorkflow", [TOPIC, [], { threshold: 2 }], "threshold", /./],
  ["PaperDebateWorkflow", [[PAPER], { postures: 1 }], "postures", /./],
  ["PaperDebateWorkflow", [[PAPER], { title: "Oaks" }], "title", /./],
  ["studyReport", [], "dir", /a text/],
  ["initializeDebateState", ["one"], "config", /keys and values/],
];

for (const [name, args, field, hint] of CALLS) {
  Deno.test(`${name}(${JSON.stringify(args).slice(1, -1)}) names ${field}`, async () => {
    const call = untyped[name]!;
    const made = () =>
      name.endsWith("Workflow") && !name.startsWith("create")
        ? Reflect.construct(call, args)
        : name === "watchConvening"
        ? (call(...args) as AsyncGenerator).next()
        : call(...args);
    await assert.rejects(async () => await made(), (error) => {
      assert.ok(
        error instanceof library.ConfigurationError || error instanceof ClientError,
        String(error),
      );
      assert.deepEqual([error.code, error.field], ["config_invalid", field]);
      assert.match(`${error.message} ${error.hint}`, hint);
      return true;
    });
  });
}

Deno.test("An error about an agent's options does not contain the API key", () => {
  const options = { model: 3, apiKey: "secret", headers: { a: "secret" } };
  assert.throws(
    () => untyped["createOpenAIAgent"]!(options),
    (error: unknown) =>
      error instanceof library.ConveningError && !JSON.stringify(error).includes("secret"),
  );
});

Deno.test("validateDebateConfig() without a state says so", () => {
  assert.deepEqual(validateDebateConfig(undefined as never), [
    "state: nothing is not allowed, give a state of initializeDebateState.",
  ]);
});

Deno.test("a guard's objection that cannot be recorded, and a word that is no text, are rejected", async () => {
  const agent = library.createAgent("offline");
  const cast = ["Ada", "Ben"].map((name) => library.createParticipant({ name }, agent));
  const objecting = (objection: unknown) =>
    library.createDialogueWorkflow(TOPIC, cast, {
      record: library.memoryRecord(),
      moreGuards: [{ name: "odd", check: () => objection as never }],
    });
  const talk = objecting("too short");
  assert.throws(() => talk.interject(undefined as never), { field: "text" });
  await assert.rejects(talk.run(), {
    code: "config_invalid",
    message: 'Cannot use objection of guard "odd": "too short" is not allowed',
  });
  for (const field of ["mark", "replacement", "usage"]) {
    const talk = objecting({ reason: "Too short.", [field]: 5 });
    await assert.rejects(talk.run(), { code: "config_invalid", field });
  }
});

Deno.test("options with values of their class are read", () => {
  class Options {
    get name() {
      return "Ada";
    }
  }
  assert.equal(library.createParticipant(new Options()).id, "ada");
});
