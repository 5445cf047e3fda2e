// Command `study`: run, status, stop, retry, report; errors and exit codes.
import assert from "node:assert/strict";
import { exists } from "@std/fs";
import { join } from "@std/path";
import { pause } from "../../src/core/clock.ts";
import { jsonOf, startCli, withFolder } from "../support/cli.ts";
import { ran, runMain, startMain } from "../support/run_main.ts";
import { startModelServer } from "../support/model_server.ts";
import { STUDY } from "../studies/support/tea_study.ts";

async function written(folder: string, study: object = STUDY): Promise<string> {
  const path = join(folder, "tea.yaml");
  await Deno.writeTextFile(path, JSON.stringify(study));
  return path;
}

withFolder.test("study run runs the plan, study status shows it, and a second run does nothing", async (folder) => {
  const file = await written(folder);
  const first = await ran(["study", "run", file, "--limit", "1"], { folder });
  assert.match(first.stdout, /1 of 2 done/);
  assert.match(first.stderr, /^0 of 2 done · \$0\n/);
  assert.match(first.stderr, /To continue: convenings study run /);
  const half = jsonOf(await runMain(["study", "status", "tea", "--json"], { folder }));
  assert.deepEqual([half["state"], half["done"], half["planned"]], ["unfinished", 1, 2]);
  const dir = join(folder, "convenings", "studies", "tea");
  assert.equal(half["dir"], dir);
  const rest = jsonOf(await runMain(["study", "run", dir, "--json"], { folder }));
  assert.deepEqual([rest["ended"], rest["state"], rest["done"]], ["done", "completed", 2]);
  const again = await runMain(["study", "run", "tea"], { folder });
  assert.match(again.stdout, /^Done\n2 of 2 done/);
  // Nothing ended in this run, and nothing is left.
  assert.equal(again.stderr, "2 of 2 done · $0\n");
  const ofFile = await ran(["study", "status", file], { folder });
  assert.equal(ofFile.stdout, "tea: completed, 2 of 2 done · $0\n");
  const listed = jsonOf(await runMain(["list", "--json"], { folder }));
  assert.deepEqual(listed["convenings"], []);
  const [entry] = await Array.fromAsync(Deno.readDir(join(dir, "debates")));
  await ran(["verify", join(dir, "debates", entry!.name)], { folder });
});

withFolder.test("study run rejects a changed study, and --extend adds the new cells", async (folder) => {
  const file = await written(folder);
  const limit = ["--limit", "1"];
  await ran(["study", "run", file, ...limit], { folder });
  for (const [seeds, flag, planned] of [[2, "--extend", 4], [3, "--extend-plan", 6]] as const) {
    await written(folder, { ...STUDY, seeds });
    const refused = await ran(["study", "run", file, ...limit], { folder }, 2);
    assert.match(refused.stderr, /--extend/);
    const extended = await ran(["study", "run", flag, file, ...limit, "--json"], { folder });
    assert.equal(jsonOf(extended)["planned"], planned);
  }
});

withFolder.test("study rejects unknown acts, flags of other acts, an invalid file and an unknown id by name", async (folder) => {
  const file = await written(folder, { ...STUDY, contestant: [], seeds: 0 });
  const cases: readonly (readonly [string[], RegExp])[] = [
    [["study", "runn", file], /Cannot run study "runn"\nDid you mean "run"\?/],
    [["study", "run"], /no study was given/],
    [["study", "status", "tea", "--limit", "3"], /Cannot use --limit: study status/],
    [["study", "status", "coffee"], /no study is there/],
    [
      ["study", "run", join(folder, "none.yaml")],
      /the study's file ".*none\.yaml": there is no such file/,
    ],
    [["study", "run", file], /contestant.*\n?.*seeds|seeds.*\n?.*contestant/s],
  ];
  for (const [args, message] of cases) {
    const { stderr } = await ran(args, { folder }, 2);
    assert.match(stderr, message);
  }
  const error = jsonOf(await runMain(["study", "run", file, "--json"], { folder }))["error"];
  assert.equal(Object(error).code, "config_invalid");
});

withFolder.test("study run names rates that apply to no model of the study", async (folder) => {
  const rates = {
    opneai: { requestsPerMinute: 5 },
    openai: {},
    "api.openai.com": {},
    ollama: {},
  };
  const judges = [{ model: "gpt-4o-mini" }, { model: "ollama:tiny" }];
  const file = await written(folder, { ...STUDY, judges, rates });
  const env = { OPENAI_API_KEY: "sk-test" };
  const { stderr } = await ran(["study", "run", file, "--dry-run"], { folder, env });
  assert.equal(stderr, "rates.opneai applies to no model of the study\n");
  for (const flag of [["--limit", "3"], ["--detach"], ["--queue", "redis://127.0.0.1"]]) {
    const refused = await ran(["study", "run", file, "--dry-run", ...flag], { folder, env }, 2);
    assert.match(refused.stderr, new RegExp(`Cannot use ${flag[0]}: --dry-run runs nothing`));
  }
});

