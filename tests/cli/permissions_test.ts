// Permissions of the tasks in deno.json, and messages about missing ones.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { dirname, join } from "@std/path";
import { describe, it } from "@std/testing/bdd";
import project from "../../deno.json" with { type: "json" };
import { shellQuote } from "../../src/cli/io.ts";
import { TASK_HOSTS, TASK_VARIABLES } from "../../src/cli/permissions.ts";
import { jsonOf, namesIn, runCli, taskFlags, withFolder } from "../support/cli.ts";
import { OFFLINE, ran, runMain } from "../support/run_main.ts";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const TOPIC = "Ban-cars-from-city-centres";

Deno.test("tasks grant the permissions that the command names and no more", () => {
  for (const task of ["debate", "convenings", "study", "serve"] as const) {
    assert.deepEqual(taskFlags(task), [
      "--no-prompt",
      `--allow-net=${TASK_HOSTS.join(",")}`,
      "--allow-read",
      "--allow-write=.",
      "--ignore-env",
      `--allow-env=${TASK_VARIABLES.join(",")}`,
    ]);
  }
  for (const [name, { command }] of Object.entries(project.tasks)) {
    // The browser's driver needs all permissions.
    if (name !== "test:e2e") assert.doesNotMatch(command, / -A| --allow-all/);
  }
});

withFolder.test("a folder outside is rejected before anything happens, with the command that allows it", (outside) =>
  withFolder(async (folder) => {
    const args = ["debate", TOPIC, "--rounds", "0", "--out", join(outside, "archive"), "--json"];
    const end = await runCli(args, { folder });
    assert.equal(end.code, 2);
    assert.deepEqual(await namesIn(outside), []);
    const { hint } = jsonOf(end)["error"] as Record<string, unknown>;
    const [, command = ""] = String(hint).split("\n");
    const [program, ...words] = command.split(" ");
    assert.equal(program, "deno");
    const { code, stdout } = await new Deno.Command("deno", {
      args: words,
      cwd: folder,
      env: { OPENAI_API_KEY: "", OPENAI_BASE_URL: "" },
      stderr: "null",
    }).output();
    assert.equal(code, 0);
    const { dir } = JSON.parse(new TextDecoder().decode(stdout));
    assert.ok(dir.startsWith(join(outside, "archive")));
  }));

withFolder.test("another host is rejected before anything is written, with the command that allows it", async (folder) => {
  const args = ["debate", TOPIC, "--base-url", "http://models.example:8080/v1", "--json"];
  const end = await ran(args, { folder, permitted: OFFLINE }, 2);
  const { hint } = jsonOf(end)["error"] as Record<string, unknown>;
  assert.match(String(hint), /--allow-net=models\.example:8080 /);
  assert.deepEqual(await namesIn(folder), []);
});

withFolder.test("a configured provider's API key is requested by name", async (folder) => {
  await Deno.writeTextFile(
    join(folder, "own.yaml"),
    "model: own:m\nproviders: { own: { baseUrl: http://127.0.0.1:1/v1, apiKeyEnv: OWN_KEY } }\n",
  );
  const permitted = ({ name }: Deno.PermissionDescriptor) => name !== "env";
  const args = ["debate", TOPIC, "--config", "own.yaml", "--json"];
  const end = await ran(args, { folder, permitted }, 2);
  const { hint } = jsonOf(end)["error"] as Record<string, unknown>;
  assert.match(String(hint), /--allow-env=[A-Z_,]*OWN_KEY /);
});

withFolder.test("permissions for files of a configuration are requested before anything happens", (outside) =>
  withFolder(async (folder) => {
    const permitted = (asked: Deno.PermissionDescriptor) =>
      asked.name !== "read" || !String(asked.path).startsWith(outside);
    const cases = {
      "--memory": outside,
      "--rubric": join(outside, "own.yaml"),
    };
    for (const [flag, path] of Object.entries(cases)) {
      const end = await ran(["debate", TOPIC, flag, path, "--json"], { folder, permitted }, 2);
      const { message } = jsonOf(end)["error"] as Record<string, unknown>;
      assert.ok(String(message).includes(`read ${path}`), String(message));
    }
    assert.deepEqual(await namesIn(folder), []);
  }));

