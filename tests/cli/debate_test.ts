// Command `debate` against a model server: output, configuration, limits, resumes.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { configurationOf, jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain } from "../support/run_main.ts";
import { MODEL, startSpeaker } from "../support/speaking_model.ts";
import { TOPIC } from "../support/talkers.ts";

const RESULT_KEYS = [
  "agreement",
  "audience",
  "baseline",
  "consensus",
  "contradictions",
  "dir",
  "endReason",
  "factChecks",
  "notes",
  "outcome",
  "postures",
  "question",
  "reasons",
  "report",
  "scores",
  "status",
  "strength",
  "topics",
  "unscored",
  "usage",
  "verification",
  "waitingFor",
  "winner",
];

function messageFiles(dir: unknown): Promise<string[]> {
  return namesIn(join(String(dir), "messages"));
}

withFolder.test("debate prints outcome, standings, cost and directory; progress is one line per turn", async (folder) => {
  const end = await ran(["debate", TOPIC, "--rounds", "1", "--seed", "1"], { folder });
  const lines = end.stdout.trimEnd().split("\n");
  assert.match(
    lines[0] ?? "",
    /^(?:Winner: Advocate [AB] \((?:For|Against): .*\)|Undecided: .+)\.$/,
  );
  assert.equal(lines.filter((line) => /^ +\d\.\d\d {2}Advocate [AB]$/.test(line)).length, 2);
  assert.ok(lines.some((line) => line.startsWith("Cost: ")));
  const index = lines.at(-1) ?? "";
  assert.ok(index.startsWith(join(folder, "convenings")));
  assert.match(index, /\/index\.md$/);
  await Deno.stat(index);
  const turns = end.stderr.split("\n").filter((line) => /^\d+ · /.test(line));
  assert.equal(turns.length, (await messageFiles(join(index, ".."))).length);
  assert.match(end.stderr, /OPENAI_API_KEY/);
  assert.match(
    turns[0] ?? "",
    /^1 · opening · Moderator · introduction · .* tokens and \$0 so far · /,
  );
});

withFolder.test("debate --json prints one object, and resume of a completed debate prints the same", async (folder) => {
  const first = await ran(["debate", TOPIC, "--rounds", "0", "--json", "--quiet"], { folder });
  assert.equal(first.stderr, "");
  const json = jsonOf(first);
  assert.deepEqual(Object.keys(json).sort(), [...RESULT_KEYS, "noModelSpoke"].sort());
  assert.equal(json["status"], "completed");
  assert.equal(json["endReason"], "completed");
  const again = await ran(["resume", String(json["dir"]), "--json"], { folder });
  assert.deepEqual(jsonOf(again), json);
  const shown = await ran(["show", String(json["dir"]), "--json"], { folder });
  assert.equal(jsonOf(shown)["noModelSpoke"], true);
  await ran(["verify", String(json["dir"])], { folder });
});

withFolder.test("debate --dry-run prints the calls that the run then makes, and changes nothing", async (folder) => {
  await using server = await startModelServer();
  const args = ["debate", TOPIC, "--base-url", server.url, "--rounds", "1", "--json", "--quiet"];
  const plan = await ran([...args, "--dry-run"], { folder });
  assert.equal(server.requests.length, 0);
  assert.deepEqual(await namesIn(folder), []);
  const { calls, dryRun } = jsonOf(plan);
  assert.equal(dryRun, true);
  await ran(args, { folder });
  assert.equal(server.requests.length, calls);
});

withFolder.test("debate --dry-run names the model that checks facts", async (folder) => {
  const models = ["a", "b"].flatMap((name) => ["--advocate-model", `ollama:${name}`]);
  const roles = [...models, "--moderator-model", "ollama:m", "--judge-model", "ollama:j"];
  const args = ["debate", TOPIC, "--dry-run", ...roles, "--model", "ollama:all"];
  const { stdout } = await ran([...args, "--fact-check", "standard"], { folder });
  assert.match(stdout, /^Fact checks: by ollama:all$/m);
  assert.doesNotMatch((await ran(args, { folder })).stdout, /Fact checks/);
});

