// Files of facts: rendering, parsing, paths.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Fact } from "../../src/core/fact.ts";
import { sha256 } from "../../src/core/message.ts";
import { FACT_ROWS, factPath, namingOf, renderFact } from "../../src/record/codec.ts";
import { numberedFiles } from "../../src/record/fact_files.ts";
import { parseFact } from "../../src/record/read_pages.ts";
import { MemoryFileSystem } from "../../src/record/stores.ts";
import { draftOf, FACTS, messageOf, startOf } from "./support/fixtures.ts";
import { anyCharacter } from "../support/any_character.ts";

const naming = namingOf({ start: startOf(), facts: FACTS });
const words = fc.string({ unit: "grapheme" });

/** Fields of facts that may contain any text. */
const NAMES = [
  ["participant", "turn", "name", "position", "judge"],
  ["model", "guard", "kind", "tool", "key"],
].flat();

function again(fact: Fact): Fact {
  return parseFact(renderFact(fact, naming), factPath(fact, naming), fact.type);
}

for (const fact of FACTS) {
  Deno.test(`parseFact() reverses renderFact() of ${factPath(fact, naming)}`, () => {
    assert.deepEqual(again(fact), fact);
    fc.assert(
      fc.property(words, words, fc.jsonValue(), (one, two, json) => {
        const changed = { ...fact } as Record<string, unknown>;
        for (const key of NAMES) if (key in changed) changed[key] = one;
        for (const key of ["body", "reasons", "result"]) if (key in changed) changed[key] = two;
        if ("reason" in changed && fact.type !== "stop") changed["reason"] = two;
        if (changed.type === "draft") changed["fields"] = { [one]: two, [two]: one, z: one + two };
        if (changed.type === "fact-check") {
          const sources = [{ title: one, url: two, snippet: one }];
          const claim = { text: two, verdict: "false", confidence: 0.25, sources };
          changed["claims"] = [claim, { ...claim, text: one, sources: [] }];
        }
        if (changed.type === "evidence") {
          changed["posture"] = changed["overallPosition"] = two;
          changed["quotations"] = [{ text: two, status: "not found", source: one, topic: one }];
          const citations = {
            paper: [{ chunkId: one, text: two, score: 0, paper: two }],
            web: [{ title: one, url: two, snippet: two }],
          };
          const argued = { topic: one, claim: two, reasoning: two, counterpoints: [one, two] };
          changed["perTopic"] = [{ ...argued, citations }, { ...argued, citations: {} }];
        }
        if (changed.type === "score" && "topics" in changed) {
          changed["topics"] = [{ topic: one, criteria: { ["clarity"]: 0.5 }, notes: two }];
        }
        if (changed.type === "stance") {
          const held = { on: one, stance: "disagree", strength: 1 };
          changed["stances"] = [held, { ...held, condition: two }];
        }
        const value = JSON.parse(JSON.stringify(json));
        if ("value" in changed && fact.type === "choice") changed["value"] = value;
        if ("args" in changed) changed["args"] = value;
        assert.deepEqual(again(changed as unknown as Fact), changed);
      }),
    );
  });
}

Deno.test("parseFact() returns a draft's fields whatever their names and texts", () => {
  const text = fc.string({ unit: anyCharacter }).map((each) => each.toWellFormed());
  fc.assert(
    fc.property(fc.dictionary(text, text), (fields) => {
      const fact = draftOf(2, fields);
      assert.deepEqual(again(fact), { ...fact, fields: { ...fields } });
    }),
  );
});

Deno.test("parseFact() rejects a draft whose sections do not have the stated lengths", () => {
  const whole = renderFact(draftOf(2, { reflection: "One.", critique: "Two." }), naming);
  const edits = [
    ["One.", "One"],
    ["## critique", "## critiques"],
    ["Two.", "Two. More"],
    ["characters: 4", "characters: 9"],
  ] as const;
  for (const [from, to] of edits) {
    const text = whole.replace(from, to);
    assert.notEqual(text, whole);
    assert.throws(() => parseFact(text, "drafts/002.md", "draft"), {
      code: "record_corrupt",
      message: /drafts\/002\.md: fields: the body/,
    });
  }
});

