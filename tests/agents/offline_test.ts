import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createOfflineAgent } from "../../src/agents/offline.ts";
import type { AgentRequest, RequestContext } from "../../src/core/agent.ts";
import { CancelledError } from "../../src/core/error.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";

const CARS = "Should cities ban private cars from their centres?";
const SIDES = [
  { id: "advocate-a", label: "Advocate A", position: `Yes: ${CARS}` },
  { id: "advocate-b", label: "Advocate B", position: `No: ${CARS}` },
] as const;

const agent = createOfflineAgent();

function contextOf(some: Partial<RequestContext> = {}): RequestContext {
  return {
    key: "opening/advocate-a",
    purpose: "turn",
    topic: CARS,
    participant: SIDES[0].id,
    label: SIDES[0].label,
    role: "position_advocate",
    position: SIDES[0].position,
    seq: 2,
    phase: "opening",
    kind: "opening_statement",
    round: 0,
    attempt: 1,
    about: [],
    opponents: [SIDES[1]],
    seed: 1,
    ...some,
  };
}

function ask(some: Partial<RequestContext> = {}, more: Partial<AgentRequest> = {}) {
  return agent.reply({ messages: [], context: contextOf(some), ...more });
}

async function say(some: Partial<RequestContext> = {}, maxTokens: number | undefined = 250) {
  return (await ask(some, { maxTokens })).text;
}

const sentences = (text: string) => text.split(/(?<=[.!?…])\s+/u);

const of = (text: string, side = 0) => ({
  label: SIDES[side]!.label,
  participant: SIDES[side]!.id,
  body: text,
});

/** A debate of two, as the protocol orders it; gives its messages. */
async function debate(seed: number, rounds: number) {
  const out: {
    label: string;
    participant: string;
    body: string;
    kind: string;
    tokens: number;
    cap: number;
  }[] = [];
  const turn = async (
    side: number,
    kind: string,
    round: number,
    cap: number,
    about: typeof out,
  ) => {
    const who = SIDES[side] ?? { id: "moderator", label: "Moderator" };
    const seq = out.length + 1;
    const { text: body, usage } = await ask({
      key: `${kind}/${seq}`,
      participant: who.id,
      label: who.label,
      role: SIDES[side] ? "position_advocate" : "moderator",
      position: SIDES[side]?.position,
      opponents: SIDES.filter(({ id }) => id !== who.id),
      ...{ kind, round, seq, about, seed },
    }, { maxTokens: cap });
    const message = {
      label: who.label,
      participant: who.id,
      body,
      kind,
      tokens: usage.outputTokens,
      cap,
    };
    out.push(message);
    return message;
  };
  await turn(2, "introduction", 0, 250, []);
  for (const side of [0, 1]) await turn(side, "opening_statement", 0, 300, []);
  for (let round = 1; round <= rounds; round++) {
    const start = out.length;
    for (const side of [0, 1]) {
      const argument = await turn(side, "argument", round, 250, []);
      await turn(1 - side, "rebuttal", round, 250, [argument]);
    }
    await turn(2, "round_summary", round, 250, out.slice(start));
  }
  for (const side of [0, 1]) await turn(side, "closing_statement", 0, 350, out.slice(-20));
  await turn(2, "summary", 0, 400, out.slice(-30));
  return out;
}

