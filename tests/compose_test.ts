// Workflows composed from a configuration.
import { EARLIER_RULES } from "./support/earlier_rules.ts";
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  composeConvening,
  ConfigurationError,
  createAgent,
  type DebateWorkflowResult,
  memoryRecord,
  TopicError,
} from "../mod.ts";
import type { PaperDebateConfig } from "../papers.ts";
import { defaultModel } from "../protocol.ts";
import { hostsOf } from "../src/inputs/servers.ts";
import { ROOT } from "./support/deno_process.ts";
import { paperTalker } from "./workflows/support/paper_talkers.ts";
import { drain, promptOf, Talker, TOPIC } from "./workflows/support/talkers.ts";
import { withFolder } from "./support/cli.ts";

const DEBATE = { kind: "debate", topic: TOPIC, roundCount: 0 } as const;
const PAPER = join(ROOT, "examples", "papers", "four_day_week.md");
const NO_KEYS = { env: () => undefined };

function agentsOf(agent: Talker, ...ids: string[]): Record<string, Talker> {
  return Object.fromEntries(ids.map((id) => [id, agent]));
}

Deno.test("composeConvening() creates a debate from a topic alone: a moderator, for and against, one judge", async () => {
  const agent = new Talker();
  const workflow = await composeConvening(DEBATE, {
    ...NO_KEYS,
    agents: agentsOf(agent, "moderator", "advocate-a", "advocate-b"),
    record: memoryRecord(),
  });
  assert.deepEqual(workflow.participants.map(({ name, position }) => [name, position]), [
    ["Moderator", undefined],
    ["Advocate A", `For: ${TOPIC}`],
    ["Advocate B", `Against: ${TOPIC}`],
  ]);
  const { result } = await drain(workflow);
  // The result's type follows from the kind.
  const typed: Awaited<ReturnType<typeof workflow.run>> | undefined = result;
  const { scores, winner }: Partial<DebateWorkflowResult> = { ...typed };
  assert.deepEqual([winner, Object.keys(scores ?? {}).sort()], ["advocate-a", [
    "advocate-a",
    "advocate-b",
  ]]);
  assert.equal(result?.status, "completed");
  assert.ok(agent.keys.includes("verdict/judge/1"), "the judge is the moderator's model");
});

Deno.test("composeConvening() accepts agents by id, the judge's too", async () => {
  const [agent, judge] = [new Talker(), new Talker(undefined, "ollama:judge")];
  const agents = { ...agentsOf(agent, "moderator", "advocate-a", "advocate-b"), judge };
  for (const judges of [undefined, [{ name: "Jo" }]]) {
    const config = judges === undefined ? DEBATE : { ...DEBATE, judges };
    await drain(await composeConvening(config, { ...NO_KEYS, agents, record: memoryRecord() }));
  }
  assert.ok(agent.keys.every((key) => !/^(score|verdict)/.test(key)));
  assert.equal(judge.requests.length, 2 * (4 + 2));
});

Deno.test("composeConvening() creates a dialogue of two when no participants are given", async () => {
  const agent = new Talker();
  const workflow = await composeConvening({ kind: "dialogue", topic: TOPIC, maxTurns: 3 }, {
    ...NO_KEYS,
    agents: agentsOf(agent, "ada", "ben"),
    record: memoryRecord(),
  });
  const { result } = await drain(workflow);
  assert.deepEqual(result?.messages.map(({ name }) => name), ["Ada", "Ben", "Ada"]);
});

Deno.test("composeConvening() gives participants ids of their own if their names give the same id", async () => {
  const participants = [{ name: "C" }, { name: "C++" }, { name: "X", id: "c-2" }, { name: "C#" }];
  const config = { kind: "dialogue", topic: TOPIC, model: "offline", participants } as const;
  const workflow = await composeConvening(config, NO_KEYS);
  assert.deepEqual(workflow.participants.map(({ id }) => id), ["c", "c-3", "c-2", "c-4"]);
});