withFolder.test("study run exits with 1 when too many convenings fail, and retry runs them again", async (folder) => {
  let isBroken = true;
  await using server = await startModelServer({
    respond: () => isBroken ? { status: 400, json: { error: { message: "no" } } } : {},
  });
  const base = { ...STUDY.base, model: "some", baseUrl: server.url, retry: { retries: 0 } };
  const file = await written(folder, { ...STUDY, base });
  const failed = await ran(["study", "run", file, "--json"], { folder }, 1);
  const { ended, codes, failures } = jsonOf(failed);
  assert.equal(ended, "failures");
  assert.deepEqual(codes, { agent_bad_reply: 2 });
  assert.equal((failures as unknown[]).length, 2);
  isBroken = false;
  const again = await runMain(["study", "run", "tea"], { folder });
  assert.match(again.stdout, /0 of 2 done · 2 failed/);
  assert.match(again.stderr, /^To continue: convenings study retry \/.+\/tea$/m);
  const retried = jsonOf(await runMain(["study", "retry", "tea", "--json"], { folder }));
  assert.deepEqual([retried["failed"], retried["done"]], [0, 2]);
});

withFolder.test("the command that a study run names after too many failures ends the study", async (folder) => {
  let isBroken = true;
  await using server = await startModelServer({
    respond: () => isBroken ? { status: 400, json: { error: { message: "no" } } } : {},
  });
  const base = { ...STUDY.base, model: "some", baseUrl: server.url, retry: { retries: 0 } };
  const file = await written(folder, { ...STUDY, base, seeds: 2, concurrency: 1 });
  const { stderr } = await ran(["study", "run", file], { folder }, 1);
  const [, act = ""] = /^To continue: convenings study (\w+) /m.exec(stderr) ?? [];
  isBroken = false;
  const { stdout } = await ran(["study", act, file], { folder });
  assert.match(stdout, /^Done\n4 of 4 done/);
});

withFolder.test("study run names convenings that could not start, and status and report list them as planned", async (folder) => {
  const base = { ...STUDY.base, model: "away", baseUrl: "http://127.0.0.1:1/v1" };
  const file = await written(folder, { ...STUDY, base, limits: { maxFailures: 1 } });
  const run = await ran(["study", "run", file], { folder }, 4);
  assert.match(
    run.stdout,
    /^Ended: what is left waits for a person or could not begin\n0 of 2 done/,
  );
  assert.match(run.stderr, /agent_unreachable/);
  const status = await runMain(["study", "status", "tea"], { folder });
  assert.match(
    status.stdout,
    /^tea: unfinished, 0 of 2 done.*\n2 convenings left, and no process/,
  );
  const report = await runMain(["study", "report", "tea"], { folder });
  assert.match(report.stderr, /2 of 2 debates not completed/);
  const typo = await ran(["study", "report", "tea", "--labels", "typo.csv"], { folder }, 2);
  assert.match(typo.stderr, /^error: Cannot read labels ".*typo\.csv": there is no such file/);
});

withFolder.test("study stop ends another process's run with 130, run continues it, and status --watch shows each change", async (folder) => {
  const topics = ["tea", "milk"].map((id) => ({ id, topic: `Is ${id} better than coffee?` }));
  const [asked, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let first: string | undefined;
  let others = 0;
  await using server = await startModelServer({
    respond: async ({ body }) => {
      const { topic } = topics.find((each) => JSON.stringify(body).includes(each.topic))!;
      first ??= topic;
      asked.resolve();
      if (topic === first) await gates[0].promise;
      else if (++others > 2) {
        other.resolve();
        await gates[1].promise;
      }
      return {};
    },
  });
  using _open = { [Symbol.dispose]: () => gates.forEach(({ resolve }) => resolve()) };
  const base = { ...STUDY.base, model: "some", baseUrl: server.url };
  const { study, judges } = STUDY;
  const file = await written(folder, { study, base, topics, judges, concurrency: 1 });
  const run = startCli(["study", "run", file], { folder });
  await asked.promise;
  const locked = await ran(["study", "run", "tea"], { folder }, 1);
  assert.match(locked.stderr, /has it open/);
  const watch = startMain(["study", "status", "tea", "--watch"], { folder });
  await watch.saw("0 of 2 done");
  const holders = await ran(["study", "status", "tea"], { folder });
  assert.match(holders.stdout, /^[12] running: process \d+ on \S+$/m);
  gates[0].resolve();
  await watch.saw("1 of 2 done");
  await other.promise;
  await ran(["study", "stop", "tea"], { folder });
  // The run removes the file when it has read the stop.
  const stop = join(folder, "convenings", "studies", "tea", ".stop");
  while (await exists(stop)) await pause(1);
  gates[1].resolve();
  const { code, stdout, stderr } = await run.end;
  assert.match((await watch.end).stdout, /^tea: unfinished, 1 of 2 done/);
  assert.equal(code, 130, stderr);
  assert.match(stdout, /^Stopped\n/);
  const on = await runMain(["study", "run", "tea"], { folder });
  assert.match(on.stdout, /^Done\n2 of 2 done/, on.stderr);
});
