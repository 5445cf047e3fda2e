import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { createOfflineAgent } from "../../../src/agents/offline.ts";
import { domainOf } from "../../../src/agents/offline/domains.ts";
import type { AgentRequest, RequestContext } from "../../../src/core/agent.ts";
import { countWords } from "../../../src/core/words.ts";
import { SpeechStream } from "../../../src/core/speech_stream.ts";

const ZOOS = "Is it fair to keep zoos?";
const SIDES = [
  { id: "a", label: "Advocate A", position: "for" },
  { id: "b", label: "Advocate B", position: "against" },
  { id: "c", label: "Advocate C", position: "for" },
] as const;
const SCIENTIST =
  "Scientist: A scientist who cares more about being corrected than about being right.";
const PHILOSOPHER = "Philosopher: A philosopher trained in ethics and the history of ideas.";

const agent = createOfflineAgent();

function contextOf(some: Partial<RequestContext> = {}): RequestContext {
  return {
    key: `turn/${some.seq ?? 3}`,
    purpose: "turn",
    topic: ZOOS,
    participant: "a",
    label: "Advocate A",
    role: "position_advocate",
    position: "for",
    seq: 3,
    phase: "rounds",
    kind: "statement",
    round: 1,
    attempt: 1,
    about: [],
    opponents: [SIDES[1]],
    seed: 1,
    ...some,
  };
}

async function say(some: Partial<RequestContext> = {}, more: Partial<AgentRequest> = {}) {
  return (await agent.reply({ messages: [], maxTokens: 200, context: contextOf(some), ...more }))
    .text;
}

function as(side: number, among = 2): Partial<RequestContext> {
  const { id, label, position } = SIDES[side]!;
  const opponents = SIDES.slice(0, among).filter((each) => each.id !== id);
  return { participant: id, label, position, opponents };
}

const of = (body: string, side = 1) => ({
  label: SIDES[side]!.label,
  participant: SIDES[side]!.id,
  body,
});

const sentences = (text: string) => text.split(/(?<=[.!?…])\s+/u);

/** Fails at the first sentence that was said before. */
function unrepeated() {
  const seen = new Map<string, number>();
  return (text: string, at: number) => {
    for (const sentence of sentences(text)) {
      assert.ok(!seen.has(sentence), `${seen.get(sentence)} and ${at}: ${sentence}`);
      seen.set(sentence, at);
    }
  };
}

const RCR = {
  name: "rcr",
  type: z.strictObject({ reflection: z.string(), critique: z.string(), speech: z.string() }),
};

Deno.test("createOfflineAgent() does not find AI in “fair”, nor any field in part of a word", async () => {
  assert.match(domainOf(ZOOS, "").name, /animal/u);
  for (
    const topic of [
      ZOOS,
      "Is it unfair to paint chairs?",
      "Should the fair be kept at the harbour?",
    ]
  ) {
    assert.doesNotMatch(domainOf(topic, "").name, /tech|digital|machine/u);
    const text = await say({ topic }, { maxTokens: 400 });
    assert.doesNotMatch(text, /\b(AI|algorithms?|developers|users|software|machines?)\b/u);
  }
});

Deno.test("createOfflineAgent() alternates two personas that answer each other, each in its own words", async () => {
  const check = unrepeated();
  const own: [RegExp, RegExp] = [
    /\b(hypothesis|measured?|control|sample|replication|confounders|mechanism|evidence|observation|variable|condition|observe|prediction|uncertainty|effect)\b/giu,
    /\b(moral|prior|principle|premise|duty|autonomy|counterexample|distinction|owed?|justify|defend|assumption|thought experiment|merely|means)\b/giu,
  ];
  const counts = [[0, 0], [0, 0]];
  let about: RequestContext["about"] = [];
  for (let turn = 1; turn <= 12; turn++) {
    const side = (turn + 1) % 2;
    const text = await say({
      ...as(side),
      ...{ seq: turn, round: turn, about, persona: side === 0 ? SCIENTIST : PHILOSOPHER },
    });
    check(text, turn);
    if (turn > 1) assert.match(text, new RegExp(SIDES[1 - side]!.label, "u"));
    for (const [i, words] of own.entries()) counts[side]![i]! += text.match(words)?.length ?? 0;
    about = [...about, of(text, side)].slice(-4);
  }
  assert.ok(counts[0]![0]! > counts[1]![0]! * 1.5, JSON.stringify(counts));
  assert.ok(counts[1]![1]! > counts[0]![1]! * 1.5, JSON.stringify(counts));
});