Deno.test("parseFact() reads a draft with the escapes of earlier versions", () => {
  const whole = renderFact(draftOf(2, { key_points: "One_1." }), naming);
  const text = whole.replace("## key_points", "## key\\_points");
  assert.notEqual(text, whole);
  assert.deepEqual(
    parseFact(text, "drafts/002.md", "draft"),
    parseFact(whole, "drafts/002.md", "draft"),
  );
});

Deno.test("FACT_FILES has a separate folder for every type", () => {
  const folders = new Set(FACT_ROWS.map(({ folder }) => folder));
  assert.equal(folders.size, FACTS.reduce((types, { type }) => types.add(type), new Set()).size);
});

Deno.test("factPath() stays inside the folder, whatever the role or id", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), (role, participant) => {
      const path = factPath({ ...messageOf(1), role, participant }, naming);
      assert.match(path, /^messages\/001_[a-z0-9_]{1,40}_[0-9a-f]{8}\.md$/);
    }),
  );
  for (const role of ["../../etc", "", "///", "Ünïcode Rôle", "日本"]) {
    const path = factPath({ ...messageOf(1), role }, naming);
    assert.match(path, /^messages\/001_[a-z0-9_]+_[0-9a-f]{8}\.md$/);
  }
});

Deno.test("factPath() pads numbers to the longest that the protocol can need", () => {
  const start = startOf({ expectedMessages: 10_000 });
  assert.match(factPath(messageOf(7), namingOf({ start, facts: [] })), /^messages\/00007_/);
});

Deno.test("renderFact() writes the keys of a message with provenance under one key", () => {
  const body = "One. Two.";
  const text = renderFact(
    messageOf(2, { body, sha256: sha256(body), replyTo: 1, position: "No" }),
    naming,
  );
  const keys = [...text.split("---\n")[1]!.matchAll(/^([a-z0-9_]+):/gm)].map(([, key]) => key);
  const expected = [
    ["format", "type", "seq", "turn", "participant", "name", "role", "position"],
    ["phase", "kind", "round", "reply_to", "answers", "made"],
  ];
  assert.deepEqual(keys, expected.flat());
  assert.ok(text.endsWith(`---\n${body}`));
});

Deno.test("parseFact() says in plain words which key is wrong, and what belongs there", () => {
  const whole = renderFact(messageOf(1), naming);
  const damages: [key: RegExp, line: string, state: string, remedy: string][] = [
    [/^seq: .*$/m, "seq: one", 'seq: "one" is not allowed', "seq: Give a number."],
    [/^seq: .*$/m, "seq: 1.5", "seq: 1.5 is not allowed", "seq: Give a whole number."],
    [/^seq: .*\n/m, "", "seq is missing", "seq: Give a number."],
    [/^type: .*$/m, "type: score", 'type: "score" is not allowed', "type: Allowed: message"],
    [/^kind: .*$/m, "kind: [a]", 'kind: ["a"] is not allowed', "kind: Give a text."],
  ];
  for (const [key, line, state, remedy] of damages) {
    const text = whole.replace(key, line);
    assert.throws(() => parseFact(text, "messages/001.md", "message"), {
      code: "record_corrupt",
      message: `Cannot read messages/001.md: ${state}`,
      hint: `${remedy}\nPut the file back as it was, from a backup or from version control.`,
    });
  }
});

Deno.test("concurrent readers list an unchanged folder once", async () => {
  const listed: string[] = [];
  const files = new class extends MemoryFileSystem {
    override async stat(path: string) {
      const info = await super.stat(path);
      return info && { ...info, modified: 1000 };
    }
    override list(path: string) {
      listed.push(path);
      return super.list(path);
    }
  }();
  await files.makeFolder("/c/messages");
  const read = () => numberedFiles(files, "/c", "message");
  await read();
  await Promise.all([read(), read(), read()]);
  assert.deepEqual(listed, ["/c/messages"]);
});
