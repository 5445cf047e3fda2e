// Pro/con functions: running, streaming and validating debates.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  type DebateConfig,
  type DebateState,
  initializeDebateState,
  runDebate,
  streamDebate,
  validateDebateConfig,
} from "@convenings/convenings/pro-con";
import { folderRecord, listConvenings, memoryRecord, resume, verify } from "../../mod.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { CONFIG, MOTION, startModels } from "../support/pro_con_debate.ts";

withFolder.test("pro-con: a program runs, streams and validates; both debates are recorded", async (folder) => {
  const offline: DebateConfig = { ...CONFIG, proModelId: "offline", conModelId: "offline" };
  const options = { record: folderRecord({ out: folder }) };
  const { transcript, metadata } = await runDebate("debate-123", offline, options);
  assert.equal(transcript.length, 6);
  assert.ok(["pro", "con", null].includes(metadata.winner));
  const states = await Array.fromAsync(streamDebate("debate-123", offline, options));
  assert.deepEqual(
    [...new Set(states.map(({ currentSpeaker }) => currentSpeaker))],
    ["pro", "con"],
  );
  assert.equal(states.at(-1)?.currentRound, 3);
  assert.ok(states.some(({ currentTurnDraft }) => (currentTurnDraft?.speech ?? "") !== ""));
  assert.deepEqual(validateDebateConfig(initializeDebateState("debate-123", offline)), []);
  const kept = await listConvenings(folder);
  assert.equal(kept.length, 2, "both debates are kept");
  for (const { dir } of kept) assert.deepEqual((await verify(dir)).findings, []);
});

Deno.test("initializeDebateState() has every field from the configuration", () => {
  const state = initializeDebateState("d-1", { ...CONFIG, proPersonaId: "scientist" });
  assert.deepEqual(state, {
    debateId: "d-1",
    topicMotion: MOTION,
    proModelId: CONFIG.proModelId,
    conModelId: CONFIG.conModelId,
    proPersonaId: "scientist",
    conPersonaId: undefined,
    currentRound: 1,
    totalRounds: 3,
    currentSpeaker: "pro",
    wordLimitPerTurn: 500,
    factCheckMode: "standard",
    transcript: [],
    factCheckLogs: [],
    currentTurnDraft: undefined,
    currentFactCheckResults: [],
    shouldRejectTurn: false,
    retryCount: 0,
    isDebateComplete: false,
    metadata: state.metadata,
  });
  assert.equal(state.metadata.winner, null);
  assert.equal(state.metadata.status, "running");
});

Deno.test("a short id without a motion is debated by its name and kept", async () => {
  const small: DebateConfig = {
    ...CONFIG,
    topicId: "topic-123",
    totalRounds: 1,
    factCheckMode: "off",
  };
  assert.deepEqual(validateDebateConfig(initializeDebateState("debate-123", small)), []);
  await using models = await startModels();
  const options = { record: memoryRecord(), config: { seed: 1, baseUrl: models.url } };
  const state = await runDebate("debate-123", small, options);
  assert.equal(state.transcript.length, 2);
  assert.equal(state.topicMotion, 'The topic "topic-123"');
  assert.equal(state.metadata.topicId, "topic-123");
});

Deno.test("validateDebateConfig() accepts the limits of the allowed ranges", () => {
  for (const [totalRounds, wordLimitPerTurn] of [[1, 200], [1000, 1000]] as const) {
    for (const factCheckMode of ["off", "standard", "strict"] as const) {
      const config = { ...CONFIG, totalRounds, wordLimitPerTurn, factCheckMode };
      assert.deepEqual(validateDebateConfig(initializeDebateState("d-1", config)), []);
    }
  }
});

const WRONG: readonly (readonly [change: Readonly<Record<string, unknown>>, error: RegExp])[] = [
  [{ proModelId: " " }, /^proModelId: " " is not allowed/],
  [{ conModelId: undefined }, /^conModelId: nothing is not allowed/],
  [{ proPersonaId: "" }, /^proPersonaId: "" is not allowed/],
  [{ totalRounds: 0 }, /^totalRounds: 0 is not allowed, whole numbers from 1 to 1,000 are/],
  [{ totalRounds: 2.5 }, /^totalRounds: 2\.5 /],
  [{ wordLimitPerTurn: 199 }, /^wordLimitPerTurn: 199 .* from 200 to 1,000/],
  [{ wordLimitPerTurn: "500" }, /^wordLimitPerTurn: "500" /],
  [{ wordLimitPerTurn: 1001 }, /^wordLimitPerTurn: 1001 /],
  [{ factCheckMode: "lax" }, /^factCheckMode: "lax" .* off, standard, strict/],
  [{ topicMotion: "topic-123" }, /^topicMotion: .*9 characters, 10 to 200/],
  [{ topicMotion: 5 }, /^topicMotion: 5 is not allowed, give a topic/],
  [{ topicId: undefined }, /^topicMotion: .*blank/],
];

