// Options of workflows made in code: checks, handed-in agents, helpers and the provider's topic check.
import assert from "node:assert/strict";
import {
  type Agent,
  composeConvening,
  createAgent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  createOpenAIAgent,
  type DebateConfig,
  type DebateWorkflow,
  type DebateWorkflowConfig,
  memoryRecord,
  parseConfig,
  type Participant,
  resume,
} from "../../mod.ts";
import type { FactCheck } from "../../protocol.ts";
import { speakingAgent } from "../support/speaking_model.ts";
import type { Searcher } from "../../src/core/search.ts";
import { folderRecord } from "../../src/record/directory_record.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";
import { join } from "@std/path";
import { runMain } from "../support/run_main.ts";
import { serveLocally } from "../support/local_server.ts";

const TOPIC = "Should cities ban private cars?";

Deno.test("createDebateWorkflow() accepts instances, functions and undefined values", async () => {
  const agent = speakingAgent();
  const cast = ["Yes", "No"].map((position) =>
    createDebateParticipant({ name: position, position }, agent)
  );
  const { status } = await createDebateWorkflow(TOPIC, cast, {
    ...{ record: memoryRecord(), seed: 1, roundCount: 0 },
    judges: [{ agent, rubric: undefined }],
    audience: [{ agent, name: "Lis" }],
    env: () => undefined,
    exitCondition: () => false,
    observers: [],
    language: undefined,
  }).run();
  assert.equal(status, "completed");
});

Deno.test("A configuration is checked once: a checked one is returned unchanged and frozen", () => {
  const config = parseConfig({ kind: "debate", topic: TOPIC, roundCount: 1 });
  assert.equal(parseConfig(config), config);
  assert.throws(() => (config as { topic: string }).topic = "", TypeError);
});

const LIBRARY: Searcher = {
  name: "webSearch",
  search: () => Promise.resolve([{ title: "T", url: "http://a.example", snippet: "S", score: 1 }]),
};

/** Creates a custom agent with this model on a server. */
function agentOn({ url }: ModelServer, model: string): Agent {
  return createOpenAIAgent({ model, baseUrl: url });
}

function advocates(agent: Agent): Participant[] {
  return [["Ada", "Yes"], ["Ben", "No"]].map(([name = "", position = ""]) =>
    createDebateParticipant({ name, position, persona: "A careful speaker." }, agent)
  );
}

/** Returns settings in which every helper has work; plain model names would be called at `elsewhere`. */
function settingsWith(elsewhere: ModelServer): DebateWorkflowConfig {
  const env: Record<string, string> = {
    OPENAI_API_KEY: "sk-secret",
    OPENAI_BASE_URL: elsewhere.url,
  };
  return {
    roundCount: 0,
    factCheck: { mode: "standard" },
    guards: { persona: "warn" },
    audience: [{ name: "Lis" }],
    searchers: [LIBRARY],
    env: (name) => env[name],
  };
}

/** Runs a debate; returns the fact checks and the models of the stances. */
async function held(debate: DebateWorkflow): Promise<{ checks: FactCheck[]; stances: string[] }> {
  const checks: FactCheck[] = [];
  const stances = new Set<string>();
  for await (const event of debate.stream()) {
    if (event.type === "fact-check") checks.push(event.factCheck);
    if (event.type === "stance") stances.add(event.stance.model);
  }
  return { checks, stances: [...stances] };
}

function modelsOf(checks: readonly FactCheck[]): string[] {
  return [...new Set(checks.map(({ model }) => model))];
}

for (
  const [name, judge, stancesBy] of [
    ["helpers in a cast of handed-in agents use the judge's agent", "bench", ["bench"]],
    ["without a judge's agent, judge and helpers use the moderator's", undefined, ["chair"]],
  ] as const
) {
  Deno.test(`${name}, and nothing else is called`, async () => {
    await using mine = await startModelServer();
    await using elsewhere = await startModelServer();
    const moderator = createDebateModerator({}, agentOn(mine, "chair"));
    const cast = [moderator, ...advocates(agentOn(mine, "speaker"))];
    const { checks, stances } = await held(createDebateWorkflow(TOPIC, cast, {
      ...settingsWith(elsewhere),
      ...judge === undefined ? {} : { judges: [{ agent: agentOn(mine, judge) }] },
      record: memoryRecord(),
    }));
    assert.equal(elsewhere.requests.length, 0);
    assert.deepEqual([modelsOf(checks), stances], [stancesBy, stancesBy]);
  });
}

Deno.test("a cast of handed-in agents without a substitute for a role is rejected, with the role's name", async () => {
  await using mine = await startModelServer();
  await using elsewhere = await startModelServer();
  const cast = advocates(agentOn(mine, "speaker"));
  const settings = settingsWith(elsewhere);
  const made = (config: DebateWorkflowConfig, participants = cast) => () =>
    createDebateWorkflow(TOPIC, participants, { ...config, record: memoryRecord() });
  assert.throws(made({ ...settings, moderation: "none" }), {
    code: "config_invalid",
    message: "Cannot cast the judge: agents were given, but none for this role",
  });
  assert.throws(made(settings, [createDebateModerator(), ...cast]), { message: /the moderator/ });
  const unjudged = { ...settings, moderation: "none" as const, scoringEnabled: false };
  assert.throws(made({ ...unjudged, audience: undefined, guards: {} }), {
    message: /the fact checker/,
  });
  assert.throws(made({ ...unjudged, audience: undefined, factCheck: undefined }), {
    message: /the persona checker/,
  });
  made({ ...settings, moderation: "none", model: "gpt-4o-mini" })();
});

