// Rules of debates and their defaults.
import assert from "node:assert/strict";
import { loadPersona } from "../../mod.ts";
import { personaText } from "../../protocol.ts";
import type { ConveningStart } from "../../src/core/event.ts";
import { EARLIER_RULES } from "../support/earlier_rules.ts";
import { promptOf, TOPIC } from "../support/talkers.ts";
import { kindsOf } from "./cases/debate_cases.ts";
import { rejectedBy, wordy } from "./cases/turn_cases.ts";
import {
  heldOnce,
  hold,
  type HoldOptions,
  person,
  type Seen,
  type Settings,
  settingsOf,
} from "./support/holding.ts";

/** A debate with only a topic, without guards against repetition. */
const BARE = { kind: "debate", topic: TOPIC, seed: 1, guards: { repetition: "off" } };

function speaking({ requests }: Seen) {
  return requests.filter(({ context }) => context.purpose === "turn");
}

function capsOf(seen: Seen): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(
    speaking(seen).map(({ context, maxTokens }) => [context.kind, maxTokens]),
  );
}

for (
  const [rules, count, turns] of [
    [{}, "7R+6", ["argument", "rebuttal", "reply"]],
    [EARLIER_RULES, "5R+6", ["argument", "rebuttal"]],
  ] as const
) {
  const round = [...turns, ...turns, "round_summary"];
  Deno.test(`Rule "Debate": 3 rounds, ${count} messages in order, from the introduction to the summary`, async () => {
    const { messages } = await heldOnce({ ...BARE, ...rules });
    assert.deepEqual(messages.toSorted((a, b) => a.seq - b.seq).map(({ kind }) => kind), [
      ...["introduction", "opening_statement", "opening_statement"],
      ...[...round, ...round, ...round],
      ...["closing_statement", "closing_statement", "summary"],
    ]);
    const rounds = messages.filter(({ kind }) => kind === "argument").map(({ round }) => round);
    assert.deepEqual(rounds, [1, 1, 2, 2, 3, 3]);
  });
}

Deno.test('Rule "Debate": a new debate draws its order and has blind closings in reverse; a preset keeps the earlier rules', async () => {
  const orders = new Set<string>();
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const { messages, requests } = await hold({ ...BARE, seed, roundCount: 0 });
    const [, first, second, third, fourth] = messages.map(({ participant }) => participant);
    orders.add(`${first} ${second}`);
    assert.deepEqual([third, fourth], [second, first]);
    for (const { context, messages: prompt } of speaking({ requests } as Seen)) {
      if (context.kind !== "closing_statement") continue;
      assert.ok(!promptOf({ context, messages: prompt }).includes("Speech for closing/"));
    }
  }
  assert.deepEqual([...orders].sort(), ["advocate-a advocate-b", "advocate-b advocate-a"]);
  for (const preset of ["oxford", "pro-con", "self-play", "alternating"] as const) {
    const { events } = await hold({ ...BARE, preset, roundCount: 1 });
    const begun = events.find(({ type }) => type === "convening-start");
    const { configuration } = (begun as { start: ConveningStart }).start;
    for (const [key, value] of Object.entries(EARLIER_RULES)) {
      if (key !== "exchange") assert.equal(configuration[key], value, `${preset}: ${key}`);
    }
    assert.notEqual(configuration["exchange"], "clash", preset);
  }
});

for (const roundCount of [0, 2]) {
  Deno.test(`Rule "Argument rounds": ${roundCount} are allowed`, async () => {
    const seen = await hold({ ...BARE, roundCount });
    assert.equal(kindsOf(seen).filter((kind) => kind === "argument").length, 2 * roundCount);
    assert.equal(seen.result?.status, "completed");
  });
}

Deno.test('Rule "Debate defaults": 300, 250 and 350 tokens; scores; no whole transcript', async () => {
  const seen = await heldOnce(BARE);
  const caps = capsOf(seen);
  const { opening_statement: opening, argument, rebuttal, closing_statement: closing } = caps;
  assert.deepEqual([opening, argument, rebuttal, caps["reply"], closing], [
    300,
    250,
    250,
    250,
    350,
  ]);
  assert.equal(seen.facts.filter(({ type }) => type === "score").length, 22);
  assert.ok(!seen.files.has("transcript.md"));
});

Deno.test('Rule "Opening": blind, so that no advocate sees the other\'s; the introduction is a template', async () => {
  const seen = await heldOnce(BARE);
  for (const { context, messages } of speaking(seen)) {
    if (context.kind !== "opening_statement") continue;
    assert.ok(!promptOf({ context, messages }).includes("Speech for opening/"));
  }
  assert.ok(!speaking(seen).some(({ context }) => context.kind === "introduction"));
  assert.equal(seen.messages[0]!.model, "template");
});

