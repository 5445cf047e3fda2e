// Operations on convenings on disk: open, resume, fork, list, export.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  composeConvening,
  ConfigurationError,
  createDebateWorkflow,
  type DebateWorkflowConfig,
  exportConvening,
  fork,
  judge,
  memoryRecord,
  openConvening,
  parseConfig,
  rebuildIndex,
  resume,
  verify,
} from "../../mod.ts";
import { defaultHost } from "../../protocol.ts";
import { cast, drain, Talker, TOPIC } from "../support/talkers.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { keepDebate } from "./support/kept_debate.ts";

interface Kept {
  readonly dir: string;
  readonly agent: Talker;
  /** Agents by id. */
  readonly agents: Readonly<Record<string, Talker>>;
}

/** Calls `check` with a debate on disk. */
async function kept(
  config: DebateWorkflowConfig & { readonly without?: string },
  check: (kept: Kept) => Promise<void>,
): Promise<void> {
  const { without, ...rest } = config;
  await withFolder(async (out) => {
    const agent = new Talker();
    const participants = cast(agent).filter(({ id }) => id !== without);
    const { dir } = await keepDebate(out, agent, { participants, ...rest });
    const agents = { m: agent, a: agent, b: agent, j: agent };
    await check({ dir, agent, agents });
  });
}

Deno.test("openConvening() returns the run's result", () =>
  kept({}, async ({ dir }) => {
    const { result, messages, start, facts } = await openConvening(dir);
    assert.equal(result.status, "completed");
    assert.equal(messages.length, 11);
    assert.equal(start.topic, TOPIC);
    assert.equal(result.summary, messages.at(-1)!.body);
    assert.equal(facts.length, 11 + 8 + 2);
    assert.equal(result.usage.outputTokens, 20 * (10 + 8 + 2));
  }));

Deno.test("resume(), judge() and rebuildIndex() write an exported transcript again", () =>
  kept({ limits: { maxTurns: 5 } }, async ({ dir, agent, agents }) => {
    const path = await exportConvening(dir, "txt");
    const stopped = await Deno.readTextFile(path);
    await (await resume(dir, { agents, config: { limits: { maxTurns: 100 } } })).run();
    const completed = await Deno.readTextFile(path);
    assert.doesNotMatch(stopped, /Speech for closing/);
    assert.match(completed, /Speech for closing/);
    await judge(dir, { judges: [{ agent, rubric: "academic" }] });
    const judged = await Deno.readTextFile(path);
    assert.notEqual(judged, completed, "usage grows");
    await Deno.writeTextFile(path, "");
    await rebuildIndex(dir);
    assert.equal(await Deno.readTextFile(path), judged);
  }));

withFolder.test("sources with equal names, or names unlike file names, are found by the recorded configuration and by searches", async (out) => {
  const name = "my notes \u{1f6b2}.md";
  const sources = ["Buses are cheap.", "Trams are quiet."].map((text) => ({ name, text }));
  const config = { kind: "debate", topic: TOPIC, model: "offline", roundCount: 0, out } as const;
  const { dir = "" } = await (await composeConvening(config, { sources })).run();
  const { configuration } = (await openConvening(dir)).start;
  const paths = configuration["sources"] as string[];
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(join(dir, path))));
  assert.deepEqual(texts, sources.map(({ text }) => text));
  const [searcher] = defaultHost.searchers({ sources, env: () => undefined });
  assert.deepEqual((await searcher!.search("trams")).map(({ url }) => url), [paths[1]]);
});

Deno.test("resume() of a completed convening changes nothing and returns its result", () =>
  kept({}, async ({ dir, agent, agents }) => {
    const before = await filesUnder(dir);
    const asked = agent.requests.length;
    const run = await resume(dir, { agents });
    const { result, events } = await drain(run);
    assert.deepEqual(events, []);
    assert.deepEqual(result, (await openConvening(dir)).result);
    assert.deepEqual(await filesUnder(dir), before);
    assert.equal(agent.requests.length, asked);
  }));

withFolder.test("resume() records a dialogue's new length, and refuses one below the turns that are spoken", async (out) => {
  const { dir } = await (await composeConvening({
    ...{ kind: "dialogue", topic: TOPIC, model: "offline", out },
    maxTurns: 2,
    limits: { maxTurns: 1 },
  })).run() as { dir: string };
  const longer = await resume(dir, { config: { maxTurns: 4, limits: { maxTurns: 3 } } });
  assert.equal((await longer.run()).endReason, "max_turns");
  assert.deepEqual((await verify(dir)).findings, []);
  await assert.rejects(resume(dir, { config: { maxTurns: 2 } }), {
    code: "config_invalid",
    field: "maxTurns",
    hint: "Give more than 3 to continue, or 3 to end the dialogue.",
  });
  const last = await (await resume(dir, { config: { limits: { maxTurns: 9 } } })).run();
  assert.deepEqual([last.status, last.messages.length], ["completed", 4]);
});

withFolder.test("resume() refuses judges, a rubric, rounds or a topic that the record does not have, and changes nothing", async (out) => {
  const { dir } = await (await composeConvening({
    ...{ kind: "debate", topic: TOPIC, model: "offline", out },
    limits: { maxTurns: 4 },
  })).run() as { dir: string };
  const before = await filesUnder(dir);
  const cases = [
    [{ judges: [{}, {}] }, "judges", /: the record has judge \(debate\)$/],
    [{ rubric: "academic" }, "judges", /: the record has judge \(debate\)$/],
    [{ roundCount: 2 }, "roundCount", /^Cannot resume with roundCount 2: the record has 3$/],
    [{ topic: "Is tea better?" }, "topic", /: the record has /],
  ] as const;
  for (const [config, field, message] of cases) {
    await assert.rejects(resume(dir, { config }), { code: "config_invalid", field, message });
  }
  assert.deepEqual(await filesUnder(dir), before);
  const config = { topic: TOPIC, roundCount: 3, limits: { maxTurns: 99 } };
  const { status } = await (await resume(dir, { config })).run();
  assert.equal(status, "completed");
});

