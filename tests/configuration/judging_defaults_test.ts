// Rules of fact checks, scores, verdicts and memory, and their defaults.
import assert from "node:assert/strict";
import { memoryOf } from "../../protocol.ts";
import { debateRubric, rubricNamed, RUBRICS, weightedTotal } from "../../scoring.ts";
import { DEBATE_FORMATS } from "../../src/config/setting_shapes.ts";
import type { ClaimVerdict } from "../../src/core/fact.ts";
import { factualityOf } from "../../src/core/outcome.ts";
import { weightsOf } from "../../src/judging/scoring.ts";
import { proposeTopics } from "../../src/operations/topics.ts";
import { finding, startSearchServer } from "../support/search_server.ts";
import { bodyOf, TOPIC } from "../workflows/support/talkers.ts";
import { hold, type HoldOptions, person, type Seen, settingsOf } from "./support/holding.ts";

const SCORED = ["opening_statement", "argument", "rebuttal", "reply", "closing_statement"];

function checksIn({ facts }: Seen) {
  return facts.filter((fact) => fact.type === "fact-check");
}

/** Returns a fact checker that finds a number of claims in every turn and judges each as `verdict`. */
function checking(claims: number, verdict = "false"): HoldOptions {
  return {
    say: ({ context }) => {
      const { kind } = context;
      if (kind === "claims") {
        const quote = bodyOf(context);
        const texts = Array.from(
          { length: claims },
          (_, n) => `Tram ${n} carries ${n + 2} people.`,
        );
        return { text: JSON.stringify({ claims: texts.map((text) => ({ quote, text })) }) };
      }
      if (kind !== "claim_verdict") return undefined;
      return {
        text: JSON.stringify({ reason: "The report.", verdict, confidence: 0.9, sources: [1] }),
      };
    },
  };
}

const VERA = { id: "vera", name: "Vera", role: "fact_checker" };
const CHECKED = { participants: [person("Ada"), person("Ben"), VERA] };

Deno.test('Rule "Fact checking": off by default; standard with a fact checker, marked and accepted', async () => {
  assert.deepEqual(checksIn(await hold(settingsOf("debate"))), []);
  const seen = await hold(settingsOf("debate", CHECKED), checking(1));
  assert.deepEqual([...new Set(checksIn(seen).map(({ mode }) => mode))], ["standard"]);
  assert.ok(!seen.facts.some(({ type }) => type === "rejected"));
});

Deno.test('Rule "Fact checking": at most 5 claims per turn are looked up', async () => {
  const seen = await hold(settingsOf("dialogue", { ...CHECKED, maxTurns: 1 }), checking(9));
  assert.equal(checksIn(seen)[0]!.claims.length, 5);
});

Deno.test('Rule "Fact checking": without any source every claim is unverifiable, and the record states the reason', async () => {
  const seen = await hold(settingsOf("dialogue", { ...CHECKED, maxTurns: 1 }), checking(3));
  const [check] = checksIn(seen);
  assert.ok(check!.claims.every(({ verdict }) => verdict === "unverifiable"));
  assert.equal(check!.factuality, null);
  assert.match(check!.reason ?? "", /\w+ \w+/);
});

Deno.test('Rule "Fact checking": factuality is (true + 0.5 × (misleading + disputed)) / settled claims', () => {
  const of = (right: number, half: number, wrong: number, unverifiable: number) =>
    factualityOf([{
      claims: [
        ...Array<ClaimVerdict>(right).fill("true"),
        ...Array<ClaimVerdict>(half).fill(half % 2 === 1 ? "misleading" : "disputed"),
        ...Array<ClaimVerdict>(wrong).fill("false"),
        ...Array<ClaimVerdict>(unverifiable).fill("unverifiable"),
      ].map((verdict) => ({ text: "t", quote: "t", verdict, confidence: 1, sources: [] })),
    }]);
  assert.equal(of(2, 0, 1, 2), 0.6667);
  assert.equal(of(1, 2, 1, 0), 0.5);
  assert.equal(of(1, 1, 0, 9), 0.75);
  assert.equal(of(0, 0, 4, 0), 0);
  assert.equal(of(0, 0, 0, 3), null);
  assert.equal(of(0, 0, 0, 0), null);
});

Deno.test('Rule "Fact checking": strict mode rejects a false claim three times at most, then accepts it with a mark', async () => {
  await using search = await startSearchServer({ otherwise: finding("No tram carries anyone.") });
  const settings = settingsOf("dialogue", {
    ...CHECKED,
    maxTurns: 1,
    factCheck: { mode: "strict", searchUrl: search.url },
  });
  const seen = await hold(settings, checking(1));
  const [message] = seen.messages;
  assert.deepEqual([message!.attempts, message!.marks], [4, ["accepted_with_false_claims"]]);
  const rejected = seen.facts.filter((fact) => fact.type === "rejected");
  assert.equal(rejected.length, 3);
  assert.ok(rejected.every(({ reason, body }) => reason.includes(body.slice(0, 40))));
  assert.ok(search.requests.every(({ body }) => body["max_results"] === 5));
});