Deno.test('Rule "Opening": a side argues for yes or no to a topic that ends as a question of any script does', async () => {
  for (
    const topic of [
      "هل تسير الحافلات ليلا؟",
      "町は夜もバスを走らせるべきか？",
      "町は夜もバスを走らせるべきか。",
      "Πρέπει να είναι δωρεάν;",
    ]
  ) {
    const prompts = speaking(await hold({ ...BARE, topic, roundCount: 0 })).map(promptOf);
    for (const answer of ["yes", "no"]) {
      const stated = `the answer to this question is ${answer}: ${topic}`;
      assert.ok(prompts.some((prompt) => prompt.includes(stated)), stated);
    }
  }
});

Deno.test('Rule "Opening": in a language other than English the moderator\'s model introduces, unless a template is configured', async () => {
  const introduces = async (settings: Settings) => {
    const { requests } = await hold({ ...BARE, roundCount: 0, ...settings });
    return requests.some(({ context }) => context.kind === "introduction");
  };
  for (const language of ["Suomi", "français", "eng"]) {
    assert.ok(await introduces({ language }), language);
  }
  for (const language of ["English", "en-GB", "en"]) {
    assert.ok(!await introduces({ language }), language);
  }
  assert.ok(await introduces({ language: "Suomi", preset: "oxford" }));
  assert.ok(!await introduces({ language: "Suomi", preset: "alternating", roundCount: 1 }));
  assert.ok(!await introduces({ language: "Suomi", moderation: "template" }));
});

Deno.test('Rule "Rebuttal": a rebuttal replies to an argument, which is in its prompt', async () => {
  const { messages, requests } = await heldOnce(BARE);
  for (const { replyTo, turn } of messages.filter(({ kind }) => kind === "rebuttal")) {
    const answered = messages.find(({ seq }) => seq === replyTo)!;
    assert.equal(answered.kind, "argument");
    const request = requests.find(({ context }) => context.key === turn)!;
    assert.ok(promptOf(request).includes(answered.body));
  }
});

Deno.test('Rule "Positions": without positions two are made from the topic; the judge has the moderator\'s model', async () => {
  const { files, result } = await hold({ ...BARE, roundCount: 0, moderatorModel: "chair" }, {
    server: {},
  });
  const metadata = files.get("metadata.md")!;
  assert.ok(metadata.includes(`For: ${TOPIC}`) && metadata.includes(`Against: ${TOPIC}`));
  assert.equal(result?.agreement?.judges.length, 1);
  assert.equal(result?.agreement?.judges.at(0)?.model, "chair");
});