Deno.test("createOfflineAgent() keeps to a range of words, wide or narrow, in every kind of turn", async () => {
  const ranges = fc.tuple(fc.integer({ min: 200, max: 1000 }), fc.integer({ min: 0, max: 400 }))
    .map(([min, more]) => ({ min, max: Math.min(1000, min + more) }))
    .filter(({ min, max }) => max - min >= 5);
  await fc.assert(
    fc.asyncProperty(
      ranges,
      fc.constantFrom(
        "statement",
        "argument",
        "rebuttal",
        "opening_statement",
        "closing_statement",
      ),
      fc.constantFrom(ZOOS, "Should AI be regulated?", "都市は自家用車を禁止すべきですか。"),
      fc.constantFrom(undefined, SCIENTIST),
      fc.integer({ min: 1, max: 500 }),
      async (words, kind, topic, persona, seed) => {
        const about = [
          of("Animals in zoos live longer because keepers look after them every day."),
        ];
        const context = { words, kind, topic, persona, seed, about };
        const spoken = countWords(await say(context, { maxTokens: 2 * words.max }));
        assert.ok(
          spoken >= words.min && spoken <= words.max,
          `${spoken} of ${words.min}–${words.max}`,
        );
        const { speech } = RCR.type.parse(
          JSON.parse(
            await say(context, { schema: RCR, maxTokens: Math.max(2000, 2 * words.max + 400) }),
          ),
        );
        const written = countWords(speech);
        assert.ok(
          written >= words.min && written <= words.max,
          `${written} of ${words.min}–${words.max}`,
        );
      },
    ),
    { numRuns: 80 },
  );
});

Deno.test("createOfflineAgent() writes what it thinks beside what it says, and repeats nothing in 40 rounds", async () => {
  const check = unrepeated();
  let about: RequestContext["about"] = [];
  for (let turn = 1; turn <= 80; turn++) {
    const side = (turn + 1) % 2;
    const pieces: string[] = [];
    const context = { ...as(side), seq: turn, round: Math.ceil(turn / 2), about };
    const reply = await say({ ...context, words: { min: 200, max: 500 } }, {
      schema: RCR,
      maxTokens: 2000,
      onDelta: (piece) => void pieces.push(piece),
    });
    assert.equal(pieces.join(""), reply);
    const stream = new SpeechStream("speech");
    for (const piece of pieces) stream.add(piece);
    const { reflection, critique, speech } = RCR.type.parse(JSON.parse(reply));
    assert.equal(stream.text, speech);
    assert.equal(
      new Set([reflection, critique, ...sentences(speech)]).size,
      2 + sentences(speech).length,
    );
    const last = about.at(-1);
    if (last !== undefined) {
      const quoted = /“([^”]+?)(?: …)?”/u.exec(critique)?.[1] ?? "";
      assert.ok(last.body.toLowerCase().includes(quoted.toLowerCase()), critique);
    }
    check([reflection, critique, speech].join(" "), turn);
    about = [...about, of(speech, side)].slice(-4);
  }
});

const CONSENSUS = {
  name: "consensus",
  type: z.strictObject({
    speech: z.string(),
    stances: z.array(z.strictObject({
      on: z.enum(["p1", "p2"]),
      stance: z.enum(["agree", "disagree", "abstain"]),
      strength: z.number().min(0).max(1),
      condition: z.string(),
    })).length(2),
  }),
};
const PROPOSALS =
  "Proposals:\n- p1 (Advocate A): Zoos keep only animals that cannot live in the wild.\n" +
  "- p2 (Advocate B): No new zoo is built for ten years.";

Deno.test("createOfflineAgent() speaks of the proposals it takes a stance on, 200 turns without a repetition", async () => {
  const check = unrepeated();
  const messages = [{ role: "user", content: `${PROPOSALS}\n\nIt is your turn.` }] as const;
  let about: RequestContext["about"] = [];
  for (let turn = 1; turn <= 200; turn++) {
    const side = turn % 3;
    const context = { ...as(side, 3), seq: turn, round: Math.ceil(turn / 3), about, seed: 3 };
    const { speech, stances } = CONSENSUS.type.parse(
      JSON.parse(await say(context, { schema: CONSENSUS, messages, maxTokens: 300 })),
    );
    check(speech, turn);
    const agreed = stances.filter(({ stance }) => stance === "agree").map(({ on }) => on);
    if (agreed.length > 0) {
      assert.match(speech, /no new zoo is built|keep only animals that cannot/iu);
    }
    about = [...about, of(speech, side)].slice(-4);
  }
});

