// Custom kinds of facts in library, CLI, HTTP and MCP: `verify` checks values whose definition is known.
import assert from "node:assert/strict";
import { basename, join } from "@std/path";
import { fileURLToPath } from "node:url";
import { createLibrary, folderRecord, verify } from "../../mod.ts";
import type { Observer } from "../../protocol.ts";
import { withFolder } from "../support/cli.ts";
import { runMain } from "../support/run_main.ts";
import { dialogueOf, drain, Talker } from "../support/talkers.ts";
import { served } from "./support/served.ts";
import options, { LENGTH } from "./support/length_fact.ts";

const library = createLibrary(options);
const MODULE = fileURLToPath(new URL("./support/length_fact.ts", import.meta.url));
const UNKNOWN = /the kinds "length" are not known here/;

const measuring: Observer = {
  name: "measuring",
  async observe({ seq, body }, tools) {
    const value = { characters: body.length };
    await tools.record(LENGTH.make({ key: String(seq), message: seq, value }));
  },
};

/** Runs a dialogue whose messages are measured; returns its directory. */
async function held(out: string): Promise<string> {
  const record = folderRecord({ out });
  const { workflow } = dialogueOf(new Talker(), { observers: [measuring], record, maxTurns: 2 });
  const { result } = await drain(workflow);
  return result!.dir!;
}

withFolder.test("a library that knows a kind of fact checks its values, and another reports the unchecked ones", async (out) => {
  const dir = await held(out);
  const { facts } = await library.openConvening(dir);
  assert.equal(LENGTH.in(facts).length, 2);
  assert.equal((await library.verify(dir)).unchecked, undefined);
  assert.match((await verify(dir)).unchecked!, UNKNOWN);
  const [own] = await Array.fromAsync(Deno.readDir(join(dir, "own")));
  const path = join(dir, "own", own!.name);
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace(/characters: (\d+)/, "characters: $1.5"));
  assert.deepEqual((await verify(dir)).findings, []);
  const { findings } = await library.verify(dir);
  assert.equal(findings[0]!.path, `own/${own!.name}`);
  assert.match(findings[0]!.problem, /value does not fit its kind: value\.characters: /);
});

withFolder.test("CLI, HTTP and MCP report unchecked kinds and check known ones", async (out) => {
  const dir = await held(out);
  const run = async (...more: string[]) =>
    JSON.parse((await runMain(["verify", dir, "--json", ...more], { folder: out })).stdout);
  assert.match((await run()).unchecked, UNKNOWN);
  assert.equal((await run("--extend", MODULE)).unchecked, null);
  const id = basename(dir);
  for (const [options, expected] of [[{ out }, UNKNOWN], [{ out, library }, /^null$/]] as const) {
    await served(options, async ({ at, call }) => {
      const all = [await at(`convenings/${id}/verify`), await call("verify", { id })];
      for (const { unchecked } of all) assert.match(String(unchecked), expected);
    });
  }
});

withFolder.test("CLI, HTTP and MCP show a message's custom facts", async (out) => {
  const dir = await held(out);
  const shown = await runMain(["show", dir, "1", "--facts"], { folder: out });
  assert.match(shown.stdout, /## length: 1\n\n\{"characters":\d+\}\n/);
  const { stdout } = await runMain(["show", dir, "1", "--facts", "--json"], { folder: out });
  const id = basename(dir);
  await served({ out }, async ({ at, call }) => {
    assert.equal((await call("read_message", { id, seq: 1, part: "facts" }))["own"], 1);
    for (const { own } of [JSON.parse(stdout), await at(`convenings/${id}/messages/1`)]) {
      assert.equal(own.length, 1);
      assert.deepEqual([own[0].kind, own[0].key], ["length", "1"]);
      assert.equal(typeof own[0].value.characters, "number");
    }
  });
});

withFolder.test("HTTP and MCP return custom facts in pages", async (out) => {
  const dir = await held(out);
  const id = basename(dir);
  await served({ out, library }, async ({ at, call }) => {
    const path = `convenings/${id}/facts`;
    const { facts, total, next } = await at(path);
    assert.deepEqual([facts.length, total, next], [2, 2, null]);
    const { kind, key, message, value } = facts[1];
    assert.deepEqual([kind, key, message, typeof value.characters], ["length", "2", 2, "number"]);
    assert.deepEqual(await at(`${path}?offset=1&limit=1`), { facts: [facts[1]], total, next });
    assert.deepEqual(await at(`${path}?kind=none`), { facts: [], total: 0, next: null });
    assert.deepEqual((await at("kinds")).facts, ["length"]);
    assert.equal((await call("read_facts", { id, kind: "length" }))["total"], 2);
  });
});