describe("createOfflineAgent()", () => {
  it("gives the same bytes for the same request, also from another instance", async () => {
    const request = { messages: [], context: contextOf(), maxTokens: 300 };
    const again = await createOfflineAgent().reply(request);
    assert.equal((await agent.reply(request)).text, again.text);
    assert.equal(again.model, "offline");
    assert.equal(again.finishReason, "stop");
  });

  it("shares no sentence between two seeds' openings", async () => {
    const one = new Set(sentences(await say({ seed: 1 }, 300)));
    for (const sentence of sentences(await say({ seed: 2 }, 300))) {
      assert.ok(!one.has(sentence), sentence);
    }
  });

  it("writes differently for each persona, position, kind, round and attempt", async () => {
    const texts = await Promise.all([
      say({ kind: "argument" }),
      say({ kind: "argument", persona: "You are a scientist: empirical, careful." }),
      say({ kind: "argument", persona: "A retired nurse from a mining town." }),
      say({ kind: "argument", position: "against" }),
      say({ kind: "argument", round: 2 }),
      say({ kind: "argument", attempt: 2 }),
      say({ kind: "closing_statement" }),
    ]);
    assert.equal(new Set(texts).size, texts.length);
    const nurse = texts[2]!;
    assert.match(nurse, /retired nurse/u);
  });

  it("speaks of the topic's own field, matched by whole words", async () => {
    const zoo = await say({ topic: "Is it fair to keep animals in zoos?", position: "for" }, 300);
    assert.match(zoo, /keeping animals in zoos/u);
    assert.doesNotMatch(zoo, /algorithm|laptop|machine|users/u);
    assert.match(
      zoo,
      /keeper|veterinar|shelter|ranger|animal|farmer|pet|breeder|visitor|biologist/iu,
    );
    assert.match(await say({}, 300), /banning private cars|ban private cars/u);
  });

  it("does not rebut in an opening, and names in a rebuttal what was argued", async () => {
    assert.doesNotMatch(await say(), /Advocate B/u);
    const argument = await say({ kind: "argument", phase: "argument", round: 1, seq: 4 });
    const rebuttal = await say({
      kind: "rebuttal",
      phase: "argument",
      round: 1,
      seq: 5,
      participant: SIDES[1].id,
      label: SIDES[1].label,
      position: SIDES[1].position,
      opponents: [SIDES[0]],
      about: [of(argument)],
    });
    assert.match(rebuttal, /Advocate A/u);
    const quoted = /“([^”]+)”/u.exec(rebuttal)?.[1]?.replace(/ …$/u, "") ?? "";
    assert.ok(quoted.split(" ").length >= 5, rebuttal);
    assert.ok(argument.toLowerCase().includes(quoted.toLowerCase()), quoted);
  });

  it("quotes its own turns in a closing", async () => {
    const own = "Streets without through traffic let children walk to school alone and safely.";
    const text = await say({ kind: "closing_statement", about: [of(own)], seq: 9 }, 350);
    assert.match(text, /children walk to school/u);
  });

  it("names each side by its label in a moderator's summary and decides nothing", async () => {
    const out = await debate(4, 1);
    const summary = out.at(-1)!.body;
    assert.match(summary, /Advocate A/u);
    assert.match(summary, /Advocate B/u);
    assert.doesNotMatch(summary, /\b(wins|winner|won the debate)\b/u);
  });

  it("stays within a turn's tokens and comes near them", async () => {
    for (const { body, kind, tokens, cap } of await debate(3, 3)) {
      assert.ok(tokens <= cap, `${kind}: ${tokens} of ${cap}`);
      if (!/summary|introduction/u.test(kind)) {
        assert.ok(tokens >= cap * 0.6, `${kind}: ${tokens} of ${cap}\n${body}`);
      }
    }
    for (const maxTokens of [1, 5, 12, 25, 40, 60, 120, 1000]) {
      const { text, usage } = await ask({}, { maxTokens });
      assert.ok(text.trim() !== "");
      assert.ok(
        usage.outputTokens <= Math.max(maxTokens, 4),
        `${usage.outputTokens} of ${maxTokens}`,
      );
    }
  });

  it("repeats no sentence in a debate of 40 rounds", async () => {
    const seen = new Map<string, number>();
    for (const [at, { body }] of (await debate(1, 40)).entries()) {
      for (const sentence of sentences(body)) {
        assert.ok(!seen.has(sentence), `${seen.get(sentence)} and ${at}: ${sentence}`);
        seen.set(sentence, at);
      }
    }
  });

  it("repeats no sentence in a dialogue of 10,000 messages", async () => {
    const seen = new Set<string>();
    let last = of("");
    for (let seq = 1; seq <= 10_000; seq++) {
      const [me, other] = seq % 2 === 1 ? [SIDES[0], SIDES[1]] : [SIDES[1], SIDES[0]];
      const { text } = await ask({
        key: `turn/${seq}`,
        participant: me.id,
        label: me.label,
        role: "participant",
        kind: "statement",
        phase: "dialogue",
        position: undefined,
        opponents: [{ id: other.id, label: other.label }],
        about: seq === 1 ? [] : [last],
        seq,
      }, { maxTokens: 60 });
      last = { label: me.label, participant: me.id, body: text };
      for (const sentence of sentences(text)) {
        assert.ok(!seen.has(sentence), `${seq}: ${sentence}`);
        seen.add(sentence);
      }
    }
  });

  it("speaks on topics it cannot read", async () => {
    for (
      const topic of [
        "هل يجب حظر السيارات في المدن؟",
        "¿Deberían las ciudades prohibir los coches?",
        "🚗🚗🚗🚗🚗🚗🚗🚗🚗🚗",
        "Cats or dogs: which are better?",
        "[a|b] {who} (x) *y* `z` … {nope}",
      ]
    ) {
      for (
        const kind of [
          "opening_statement",
          "argument",
          "closing_statement",
          "introduction",
          "musing",
        ]
      ) {
        const text = await say({ topic, kind, position: "for" });
        assert.ok(text.split(" ").length > 40, `${topic} ${kind}: ${text}`);
        assert.doesNotMatch(text.replaceAll(topic, ""), /\bundefined\b|\{who\}.*\{who\}/u);
      }
    }
  });

  it("claims no studies, statistics or dates", async () => {
    for (const { body } of await debate(9, 6)) {
      assert.doesNotMatch(
        body,
        /\b(study|studies|survey|percent|statistics|according to)\b|%|\b(19|20)\d\d\b/iu,
      );
    }
  });

  it("counts tokens at no cost and reports its text piece by piece", async () => {
    const count = await loadTokenCounter();
    const pieces: string[] = [];
    const content = "Rules of the debate.\n\nTopic: cars.\n\nSay it.";
    const { text, usage } = await ask({}, {
      messages: [{ role: "user", content }],
      maxTokens: 200,
      onDelta: (piece) => void pieces.push(piece),
    });
    assert.equal(pieces.join(""), text);
    assert.ok(pieces.length > 2);
    assert.deepEqual(usage, {
      inputTokens: count(content),
      cachedInputTokens: 0,
      outputTokens: count(text),
      costUsd: 0,
    });
  });

  it("stops when its signal is aborted, before or between pieces", async () => {
    await assert.rejects(ask({}, { signal: AbortSignal.abort() }), CancelledError);
    const stop = new AbortController();
    await assert.rejects(
      ask({}, { signal: stop.signal, onDelta: () => stop.abort() }),
      CancelledError,
    );
  });

  it("folds older turns into a summary within its tokens", async () => {
    const about = (await debate(2, 2)).filter(({ kind }) => kind === "argument");
    const { text, usage } = await ask({ purpose: "fold", kind: "fold", seq: 0, about }, {
      maxTokens: 200,
    });
    assert.match(text, /Advocate A/u);
    assert.match(text, /Advocate B/u);
    assert.ok(usage.outputTokens <= 200);
  });
});
