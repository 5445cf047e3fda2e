// Configuration files: reading them, `init`, the search upwards from a folder, and `doctor`.
import assert from "node:assert/strict";
import { basename, dirname, join } from "@std/path";
import { parseConfig } from "../../mod.ts";
import { readConfigFile } from "../../src/cli/config_file.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { ran, runMain } from "../support/run_main.ts";
import { TOPIC } from "../support/talkers.ts";

const refused = { name: "ConfigurationError", field: "--config" };

const RECORD =
  "---\nformat: convenings/1\ntype: metadata\nconfiguration:\n  kind: debate\n---\n\n# Text\n";

/** Texts of files with their settings; undefined for a file that is rejected. */
const FILES: readonly (readonly [what: string, text: string, path: string, settings?: object])[] = [
  ["YAML", "topic: A topic\nroundCount: 2\n", "/a.yaml", { topic: "A topic", roundCount: 2 }],
  ["YAML between lines of dashes", "---\ntopic: No\n---\n", "/a.yaml", { topic: "No" }],
  ["words", "a: No\nb: 1:30\nc: 2026-01-01\n", "/a.yaml", { a: "No", b: "1:30", c: "2026-01-01" }],
  ["a record's configuration", RECORD, "/a/metadata.md", { kind: "debate" }],
  ["a list", "- a\n", "/a.yaml"],
  ["a list in itself", "topic: &a [*a]\n", "/a.yaml"],
  ["an empty file", "", "/a.yaml"],
  ["comments alone", "# topic: A topic\n\n", "/a.yaml"],
  ["broken YAML", "a: [1\n", "/a.yaml"],
  ["a key that is given twice", "a: 1\na: 2\n", "/a.yaml"],
  ["markdown without front matter", "# Hello\n", "/a.md"],
  ["front matter without a configuration", "---\na: 1\n---\n", "/a.md"],
];

for (const [what, text, path, settings] of FILES) {
  Deno.test(`readConfigFile() ${settings === undefined ? "rejects" : "reads"} ${what}`, async () => {
    if (settings !== undefined) return assert.deepEqual(await readConfigFile(text, path), settings);
    await assert.rejects(() => readConfigFile(text, path), refused);
  });
}

Deno.test("readConfigFile() prints the line that is not valid YAML", async () => {
  const hint = /^ {2}a: b\nGive a YAML file/;
  await assert.rejects(() => readConfigFile("topic: x\n  a: b\n", "/a.yaml"), { ...refused, hint });
});