Deno.test("createOfflineAgent() takes up what the audience said last, and nothing else it said", async () => {
  const audience = (body: string) => ({ label: "Audience", participant: "audience", body });
  const asked = audience("A remark first. Has anyone asked the keepers who feed them?");
  for (const kind of ["statement", "argument", "rebuttal", "reply"]) {
    const text = await say({
      kind,
      about: [of("Zoos teach children how animals really live."), asked],
    });
    assert.match(text, /audience/u);
    if (kind !== "argument") assert.match(text, /Advocate B/u);
    assert.match(text, /has anyone asked the keepers who feed them/iu);
    assert.doesNotMatch(
      await say({ kind, about: [asked, of("Zoos teach children a lot.")] }),
      /audience/u,
    );
  }
  for (const body of ["?", "…", "動物園は残酷です", "x".repeat(20_000), "[a|b] {who}"]) {
    assert.match(await say({ about: [audience(body)] }), /audience/u);
  }
});

Deno.test("createOfflineAgent() answers an interruption by naming the claim, and gives way, narrows or stands by it", async () => {
  const claim = "Nine of ten zoo animals were born in captivity";
  const stop = (body: string) => ({ label: "Moderator", participant: "moderator", body });
  const starts = new Set<string>();
  for (let seed = 1; seed <= 40; seed++) {
    const about = [stop(`The claim “${claim}.” was found false by a source. What do you say?`)];
    const text = await say({ kind: "interruption_answer", seed, about }, { maxTokens: 120 });
    assert.match(text, new RegExp(claim, "iu"));
    starts.add(
      /withdraw|take back|drop|strike|concede|give way|accept the correction|take the correction|wrong to|mistaken to|leave it aside|set it aside|out of account/iu
          .test(sentences(text)[0]! + sentences(text)[1]!)
        ? "gives way"
        : "keeps some of it",
    );
  }
  assert.equal(starts.size, 2);
  const rule = stop(
    "You turned to the person: please keep to the rules. “What would you know”, you said.",
  );
  assert.match(
    await say({ kind: "interruption_answer", about: [rule] }),
    /rules|reminder|apologise|sorry|point taken/iu,
  );
  assert.ok((await say({ kind: "interruption_answer" })).length > 50);
});

Deno.test("createOfflineAgent() opens a round as the moderator with the topic, the round and who begins", async () => {
  const moderator = {
    participant: "moderator",
    label: "Moderator",
    role: "moderator",
    position: undefined,
  };
  const context = {
    ...moderator,
    kind: "round_introduction",
    opponents: SIDES.slice(0, 2),
    round: 2,
  };
  const text = await say(context);
  assert.match(text, /round 2/iu);
  assert.match(text, /Is it fair to keep zoos/u);
  assert.match(text, /Advocate A/u);
  const stopped = await say({
    ...moderator,
    kind: "interruption",
    about: [of("Every zoo animal is happy because keepers love it.", 0)],
  });
  assert.match(stopped, /Advocate A/u);
  assert.match(stopped, /every zoo animal is happy/iu);
});

Deno.test("createOfflineAgent() fills a structured turn of any shape, the speech with what it says", async () => {
  const type = z.object({
    mood: z.enum(["calm", "sharp"]),
    notes: z.array(z.string()).min(2).max(3),
    speech: z.string().min(20),
    sure: z.number().min(0).max(1),
  });
  const { speech, notes } = type.parse(
    JSON.parse(
      await say({ about: [of("Zoos teach children about animals every day.")] }, {
        schema: { name: "any", type },
      }),
    ),
  );
  assert.match(speech, /Advocate B/u);
  assert.ok(notes.every((each) => !speech.includes(each)));
});

Deno.test("createOfflineAgent() takes turns on any topic after anything, the same bytes each time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        "statement",
        "argument",
        "rebuttal",
        "closing_statement",
        "interruption_answer",
        "round_introduction",
        "interruption",
        "musing",
      ),
      fc.string({ unit: "grapheme", minLength: 10, maxLength: 80 }),
      fc.oneof(
        fc.string({ maxLength: 200 }),
        fc.constantFrom("", "x ".repeat(5000), "لا.", "いいえ。", "\ud800 {q} [a|b] $&"),
      ),
      fc.integer({ min: 0, max: 2 ** 31 }),
      fc.constantFrom(undefined, RCR, CONSENSUS),
      async (kind, topic, body, seed, schema) => {
        const context = { kind, topic, seed, persona: body, position: body, about: [of(body)] };
        const first = await say(context, { schema });
        if (schema === undefined) assert.match(first, /[\p{L}\p{N}]/u);
        else assert.match(String(schema.type.parse(JSON.parse(first)).speech), /[\p{L}\p{N}]/u);
        assert.equal(await say(context, { schema }), first);
      },
    ),
    { numRuns: 150 },
  );
});
