// First prompts of a record's turns, built again from the record: the same words as models were sent.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { composeConvening, type ConveningConfig } from "../../../mod.ts";
import type { AgentRequest, ChatMessage } from "../../../protocol.ts";
import { Catalogue } from "../../../src/compose.ts";
import { recordedPrompts } from "../../../src/operations/convening.ts";
import { recordFiles } from "../../../src/record/disk_files.ts";
import { readRecord } from "../../../src/record/read.ts";
import { speakingAgent } from "../../support/speaking_model.ts";

const TOPIC = "Should cities ban private cars?";
const SIDES = [
  { id: "ada", name: "Ada", position: "Ban them" },
  { id: "ben", name: "Ben", position: "Keep them", persona: "scientist" },
];
const DEBATE = { kind: "debate", topic: TOPIC, participants: SIDES } as const;

const CASES: Readonly<Record<string, ConveningConfig>> = {
  "a debate": DEBATE,
  "a competitive debate in German with a source and a range of words": {
    ...DEBATE,
    debateFormat: "competitive",
    language: "German",
    sources: ["source.md"],
    words: { min: 200, max: 240 },
  },
  "a debate with private thoughts and interruptions": {
    ...DEBATE,
    turnForm: "rcr",
    interruptions: "facts",
    factCheck: { mode: "strict", maxClaims: 1 },
    sources: ["source.md"],
    roundCount: 3,
  },
  "a dialogue": { kind: "dialogue", topic: TOPIC, participants: SIDES, maxTurns: 5 },
  "a dialogue by bids": {
    kind: "dialogue",
    topic: TOPIC,
    participants: SIDES,
    maxTurns: 4,
    select: "bids",
  },
  "a search for consensus": { kind: "consensus", topic: TOPIC, participants: SIDES },
};

for (const [name, config] of Object.entries(CASES)) {
  Deno.test(`recorded prompts: ${name}`, async () => {
    const sent = new Map<string, readonly ChatMessage[]>();
    const contents = await held(config, (request) => {
      const { context: { key, purpose, attempt }, messages } = request;
      if (purpose === "turn" && attempt === 1) sent.set(key, structuredClone(messages));
    });
    const prompts = await recordedPrompts(contents);
    assert.deepEqual(prompts.map(({ key }) => key), [...sent.keys()]);
    for (const { key, messages, hasSources } of prompts) {
      assert.deepEqual(messages, sent.get(key), key);
      assert.equal(hasSources, config.sources !== undefined);
    }
  });
}

Deno.test("recorded prompts: a turn is left out whose prompt had a summary of older turns", async () => {
  const config = { ...DEBATE, roundCount: 12, maxPromptTokens: 1200 } as const;
  const folded = new Set<string>();
  const all = new Set<string>();
  const contents = await held(config, ({ messages, context: { key, purpose } }) => {
    if (purpose !== "turn") return;
    all.add(key);
    if (messages.some(({ content }) => content.includes("<summary turns="))) folded.add(key);
  });
  assert.ok(folded.size > 0 && folded.size < all.size);
  const built = (await recordedPrompts(contents)).map(({ key }) => key);
  assert.deepEqual(built, [...all].filter((key) => !folded.has(key)));
});

/** Holds a convening with a model that speaks; `heard` gets every request. */
async function held(config: ConveningConfig, heard: (request: AgentRequest) => void) {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "source.md"), "Half as many accidents were counted.");
  const sources = config.sources?.map((name) => join(folder, name));
  const speaker = speakingAgent();
  const agent = {
    ...speaker,
    reply: (request: AgentRequest) => {
      heard(request);
      return speaker.reply(request);
    },
  };
  const workflow = await composeConvening({
    ...config,
    ...sources === undefined ? {} : { sources },
    model: "speaking:model",
    topicCheck: "off",
    out: join(folder, "archive"),
  }, { catalogue: new Catalogue({ agents: { speaking: () => agent } }), env: () => undefined });
  const { dir } = await workflow.run();
  const contents = await readRecord(recordFiles(dir!), dir!);
  await Deno.remove(folder, { recursive: true });
  return contents;
}
