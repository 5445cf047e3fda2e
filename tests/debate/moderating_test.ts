// Active moderators: interruptions, adaptive rounds and closeness.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { createParticipant, type Message } from "../../mod.ts";
import { debate, type Question } from "../../protocol.ts";
import type { FactCheck } from "../../src/core/fact.ts";
import { cast, debateOf, drain, promptOf, Talker } from "../support/talkers.ts";
import { checkOf, playAll, rules, said, scoreOf, sides } from "../support/players.ts";
import { closenessOf } from "../../src/debate/moderating.ts";

const SPEECHES = ["argument", "rebuttal", "reply", "statement"];

function checksOf(messages: readonly Message[], isFalse: (message: Message) => boolean) {
  return messages.filter(({ kind }) => SPEECHES.includes(kind) || kind === "interruption_answer")
    .map((each): FactCheck => checkOf(each, isFalse(each) ? "false" : "true"));
}

function breachOf(turn: string) {
  return ({ key, kind }: Question) =>
    kind === "ruling"
      ? { reason: "r", breach: key === `${turn}/ruling`, rule: "No personal\nremarks" }
      : undefined;
}

describe("interrupt()", () => {
  it("interrupt() combines a false claim and a broken rule in one interruption", () => {
    const given = rules({ rounds: 1, interruptions: "both" });
    const { messages, questions, turns } = playAll(debate(given), {
      answer: breachOf("round-1/argument/a"),
      found: (said) => checksOf(said, ({ turn }) => turn === "round-1/argument/a"),
    });
    const [only, ...more] = messages.filter(({ kind }) => kind === "interruption");
    assert.deepEqual(more, []);
    assert.match(
      only!.body,
      /Said in 4.*also against a rule of this debate: No personal remarks\. Please/,
    );
    const rulings = questions.filter(({ kind }) => kind === "ruling");
    assert.deepEqual(rulings.map(({ asked }) => asked), ["m", "m", "m", "m"]);
    assert.equal(turns.find(({ kind }) => kind === "interruption_answer")!.maxTokens, 120);
  });

  it("interrupt() does not interrupt when a ruling is unreadable or names no rule", () => {
    const kinds = (answer: (question: Question) => unknown) =>
      playAll(debate(rules({ interruptions: "rules" })), { answer }).messages.map(({ kind }) =>
        kind
      );
    assert.ok(!kinds(() => undefined).includes("interruption"));
    const unnamed = { reason: "r", breach: true, rule: " " };
    assert.ok(
      !kinds(({ kind }) => kind === "ruling" ? unnamed : undefined).includes("interruption"),
    );
  });

  it("interrupt() interrupts at most once per speech, never after an answer, an opening or a closing, and never twice in a row", () => {
    const exchange = fc.constantFrom("rebuttals", "alternating", "statements");
    fc.assert(
      fc.property(exchange, fc.boolean(), fc.boolean(), (exchange, simultaneous, openings) => {
        const given = rules({ exchange, simultaneous, openings, interruptions: "facts" });
        const { messages, turns } = playAll(debate(given), {
          found: (said) => checksOf(said, () => true),
        });
        const about = messages.filter(({ kind }) => kind === "interruption").map(({ replyTo }) =>
          messages[replyTo! - 1]!
        );
        const speeches = messages.filter(({ kind }) => SPEECHES.includes(kind));
        assert.deepEqual(about.map(({ seq }) => seq), speeches.map(({ seq }) => seq));
        assert.equal(new Set(turns.map(({ key }) => key)).size, turns.length);
        for (const [index, { kind, participant, replyTo }] of messages.entries()) {
          assert.ok(participant !== "m" || messages[index + 1]?.participant !== "m");
          if (kind === "interruption_answer") assert.equal(replyTo, index);
        }
      }),
    );
  });

  it("interrupt() waits for the fact checker alone", () => {
    const { script } = playAll(debate(rules({ rounds: 1, interruptions: "facts" })));
    assert.equal(script.filter((each) => each === "results fact_checker").length, 4);
    assert.ok(!script.includes("results"));
  });
});

Deno.test("An interruption is recorded, emitted as an event and answered; the answer has no score and no word range", async () => {
  const agent = new Talker(({ context }) => {
    if (context.kind !== "ruling") return undefined;
    const breach = context.key === "round-1/argument/a/ruling";
    return { text: JSON.stringify({ reason: "r", breach, rule: "No personal remarks." }) };
  });
  const { workflow, record } = debateOf(agent, { interruptions: "rules" });
  const { result, events } = await drain(workflow);
  const answer = result!.messages.find(({ kind }) => kind === "interruption_answer")!;
  const [told] = events.filter((event) => event.type === "interruption");
  assert.equal(told?.about, 4);
  assert.ok(events.every((event) => event.type !== "score" || event.score.message !== answer.seq));
  assert.match(promptOf(agent.asked("round-1/rebuttal/b/a")), /against a rule of this debate/);
  assert.equal([...record.files.keys()].filter((path) => path.startsWith("choices/")).length, 4);
  assert.deepEqual(Object.values(result!.scores).map(({ scored }) => scored), [4, 4]);
});

