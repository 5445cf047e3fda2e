// Output of commands at a terminal: the list, the end of a run, help, and the address of a record.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { startServe } from "../server/support/serve_process.ts";
import { jsonOf, withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";

const TOPIC = "Should cities ban private cars from their centres?";
const RECORDS = join(import.meta.dirname!, "../../examples/records");

Deno.test("a run at a terminal ends with the commands to go on with, of its id; piped output has none", async () => {
  await withFolder(async (folder) => {
    const args = ["debate", TOPIC, "--seed", "1", "--rounds", "0"];
    const { code, stdout } = await runMain([...args, "--quiet"], { folder, columns: 60 });
    assert.equal(code, 0);
    const report = stdout.slice(0, stdout.indexOf(folder)).split("\n");
    assert.deepEqual(report.filter((line) => line.length > 60), []);
    const [, id] = /\/([^\/\s]+_debate)\/index\.md\nNext:\n/.exec(stdout) ?? [];
    const next = stdout.slice(stdout.indexOf("Next:\n")).trimEnd().split("\n").slice(1);
    assert.equal(next.length, 3);
    for (const line of next) {
      assert.ok(line.startsWith("  convenings ") && line.includes(id!), line);
    }
    const ask = next[1]!.slice("  convenings ask ".length).split(/ (?=')/);
    const asked = await runMain(["ask", ...ask.map((each) => each.replaceAll("'", ""))], {
      folder,
    });
    assert.match(asked.stdout, /^\d+ {2}/, ask.join(" "));
    const piped = await runMain(["resume", "latest"], { folder });
    assert.match(piped.stdout, /index\.md\n$/);
  });
});

Deno.test("list at a terminal has a row of its width a convening: age, winner or state, topic, id", async () => {
  await withFolder(async (folder) => {
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
});

Deno.test("convenings alone prints the help", async () => {
  await withFolder(async (folder) => {
    const alone = await runMain([], { folder });
    assert.equal(alone.code, 0);
    assert.deepEqual(alone, await runMain(["--help"], { folder }));
  });
});

Deno.test("open serves the archive of a record, and gives the address where a server has it already", async () => {
  const dir = join(RECORDS, "2026-11-23/2026-11-23T01-14-00_debate");
  const options = { folder: Deno.cwd(), command: ["open", dir] };
  await using server = await startServe(["--read-only"], options);
  assert.match(server.url, /\/convenings\/2026-11-23T01-14-00_debate$/);
  const { port } = new URL(server.url);
  const again = await runMain(["open", dir, "--port", port, "--json"], { folder: Deno.cwd() });
  assert.deepEqual(jsonOf(again), { url: server.url, out: RECORDS });
});
