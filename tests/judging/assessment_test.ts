// Assessment of a convening from its facts.
import assert from "node:assert/strict";
import fc from "fast-check";
import { assess, baselinesOf, summaryOf, writtenSummary } from "../../src/judging/assessment.ts";
import type { Fact, Stop } from "../../src/core/fact.ts";
import {
  choiceOf,
  factCheckOf,
  MADE,
  messageOf,
  scoreOf,
  stanceOf,
  startOf,
  verdictOf,
} from "../record/support/fixtures.ts";
import { CONSENSUS, CONSENSUS_START, FOUND, FOUND_START } from "../record/support/found_record.ts";
import { factChecksOf, reasonOf } from "../../src/core/claims.ts";

Deno.test("assess() does not depend on the order of the facts", () => {
  for (const [start, facts] of [[FOUND_START, FOUND], [CONSENSUS_START, CONSENSUS]] as const) {
    const expected = assess(start, facts);
    fc.assert(
      fc.property(fc.shuffledSubarray([...facts], { minLength: facts.length }), (shuffled) => {
        assert.deepEqual(assess(start, shuffled), expected);
      }),
      { numRuns: 50 },
    );
  }
});

Deno.test("assess() returns JSON, and a panel that judged later changes none of it", () => {
  const before = assess(FOUND_START, FOUND);
  assert.deepEqual(JSON.parse(JSON.stringify(before)).scores, before.scores);
  const later: Fact[] = [
    { ...scoreOf(1, "advocate-a", [0, 0]), rubric: "academic" },
    ...[1, 2].map((number) => ({ ...verdictOf(number, "advocate-b"), judge: "judge-9" })),
  ];
  assert.deepEqual(assess(FOUND_START, [...FOUND, ...later]), before);
});

Deno.test("assess() lets the audience decide only when configured", () => {
  assert.equal(assess(FOUND_START, FOUND).winner, "advocate-b");
  const byJudges = assess(startOf({ judges: FOUND_START.judges }), FOUND);
  assert.equal(byJudges.outcome, "undecided");
  assert.equal(byJudges.audience?.winner, "advocate-b");
  const silent = FOUND.filter(({ type }) => type !== "stance");
  assert.equal(assess(FOUND_START, silent).outcome, "unscored");
  const sure = [...silent, ...FOUND.filter(({ type }) => type === "stance")].map((fact) =>
    fact.type === "verdict" ? { ...fact, winner: "advocate-a" } : fact
  );
  assert.ok(
    assess(FOUND_START, sure).notes.includes(
      "The audience moved most to Bo; the judges named Ada.",
    ),
  );
});

Deno.test("assess() counts a side that no listener names as one that gained and lost nobody", () => {
  const stances = (["before", "after"] as const).map((when, index) =>
    stanceOf({
      key: `stance/${when}/listener-1`,
      seq: index * 9,
      participant: "listener-1",
      stances: [{ on: "advocate-a", stance: index === 0 ? "agree" : "disagree", strength: 0.9 }],
    })
  );
  const { audience, winner } = assess(FOUND_START, stances);
  assert.deepEqual(audience?.sides["advocate-b"], { before: 0, after: 0, moved: 0 });
  assert.equal(winner, "advocate-b");
});

Deno.test("assess() computes a convening's scores by the first judge's rubric", () => {
  const judges = [
    { id: "judge-1", name: "One", model: "gpt-4o", rubric: "debate" },
    { id: "a-judge", name: "Two", model: "gpt-4o", rubric: "academic" },
  ];
  const academic = { ...scoreOf(1, "advocate-a", [9, 9]), judge: "a-judge", rubric: "academic" };
  const { scores } = assess(startOf({ judges }), [academic, scoreOf(1, "advocate-a", [5, 5])]);
  assert.equal(scores["advocate-a"]?.total, 5);
  const only = assess(startOf({ judges }), [academic]);
  assert.equal(
    only.scores["advocate-a"]?.total,
    9,
    "of the next judge where the first left nothing",
  );
});

Deno.test("assess() reports contradictions with the winner, except for judges who are not comparable", () => {
  const facts = [
    messageOf(1),
    messageOf(2),
    scoreOf(1, "advocate-a", [2, 2]),
    scoreOf(2, "advocate-b", [9, 9]),
    verdictOf(1, "advocate-a"),
    verdictOf(2, "advocate-a"),
  ];
  const full = assess(startOf(), facts);
  assert.equal(full.winner, "advocate-a");
  assert.match(full.contradictions[0] ?? "", /The winner, Ada, has a total of 2/);
  assert.equal(full.agreement?.judges.length, 1);
  const quick = assess(startOf(), facts, { compareJudges: false });
  const { agreement: _agreement, ...rest } = full;
  assert.deepEqual(quick, { ...rest, contradictions: [], notes: [] });
});

Deno.test("assess() omits keys of absent parts", () => {
  assert.deepEqual(assess(startOf(), [messageOf(1)]), {
    outcome: "unscored",
    winner: null,
    scores: {},
    unscored: [],
    contradictions: [],
    notes: [],
  });
});

