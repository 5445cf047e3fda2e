// Field names in the JSON of CLI, HTTP and MCP are in camelCase, whatever the record's files have.
import assert from "node:assert/strict";
import type { Client } from "@modelcontextprotocol/client";
import { dirname, join } from "@std/path";
import { createServer, type Server } from "../../src/server/server.ts";
import { COMMANDS } from "../../src/cli/main.ts";
import { connected } from "../mcp/support/mcp_client.ts";
import { withFolder } from "../support/cli.ts";
import { GOLDEN } from "../support/golden.ts";
import { filesUnder } from "../support/golden_runs.ts";
import { runMain } from "../support/run_main.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";

/** Fields whose keys are ids: of criteria, participants, models, kinds. */
const MAPS =
  /^(breakdown|byKind|byParticipant|byStatus|criteria|holds|models|scores|sides|spread|standings|weights)$/;
/** Fields whose value comes unchanged from a model or a program. */
const VALUES = /^(args|data|fields|private|value)$/;

/** Returns the names in snake_case with their paths. */
function snakeNames(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => snakeNames(each, `${at}[]`));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...key.includes("_") && !MAPS.test(at) ? [`${at}.${key}`] : [],
    ...VALUES.test(key) ? [] : snakeNames(each, key),
  ]);
}

const TOPIC = "Is remote work good for cities?";
const IDS = { debate: "2026-01-02T03-04-05_debate", paper: "2026-01-02T03-04-06_paper-debate" };
/** A request and its JSON response. */
type Answer = readonly [asked: string, value: unknown];

/** Puts records with files of every type into an archive. */
async function putRecords(out: string): Promise<void> {
  for (const [golden, id] of [["findings", IDS.debate], ["paper", IDS.paper]] as const) {
    for (const [path, text] of await filesUnder(join(GOLDEN, golden))) {
      await Deno.mkdir(dirname(join(out, id, path)), { recursive: true });
      await Deno.writeTextFile(join(out, id, path), text);
    }
  }
}

/** Yields the output of every command with `--json`. */
async function* printed(
  folder: string,
  env: Readonly<Record<string, string>>,
): AsyncGenerator<Answer> {
  await Deno.writeTextFile(join(folder, "edit.md"), "Other words.");
  await Deno.writeTextFile(
    join(folder, "tea.yaml"),
    JSON.stringify({ ...STUDY, study: "tea" }),
  );
  await Deno.writeTextFile(join(folder, "paper.md"), "# Trees\n\nTrees cool the air of streets.");
  const [dir, paper] = Object.values(IDS).map((id) => join("convenings", id));
  const lines = [
    `index ${dir}`,
    `index ${paper}`,
    `debate TOPIC --rounds 1 --model ${MODEL} --dry-run`,
    `debate TOPIC --rounds 1 --model ${MODEL}`,
    `dialogue TOPIC --max-turns 2 --model ${MODEL}`,
    `consensus TOPIC --max-turns 2 --model ${MODEL}`,
    `paper questions paper.md --model ${MODEL}`,
    `paper paper.md --pick 1 --postures 2 --model ${MODEL}`,
    `topics towns --n 2 --model ${MODEL}`,
    "list",
    `show ${dir}`,
    `show ${dir} 1`,
    `show ${paper} 4`,
    `show ${paper}`,
    `scores ${dir}`,
    `claims ${dir}`,
    `ask ${dir} cars`,
    "search cars",
    `watch ${dir}`,
    `watch ${paper}`,
    `export ${dir} --format md`,
    `verify ${dir}`,
    `pause ${dir}`,
    `resume ${dir}`,
    `judge ${dir} --model ${MODEL}`,
    `brief ${dir} --model ${MODEL}`,
    `flow ${dir} --model ${MODEL}`,
    `fork ${dir} --at 1 --edit edit.md`,
    "delete latest",
    `restore ${join("convenings", "trash", "latest")}`,
    `say ${dir}`,
    "schema",
    "models",
    "models o3",
    "demo",
    "study run tea.yaml",
    "study status tea",
    "study report tea",
    "study export tea",
    "study run tea.yaml --dry-run",
    "study stop tea",
    "site",
  ];
  const named = [
    ...lines.map((line) => line.split(" ")[0]),
    "serve",
    "open",
    "mcp",
    "worker",
    "init",
    "doctor",
  ];
  assert.deepEqual(COMMANDS.map(({ name }) => name).filter((name) => !named.includes(name)), []);
  for (const line of lines) {
    const args = line.split(" ").map((word) => word === "TOPIC" ? TOPIC : word);
    const { stdout } = await runMain([...args, "--json", "--quiet"], { folder, env });
    for (const value of stdout.trim().split("\n")) yield [line, JSON.parse(value)];
  }
}

/** A study that clients may start. */
const STUDY = {
  study: "other",
  base: { kind: "debate", roundCount: 1, model: "offline" },
  topics: [{ id: "tea", topic: TOPIC }],
  contestants: [{ id: "a" }, { id: "b", persona: "lawyer" }],
  judges: [{ model: "offline" }],
};

/** Routes that return no JSON, have a format of their own, or send the events of other routes. */
const OTHERS = /mas-debate|\/mcp|\/export|\/files|\/socket|openapi|archive\/events/;

