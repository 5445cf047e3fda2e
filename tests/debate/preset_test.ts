// Presets of debates and default positions.
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { createDebateWorkflow, type DebateConfig, memoryRecord } from "../../mod.ts";
import { defaultHost } from "../../protocol.ts";
import { parseConfig } from "../../src/config/config.ts";
import { PRESET_NAMES } from "../../src/config/setting_shapes.ts";
import { debateFrom } from "../../src/debate/debate_workflow.ts";
import { readFrontMatter } from "../../src/record/read_pages.ts";
import { defaultPositions, positionHint, withPreset } from "../../src/debate/formats.ts";
import { cast, drain, Talker, TOPIC } from "../support/talkers.ts";

const GIVEN = { kind: "debate", topic: TOPIC } as const;

/** Creates a talker whose structured turns have enough words. */
function speaker(): Talker {
  return new Talker(({ context, schema }) => {
    if (schema?.name === "reflected_turn") {
      const speech = `Speech ${context.key}. `.repeat(60);
      return { text: JSON.stringify({ reflection: "r", critique: "c", speech }) };
    }
    if (context.kind === "summary" && schema !== undefined) {
      return { text: JSON.stringify({ summary: "It was close." }) };
    }
    if (context.kind === "claims") return { text: JSON.stringify({ claims: [] }) };
    if (context.kind === "stance") return { text: stances(context) };
    return undefined;
  });
}

/** Returns a listener's stance: for the second side before the debate, for the first side afterwards. */
function stances({ key, data }: { readonly key: string; readonly data?: unknown }): string {
  const { labels } = data as { labels: Record<string, string> };
  return JSON.stringify({
    reasons: "r",
    stances: Object.values(labels).map((label, index) => ({
      on: label,
      stance: index === (key.includes("before") ? 1 : 0) ? "agree" : "disagree",
      strength: 0.8,
      condition: "",
    })),
  });
}

async function run(config: Partial<DebateConfig>, agent = speaker()) {
  const record = memoryRecord();
  const workflow = debateFrom(
    { ...GIVEN, seed: 1, guards: { repetition: "off", coherence: "off" }, ...config },
    { agentOf: () => agent, record, host: defaultHost },
  );
  const { result } = await drain(workflow);
  return { agent, record, result: result! };
}

describe("withPreset()", () => {
  it("withPreset() changes nothing without a preset or when applied again", () => {
    assert.deepEqual(withPreset({ ...GIVEN, roundCount: 2 }), { ...GIVEN, roundCount: 2 });
    for (const preset of PRESET_NAMES) {
      const once = withPreset({ ...GIVEN, preset });
      assert.deepEqual(withPreset(once), once);
    }
  });

  it("withPreset() does not replace given settings", () => {
    const { roundCount, argumentMaxTokens, words } = withPreset({
      ...GIVEN,
      preset: "pro-con",
      roundCount: 5,
      words: { min: 200, max: 1000 },
    });
    assert.deepEqual([roundCount, argumentMaxTokens], [5, undefined]);
    assert.deepEqual(words, { min: 200, max: 1000 });
  });

  it("withPreset() gives advocates without a persona the preset's, in order", () => {
    const made = withPreset({ ...GIVEN, preset: "alternating" }).participants!;
    assert.deepEqual(made.map(({ id, persona }) => [id, persona]), [
      ["advocate-a", "scientist"],
      ["advocate-b", "philosopher"],
    ]);
    const participants = [{ name: "Ada", persona: "Speaks in verse." }, { name: "Ben" }];
    const given = withPreset({ ...GIVEN, preset: "alternating", participants }).participants!;
    assert.deepEqual(given.map(({ persona }) => persona), ["Speaks in verse.", "philosopher"]);
  });

  it("withPreset() assigns positions to as many advocates as there are", () => {
    const made = withPreset({ ...GIVEN, preset: "pro-con", positions: ["Yes", "No"] });
    assert.deepEqual(made.participants!.map(({ id, position }) => [id, position]), [
      ["pro", "Yes"],
      ["con", "No"],
    ]);
    assert.equal(made.positions, undefined);
    assert.throws(
      () => withPreset({ ...GIVEN, preset: "pro-con", positions: ["Yes", "No", "Both"] }),
      /3 sides with preset "pro-con": it has 2/,
    );
  });
});

