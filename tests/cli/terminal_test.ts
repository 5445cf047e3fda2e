// Output of commands in a terminal: list, end of a run, help, `open` and `demo`.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { DEMO } from "../../src/cli/commands/serve.ts";
import { FlagValues } from "../../src/cli/flag.ts";
import type { Io } from "../../src/cli/io.ts";
import { Session } from "../../src/cli/session.ts";
import { startServe } from "../server/support/serve_process.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { ran, runMain } from "../support/run_main.ts";
import { TOPIC } from "../support/talkers.ts";

const RECORDS = join(import.meta.dirname!, "../../examples/records");

withFolder.test("a run in a terminal ends with the next commands and its id; piped output does not", async (folder) => {
  const args = ["debate", TOPIC, "--seed", "1", "--rounds", "0"];
  const { stdout } = await ran([...args, "--quiet"], { folder, columns: 60 });
  const report = stdout.slice(0, stdout.indexOf(folder)).split("\n");
  assert.deepEqual(report.filter((line) => line.length > 60), []);
  const [, id] = /\/([^\/\s]+_debate)\/index\.md\nNext:\n/.exec(stdout) ?? [];
  const next = stdout.slice(stdout.indexOf("Next:\n")).trimEnd().split("\n").slice(1);
  assert.equal(next.length, 3);
  for (const line of next) {
    assert.ok(line.startsWith("  convenings ") && line.includes(id!), line);
  }
  const ask = next[1]!.slice("  convenings ask ".length).split(/ (?=')/);
  const words = ask.map((each) => each.replaceAll("'", ""));
  const asked = await runMain(["ask", ...words], { folder, columns: 60 });
  assert.match(asked.stdout, /^\d+ {2}/, ask.join(" "));
  assert.doesNotMatch(asked.stdout, /^ {4}.{57}/m);
  const piped = await runMain(["resume", "latest"], { folder });
  assert.match(piped.stdout, /index\.md\n$/);
});

withFolder.test("the hint of an error is wrapped in a terminal", async (folder) => {
  const { stderr } = await ran(["debate", TOPIC, "--model", "no:x"], { folder, columns: 60 }, 2);
  assert.match(stderr, /^Known are /m);
  for (const line of stderr.split("\n")) assert.ok(line.length <= 60, line);
});

withFolder.test("help fits into a narrow terminal, and has at most 80 columns", async (folder) => {
  for (const args of [["--help"], ["debate", "--help"]]) {
    const piped = (await runMain(args, { folder })).stdout;
    assert.equal((await runMain(args, { folder, columns: 130 })).stdout, piped);
    const { stdout } = await runMain(args, { folder, columns: 60 });
    for (const line of stdout.split("\n")) assert.ok(line.length <= 60, line);
    const narrow = (await runMain(args, { folder, columns: 30 })).stdout;
    for (const [line] of narrow.matchAll(/^ {5,}\S+ .*$/gm)) assert.ok(line.length <= 30, line);
    assert.equal(stdout.replace(/\s+/g, " "), piped.replace(/\s+/g, " "));
  }
});

withFolder.test("list in a terminal prints one row per convening within the width: age, winner or status, topic, id", async (folder) => {
  for (const columns of [80, 120]) {
    const { stdout } = await runMain(["list", "--out", RECORDS], { folder, columns });
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.length, 2);
    assert.ok(lines.every((line) => line.length <= columns), stdout);
    const starts = lines.map((line) => line.search(/undecided|\S+ won/));
    assert.equal(new Set(starts).size, 1, stdout);
    assert.match(lines[0]!, /^\S.*(?: ago|now|-23) +\S.* {2}2026-11-23T01-14-00_debate$/);
  }
});

withFolder.test("convenings without a command prints the help", async (folder) => {
  const alone = await ran([], { folder });
  assert.deepEqual(alone, await runMain(["--help"], { folder }));
});

Deno.test("open serves a record's archive, and prints the URL when a server already has it", async () => {
  const dir = join(RECORDS, "2026-11-23/2026-11-23T01-14-00_debate");
  const options = { folder: Deno.cwd(), command: ["open", dir] };
  await using server = await startServe(["--read-only"], options);
  assert.match(server.url, /\/convenings\/2026-11-23T01-14-00_debate$/);
  const { port } = new URL(server.url);
  const again = await runMain(["open", dir, "--port", port, "--json"], { folder: Deno.cwd() });
  assert.deepEqual(jsonOf(again), { url: server.url, out: RECORDS });

  const secret = ["--read-only", "--token", "a-secret-of-0123456789"];
  const serve = ["serve", "--out", RECORDS];
  await using closed = await startServe(secret, { ...options, command: serve });
  const ported = ["open", dir, "--port", new URL(closed.url).port];
  const { code, stderr } = await runMain(ported, { folder: Deno.cwd() });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: Cannot open 2026-11-23T01-14-00_debate: a server with a token has /m,
  );
  assert.ok(stderr.includes(`Open ${closed.url}/convenings/`), stderr);
});

withFolder.test("open without an argument serves the list of an archive without convenings", async (folder) => {
  await using server = await startServe(["--read-only"], { folder, command: ["open"] });
  assert.match(await (await fetch(server.url)).text(), /There is no convening yet/);
  const { code, stderr } = await runMain(["open", "latest"], { folder });
  assert.equal(code, 2);
  assert.match(stderr, /Cannot find the latest convening/);
});

withFolder.test("demo shows the shipped debate turn by turn and ends as the debate did", async (folder) => {
  const { stdout, stderr } = await ran(["demo"], { folder });
  assert.match(stderr, /^A language model spoke this debate on 2026-11-23\./);
  const turns = stderr.split("\n").filter((line) => /^\d+ · /.test(line));
  assert.deepEqual(turns.map((line) => parseInt(line)), [...Array(13).keys()].map((n) => n + 1));
  assert.match(
    stdout,
    /^Undecided: the judges did not agree\.\n {3}7\.32 {2}Advocate B\n {3}6\.94 {2}Advocate A\n/,
  );
  const json = jsonOf(await runMain(["demo", "--json"], { folder }));
  assert.equal(json["status"], "completed");
  assert.deepEqual(await namesIn(folder), []);
});

Deno.test("demo streams the words of a turn in a terminal and ends at Ctrl-C", async () => {
  const pieces: string[] = [];
  const err = (text: string) => {
    pieces.push(text);
    if (pieces.length === 200) session.interrupt();
  };
  const io = {
    ...{ live: true, colour: false, err, columns: () => 100, now: () => 0 },
    ...{ permitted: () => true, ignoresEnv: () => true },
  };
  const session = new Session(io as unknown as Io);
  const values = new FlagValues();
  for (const flag of DEMO.flags) if (flag.name === "--pace") values.add(flag, "600000");
  const { code } = await DEMO.run({ args: [], values }, session);
  assert.equal(code, 130);
  const shown = pieces.join("");
  assert.match(shown, /\n▲ Advocate B opening statement\n/);
  assert.ok(pieces.some((each) => / merging(?:\n[^\n]*)?$/.test(each)), "words come one by one");
});

Deno.test("demo --open serves the record and prints the URL of its page", async () => {
  const command = ["demo", "--open"];
  await using server = await startServe([], { folder: Deno.cwd(), command });
  assert.match(server.url, /\/convenings\/2026-11-23T01-14-00_debate$/);
  const page = await fetch(server.url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Should a team rebase its branches before they are merged\?/);
});
