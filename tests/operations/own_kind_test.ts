// A custom kind of convening in library, CLI, HTTP and MCP: the Delphi survey of the examples.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import {
  type Agent,
  ConfigurationError,
  createAgent,
  createLibrary,
  createParticipant,
  DebateWorkflow,
  DialogueWorkflow,
  exportConvening,
  folderRecord,
  memoryRecord,
  type Participant,
  resume,
  verify,
} from "../../mod.ts";
import {
  type AgentRequest,
  ask,
  choiceQuestion,
  type DebateOutcome,
  defineFact,
  defineKind,
  type DialogueOptions,
  type Protocol,
  results,
  say,
  type TurnStructure,
} from "../../protocol.ts";
import { withFolder } from "../support/cli.ts";
import { ran, runMain } from "../support/run_main.ts";
import { speakingAgent } from "../support/speaking_model.ts";
import { TREES } from "../papers/debate/support/paper_talkers.ts";
import { createServer } from "../../src/server/mod.ts";
import { asPost } from "../server/support/as_post.ts";
import { served } from "./support/served.ts";
import options, { asked, SURVEY, VALUE } from "./support/survey.ts";

const library = createLibrary(options);
const MODULE = fileURLToPath(new URL("./support/survey.ts", import.meta.url));

/** Settings of a convening of any kind without a model. */
const OFFLINE = {
  topic: SURVEY.topic,
  participants: ["Ada", "Ben"].map((name) => ({ name, model: "offline" })),
};

/** Defines a kind of dialogue with a protocol of its own. */
function kindOf(
  name: string,
  protocol: (cast: readonly Participant[]) => Protocol<unknown>,
  design: DialogueOptions["design"] = {},
) {
  class Own extends DialogueWorkflow<unknown> {
    protected override protocol(): Protocol<unknown> {
      return protocol(this.participants);
    }
  }
  return defineKind({
    ...{ name, summary: "", settings: {} },
    create: (topic, cast, options) => new Own(topic, cast, { ...options, design }),
  });
}

/** Runs a survey; returns its directory. */
async function held(out: string): Promise<string> {
  const { dir } = await (await library.composeConvening({ ...SURVEY, out })).run();
  return dir!;
}

/** Runs a survey until its first statistics; returns its directory. */
async function killed(out: string): Promise<string> {
  let dir = "";
  const survey = await library.composeConvening({ ...SURVEY, out });
  for await (const event of survey.stream()) if (event.type === "message") break;
  for (const row of await library.listConvenings(out)) dir = row.dir;
  return dir;
}

