// Notes on judges: bias, inconsistency, common models.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Score, Verdict } from "../../src/core/fact.ts";
import type { JudgeNote } from "../../src/core/outcome.ts";
import { judgeNotes } from "../../src/judging/judge_notes.ts";
import { agreementOf } from "../../src/judging/agreement.ts";
import { scoreBy, verdictBy } from "./support/judging.ts";

const NAMES = new Map([["a", "Advocate A"], ["b", "Advocate B"], ["j", "Judge 1"]]);
const NUMBERS = [1, 2, 3, 4, 5, 6];

function notesOf(
  scores: readonly Score[],
  verdicts: readonly Verdict[],
  models: Readonly<Record<string, string>> = {},
): JudgeNote[] {
  const messages = NUMBERS.map((seq) => {
    const participant = seq % 2 === 1 ? "a" : "b";
    const body = "word ".repeat(seq * 10);
    const model = models[participant] ?? "s";
    return { seq, participant, model, body, phase: "p", kind: "k", round: Math.ceil(seq / 2) };
  });
  const { judges } = agreementOf(scores, verdicts, messages);
  return judgeNotes({ scores, verdicts, messages, names: NAMES, judges });
}

function sentences(...given: Parameters<typeof notesOf>): string[] {
  return notesOf(...given).map(({ sentence }) => sentence);
}

function passes(judge: string, first: string, second = first, more: Partial<Verdict> = {}) {
  return [first, second].map((winner, index) =>
    verdictBy(judge, { number: index + 1, pass: index + 1, winner, ...more })
  );
}

function scores(of: (seq: number) => Record<string, number>): Score[] {
  return NUMBERS.map((seq) =>
    scoreBy("j", { message: seq, participant: seq % 2 === 1 ? "a" : "b", criteria: of(seq) })
  );
}

describe("judgeNotes()", () => {
  const mixed = [3, 5, 2, 4, 7, 1];
  const fair = scores((seq) => ({ clarity: mixed[seq - 1]!, wit: mixed[seq - 1]! }));

  it("judgeNotes() reports nothing for steady verdicts and varying scores", () => {
    assert.deepEqual(notesOf(fair, passes("j", "a")), []);
  });

  it("judgeNotes() states how many votes come from one model", () => {
    const verdicts = ["j", "k", "l"].flatMap((judge) => passes(judge, "a"));
    assert.deepEqual(sentences([], verdicts), ["3 of 3 votes are of one model: m."]);
    const prefixed = [...passes("j", "a"), ...passes("k", "a", "a", { model: "vllm:m" })];
    assert.deepEqual(sentences([], prefixed), ["2 of 2 votes are of one model: m."]);
  });

  it("judgeNotes() names a judge whose verdicts change with order, label, or chance", () => {
    assert.deepEqual(sentences([], passes("j", "a", "b")), [
      "The 2 verdicts of Judge 1 change with the order or label of the sides: the vote is a tie.",
    ]);
    const torn = passes("j", "a").flatMap((each) => [each, { ...each, number: 3, winner: "b" }]);
    assert.deepEqual(sentences([], torn), [
      "The 4 verdicts of Judge 1 differ between askings of the same question: the vote is a tie.",
    ]);
  });

  it("judgeNotes() names a judge with equal scores for all turns", () => {
    const same = scores(() => ({ clarity: 7, wit: 7 }));
    assert.deepEqual(sentences(same, passes("j", "a")), [
      "Judge 1 gave all 6 turns the same total, 7.",
    ]);
  });

  it("judgeNotes() looks at a judge's own numbers, not at those that refuted claims capped", () => {
    const cappedAt = (messages: readonly number[], own: readonly Score[]) =>
      own.map((each): Score =>
        messages.includes(each.message)
          ? { ...each, criteria: { ...each.criteria, wit: 0 }, judged: each.criteria, total: 1 }
          : each
      );
    const same = scores(() => ({ clarity: 7, wit: 7 }));
    assert.deepEqual(sentences(cappedAt([2], same), passes("j", "a")), [
      "Judge 1 gave all 6 turns the same total, 7.",
    ]);
    const long = scores((seq) => ({ clarity: seq, wit: seq }));
    assert.deepEqual(sentences(cappedAt([5, 6], long), passes("j", "b")), [
      "The scores of Judge 1 follow the length of turns: rank correlation 1 over 6 turns.",
    ]);
  });

  it("judgeNotes() names a judge that decides by one criterion", () => {
    const one = scores((seq) => ({ clarity: 5, wit: seq % 2 === 1 ? 9 - mixed[seq - 1]! / 9 : 2 }));
    assert.deepEqual(sentences(one, passes("j", "a")), [
      "By the scores of Judge 1, Advocate A is ahead in only one of 2 criteria: wit.",
    ]);
  });

  it("judgeNotes() names a judge whose scores follow length, with the number of turns", () => {
    const long = scores((seq) => ({ clarity: seq, wit: seq }));
    assert.deepEqual(sentences(long, passes("j", "b")), [
      "The scores of Judge 1 follow the length of turns: rank correlation 1 over 6 turns.",
    ]);
  });

  it("judgeNotes() reports notes in verdicts: shortened turns and known biases", () => {
    const profile = ["Prefers the label A: 80 of 84 pairs."];
    assert.deepEqual(notesOf([], passes("j", "a", "a", { shortened: 1, profile })), [
      {
        kind: "shortened",
        judge: "j",
        sentence: "Judge 1 saw only the beginning of 1 turn: there was no room for the rest.",
      },
      {
        kind: "profile",
        judge: "j",
        sentence:
          "A check of the model of Judge 1 found a bias: Prefers the label A: 80 of 84 pairs.",
      },
    ]);
  });

  it("judgeNotes() names a judge with a debater's model, in earlier records too", () => {
    const earlier = (model: string) => [verdictBy("j", { model, winner: "a" })];
    const one = { a: "gpt-a", b: "gpt-b" };
    assert.deepEqual(
      sentences([scoreBy("j", { participant: "a", model: "gpt-a" })], earlier("gpt-a"), one),
      ["Judge 1 has the same model as Advocate A: gpt-a."],
    );
    assert.deepEqual(sentences([], earlier("openai:gpt-b"), one), [
      "Judge 1 has the same model as Advocate B: openai:gpt-b.",
    ]);
    assert.deepEqual(sentences([], earlier("gpt-c"), one), []);
    assert.deepEqual(sentences([], earlier("gpt-a"), { a: "gpt-a", b: "gpt-a" }), [
      "Judge 1 has the same model as Advocate A and Advocate B: gpt-a.",
    ]);
    assert.deepEqual(sentences([], earlier("offline"), { a: "offline", b: "offline" }), []);
  });
});
