// Check of a record against its protocol.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message } from "../../mod.ts";
import { debate, type Fact, type Protocol, say, settleWhatCan } from "../../protocol.ts";
import { begin } from "../../src/core/protocol.ts";
import { ConfigurationError } from "../../src/core/error.ts";
import { checkOrder } from "../../src/core/play.ts";
import { RecordedFacts } from "../../src/core/record.ts";
import { playAll, rules, type Yielded } from "../support/players.ts";

const ruleSets = fc.record({
  sides: fc.integer({ min: 2, max: 3 }),
  rounds: fc.integer({ min: 0, max: 3 }),
  blindOpenings: fc.boolean(),
  simultaneous: fc.boolean(),
  roundSummaries: fc.boolean(),
  moderator: fc.constantFrom("m", undefined),
});

function problemOf(given: Parameters<typeof rules>[0], facts: readonly Fact[]) {
  return checkOrder(debate(rules(given)), new RecordedFacts(facts)).problem;
}

/** Returns a possible record of a run stopped after `steps` requests; `lucky` selects recorded work in flight. */
function interrupted(
  yielded: readonly Yielded[],
  steps: number,
  lucky: (index: number) => boolean,
): Fact[] {
  return yielded.filter((each, index) => each.step < steps && (each.waited < steps || lucky(index)))
    .map(({ fact }) => fact);
}

Deno.test("checkOrder() accepts a whole record and an empty one", () => {
  fc.assert(fc.property(ruleSets, (given) => {
    const { yielded } = playAll(debate(rules(given)));
    assert.equal(problemOf(given, yielded.map(({ fact }) => fact)), undefined);
    assert.equal(problemOf(given, []), undefined);
  }));
});

Deno.test("checkOrder() accepts every record that an interruption can leave", () => {
  const luck = fc.array(fc.boolean(), { minLength: 100, maxLength: 100 });
  fc.assert(fc.property(ruleSets, fc.nat(80), luck, (given, steps, lucky) => {
    const { yielded } = playAll(debate(rules(given)));
    const facts = interrupted(yielded, steps, (index) => lucky[index]!);
    assert.equal(problemOf(given, facts), undefined);
  }));
});

Deno.test("checkOrder() reports every missing message that a later one depends on, by key and number", () => {
  fc.assert(fc.property(ruleSets, fc.nat(60), (given, pick) => {
    const { yielded } = playAll(debate(rules(given)));
    const messages = yielded.filter(({ turn }) => turn !== undefined);
    const lost = messages[pick % messages.length]!;
    const waitedFor = messages.some(({ step }) => step > lost.waited);
    const rest = yielded.filter((each) => each !== lost).map(({ fact }) => fact);
    const problem = problemOf(given, rest);
    if (!waitedFor) return assert.equal(problem, undefined);
    assert.equal(problem?.key, lost.turn!.key);
    assert.equal(problem?.seq, (lost.fact as Message).seq);
    assert.match(problem.problem, /missing/);
  }));
});

Deno.test("checkOrder() reports a wrong number, speaker, phase, kind, round or answered message, and a turn that the protocol cannot have", () => {
  const { messages } = playAll(debate(rules()));
  const moved = messages.map((each) => each.seq === 4 ? { ...each, seq: 40 } : each);
  assert.match(problemOf({}, moved)!.problem, /should have the number 4/);
  for (const field of ["participant", "phase", "kind", "round"] as const) {
    const changed = messages.map((each) =>
      each.seq === 4 ? { ...each, [field]: field === "round" ? 7 : "odd" } : each
    );
    const { seq, problem } = problemOf({}, changed)!;
    assert.equal(seq, 4);
    assert.match(problem, new RegExp(`should have the ${field} (?!odd|7)`));
  }
  for (const replyTo of [1, 3, undefined]) {
    const changed = messages.map((each) => each.seq === 5 ? { ...each, replyTo } as Message : each);
    assert.match(problemOf({}, changed)!.problem, /should answer 4/);
  }
  const odd = { ...messages[0]!, seq: 99, turn: "round-9/argument/x" };
  const all = playAll(debate(rules())).yielded.map(({ fact }) => fact);
  assert.equal(problemOf({}, [...all, odd])!.key, "round-9/argument/x");
});

Deno.test("checkOrder() accepts a failed turn only if the protocol continued without it", () => {
  const { yielded } = playAll(debate(rules({ rounds: 1 })));
  const summary = yielded.find(({ turn }) => turn?.kind === "round_summary")!;
  const failure: Fact = {
    type: "failure",
    seq: 8,
    turn: summary.turn!.key,
    participant: "m",
    code: "agent_auth",
    attempts: 1,
    message: "Cannot",
    createdAt: "",
  };
  const rest = yielded.filter((each) => each !== summary).map(({ fact }) => fact);
  const check = (facts: Fact[]) =>
    checkOrder(debate(rules({ rounds: 1 })), new RecordedFacts(facts));
  assert.deepEqual([...check([...rest, failure]).skipped], [failure.turn]);
  const before = rest.filter((fact) => fact.type !== "message" || fact.kind !== "summary");
  assert.deepEqual([...check([...before, failure]).skipped], []);
  const required = { ...failure, seq: 4, turn: "round-1/argument/a" };
  const lost = [...rest, failure, required].filter((fact) =>
    fact.type !== "message" || fact.seq !== 4
  );
  assert.equal(check(lost).problem?.key, "round-1/argument/a");
});

Deno.test("checkOrder() gives the exit condition the protocol's messages, started turns included", () => {
  function* protocol(): Protocol<void> {
    const turn = (key: string) => ({
      key,
      speaker: "a",
      phase: "p",
      kind: "k",
      round: 0,
      task: "",
    });
    const begun = [yield* begin(turn("one")), yield* begin(turn("two"))];
    yield* settleWhatCan(begun);
    yield* say(turn("three"));
  }
  const { messages } = playAll(protocol());
  const seen: number[] = [];
  const ends = (given: readonly Message[]) => {
    seen.push(given.length);
    return given.length === 2;
  };
  const two = messages.slice(0, 2);
  assert.equal(checkOrder(protocol(), new RecordedFacts(two), ends).problem, undefined);
  assert.deepEqual(seen, [1, 2]);
  assert.match(
    checkOrder(protocol(), new RecordedFacts(messages), ends).problem!.problem,
    /not a turn that/,
  );
});

Deno.test("checkOrder() treats a protocol that refuses to continue, or fails, as ended there", () => {
  function* protocol(error?: Error): Protocol<void> {
    yield* say({ key: "one", speaker: "a", phase: "p", kind: "k", round: 0, task: "" });
    if (error !== undefined) throw error;
  }
  const [one] = playAll(protocol()).messages;
  const check = (facts: readonly Fact[], error: Error) =>
    checkOrder(protocol(error), new RecordedFacts(facts)).problem;
  const two = { ...one!, seq: 2, turn: "two" };
  for (
    const error of [new ConfigurationError("There is no question 9"), new TypeError("a fault")]
  ) {
    assert.equal(check([one!], error), undefined);
    assert.match(check([one!, two], error)!.problem, /not a turn that/);
  }
});
