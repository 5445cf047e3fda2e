import assert from "node:assert/strict";
import { AgentError } from "../../../mod.ts";
import { MemoryFileSystem } from "../../../src/record/memory_files.ts";
import { FaultyFiles } from "../../output/support/faulty_files.ts";
import { paperRunIn } from "../support/paper_runs.ts";
import {
  argumentOf,
  json,
  type PaperSettings,
  paperTalker,
  usualReply,
} from "../support/paper_talkers.ts";
import { afterCrash, comparable, conveningIn, factsIn } from "../support/killed_runs.ts";
import type { Say } from "../support/talkers.ts";

/** Kills a debate after each `step`th file operation, from `first`; resumes, and compares with one that was not killed. */
async function killEverywhere(
  settings: PaperSettings,
  { first, step, say, same = (text) => text }: {
    first: number;
    step: number;
    say?: Say;
    /** A file without what may differ. */
    same?: (text: string) => string;
  },
): Promise<number> {
  const calm = new MemoryFileSystem();
  const counted = new FaultyFiles(calm);
  const whole = paperTalker(say);
  const { error: calmError } = await paperRunIn(counted, undefined, { agent: whole, ...settings });
  assert.equal(calmError, undefined);
  const filesOf = (memory: MemoryFileSystem) =>
    [...comparable(memory.files(conveningIn(memory)!))].map(([path, text]) => [path, same(text)]);
  const expected = filesOf(calm);
  const keys = new Set(whole.keys);
  let kills = 0;
  for (let killAfter = first; killAfter < counted.operations; killAfter += step) {
    const where = `after ${killAfter} of ${counted.operations} operations`;
    const memory = new MemoryFileSystem();
    const killed = await paperRunIn(new FaultyFiles(memory, { killAfter }), undefined, {
      agent: paperTalker(say),
      ...settings,
    });
    const survived = await afterCrash(memory);
    const dir = conveningIn(survived);
    const none = { facts: [], answered: new Set<string>(), kept: new Set<string>() };
    const { facts, answered, kept } = dir === undefined ? none : await factsIn(survived, dir);
    for (const message of killed.accepted) {
      const kept = facts.find((fact) => fact.type === "message" && fact.seq === message.seq);
      assert.deepEqual(kept, message, where);
    }
    const agent = paperTalker(say);
    const { error } = await paperRunIn(survived, dir, { agent, ...settings });
    assert.equal(error, undefined, where);
    const asked = new Set(agent.keys);
    for (const key of keys) {
      // One that fails for good leaves no answer, and is not asked again once the debate went on.
      const failed = facts.some((fact) => fact.type === "failure" && fact.turn === key);
      if (!failed && !kept.has(key)) {
        assert.equal(asked.has(key), !answered.has(key), `${key} ${where}`);
      }
    }
    assert.deepEqual(filesOf(survived), expected, where);
    kills++;
  }
  return kills;
}

Deno.test("A paper debate killed after any file operation is resumed to the same directory, nothing paid twice", async () => {
  const kills = await killEverywhere({ crossExamine: true }, { first: 3, step: 7 });
  assert.ok(kills > 15, `${kills} kills`);
});

Deno.test("A paper debate with two judges and rejected attempts survives being killed anywhere", async () => {
  const say: Say = (request) => {
    const { key, attempt } = request.context;
    if (key === "questions" && attempt === 1) return json({ questions: ["Why do trees cool?"] });
    if (key === "argument/debater-b" && attempt === 1) {
      const { perTopic, ...rest } = argumentOf(request, []);
      return json({ ...rest, perTopic: perTopic.slice(1) });
    }
    return key === "score/5/judge" ? { text: "Seven." } : undefined;
  };
  await killEverywhere({}, { first: 5, step: 11, say });
});

Deno.test("A paper debate in which a debater fails for good survives being killed anywhere", async () => {
  const say: Say = ({ context: { key } }) => {
    if (key !== "argument/debater-b") return undefined;
    throw new AgentError("agent_auth", "Cannot log in", { status: 401 });
  };
  // Killed before the others were done, it is tried again.
  const same = (text: string) =>
    text.replace(/^attempts: \d$/gm, "").replace(/ after \d attempts/g, "");
  await killEverywhere({ crossExamine: true }, { first: 2, step: 9, say, same });
});

Deno.test("What a turned-down attempt looked up is known to the retry after a kill too", async () => {
  const seen: string[][] = [];
  const say: Say = async (request) => {
    const { key, attempt } = request.context;
    if (key !== "argument/debater-a") return undefined;
    const usual = await usualReply(request);
    const { perTopic, ...rest } = argumentOf(request, usual.toolCalls!);
    seen.push(perTopic.flatMap(({ citations }) => citations.paper.map(({ chunkId }) => chunkId)));
    if (attempt === 1) {
      return { ...json({ ...rest, perTopic: perTopic.slice(1) }), toolCalls: usual.toolCalls };
    }
    // It cites what it saw before, and looks nothing up.
    return json({ ...rest, perTopic });
  };
  const kills = await killEverywhere({}, { first: 40, step: 3, say });
  assert.ok(kills > 0);
  assert.ok(seen.length > 2);
});