/** Makes a claim in every speech; the checker finds the claims of the first argument false. */
function claiming(): Talker {
  return new Talker(({ context }) => {
    if (context.kind === "claims") {
      const { body } = context.data as { body: string };
      return { text: JSON.stringify({ claims: [{ quote: body, text: `It was said: ${body}` }] }) };
    }
    if (context.kind !== "claim_verdict") return undefined;
    const { claim } = context.data as { claim: string };
    const verdict = claim.includes("round-1/argument/a") ? "false" : "true";
    return { text: JSON.stringify({ reason: "r", verdict, confidence: 1, sources: [1] }) };
  });
}

Deno.test("A claim that the fact checker finds false is interrupted and recorded with its answer", async () => {
  const hit = { title: "The almanac", url: "https://example.org/a", snippet: "No." };
  const agent = claiming();
  const checker = createParticipant({ name: "Vera", role: "fact_checker" }, agent);
  const { workflow } = debateOf(agent, {
    participants: [...cast(agent), checker],
    interruptions: "facts",
    searchers: [{ name: "almanac", search: () => Promise.resolve([hit]) }],
  });
  const { result } = await drain(workflow);
  const interruptions = result!.messages.filter(({ kind }) => kind === "interruption");
  assert.deepEqual(interruptions.map(({ seq, replyTo }) => [seq, replyTo]), [[5, 4]]);
  const [, quoted] = /finds false what you said: "([^"]*)" .source: example\.org, https/
    .exec(interruptions[0]!.body)!;
  assert.equal(`${quoted}.`, result!.messages[3]!.body, "the speaker's words, not the checker's");
  assert.equal(result!.messages[5]!.kind, "interruption_answer");
  assert.equal(result!.messages[6]!.replyTo, 4);
});

function reviews(anythingNew: (round: number) => boolean) {
  return ({ kind, round }: Question) =>
    kind === "round_review" ? { reason: "r", anything_new: anythingNew(round) } : undefined;
}

const ADAPTIVE = { adaptive: true, rounds: 3 } as const;

/** Returns scores of all messages by which side A leads by `lead`. */
function ledBy(lead: number) {
  return (messages: readonly Message[]) =>
    messages.filter(({ participant }) => participant !== "m")
      .map((message) => scoreOf(message, message.participant === "a" ? 5 + lead : 5));
}

describe("reviewRound()", () => {
  it("reviewRound() adds no round when one side leads clearly, nothing was scored, or nothing new was said", () => {
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

  it("reviewRound() continues when a review is unreadable", () => {
    assert.equal(playAll(debate(rules(ADAPTIVE))).value.rounds, 3);
  });

  it("reviewRound() waits for scores only after the last planned round and records the figures it used", () => {
    const { script, yielded } = playAll(debate(rules(ADAPTIVE)), {
      answer: reviews(() => true),
      found: ledBy(0.5),
    });
    assert.equal(script.filter((each) => each === "results scorer").length, 1);
    const [, last] = yielded.flatMap(({ fact }) => fact.type === "choice" ? [fact] : []);
    assert.deepEqual(last!.value, { anythingNew: true, gap: 0.5, disagreement: 0 });
  });
});

describe("closenessOf()", () => {
  const messages = ["a", "b", "a", "b"].map((speaker, index) =>
    said({
      key: `k${index}`,
      speaker,
      phase: "",
      kind: "argument",
      round: 1 + Math.floor(index / 2),
      task: "",
    }, index + 1)
  );
  const advocates = sides(2);

  it("closenessOf() gives the margin of error of the gap, over the turns' means of the panel", () => {
    const scores = messages.flatMap((message, index) => [
      scoreOf(message, 6, "j"),
      scoreOf(message, index === 0 ? 8 : 6, "k"),
    ]);
    // The first side leads by 1, then by 0: √0.5 / √2 times the quantile of one degree of freedom.
    assert.deepEqual(closenessOf({ advocates }, messages, scores), {
      gap: 0.5,
      disagreement: 6.3531,
    });
  });

  it("closenessOf() gives the deviation among the judges if that is larger than the margin of error", () => {
    const scores = messages.flatMap((message, index) => [
      scoreOf(message, index % 2 === 0 ? 8 : 6, "j"),
      scoreOf(message, index % 2 === 0 ? 6 : 7, "k"),
    ]);
    // Every lead is 0.5, so its error is 0; the deviations are √2 and √½.
    assert.deepEqual(closenessOf({ advocates }, messages, scores), {
      gap: 0.5,
      disagreement: 1.0607,
    });
  });

  it("closenessOf() compares judges of one rubric alone, because another may have another scale", () => {
    const scores = messages.flatMap((message) => [
      scoreOf(message, 6, "j"),
      ...["k", "l"].map((judge, at) => ({ ...scoreOf(message, 10 * at, judge), rubric: "other" })),
    ]);
    assert.deepEqual(closenessOf({ advocates }, messages, scores), { gap: 0, disagreement: 0 });
  });

  it("closenessOf() needs two sides and uses the messages so far alone", () => {
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

/** Reports something new in the rounds up to `last` and scores every speech the same. */
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

Deno.test("An adaptive debate has one more round than planned when the sides are level", async () => {
  const { workflow } = debateOf(reviewing(9), { adaptive: true, roundCount: 2 });
  const { result } = await drain(workflow);
  assert.equal(result?.value?.rounds, 3);
  assert.equal(result?.endReason, "completed");
});
