import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { debate } from "../../../protocol.ts";
import { RCR } from "../../../src/debate/rules.ts";
import { debateOf, drain, promptOf, Talker } from "../support/talkers.ts";
import { playAll, rules } from "../support/players.ts";

/** Answers every turn of three fields with words that nobody else may see. */
function reflecting(): Talker {
  return new Talker(({ context, schema }) => {
    if (schema?.name !== "reflected_turn") return undefined;
    const { key } = context;
    return {
      text: JSON.stringify({
        reflection: `Inward ${key}.`,
        critique: `Doubt ${key}.`,
        speech: `Aloud ${key}, in whole sentences.`,
      }),
    };
  });
}

describe("RCR", () => {
  it("RCR asks for reflection, critique and speech, and keeps all but the speech in a draft", () => {
    assert.equal(RCR.speech, "speech");
    const made = {
      model: "m",
      usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
      latencyMs: 1,
      createdAt: "2026-11-21T00:00:00.000Z",
      toolCalls: [],
      given: [],
    };
    const fields = { reflection: " r ", critique: "c", speech: "s" };
    assert.deepEqual(
      RCR.toFacts(fields, { seq: 4, turn: "t", participant: "a", ...made }),
      [{
        type: "draft",
        seq: 4,
        turn: "t",
        participant: "a",
        fields: { reflection: "r", critique: "c" },
        createdAt: made.createdAt,
      }],
    );
    assert.equal(RCR.schema.type.safeParse({ speech: "s" }).success, false);
  });

  it("RCR is the form of the rounds' and closing speeches, and of nothing else", () => {
    const { turns } = playAll(debate(rules({ structure: RCR })));
    for (const { kind, structure, task } of turns) {
      const expected = ["argument", "rebuttal", "closing_statement"].includes(kind);
      assert.equal(structure?.schema === RCR.schema, expected, kind);
      assert.equal(/three phases/.test(task), expected, kind);
    }
  });

  it("RCR replies have room for the private fields beside the speech's cap: 2,000 tokens for 500 words", () => {
    const caps = { opening: 300, argument: 1000, closing: 250, summary: 400 };
    const { turns } = playAll(debate(rules({ structure: RCR, caps })));
    const cap = (kind: string) => {
      const { maxTokens, structure } = turns.find((turn) => turn.kind === kind)!;
      return [maxTokens, structure?.tokens];
    };
    assert.deepEqual(cap("argument"), [1000, 1000]);
    assert.deepEqual(cap("closing_statement"), [250, 600]);
    assert.deepEqual(cap("opening_statement"), [300, undefined]);
  });

  it("RCR reflection and critique are on record, and in no transcript, prompt or judge's question", async () => {
    const agent = reflecting();
    const { workflow, record } = debateOf(agent, { turnForm: "rcr", transcript: ["md"] });
    const { result } = await drain(workflow);
    const argument = result!.messages.find(({ kind }) => kind === "argument")!;
    assert.equal(argument.body, "Aloud round-1/argument/a, in whole sentences.");
    const draft = record.files.get("drafts/004.md")!;
    assert.match(draft, /Inward round-1\/argument\/a/);
    assert.match(draft, /Doubt round-1\/argument\/a/);
    for (const request of agent.requests) assert.doesNotMatch(promptOf(request), /Inward|Doubt/);
    for (const [path, text] of record.files) {
      if (!path.startsWith("drafts/") && path !== "log.jsonl") {
        assert.doesNotMatch(text, /Inward|Doubt/, path);
      }
    }
  });
});
