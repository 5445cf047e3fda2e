// Watching a convening of any process.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  CancelledError,
  createDialogueWorkflow,
  createParticipant,
  folderRecord,
  resume,
  writeBrief,
} from "../../mod.ts";
import type { ConveningEvent } from "../../src/core/event.ts";
import { untilReleased, watchConvening, type Watched } from "../../src/operations/watching.ts";
import { Talker } from "../support/talkers.ts";
import { withFolder } from "../support/cli.ts";
import type { DialogueOptions } from "../../protocol.ts";

const TOPIC = "Should cities ban private cars?";

function talk(out: string, agent: Talker, more: DialogueOptions = { maxTurns: 3 }) {
  const people = ["Ada", "Ben"].map((name) => createParticipant({ name }, agent));
  const record = folderRecord({ out });
  return createDialogueWorkflow(TOPIC, people, {
    record,
    guards: { repetition: "off" },
    seed: 1,
    ...more,
  });
}

async function drained(
  events: AsyncGenerator<ConveningEvent, Watched>,
  onEvent: (event: ConveningEvent) => Promise<void> | void = () => {},
): Promise<{ events: ConveningEvent[]; end: Watched }> {
  const seen: ConveningEvent[] = [];
  for (;;) {
    const step = await events.next();
    if (step.done === true) return { events: seen, end: step.value };
    seen.push(step.value);
    await onEvent(step.value);
  }
}

withFolder.test("watchConvening() yields the logged events, then ends; starts at a given event", async (out) => {
  const { dir = "" } = await talk(out, new Talker()).run();
  const { events, end } = await drained(watchConvening(dir));
  assert.deepEqual(end, { isInterrupted: false });
  assert.equal(events[0]?.type, "convening-start");
  assert.equal(events.at(-1)?.type, "convening-end");
  assert.equal(events.filter(({ type }) => type === "message").length, 3);
  const { events: rest } = await drained(watchConvening(dir, { from: 5 }));
  assert.deepEqual(rest, events.filter(({ n }) => n > 5));
  await writeBrief(dir, { model: "offline" });
  const later = await drained(watchConvening(dir));
  assert.equal(later.events.at(-1)?.type, "brief");
  assert.deepEqual(later.end, { isInterrupted: false });
});

withFolder.test("watchConvening() continues after an end while the convening is resumed", async (out) => {
  const agent = new Talker(({ context }) => ({ text: `On cars in ${context.key}.` }));
  const options = { maxTurns: 2, limits: { maxTurns: 1 } };
  const { dir = "", status } = await talk(out, agent, options).run();
  assert.equal(status, "stopped");
  const resumed = await resume(dir, {
    agents: { ada: agent, ben: agent },
    config: { limits: { maxTurns: 9 } },
  });
  // The watcher has seen the first end before the lock is held again.
  const stream = resumed.stream();
  await stream.next();
  const ends: string[] = [];
  const { end } = await drained(watchConvening(dir), async (event) => {
    if (event.type !== "convening-end") return;
    ends.push(event.ending.status);
    if (ends.length > 1) return;
    for (let step = await stream.next(); step.done !== true;) step = await stream.next();
  });
  assert.deepEqual(ends, ["stopped", "completed"]);
  assert.deepEqual(end, { isInterrupted: false });
});

withFolder.test("watchConvening() reports an interrupted convening and a missing one", async (out) => {
  const { dir = "" } = await talk(out, new Talker()).run();
  const log = join(dir, "log.jsonl");
  const lines = (await Deno.readTextFile(log)).trimEnd().split("\n");
  await Deno.writeTextFile(log, lines.slice(0, -1).join("\n") + "\n" + lines.at(-1)?.slice(0, 20));
  const { events, end } = await drained(watchConvening(dir));
  assert.equal(events.length, lines.length - 1);
  assert.deepEqual(end, { isInterrupted: true });
  await Deno.remove(log);
  assert.deepEqual(await drained(watchConvening(dir)), {
    events: [],
    end: { isInterrupted: true },
  });
  await assert.rejects(drained(watchConvening(out)), { name: "RecordError", code: "not_found" });
});

withFolder.test("watchConvening() and untilReleased() stop at their signal, and a locked record is awaited", async (out) => {
  const { dir = "" } = await talk(out, new Talker()).run();
  assert.equal(await untilReleased(dir, { within: 1000 }), false);
  using lock = await Deno.open(join(dir, ".lock"), { write: true });
  assert.equal(await lock.tryLock(true), true);
  assert.equal(await untilReleased(dir, { within: 10 }), true);
  const over = new AbortController();
  const watching = drained(watchConvening(dir, { signal: over.signal }), (event) => {
    if (event.type === "convening-end") over.abort();
  });
  await assert.rejects(watching, CancelledError);
  const aborted = { within: 60_000, signal: AbortSignal.abort() };
  await assert.rejects(untilReleased(dir, aborted), CancelledError);
});