Deno.test('Rule "Presets": alternating has 8 single turns, odd A, even B, 200 tokens, scientist and philosopher', async () => {
  const seen = await heldOnce({ ...BARE, preset: "alternating" });
  const ids = ["advocate-a", "advocate-b"];
  assert.deepEqual(
    seen.messages.map(({ participant }) => participant),
    Array.from({ length: 4 }, () => ids).flat(),
  );
  assert.deepEqual(seen.messages.map(({ replyTo }) => replyTo), [undefined, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(new Set(Object.values(capsOf(seen))), new Set([200]));
  for (const [index, name] of ["scientist", "philosopher"].entries()) {
    const request = speaking(seen).find(({ context }) => context.participant === ids[index])!;
    assert.ok(promptOf(request).includes(personaText(await loadPersona(name))));
  }
  assert.equal(
    (await hold({ ...BARE, preset: "alternating", roundCount: 12 })).messages.length,
    12,
  );
});

Deno.test('Rule "Presets": alternating is judged on argument quality .40, coherence .30, relevance .30, from 0 to 10', async () => {
  const { facts, result } = await heldOnce({ ...BARE, preset: "alternating" });
  const [score] = facts.filter((fact) => fact.type === "score");
  assert.deepEqual(score!.scale, [0, 10]);
  assert.deepEqual(score!.weights, { ["argument_quality"]: 0.4, coherence: 0.3, relevance: 0.3 });
  assert.equal(result?.outcome, "decided");
  assert.ok(result!.summary.length > 0);
  assert.ok(facts.some((fact) => fact.type === "verdict" && fact.reasons.length > 0));
});

Deno.test('Rule "Presets": pro-con has 3 rounds of introduction, Pro and Con, in three phases, with fact checks', async () => {
  const seen = await hold({ ...BARE, preset: "pro-con" }, wordy(300));
  assert.deepEqual(
    seen.messages.map(({ participant }) => participant),
    Array.from({ length: 3 }, () => ["moderator", "pro", "con"]).flat(),
  );
  assert.ok(
    seen.messages.every(({ kind, model }) => (kind === "statement") !== (model === "template")),
  );
  assert.equal(seen.facts.filter(({ type }) => type === "draft").length, 6);
  assert.equal(seen.result?.factChecks?.mode, "standard");
  assert.deepEqual(new Set(Object.values(capsOf(seen))), new Set([2000]));
});

Deno.test('Rule "Presets": pro-con asks for 200 to 500 words a turn; up to 1,000 can be configured', async () => {
  const preset = { ...BARE, preset: "pro-con", roundCount: 1 };
  const turnedDown = async (settings: Settings, words: number) =>
    rejectedBy(await hold(settings, wordy(words)), "length").length;
  for (const [words, rejections] of [[199, 2], [200, 0], [500, 0], [501, 2]] as const) {
    assert.equal(await turnedDown(preset, words), rejections, String(words));
  }
  assert.equal(await turnedDown({ ...preset, words: { min: 200, max: 1000 } }, 1000), 0);
});

Deno.test('Rule "Length": a range of words raises smaller token caps to twice its words', async () => {
  const words = { min: 200, max: 400 };
  const seen = await hold({ ...BARE, words, closingStatementMaxTokens: 900 }, wordy(300));
  const { opening_statement: opening, argument, closing_statement: closing, summary } = capsOf(
    seen,
  );
  assert.deepEqual([opening, argument, closing, summary], [800, 800, 900, 400]);
});

Deno.test('Rule "Presets": oxford asks the audience before and after, and the side that gains most wins', async () => {
  const held: HoldOptions = {
    say: ({ context: { key, kind, data } }) => {
      if (kind !== "stance") return undefined;
      const { labels } = data as { labels: Record<string, string> };
      const stances = Object.entries(labels).map(([id, label]) => ({
        on: label,
        stance: id === (key.includes("before") ? "advocate-a" : "advocate-b")
          ? "agree"
          : "disagree",
        strength: 1,
        condition: "",
      }));
      return { text: JSON.stringify({ reasons: "Reasons.", stances }) };
    },
  };
  const { result, facts, requests } = await hold(
    { ...BARE, preset: "oxford", roundCount: 1 },
    held,
  );
  const [before, after] = ["before", "after"].map((time) =>
    JSON.stringify(requests.find(({ context }) => context.key.includes(`stance/${time}`)))
  );
  assert.doesNotMatch(before!, /<turn number=\\"\d/);
  assert.match(after!, /<turn number=\\"2/);
  assert.equal(facts.filter(({ type }) => type === "stance").length, 10);
  assert.deepEqual([result?.winner, result?.audience?.winner], ["advocate-b", "advocate-b"]);
  const byJudges = facts.filter((fact) => fact.type === "verdict").map(({ winner }) => winner);
  assert.deepEqual(new Set(byJudges), new Set(["advocate-a"]));
});

Deno.test('Rule "Presets": self-play has one model on both sides, and all participants know it', async () => {
  const { bodies, messages } = await hold({ ...BARE, preset: "self-play", roundCount: 0 }, {
    server: {},
  });
  const models = messages.filter(({ role }) => role === "position_advocate")
    .map(({ model }) => model);
  assert.deepEqual(new Set(models), new Set(["one"]));
  assert.match(bodies[0]!.messages[0]!.content!, /One and the same model speaks for all sides/);
});

Deno.test('Rule "Consensus": 0.8 of the participants must agree', async () => {
  const endOf = async (count: number) => {
    const names = ["Ada", "Ben", "Cleo", "Dan", "Eve"].slice(0, count);
    const settings = settingsOf("consensus", {
      participants: names.map((name) => person(name)),
      limits: { maxTurns: 30 },
    });
    const { result } = await hold(settings, {
      say: ({ schema, context: { kind, participant } }) => {
        if (kind !== "statement" || schema === undefined) return undefined;
        const ids = JSON.stringify(
          schema.type.toJSONSchema({ io: "input", unrepresentable: "any" }),
        )
          .match(/p\d+/g)!;
        const stance = participant === "ada" ? "disagree" : "agree";
        const stances = [...new Set(ids)].map((on) => ({ on, stance, strength: 1, condition: "" }));
        return { text: JSON.stringify({ speech: "This is what I hold of it all.", stances }) };
      },
    });
    return result?.endReason;
  };
  assert.equal(await endOf(5), "consensus");
  assert.equal(await endOf(4), "impasse");
});

Deno.test('Rule "Consensus": agreement must hold for 3 turns; at most two proposals each', async () => {
  const seen = await heldOnce(settingsOf("consensus"));
  assert.equal(seen.result?.endReason, "consensus");
  assert.equal(kindsOf(seen).filter((kind) => kind === "statement").length, 2 + 3);
  const asked = seen.requests.find(({ context }) => context.kind === "proposals")!.schema!.type;
  const proposals = (count: number) =>
    asked.safeParse({
      reasons: "r",
      proposals: Array.from({ length: count }, () => "More trams."),
    });
  assert.ok(proposals(2).success);
  assert.ok(!proposals(3).success);
});
