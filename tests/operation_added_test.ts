// Adding an operation: the new file, and the lines that change elsewhere.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { withFolder } from "./support/cli.ts";
import { runDeno } from "./support/deno_process.ts";
import { keepRecord } from "./operations/support/kept_record.ts";
import { messageOf } from "./record/support/fixtures.ts";
import { copyProject } from "./support/project_copy.ts";

/** File of the operation, which counts the words of each participant. */
const OPERATION = `// Counts the words of each participant.
import { z } from "zod";
import { openConvening } from "./convening.ts";
import { dirOf } from "./client_view.ts";
import { ID, OF_CONVENING, type Operation, operation } from "./operation.ts";
import { named } from "./outputs.ts";

/** \`GET /api/convenings/{id}/words\`. */
export const WORDS: Operation = operation({
  name: "words",
  summary: "Counts the words of each participant.",
  tags: ["reading"],
  method: "get",
  path: "/api/convenings/{id}/words",
  writes: false,
  errors: OF_CONVENING,
  tool: { title: "Count words", about: "How many words each participant said." },
  input: z.strictObject({ id: ID, least: z.int().min(0).default(0).describe("The fewest words.") }),
  output: named("Words", z.object({ words: z.record(z.string(), z.int()) })),
  async run(context, { id, least }) {
    const { messages } = await openConvening(await dirOf(context, id));
    const words: Record<string, number> = {};
    for (const { participant, body } of messages) {
      words[participant] = (words[participant] ?? 0) + body.split(/\\s+/).length;
    }
    const enough = Object.entries(words).filter(([, count]) => count >= least);
    return { words: Object.fromEntries(enough) };
  },
});
`;
/** Lines that are added to other files. */
const LINES: Readonly<Record<string, readonly (readonly [before: string, line: string])[]>> = {
  "src/operations/table.ts": [
    ['import { MODELS } from "./models.ts";\n', 'import { WORDS } from "./words.ts";\n'],
    ["  VERIFY,\n", "  WORDS,\n"],
  ],
  "src/cli/main.ts": [[
    '  ...commandsOf("Reading and keeping:", {\n',
    `    "words <dir>": [async () => {
      const { operationCommand } = await import("./operation_command.ts");
      const { WORDS } = await import("../operations/words.ts");
      return operationCommand(WORDS);
    }, "count words"],\n`,
  ]],
};

/** Program that calls the operation over HTTP, over MCP and as a command, and reads its entry in the OpenAPI document. */
const DOORS = `
import { processIo } from "./src/cli/io.ts";
import { main } from "./src/cli/main.ts";
import { createServer } from "./src/server/mod.ts";
import { createMcpServer } from "./src/mcp/mod.ts";

const [out, dir, id] = Deno.args;
const server = createServer({ out: out!, models: { model: "offline" } });
const get = async (path: string) =>
  await (await server.fetch(new Request("http://127.0.0.1" + path))).json();
const { paths } = await get("/api/openapi.json");
const mcp = createMcpServer({ out: out! });
const accept = "application/json, text/event-stream";
const answer = await mcp.fetch(new Request("http://127.0.0.1/mcp", {
  method: "POST",
  headers: { "content-type": "application/json", accept },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "words", arguments: { id } },
  }),
}));
const data = (await answer.text()).split("\\n").find((line) => line.startsWith("data: "));
let printed = "";
const args = ["words", dir!, "--least", "1", "--json"];
const code = await main({ ...processIo(), args, out: (text) => void (printed += text) });
console.log(JSON.stringify({
  code,
  command: JSON.parse(printed),
  document: paths["/api/convenings/{id}/words"].get.parameters.map(({ name }) => name),
  http: await get("/api/convenings/" + id + "/words"),
  bad: (await get("/api/convenings/" + id + "/words?least=x")).error.field,
  mcp: JSON.parse(data.slice(6)).result.structuredContent,
}));
await server.close();
await mcp.close();
`;

withFolder.test("an operation is added by one file and a line in two tables: command, route, document and tool", async (folder) => {
  const project = join(folder, "project");
  await copyProject(project);
  const touched = ["src/operations/words.ts", ...Object.keys(LINES)];
  await Deno.writeTextFile(join(project, touched[0]!), OPERATION);
  for (const [path, lines] of Object.entries(LINES)) {
    let text = await Deno.readTextFile(join(project, path));
    for (const [before, line] of lines) {
      assert.ok(text.includes(before), `${path}: ${before}`);
      text = text.replace(before, `${before}${line}`);
    }
    await Deno.writeTextFile(join(project, path), text);
  }
  assert.deepEqual(touched, [
    "src/operations/words.ts",
    "src/operations/table.ts",
    "src/cli/main.ts",
  ]);
  await Deno.writeTextFile(join(project, "doors.ts"), DOORS);
  const out = join(folder, "archive");
  const dir = await keepRecord(out, [1, 2, 3].map((seq) => messageOf(seq)));
  const id = dir.split("/").at(-1)!;
  const run = ["run", "--no-prompt", "--allow-read", "--allow-write=" + folder, "--allow-env"];
  const doors = await runDeno([...run, "doors.ts", out, dir, id], { folder: project });
  assert.equal(doors.code, 0, doors.stderr);
  const { code, command, document, http, bad, mcp } = JSON.parse(doors.stdout);
  assert.deepEqual(document, ["id", "least", "If-None-Match"]);
  assert.equal(bad, "least");
  assert.ok(Object.values(http.words).every((count) => Number(count) > 1), doors.stdout);
  assert.equal(Object.keys(mcp.words).length, Object.keys(http.words).length);
  assert.deepEqual([code, command], [0, { dir, ...http }]);
});