withFolder.test("resume() of a fork: questions and postures need a list, a given question is debated, a further posture is left out", async (out) => {
  const text = "Passengers are counted at both piers.";
  const papers = [{ id: "ferry", title: "An electric ferry", text }];
  const { dir } = await (await composeConvening({
    kind: "paper-debate",
    model: "offline",
    out,
    limits: { maxTurns: 3 },
  }, { papers })).run();
  const lost = await fork(dir!, { at: 3, edit: "No list." });
  await assert.rejects((await resume(lost, { config: { limits: { maxTurns: 4 } } })).run(), {
    message: "Cannot debate: the message of postures and topics lacks a list",
  });
  const edit = "## Postures\n\n1. A\n2. B\n3. C\n4. D\n\n## Topics\n\n1. Safety";
  const four = await fork(dir!, { at: 3, edit });
  const argued = await (await resume(four, { config: { limits: { maxTurns: 99 } } })).run();
  assert.equal(argued.messages.filter(({ kind }) => kind === "argument").length, 3);
  const forked = await fork(dir!, { at: 1, edit: "No list." });
  const limits = { maxTurns: 2 };
  await assert.rejects((await resume(forked, { config: { limits } })).run(), {
    message: "Cannot debate: the message of questions lacks a list",
    field: "question",
  });
  const question = "How often does the ferry leave?";
  const { messages } = await (await resume(forked, { config: { limits, question } })).run();
  assert.equal(messages[1]!.body, question);
});

Deno.test("resume() of a debate without a moderator adds none", () =>
  kept({ without: "m", limits: { maxTurns: 3 } }, async ({ dir, agents }) => {
    assert.deepEqual((await verify(dir)).findings, []);
    const result = await (await resume(dir, { agents, config: { limits: { maxTurns: 99 } } }))
      .run();
    assert.equal(result.status, "completed");
    assert.ok(result.messages.every(({ participant }) => participant !== "moderator"));
    assert.equal(result.messages.length, 8);
  }));

Deno.test("resume() refuses a completed record that lacks a score; verify() reports the loss, and an unknown setting", () =>
  kept({}, async ({ dir }) => {
    const [score = ""] = await namesIn(join(dir, "scores"));
    await Deno.remove(join(dir, "scores", score));
    const [finding] = (await verify(dir)).findings;
    assert.equal(finding!.problem, "it counts 8 scores, but the truth files have 7");
    await assert.rejects(resume(dir), { code: "record_corrupt", message: /it counts 8 scores/ });
    await rebuildIndex(dir);
    assert.deepEqual((await verify(dir)).findings, []);
    const path = join(dir, "metadata.md");
    const metadata = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, metadata.replace("\nconfiguration:\n", "$&  wizard: true\n"));
    assert.match((await verify(dir)).findings[0]!.problem, /configuration .*unknown key "wizard"/);
  }));

Deno.test("The recorded configuration is accepted as a configuration, without secrets", async () => {
  await kept(
    { baseUrl: "http://user:secret@127.0.0.1:9/v1?key=secret&api-version=1" },
    async ({ dir }) => {
      const { start } = await openConvening(dir);
      const { topic } = parseConfig(start.configuration);
      assert.equal(topic, TOPIC);
      assert.equal(start.configuration["baseUrl"], "http://127.0.0.1:9/v1?api-version=1");
      for (const [path, text] of await filesUnder(dir)) assert.ok(!text.includes("secret"), path);
    },
  );
});

withFolder.test("A record without scores, of a preset with a rubric, is resumed without its memory folder and run again", async (folder) => {
  const [out, memory] = [join(folder, "out"), join(folder, "memory")];
  await Deno.mkdir(memory);
  const handed = { env: () => undefined };
  const first = await composeConvening({
    kind: "debate",
    topic: TOPIC,
    preset: "alternating",
    summaryBy: "none",
    scoringEnabled: false,
    roundCount: 3,
    seed: 1,
    limits: { maxTurns: 2 },
    memory,
    out,
  }, handed);
  const { dir = "", status } = await first.run();
  assert.equal(status, "stopped");
  await Deno.remove(memory);

  const options = { ...handed, config: { limits: { maxTurns: 9 } } };
  const result = await (await resume(dir, options)).run();
  assert.deepEqual([result.status, result.messages.length], ["completed", 3]);
  assert.deepEqual((await verify(dir)).findings, []);
  const forked = await fork(dir, { at: 1 });
  assert.equal((await (await resume(forked, options)).run()).status, "completed");

  const { start } = await openConvening(dir);
  const recorded = parseConfig(start.configuration);
  await assert.rejects(composeConvening(recorded, handed), /there is no such folder/);
  const again = await composeConvening({ ...recorded, memory: undefined, out }, handed);
  // The record has the limit of its resume.
  assert.equal((await again.run()).messages.length, 3);
});

Deno.test("createDebateWorkflow() fails at its start when its memory path is not a folder", async () => {
  const memory = join(Deno.cwd(), "deno.json");
  const agent = new Talker();
  const { error } = await drain(createDebateWorkflow(TOPIC, cast(agent), {
    judges: [{ agent }],
    record: memoryRecord(),
    memory,
  }));
  assert.ok(error instanceof ConfigurationError, String(error));
  assert.equal(error.field, "memory");
  assert.match(error.message, /^Cannot read memory ".*": there is no such folder$/);
  assert.equal(agent.requests.length, 0);
});
