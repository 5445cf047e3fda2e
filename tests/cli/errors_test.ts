import assert from "node:assert/strict";
import { join } from "@std/path";
import { jsonOf, namesIn, runCli, withFolder } from "../support/cli.ts";

const TOPIC = "Should cities ban private cars from their centres?";

/** What is refused before anything is written: the arguments, and what the error says. */
const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /no command/],
  [["debat", TOPIC], /Did you mean debate/],
  [["debate", TOPIC, "--fromat", "casual"], /Did you mean --format/],
  [["debate", TOPIC, "--format", "loud"], /formal, casual, educational, competitive/],
  [["debate"], /no topic/],
  [["debate", "short"], /10 to 200/],
  [["debate", "x".repeat(201)], /10 to 200/],
  [["debate", "A topic\nof two lines"], /control characters/],
  [["debate", "A topic \x1b[31mwith colour"], /control characters/],
  [["debate", "Should", "cities", "ban", "cars"], /in quotes/],
  [["debate", TOPIC, "--position", "Only one"], /--position/],
  [["debate", TOPIC, "--position", "Same", "--position", "same"], /position/],
  [["debate", TOPIC, "--position", "", "--position", "b"], /position/],
  [["debate", TOPIC, "--rounds", "many"], /--rounds/],
  [["debate", TOPIC, "--rounds", "-1"], /--rounds/],
  [["debate", TOPIC, "--rounds", "5000"], /--rounds/],
  [["debate", TOPIC, "--rounds"], /--rounds/],
  [["debate", TOPIC, "--out", "--rounds", "3"], /--out/],
  [["debate", TOPIC, "--temperature", "3"], /--temperature/],
  [["debate", TOPIC, "--max-duration", "soon"], /--max-duration/],
  [["debate", TOPIC, "--max-tokens", "0"], /--max-tokens/],
  [["debate", TOPIC, "--base-url", "nowhere"], /--base-url/],
  [["debate", TOPIC, "--transcript", "md,pdf"], /md, json, txt, html/],
  [
    ["debate", TOPIC, "--advocate-model", "a", "--advocate-model", "b", "--advocate-model", "c"],
    /2 advocates/,
  ],
  [["debate", TOPIC, "--model", "gpt-4o"], /OPENAI_API_KEY/],
  [["debate", TOPIC, "--source", "missing.md"], /missing\.md/],
  [["debate", TOPIC, "--source", "."], /source/],
  [["debate", TOPIC, "--config", "missing.yaml"], /missing\.yaml/],
  [["debate", TOPIC, "--config", "bad.yaml"], /rounds/],
  [["dialogue", TOPIC, "--participant", "Ada"], /participant/],
  [["dialogue", TOPIC, "--participant", "Ada", "--participant", "ada"], /name|id/],
  [["resume"], /argument/],
  [["resume", "nowhere"], /nowhere/],
  [["verify", "."], /no convening/],
  [["index", "nowhere"], /nowhere/],
  [["show", "nowhere"], /nowhere/],
  [["show", "nowhere", "three"], /seq/],
  [["export", "nowhere"], /--format/],
  [["export", "nowhere", "--format", "md"], /nowhere/],
  [["fork", "nowhere"], /--at/],
  [["fork", "nowhere", "--at", "1"], /nowhere/],
];

for (const [args, says] of REFUSED) {
  Deno.test(`main() refuses ${JSON.stringify(args).slice(0, 90)} with exit 2`, async () => {
    await withFolder(async (folder) => {
      await Deno.writeTextFile(join(folder, "bad.yaml"), "rounds: 3\n");
      const end = await runCli([...args, "--json"], { folder });
      assert.equal(end.code, 2, end.stderr);
      const { error } = jsonOf(end);
      const { code, message } = error as Record<string, unknown>;
      assert.match(String(code), /^(config_invalid|topic_refused|not_found)$/);
      assert.match(JSON.stringify(error), says);
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(end.stderr, /\x1b/);
      assert.equal(end.stderr.split("\n")[0], `error: ${message}`);
      assert.deepEqual(await namesIn(folder), ["bad.yaml"]);
    });
  });
}

Deno.test("main() prints nothing on standard output for an error without --json", async () => {
  await withFolder(async (folder) => {
    const end = await runCli(["debate", "short"], { folder });
    assert.equal(end.stdout, "");
    assert.doesNotMatch(end.stderr, /\n\s+at /);
    const debug = await runCli(["debate", "short", "--debug"], { folder });
    assert.match(debug.stderr, /\n\s+at /);
  });
});

Deno.test("main() helps", async () => {
  await withFolder(async (folder) => {
    const help = await runCli(["--help"], { folder });
    assert.equal(help.code, 0);
    for (const name of ["debate", "dialogue", "resume", "verify", "fork", "list"]) {
      assert.ok(help.stdout.includes(name));
    }
    const debate = await runCli(["debate", "--help"], { folder });
    assert.equal(debate.code, 0);
    assert.match(debate.stdout, /--max-cost <usd>/);
    assert.match(
      String(jsonOf(await runCli(["--version", "--json"], { folder }))["version"]),
      /^\d/,
    );
  });
});

Deno.test("main() takes what follows -- for a topic", async () => {
  await withFolder(async (folder) => {
    const end = await runCli(["debate", "--dry-run", "--", "--json is a fine format?"], { folder });
    assert.equal(end.code, 0, end.stderr);
    assert.match(end.stdout, /^debate on: --json is a fine format\?\n/);
  });
});
