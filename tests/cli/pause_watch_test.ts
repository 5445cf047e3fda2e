// Commands `pause` and `watch` on another process's run.
import assert from "node:assert/strict";
import { jsonOf, startCli, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain, startMain } from "../support/run_main.ts";
import { testsWith } from "../support/tests_with.ts";
import { TOPIC } from "../support/talkers.ts";

/** Starts a debate whose model waits for `release` after the openings; calls `use` with its directory. */
async function withHeldDebate(
  use: (
    held: {
      readonly run: ReturnType<typeof startCli>;
      readonly dir: string;
      readonly folder: string;
      readonly release: () => void;
    },
  ) => Promise<void>,
): Promise<void> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await using server = await startModelServer({
    respond: async (_request, index) => {
      if (index >= 4) await promise;
      return {};
    },
  });
  await withFolder(async (folder) => {
    const run = startCli(
      ["debate", TOPIC, "--rounds", "2", "--base-url", server.url, "--json"],
      { folder },
    );
    await run.saw("\n3 · ");
    const [row] = jsonOf(await runMain(["list", "--json"], { folder }))["convenings"] as {
      dir: string;
    }[];
    try {
      await use({ run, dir: row?.dir ?? "", folder, release });
    } finally {
      release();
      await run.end;
    }
  });
}

withHeldDebate.test = testsWith(withHeldDebate);

withHeldDebate.test("pause lets another process's run finish its turns and release the record, and resume continues", async ({ run, dir, folder, release }) => {
  const early = await ran(["pause", dir, "--wait", "50ms", "--json"], { folder }, 1);
  assert.equal(jsonOf(early)["held"], true);
  const pausing = runMain(["pause", dir, "--json"], { folder });
  release();
  const end = await run.end;
  assert.equal(end.code, 0, end.stderr);
  assert.equal(jsonOf(end)["status"], "paused");
  assert.match(end.stderr, /To continue: convenings resume /);
  const paused = await pausing;
  assert.equal(paused.code, 0, paused.stderr);
  assert.deepEqual(jsonOf(paused), { dir, status: "paused", held: false });
  const again = await ran(["pause", dir], { folder });
  assert.equal(again.stdout, "No process runs the convening: paused\n");
  const on = await ran(["resume", dir, "--json"], { folder });
  assert.equal(jsonOf(on)["status"], "completed");
  await ran(["verify", dir], { folder });
});

withHeldDebate.test("watch follows another process's run from start to end", async ({ run, dir, folder, release }) => {
  const lines = runMain(["watch", dir, "--json", "--quiet"], { folder });
  const shown = startMain(["watch", dir], { folder });
  await shown.saw("\n3 · ");
  release();
  const end = await run.end;
  const [watched, json] = [await shown.end, await lines];
  assert.equal(watched.code, 0, watched.stderr);
  const turns = (text: string) => text.split("\n").filter((line) => /^\d+ · /.test(line));
  assert.deepEqual(turns(watched.stderr), turns(end.stderr));
  assert.match(watched.stdout, /^(?:Winner|Undecided): /);
  assert.equal(json.code, 0);
  const events = json.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(events[0].type, "convening-start");
  assert.equal(events.at(-1).type, "convening-end");
  assert.deepEqual(events.map(({ n }) => n), events.map((_, at) => at + 1));
  assert.equal(json.stderr, "");
});

withHeldDebate.test("watch reports that a run was killed and how to resume", async ({ run, dir, folder }) => {
  const shown = startMain(["watch", dir], { folder });
  await shown.saw("\n3 · ");
  run.kill("SIGKILL");
  const { code, stdout, stderr } = await shown.end;
  assert.equal(code, 1);
  assert.equal(stdout, "Interrupted: no process runs the convening\n");
  assert.ok(stderr.includes(`To continue: convenings resume ${dir}`));
  const pause = await ran(["pause", dir, "--json"], { folder }, 1);
  assert.deepEqual(jsonOf(pause), { dir, status: "interrupted", held: false });
});

withFolder.test("watch of a convening that was judged again shows its end and no interruption", async (folder) => {
  const topic = "Should cities ban private cars from their centres?";
  const { dir } = jsonOf(
    await runMain(["debate", topic, "--rounds", "0", "--seed", "1", "--json"], { folder }),
  );
  await ran(["judge", String(dir), "--rubric", "academic"], { folder });
  const end = await ran(["watch", String(dir)], { folder });
  assert.match(end.stdout, /^(?:Winner|Undecided): /);
});
