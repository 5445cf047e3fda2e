// Failing requests in paper debates.
import assert from "node:assert/strict";
import type { PaperAsk } from "../../support/paper_model.ts";
import { onServer } from "./support/on_server.ts";

/** True if a request is the one that fails; of debaters, Debater B's first. */
function isHit({ kind, debater, results }: PaperAsk, wanted: string): boolean {
  return kind === wanted && (debater === "" || debater === "Debater B") && results.length === 0;
}

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

Deno.test("An argument cut off at its cap is asked for again, shorter; one that stays cut is kept with a mark", async () => {
  const whole =
    '{"perTopic":[{"topic":"Methodology","claim":"Trees cool.","reasoning":"It was measured in twel' +
    "ve towns ".repeat(400);
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
  // The rejected words may not fit the context window a second time.
  assert.doesNotMatch(told.prompt, /(?:ve towns ){200}/);
  const ever = await onServer((ask) =>
    isHit(ask, "debater_argument") ? { text: whole, finishReason: "length" } : undefined
  );
  const kept = ever.result!.messages.find(({ turn }) => turn === "argument/debater-b")!;
  assert.match(kept.body, /Trees cool\./);
  assert.doesNotMatch(kept.body, /perTopic|[{}]/);
  assert.ok(kept.marks.includes("unstructured") && kept.marks.includes("truncated"));
  assert.equal(ever.result!.status, "completed");
});
