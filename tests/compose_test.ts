// Workflows composed from a configuration.
import { EARLIER_RULES } from "./support/earlier_rules.ts";
import assert from "node:assert/strict";
import { composeConvening, type DebateWorkflowResult, memoryRecord } from "../mod.ts";
import type { PaperDebateConfig } from "../papers.ts";
import { hostsOf } from "../src/inputs/servers.ts";
import { drain, promptOf, Talker, TOPIC } from "./support/talkers.ts";

const DEBATE = { kind: "debate", topic: TOPIC, roundCount: 0 } as const;
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

Deno.test("composeConvening() notes that a debate's topic has no two sides", async () => {
  const notes: string[] = [];
  const inputs = { ...NO_KEYS, record: memoryRecord(), note: (text: string) => notes.push(text) };
  const config = { ...DEBATE, topic: "Why do cities ban cars?" };
  for (const positions of [undefined, ["Noise", "Smog"]]) {
    await composeConvening({ ...config, positions }, inputs);
  }
  const wrong = { ...config, model: "anthropic:m" };
  await assert.rejects(composeConvening(wrong, inputs), /ANTHROPIC_API_KEY is not set/);
  assert.equal(notes.length, 1, "a refused debate has no note");
  assert.match(notes[0]!, /^A question that begins with "why" has no two sides/);
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

Deno.test("composeConvening() gives participants ids of their own if their names give the same id", async () => {
  const participants = [{ name: "C" }, { name: "C++" }, { name: "X", id: "c-2" }, { name: "C#" }];
  const config = { kind: "dialogue", topic: TOPIC, model: "offline", participants } as const;
  const workflow = await composeConvening(config, NO_KEYS);
  assert.deepEqual(workflow.participants.map(({ id }) => id), ["c", "c-3", "c-2", "c-4"]);
});

Deno.test("composeConvening() refuses a wrong key or value of a built-in kind, as the compiler does", async () => {
  // @ts-expect-error the key is roundCount
  const misspelt = composeConvening({ kind: "debate", topic: TOPIC, roundsCount: 3 });
  await assert.rejects(misspelt, { field: "roundsCount" });
  // @ts-expect-error a number is required
  const composed = composeConvening({ kind: "debate", topic: TOPIC, roundCount: "three" });
  await assert.rejects(composed, { field: "roundCount" });
});

Deno.test("composeConvening() needs no files of papers if papers are given", async () => {
  const text = "Passengers are counted at both piers.";
  const papers = [{ id: "ferry", title: "An electric ferry", text }];
  const config = { kind: "paper-debate", model: "offline" } as const;
  const workflow = await composeConvening(config, { ...NO_KEYS, papers });
  assert.equal(workflow.topic, "An electric ferry");
});

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