Deno.test("composeConvening() creates a paper debate from a paper alone: a questioner, three debaters, a reporter, one judge", async () => {
  const agent = paperTalker();
  const record = memoryRecord();
  const workflow = await composeConvening({ kind: "paper-debate", papers: [PAPER] }, {
    ...NO_KEYS,
    agents: agentsOf(
      agent,
      ...["questioner", "debater-a", "debater-b", "debater-c", "reporter", "judge"],
    ),
    record,
  });
  assert.equal(workflow.topic, "Four-Day Weeks and Error Rates in Hospital Laboratories");
  assert.deepEqual(
    workflow.participants.map(({ name, role }) => [name, role]),
    [
      ["Questioner", "questioner"],
      ...["A", "B", "C"].map((letter) => [`Debater ${letter}`, "debater"]),
      ["Reporter", "reporter"],
    ],
  );
  const { result } = await drain(workflow);
  assert.equal(result?.status, "completed");
  assert.ok(record.files.get("paper.md")!.includes("id: four_day_week"));
});

Deno.test("composeConvening() needs no files of papers if papers are given", async () => {
  const text = "Passengers are counted at both piers.";
  const papers = [{ id: "ferry", title: "An electric ferry", text }];
  const config = { kind: "paper-debate", model: "offline" } as const;
  const workflow = await composeConvening(config, { ...NO_KEYS, papers });
  assert.equal(workflow.topic, "An electric ferry");
});

Deno.test("composeConvening() rejects a paper debate with an unreadable paper by the file's name", async () => {
  const config: PaperDebateConfig = { kind: "paper-debate", papers: ["/nowhere/at/all.pdf"] };
  await assert.rejects(composeConvening(config, NO_KEYS), {
    name: "PaperError",
    field: "papers",
    message: /\/nowhere\/at\/all\.pdf/,
  });
});

const TOPICS = ["x".repeat(10_000), "short", " ", "A topic with\na line break"];
for (const kind of ["debate", "dialogue"] as const) {
  Deno.test(`composeConvening() rejects an invalid topic of a ${kind} as a topic error`, async () => {
    for (const topic of TOPICS) {
      await assert.rejects(composeConvening({ kind, topic }, NO_KEYS), TopicError);
    }
  });
}

const REFUSED: [string, object, RegExp][] = [
  ["the same position twice", { positions: ["Yes", "yes "] }, /same position/],
  ["positions beside participants", {
    positions: ["Yes", "No"],
    participants: [{ name: "A", position: "x" }, { name: "B", position: "y" }],
  }, /positions with participants/],
  ["the same name twice", {
    participants: [
      { id: "x", name: "Ada L", position: "1" },
      { id: "y", name: "ada\nl", position: "2" },
    ],
  }, /same|two have the name/],
  ["the same name twice, once with a combining accent", {
    participants: [
      { id: "x", name: "\u00c9va", position: "1" },
      { id: "y", name: "E\u0301va", position: "2" },
    ],
  }, /two have the name/],
  ["the same id twice", {
    participants: [{ id: "x", name: "A", position: "1" }, { id: "x", name: "B", position: "2" }],
  }, /two have the id/],
  ["a name with a control character", {
    participants: [{ name: "A\u0000", position: "1" }, { name: "B", position: "2" }],
  }, /control characters/],
  ["three advocates without positions", {
    participants: [{ name: "A" }, { name: "B" }, { name: "C" }],
  }, /no position/],
  ["two moderators", {
    participants: [
      { name: "M", role: "moderator" },
      { name: "N", role: "moderator" },
      { name: "A", position: "1" },
      { name: "B", position: "2" },
    ],
  }, /2 moderators/],
  ["a role a debate has not", {
    participants: [{ name: "A", position: "1" }, { name: "B", position: "2" }, {
      name: "C",
      role: "jester",
    }],
  }, /jester/],
  ["a judge with a participant's id", { judges: [{ id: "advocate-a" }] }, /"advocate-a".*taken/],
  [
    "a hosted model without its key",
    { model: "openrouter:vendor/model" },
    /OPENROUTER_API_KEY|key/i,
  ],
  ["a source that is not there", { sources: ["/nowhere/at/all.md"] }, /nowhere/],
];
for (const [name, more, problem] of REFUSED) {
  Deno.test(`composeConvening() rejects ${name} as a configuration error`, async () => {
    await assert.rejects(composeConvening({ ...DEBATE, ...more }, NO_KEYS), (error: unknown) => {
      assert.ok(error instanceof ConfigurationError, String(error));
      assert.match(`${error.message} ${error.hint}`, problem);
      assert.ok(error.field !== undefined);
      return true;
    });
  });
}