for (const [change, error] of WRONG) {
  Deno.test(`validateDebateConfig() reports the problem of ${Deno.inspect(change)}, which is not run`, async () => {
    const config: DebateConfig = { ...CONFIG, ...change };
    const errors = validateDebateConfig(initializeDebateState("d-1", config));
    assert.equal(errors.length, 1);
    assert.match(errors[0]!, error);
    const record = memoryRecord();
    await assert.rejects(runDebate("d-1", config, { record }), /^(?:Configuration|Topic)Error: /);
    assert.equal(record.files.size, 0);
  });
}

Deno.test("validateDebateConfig() reports all problems at once", () => {
  const config = { ...CONFIG, totalRounds: -1, wordLimitPerTurn: 10, topicMotion: "short" };
  assert.equal(validateDebateConfig(initializeDebateState("", config)).length, 4);
});

Deno.test("runDebate() rejects an unknown selection of topics, unknown keys and an unknown persona", async () => {
  const record = memoryRecord();
  const other: DebateConfig = Object.assign({ ...CONFIG }, { topicSelection: "random" });
  await assert.rejects(runDebate("d-1", other, { record }), {
    name: "ConfigurationError",
    message: /topicSelection: "random" is not allowed/,
    field: "topicSelection",
  });
  const settings = { roundCount: 9 } as Readonly<Record<string, unknown>>;
  await assert.rejects(
    runDebate(
      "d-1",
      { ...CONFIG, topicMotion: "short", proPersonaID: "scientist" } as DebateConfig,
      {
        record,
        config: settings,
      },
    ),
    {
      name: "ConfigurationError",
      message:
        /: proPersonaID: there is no such key\. Did you mean "proPersonaId"\? config\.roundCount: the debate sets it .* topicMotion: .*5 characters/,
      field: "proPersonaID",
    },
  );
  // Keys without a value count as absent.
  const plumber = { ...CONFIG, conPersonaId: "plumber", proPersonaID: undefined };
  const unset = { roundCount: undefined } as Readonly<Record<string, unknown>>;
  await assert.rejects(runDebate("d-1", plumber, { record, config: unset }), {
    name: "ConfigurationError",
    message: /persona "plumber"/,
  });
});

Deno.test("runDebate() calls each side's model with its persona in the prompts and no private phase in any", async () => {
  await using models = await startModels();
  const config = {
    ...CONFIG,
    proModelId: "model-pro-123",
    conModelId: "model-con-456",
    proPersonaId: "scientist",
    conPersonaId: "A baker who counts every coin.",
    factCheckMode: "off",
  } as const;
  const { transcript, metadata } = await runDebate("d-1", config, {
    record: memoryRecord(),
    config: { baseUrl: models.url },
  });
  assert.deepEqual(
    transcript.map(({ model }) => model),
    Array.from({ length: 3 }, () => ["model-pro-123", "model-con-456"]).flat(),
  );
  assert.match(transcript[0]!.reflection, /^Secret thought/);
  assert.match(transcript[0]!.critique, /^Secret weakness/);
  const prompts = (model: string) =>
    models.requests.filter(({ body }) => body.model === model)
      .map(({ body }) => JSON.stringify(body.messages));
  assert.ok(prompts("model-pro-123").every((prompt) => /scientist/i.test(prompt)));
  assert.ok(prompts("model-con-456").every((prompt) => prompt.includes("counts every coin")));
  const all = models.requests.map(({ body }) => JSON.stringify(body.messages)).join("\n");
  assert.doesNotMatch(all, /Secret/);
  assert.match(all, /200 to 500 words/);
  assert.ok(metadata.usage.outputTokens > 0);
});

Deno.test("streamDebate() throws a model's error after a state with the error", async () => {
  await using models = await startModelServer({ reply: { status: 401 } });
  const states: DebateState[] = [];
  await assert.rejects(async () => {
    const stream = streamDebate("d-1", { ...CONFIG, proModelId: "m" }, {
      record: memoryRecord(),
      config: { baseUrl: models.url },
    });
    for await (const state of stream) states.push(state);
  }, { name: "AgentError", code: "agent_auth" });
  const { metadata, isDebateComplete } = states.at(-1)!;
  assert.equal(metadata.status, "failed");
  assert.equal(metadata.error?.code, "agent_auth");
  assert.equal(isDebateComplete, false);
});

withFolder.test("streamDebate(): a debate whose loop was left early can be resumed from its directory", async (folder) => {
  await using models = await startModels();
  const options = { config: { out: folder, seed: 1, baseUrl: models.url } };
  for await (const state of streamDebate("d-1", CONFIG, options)) {
    if (state.transcript.length === 2) break;
  }
  const [day] = (await namesIn(folder)).filter((name) => /^\d/.test(name));
  const [name] = (await namesIn(join(folder, day!))).filter((each) => each !== "index.md");
  const dir = join(folder, day!, name!);
  const result = await (await resume(dir)).run();
  assert.equal(result.status, "completed");
  assert.deepEqual((await verify(dir)).findings, []);
});
