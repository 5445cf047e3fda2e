import assert from "node:assert/strict";
import {
  type Agent,
  createAgent,
  createDebateModerator,
  createDebateParticipant,
  createDebateWorkflow,
  createOpenAIAgent,
  type DebateWorkflow,
  type DebateWorkflowConfig,
  memoryRecord,
  type Participant,
  resume,
} from "../../mod.ts";
import type { FactCheck } from "../../protocol.ts";
import type { Searcher } from "../../src/core/search.ts";
import { folderRecord } from "../../src/record/stores.ts";
import { withFolder } from "../support/cli.ts";
import { type ModelServer, startModelServer } from "../support/model_server.ts";

const TOPIC = "Should cities ban private cars?";
const LIBRARY: Searcher = {
  name: "webSearch",
  search: () => Promise.resolve([{ title: "T", url: "http://a.example", snippet: "S", score: 1 }]),
};

/** An agent of the program's own, of this name, on a server. */
function agentOn({ url }: ModelServer, model: string): Agent {
  return createOpenAIAgent({ model, baseUrl: url });
}

function advocates(agent: Agent): Participant[] {
  return [["Ada", "Yes"], ["Ben", "No"]].map(([name = "", position = ""]) =>
    createDebateParticipant({ name, position, persona: "A careful speaker." }, agent)
  );
}

/** A debate in which every helper there is has something to do; names would be looked up at `elsewhere`. */
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

/** Runs a debate; gives the fact checks and the models of the stances. */
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

Deno.test("helpers of a cast of handed-in agents speak through the judge's agent, and nothing else is called", async () => {
  await using mine = await startModelServer();
  await using elsewhere = await startModelServer();
  const moderator = createDebateModerator({}, agentOn(mine, "chair"));
  const cast = [moderator, ...advocates(agentOn(mine, "speaker"))];
  const { checks, stances } = await held(createDebateWorkflow(TOPIC, cast, {
    ...settingsWith(elsewhere),
    judges: [{ agent: agentOn(mine, "bench") }],
    record: memoryRecord(),
  }));
  assert.equal(elsewhere.requests.length, 0);
  assert.deepEqual(modelsOf(checks), ["bench"]);
  assert.deepEqual(stances, ["bench"]);
});

Deno.test("without a judge's agent judge and helpers have the moderator's", async () => {
  await using mine = await startModelServer();
  await using elsewhere = await startModelServer();
  const moderator = createDebateModerator({}, agentOn(mine, "chair"));
  const cast = [moderator, ...advocates(agentOn(mine, "speaker"))];
  const settings = { ...settingsWith(elsewhere), record: memoryRecord() };
  const { checks } = await held(createDebateWorkflow(TOPIC, cast, settings));
  assert.equal(elsewhere.requests.length, 0);
  assert.deepEqual(modelsOf(checks), ["chair"]);
});

Deno.test("a cast of handed-in agents in which nobody can stand in is refused, and the role named", async () => {
  await using mine = await startModelServer();
  await using elsewhere = await startModelServer();
  const cast = advocates(agentOn(mine, "speaker"));
  const settings = settingsWith(elsewhere);
  const made = (config: DebateWorkflowConfig, participants = cast) => () =>
    createDebateWorkflow(TOPIC, participants, { ...config, record: memoryRecord() });
  assert.throws(made({ ...settings, moderation: "none" }), {
    code: "config_invalid",
    message: "Cannot cast the judge: agents were handed in, and it has none",
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

Deno.test("a resumed cast of handed-in agents calls nothing else", async () => {
  await using mine = await startModelServer();
  await using elsewhere = await startModelServer();
  await withFolder(async (out) => {
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
});

Deno.test("the offline agent checks no facts of models: the check says why", async () => {
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
