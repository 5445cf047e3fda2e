// Contract suite of record stores: the tests that every store must pass.
import assert from "node:assert/strict";
import type { RecordStore } from "../../src/core/record.ts";
import { endingOf, Events, FACTS, messageOf, startOf } from "../record/support/fixtures.ts";

/** A store under test, and access to its record. */
export interface StoreUnderTest {
  /** Store of a new record. */
  readonly store: RecordStore;
  /** Returns a second store for the same record. */
  again(): RecordStore;
  /** Returns the files of the record by path in its directory. @default the record is no directory; files are not tested */
  files?(): Promise<ReadonlyMap<string, string>>;
}

/** Declares the tests that every record store must pass. */
export function recordStoreContract(
  name: string,
  setUp: () => Promise<StoreUnderTest>,
): void {
  const it = (title: string, run: (tested: StoreUnderTest) => Promise<void>) =>
    Deno.test(`${name} ${title}`, async () => run(await setUp()));

  it("open() claims a new record whose status is running", async ({ store }) => {
    const record = await store.open(startOf());
    assert.equal(record.resumed, false);
    assert.equal(record.status, "running");
    assert.deepEqual(record.facts, []);
    assert.equal(record.lastEvent, 0);
    await record.close();
  });

  it("open() returns every fact that apply() has written", async (tested) => {
    const start = startOf({ sources: [{ name: "a.md", text: "Source\r\n" }] });
    const record = await tested.store.open(start);
    const events = new Events(record);
    await events.apply({ type: "convening-start", start });
    for (const fact of FACTS) await events.fact(fact);
    await record.close();
    const again = await tested.again().open(start);
    assert.deepEqual(again.facts, FACTS);
    assert.deepEqual(again.start, start);
    assert.equal(again.resumed, true);
    assert.equal(again.lastEvent, FACTS.length + 1);
    await again.close();
  });

  it("apply() accepts events of concurrent turns", async (tested) => {
    const record = await tested.store.open(startOf());
    const events = new Events(record);
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const late = numbers.toReversed();
    await Promise.all(
      late.map((seq) => events.fact({ ...messageOf(seq), seq, turn: `turn/${seq}` })),
    );
    await record.close();
    const again = await tested.again().open(startOf());
    assert.deepEqual(
      again.facts.map((fact) => fact.type === "message" && fact.seq),
      numbers,
    );
    await again.close();
    const files = await tested.files?.();
    if (files === undefined) return;
    assert.deepEqual(
      (files.get("log.jsonl") ?? "").trim().split("\n").map((line) => JSON.parse(line).n),
      numbers,
    );
  });

  it("apply() records the end of a run and the start of a resumed run", async (tested) => {
    const record = await tested.store.open(startOf());
    const events = new Events(record);
    await events.fact(messageOf(1));
    const ending = endingOf({ status: "stopped", endReason: "max_tokens" });
    await events.apply({ type: "convening-end", ending });
    await record.close();
    const again = await tested.again().open(startOf());
    assert.equal(again.status, "stopped");
    await new Events(again).apply({
      type: "convening-resume",
      replayed: 1,
      usage: messageOf(1).usage,
    });
    await again.close();
    const third = await tested.again().open(startOf());
    assert.equal(third.status, "running");
    await third.close();
  });

  it("open() reports that a person's turn was pending when the run ended", async (tested) => {
    const record = await tested.store.open(startOf());
    const events = new Events(record);
    await events.fact(messageOf(1));
    const { seq, turn, participant, name, phase, kind, round } = messageOf(2);
    const info = { seq, turn, participant, name, phase, kind, round };
    await events.apply({ type: "turn-wait", turn: info, task: "Answer." });
    const { endReason: _none, ...ending } = endingOf({ status: "waiting" });
    const waitingFor = [{ participant, turn }];
    await events.apply({ type: "convening-end", ending: { ...ending, waitingFor } });
    await record.close();
    const again = await tested.again().open(startOf());
    assert.equal(again.status, "waiting");
    assert.deepEqual(again.facts, [messageOf(1)]);
    await again.close();
    const files = await tested.files?.();
    if (files === undefined) return;
    assert.match(files.get("metadata.md") ?? "", /^waiting_for: .*turn\/2/m);
  });

  it("open() rejects a convening of another kind", async (tested) => {
    const record = await tested.store.open(startOf());
    await record.close();
    await assert.rejects(
      tested.again().open(startOf({ kind: "dialogue" })),
      { code: "config_invalid" },
    );
  });

  it("open() rejects a record that is already open", async (tested) => {
    const record = await tested.store.open(startOf());
    await assert.rejects(tested.again().open(startOf()), { code: "locked" });
    await record.close();
    await (await tested.again().open(startOf())).close();
  });

  it("close() leaves complete derived files", async (tested) => {
    const record = await tested.store.open(startOf());
    const events = new Events(record);
    for (const fact of FACTS) await events.fact(fact);
    await events.apply({ type: "convening-end", ending: endingOf() });
    await record.close();
    const again = await tested.again().open(startOf());
    assert.equal(again.status, "completed");
    await again.close();
    const files = await tested.files?.();
    if (files === undefined) return;
    const index = files.get("index.md") ?? "";
    assert.match(index, /\[3\]\(messages\/003_moderator_[0-9a-f]{8}\.md\)/);
    assert.match(index, /Status: \*\*completed\*\*/);
    assert.match(files.get("summary.md") ?? "", /In short: \*cars\*\./);
    assert.match(files.get("scores.md") ?? "", /\*\*7\.7\*\*/);
    assert.match(files.get("metadata.md") ?? "", /^winner: advocate-a$/m);
  });
}
