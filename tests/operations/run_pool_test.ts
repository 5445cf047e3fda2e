// Pool of runs: queue, stop, resume, events, shutdown.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { Catalogue } from "../../src/compose.ts";
import type { ConveningConfig } from "../../src/config/convening_config.ts";
import { defineKind } from "../../src/engine/kind.ts";
import { folderRecord } from "../../src/record/directory_record.ts";
import { openConvening, verify } from "../../src/operations/convening.ts";
import { conveningPool } from "../../src/operations/client_runs.ts";
import type { StudyStatus } from "../../src/studies/study.ts";
import { Gate, TALK as TALKED, withGate, withTalkers } from "../server/support/talking_app.ts";
import { Talker } from "../support/talkers.ts";

const TALK: ConveningConfig = { ...TALKED, participants: [...TALKED.participants] };

withTalkers.test("a resumed run that is stopped in the queue has the earlier messages in its ending", async ({ pool: before, out }) => {
  const gate = new Gate();
  const { dir, ended } = await before.start({ ...TALK, limits: { maxTurns: 2 } });
  await ended;
  await before.close();
  const held = new Talker(gate.say, "talker");
  const pool = conveningPool({
    out,
    maxRunning: 1,
    compose: { agents: { ada: held, ben: held } },
  });
  await pool.start(TALK);
  const queued = await pool.resume(dir, { config: { limits: { maxTurns: 9 } } });
  assert.equal(queued.state.state, "queued");
  // A run without turns in flight is stopped at once.
  queued.pause();
  await queued.ended;
  const { result } = await openConvening(dir);
  assert.equal(result.messages.length, 2);
  assert.match(result.summary, /\(cancelled\) after 2 messages/);
  assert.deepEqual((await verify(dir)).findings, []);
  await pool.close();
  await assert.rejects(pool.start(TALK), { code: "busy", message: /the program is ending/ });
});

Deno.test("a full pool frees a place at the end of a run that has no directory yet", async () => {
  const composed = Promise.withResolvers<never>();
  const kind = defineKind({
    name: "slow",
    summary: "A kind that is composed slowly",
    settings: {},
    participants: [{ name: "Ada" }],
    create: () => composed.promise,
  });
  const pool = conveningPool({
    out: "/tmp/nothing-is-written",
    maxRunning: 1,
    maxQueued: 0,
    compose: { catalogue: new Catalogue({ kinds: [kind] }) },
  });
  const started = pool.start({ kind: "slow", topic: TALK.topic } as unknown as ConveningConfig);
  assert.deepEqual(pool.running, []);
  await assert.rejects(pool.resume("/nowhere"), { code: "busy" });
  const freed = pool.freed();
  composed.reject(new Error("nobody speaks"));
  await assert.rejects(started, /nobody speaks/);
  assert.equal(await freed, true);
  assert.equal(await pool.freed(), false);
});

withGate.test("resume() returns the existing run, also to concurrent callers, and reports another process's lock", async ({ pool, talker, gate }) => {
  const run = await pool.start(TALK);
  assert.equal(await pool.resume(run.dir), run);
  await gate.reached;
  run.pause();
  const waiting = [pool.resume(run.dir), pool.resume(run.dir)];
  gate.open();
  const [one, two] = await Promise.all(waiting);
  assert.equal(one, two);
  assert.notEqual(one, run);
  await one!.ended;
  assert.equal((await openConvening(run.dir)).messages.length, 3);
  assert.equal(talker.keys.length, 3);

  const stopped = await pool.start({ ...TALK, limits: { maxTurns: 1 } });
  await stopped.ended;
  const { start } = await openConvening(stopped.dir);
  const record = await folderRecord({ dir: stopped.dir }).open(start);
  await assert.rejects(pool.resume(stopped.dir), { code: "locked" });
  await record.close();
  await (await pool.resume(stopped.dir, { config: { limits: { maxTurns: 9 } } })).ended;
  assert.equal((await openConvening(stopped.dir)).messages.length, 3);
  await assert.rejects(pool.resume(join(stopped.dir, "nothing")), { code: "not_found" });
});

withGate.test("events() yields no delta of a message that it has yielded whole", async ({ pool, gate }) => {
  const run = await pool.start(TALK);
  const events = pool.events(run.dir);
  const { value: first } = await events.next();
  assert.equal(first.type, "convening-start");
  // The stream is read on after the end: its buffer is older than the log.
  gate.open();
  await run.ended;
  const rest = await Array.fromAsync(events);
  const said = new Set<number>();
  for (const event of rest) {
    if (event.type === "message") said.add(event.message.seq);
    if (event.type === "message-delta") assert.ok(!said.has(event.turn.seq));
  }
  assert.equal(said.size, 3);
});

Deno.test("the end of a study's run is awaited without the run's error", async () => {
  const { studies } = conveningPool({ out: "/nowhere" });
  const full = Promise.withResolvers<void>();
  await studies.start("tea", ({ onProgress }) => {
    onProgress({} as StudyStatus);
    return full.promise;
  });
  const { ended } = studies.run("tea")!;
  full.reject(new Error("the disk is full"));
  await ended;
  assert.equal(studies.run("tea"), undefined);
});
