// Fact checks after kills and failures.
import assert from "node:assert/strict";
import {
  type AgentError,
  createAgent,
  createParticipant,
  DialogueWorkflow,
  memoryRecord,
} from "../../../mod.ts";
import { startModelServer } from "../../support/model_server.ts";
import type { FileSystem } from "../../../src/core/files.ts";
import { openRecord } from "../../../src/record/directory_record.ts";
import { MemoryFileSystem } from "../../../src/record/stores.ts";
import { FaultyFiles } from "../../output/support/faulty_files.ts";
import { finding, startSearchServer } from "../../support/search_server.ts";
import { afterCrash, comparable, conveningIn, factsIn } from "../support/killed_runs.ts";
import { cast, debateOf, drain, Talker, TOPIC } from "../support/talkers.ts";
import { checkerAgent, found, searchOf } from "./support/checking.ts";

const CLOCK = { now: () => Date.parse("2026-11-21T20:33:05.114Z") };

Deno.test("A run with strict checks that is killed is resumed with the missing checks alone", async () => {
  // Turn 1 is false once, so that strict checks reject an attempt.
  await using server = await startSearchServer({
    answers: ({ query }) =>
      finding(query.includes("early") ? "The count contradicts that." : "The count confirms it."),
  });
  const run = async (files: FileSystem, dir?: string) => {
    const speaker = new Talker(({ context: { key, attempt } }) => ({
      text: `Fact: ${attempt === 1 ? "early" : "late"} buses are slow, says ${key}.`,
    }));
    const checker = checkerAgent();
    const place = dir === undefined ? { out: "/out" } : { dir };
    const participants = [
      ...["Ada", "Ben"].map((name) => createParticipant({ name }, speaker)),
      createParticipant({ name: "Vera", role: "fact_checker" }, checker),
    ];
    const drained = await drain(
      new DialogueWorkflow(TOPIC, participants, {
        maxTurns: 2,
        seed: 1,
        clock: CLOCK,
        factCheck: { mode: "strict" },
        searchers: [searchOf(server)],
        guards: { repetition: "off", coherence: "off" },
        record: {
          open: (start) => openRecord(files, place, { refreshDelay: 60_000, clock: CLOCK, start }),
        },
      }),
    );
    return { drained, speaker, checker };
  };
  const calm = new MemoryFileSystem();
  const counted = new FaultyFiles(calm);
  await run(counted);
  const once = server.requests.length;
  const expected = comparable(calm.files(conveningIn(calm)!));
  assert.ok(expected.has("fact-checks/001.md"));
  assert.ok(expected.has("rejected/001_1.md"));
  for (let killAfter = 1; killAfter < counted.operations; killAfter += 5) {
    const memory = new MemoryFileSystem();
    const before = server.requests.length;
    await run(new FaultyFiles(memory, { killAfter }));
    const survived = await afterCrash(memory);
    const dir = conveningIn(survived);
    const none = { facts: [], kept: new Set<string>() };
    const { facts, kept } = dir === undefined ? none : await factsIn(survived, dir);
    const { drained, speaker, checker } = await run(survived, dir);
    assert.equal(drained.error, undefined, `after ${killAfter}`);
    // Strict checks are sequential: the last search's results may have been on their way to disk.
    const searched = server.requests.length - before;
    assert.ok(searched <= once + 1, `${searched} after ${killAfter}`);
    for (const seq of [1, 2]) {
      const said = facts.some((fact) => fact.type === "message" && fact.seq === seq);
      const checked = facts.some((fact) => fact.type === "fact-check" && fact.message === seq);
      const asked = checker.keys.filter((key) => key.split("/")[1] === String(seq));
      // Answers that are stored separately may cover a turn in part.
      const isKept = [...kept].some((key) => new RegExp(`^(turn-|claims/)${seq}/`).test(key));
      if (isKept && !checked) continue;
      assert.equal(speaker.keys.some((key) => key.startsWith(`turn-${seq}/`)), !said);
      assert.equal(asked.length > 0, !checked, `check ${seq} after ${killAfter}: ${asked}`);
    }
    assert.deepEqual(
      found(drained).checks.map(({ message }) => message),
      [1, 2].filter((seq) =>
        !facts.some((fact) => fact.type === "fact-check" && fact.message === seq)
      ),
    );
    assert.deepEqual(
      comparable(survived.files(conveningIn(survived)!)),
      expected,
      `after ${killAfter}`,
    );
  }
});

for (const judged of [true, false]) {
  Deno.test(`A checker whose server is busy: a debate ${judged ? "with judges fails, and a resume checks and scores the turn" : "without judges completes, the turn recorded as not checked"}`, async () => {
    let isBusy = true;
    await using server = await startModelServer({
      respond: ({ body }) => {
        const prompt = body.messages.at(-1)!.content ?? "";
        return isBusy && /Speech for opening\/b/.test(prompt)
          ? { status: 429, headers: { "retry-after": "3600" } }
          : { text: JSON.stringify({ claims: [] }) };
      },
    });
    const checker = createParticipant(
      { name: "Vera", role: "fact_checker" },
      createAgent("checker-model", { baseUrl: server.url }),
    );
    const record = memoryRecord();
    const retry = { minWait: 0, maxWait: 0, retries: 1 };
    const options = { roundCount: 0, record, retry, scoringEnabled: judged };
    const hold = (agent: Talker) =>
      drain(debateOf(agent, { ...options, participants: [...cast(agent), checker] }).workflow);
    const filesOf = (folder: string) =>
      [...record.files].filter(([path]) => path.startsWith(`${folder}/003`));
    const first = await hold(new Talker());
    if (!judged) {
      assert.equal(first.result?.status, "completed");
      assert.match(filesOf("fact-checks")[0]![1], /^status: unchecked$/m);
      return;
    }
    assert.equal((first.error as AgentError).code, "agent_rate_limited");
    assert.match((first.error as AgentError).message, /claims\/3\/1/);
    assert.deepEqual([filesOf("fact-checks"), filesOf("scores")], [[], []]);

    isBusy = false;
    const talker = new Talker();
    const { result } = await hold(talker);
    assert.equal(result?.status, "completed");
    assert.deepEqual([result.factChecks?.checked, result.factChecks?.unchecked], [4, 0]);
    assert.ok(talker.keys.includes("score/3/j") && !talker.keys.includes("opening/b"));
    assert.equal(filesOf("scores").length, 1);
  });
}
