import assert from "node:assert/strict";
import { MemoryFileSystem } from "../../src/record/memory_files.ts";
import type { DebateWorkflowConfig } from "../../mod.ts";
import { FaultyFiles } from "../output/support/faulty_files.ts";
import { afterCrash, comparable, conveningIn, factsIn, runIn } from "./support/killed_runs.ts";
import { Talker } from "./support/talkers.ts";

/** Kills a debate after each `step`th file operation, from `first`; resumes, and compares with one that was not killed. */
async function killEverywhere(
  config: DebateWorkflowConfig,
  { first, step, say }: {
    first: number;
    step: number;
    say?: ConstructorParameters<typeof Talker>[0];
  },
): Promise<number> {
  const calm = new MemoryFileSystem();
  const counted = new FaultyFiles(calm);
  const whole = new Talker(say);
  await runIn(counted, undefined, { agent: whole, ...config });
  const expected = comparable(calm.files(conveningIn(calm)!));
  const keys = new Set(whole.keys);
  let kills = 0;
  for (let killAfter = first; killAfter < counted.operations; killAfter += step) {
    const memory = new MemoryFileSystem();
    const killed = await runIn(new FaultyFiles(memory, { killAfter }), undefined, {
      agent: new Talker(say),
      ...config,
    });
    const survived = await afterCrash(memory);
    const dir = conveningIn(survived);
    const { facts, status, answered } = dir === undefined
      ? { facts: [], status: "none", answered: new Set<string>() }
      : await factsIn(survived, dir);
    for (const message of killed.accepted) {
      assert.deepEqual(
        facts.find((fact) => fact.type === "message" && fact.seq === message.seq),
        message,
      );
    }
    const agent = new Talker(say);
    const { error } = await runIn(survived, dir, { agent, ...config });
    assert.equal(error, undefined, `after ${killAfter} operations`);
    const asked = new Set(agent.keys);
    for (const key of keys) {
      assert.equal(
        asked.has(key),
        !answered.has(key),
        `${key} after ${killAfter} operations (${status})`,
      );
    }
    assert.deepEqual(
      comparable(survived.files(conveningIn(survived)!)),
      expected,
      `after ${killAfter}`,
    );
    kills++;
  }
  return kills;
}

for (const part of [0, 1]) {
  Deno.test(`A debate killed after any file operation is resumed to the same directory, nothing paid twice (${part + 1} of 2)`, async () => {
    const kills = await killEverywhere({}, { first: part, step: 2 });
    assert.ok(kills > 40, `${kills} kills`);
  });
}

Deno.test("A simultaneous debate of three rounds survives being killed anywhere", async () => {
  await killEverywhere({ pacing: "simultaneous", roundCount: 3 }, { first: 5, step: 23 });
});

Deno.test("A debate with rejected attempts and an unreadable score survives being killed anywhere", async () => {
  const say: ConstructorParameters<typeof Talker>[0] = ({ context: { key, attempt } }) =>
    key === "opening/a" && attempt < 3 || key === "score/4/j" ? { text: "" } : undefined;
  await killEverywhere({ words: { min: 2, max: 5 }, roundCount: 0 }, { first: 2, step: 5, say });
});

Deno.test("A debate with rolling summaries survives being killed anywhere", async () => {
  const config = { roundSummaries: false, roundCount: 6, maxPromptTokens: 1200 };
  const agent = new Talker();
  await runIn(new MemoryFileSystem(), undefined, { agent, ...config });
  assert.ok(agent.keys.includes("fold/1"));
  await killEverywhere(config, { first: 3, step: 31 });
});

Deno.test("A debate can be killed over and over, and still comes to the same end", async () => {
  const calm = new MemoryFileSystem();
  await runIn(calm, undefined, { agent: new Talker() });
  let files = new MemoryFileSystem();
  let asked = 0;
  for (let run = 0;; run++) {
    const agent = new Talker();
    const faulty = new FaultyFiles(files, { killAfter: 11 + run % 7 });
    const { result } = await runIn(faulty, conveningIn(files), { agent });
    asked += agent.requests.length;
    files = await afterCrash(files);
    if (result !== undefined) break;
    assert.ok(run < 100, "it gets nowhere");
  }
  assert.ok(asked > 20);
  assert.deepEqual(
    comparable(files.files(conveningIn(files)!)),
    comparable(calm.files(conveningIn(calm)!)),
  );
});