withFolder.test("the search's variables are requested only when claims are looked up", async (folder) => {
  const permitted = (asked: Deno.PermissionDescriptor) =>
    asked.name !== "env" || /^OPENAI_/.test(asked.variable ?? "");
  const args = ["debate", TOPIC, "--rounds", "0", "--json", "--quiet"];
  // With --ignore-env an unreadable variable counts as unset, so a search must be rejected explicitly.
  const checked = await ran([...args, "--fact-check", "standard"], { folder, permitted }, 2);
  assert.match(checked.stderr, /TAVILY_API_KEY/);
  await ran(args, { folder, permitted });
});

withFolder.test("relative paths are relative to the folder in which a task was called, and commands to copy name the task", async (folder) => {
  await Deno.writeTextFile(join(folder, "few.yaml"), "roundCount: 0\n");
  const flags = taskFlags("convenings").map((flag) =>
    flag === "--allow-write=." ? `--allow-write=${folder}` : flag
  );
  const end = await runCli(
    ["debate", TOPIC, "--config", "few.yaml", "--json", "--max-turns", "1"],
    { folder: ROOT, env: { INIT_CWD: folder }, flags },
  );
  assert.equal(end.code, 3, end.stdout);
  assert.match(end.stderr, /deno task convenings resume /);
  const dir = String(jsonOf(end)["dir"]);
  assert.ok(dir.startsWith(join(folder, "convenings")));
});

withFolder.test("INIT_CWD of another program is ignored", async (folder) => {
  const end = await runCli(["init"], { folder, env: { INIT_CWD: "/" } });
  assert.equal(end.code, 0, end.stderr);
  assert.deepEqual(await namesIn(folder), ["convenings.yaml"]);
});

withFolder.test("a run without permissions prints the whole command", async (folder) => {
  const ends = [
    await runCli(["debate", TOPIC, "--json"], { folder, flags: ["--no-prompt"] }),
    await runMain(["list", "--json"], { folder, permitted: () => false }),
  ];
  for (const end of ends) {
    assert.equal(end.code, 2, end.stderr);
    const { hint } = jsonOf(end)["error"] as Record<string, unknown>;
    assert.match(
      String(hint),
      /\ndeno run --no-prompt .*--allow-read.* --ignore-env .*\.ts /,
    );
  }
});

withFolder.test("the command that allows a run allows its hosts and its folder too", async (folder) => {
  const at = ["debate", "--out", "/elsewhere", "--model"];
  const proposed = ["m", "--base-url", "http://models.example/v1", "--topic-from", "Trams"];
  const stop = ["study", "stop", "nope", "--queue", "redis://h:1"];
  const cases = [
    [["serve"], false, /--allow-net=\S*\b127\.0\.0\.1\b.* --allow-write=/],
    [["debate", TOPIC], false, /--allow-net=\S*\bapi\.openai\.com\b.* --allow-write=/],
    [["mcp", "--read-only"], false, /^(?!.*--allow-write)/],
    // Needs that a later check would add: the archive, and the servers of other roles.
    [[...at, "local", TOPIC], true, /--allow-net=api\.\S*:8080.* --allow-write=\/elsewhere /],
    [[...at, ...proposed], true, /--allow-net=models\.example:80 .* --allow-write=\/elsewhere /],
    // An earlier check found that the folder may be written; a list needs neither hosts nor a folder.
    [stop, true, /--allow-net=h:1 .* --allow-write=\S+nope /, "read env write"],
    // Deno reads a comma as the end of a path.
    [["debate", TOPIC, "--out", "/elsewhere,x"], true, /^$/],
    [["list"], true, /^deno run --no-prompt --allow-read --ignore-env /, "env"],
  ] as const;
  for (const [args, ignoresEnv, line, granted = "read env"] of cases) {
    const permitted = ({ name }: Deno.PermissionDescriptor) => granted.includes(name);
    const { stderr } = await ran(args, { folder, permitted, ignoresEnv }, 2);
    assert.match(stderr.split("\n").find((each) => each.startsWith("deno run")) ?? "", line);
  }
});

describe("shellQuote()", () => {
  it("shellQuote() leaves plain words unquoted and quotes the rest", () => {
    assert.equal(shellQuote("--rounds=3"), "--rounds=3");
    assert.equal(shellQuote(""), "''");
    assert.equal(shellQuote("a b"), "'a b'");
    assert.equal(shellQuote("$HOME `id`"), "'$HOME `id`'");
    assert.equal(shellQuote("it's"), `'it'\\''s'`);
    assert.equal(shellQuote("C:\\a\\b", "windows"), "C:\\a\\b");
    assert.equal(shellQuote('C:\\it\'s "a"', "windows"), '"C:\\it\'s \\"a\\""');
  });
});
