import assert from "node:assert/strict";
import type { ConveningResult, Message } from "../../../mod.ts";
import type { FileSystem } from "../../../src/core/files.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../../src/record/memory_files.ts";
import { ConsensusWorkflow } from "../../../src/consensus/consensus_workflow.ts";
import { FaultyFiles } from "../../output/support/faulty_files.ts";
import { deliberation, deliberators } from "../support/deliberators.ts";
import { afterCrash, comparable, conveningIn, factsIn } from "../support/killed_runs.ts";
import { type Say, Talker, TOPIC } from "../support/talkers.ts";

/** Time stands still, so that what is compared does not move. */
const CLOCK = { now: () => Date.parse("2026-11-21T20:33:05.114Z") };

async function runIn(
  files: FileSystem,
  agent: Talker,
  dir?: string,
): Promise<{ accepted: Message[]; result?: ConveningResult; error?: unknown }> {
  const place = dir === undefined ? { out: "/out" } : { dir };
  const accepted: Message[] = [];
  const workflow = new ConsensusWorkflow(TOPIC, deliberators(agent), {
    seed: 1,
    clock: CLOCK,
    retry: { minWait: 0, maxWait: 0 },
    record: {
      open: (start) => openRecord(files, place, { refreshDelay: 60_000, clock: CLOCK, start }),
    },
  });
  try {
    const stream = workflow.stream();
    let step = await stream.next();
    while (!step.done) {
      if (step.value.type === "message") accepted.push(step.value.message);
      step = await stream.next();
    }
    return { accepted, result: step.value };
  } catch (error) {
    return { accepted, error };
  }
}

/** Ben's replies cannot be read as turns, and only now and then as stances; agreement comes late. */
const usual = deliberation((who, proposal, round) => ({
  stance: proposal !== "p2" && (who !== "ada" || round > 2) ? "agree" : "disagree",
  ...who === "cleo" ? { condition: "it is paid for" } : {},
}));
const say: Say = (request) => {
  const { kind, participant, round, attempt } = request.context;
  if (participant !== "ben" || kind === "proposals") return usual(request);
  if (kind === "statement") return { text: `Ben says it his way, ${attempt} times in ${round}.` };
  return round === 3 ? { text: "no JSON" } : usual(request);
};

Deno.test("A search for consensus killed after any file operation is resumed to the same directory, no stance asked twice", async () => {
  const calm = new MemoryFileSystem();
  const counted = new FaultyFiles(calm);
  const whole = await runIn(counted, new Talker(say));
  assert.equal(whole.result?.endReason, "consensus");
  const expected = comparable(calm.files(conveningIn(calm)!));
  let kills = 0;
  for (let killAfter = 1; killAfter < counted.operations; killAfter += 3) {
    const memory = new MemoryFileSystem();
    const killed = await runIn(new FaultyFiles(memory, { killAfter }), new Talker(say));
    const survived = await afterCrash(memory);
    const dir = conveningIn(survived);
    const { facts } = dir === undefined ? { facts: [] } : await factsIn(survived, dir);
    for (const message of killed.accepted) {
      assert.deepEqual(
        facts.find((fact) => fact.type === "message" && fact.seq === message.seq),
        message,
      );
    }
    const agent = new Talker(say);
    const { error, result } = await runIn(survived, agent, dir);
    assert.equal(error, undefined, `after ${killAfter} operations`);
    assert.deepEqual(result?.value, whole.result?.value);
    const spoken = new Set(
      facts.flatMap((fact) => fact.type === "message" ? [fact.turn, `stance/${fact.turn}`] : []),
    );
    for (const fact of facts) {
      const known = fact.type === "choice" || fact.type === "stance" && spoken.has(fact.key);
      if (known) assert.ok(!agent.keys.includes(fact.key), `${fact.key} after ${killAfter}`);
    }
    const files = survived.files(conveningIn(survived)!);
    assert.deepEqual(comparable(files), expected, `after ${killAfter}`);
    kills++;
  }
  assert.ok(kills > 30, `${kills} kills`);
});
