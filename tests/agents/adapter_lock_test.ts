// Runs with an adapter do not change the project's lock file; an embedder's lock belongs to Deno.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { join } from "@std/path";
import { copyProject } from "../support/project_copy.ts";
import { ROOT, runDeno } from "../support/deno_process.ts";
import { startOwnProtocolServer } from "../support/own_protocol_server.ts";
import { withFolder } from "../support/cli.ts";

const SPEECH =
  "Trams are quiet, cheap to run and carry many people at once, so a city should have them.";

/** Returns the arguments of a task of the project, without the task's last words. */
async function taskArgs(folder: string, task: string): Promise<string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(folder, "deno.json")));
  return tasks[task].command.split(" ").slice(1);
}

/** Runs a debate through an adapter by the project's task, in a copy of the project. */
async function debate(folder: string) {
  await using server = await startOwnProtocolServer([{ text: SPEECH }]);
  const configuration = {
    kind: "debate",
    topic: "Should cities have trams?",
    model: "mine:claude-opus-5-5",
    roundCount: 0,
    scoringEnabled: false,
    retry: { retries: 0 },
    providers: { mine: { baseUrl: `${server.origin}/v1`, adapter: "anthropic" } },
  };
  await Deno.writeTextFile(join(folder, "trams.yaml"), JSON.stringify(configuration));
  const end = await runDeno(
    [...await taskArgs(folder, "debate"), "--config", "trams.yaml", "--json"],
    { folder, env: { INIT_CWD: "" } },
  );
  return { ...end, requests: server.requests.length };
}

withFolder.test("a debate through an adapter does not change the project's lock", async (folder) => {
  await copyProject(folder);
  const lock = await Deno.readTextFile(join(folder, "deno.lock"));
  assert.doesNotMatch(lock, /@ai-sdk/);
  const good = await debate(folder);
  assert.equal(good.code, 0, good.stderr);
  assert.ok(good.requests > 2);
  assert.equal(await Deno.readTextFile(join(folder, "deno.lock")), lock);
});

withFolder.test("an embedder's lock is written by Deno, and the project's lock does not change", async (folder) => {
  await using server = await startOwnProtocolServer([{ text: "Yes." }]);
  const own = await Deno.readTextFile(join(ROOT, "deno.lock"));
  const { imports } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const mapped = Object.entries(imports as Record<string, string>).map(([name, to]) => [
    name,
    to.startsWith("./") ? pathToFileURL(join(ROOT, to)).href : to,
  ]);
  await Deno.writeTextFile(
    join(folder, "deno.json"),
    JSON.stringify({ nodeModulesDir: "none", imports: Object.fromEntries(mapped) }),
  );
  await Deno.copyFile(join(ROOT, "deno.lock"), join(folder, "deno.lock"));
  const providers = { mine: { baseUrl: `${server.origin}/v1`, adapter: "anthropic" } };
  await Deno.writeTextFile(
    join(folder, "main.ts"),
    `import { createAgent } from ${JSON.stringify(pathToFileURL(join(ROOT, "mod.ts")).href)};
     const agent = createAgent("mine:claude-opus-5-5", { providers: ${JSON.stringify(providers)} });
     const messages = [{ role: "user", content: "Yes?" }];
     console.log((await agent.reply({ messages, context: {} })).text);`,
  );
  const end = await runDeno(["run", "--no-check", "-A", "main.ts"], { folder });
  assert.equal(end.code, 0, end.stderr);
  assert.equal(end.stdout.trim(), "Yes.");
  assert.match(await Deno.readTextFile(join(folder, "deno.lock")), /@ai-sdk\/anthropic/);
  assert.equal(await Deno.readTextFile(join(ROOT, "deno.lock")), own);
});

Deno.test("neither lock nor import map of the project names an adapter", async () => {
  for (const name of ["deno.json", "deno.jsr.json", "deno.lock"]) {
    assert.doesNotMatch(await Deno.readTextFile(join(ROOT, name)), /@ai-sdk/, name);
  }
});
