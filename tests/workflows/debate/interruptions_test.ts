import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  createDebateWorkflow,
  createParticipant,
  memoryRecord,
  type Message,
} from "../../../mod.ts";
import { debate, type Question } from "../../../protocol.ts";
import type { FactCheck } from "../../../src/core/fact.ts";
import { cast, debateOf, drain, promptOf, Talker, TOPIC } from "../support/talkers.ts";
import { playAll, rules } from "../support/players.ts";
import { checkOf } from "../support/debate_facts.ts";

const SPEECHES = ["argument", "rebuttal", "reply", "statement"];

function checksOf(messages: readonly Message[], isFalse: (message: Message) => boolean) {
  return messages.filter(({ kind }) => SPEECHES.includes(kind) || kind === "interruption_answer")
    .map((each): FactCheck => checkOf(each, isFalse(each) ? "false" : "true"));
}

function breachOf(turn: string) {
  return ({ key, kind }: Question) =>
    kind === "ruling"
      ? { reason: "r", breach: key === `${turn}/ruling`, rule: "No personal\nremarks." }
      : undefined;
}

describe("interrupt()", () => {
  it("interrupt() names a false claim and its source, and the one concerned answers before the debate goes on", () => {
    const given = rules({ rounds: 1, interruptions: "facts" });
    const { messages, turns } = playAll(debate(given), {
      found: (said) => checksOf(said, ({ turn }) => turn === "round-1/argument/a"),
    });
    assert.deepEqual(
      messages.slice(3, 7).map(({ kind, participant, replyTo }) => [kind, participant, replyTo]),
      [
        ["argument", "a", undefined],
        ["interruption", "m", 4],
        ["interruption_answer", "a", 5],
        ["rebuttal", "b", 4],
      ],
    );
    assert.equal(
      messages[4]!.body,
      'One moment, Side A. You said: "Said in 4." The fact check finds that false (source: ' +
        "example.org, https://example.org/a). Please correct it, or say what it rests on.",
    );
    assert.equal(turns.find(({ kind }) => kind === "interruption_answer")!.maxTokens, 120);
    assert.equal(messages.filter(({ kind }) => kind === "interruption").length, 1);
  });

  it("interrupt() asks the moderator whether a rule was broken, of every speech of the rounds", () => {
    const { messages, questions } = playAll(
      debate(rules({ rounds: 1, interruptions: "rules" })),
      { answer: breachOf("round-1/rebuttal/b/a") },
    );
    const rulings = questions.filter(({ kind }) => kind === "ruling");
    assert.equal(rulings.length, 4);
    assert.ok(rulings.every(({ asked }) => asked === "m"));
    const said = messages.find(({ kind }) => kind === "interruption")!;
    assert.equal(said.replyTo, 5);
    assert.match(said.body, /against a rule of this debate: No personal remarks\./);
  });

  it("interrupt() says both in one where a claim is false and a rule broken", () => {
    const { messages } = playAll(debate(rules({ rounds: 1, interruptions: "both" })), {
      answer: breachOf("round-1/argument/a"),
      found: (said) => checksOf(said, ({ turn }) => turn === "round-1/argument/a"),
    });
    const [only, ...more] = messages.filter(({ kind }) => kind === "interruption");
    assert.deepEqual(more, []);
    assert.match(only!.body, /Said in 4.*also against a rule/);
  });

  it("interrupt() never comes of a ruling that cannot be read, or that names no rule", () => {
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

  it("interrupt() comes at most once a speech, never after an answer, an opening or a closing, nor twice running", () => {
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

Deno.test("An interruption is recorded, told as an event, answered, and its answer neither scored nor held to a range of words", async () => {
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

/** Makes a claim in every speech; what is found says that those of the first argument are false. */
function claiming(): Talker {
  return new Talker(({ context }) => {
    if (context.kind === "claims") {
      const { body } = context.data as { body: string };
      return { text: JSON.stringify({ claims: [{ quote: body, text: `It was said: ${body}` }] }) };
    }
    if (context.kind !== "claim_verdict") return undefined;
    const { claim } = context.data as { claim: string };
    const verdict = claim.includes("round-1/argument/a") ? "false" : "true";
    return {
      text: JSON.stringify({ reason: "r", verdict, confidence: 1, sources: [1] }),
    };
  });
}

Deno.test("A claim that the fact checker finds false is interrupted for, and goes on record with its answer", async () => {
  const hit = { title: "The almanac", url: "https://example.org/a", snippet: "No." };
  const agent = claiming();
  const checker = createParticipant({ name: "Vera", role: "fact_checker" }, agent);
  const workflow = createDebateWorkflow(TOPIC, [...cast(agent), checker], {
    interruptions: "facts",
    roundCount: 1,
    judges: [{ agent }],
    guards: { repetition: "off" },
    searchers: [{ name: "almanac", search: () => Promise.resolve([hit]) }],
    record: memoryRecord(),
  });
  const { result } = await drain(workflow);
  const interruptions = result!.messages.filter(({ kind }) => kind === "interruption");
  assert.deepEqual(interruptions.map(({ seq, replyTo }) => [seq, replyTo]), [[5, 4]]);
  const [, quoted] = /You said: "([^"]*)" The fact check.*source: example\.org, https/
    .exec(interruptions[0]!.body)!;
  assert.equal(`${quoted}.`, result!.messages[3]!.body, "the speaker's words, not the checker's");
  assert.equal(result!.messages[5]!.kind, "interruption_answer");
  assert.equal(result!.messages[6]!.replyTo, 4);
});