describe("debates by preset", () => {
  it("alternating rejects a moderator", () => {
    assert.throws(
      () => createDebateWorkflow(TOPIC, cast(speaker()), { preset: "alternating" }),
      /moderation "none": a moderator is among participants/,
    );
  });

  it("A preset's debate runs the same from its recorded configuration", async () => {
    for (const preset of PRESET_NAMES) {
      const checker = { id: "fc", name: "Checker", role: "fact_checker" };
      const checked = preset === "pro-con" ? { participants: [...sidesOf(preset), checker] } : {};
      const first = await run({ preset, roundCount: 1, ...checked });
      const configuration = configurationIn(first.record.files);
      const again = await run(parsed(configuration));
      assert.deepEqual(
        again.result.messages.map(({ turn, replyTo }) => [turn, replyTo]),
        first.result.messages.map(({ turn, replyTo }) => [turn, replyTo]),
      );
      assert.deepEqual(configurationIn(again.record.files), configuration);
    }
  });
});

function sidesOf(preset: "pro-con") {
  return withPreset({ ...GIVEN, preset }).participants!;
}

function parsed(configuration: unknown): DebateConfig {
  const config = parseConfig(configuration);
  assert.ok(config.kind === "debate");
  return config;
}

/** Returns the configuration in a record. */
function configurationIn(files: ReadonlyMap<string, string>): unknown {
  return readFrontMatter(files.get("metadata.md")!, "metadata.md").data.configuration;
}

const PAIRS: readonly (readonly [topic: string, first: string, second: string])[] = [
  ["TypeScript vs Rust for backend services", "TypeScript", "Rust for backend services"],
  ["Tabs vs. spaces in source code", "Tabs", "spaces in source code"],
  ["Tea versus coffee?", "Tea", "coffee"],
  ["Trains or planes?", "Trains", "planes"],
  ["Trains, or planes for short trips?", "Trains", "planes for short trips"],
];

const OTHERS: readonly string[] = [
  "Should cities ban private cars from their centres?",
  "Should we use tabs or spaces?",
  "Is it fair, or is it not?",
  "Trains or planes",
  "Red or green or blue?",
  "Red, green or blue?",
  "Red vs green vs blue",
  "Tea vs TEA",
  "Why do cats purr?",
  "Orange juice for everybody",
];

Deno.test("defaultPositions() returns the two things that a topic compares", () => {
  for (const [topic, first, second] of PAIRS) {
    assert.deepEqual(defaultPositions(topic), [first, second]);
  }
});

Deno.test("defaultPositions() returns for and against for any other topic", () => {
  for (const topic of OTHERS) {
    assert.deepEqual(defaultPositions(` ${topic} `), [`For: ${topic}`, `Against: ${topic}`]);
  }
});

Deno.test("positionHint() asks for positions when a question has no two sides", () => {
  const hint = (topic: string, positions?: string[]) =>
    positionHint({ kind: "debate", topic, positions });
  const open = ["Why do cats purr?", "how much is enough", "What makes a neighbour?", "Which?"];
  const choices = ["Should a team use Rust or TypeScript?", "Tea vs coffee vs water"];
  for (const topic of [...open, ...choices]) {
    assert.match(hint(topic) ?? "", /positions? \(--position\)/);
    assert.equal(hint(topic, ["One", "Two"]), undefined);
  }
  const clear = ["Whatever works", "However it ends", "Should a team use Rust or not?"];
  for (const topic of [...PAIRS.map(([each]) => each), ...clear]) {
    assert.equal(hint(topic), undefined);
  }
  const participants = [{ name: "Ada", position: "One" }, { name: "Ben", position: "Two" }];
  assert.equal(positionHint({ kind: "debate", topic: "Why?", participants }), undefined);
});
