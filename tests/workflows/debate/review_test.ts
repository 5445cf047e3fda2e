import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Message } from "../../../mod.ts";
import { debate, type Question } from "../../../protocol.ts";
import { closenessOf } from "../../../src/debate/review.ts";
import { debateOf, drain, Talker } from "../support/talkers.ts";
import { playAll, rules, said, sides } from "../support/players.ts";
import { scoreOf } from "../support/debate_facts.ts";

function reviews(anythingNew: (round: number) => boolean) {
  return ({ kind, round }: Question) =>
    kind === "round_review" ? { reason: "r", anything_new: anythingNew(round) } : undefined;
}

const ADAPTIVE = { adaptive: true, rounds: 3 } as const;

/** Scores of everything said, so that side A leads by `lead`. */
function ledBy(lead: number) {
  return (messages: readonly Message[]) =>
    messages.filter(({ participant }) => participant !== "m")
      .map((message) => scoreOf(message, message.participant === "a" ? 5 + lead : 5));
}

describe("reviewRound()", () => {
  it("reviewRound() ends the rounds where nothing new was said, and the closings and summary still come", () => {
    const { messages, value, questions } = playAll(debate(rules(ADAPTIVE)), {
      answer: reviews((round) => round < 2),
    });
    assert.equal(value.rounds, 2);
    assert.equal(value.nothingNew, true);
    assert.deepEqual(messages.slice(-3).map(({ kind }) => kind), [
      "closing_statement",
      "closing_statement",
      "summary",
    ]);
    const asked = questions.filter(({ kind }) => kind === "round_review");
    assert.deepEqual(asked.map(({ round, asked }) => [round, asked]), [[2, "m"]]);
  });

  it("reviewRound() adds one round, once, where the sides are no further apart than the judges", () => {
    const { value, questions } = playAll(debate(rules(ADAPTIVE)), {
      answer: reviews(() => true),
      found: ledBy(0),
    });
    assert.equal(value.rounds, 4);
    assert.equal(value.nothingNew, false);
    const rounds = questions.filter(({ kind }) => kind === "round_review").map(({ round }) =>
      round
    );
    assert.deepEqual(rounds, [2, 3]);
  });

  it("reviewRound() adds none where one side leads clearly, nobody scored, or nothing new was said", () => {
    const rounds = (lead: number, isNew: boolean) =>
      playAll(debate(rules(ADAPTIVE)), {
        answer: reviews((round) => round < 3 || isNew),
        found: ledBy(lead),
      }).value;
    assert.equal(rounds(3, true).rounds, 3);
    assert.deepEqual([rounds(0, false).rounds, rounds(0, false).nothingNew], [3, false]);
    const unscored = playAll(debate(rules(ADAPTIVE)), { answer: reviews(() => true) });
    assert.equal(unscored.value.rounds, 3);
  });

  it("reviewRound() goes on where a review cannot be read", () => {
    assert.equal(playAll(debate(rules(ADAPTIVE))).value.rounds, 3);
  });

  it("reviewRound() waits for the scores only after the last planned round, and keeps what it went by", () => {
    const { script, yielded } = playAll(debate(rules(ADAPTIVE)), {
      answer: reviews(() => true),
      found: ledBy(0.5),
    });
    assert.equal(script.filter((each) => each === "results scorer").length, 1);
    const [, last] = yielded.flatMap(({ fact }) => fact.type === "choice" ? [fact] : []);
    assert.deepEqual(last!.value, { anythingNew: true, gap: 0.5, disagreement: 0.0693 });
  });

  it("reviewRound() is nothing to a debate that does not adapt", () => {
    const { script } = playAll(debate(rules({ rounds: 3 })));
    assert.ok(script.every((each) => !/review|results/.test(each)));
  });
});

describe("closenessOf()", () => {
  const messages = ["a", "b", "a", "b"].map((speaker, index) =>
    said({ key: `k${index}`, speaker, phase: "", kind: "argument", round: 1, task: "" }, index + 1)
  );
  const advocates = sides(2);

  it("closenessOf() a panel is the mean deviation among the judges over the scored speeches", () => {
    const scores = messages.flatMap((message, index) => [
      scoreOf(message, 6, "j"),
      scoreOf(message, index === 0 ? 8 : 6, "k"),
    ]);
    // The deviation of 6 and 8 is √2; of the other three speeches, 0.
    assert.deepEqual(closenessOf({ advocates }, messages, scores), {
      gap: 0.5,
      disagreement: 0.3536,
    });
  });

  it("closenessOf() one judge is the standard error of its totals", () => {
    const scores = messages.map((message, index) => scoreOf(message, [4, 6, 8, 6][index]!));
    // The deviation of 4, 6, 8, 6 is √(8/3); by √4.
    assert.deepEqual(closenessOf({ advocates }, messages, scores), {
      gap: 0,
      disagreement: 0.8165,
    });
  });

  it("closenessOf() knows only what was said so far, and two sides at least", () => {
    const later = scoreOf({ ...messages[0]!, seq: 99 }, 0);
    const scores = messages.map((message) => scoreOf(message, 5));
    assert.deepEqual(closenessOf({ advocates }, messages, [...scores, later]), {
      gap: 0,
      disagreement: 0,
    });
    assert.equal(closenessOf({ advocates }, messages.slice(0, 1), scores), undefined);
    assert.equal(closenessOf({ advocates }, messages, []), undefined);
  });
});

/** Finds something new in the rounds up to `last`, and scores every speech the same. */
function reviewing(last: number): Talker {
  return new Talker(({ context }) => {
    const { kind, round, data } = context;
    if (kind === "round_review") {
      return { text: JSON.stringify({ reason: "r", anything_new: round <= last }) };
    }
    if (kind !== "score") return undefined;
    const { rubric } = data as { rubric: { criteria: { id: string }[] } };
    const scores = Object.fromEntries(rubric.criteria.map(({ id }) => [id, 5]));
    return { text: JSON.stringify({ reasons: "r", scores }) };
  });
}

Deno.test("An adaptive debate that says nothing new ends completed, for that reason, and every choice is on record", async () => {
  const { workflow, record } = debateOf(reviewing(1), { adaptive: true, roundCount: 5 });
  const { result } = await drain(workflow);
  assert.equal(result?.status, "completed");
  assert.equal(result?.endReason, "nothing_new");
  assert.equal(result?.value?.rounds, 2);
  assert.match(record.files.get("metadata.md")!, /^end_reason: nothing_new$/m);
  assert.ok([...record.files.keys()].some((path) => path.startsWith("choices/")));
});

Deno.test("An adaptive debate whose sides are level has one round more than planned", async () => {
  const { workflow } = debateOf(reviewing(9), { adaptive: true, roundCount: 2 });
  const { result } = await drain(workflow);
  assert.equal(result?.value?.rounds, 3);
  assert.equal(result?.endReason, "completed");
});
