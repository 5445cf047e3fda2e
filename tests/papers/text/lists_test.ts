// Lists of questions, postures and topics: rendering, parsing, checks.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  checkPostures,
  checkQuestions,
  posturesBody,
  posturesIn,
  questionsBody,
  questionsIn,
} from "../../../src/papers/text/lists.ts";
import { anyCharacter } from "../../support/any_character.ts";

const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const QUESTIONS = NUMBERS.map((word) => `To what extent do bees count to ${word}?`);
const EIGHT = QUESTIONS.slice(0, 8);
const POSTURES = ["They count", "They do not", "Some of them do"];
const TOPICS = ["Method", "Evidence", "Ethics"];

Deno.test("questionsBody() renders a numbered list under a line", () => {
  assert.equal(
    questionsBody(["How so?", "1. Why\nnot?", "<b>What</b> # [x](y)?"]),
    "Questions this debate could take up:\n\n1. How so?\n2. 1\\. Why not?\n3. &lt;b>What&lt;/b> # [x]\\(y)?",
  );
});

Deno.test("questionsIn() parses a list that a person changed", () => {
  const body =
    "# Mine\nWords:\n1. One\n   goes on\r\n2) Two\n\nno item\n - Three\n* Four \\*\n3.no\n-\n- —\n";
  assert.deepEqual(questionsIn(body), ["One goes on", "Two", "Three", "Four * 3.no -"]);
  assert.deepEqual(questionsIn("No list here."), []);
});

const ITEM = fc.string({ minLength: 1, maxLength: 60 }).map((text) => `a${text}b`);

Deno.test("questionsIn() parses what questionsBody() rendered from usable questions", () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 80 })), (questions) => {
    const usable = checkQuestions(questions).usable;
    assert.deepEqual(questionsIn(questionsBody(usable)), usable);
  }));
  fc.assert(fc.property(fc.array(ITEM), (questions) => {
    const usable = checkQuestions(questions).usable;
    assert.deepEqual(questionsIn(questionsBody(usable)), usable);
  }));
});

Deno.test("posturesIn() parses what posturesBody() rendered from usable postures", () => {
  fc.assert(fc.property(fc.array(ITEM), fc.array(ITEM), (postures, topics) => {
    const usable = checkPostures({ postures, topics }, 5).usable;
    assert.deepEqual(posturesIn(posturesBody(usable)), usable);
  }));
});

Deno.test("posturesBody() renders two numbered lists under headings", () => {
  assert.equal(
    posturesBody({ postures: POSTURES, topics: ["## Topics", "Method"] }),
    "## Postures\n\n1. They count\n2. They do not\n3. Some of them do\n\n## Topics\n\n1. \\## Topics\n2. Method",
  );
});

Deno.test("posturesIn() parses lists that a person changed", () => {
  assert.deepEqual(posturesIn("Hello\n# TOPICS:\n- A\n### Posture\n1) B\n2) C"), {
    postures: ["B", "C"],
    topics: ["A"],
  });
  assert.deepEqual(posturesIn("- B\n- C\n\n## Topics\n1. A"), {
    postures: ["B", "C"],
    topics: ["A"],
  });
  assert.deepEqual(posturesIn(""), { postures: [], topics: [] });
});

Deno.test("checkQuestions() accepts 8 to 12 open questions", () => {
  assert.equal(checkQuestions(EIGHT).problem, undefined);
  assert.equal(
    checkQuestions([...QUESTIONS, "How do wasps?", "What do ants count?"]).problem,
    undefined,
  );
  assert.equal(
    checkQuestions(EIGHT.map((each, index) => `${index + 1}. **${each}**`)).problem,
    undefined,
  );
});

