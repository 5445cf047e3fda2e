import assert from "node:assert/strict";
import * as fc from "fast-check";
import { createOfflineAgent } from "../../../../src/agents/offline.ts";
import { keyTerms } from "../../../../src/agents/offline/paper/key_terms.ts";
import { quotableIn } from "../../../../src/agents/offline/paper/quotable.ts";
import { posturesProblem, questionsProblem } from "../../../../src/papers/text/lists.ts";
import { POSTURES_REPLY, QUESTIONS_REPLY } from "../../../../src/papers/text/replies.ts";
import { debateOn, read, request } from "./paper_debate.ts";
import { EMPTY, GERMAN, HOSTILE, ONE, QUIZZES, SPANISH, TREES } from "./papers.ts";

const OPEN = /^(?:Under|To what|What|How|Which|In what|Who|Whose)\b.*\?$/u;

async function questionsOn(
  papers: readonly typeof TREES[],
  seed: number,
): Promise<readonly string[]> {
  const { value } = await read(QUESTIONS_REPLY, { seed, data: { papers } });
  return value.questions;
}

Deno.test("questions: 8 to 12 open ones, all different, another set for another seed", async () => {
  for (const paper of [TREES, QUIZZES, EMPTY, ONE, GERMAN, SPANISH, HOSTILE]) {
    const sets = new Set<string>();
    for (let seed = 1; seed <= 12; seed++) {
      const questions = await questionsOn([paper], seed);
      assert.ok(questions.length >= 8 && questions.length <= 12, `${paper.id} ${questions.length}`);
      assert.equal(new Set(questions).size, questions.length);
      for (const each of questions) assert.match(each, OPEN);
      assert.equal(questionsProblem(questions), undefined);
      sets.add(questions.join("\n"));
      assert.deepEqual(await questionsOn([paper], seed), questions);
    }
    assert.ok(sets.size >= 6, `${paper.id}: ${sets.size}`);
  }
});

Deno.test("questions: they are made of the paper's own terms, findings and limitations", async () => {
  const asked = (await Promise.all([1, 2, 3].map((seed) => questionsOn([TREES], seed)))).flat();
  assert.ok(
    asked.filter((each) => /street trees|canopy|temperature/u.test(each)).length > asked.length / 2,
  );
  assert.ok(asked.some((each) => /hold that|observation that/u.test(each)));
  assert.ok(asked.some((each) => /climate region|214 residents/u.test(each)));
  const both = (await Promise.all([1, 2, 3].map((seed) => questionsOn([TREES, QUIZZES], seed))))
    .flat();
  assert.ok(both.some((each) => /street trees/u.test(each)));
  assert.ok(both.some((each) => /retrieval practice/u.test(each)));
});