const WEIGHTS: Readonly<Record<string, readonly [readonly [number, number], readonly number[]]>> = {
  debate: [[0, 10], [0.25, 0.25, 0.2, 0.15, 0.15]],
  academic: [[0, 1], [0.35, 0.25, 0.15, 0.15, 0.1]],
  conceptual: [[0, 1], [0.3, 0.25, 0.2, 0.15, 0.1]],
  alternating: [[0, 10], [0.4, 0.3, 0.3]],
};
for (const [name, [scale, weights]] of Object.entries(WEIGHTS)) {
  Deno.test(`Rule "Rubrics": ${name} weighs ${weights.join(", ")}, on ${scale.join(" to ")}`, () => {
    const rubric = rubricNamed(name);
    assert.deepEqual(rubric.scale, scale);
    assert.deepEqual(rubric.criteria.map(({ weight }) => weight), weights);
  });
}

Deno.test('Rule "Rubrics": the test vector of conceptual, .9 .85 .95 .88 .80, gives 0.8845', () => {
  const { criteria } = rubricNamed("conceptual");
  const given = [0.9, 0.85, 0.95, 0.88, 0.8];
  const scores = Object.fromEntries(criteria.map(({ id }, index) => [id, given[index]!]));
  assert.equal(weightedTotal(scores, weightsOf(rubricNamed("conceptual"))), 0.8845);
});

Deno.test('Rule "Rubrics": weights sum to 1, and a format with other weights has an id of its own', () => {
  for (const name of RUBRICS) {
    const sum = rubricNamed(name).criteria.reduce((total, { weight }) => total + weight, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, `${name}: ${sum}`);
  }
  const seen = new Map(
    DEBATE_FORMATS.map((format) => [JSON.stringify(weightsOf(debateRubric(format))), format]),
  );
  assert.equal(seen.size, DEBATE_FORMATS.length);
  assert.equal(debateRubric("formal").id, "debate");
  assert.equal(debateRubric("competitive").id, "debate-competitive");
});

Deno.test('Rule "Scores": every advocate\'s turn, the same kinds for each side, to four decimals', async () => {
  const { messages, facts } = await hold(settingsOf("debate", { roundCount: 2 }));
  const scored = new Set(facts.flatMap((fact) => fact.type === "score" ? [fact.message] : []));
  for (const { seq, kind } of messages) assert.equal(scored.has(seq), SCORED.includes(kind), kind);
  for (const fact of facts) {
    if (fact.type === "score") assert.equal(Number(fact.total!.toFixed(4)), fact.total);
  }
});

for (const sides of [2, 3]) {
  Deno.test(`Rule "Verdict": each judge compares ${sides} sides in ${sides} orders, each side first once`, async () => {
    const participants = ["Ada", "Ben", "Cleo"].slice(0, sides).map((name) => person(name));
    const { facts } = await hold(settingsOf("debate", { participants, judges: [{}, {}] }));
    const verdicts = facts.filter((fact) => fact.type === "verdict");
    for (const judge of ["judge-1", "judge-2"]) {
      const orders = verdicts.filter((verdict) => verdict.judge === judge)
        .map(({ order }) => order);
      assert.deepEqual(
        orders.map(([first]) => first).sort(),
        participants.map(({ id }) => id).sort(),
      );
    }
  });
}

Deno.test('Rule "Verdict": a judge whose winner changes with the order counts as a tie; without a majority the outcome is undecided', async () => {
  const { result } = await hold(settingsOf("debate"), {
    say: ({ context: { kind, data } }) => {
      if (kind !== "verdict") return undefined;
      const [winner] = Object.values((data as { labels: Record<string, string> }).labels);
      return { text: JSON.stringify({ reasons: "The first.", winner }) };
    },
  });
  assert.deepEqual([result?.outcome, result?.winner], ["undecided", null]);
});

Deno.test('Rule "Memory": the three most relevant earlier convenings are quoted', async () => {
  const out = await Deno.makeTempDir();
  try {
    for (const city of ["Oslo", "Ghent", "Paris", "Madrid"]) {
      await hold(settingsOf("debate", { out, topic: `Should ${city} ban private cars?` }));
    }
    assert.equal((await memoryOf(out, TOPIC)).length, 3);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});

Deno.test('Rule "Topics": eight are proposed, and each is a valid topic', async () => {
  const { topics } = await proposeTopics("trams in small towns", { model: "offline", seed: 1 });
  assert.equal(topics.length, 8);
  for (const topic of topics) {
    assert.equal((await hold(settingsOf("dialogue", { topic }))).error, undefined);
  }
});