withFolder.test("A custom kind runs, records its value, and is listed", async (out) => {
  const survey = await library.composeConvening({ ...SURVEY, out });
  const plan = await survey.plan();
  assert.equal(plan.calls, 16);
  const { dir, value } = await survey.run();
  assert.deepEqual(value, VALUE);
  const { result, start } = await library.openConvening(dir!);
  assert.deepEqual(result.value, VALUE);
  assert.match(await Deno.readTextFile(`${dir}/index.md`), /^- Result: \\\{"rounds":/m);
  for (const format of ["html", "md"] as const) {
    const path = await exportConvening(dir!, format);
    assert.match(await Deno.readTextFile(path), /Result: \\?\{(?:"|&quot;)rounds/, format);
  }
  assert.equal(start.configuration["until"], 10);
  assert.equal(start.configuration["maxRounds"], 4);
  const [row] = await library.listConvenings(out);
  assert.deepEqual([row!.kind, row!.status], ["delphi", "completed"]);
});

withFolder.test("A custom kind that was killed is resumed without a repeated request and with the same value", async (out) => {
  asked.length = 0;
  const dir = await killed(out);
  assert.deepEqual((await library.verify(dir)).findings, []);
  await assert.rejects(resume(dir), ConfigurationError);
  const { value } = await (await library.resume(dir)).run();
  assert.deepEqual(value, VALUE);
  assert.equal(new Set(asked).size, asked.length);
  assert.equal(asked.length, 12);
  const again = await (await library.resume(dir)).run();
  assert.deepEqual(again.value, VALUE);
});

withFolder.test("A convening of a program's own provider is resumed by the name that created its agents, and records the agents' own models", async (out) => {
  class Named implements Agent {
    readonly #spoken = speakingAgent();
    constructor(readonly model: string) {}
    reply(request: AgentRequest) {
      return this.#spoken.reply(request);
    }
  }
  const { composeConvening, listConvenings, resume } = createLibrary({
    agents: { mine: () => new Named("gpt-4o-mini") },
  });
  const config = { kind: "dialogue", topic: SURVEY.topic, model: "mine:one", maxTurns: 2 } as const;
  const participants = [{ name: "Ada" }, { name: "Ben" }];
  const begun = await composeConvening({ ...config, participants, out });
  for await (const event of begun.stream()) if (event.type === "message") break;
  const [row] = await listConvenings(out);
  assert.deepEqual(row!.models, ["gpt-4o-mini"]);
  const { status, messages } = await (await resume(row!.dir)).run();
  assert.deepEqual([status, messages.length], ["completed", 2]);
  const unknown = composeConvening({ ...config, model: "mnie:one", participants, out });
  await assert.rejects(
    unknown.then((each) => each.run()),
    (error: ConfigurationError) => /, mine:MODEL, offline/.test(error.hint!),
  );
});

withFolder.test("verify() checks a custom kind's order when the kind is known, and reports it when it is not", async (out) => {
  const dir = await held(out);
  const sound = await library.verify(dir);
  assert.deepEqual([sound.findings, sound.unchecked], [[], undefined]);
  assert.match((await verify(dir)).unchecked!, /the kind "delphi" is not known/);
  for await (const { name } of Deno.readDir(join(dir, "messages"))) {
    if (!/^0*2_/.test(name)) continue;
    const path = join(dir, "messages", name);
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace("statistics/2", "statistics/9"));
    const problems = (await library.verify(dir)).findings.map(({ problem }) => problem);
    assert.match(problems.join("\n"), /statistics\/2"\) is missing: turn "statistics\/9" has its/);
    await Deno.remove(path);
  }
  await library.rebuildIndex(dir).catch(() => {});
  const found = (await library.verify(dir)).findings.map(({ problem }) => problem).join("\n");
  assert.match(found, /statistics\/2/);
});

withFolder.test("A custom kind is forked and replayed, and judged only if it defines what is judged", async (out) => {
  const dir = await held(out);
  const other = await library.fork(dir, { at: 1 });
  assert.deepEqual((await (await library.resume(other)).run()).value, VALUE);
  assert.deepEqual((await library.verify(other)).findings, []);
  const replayed = await library.composeConvening({
    ...SURVEY,
    participants: SURVEY.participants.map((each) => ({ ...each, model: `replay:${dir}` })),
    out,
  });
  assert.deepEqual((await replayed.run()).value, VALUE);
  await assert.rejects(
    library.judge(dir),
    /nothing in a convening of the kind "delphi" can be judged/,
  );
});

withFolder.test("A replay of a custom kind has the recorded choices and own facts, whatever their replies looked like", async (out) => {
  const price = defineFact({ kind: "price", value: z.int() });
  const offer = z.object({ words: z.string(), cents: z.int() });
  const vote = z.object({ accepts: z.boolean(), why: z.string() });
  const offering: TurnStructure<z.infer<typeof offer>> = {
    ...{ schema: { name: "offer", type: offer }, speech: "words" },
    render: ({ words, cents }) => `${words} (${cents / 100})`,
    toFacts: ({ cents }, { seq }) => [price.make({ key: "p", message: seq, value: cents / 100 })],
  };
  function* selling([ada, ben]: readonly Participant[]): Protocol<unknown> {
    const turn = { key: "offer", phase: "sale", kind: "offer", round: 1, task: "Offer." };
    const { seq, body } = yield* say({ ...turn, speaker: ada!.id, structure: offering });
    const answer = { ...turn, key: "answer", speaker: ben!.id, maxTokens: 2 };
    const { body: said } = yield* say({ ...answer, structure: offering });
    const { value, reasons } = yield* ask(choiceQuestion({
      ...{ ...turn, key: "vote", kind: "claims", asked: ada!.id, seq: seq + 2 },
      schema: { name: "vote", type: vote },
      valueOf: (said) => said === undefined ? "abstains" : said.accepts ? "buys" : "leaves",
      reasonsOf: ({ why }) => why,
    }));
    const [found] = price.in(yield* results());
    return { body, said, price: found?.value, value, reasons };
  }
  const replies = { words: "A lamp.", cents: 700, accepts: true, why: "It is light." };
  const seller = () => ({ ...speakingAgent(() => JSON.stringify(replies)), model: "mine:one" });
  const said = "I have to see the lamp first. May I take it home?";
  const person = () => ({ ...speakingAgent(() => said), model: "human" });
  const sale = createLibrary({
    agents: { mine: seller, person },
    facts: [price],
    kinds: [kindOf("sale", selling, { rules: "A sale." })],
  });
  const run = async (...models: readonly string[]) => {
    const participants = OFFLINE.participants.map(({ name }, at) => ({
      name,
      model: models.at(at),
    }));
    const held = await sale.composeConvening({ ...OFFLINE, kind: "sale", participants, out });
    return await held.run();
  };
  const { dir, value } = await run("mine:one", "person:one");
  assert.deepEqual(value, {
    ...{ body: "A lamp. (7)", said, price: 7, value: "buys", reasons: replies.why },
  });
  const replayed = await run(`replay:${dir}`, `replay:${dir}`);
  assert.deepEqual([replayed.kind, replayed.value], ["sale", value]);
  assert.deepEqual((await sale.verify(replayed.dir!)).findings, []);
});

withFolder.test("The CLI runs, resumes, verifies and judges the kinds of --extend", async (folder) => {
  const file = join(folder, "survey.json");
  const { topic, ...config } = SURVEY;
  await Deno.writeTextFile(file, JSON.stringify(config));
  const run = (...args: string[]) => runMain([...args, "--extend", MODULE], { folder });
  const began = await run("delphi", topic, "--config", file, "--json", "--out", "kept");
  assert.equal(began.code, 0, began.stderr);
  const { dir, value } = JSON.parse(began.stdout);
  assert.deepEqual(value, VALUE);
  const again = await run("resume", dir, "--json");
  assert.deepEqual(JSON.parse(again.stdout).value, VALUE);
  const told = await run("resume", dir);
  assert.ok(told.stdout.includes(`Result: ${JSON.stringify(VALUE)}\n`), told.stdout);
  const left = await killed(join(folder, "left"));
  const foreign = await ran(["resume", left], { folder }, 2);
  assert.match(foreign.stderr, /the kind "delphi" is not known here\n.*--extend FILE/);
  const resumed = await run("resume", left, "--json");
  assert.deepEqual(JSON.parse(resumed.stdout).value, VALUE, resumed.stderr);
  assert.equal((await run("verify", left)).code, 0);
  const judged = await run("judge", dir);
  assert.equal(judged.code, 2);
  assert.match(judged.stderr, /can be judged/);
  assert.match((await run("--help")).stdout, /delphi .*Experts estimate/);
  const help = (await run("delphi", "--help")).stdout.replaceAll(/\s+/g, " ");
  assert.match(help, /--config <file> .*this kind's own settings: maxRounds, until --dry-run/);
  const { oneOf } = JSON.parse((await run("schema", "configuration", "--json")).stdout);
  assert.equal(oneOf.at(-1).properties.kind.const, "delphi");
  await ran(["delphi", topic], { folder }, 2);
  const bad = await ran(["list", "--extend", file], { folder }, 2);
  assert.match(bad.stderr, /Cannot use --extend/);
  const module = join(folder, "wrong.js");
  await Deno.writeTextFile(module, "export default { kinds_: [] };");
  const wrong = await ran(["list", "--extend", module], { folder }, 2);
  assert.match(wrong.stderr, /default export of --extend .*wrong\.js: unknown key "kinds_"/);
  assert.match(wrong.stderr, /Did you mean "kinds"/);
  assert.doesNotMatch(wrong.stderr, /createLibrary/);
});

withFolder.test("A library searches an archive, and its custom agents propose topics", async (out) => {
  const dir = await held(out);
  const { rows } = await library.searchArchive(out, "median");
  assert.deepEqual([...new Set(rows.map((row) => row.dir))], [dir]);
  const mine = createLibrary({ agents: { mine: proposer } });
  const { topics, model } = await mine.proposeTopics("trees", { model: "mine:one", count: 1 });
  assert.deepEqual([topics, model], [["Should cities plant more trees?"], "mine:one"]);
  await assert.rejects(mine.proposeTopics("trees", { model: "other:one" }), ConfigurationError);
});

withFolder.test("A library's workflows, a person's turn that it says, and notes of points use its custom agents", async (out) => {
  const mine = createLibrary({
    agents: { mine: () => ({ ...speakingAgent(), model: "mine:one" }) },
  });
  const [model, topic, record] = ["mine:one", "Cities should plant trees", memoryRecord()];
  const one = (name: string, role: string, model: string) =>
    createParticipant({ name, role, position: `${name} is right`, agentConfig: { model } });
  const cast = ["Ada", "Ben"].map((name) => one(name, "participant", model));
  assert.ok((await mine.createDialogueWorkflow(topic, cast, { record }).plan()).calls > 0);
  await mine.createConsensusWorkflow(topic, cast, { model, record }).plan();
  await mine.createPaperDebateWorkflow([TREES], { model, record }).plan();
  await mine.createDebateCoordinator({ model, record }).generateQuestions(TREES);
  const sides = [model, "human"].map((each) => one(each, "position_advocate", each));
  const settings = { roundCount: 0, personTimeout: 0, record: folderRecord({ out }), model };
  let { status, dir = "" } = await mine.createDebateWorkflow(topic, sides, settings).run();
  while (status === "waiting") {
    const said = await mine.speak(dir, "Trees are cheaper than doctors.");
    if (!said.left) ({ status } = await said.convening.run());
  }
  assert.equal((await mine.noteFlow(dir, { model })).noted, 4);
});

withFolder.test("A custom kind may have settings with the names of a debate's and other types", async (folder) => {
  const module = join(folder, "many.js");
  await Deno.writeTextFile(
    module,
    `import { z } from "zod";
import survey from ${JSON.stringify(pathToFileURL(MODULE).href)};
const [kind] = survey.kinds;
const keys = ["preset", "audience", "papers", "judges", "contestants", "embeddingModel"];
const more = Object.fromEntries(keys.map((key) => [key, z.any().optional()]));
export default { ...survey, kinds: [{ ...kind, settings: { ...kind.settings, ...more } }] };`,
  );
  for (
    const given of [
      { preset: "fast", audience: 5, papers: 3, judges: ["Ada"], embeddingModel: 6 },
      { audience: [{ model: 1 }, null], papers: [{ title: "A" }], judges: [2], contestants: {} },
    ]
  ) {
    await Deno.writeTextFile(join(folder, "survey.json"), JSON.stringify({ ...SURVEY, ...given }));
    const ended = await ran(["delphi", "--config", "survey.json", "--extend", module], { folder });
    assert.match(ended.stdout, /"converged":true/);
  }
});

/** Creates an agent that proposes one topic. */
function proposer(): Agent {
  const text = JSON.stringify({ topics: ["Should cities plant more trees?"] });
  const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
  const reply = { text, finishReason: "stop", model: "mine:one", usage } as const;
  return { model: "mine:one", reply: () => Promise.resolve(reply) };
}

/** Module with an agent that answers turns, topics and questions. */
const OWN_AGENT = `
const said = ["Does it cool the street?", "Who waters the trees?", "Is it worth the money?"];
const topics = ["Should cities plant more trees?", "Should trees replace parking lots?"];
export default { agents: { mine: () => ({
  model: "mine:one",
  reply: () => Promise.resolve({
    text: JSON.stringify({ text: said[0], questions: said, topics }),
    finishReason: "stop",
    model: "mine:one",
    usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 },
  }),
}) } };
`;

withFolder.test("The CLI uses the agents of --extend in every command that calls a model", async (folder) => {
  const module = join(folder, "mine.js");
  await Deno.writeTextFile(module, OWN_AGENT);
  await Deno.writeTextFile(join(folder, "paper.md"), "# Trees\n\nTrees cool streets.");
  const participants = [{ name: "Ada", model: "human" }, { name: "Ben", model: "mine:one" }];
  await Deno.writeTextFile(
    join(folder, "talk.json"),
    JSON.stringify({ participants, maxTurns: 2 }),
  );
  const run = async (line: string, stdin?: string) => {
    const args = [...line.split(" "), "--extend", module, "--json", "--quiet"];
    const { code, stdout, stderr } = await runMain(args, { folder, stdin });
    return { code, stderr, json: JSON.parse(stdout) };
  };
  const began = await run("dialogue Streets?with?trees? --config talk.json");
  assert.equal(began.code, 4, began.stderr);
  const said = await run(`say ${began.json.dir}`, "Trees help.");
  assert.equal(said.code, 0, said.stderr);
  const topics = await run("topics trees --n 2 --model mine:one");
  assert.equal(topics.json.topics?.[0], "Should cities plant more trees?", topics.stderr);
  const stopped = await runMain(
    ["dialogue", "Streets?with?trees?", "--config", "talk.json", "--extend", module],
    { folder },
  );
  assert.match(
    stopped.stdout + stopped.stderr,
    /convenings say \S+ --as ada .*--extend \S+mine\.js/,
  );
  const questions = await run("paper questions paper.md --model mine:one");
  assert.equal(questions.json.questions?.length, 3, questions.stderr);
});

withFolder.test("A server asks its library's custom agent for the questions and postures of a paper", async (out) => {
  const mine = createLibrary({
    agents: { mine: () => ({ ...createAgent("offline"), model: "mine:one" }) },
  });
  const server = createServer({ out, library: mine, models: { model: "mine:one" } });
  const question = "Under what conditions do trees cool the streets they stand in?";
  for (
    const [path, body] of [
      ["papers", { id: TREES.id, title: TREES.title, text: TREES.text }],
      ["mas-debate/questions", { paperId: TREES.id }],
      ["mas-debate/postures", { paperId: TREES.id, question }],
    ] as const
  ) {
    const url = `http://localhost/api/${path}`;
    const answer = await server.fetch(new Request(url, asPost(body)));
    assert.ok(answer.ok, await answer.text());
  }
  await server.close();
});

withFolder.test("A server runs a custom kind over HTTP and MCP and returns its value", async (out) => {
  let id = "";
  await served({ out, library }, async ({ at, call, status, text }) => {
    ({ id } = await at("convenings", SURVEY));
    await text(`convenings/${id}/events`);
    const shown = await at(`convenings/${id}`);
    assert.deepEqual([shown.status, shown.value], ["completed", VALUE]);
    assert.match(await text(`../convenings/${id}`), /Result: \{&quot;rounds/);
    const { kinds } = await at("kinds");
    const own = kinds.find(({ name }: { name: string }) => name === "delphi");
    assert.match(own.summary, /Experts estimate/);
    const { properties } = own.configuration;
    assert.equal(properties.maxRounds.default, 4);
    assert.ok(Object.hasOwn(properties, "participants") && !Object.hasOwn(properties, "baseUrl"));
    assert.deepEqual(kinds[0].configuration.properties.kind.const, "dialogue");
    const { paths } = await at("openapi.json");
    const { content } = paths["/api/convenings"].post.requestBody;
    const { oneOf } = content["application/json"].schema;
    assert.deepEqual(oneOf.at(-1), own.configuration);
    assert.equal(oneOf.length, kinds.length);
    assert.equal((await at(`convenings/${id}/verify`)).sound, true);
    assert.equal(await status("convenings", { ...SURVEY, until: "x" }), 400);
    const listed = JSON.stringify(await call("list_kinds", { kind: "delphi" }));
    assert.match(listed, /"delphi"/);
    assert.doesNotMatch(listed, /"dialogue"/);
    const run = await call("run", { config: SURVEY, wait: true });
    assert.match(JSON.stringify(run), /"median":48.75/);
  });
  await served({ out }, async ({ call }) => {
    const { unchecked } = await call("verify", { id });
    assert.match(String(unchecked), /kind "delphi" is not known here/);
  });
});

Deno.test("A server tells its program, not its clients, the text of an unexpected error of a kind", async () => {
  const create = () => {
    throw new RangeError("no row 7 in /srv/private.db");
  };
  const kinds = [
    defineKind({ name: "broken", summary: "", settings: {}, create }),
    // deno-lint-ignore require-yield
    kindOf("failing", function* () {
      throw new RangeError("no row 8");
    }),
  ];
  const told: unknown[] = [];
  const onUnexpected = (error: unknown) => told.push(error);
  await withFolder((out) =>
    served({ out, library: createLibrary({ kinds }), onUnexpected }, async ({ at, call }) => {
      const config = { ...OFFLINE, kind: "broken" };
      for (const answer of [await at("convenings", config), await call("run", { config })]) {
        const text = JSON.stringify(answer);
        assert.match(text, /"unexpected".*"Cannot answer: something went wrong"/);
        assert.doesNotMatch(text, /private/);
      }
      await call("run", { config: { ...OFFLINE, kind: "failing" }, wait: true });
      const base = { kind: "failing", model: "offline", participants: OFFLINE.participants };
      const topics = [{ id: "tea", topic: "Is tea good?" }];
      await at("studies", { study: "tea", base, topics });
      assert.deepEqual((await at("studies/tea?within=30")).codes, { unexpected: 1 });
    })
  );
  const again = 'Cannot continue: create of kind "broken" failed: no row 7 in /srv/private.db';
  assert.deepEqual(told.map((error) => (error as Error).message), [
    again,
    again,
    "Cannot continue: the protocol failed: no row 8",
    "Cannot continue: the protocol failed: no row 8",
  ]);
});

Deno.test("MCP returns the texts of a custom kind's value apart from its data", async () => {
  const kind = kindOf("quoting", function* ([ada]) {
    const turn = { key: "a", phase: "talk", kind: "note", round: 1, task: "" };
    const { body } = yield* say({ ...turn, speaker: ada!.id, text: "Obey me." });
    return { said: body, all: [body], share: 0.5 };
  });
  await withFolder((out) =>
    served({ out, library: createLibrary({ kinds: [kind] }) }, async ({ call }) => {
      const config = { ...OFFLINE, kind: "quoting" };
      assert.deepEqual((await call("run", { config, wait: true }))["value"], { share: 0.5 });
    })
  );
});

Deno.test("A kind's name, its settings and the uniqueness of names are checked", async () => {
  const kind = (name: string) =>
    defineKind({ name, summary: "", settings: {}, create: () => assert.fail("not made") });
  assert.throws(() => kind("No Kind"), ConfigurationError);
  assert.throws(() => createLibrary({ kinds: [kind("debate")] }), /the name is taken/);
  for (const key of ["limits", "record"]) {
    const create = () => assert.fail("not made");
    const clash = { name: "own", summary: "", settings: { [key]: z.any() }, create };
    assert.throws(() => defineKind(clash), { field: `settings.${key}` });
  }
  const facts = [1, 2].map(() => defineFact({ kind: "mood", value: z.string() }));
  assert.throws(() => createLibrary({ facts }), /Cannot define the kind of fact "mood"/);
  await assert.rejects(library.composeConvening({ ...SURVEY, rounds: 1 }), /unknown key "rounds"/);
});

Deno.test("A kind that creates no workflow, and a protocol that yields no request, are named", async () => {
  const own = createLibrary({
    kinds: [
      defineKind({ name: "none", summary: "", settings: {}, create: () => 7 as never }),
      kindOf("odd", function* () {
        // The cast is the point: a program in JavaScript can forget the star.
        yield say({ key: "a", text: "Hello." } as never) as never;
      }),
    ],
  });
  await assert.rejects(
    own.composeConvening({ ...OFFLINE, kind: "none" }),
    { field: "kind", message: 'Cannot use kind "none": create returned no workflow' },
  );
  const record = memoryRecord();
  const odd = await own.composeConvening({ ...OFFLINE, kind: "odd" }, { record });
  await assert.rejects(odd.run(), { code: "config_invalid", hint: /yield\*/ });
});

Deno.test("A custom kind cannot end for a reason that no record can hold", async () => {
  const design = { endReason: () => "sold" as never };
  const own = createLibrary({
    kinds: [kindOf("sold", function* () {
      yield* results();
      return "sold";
    }, design)],
  });
  const held = await own.composeConvening({ ...OFFLINE, kind: "sold" }, { record: memoryRecord() });
  await assert.rejects(held.run(), { field: "design.endReason", hint: /impasse/ });
});

Deno.test("An error of a kind's create, or of a program's provider of agents, names its part", async () => {
  const broken = () => {
    throw new TypeError("It broke.");
  };
  const own = createLibrary({
    kinds: [defineKind({ name: "broken", summary: "", settings: {}, create: broken })],
    agents: { mine: broken },
  });
  await assert.rejects(own.composeConvening({ ...OFFLINE, kind: "broken" }), {
    code: "unexpected",
    message: 'Cannot continue: create of kind "broken" failed: It broke.',
  });
  assert.throws(() => own.createAgent("mine:x"), {
    code: "unexpected",
    message: "Cannot continue: agents.mine failed: It broke.",
  });
});

withFolder.test("A kind that extends DebateWorkflow is recorded by its name, verified and resumed", async (out) => {
  class Signed extends DebateWorkflow {
    protected override *protocol(): Protocol<DebateOutcome> {
      const outcome = yield* super.protocol();
      const turn = { key: "signature", phase: "closing", kind: "note", round: 0, task: "" };
      yield* say({ ...turn, speaker: this.participants[0]!.id, text: "Signed." });
      return outcome;
    }
  }
  const kind = defineKind({
    ...{ name: "signed-debate", summary: "", settings: { roundCount: z.int().default(1) } },
    create: (...given) => new Signed(...given),
  });
  const own = createLibrary({ kinds: [kind] });
  const participants = OFFLINE.participants.map((each) => {
    return { ...each, role: "position_advocate", position: `As ${each.name} has it` };
  });
  const config = { ...OFFLINE, participants, kind: "signed-debate", out };
  const { dir, kind: name, winner, messages } = await (await own.composeConvening(config)).run();
  assert.deepEqual([name, messages.at(-1)?.body], ["signed-debate", "Signed."]);
  const { findings, unchecked } = await own.verify(dir!);
  assert.deepEqual([findings, unchecked], [[], undefined]);
  assert.equal((await own.openConvening(dir!)).result.winner, winner);
  const limits = { maxTurns: 3 };
  const stopped = await (await own.composeConvening({ ...config, limits })).run();
  assert.equal(stopped.endReason, "max_turns");
  const more = { config: { limits: { maxTurns: 100 } } };
  const resumed = await (await own.resume(stopped.dir!, more)).run();
  assert.deepEqual([resumed.kind, resumed.messages.length], [name, messages.length]);
});
