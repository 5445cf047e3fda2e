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
import { STUDY as TEA } from "../studies/support/tea_study.ts";
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
      const place = join(out, id.slice(0, 10), id, path);
      await Deno.mkdir(dirname(place), { recursive: true });
      await Deno.writeTextFile(place, text);
    }
  }
}

/** Yields the output of every command with `--json`. */
async function* printed(
  folder: string,
  env: Readonly<Record<string, string>>,
): AsyncGenerator<Answer> {
  await Deno.writeTextFile(join(folder, "edit.md"), "Other words.");
  await Deno.writeTextFile(join(folder, "tea.yaml"), JSON.stringify(TEA));
  await Deno.writeTextFile(join(folder, "paper.md"), "# Trees\n\nTrees cool the air of streets.");
  const [dir, paper] = Object.values(IDS).map((id) => join("convenings", id.slice(0, 10), id));
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
  const others = ["serve", "open", "mcp", "worker", "init", "doctor"];
  const named = [...lines.map((line) => line.split(" ")[0]), ...others];
  assert.deepEqual(COMMANDS.map(({ name }) => name).filter((name) => !named.includes(name)), []);
  for (const line of lines) {
    const args = line.split(" ").map((word) => word === "TOPIC" ? TOPIC : word);
    const { stdout } = await runMain([...args, "--json", "--quiet"], { folder, env });
    for (const value of stdout.trim().split("\n")) yield [line, JSON.parse(value)];
  }
}

/** A study that clients may start. */
const STUDY = { ...TEA, study: "other" };

/** An object's schema. */
interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
}

/** Yields the schemas of all objects in a document, with their paths. */
function* objectsIn(schema: unknown, at = ""): Generator<readonly [at: string, ObjectSchema]> {
  if (schema === null || typeof schema !== "object") return;
  if ("properties" in schema) yield [at, schema as ObjectSchema];
  for (const [key, each] of Object.entries(schema)) yield* objectsIn(each, `${at}/${key}`);
}

/**
 * Yields the events of a record, and the documented names of all responses over HTTP. Responses are tested to match the
 * document, which allows no other names.
 */
async function* answered(server: Pick<Server, "fetch">): AsyncGenerator<Answer> {
  const get = async (path: string) =>
    await (await server.fetch(new Request(`http://127.0.0.1${path}`))).text();
  const events = (await get(`/api/convenings/${IDS.debate}/events`)).match(/(?<=^data: ).*/gm);
  for (const event of events!) yield ["events", JSON.parse(event)];
  const objects = [...objectsIn(JSON.parse(await get("/api/openapi.json")))];
  assert.ok(objects.length > 200);
  for (const [at, { properties, additionalProperties }] of objects) {
    yield [at, properties];
    const isOpen = !at.startsWith("/components/") || /\/(?:Event|configuration)(?:\/|$)/.test(at);
    assert.ok(isOpen || additionalProperties === false, at);
  }
}

/** Yields the structured content of every MCP tool, and the names of its arguments. */
async function* called(client: Client): AsyncGenerator<Answer> {
  const id = IDS.debate;
  const calls: (readonly [name: string, args?: Record<string, unknown>])[] = [
    ["run_study", { study: STUDY }],
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
    ["resume_study", { id: STUDY.study }],
    ["stop_study", { id: STUDY.study }],
    ["retry_study", { id: STUDY.study }],
    ["study_report", { id: STUDY.study }],
    ["export_study", { id: STUDY.study }],
  ];
  const { tools } = await client.listTools();
  const names = new Set(calls.map(([name]) => name));
  assert.deepEqual(tools.map(({ name }) => name).sort(), [...names].sort());
  for (const { name, inputSchema, outputSchema } of tools) {
    yield [`arguments of ${name}`, inputSchema.properties];
    yield [`results of ${name}`, outputSchema?.["properties"]];
  }
  for (const [name, args = {}] of calls) {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    // The debate has ended: nothing more is said in it.
    assert.equal(isError === true, name === "say", name);
    yield [name, structuredContent];
  }
}

withFolder.test("field names are in camelCase in the JSON of CLI, HTTP and MCP", async (folder) => {
  await using speaker = await startSpeaker();
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