Deno.test("composeConvening() keeps hostile names and positions unchanged and shows labels on one line", async () => {
  const agent = new Talker();
  const names = ["../../etc", 'No: "1:30"', "# 😀 \u202eمرحبا\nzwei"];
  const participants = names.map((name, i) => ({ id: `p${i}`, name, position: `${name} ${i}` }));
  const record = memoryRecord();
  const { result } = await drain(
    await composeConvening({ ...DEBATE, ...EARLIER_RULES, participants }, {
      ...NO_KEYS,
      agents: agentsOf(agent, "moderator", "p0", "p1", "p2"),
      record,
    }),
  );
  assert.deepEqual(result?.messages.slice(1, 4).map(({ name }) => name), names);
  assert.match(promptOf(agent.asked("closing/p2")), /speaker="# 😀 \u202eمرحبا zwei"/);
  for (const path of record.files.keys()) assert.match(path, /^[A-Za-z0-9_./-]+$/);
});

Deno.test("composeConvening() reads sources and rejects a damaged PDF and binary files", async () => {
  await withFolder(async (folder) => {
    const path = (name: string) => join(folder, name);
    await Deno.writeTextFile(path("notes.md"), "# Notes\n\nCars take up room.");
    await Deno.writeTextFile(path("paper.pdf"), "%PDF-1.7 …");
    await Deno.writeTextFile(path("blob.txt"), "a\u0000b");
    const agent = new Talker();
    const options = { ...NO_KEYS, agents: agentsOf(agent, "ada", "ben"), record: memoryRecord() };
    const config = { kind: "dialogue", topic: TOPIC, maxTurns: 2 } as const;
    await drain(await composeConvening({ ...config, sources: [path("notes.md")] }, options));
    assert.match(
      agent.requests[0]!.messages[0]!.content,
      /<source name="notes\.md">\n# Notes\n\nCars/,
    );
    assert.ok(options.record.files.has("sources/notes.md"));
    for (const name of ["paper.pdf", "blob.txt"]) {
      await assert.rejects(
        composeConvening({ ...config, sources: [path(name)] }, options),
        ConfigurationError,
      );
    }
  });
});

Deno.test("defaultModel() is offline only without a key and without a base URL", () => {
  const env = (name: string) => ({ env: (each: string) => each === name ? "value" : undefined });
  assert.equal(defaultModel(NO_KEYS), "offline");
  assert.equal(defaultModel(env("OPENAI_API_KEY")), "gpt-4o-mini");
  assert.equal(defaultModel({ ...NO_KEYS, baseUrl: "http://127.0.0.1:9/v1" }), "gpt-4o-mini");
  assert.equal(createAgent(undefined, NO_KEYS).model, "offline");
});

Deno.test("hostsOf() names every server that a configuration calls, none for the offline agent", () => {
  assert.deepEqual(hostsOf({ kind: "debate" }, NO_KEYS), []);
  const hosts = hostsOf({
    kind: "debate",
    model: "gpt-4o-mini",
    baseUrl: "http://127.0.0.1:8080/v1",
    moderatorModel: "ollama:llama3.2",
    judges: [{ model: "offline" }],
  }, NO_KEYS);
  assert.deepEqual(hosts.toSorted(), ["127.0.0.1:11434", "127.0.0.1:8080"].toSorted());
  const paper: PaperDebateConfig = { kind: "paper-debate", papers: ["x.pdf"] };
  assert.deepEqual(hostsOf(paper, NO_KEYS), [], "nothing is searched without a key");
  const env = (name: string) => name === "TAVILY_API_KEY" ? "key" : undefined;
  assert.deepEqual(
    hostsOf({ ...paper, model: "offline" }, { env }),
    ["api.tavily.com:443"],
    "debaters search the web",
  );
});
