// Failing requests in paper debates.
import assert from "node:assert/strict";
import { AgentError, memoryRecord } from "../../../mod.ts";
import { startModelServer } from "../../support/model_server.ts";
import { type PaperAsk, paperModel } from "../../support/paper_model.ts";
import { fileOf } from "../support/paper_talkers.ts";
import { drain } from "../support/talkers.ts";
import { debateOn, onServer } from "./support/on_server.ts";

const KINDS: Readonly<Record<string, string>> = {
  "paper_questions": "questions",
  "postures_and_topics": "postures",
  "debater_argument": "argument/debater-b",
  "cross_examination": "cross_examination/debater-b",
  "report": "report",
};
/** True if a request is the one that fails; of debaters, Debater B's first. */
function isHit({ kind, debater, results }: PaperAsk, wanted: string): boolean {
  return kind === wanted && (debater === "" || debater === "Debater B") && results.length === 0;
}

Deno.test("Every turn of a paper debate recovers from a cut connection", async () => {
  const left = new Map(Object.keys(KINDS).map((kind) => [kind, 2]));
  const { result, events, record } = await onServer((ask) => {
    const more = left.get(ask.kind) ?? 0;
    if (more === 0 || !isHit(ask, ask.kind)) return undefined;
    left.set(ask.kind, more - 1);
    return { fault: "cut" };
  }, { crossExamine: true });
  assert.equal(result?.status, "completed");
  assert.deepEqual([...left.values()], [0, 0, 0, 0, 0]);
  assert.ok(result.messages.every(({ attempts }) => attempts === 1));
  const resets = events.flatMap((event) => event.type === "message-reset" ? [event.turn.turn] : []);
  assert.deepEqual(new Set(resets), new Set(Object.values(KINDS)));
  assert.ok(![...record.files.keys()].some((path) => path.startsWith("failures/")));
});

Deno.test("A fault between two look-ups repeats the whole turn and records each look-up of the final reply once", async () => {
  let faults = 1;
  const { result, events } = await onServer((ask) =>
    ask.kind === "debater_argument" && ask.debater === "Debater B" && ask.results.length === 1 &&
      faults-- > 0
      ? { status: 500 }
      : undefined
  );
  assert.equal(result?.status, "completed");
  const lookUps = events.flatMap((event) => event.type === "lookup" ? [event.lookup] : []);
  assert.deepEqual(lookUps.map(({ turn, number }) => [turn, number]).toSorted(), [
    ["argument/debater-a", 1],
    ["argument/debater-b", 1],
    ["argument/debater-c", 1],
  ]);
});

const FOR_GOOD = [
  ["paper_questions", { status: 401 }, "agent_auth"],
  ["postures_and_topics", { refusal: "I will not." }, "agent_refused"],
  ["report", { status: 401 }, "agent_auth"],
] as const;
for (const [kind, fault, code] of FOR_GOOD) {
  Deno.test(`A ${KINDS[kind]} turn that fails for good (${code}) fails the run by name, and a resume asks for the missing answers alone`, async () => {
    const { error, record, asks } = await onServer((ask) => isHit(ask, kind) ? fault : undefined);
    assert.ok(error instanceof AgentError);
    assert.equal(error.code, code);
    assert.match(error.message, new RegExp(`turn "${KINDS[kind]}"`));
    assert.match(record.files.get("metadata.md")!, /^status: failed$/m);
    assert.equal(record.files.has("report.json"), false);
    const again = await onServer(() => undefined, { record });
    assert.equal(again.result?.status, "completed");
    const paid = new Set(asks.map((ask) => ask.kind).filter((each) => each !== kind));
    for (const { kind: each } of again.asks) assert.ok(!paid.has(each), `${each} was paid before`);
    assert.ok(again.record.files.has("report.json"));
  });
}

Deno.test("A debate continues without a debater that fails for good", async () => {
  const { result, report, record, asks } = await onServer(
    (ask) => isHit(ask, "debater_argument") ? { refusal: "I will not." } : undefined,
  );
  assert.equal(result?.status, "completed");
  assert.match(record.files.get("failures/005.md")!, /^code: agent_refused$/m);
  assert.equal(report.rankedPostures.length, 2);
  assert.match(report.notes.join("\n"), /Debater B, for "It depends", failed and was not judged/);
  assert.match(record.files.get("index.md")!, /Debater B/);
  assert.equal(asks.filter(({ kind }) => kind === "topic_scores").length, 2);
});