withFolder.test("a resumed cast of handed-in agents calls nothing else", async (out) => {
  await using mine = await startModelServer();
  await using elsewhere = await startModelServer();
  const settings = settingsWith(elsewhere);
  const speaker = agentOn(mine, "speaker");
  const moderator = createDebateModerator({}, agentOn(mine, "chair"));
  const { dir = "" } = await createDebateWorkflow(TOPIC, [moderator, ...advocates(speaker)], {
    ...settings,
    limits: { maxTurns: 1 },
    record: folderRecord({ out }),
  }).run();
  const { env, searchers } = settings;
  const agents = { moderator: agentOn(mine, "chair"), ada: speaker, ben: speaker };
  const config = { limits: { maxTurns: 100 } };
  const result = await (await resume(dir, { config, agents, env, searchers })).run();
  assert.equal(result.status, "completed");
  assert.equal(elsewhere.requests.length, 0);
});

Deno.test("the offline agent does not check facts of models, and the check gives the reason", async () => {
  await using mine = await startModelServer();
  const moderator = createDebateModerator({}, createAgent("offline"));
  const cast = [moderator, ...advocates(agentOn(mine, "speaker"))];
  const { checks } = await held(createDebateWorkflow(TOPIC, cast, {
    roundCount: 0,
    factCheck: { mode: "standard" },
    searchers: [LIBRARY],
    record: memoryRecord(),
  }));
  assert.ok(checks.length > 0);
  for (const { status, reason, factuality } of checks) {
    assert.deepEqual([status, factuality], ["unchecked", null]);
    assert.match(reason ?? "", /The fact checker has no model/);
  }
});

const WORDS = ["debate", TOPIC, "--rounds", "0", "--max-turns", "1", "--topic-check", "provider"];

function configOf(baseUrl: string): DebateConfig {
  return { kind: "debate", topic: TOPIC, topicCheck: "provider", baseUrl, roundCount: 0 };
}

withFolder.test("topicCheck provider rejects a topic that the provider flags, with its categories, and leaves no record", async (folder) => {
  const moderation = { flagged: true, categories: { hate: true, violence: false } };
  await using server = await startModelServer({ moderation });
  const end = await runMain([...WORDS, "--base-url", server.url], { folder });
  assert.equal(end.code, 2, end.stderr);
  assert.match(end.stderr, /Cannot use the topic: 127\.0\.0\.1:\d+ finds it abusive \(hate\)/);
  assert.deepEqual(await namesIn(folder), []);
  assert.equal(server.requests.length, 0);
});

withFolder.test("topicCheck provider accepts a topic that the provider accepts, and a resume does not ask again", async (folder) => {
  let dir = "";
  {
    await using server = await startModelServer({ moderation: { flagged: false, categories: [] } });
    const end = await runMain([...WORDS, "--base-url", server.url, "--json"], { folder });
    assert.equal(end.code, 3, end.stderr);
    dir = String(jsonOf(end)["dir"]);
  }
  assert.match(await Deno.readTextFile(join(dir, "metadata.md")), /topicCheck: provider/);
  await using other = await startModelServer({ moderation: { flagged: true } });
  const words = ["resume", dir, "--max-turns", "2", "--base-url", other.url];
  const end = await runMain(words, { folder });
  assert.equal(end.code, 3, end.stderr);
});

Deno.test("topicCheck provider reports a missing endpoint or provider", async () => {
  await using server = await startModelServer();
  const error = { code: "config_invalid", field: "topicCheck" };
  const record = memoryRecord();
  await assert.rejects((await composeConvening(configOf(server.url), { record })).run(), error);
  const offline = { ...configOf(server.url), model: "offline" };
  await assert.rejects((await composeConvening(offline, { record })).run(), error);
  await using other = await startModelServer({ moderation: {} as { flagged: boolean } });
  await using silent = serveLocally(() => new Response(null, { status: 500 }));
  for (
    const [url, says] of [
      ["http://127.0.0.1:1/v1", /no answer/],
      [other.url, /no result/],
      [`http://127.0.0.1:${silent.addr.port}/v1`, /: status 500, no body$/],
    ] as const
  ) {
    const convening = await composeConvening(configOf(url), { record });
    await assert.rejects(convening.run(), { code: "agent_unreachable", message: says });
  }
});

Deno.test("topicCheck provider shows no key that the provider repeats", async () => {
  await using server = serveLocally(
    ({ headers }) => new Response(`Wrong ${headers.get("authorization")}`, { status: 401 }),
  );
  const config = configOf(`http://127.0.0.1:${server.addr.port}/v1`);
  const env = (name: string) => name === "OPENAI_API_KEY" ? "own-0123456789" : undefined;
  const convening = await composeConvening(config, { record: memoryRecord(), env });
  await assert.rejects(convening.run(), /status 401, Wrong Bearer \[key\]/);
});