withFolder.test("init writes a convenings.yaml once, and each key in it belongs to every kind or to debates", async (folder) => {
  const { code, stdout } = await runMain(["init"], { folder });
  const path = join(folder, "convenings.yaml");
  assert.deepEqual([code, stdout], [0, `${path}\n`]);
  const file = { folder: join(folder, "convenings.yaml") };
  const unwritable = await ran(["init"], file, 1);
  assert.match(unwritable.stderr, /^error: Cannot write .*: a part of the path is a file/);
  const again = await ran(["init"], { folder }, 2);
  assert.match(again.stderr, /the file exists already/);
  const text = await Deno.readTextFile(path);
  const keys = text.replaceAll(/^( *)# ( *[a-zA-Z]+:)/gm, "$1$2");
  const models = /^model: .*\n/gm;
  for (const [model] of [...keys.matchAll(models), [""]]) {
    const file = {
      ...await readConfigFile(keys.replaceAll(models, "") + model, path),
      topic: TOPIC,
    };
    assert.ok(Object.keys(file).length > 15);
    assert.equal(parseConfig({ ...file, kind: "debate" }).topic, TOPIC);
  }
});

withFolder.test("a convenings.yaml is searched from the folder upwards; flags and --config take precedence, and keys of other kinds are ignored", async (parent) => {
  const folder = join(parent, "a/b");
  await Deno.mkdir(folder, { recursive: true });
  const path = join(parent, "convenings.yaml");
  await Deno.writeTextFile(path, "roundCount: 1\nout: kept\n");
  const planOf = async (...args: string[]) => {
    const end = await runMain([...args, "--dry-run", "--json"], { folder });
    return { ...end, json: jsonOf(end) };
  };
  const one = await planOf("debate", TOPIC);
  assert.equal(one.json["out"], join(parent, "kept"));
  assert.match(one.stderr, new RegExp(`^Settings: ${path}$`, "m"));
  const two = await planOf("debate", TOPIC, "--rounds", "2", "--out", "mine");
  assert.ok(Number(two.json["turns"]) > Number(one.json["turns"]));
  assert.equal(two.json["out"], join(folder, "mine"));
  const dialogue = await planOf("dialogue", TOPIC);
  assert.equal(dialogue.json["out"], join(parent, "kept"), dialogue.stderr);

  await Deno.writeTextFile(join(folder, "own.yaml"), `topic: ${TOPIC}\n`);
  const own = await planOf("debate", "--config", "own.yaml");
  assert.equal(own.json["out"], join(parent, "kept"));

  await Deno.writeTextFile(path, "kind: consensus\nout: kept\n");
  const other = await planOf("debate", TOPIC);
  assert.equal(other.json["out"], join(parent, "kept"));
  assert.match(other.stderr, /^Only out of .* is used: it has the kind "consensus"/m);
  await Deno.writeTextFile(path, "kind: paper\n");
  for (const more of [[], ["--config", path]]) {
    const { stderr } = await planOf("debate", TOPIC, ...more);
    assert.match(stderr, /Cannot use kind: "paper" .*\nDid you mean "paper-debate"\?/);
  }
  // A kind of a module that is not loaded.
  await Deno.writeTextFile(path, "kind: delphi\nout: kept\n");
  const apart = await planOf("debate", TOPIC);
  assert.equal(apart.json["out"], join(parent, "kept"));
  assert.match(apart.stderr, /^Only out of .* is used: it has the kind "delphi"/m);
  await Deno.writeTextFile(path, "roundcount: 1\n");
  assert.equal((await planOf("debate", TOPIC)).code, 2);
  await Deno.writeTextFile(path, "roundCount: many\n");
  assert.match((await planOf("debate", TOPIC, "--rounds", "1")).stderr, /Cannot use roundCount:/);
});

withFolder.test("every command uses the archive of a found convenings.yaml", async (parent) => {
  const folder = join(parent, "a");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(parent, "convenings.yaml"), "roundCount: 0\nout: kept\n");
  const run = async (...args: string[]) => jsonOf(await ran([...args, "--json"], { folder }));
  const { dir } = await run("debate", TOPIC);
  assert.equal(dirname(dirname(String(dir))), join(parent, "kept"));
  const id = basename(String(dir));
  const listed = (await run("list"))["convenings"] as readonly { readonly dir: string }[];
  assert.deepEqual(listed.map((each) => each.dir), [dir]);
  assert.equal((await run("show", "latest"))["id"], id);
  assert.equal((await run("verify", id))["dir"], dir);
  await run("delete", id);
  assert.equal((await run("restore", id))["dir"], dir);
  const page = await ran(["site"], { folder });
  assert.equal(page.code, 0, page.stderr);
  const found = join(parent, "convenings.yaml");
  await Deno.writeTextFile(found, "---\nout: kept\n---\n");
  assert.equal((await run("show", "latest"))["id"], id);
  await Deno.writeTextFile(found, "# out: kept\n");
  assert.deepEqual((await run("list"))["convenings"], []);
  for (const text of ["out: [\n", "out: 5\n", 'out: ""\n', "o\0u\0t\0"]) {
    await Deno.writeTextFile(found, text);
    const { code, stderr } = await runMain(["list"], { folder });
    assert.deepEqual([code, /^error: Cannot .*convenings\.yaml": /.test(stderr)], [2, true]);
    const trash = join(parent, "none/trash/2026-01-01/2026-01-01T00-00-00_debate");
    assert.match((await runMain(["restore", trash], { folder })).stderr, /it is not in the trash/);
    assert.equal((await run("show", String(dir)))["id"], id);
  }
});

withFolder.test("no API key is sent to the base URL of a convenings.yaml that was found, unless the host is allowed", async (folder) => {
  await Deno.writeTextFile(
    join(folder, "convenings.yaml"),
    "baseUrl: http://127.0.0.1:9/v1\nmodel: some-model\n",
  );
  const args = ["debate", TOPIC, "--dry-run"];
  const env = { OPENAI_API_KEY: "a-key" };
  const { stderr } = await ran(args, { folder, env }, 2);
  assert.match(stderr, /OPENAI_API_KEY would be sent to 127\.0\.0\.1:9/);
  for (const more of [["--allow-base-url", "127.0.0.1:9"], ["--config", "convenings.yaml"]]) {
    await ran([...args, ...more], { folder, env });
  }
});

withFolder.test("doctor prints which keys are set without their values, and exits with 1 if something is missing", async (folder) => {
  const env = { OPENAI_API_KEY: "sk-secret" };
  const well = await ran(["doctor"], { folder, env });
  assert.match(well.stdout, /^ {2}OPENAI_API_KEY +set +OpenAI$/m);
  assert.match(well.stdout, /^ {2}TAVILY_API_KEY +not set +searches of the web$/m);
  assert.match(well.stdout, /^Configuration: none; init writes one$/m);
  assert.match(well.stdout, /^Nothing is missing\.$/m);
  const { stdout: unset } = await ran(["doctor"], { folder });
  assert.match(unset, /^No model is set up[^]*^Nothing else is missing\.$/m);
  assert.ok(!`${well.stdout}${well.stderr}`.includes("sk-secret"));
  assert.deepEqual(await namesIn(folder), []);

  const azure =
    "model: azure:mine\nproviders: { azure: { baseUrl: http://127.0.0.1:9/v1, apiKeyEnv: AZURE_KEY } }\n";
  await Deno.writeTextFile(join(folder, "azure.yaml"), azure);
  const keyless = await ran(["doctor", "--config", "azure.yaml"], { folder }, 1);
  assert.match(
    keyless.stdout,
    /^Findings:\n {2}Cannot use model "azure:mine": AZURE_KEY is not set$/m,
  );

  const cast = "moderatorModel: replay:gone\njudges: [{ model: openrouter:vendor/name }]\n";
  await Deno.writeTextFile(join(folder, "cast.yaml"), cast);
  const { stdout: roles } = await ran(["doctor", "--config", "cast.yaml"], { folder }, 1);
  assert.match(
    roles,
    /^ {2}Cannot use model "openrouter:vendor\/name": OPENROUTER_API_KEY is not/m,
  );
  assert.match(roles, /^ {2}Cannot read \/.*\/gone: no convening is there/m);

  const args = ["doctor", "--out", "/proc/nothing", "--json"];
  await Deno.writeTextFile(join(folder, "convenings.yaml"), "roundcount: 1\n");
  const ill = await ran(args, { folder, permitted: ({ name }) => name === "read" }, 1);
  const { configuration, findings } = jsonOf(ill);
  assert.equal(configuration, join(folder, "convenings.yaml"));
  const found = (findings as string[]).join("\n");
  for (const each of ["roundcount", "reach api.openai.com", "write under /proc/nothing"]) {
    assert.ok(found.includes(each), found);
  }
  const { stdout } = await ran(args, { folder }, 1);
  assert.match(stdout, /Nothing can be written in \/proc\/nothing/);
});