/** Yields the responses and events of every HTTP route. */
async function* answered(server: Pick<Server, "fetch">): AsyncGenerator<Answer> {
  const [at, paper] = Object.values(IDS).map((id) => `/api/convenings/${id}`);
  const requests: (readonly [path: string, body?: unknown])[] = [
    ["/healthz"],
    ["/api/convenings"],
    ["/api/convenings", { kind: "dialogue", topic: TOPIC, maxTurns: 2 }],
    ["/api/convenings", { kind: "dialogue", topic: TOPIC, max_turns: 2 }],
    ...[at, paper].flatMap((each) =>
      [
        "",
        "/messages",
        "/messages/1",
        "/scores",
        "/verdicts",
        "/claims",
        "/facts",
        "/verify",
        "/events",
      ]
        .map((part) => [each + part] as const)
    ),
    ["/api/search?q=cars"],
    ["/api/topics", { subject: "towns", count: 2 }],
    ["/api/papers", { title: "Trees", text: "Streets with trees are cooler at noon." }],
    ["/api/kinds"],
    ["/api/models"],
    ["/api/models?name=o3"],
    ["/api/papers"],
    ["/api/papers/trees"],
    [`${at}/ask`, { question: "cars" }],
    [`${at}/brief`, { model: MODEL }],
    [`${at}/flow`, { model: MODEL }],
    [`${at}/fork`, { at: 1 }],
    [`${at}/restore`, {}],
    [`${at}/judge`, { models: [MODEL] }],
    [`${at}/pause`, {}],
    [`${at}/stop`, {}],
    [`${at}/resume`, {}],
    [`${at}/say`, { text: "Listen.", interject: true }],
    [`${at}/next-turn`, {}],
    ["/api/study-plans", STUDY],
    ["/api/studies", STUDY],
    ["/api/studies/other?within=60"],
    ["/api/studies"],
    ...["/debates", "/events"].map((part) => [`/api/studies/other${part}`] as const),
    ...["/run", "/retry", "/report", "/export", "/stop"].map((part) =>
      [`/api/studies/other${part}`, {}] as const
    ),
  ];
  const document = await server.fetch(new Request("http://127.0.0.1/api/openapi.json"));
  const paths = Object.keys((await document.json()).paths).filter((path) => !OTHERS.test(path));
  assert.deepEqual(
    paths.filter((path) => {
      const route = new URLPattern({ pathname: path.replaceAll(/\{(\w+)\}/g, ":$1") });
      return !requests.some(([asked]) => route.test(`http://127.0.0.1${asked}`));
    }),
    [],
  );
  for (const [path, body] of requests) {
    const answer = await server.fetch(
      new Request(`http://127.0.0.1${path}`, {
        ...body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
        headers: { "content-type": "application/json" },
      }),
    );
    const text = await answer.text();
    const parts = text.startsWith("{") ? [text] : text.match(/(?<=^data: ).*/gm) ?? [];
    assert.ok(parts.length > 0, path);
    for (const part of parts) yield [path, JSON.parse(part)];
  }
}

/** Yields the structured content of every MCP tool, and the names of its arguments. */
async function* called(client: Client): AsyncGenerator<Answer> {
  const id = IDS.debate;
  const calls: (readonly [name: string, args?: Record<string, unknown>])[] = [
    ["list"],
    ["search", { query: "cars" }],
    ["read_facts", { id }],
    ["ask", { id, question: "cars" }],
    ["verify", { id }],
    ["list_kinds"],
    ["plan_study", { study: STUDY }],
    ["list_studies"],
    ["study_status", { id: STUDY.study, within: 60 }],
    ["study_debates", { id: STUDY.study }],
    ["read_page", { id }],
    ["read_index", { id }],
    ["read_message", { id, seq: 1 }],
    ...["private", "rejected", "facts"].map((part) =>
      ["read_message", { id, seq: 1, part }] as const
    ),
    ["read_messages", { id, beside: true }],
    ["read_scores", { id, reasons: true }],
    ["status", { id }],
    ["run", { config: { kind: "debate", topic: TOPIC, roundCount: 1 }, wait: true }],
    ["resume", { id }],
    ["say", { id, text: "Listen.", interject: true }],
    ["next_turn", { id }],
    ["pause", { id }],
    ["stop", { id }],
    ["fork", { id, at: 1 }],
    ["delete", { id }],
    ["restore", { id }],
    ["judge", { id, models: [MODEL] }],
    ["brief", { id: IDS.debate, model: MODEL }],
    ["flow", { id: IDS.debate, model: MODEL }],
    ["run_study", { study: STUDY }],
    ["resume_study", { id: STUDY.study }],
    ["stop_study", { id: STUDY.study }],
    ["retry_study", { id: STUDY.study }],
    ["study_report", { id: STUDY.study }],
    ["export_study", { id: STUDY.study }],
  ];
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), [...new Set(calls.map(([name]) => name))]);
  for (const { name, inputSchema, outputSchema } of tools) {
    yield [`arguments of ${name}`, inputSchema.properties];
    yield [`results of ${name}`, outputSchema?.["properties"]];
  }
  for (const [name, args = {}] of calls) {
    yield [name, (await client.callTool({ name, arguments: args })).structuredContent];
  }
}

Deno.test("field names are in camelCase in the JSON of CLI, HTTP and MCP", async () => {
  await using speaker = await startSpeaker();
  await withFolder(async (folder) => {
    const out = join(folder, "convenings");
    await putRecords(out);
    const found: string[] = [];
    const look = async (answers: AsyncGenerator<Answer>) => {
      for await (const [asked, value] of answers) {
        for (const name of snakeNames(value)) found.push(`${asked}: ${name}`);
      }
    };
    await look(printed(folder, speaker.env));
    const server = createServer({ out, models: { model: MODEL, baseUrl: speaker.url } });
    try {
      await look(answered(server));
      const client = await connected(server);
      await look(called(client));
      await client.close();
    } finally {
      await server.close();
    }
    assert.deepEqual(found, []);
  });
});