Deno.test("assess() counts each participant's last stance and reads only well-formed proposals", () => {
  const { consensus } = assess(CONSENSUS_START, CONSENSUS);
  assert.deepEqual(consensus?.agreed.map(({ id, share }) => [id, share]), [["p1", 0.6667]]);
  assert.deepEqual(consensus.open.map(({ id, by }) => [id, by]), [["p2", ["cy"]]]);
  const mixed = [{ id: "p", text: "x", by: [] }, { id: 1, text: "x" }];
  for (const value of [null, 7, [], {}, { proposals: "x" }, { proposals: mixed }]) {
    const odd = [choiceOf({ kind: "proposals_merged", value })];
    assert.equal(assess(CONSENSUS_START, odd).consensus, undefined);
  }
});

Deno.test("summaryOf() is the moderator's, else a judge's, and the last stop's until completion", () => {
  const said = messageOf(3, { kind: "summary", body: "Said." });
  const judged = choiceOf({ kind: "summary", value: { summary: "Judged." } });
  const stop = (number: number): Stop => ({
    type: "stop",
    number,
    reason: "max_tokens",
    lastSeq: 3,
    body: `Stop ${number}.`,
    ...MADE,
  });
  assert.equal(summaryOf([said, judged], "completed"), "Said.");
  assert.equal(summaryOf([judged], "completed"), "Judged.");
  assert.equal(summaryOf([said, stop(2), stop(1)], "stopped"), "Stop 2.");
  assert.equal(summaryOf([said, stop(1)], "completed"), "Said.");
  assert.equal(summaryOf([], "running"), "");
  for (const value of [null, "x", { summary: " " }, { summary: 7 }]) {
    assert.equal(writtenSummary([choiceOf({ kind: "summary", value })]), undefined);
  }
});

const NONE = { true: 0, misleading: 0, disputed: 0, false: 0, unverifiable: 0 };

Deno.test("factChecksOf() counts claims in all and by participant", () => {
  const summary = factChecksOf([
    factCheckOf(1),
    factCheckOf(3, { claims: [factCheckOf(1).claims[0]!], factuality: 1, mode: "strict" }),
    factCheckOf(2, { claims: [], factuality: null }),
    factCheckOf(4, { status: "unchecked", claims: [], factuality: null }),
  ]);
  assert.deepEqual(summary, {
    mode: "strict",
    checked: 3,
    unchecked: 1,
    claims: 4,
    ...NONE,
    true: 2,
    false: 1,
    unverifiable: 1,
    byParticipant: {
      "advocate-a": { ...NONE, claims: 4, true: 2, false: 1, unverifiable: 1, factuality: 0.6667 },
      "advocate-b": { ...NONE, claims: 0, factuality: null },
    },
  });
  assert.equal(factChecksOf([]), undefined);
});

Deno.test("assess() names participants whose stances were never readable", () => {
  const proposals = [{ id: "p1", text: "Oaks.", by: [] }];
  const facts: Fact[] = [
    choiceOf({ kind: "proposals_merged", value: { proposals } }),
    ...[3, 6, 9].map((seq) =>
      stanceOf({
        key: `stance/${seq}`,
        seq,
        participant: "bo",
        status: "unread",
        stances: [],
      })
    ),
    stanceOf({ key: "stance/2", participant: "ada" }),
    stanceOf({ key: "stance/5", participant: "ada", status: "unread", stances: [] }),
  ];
  const { notes } = assess(CONSENSUS_START, facts);
  assert.deepEqual(notes, [
    "None of the 3 stances of Participant bo could be read: nobody waited for more.",
  ]);
});

Deno.test("baselinesOf() states whether the debate changed a judge's own answer", () => {
  const alone = (winner: unknown) =>
    choiceOf({ kind: "baseline", participant: "judge-1", value: { winner, answer: "x" } });
  const firm = [verdictOf(1, "a"), verdictOf(2, "a")];
  const torn = [verdictOf(1, "a"), verdictOf(2, "b")];
  const of = (winner: unknown, verdicts: typeof firm) => {
    const [found] = baselinesOf([alone(winner)], verdicts);
    return found && [found.before, found.after, found.changed];
  };
  assert.deepEqual(of("a", firm), ["a", "a", false]);
  assert.deepEqual(of("b", firm), ["b", "a", true]);
  assert.deepEqual(of("a", torn), ["a", null, true]);
  assert.deepEqual(of(null, torn), [null, null, false]);
  assert.deepEqual(of("a", []), ["a", undefined, false]);
  assert.equal(of(7, firm), undefined);
  const unread = choiceOf({ kind: "baseline", participant: "judge-1", value: null });
  assert.deepEqual(assess(startOf(), [unread]).notes, [
    "The answer of Judge 1 before the debate could not be read.",
  ]);
  assert.deepEqual(
    baselinesOf([choiceOf({ value: null, kind: "baseline" }), choiceOf()], firm),
    [],
  );
});

Deno.test("reasonOf() reads lines with one end mark after a claim, and those of earlier versions with two", () => {
  const check = factCheckOf(1);
  const claim = { ...check.claims[0]!, text: "Buses are slow.", sources: [] };
  const said = `- ${claim.verdict} (${claim.confidence}): “Buses are slow.”`;
  for (const reasons of [`${said} They are.`, `${said}. They are.`]) {
    assert.equal(reasonOf(claim, { ...check, claims: [claim], reasons }), "They are.");
  }
});
