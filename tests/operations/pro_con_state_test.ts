// States of a pro/con debate.
import assert from "node:assert/strict";
import { type ConveningEvent, memoryRecord } from "../../mod.ts";
import {
  type DebateState,
  initializeDebateState,
  reduceDebateState,
  runDebate,
  streamDebate,
} from "../../src/operations/pro_con.ts";
import { checkedDebate, CONFIG, startModels } from "../support/pro_con_debate.ts";
import { FALSE, TRUE } from "../support/search_server.ts";

Deno.test("streamDebate() yields states that later events do not change, and a transcript that only grows", async () => {
  const seen: { readonly state: DebateState; readonly copy: DebateState }[] = [];
  await using models = await startModels();
  const options = { record: memoryRecord(), config: { seed: 1, baseUrl: models.url } };
  for await (const state of streamDebate("d-1", CONFIG, options)) {
    seen.push({ state, copy: structuredClone(state) });
  }
  for (const { state, copy } of seen) assert.deepEqual(state, copy);
  for (const [i, { state }] of seen.slice(1).entries()) {
    const before = seen[i]!.state.transcript;
    assert.deepEqual(
      state.transcript.slice(0, before.length).map(({ speech }) => speech),
      before.map(({ speech }) => speech),
    );
  }
  const last = seen.at(-1)!.state;
  assert.equal(last.debateId, "d-1");
  assert.deepEqual(
    last.transcript.map(({ side, round }) => `${round} ${side}`),
    ["1 pro", "1 con", "2 pro", "2 con", "3 pro", "3 con"],
  );
  assert.ok(
    last.transcript.every(({ reflection, critique, speech, wordCount, factCheck }) =>
      reflection !== "" && critique !== "" && speech !== "" && wordCount > 0 &&
      factCheck !== undefined
    ),
  );
  assert.equal(last.factCheckLogs.length, 6);
  assert.equal(last.isDebateComplete, true);
  assert.equal(last.metadata.status, "completed");
  assert.notEqual(last.metadata.summary, "");
  assert.equal(last.metadata.statistics.pro.turns, 3);
  const words = last.transcript.filter(({ side }) => side === "con")
    .reduce((sum, { wordCount }) => sum + wordCount, 0);
  assert.equal(last.metadata.statistics.con.words, words);
  assert.equal(last.metadata.directory, undefined);
});

Deno.test("streamDebate() shows each speech as it streams, up to the accepted one", async () => {
  await using models = await startModels();
  const config = { ...CONFIG, totalRounds: 1, factCheckMode: "off" } as const;
  const states = await Array.fromAsync(streamDebate("d-1", config, {
    record: memoryRecord(),
    config: { baseUrl: models.url },
  }));
  const drafts = states.flatMap(({ currentTurnDraft }) => currentTurnDraft ?? [])
    .filter(({ side }) => side === "pro").map(({ speech }) => speech);
  const [{ speech } = { speech: "" }] = states.at(-1)!.transcript;
  assert.ok(drafts.length > 2, "more than a beginning and an end");
  for (const draft of drafts) assert.ok(speech.startsWith(draft), draft);
  assert.equal(drafts.at(-1), speech);
});

Deno.test("reduceDebateState() computes the run's last state from a recorded log", async () => {
  await using models = await startModels();
  const record = memoryRecord();
  const options = { record, config: { seed: 1, baseUrl: models.url } };
  const final = await runDebate("d-1", CONFIG, options);
  const log = record.files.get("log.jsonl")!.trim().split("\n");
  const events = log.map((line): ConveningEvent => JSON.parse(line));
  const replayed = events.reduce(reduceDebateState, initializeDebateState("d-1", CONFIG));
  const plain = (state: DebateState) => JSON.parse(JSON.stringify(state));
  assert.deepEqual(plain(replayed), plain(final));
});

Deno.test("reduceDebateState() returns the same object when an event changes nothing", () => {
  const state = initializeDebateState("d-1", CONFIG);
  const event: ConveningEvent = {
    n: 1,
    at: "2026-01-01T00:00:00.000Z",
    type: "phase-start",
    phase: "argument",
  };
  assert.equal(reduceDebateState(state, event), state);
});

for (const side of ["pro", "con"] as const) {
  Deno.test(`strict: a false claim sends ${side} back twice, and a true one is then accepted`, async () => {
    const answers = side === "pro" ? [FALSE, FALSE, TRUE] : [TRUE, FALSE, FALSE, TRUE];
    const { states, last } = await checkedDebate("strict", answers);
    const rejected = states.filter(({ shouldRejectTurn }) => shouldRejectTurn);
    assert.deepEqual(
      rejected.map(({ currentSpeaker, retryCount }) => [currentSpeaker, retryCount]),
      [[side, 1], [side, 2]],
    );
    assert.ok(rejected.every(({ currentTurnDraft }) => currentTurnDraft?.speech !== ""));
    const turns = last.transcript.map(({ side, retryCount, marks }) => [side, retryCount, marks]);
    assert.deepEqual(turns, [["pro", side === "pro" ? 2 : 0, []], [
      "con",
      side === "con" ? 2 : 0,
      [],
    ]]);
    assert.deepEqual(last.metadata.rejectedTurns.map(({ guard, attempt }) => [guard, attempt]), [
      ["facts", 1],
      ["facts", 2],
    ]);
    assert.match(last.metadata.rejectedTurns[0]!.reason, /“Cities with cars say word\d+x0”/);
    assert.equal(last.metadata.statistics[side].retries, 2);
    assert.deepEqual(last.factCheckLogs.map(({ factuality }) => factuality), [1, 1]);
  });
}

Deno.test("strict: after three retries the debate continues with a mark on the turn", async () => {
  const { states, last } = await checkedDebate("strict", [FALSE]);
  assert.deepEqual(
    states.filter(({ shouldRejectTurn }) => shouldRejectTurn)
      .map(({ currentSpeaker, retryCount }) => `${currentSpeaker} ${retryCount}`),
    ["pro 1", "pro 2", "pro 3", "con 1", "con 2", "con 3"],
  );
  assert.deepEqual(
    last.transcript.map(({ side, retryCount, marks }) => [side, retryCount, marks]),
    [["pro", 3, ["accepted_with_false_claims"]], ["con", 3, ["accepted_with_false_claims"]]],
  );
  assert.equal(last.isDebateComplete, true);
  assert.deepEqual(last.currentFactCheckResults.map(({ verdict }) => verdict), ["false"]);
  assert.deepEqual(last.metadata.statistics.pro, {
    turns: 1,
    words: last.transcript[0]!.wordCount,
    retries: 3,
    claims: 1,
    falseClaims: 1,
    factuality: 0,
  });
});

Deno.test("standard: a false claim is logged without a retry; off: nothing is looked up", async () => {
  const standard = await checkedDebate("standard", [FALSE]);
  assert.deepEqual(standard.last.metadata.rejectedTurns, []);
  assert.deepEqual(standard.last.transcript.map(({ factCheck }) => factCheck?.factuality), [0, 0]);
  const off = await checkedDebate("off", [FALSE]);
  assert.equal(off.searches, 0);
  assert.deepEqual(off.last.factCheckLogs, []);
});

Deno.test("strict: a checker that fails rejects nothing, and its errors are in the metadata", async () => {
  const { last } = await checkedDebate("strict", [{ status: 400, error: "Out of order." }]);
  assert.deepEqual(last.metadata.rejectedTurns, []);
  assert.equal(last.metadata.factCheckErrors.length, 2);
  assert.match(last.metadata.factCheckErrors[0]!, /could not be looked up/);
  assert.equal(last.isDebateComplete, true);
});
