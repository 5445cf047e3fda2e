// Command `worker`: the guide's permissions, the project's lock, a signal, and invalid settings.
import { join } from "@std/path";
import { runStudy } from "../../src/operations/study_run.ts";
import { planStudy } from "../../src/operations/study_plan.ts";
import { ROOT } from "../support/deno_process.ts";
import { redisTest } from "../studies/support/redis_server.ts";
import { jsonOf } from "../support/cli.ts";
import { ran, startMain } from "../support/run_main.ts";
import assert from "node:assert/strict";

const GUIDE = await Deno.readTextFile(join(ROOT, "context-network/guides/study_workers.md"));

/** Starts `worker` in the project's folder, as in the guide. */
function start(
  flags: readonly string[],
  { args, env }: { readonly args: readonly string[]; readonly env: Record<string, string> },
): Deno.ChildProcess {
  return new Deno.Command("deno", {
    args: ["run", ...flags, "src/cli/main.ts", "worker", ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

redisTest(
  "worker holds a study with the permissions of the guide, until SIGTERM",
  async (server) => {
    const archive: string = await Deno.makeTempDir();
    const lock = await Deno.readTextFile(join(ROOT, "deno.lock"));
    const study = {
      study: "two",
      base: { kind: "debate", roundCount: 1, model: "offline", out: archive } as const,
      topics: [{ id: "cars", topic: "Cities should ban cars" }],
      contestants: [{ id: "a" }, { id: "b", persona: "scientist" }],
    };
    const [, shown] = /deno run ((?:--\S+ )+)src\/cli\/main\.ts worker/.exec(GUIDE)!;
    const flags = shown!.trim()
      .replaceAll("redis.example:6379", `127.0.0.1:${server.port}`)
      .replaceAll("/srv/archive", archive)
      .split(" ");
    const worker = start(flags, {
      args: ["--archive", archive, "--concurrency", "2"],
      env: { CONVENINGS_REDIS_URL: server.url },
    });
    const output = worker.output();
    const ended = new AbortController();
    output.then(() => ended.abort());
    const result = await runStudy(study, { queue: server.url, signal: ended.signal });
    if (!ended.signal.aborted) worker.kill("SIGTERM");
    const { code, stdout, stderr } = await output;
    const said = new TextDecoder().decode(stderr);
    assert.equal(code, 0, said);
    assert.deepEqual([result.ended, result.done], ["done", 2]);
    assert.match(new TextDecoder().decode(stdout), /^Ended: 2 convenings done\n$/);
    for (const { key } of (await planStudy(study)).cells) {
      assert.match(said, new RegExp(`two/${key}: begun\\n[^]*two/${key}: done\\n`));
    }
    // The queue's packages are not in the project's lock.
    assert.equal(await Deno.readTextFile(join(ROOT, "deno.lock")), lock);
    await Deno.remove(archive, { recursive: true });
  },
);

redisTest(
  "study run --detach queues a study, and study stop --queue ends it before a worker comes",
  async (server) => {
    const archive: string = await Deno.makeTempDir();
    const file = join(archive, "two.yaml");
    const study = {
      study: "two",
      base: { kind: "debate", roundCount: 1, model: "offline" } as const,
      topics: [{ id: "cars", topic: "Cities should ban cars" }],
      contestants: [{ id: "a" }, { id: "b", persona: "scientist" }],
    };
    await Deno.writeTextFile(file, JSON.stringify(study));
    const env = { CONVENINGS_REDIS_URL: server.url };
    const cli = async (...args: string[]) => {
      const given = ["study", ...args, "--out", archive, "--json"];
      const end = await ran(given, { folder: archive, env });
      return { ...end, json: jsonOf(end) };
    };
    const queued = await cli("run", file, "--detach");
    assert.equal(queued.json["ended"], "detached");
    assert.doesNotMatch(queued.stderr, /To continue/);
    const shown = async () => (await cli("status", "two")).json["state"];
    assert.deepEqual([queued.json["state"], await shown()], ["running", "running"]);
    const watched = () =>
      startMain(["study", "status", "two", "--out", archive, "--watch"], {
        folder: archive,
      });
    const watch = watched();
    await watch.saw("0 of 2 done");
    await cli("stop", "two", "--queue", server.url);
    assert.match(
      (await watch.end).stdout,
      /^two: unfinished, 0 of 2 done.*\n2 convenings left, and no process runs the study/,
    );
    assert.equal(await shown(), "unfinished");
    const connection = await server.connect();
    const state = () => connection.client.get("convenings:{two}:run");
    assert.equal(await state(), "stopped");
    const again = await cli("run", "two", "--detach", "--limit", "1");
    assert.equal(again.json["ended"], "detached");
    assert.notEqual(await state(), "stopped");
    const until = watched();
    await until.saw("0 of 2 done");
    const flags = ["--no-lock", "--no-prompt", "--ignore-env", "--allow-env=CONVENINGS_REDIS_URL"];
    const open = [`--allow-net=127.0.0.1:${server.port}`, "--allow-read", "--allow-write"];
    const worker = start([...flags, ...open], { args: ["--archive", archive], env });
    const { stdout } = await until.end;
    assert.match(stdout, /^two: unfinished, 1 of 2 done.*\n1 convening left, and no process/);
    worker.kill("SIGTERM");
    await worker.output();
    await Deno.remove(archive, { recursive: true });
  },
);

Deno.test("worker reports missing settings before anything is written", async () => {
  const cases: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [[], /without --queue/],
    [["--queue", "redis://127.0.0.1:1"], /without --archive/],
    [
      ["--queue", "redis://u:hidden@127.0.0.1:1", "--archive", "x"],
      /Redis at redis:\/\/127\.0\.0\.1:1 /,
    ],
    [["--queue", "http://127.0.0.1", "--archive", "x"], /not a Redis URL/],
    [["--queue", "user:hidden@127.0.0.1:1", "--archive", "x"], /not a Redis URL/],
    [
      ["--queue", "redis://127.0.0.1", "--archive", "x", "--concurrency", "0"],
      /: "0" is not allowed/,
    ],
  ];
  for (const [args, said] of cases) {
    const { stderr } = await ran(["worker", ...args], { folder: ROOT }, 2);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /hidden/);
  }
});

Deno.test("Neither lock nor import map of the project names a package of the queue", async () => {
  for (const name of ["deno.json", "deno.jsr.json", "deno.lock"]) {
    assert.doesNotMatch(await Deno.readTextFile(join(ROOT, name)), /bullmq|ioredis|msgpackr/, name);
  }
});