Deno.test("A debater that fails for good before a stop and again after the resume is named once", async () => {
  const fault = (ask: PaperAsk) =>
    isHit(ask, "debater_argument") ? { status: 401 } as const : undefined;
  const stop = new AbortController();
  const record = memoryRecord();
  await using server = await startModelServer({ respond: paperModel(fault) });
  const stopped = debateOn(server.url, { record, signal: stop.signal });
  for await (const { type } of stopped.stream()) if (type === "turn-fail") stop.abort();
  assert.match(record.files.get("metadata.md")!, /^end_reason: cancelled$/m);
  const { report, events } = await onServer(fault, { record });
  assert.ok(events.some(({ type }) => type === "turn-fail"), "it is tried again");
  assert.equal(report.notes.filter((note) => note.startsWith("Debater B")).length, 1);
});

Deno.test("An argument cut off at its cap is asked for again, shorter; one that stays cut is kept with a mark", async () => {
  const whole =
    '{"perTopic":[{"topic":"Methodology","claim":"Trees cool.","reasoning":"It was measured in twel';
  let cuts = 1;
  const one = await onServer((ask) =>
    isHit(ask, "debater_argument") && cuts-- > 0
      ? { text: whole, finishReason: "length" }
      : undefined
  );
  const retried = one.result!.messages.find(({ turn }) => turn === "argument/debater-b")!;
  assert.deepEqual([retried.attempts, retried.marks], [2, []]);
  const told = one.asks.find(({ prompt }) => prompt.includes("That reply is rejected"))!;
  assert.match(told.prompt, /cut off at its token limit: be shorter/);
  const ever = await onServer((ask) =>
    isHit(ask, "debater_argument") ? { text: whole, finishReason: "length" } : undefined
  );
  const kept = ever.result!.messages.find(({ turn }) => turn === "argument/debater-b")!;
  assert.match(kept.body, /Trees cool\./);
  assert.doesNotMatch(kept.body, /perTopic|[{}]/);
  assert.ok(kept.marks.includes("unstructured") && kept.marks.includes("truncated"));
  assert.equal(ever.result!.status, "completed");
});

Deno.test("A report cut off at its cap ends at a sentence, and a judge's cut JSON is repaired", async () => {
  let [reports, scores] = [1, 1];
  const { result, asks } = await onServer((ask) =>
    ask.kind === "report" && reports-- > 0
      ? { text: "It was argued. It was jud", finishReason: "length" }
      : ask.kind === "topic_scores" && scores-- > 0
      ? { text: '{"perTopic":[{"topic":"Meth', finishReason: "length" }
      : undefined
  );
  const report = result!.messages.at(-1)!;
  assert.deepEqual(report.marks, ["truncated"]);
  assert.equal(report.body, "It was argued.");
  assert.equal(asks.filter(({ kind }) => kind === "topic_scores").length, 4);
  assert.deepEqual(result!.unscored, []);
});

Deno.test("Servers without schemas are asked in words for lists, arguments and scores", async () => {
  await using server = await startModelServer({
    rejects: ["json_schema", "json_object"],
    respond: ({ body, ...rest }) => {
      const text = body.messages.map(({ content }) => content).join("\n");
      const name = /"questions"/.test(body.messages.at(-1)!.content ?? "")
        ? "paper_questions"
        : /"postures"/.test(body.messages.at(-1)!.content ?? "")
        ? "postures_and_topics"
        : undefined;
      assert.match(text, /JSON/);
      if (name === undefined) return { text: "No JSON today." };
      const schema = { type: "json_schema", "json_schema": { name, schema: {} } };
      return paperModel()({ ...rest, body: { ...body, response_format: schema } });
    },
  });
  const exitCondition = (messages: readonly unknown[]) => messages.length === 3;
  const { error, events } = await drain(
    debateOn(server.url, { record: memoryRecord(), exitCondition }),
  );
  assert.equal(error, undefined);
  const kinds = events.flatMap((event) => event.type === "message" ? [event.message.kind] : []);
  assert.deepEqual(kinds, ["questions", "question", "postures"]);
});

Deno.test("A judge that fails for good leaves the debate complete and unscored, with the reason in the report", async () => {
  const { result, report, record } = await onServer((ask) =>
    /topic_scores|verdict|insights/.test(ask.kind) ? { status: 401 } : undefined
  );
  assert.equal(result?.status, "completed");
  assert.equal(result.outcome, "unscored");
  assert.deepEqual([report.rankedPostures, report.validatedInsights], [[], []]);
  assert.match(report.notes.join("\n"), /401/);
  assert.match(fileOf(record.files, "report.md"), /Nothing was scored/);
});