Deno.test("questions: what a paper orders its reader to do is neither asked after nor a term", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const questions = await questionsOn([HOSTILE], seed);
    assert.doesNotMatch(questions.join("\n"), /instruction|judge|winner|debater|10\/10|[<>`|]/iu);
  }
});

Deno.test("questions and postures: a paper of 900,000 characters, in prose or in one word, is read", async () => {
  const long = `${TREES.text}\n\n`.repeat(Math.ceil(900_000 / TREES.text.length)).slice(0, 900_000);
  for (const text of [long, "word ".repeat(180_000), "a".repeat(900_000)]) {
    const papers = [{ ...TREES, text }];
    const { value } = await read(QUESTIONS_REPLY, { data: { papers } });
    assert.ok(value.questions.length >= 8);
    const held = await read(POSTURES_REPLY, {
      kind: "postures",
      data: { papers, question: value.questions[0], count: 3 },
    });
    assert.equal(held.value.postures.length, 3);
  }
});

Deno.test("questions: data in another shape is answered as any other schema is", async () => {
  for (const data of [undefined, { papers: [] }, { papers: "all" }, { papers: [{ id: 3 }] }]) {
    const reply = await createOfflineAgent().reply(request({ data }, { schema: QUESTIONS_REPLY }));
    assert.ok(QUESTIONS_REPLY.type.safeParse(JSON.parse(reply.text)).success);
  }
});

Deno.test("postures: as many as are asked for, all different, over the answer space of the question", async () => {
  for (const count of [2, 3, 5, 8, 12]) {
    const { postures, topics } = await debateOn([TREES], { count, tools: [] });
    assert.equal(postures.length, count);
    assert.equal(new Set(postures).size, count);
    assert.equal(posturesProblem({ postures, topics }, count), undefined);
    assert.match(postures[0]!, /^Strong support/u);
    assert.match(postures[1]!, /^Scepticism/u);
  }
  const far = await debateOn([TREES], {
    question: "How far do street trees cool a town?",
    tools: [],
  });
  assert.ok(far.postures.every((each) => /street trees/u.test(each)), far.postures.join("\n"));
  assert.match(far.postures[1]!, /to a small extent|hardly at all/u);
  const why = await debateOn([TREES], {
    question: "What mechanisms could explain the cooling by street trees?",
    tools: [],
  });
  assert.ok(why.postures.every((each) => /mechanism|explanation|conjecture/u.test(each)));
});

Deno.test("topics: 3 to 8, in areas the paper speaks of, named for it; of a paper without words for the areas alone", async () => {
  for (const paper of [TREES, QUIZZES, EMPTY, ONE, GERMAN, SPANISH]) {
    const { topics } = await debateOn([paper], { tools: [] });
    assert.ok(topics.length >= 3 && topics.length <= 8);
    assert.equal(new Set(topics).size, topics.length);
  }
  const { topics } = await debateOn([TREES], {
    question: "How far do street trees cool a town?",
    tools: [],
  });
  assert.ok(
    topics.filter((each) => /street trees|temperature|canopy|residents|council|cooling/u.test(each))
      .length >= 3,
  );
  assert.ok(topics.some((each) => /practice|practical/iu.test(each)));
  const none = await debateOn([EMPTY], { tools: [] });
  assert.deepEqual(none.topics, [
    "The method of the paper",
    "The strength of the evidence",
    "Generalisability beyond the cases studied",
  ]);
});

Deno.test("keyTerms() finds noun phrases that can follow a preposition", () => {
  const terms = keyTerms(TREES.text, { title: TREES.title });
  for (
    const each of ["street trees", "surface temperature", "air temperature", "the cooling effect"]
  ) {
    assert.ok(terms.includes(each), `${each} in ${terms.join(", ")}`);
  }
  assert.deepEqual(keyTerms("..."), []);
  assert.ok(keyTerms(GERMAN.text).includes("Lufttemperatur"));
});

Deno.test("quotableIn() takes whole sentences of prose, and none of markup, orders or references", () => {
  assert.deepEqual(quotableIn(HOSTILE.text, true).map(({ text }) => text), [
    "Street lamps attract moths from a distance of thirty metres.",
    "Moths that circle a lamp feed less and lay fewer eggs.",
    "Lamps with a narrow red spectrum attracted only a third as many moths.",
    "Only two sites were studied, and the nights were warm.",
  ]);
  const cut = quotableIn(
    "residents chose shaded streets. Dr. Weber counted the trees e.g. in May. Young tre",
  );
  assert.deepEqual(cut, [{ text: "Dr. Weber counted the trees e.g. in May.", sure: true }]);
  assert.deepEqual(
    quotableIn("The end. He said “no” to that offer twice. Figure 3 shows the two streets."),
    [],
  );
});

Deno.test("quotableIn() gives what stands in the text, whatever the text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom(
      "The trees were cooler at midday. ",
      "\n\n",
      "```\n",
      "# Head\n",
      "Only two towns were studied. ",
    ),
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const text = pieces.join("");
    const flat = text.replace(/\s+/gu, " ");
    for (const quotable of quotableIn(text)) {
      assert.ok(flat.includes(quotable.text));
      assert.doesNotMatch(quotable.text, /[\p{Cc}\p{Cf}“”"`<>|]/u);
    }
  }));
});
