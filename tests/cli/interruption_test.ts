// Interruptions by signals and by closed pipes.
import assert from "node:assert/strict";
import { processIo } from "../../src/cli/io.ts";
import { main, watchInterrupts } from "../../src/cli/main.ts";
import { jsonOf, startCli, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain } from "../support/run_main.ts";
import { TOPIC } from "../support/talkers.ts";

/** Interrupts a debate whose model does not reply after the openings; returns exit code and output. */
async function interrupted(
  signals: readonly Deno.Signal[],
  check: (end: Awaited<ReturnType<typeof runMain>>, folder: string) => Promise<void>,
): Promise<void> {
  let hang = true;
  await using server = await startModelServer({
    respond: (_request, index) => hang && index >= 2 ? { fault: "hang" } : {},
  });
  await withFolder(async (folder) => {
    const child = startCli(
      ["debate", TOPIC, "--rounds", "1", "--base-url", server.url, "--json"],
      { folder },
    );
    await child.saw("\n3 · ");
    for (const signal of signals) child.kill(signal);
    const end = await child.end;
    hang = false;
    await check(end, folder);
  });
}

const CASES = {
  "Ctrl-C, here handed on twice, as npx does,": ["SIGINT", "SIGINT"],
  "a request to end": ["SIGTERM"],
} as const;

for (const [what, signals] of Object.entries(CASES)) {
  Deno.test(`${what} stops cleanly, exits with 130 and prints how to resume`, () =>
    interrupted(signals, async (end, folder) => {
      assert.equal(end.code, 130, end.stderr);
      const { dir, status, endReason } = jsonOf(end);
      assert.equal(status, "stopped");
      assert.equal(endReason, "cancelled");
      assert.ok(end.stderr.includes(`To continue: convenings resume ${dir}`));
      await ran(["verify", String(dir)], { folder });
      const on = await ran(["resume", String(dir), "--json"], { folder });
      assert.equal(jsonOf(on)["status"], "completed");
    }));
}

withFolder.test("a closed standard output is not an error", async (folder) => {
  const first = await runMain(["debate", TOPIC, "--rounds", "0", "--json", "--quiet"], { folder });
  const program = new URL("../../src/cli/main.ts", import.meta.url).pathname;
  const flags = ["--no-prompt", "--allow-read", "--ignore-env"];
  const child = new Deno.Command("deno", {
    args: ["run", ...flags, program, "show", String(jsonOf(first)["dir"])],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await child.stdout.cancel();
  const stderr = await new Response(child.stderr).text();
  assert.equal((await child.status).code, 0);
  assert.equal(stderr, "");
});

Deno.test("an output that cannot be written is one error, and progress that cannot be shown is none", () => {
  const { out, err } = processIo();
  for (const [stream, write] of [[Deno.stdout, out], [Deno.stderr, err]] as const) {
    const { writeSync } = stream;
    stream.writeSync = () => {
      throw new Error("No space left on device");
    };
    try {
      const found = {
        code: "record_unwritable",
        message: /^Cannot write to standard output: No sp/,
      };
      if (stream === Deno.stdout) assert.throws(() => write("a"), found);
      write("b");
    } finally {
      stream.writeSync = writeSync;
    }
  }
});

/** Returns the effects of a Ctrl-C at each of the given times, in milliseconds. */
function pressed(...times: readonly number[]): string[] {
  const seen: string[] = [];
  let now = 0;
  let press = () => {};
  const release = watchInterrupts({
    now: () => now,
    onInterrupt: (handler) => {
      press = handler;
      return () => press = () => {};
    },
  }, { stop: () => seen.push("stop"), exit: () => seen.push("exit") });
  for (const time of times) {
    now = time;
    press();
  }
  release();
  press();
  return seen;
}

withFolder.test("a second Ctrl-C prints the JSON and exits within the signal, before the run can print it too", async (folder) => {
  let now = 0;
  let press = () => {};
  const seen: string[] = [];
  let before: readonly string[] = [];
  await main({
    ...processIo(),
    args: ["debate", TOPIC, "--rounds", "0", "--model", "offline", "--json"],
    folder,
    inIsTerminal: false,
    live: false,
    env: () => undefined,
    permitted: () => true,
    now: () => now,
    onInterrupt: (handler) => {
      press = handler;
      return () => {};
    },
    err: (text) => {
      if (before.length > 0 || !text.startsWith("1 ·")) return;
      press();
      now = 2000;
      assert.throws(press, /^Error: exit 130$/);
      before = [...seen];
    },
    out: (text) => void seen.push(JSON.parse(text).error?.code),
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  });
  assert.deepEqual(before, ["cancelled"]);
});

Deno.test("watchInterrupts() stops at the first interrupt, ignores a repeat within a second, and exits at a later one", () => {
  assert.deepEqual(pressed(5000), ["stop"]);
  assert.deepEqual(pressed(5000, 5001, 5400, 6000), ["stop"]);
  assert.deepEqual(pressed(5000, 5100, 6001), ["stop", "exit"]);
});
