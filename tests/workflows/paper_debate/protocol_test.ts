// Paper debate protocol: order of turns and questions.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../mod.ts";
import { paperDebate } from "../../../papers.ts";
import { paperRules, playPaper } from "../support/paper_players.ts";
import { POSTURES, QUESTIONS, TOPICS } from "../support/paper_talkers.ts";

const A = "argument/debater-a";
const B = "argument/debater-b";
const C = "argument/debater-c";
const ARGUED = [`begin ${A}`, `begin ${B}`, `begin ${C}`, `settle-what-can ${A} ${B} ${C}`];
const QUESTION = "To what extent do trees cool streets at night?";

/** Returns the keys of the judges' questions about the messages with these numbers. */
function asked(...seqs: number[]): string[] {
  const sides = seqs.map((_, index) => `verdict/judge/${index + 1}`);
  return [
    ...seqs.map((seq) => `score/${seq}/judge`),
    ...sides.length > 1 ? sides : [],
    "insights/judge",
  ];
}

function judging(keys: readonly string[]): string[] {
  return [
    "results nobody",
    ...keys.map((key) => `begin-ask ${key}`),
    `settle ${keys.join(" ")}`,
    "results nobody",
    "say verdict",
    "say report",
  ];
}

describe("paperDebate()", () => {
  it("paperDebate() asks for questions, takes the first, then postures, concurrent arguments, concurrent scores, a report", () => {
    const { script, turns, value } = playPaper(paperDebate(paperRules()));
    assert.deepEqual(script, [
      "say questions",
      "say question",
      "say postures",
      ...ARGUED,
      ...judging(asked(4, 5, 6)),
    ]);
    assert.equal(value!.question, QUESTIONS[0]);
    assert.deepEqual([value!.postures, value!.topics], [POSTURES.slice(0, 3), TOPICS]);
    assert.deepEqual(
      turns.filter(({ kind }) => kind === "argument").map(({ position }) => position),
      POSTURES.slice(0, 3),
    );
    assert.equal(value!.summary.turn, "report");
  });

  it("paperDebate() rejects a number without a question and lists the questions", () => {
    const { error, script } = playPaper(paperDebate(paperRules({ pick: 9 })));
    assert.ok(error instanceof ConfigurationError);
    assert.equal(error.message, "Cannot debate question 9: there are 8 questions");
    assert.equal(error.field, "pick");
    for (const [index, question] of QUESTIONS.entries()) {
      assert.ok(error.hint!.includes(`${index + 1}. ${question}`));
    }
    assert.deepEqual(script, ["say questions"], "nothing is asked after it");
  });

  it("paperDebate() asks a person for the question, again after an invalid answer, three times at most", () => {
    const first = playPaper(paperDebate(paperRules({ pick: "ask" })), {
      answer: ({ key }) => key === "pick" ? { question: 3 } : undefined,
    });
    assert.deepEqual(first.script.slice(0, 4), [
      "say questions",
      "ask pick",
      "say question",
      "say postures",
    ]);
    assert.equal(first.value!.question, QUESTIONS[2]);
    const own = playPaper(paperDebate(paperRules({ pick: "ask" })), {
      answer: ({ key }) => key === "pick/2" ? { question: `  ${QUESTION}` } : undefined,
    });
    assert.deepEqual(own.script.slice(1, 4), ["ask pick", "ask pick/2", "say question"]);
    assert.equal(own.value!.question, QUESTION);
    const none = playPaper(paperDebate(paperRules({ pick: "ask" })));
    assert.deepEqual(none.script.slice(1), ["ask pick", "ask pick/2", "ask pick/3"]);
    assert.match((none.error as ConfigurationError).hint!, /1\. Under what conditions/);
  });

  it("paperDebate() with cross-examination has each arguing debater answer all the others, concurrently", () => {
    const { script } = playPaper(paperDebate(paperRules({ crossExamine: true })));
    const crossed = ["a", "b", "c"].map((id) => `cross_examination/debater-${id}`);
    assert.deepEqual(script.slice(7, 12), [
      ...crossed.map((key) => `begin ${key}`),
      `settle-what-can ${crossed.join(" ")}`,
      "results nobody",
    ]);
    assert.deepEqual(script.slice(12, 15), asked(4, 5, 6).slice(0, 3).map((k) => `begin-ask ${k}`));
  });

  it("paperDebate() judges the remaining debaters when one fails, in cross-examination too", () => {
    const plain = playPaper(paperDebate(paperRules()), { fails: [B] });
    assert.deepEqual(plain.script.slice(7), judging(asked(4, 6)));
    assert.deepEqual(plain.value!.speeches.map(({ seq }) => seq), [4, 6]);
    const crossed = playPaper(paperDebate(paperRules({ crossExamine: true })), {
      fails: [B, "cross_examination/debater-a"],
    });
    assert.deepEqual(crossed.script.slice(7, 10), [
      "begin cross_examination/debater-a",
      "begin cross_examination/debater-c",
      "settle-what-can cross_examination/debater-a cross_examination/debater-c",
    ]);
    assert.ok(crossed.script.includes("begin-ask score/4/judge"), "it argued");
    assert.equal(crossed.error, undefined);
  });

  it("paperDebate() with one remaining debater has neither a comparison nor a cross-examination", () => {
    const { script, error } = playPaper(paperDebate(paperRules({ crossExamine: true })), {
      fails: [A, B],
    });
    assert.equal(error, undefined);
    assert.deepEqual(script.slice(7), judging(asked(6)));
  });

  it("paperDebate() has no turn for a debater without a posture and no posture without a debater", () => {
    const few = playPaper(paperDebate(paperRules({ postures: POSTURES.slice(0, 2) })));
    assert.deepEqual(few.script.slice(3, 6), [
      `begin ${A}`,
      `begin ${B}`,
      `settle-what-can ${A} ${B}`,
    ]);
    const many = playPaper(paperDebate(paperRules({ postures: POSTURES })));
    assert.equal(many.value!.postures.length, 3);
    const { error, script } = playPaper(paperDebate(paperRules({ postures: [] })));
    assert.match((error as ConfigurationError).hint!, /## Postures, ## Topics/);
    assert.equal(script.at(-1), "say postures");
  });

  it("paperDebate() waits for the fact checker when claims are checked", () => {
    const { script } = playPaper(paperDebate(paperRules({ factCheck: { mode: "standard" } })));
    assert.ok(script.includes("results fact_checker"));
  });

  it("paperDebate() asks the judges concurrently, each with its own rubric", () => {
    const judges = [{ id: "j" }, { id: "k", rubric: "academic" }];
    const { script, questions } = playPaper(paperDebate(paperRules({ judges })));
    const keys = questions.map(({ key }) => key);
    assert.equal(keys.length, 2 * (3 + 3 + 1));
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(script.filter((each) => each.startsWith("settle ")).length, 1);
  });
});
