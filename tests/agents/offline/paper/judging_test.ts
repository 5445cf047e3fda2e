import assert from "node:assert/strict";
import { z } from "zod";
import { createOfflineAgent } from "../../../../src/agents/offline.ts";
import type { Evidence } from "../../../../src/core/fact.ts";
import { INSIGHTS_REPLY, topicScoresSchema } from "../../../../src/papers/text/replies.ts";
import { bodyOf, type Debated, debateOn, evidenceOf, read, request } from "./paper_debate.ts";
import { EMPTY, QUIZZES, TREES } from "./papers.ts";

const CONCEPTUAL = ["value", "cohesiveness", "relevance", "clarity", "engagement"];

interface ScoreOptions {
  readonly seed?: number;
  readonly scale?: readonly [number, number];
  readonly ids?: readonly string[];
}

async function scoresOf(
  evidence: Evidence,
  topics: readonly string[],
  { seed = 7, scale = [0, 1], ids = CONCEPTUAL }: ScoreOptions = {},
) {
  const { value } = await read(topicScoresSchema({ scale }, ids, topics), {
    ...{ seed, purpose: "question", kind: "topic_scores", participant: "judge", role: "judge" },
    ...{ key: `score/${evidence.participant}`, topic: "How far do street trees cool a town?" },
    data: {
      rubric: {
        id: "r",
        scale,
        criteria: ids.map((id) => ({ id, weight: 1 / ids.length, description: "" })),
      },
      ...{ message: evidence.seq, topics, evidence },
    },
  });
  return value.perTopic;
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

Deno.test("topic scores: every topic and criterion on the rubric's scale, with notes of their own, from the seed", async () => {
  const { argued, topics } = await debateOn([TREES]);
  const evidence = evidenceOf(argued[0]!);
  for (
    const [scale, ids] of [[[0, 1], CONCEPTUAL], [[1, 5], [
      "correctness",
      "evidence",
      "coverage",
      "novelty",
      "charm",
    ]]] as const
  ) {
    const scores = await scoresOf(evidence, topics, { scale, ids });
    assert.deepEqual(scores.map(({ topic }) => topic), topics);
    assert.equal(new Set(scores.map(({ notes }) => notes)).size, topics.length);
    for (const { scores: row, notes } of scores) {
      assert.deepEqual(Object.keys(row), [...ids]);
      assert.ok(Object.values(row).every((each) => each > scale[0] && each < scale[1]));
      assert.match(notes, /^\p{Lu}[^{}]+\.$/u);
    }
    assert.ok(new Set(scores.flatMap(({ scores: row }) => Object.values(row))).size > 4);
    assert.deepEqual(await scoresOf(evidence, topics, { scale, ids }), scores);
  }
  assert.notDeepEqual(
    await scoresOf(evidence, topics, { seed: 8 }),
    await scoresOf(evidence, topics),
  );
});

Deno.test("topic scores: an invented quotation costs, and so does an argument that quotes nothing", async () => {
  const { argued, topics } = await debateOn([TREES]);
  const whole = evidenceOf(argued[0]!);
  const invented: Evidence = {
    ...whole,
    quotations: whole.quotations.map((each) => ({ ...each, status: "not found" as const })),
  };
  const bare: Evidence = {
    ...whole,
    perTopic: whole.perTopic.map((each) => ({ ...each, citations: {} })),
    quotations: [],
  };
  const value = async (evidence: Evidence) =>
    mean((await scoresOf(evidence, topics)).map(({ scores }) => scores.value!));
  const [best, none, worst] = [await value(whole), await value(bare), await value(invented)];
  assert.ok(best > none + 0.1 && best > worst + 0.1, `${best} ${none} ${worst}`);
  const notes = (await scoresOf(invented, topics)).map((each) => each.notes).join(" ");
  assert.match(notes, /could not be found, which costs it points/u);
});

Deno.test("topic scores: counterpoints count for engagement, relevance is to the topic, and what was not argued gets next to nothing", async () => {
  const { argued, topics } = await debateOn([TREES]);
  const whole = evidenceOf(argued[0]!);
  const change = (by: Partial<Evidence["perTopic"][number]>): Evidence => ({
    ...whole,
    perTopic: whole.perTopic.map((each) => ({ ...each, ...by })),
  });
  const of = async (evidence: Evidence, id: string) =>
    mean((await scoresOf(evidence, topics)).map(({ scores }) => scores[id]!));
  assert.ok(
    await of(change({ counterpoints: [] }), "engagement") < await of(whole, "engagement") - 0.2,
  );
  const elsewhere = change({
    claim: "Soup is good.",
    reasoning: "Carrots belong in soup because they are sweet.",
  });
  assert.ok(await of(elsewhere, "relevance") < await of(whole, "relevance") - 0.2);
  const missing = await scoresOf({ ...whole, perTopic: whole.perTopic.slice(1) }, topics);
  assert.ok(Object.values(missing[0]!.scores).every((each) => each < 0.1));
  assert.match(missing[0]!.notes, /^Nothing was argued on /u);
});

Deno.test("topic scores: an argument that left no evidence is read off its message", async () => {
  const { argued, topics } = await debateOn([TREES]);
  const { value } = await read(topicScoresSchema({ scale: [0, 1] }, CONCEPTUAL, topics), {
    ...{ purpose: "question", kind: "topic_scores", key: "score/4", participant: "judge" },
    about: [{ label: "Debater A", participant: "debater-a", body: bodyOf(argued[0]!.fields) }],
    data: { rubric: { scale: [0, 1], criteria: CONCEPTUAL.map((id) => ({ id })) }, topics },
  });
  assert.ok(value.perTopic.every(({ scores }) => scores.relevance! > 0.3));
  assert.ok(value.perTopic.every(({ notes }) => /nothing is quoted or cited\.$/u.test(notes)));
});

async function insightsOn(debate: Debated, seed = 7) {
  const { value } = await read(INSIGHTS_REPLY, {
    ...{
      seed,
      purpose: "question",
      kind: "insights",
      key: "insights/judge",
      participant: "judge",
      role: "judge",
    },
    data: {
      question: debate.question,
      topics: debate.topics,
      arguments: debate.argued.map(evidenceOf),
    },
  });
  return value;
}

Deno.test("insights: 3 to 5, with 2 to 4 controversial points, read off the arguments", async () => {
  for (const papers of [[TREES], [QUIZZES], [EMPTY]]) {
    for (const seed of [1, 2, 3]) {
      const debate = await debateOn(papers, { seed });
      const { insights, controversialPoints } = await insightsOn(debate, seed);
      assert.ok(insights.length >= 3 && insights.length <= 5);
      assert.ok(controversialPoints.length >= 2 && controversialPoints.length <= 4);
      const all = [...insights, ...controversialPoints];
      assert.equal(new Set(all).size, all.length);
      for (const each of all) assert.match(each, /^[“\p{Lu}][^{}]+[.?!”]$/u);
      assert.ok(
        controversialPoints.every((each) => /Strong support|Scepticism|Conditional/u.test(each)),
      );
    }
  }
});

Deno.test("insights: an argument that is alone still leaves something to say", async () => {
  const debate = await debateOn([TREES]);
  const { insights, controversialPoints } = await insightsOn({
    ...debate,
    argued: debate.argued.slice(0, 1),
  });
  assert.ok(insights.length >= 3);
  assert.ok(controversialPoints.length >= 2);
  const none = await insightsOn({ ...debate, argued: [] });
  assert.ok(none.insights.length >= 3 && none.controversialPoints.length >= 2);
});

const RankedReport = {
  question: "How far do street trees cool a town?",
  topics: ["The method used", "Generalisability"],
  ranked: [{ posture: "Strong support: yes", total: 0.8845 }, {
    posture: "Scepticism: no",
    total: 0.71,
  }],
  winner: "Strong support: yes",
  insights: ["Water decides how much", "Both sides quote the same sentence."],
  controversialPoints: ["Whether the effect lasts.", "Whether towns differ.", "Who pays."],
  figures: [{ posture: "Strong support: yes", verified: 9, notFound: 0 }, {
    posture: "Scepticism: no",
    verified: 4,
    notFound: 2,
  }],
  failed: [],
};

async function reported(data: object, seed = 7, maxTokens?: number): Promise<string> {
  const { text } = await createOfflineAgent().reply(request({
    ...{ seed, kind: "report", key: "report", participant: "reporter", role: "reporter", data },
  }, { maxTokens }));
  return text;
}

Deno.test("report: two or three paragraphs with the question, the ranking in its exact numbers, and what stays open", async () => {
  for (let seed = 1; seed <= 8; seed++) {
    const text = await reported(RankedReport, seed);
    assert.match(text, /^[^\n]+\n\n[^\n]+\n\n[^\n]+$/u);
    assert.ok(text.includes(RankedReport.question));
    assert.match(text, /“Strong support”[^.]*0\.8845[^.]*“Scepticism” \(0\.71\)/su);
    assert.match(text, /“Scepticism” \(2 of 6\)/u);
    assert.match(text, /Whether the effect lasts\. [Tt]wo further points/u);
    assert.doesNotMatch(text, /[{}]|undefined|\.\.|\?\./u);
    assert.equal(await reported(RankedReport, seed), text);
  }
});

Deno.test("report: a tie, another winner than the totals', a failed debater and no numbers are each said", async () => {
  const [first, second] = RankedReport.ranked;
  const tie = await reported({
    ...RankedReport,
    ranked: [first, { ...second, total: 0.8845 }],
    winner: null,
  });
  assert.match(
    tie,
    /“Strong support” and “Scepticism” are (?:level, with 0\.8845 each|tied at 0\.8845)/u,
  );
  assert.match(tie, /no winner/u);
  assert.match(
    await reported({ ...RankedReport, winner: "Scepticism: no" }),
    /disagrees: it names “Scepticism”/u,
  );
  assert.match(
    await reported({ ...RankedReport, failed: ["Conditional acceptance: perhaps"] }),
    /“Conditional acceptance”/u,
  );
  const bare = await reported({ question: "Why?", ranked: [], failed: [] });
  assert.match(bare, /gave no numbers/u);
  assert.doesNotMatch(bare, /undefined/u);
});

Deno.test("report: where it may have few tokens it says less of the insights", async () => {
  const long = {
    ...RankedReport,
    insights: RankedReport.insights.map((each) => `${each} ${"and so on ".repeat(30)}`),
  };
  const [whole, short] = [await reported(long), await reported(long, 7, 200)];
  assert.ok(short.length < whole.length);
  assert.ok(short.includes("0.8845"));
});

Deno.test("verdict: of arguments over a paper the same one is named in every order", async () => {
  const { argued, question } = await debateOn([TREES]);
  const about = argued.map(({ context, fields }) => ({
    label: context.label!,
    participant: context.participant!,
    body: bodyOf(fields),
  }));
  const labels = Object.fromEntries(about.map(({ participant, label }) => [participant, label]));
  const type = z.object({
    reasons: z.string().regex(/^(?:Over all topics|Debater)/u),
    winner: z.enum([...Object.values(labels), "tie"]),
  });
  const ids = Object.keys(labels);
  const winners = await Promise.all([ids, ids.toReversed()].map(async (order) => {
    const { value } = await read({ name: "verdict", type }, {
      ...{
        purpose: "question",
        kind: "verdict",
        key: "verdict",
        participant: "judge",
        role: "judge",
      },
      ...{ topic: question, about, data: { order, labels } },
    });
    return value.winner;
  }));
  assert.equal(winners[0], winners[1]);
});

Deno.test("claims: those of an argument are found as they are in any turn", async () => {
  const { argued } = await debateOn([TREES]);
  const about = [{ label: "Debater A", participant: "debater-a", body: bodyOf(argued[0]!.fields) }];
  const { value } = await read({
    name: "claims",
    type: z.object({
      claims: z.array(z.object({ quote: z.string().min(1), text: z.string().min(1) })).max(5),
    }),
  }, {
    purpose: "question",
    kind: "claims",
    key: "claims",
    participant: "checker",
    about,
    data: { max: 5 },
  });
  assert.ok(value.claims.length <= 5);
});
