// Records of runs that wait for people.
import assert from "node:assert/strict";
import { afterCrash } from "../engine/support/killed_runs.ts";
import type { TurnInfo } from "../../src/core/event.ts";
import type { Fact } from "../../src/core/fact.ts";
import { openRecord } from "../../src/record/directory_record.ts";
import { listConvenings } from "../../src/record/list.ts";
import { readRecord } from "../../src/record/read.ts";
import { renderTranscript } from "../../src/record/transcript.tsx";
import { rebuildIndex, verifyRecord } from "../../src/record/verify.ts";
import { begun } from "./support/begun.ts";
import {
  draftOf,
  endingOf,
  Events,
  factCheckOf,
  FACTS,
  messageOf,
  resumeOf,
  stanceOf,
} from "./support/fixtures.ts";

const SLOW = { refreshDelay: 60_000 };

function turnOf(seq: number, participant: string): TurnInfo {
  const place = { phase: "argument", kind: "argument", round: 1 };
  return { seq, turn: `turn/${seq}`, participant, name: participant, ...place };
}

const wait = (seq: number, participant: string) => ({
  type: "turn-wait" as const,
  turn: turnOf(seq, participant),
  task: "Say it.",
});

Deno.test("a run that was killed while it waited is still shown as waiting", async () => {
  const { record, events, dir, memory } = await begun();
  await events.fact(messageOf(1));
  await events.apply(wait(2, "advocate-b"));
  // The process dies: the record is not closed, and its lock is free.
  const copy = await afterCrash(memory);
  await record.close();
  const [row] = await listConvenings(copy, "/out");
  assert.equal(row?.status, "waiting");
  await rebuildIndex(copy, dir);
  assert.match(await copy.read(`${dir}/index.md`), /^- Waiting for Bo \(turn turn\/2\)\.$/m);
  assert.match(
    await copy.read(`${dir}/index.md`),
    /^ {2}- \{ participant: advocate-b, turn: turn\/2 \}$|^waiting_for: \[\{ participant: advocate-b, turn: turn\/2 \}\]$/m,
  );
  assert.deepEqual((await verifyRecord(copy, dir)).findings, []);
  const again = await openRecord(copy, { dir }, SLOW);
  assert.equal(again.status, "waiting");
  await new Events(again).apply(resumeOf(1));
  assert.equal((await readRecord(copy, dir)).status, "running");
  await again.close();
});

for (const status of ["waiting", "paused"] as const) {
  Deno.test(`a convening that is ${status} has no end and no outcome and does not count as interrupted`, async () => {
    const { record, events, dir, memory } = await begun();
    await events.fact(messageOf(1));
    const { endReason: _none, ...ending } = endingOf({ status, outcome: "unscored", winner: null });
    const waitingFor = [{ participant: "advocate-b", turn: "turn/2" }];
    await events.apply({
      type: "convening-end",
      ending: { ...ending, ...(status === "waiting" ? { waitingFor } : {}) },
    });
    await record.close();
    const contents = await readRecord(memory, dir);
    assert.equal(contents.status, status);
    assert.equal(contents.endReason, undefined);
    assert.equal(contents.endedAt, undefined);
    assert.equal(contents.outcome, undefined);
    assert.deepEqual(contents.waitingFor, status === "waiting" ? waitingFor : undefined);
    const [row] = await listConvenings(memory, "/out");
    assert.equal(row?.status, status);
    const index = await memory.read(`${dir}/index.md`);
    assert.match(index, new RegExp(`^- Status: \\*\\*${status}\\*\\*, 1 message$`, "m"));
    assert.match(index, /^- Winner: not decided yet\.$/m);
    for (const format of ["md", "html"] as const) {
      const transcript = await renderTranscript(format, contents);
      assert.match(transcript, /Winner: not decided yet\./);
      assert.doesNotMatch(transcript, /Undecided|not judged/);
    }
    assert.deepEqual((await verifyRecord(memory, dir)).findings, []);
  });
}

Deno.test("facts about a missing message are dropped and not used by a resume", async () => {
  const { record, events, dir, memory } = await begun();
  for (const seq of [1, 2, 3]) await events.fact(messageOf(seq));
  const lookups = FACTS.filter((fact) => fact.type === "lookup");
  const kept: Fact[] = [...lookups, draftOf(2, { reflection: "a" }), factCheckOf(1), stanceOf()];
  const left: Fact[] = [
    { ...lookups[1]!, seq: 9, turn: "turn/9" },
    draftOf(9, { reflection: "b" }),
    factCheckOf(9),
    stanceOf({ key: "stance/9", seq: 9 }),
  ];
  for (const fact of [...kept, ...left]) await events.fact(fact);
  await record.close();
  const ninth = () => [...memory.files(dir).keys()].filter((path) => /\/0*9[_.]/.test(path));
  assert.equal(ninth().length, 4);
  const again = await openRecord(memory, { dir }, SLOW);
  const others = again.facts.filter(({ type }) => type !== "message");
  assert.equal(others.length, kept.length);
  await new Events(again).apply(resumeOf(3));
  await again.close();
  assert.deepEqual(ninth(), []);
  assert.ok(memory.files(dir).has("lookups/000_1.md"), "what was remembered is kept");
  assert.deepEqual((await verifyRecord(memory, dir)).findings, []);
  assert.match(
    await memory.read(`${dir}/metadata.md`),
    /fact_checks: 1, stances: 1|fact_checks: 1\n/,
  );
});