const CLOSED = [
  "Are Transformers a revolutionary advance over RNNs?",
  "Is it so that bees count?",
  "Doesn't the method prove it?",
  "Can’t bees count further?",
  "1. Would wasps do as well?",
  "“Has this been shown before?”",
  "Will it hold in other climates?",
];
for (const question of CLOSED) {
  Deno.test(`checkQuestions() asks for ${question} as an open question and accepts it at the last attempt`, () => {
    const problem = checkQuestions([...EIGHT, question]).problem!;
    assert.match(problem.reason, /asked openly.*: "/);
    assert.deepEqual([problem.maxRetries, problem.mark, problem.fatal], [1, undefined, undefined]);
    assert.equal(checkQuestions([...EIGHT, question]).usable.length, 9);
  });
}

const OPEN = [
  "Under what conditions are bees able to count?",
  "How could it be shown that they do?",
  "Isotopes: what do they tell of bees?",
  "Was ist der Mechanismus, und wie wirkt er?",
  "Do ponto de vista da teoria, que limites existem?",
  "¿Hasta qué punto cuentan las abejas?",
];
for (const question of OPEN) {
  Deno.test(`checkQuestions() accepts ${question} as open`, () => {
    assert.equal(checkQuestions([...EIGHT, question]).problem, undefined);
  });
}

Deno.test("checkQuestions() counts distinct questions and marks a list that stays too short", () => {
  const again = [...EIGHT.slice(0, 7), "to what extent do bees count to ONE", " ", "???"];
  const problem = checkQuestions(again).problem!;
  assert.match(problem.reason, /7 different questions, expected 8 to 12/);
  assert.match(problem.reason, /Blank questions: 2/);
  assert.match(problem.reason, /Repeated questions: 1/);
  assert.deepEqual([problem.maxRetries, problem.mark, problem.fatal], [
    1,
    "few_questions",
    undefined,
  ]);
});

Deno.test("checkQuestions() allows at most 12 and keeps the first 12", () => {
  const many = Array.from({ length: 40 }, (_, index) => `How do bees count to ${index}?`);
  const problem = checkQuestions(many).problem!;
  assert.match(problem.reason, /40 different questions/);
  assert.equal(problem.mark, undefined);
  assert.deepEqual(checkQuestions(many).usable, many.slice(0, 12));
});

Deno.test("checkQuestions() requires 10 to 1,000 code points", () => {
  const long = `How ${"very ".repeat(300)}so?`;
  assert.match(
    checkQuestions([...EIGHT, "Why so?"]).problem!.reason,
    /Under 10 characters: "Why so\?"/,
  );
  assert.match(checkQuestions([...EIGHT, long]).problem!.reason, /Over 1000 characters: "How very/);
  assert.ok([...checkQuestions([long]).usable[0]!].length <= 1000);
  assert.deepEqual(checkQuestions(["Why so?", `${"😀".repeat(9)}a`]).usable, [
    `${"😀".repeat(9)}a`,
  ]);
});

Deno.test("checkQuestions() cleans the questions it keeps", () => {
  assert.deepEqual(
    checkQuestions([
      "  1) ## How do\nbees\u0000 count?\t",
      "- **How do wasps count?**",
      "how do bees count",
    ]).usable,
    ["How do bees count?", "How do wasps count?"],
  );
});

Deno.test("checkPostures() names every problem and marks lists that stay too short", () => {
  const cases: readonly (readonly [string[], string[], RegExp, string | undefined])[] = [
    [POSTURES.slice(0, 2), TOPICS, /2 different postures, expected exactly 3/, "few_postures"],
    [[...POSTURES, "Who knows"], TOPICS, /4 different postures, expected exactly 3/, undefined],
    [[...POSTURES, "they count!"], TOPICS, /Repeated postures: 1/, undefined],
    [[...POSTURES, " "], TOPICS, /Blank postures: 1/, undefined],
    [POSTURES, ["Method", "method", "Ethics"], /2 different topics, expected 3 to 8/, "few_topics"],
    [POSTURES, NUMBERS, /10 different topics/, undefined],
    [POSTURES, [...TOPICS, "t".repeat(121)], /Over 120 characters: "ttt/, undefined],
    [[...POSTURES.slice(1), "p".repeat(1001)], TOPICS, /Over 1000 characters/, undefined],
    [POSTURES.slice(1), ["Method"], /postures.*topics/, "few_postures"],
  ];
  for (const [postures, topics, reason, mark] of cases) {
    const problem = checkPostures({ postures, topics }, 3).problem!;
    assert.match(problem.reason, reason);
    assert.deepEqual([problem.maxRetries, problem.mark, problem.fatal], [1, mark, undefined]);
  }
});

Deno.test("checkPostures() removes labels and bold marks of postures and topics", () => {
  const { postures, topics } = checkPostures({
    postures: ["**Posture B:** They *do* count", "C) A vitamin counts", "**They do not**"],
    topics: ["2. **Method:** the trial", ...TOPICS],
  }, 3).usable;
  assert.deepEqual(postures, ["They *do* count", "A vitamin counts", "They do not"]);
  assert.equal(topics[0], "Method: the trial");
});

Deno.test("checkPostures() keeps the requested number of postures and 8 topics, shortened", () => {
  const kept = checkPostures({
    postures: ["1. A\nb", "a B.", "C", "D"],
    topics: [...NUMBERS.map((each) => `- ${each}`), "t".repeat(200)],
  }, 2).usable;
  assert.deepEqual(kept, { postures: ["A b", "C"], topics: NUMBERS.slice(0, 8) });
  assert.equal(
    checkPostures({ postures: [], topics: ["t".repeat(200)] }, 2).usable.topics[0]!.length,
    120,
  );
});

Deno.test("checkPostures() fails a turn without a posture or a topic", () => {
  assert.equal(checkPostures({ postures: POSTURES, topics: ["—"] }, 3).problem!.fatal, true);
  assert.equal(checkPostures({ postures: [], topics: TOPICS }, 3).problem!.fatal, true);
});
