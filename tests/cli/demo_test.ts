// The demo: a shipped debate in a terminal, piped, and in the viewer.
import assert from "node:assert/strict";
import { DEMO } from "../../src/cli/commands/continuing.ts";
import { FlagValues } from "../../src/cli/flag.ts";
import type { Io } from "../../src/cli/io.ts";
import { Session } from "../../src/cli/session.ts";
import { startServe } from "../server/support/serve_process.ts";
import { jsonOf, namesIn, runCli, withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";

Deno.test("demo tells the shipped debate turn by turn and ends as the debate did", async () => {
  await withFolder(async (folder) => {
    const { code, stdout, stderr } = await runCli(["demo"], { folder });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^A language model spoke this debate on 2026-11-23\./);
    const turns = stderr.split("\n").filter((line) => /^\d+ · /.test(line));
    assert.deepEqual(turns.map((line) => parseInt(line)), [...Array(13).keys()].map((n) => n + 1));
    assert.match(stdout, /^Outcome: undecided\n {3}7\.32 {2}Advocate B\n {3}6\.93 {2}Advocate A\n/);
    const json = jsonOf(await runMain(["demo", "--json"], { folder }));
    assert.equal(json["status"], "completed");
    assert.deepEqual(await namesIn(folder), []);
  });
});

Deno.test("demo shows the words of a turn one by one in a terminal, and ends at Ctrl-C", async () => {
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

Deno.test("demo --open serves the record and prints the address of its page", async () => {
  const command = ["demo", "--open"];
  await using server = await startServe([], { folder: Deno.cwd(), command });
  assert.match(server.url, /\/convenings\/2026-11-23T01-14-00_debate$/);
  const page = await fetch(server.url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Should a team rebase its branches before they are merged\?/);
});