withFolder.test("debate and judge check print with --dry-run where the convening would be stored", async (folder) => {
  for (const command of [["debate", TOPIC], ["judge", "check"]]) {
    for (const out of [undefined, "archive"]) {
      const args = [...command, "--model", "offline", "--dry-run"];
      const { stdout } = await ran(out === undefined ? args : [...args, "--out", out], { folder });
      const kept = stdout.split("\n").filter((line) => line.startsWith("Would be written to: "));
      assert.deepEqual(kept, [`Would be written to: ${join(folder, out ?? "convenings")}`]);
    }
  }
  // A price of a related version is named as such.
  const args = ["debate", TOPIC, "--model", "anthropic:claude-sonnet-5-5", "--dry-run"];
  const { stdout } = await ran(args, { folder, env: { ANTHROPIC_API_KEY: "k" } });
  assert.match(stdout, /^Price: anthropic:claude-sonnet-5-5 by .* estimated by claude-sonnet-5$/m);
});

withFolder.test("debate --dry-run prints one line on calls beyond the plan", async (folder) => {
  const planned = async (...flags: string[]) => {
    const { stdout } = await ran(["debate", TOPIC, "--dry-run", ...flags], { folder });
    return stdout.split("\n").filter((line) => line.startsWith("Not counted: "));
  };
  assert.deepEqual(await planned(), []);
  assert.deepEqual(await planned("--interrupt", "rules"), [
    "Not counted: interruptions and their answers",
  ]);
  assert.deepEqual(await planned("--interrupt", "rules", "--adaptive"), [
    "Not counted: interruptions and their answers, a round that is added",
  ]);
});

withFolder.test("debate: a flag that switches something off overrides a file's settings of it", async (folder) => {
  await Deno.writeTextFile(
    join(folder, "debate.yaml"),
    `topic: ${TOPIC}\nmoderatorModel: offline\nfactCheck: { mode: strict, verificationModel: offline }\n`,
  );
  const args = ["debate", "--config", "debate.yaml", "--dry-run"];
  await ran([...args, "--moderation", "none", "--fact-check", "off"], { folder });
  const both = await ran([...args, "--moderation", "none", "--moderator-model", "offline"], {
    folder,
  }, 2);
  assert.match(both.stderr, /--moderator-model "offline": there is no moderator/);

  const { dir } = jsonOf(await ran([...args.slice(0, -1), "--rounds", "0", "--json"], { folder }));
  const record = ["debate", "--config", `${dir}/metadata.md`, "--dry-run", "--json"];
  assert.equal(jsonOf(await ran(record, { folder }))["turns"], 6);
  const off = ["--moderation", "none", "--fact-check", "off"];
  assert.equal(jsonOf(await ran([...record, ...off], { folder }))["turns"], 4);

  const calls = async (by: string) => {
    await Deno.writeTextFile(join(folder, "by.yaml"), `topic: ${TOPIC}\nsummaryBy: ${by}\n`);
    const short = ["--config", "by.yaml", "--moderation", "none", "--dry-run", "--json"];
    return Number(jsonOf(await ran(["debate", ...short], { folder }))["calls"]);
  };
  assert.equal(await calls("judge"), await calls("moderator") + 1);
});

withFolder.test("dialogue gives each named participant turns up to the given number", async (folder) => {
  const end = await ran([
    ...["dialogue", TOPIC, "--participant", "Ada=offline", "--participant", "Ben"],
    ...["--participant", "Cleo", "--max-turns", "4", "--json", "--quiet"],
  ], { folder });
  const { dir, outcome, winner } = jsonOf(end);
  assert.equal(outcome, "unscored");
  assert.equal(winner, null);
  assert.equal((await messageFiles(dir)).length, 4);
});

withFolder.test("a limit stops with exit 3, and resume with a higher limit continues", async (folder) => {
  const own = ["moderator", "advocate", "judge"].flatMap((role) => [`--${role}-model`, "offline"]);
  const end = await ran(
    ["debate", TOPIC, "--rounds", "1", "--max-turns", "4", "--model", "human", ...own, "--json"],
    { folder },
    3,
  );
  const { dir, status, endReason } = jsonOf(end);
  assert.equal(status, "stopped");
  assert.equal(endReason, "max_turns");
  assert.match(end.stderr, /To continue: convenings resume .* --max-turns N$/m);
  const refusing = ["resume", String(dir), "--judge-model", "nowhere:m", "--json"];
  const refused = jsonOf(await ran(refusing, { folder }, 2));
  const { code } = refused["error"] as { readonly code: string };
  assert.deepEqual([code, refused["dir"]], ["config_invalid", dir]);
  // The record has other values.
  assert.deepEqual([refused["endReason"], refused["scores"]], ["failed", {}]);
  const limits = async () => (await configurationOf(dir))["limits"];
  const asked = await ran(["resume", String(dir), "--model", "ollama:x"], { folder }, 3);
  assert.match(
    asked.stderr,
    /^Models that --model leaves as they are: Moderator offline, .*--judge/m,
  );
  const again = await ran(["resume", String(dir), "--json"], { folder }, 3);
  assert.equal(jsonOf(again)["endReason"], "max_turns");
  assert.deepEqual(await namesIn(join(String(dir), "stops")), ["1.md"], "nothing was said since");
  assert.deepEqual(await limits(), { maxTurns: 4 });
  const on = await ran(["resume", String(dir), "--max-turns", "99", "--json"], { folder });
  assert.equal(jsonOf(on)["status"], "completed");
  assert.deepEqual(await limits(), { maxTurns: 99 });
  await ran(["verify", String(dir)], { folder });
});

withFolder.test("debate notes that a question has no two sides, that there are no rounds, and the possible usage of many rounds without a limit", async (folder) => {
  const none = await ran(["debate", "Why do cities ban cars?", "--rounds", "0"], { folder });
  assert.match(none.stderr, /^A question that begins with "why" has no two sides/m);
  assert.match(none.stderr, /^There are 0 rounds: no side argues/m);
  const planned = await ran(["debate", "Why do cities ban cars?", "--dry-run"], { folder });
  assert.match(planned.stderr, /^A question that begins with "why" has no two sides/m);
  const usual = await runMain(["debate", TOPIC, "--rounds", "1"], { folder });
  assert.doesNotMatch(usual.stderr, /0 rounds|rounds take/);
  const limited = await runMain(
    ["debate", TOPIC, "--rounds", "21", "--max-turns", "3"],
    { folder },
  );
  assert.doesNotMatch(limited.stderr, /rounds take/);
  assert.match(limited.stderr, /^stopped early: limit of turns$/m);
  assert.match(limited.stdout, /^Stopped: limit of turns$/m);
  // The run ends at its first request.
  await using server = await startSpeaker(() => ({ status: 401, error: { message: "No." } }));
  const args = ["debate", TOPIC, "--base-url", server.url, "--model", MODEL, "--rounds", "21"];
  const many = await runMain(args, { folder });
  assert.match(many.stderr, /^21 rounds take up to [\d,]+ calls and [\d,]+ tokens\. --max-turns/m);
});

withFolder.test("Participants whose turns no judge could score are named as they speak", async (folder) => {
  await using server = await startSpeaker(({ body }) =>
    body.response_format === undefined ? undefined : { text: "No number comes to mind." }
  );
  const end = await ran(
    ["debate", TOPIC, "--base-url", server.url, "--model", MODEL, "--rounds", "0"],
    { folder },
  );
  assert.match(
    end.stdout,
    /^No winner: no verdict could be read, and .*\n +– {2}Advocate A \(no turn.*\)\n +– {2}Advocate B \(no turn.*\)$/m,
  );
});
