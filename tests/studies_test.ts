// Prompt texts in examples/studies: each map is valid in a configuration of its kind.
import assert from "node:assert/strict";
import { parse } from "@std/yaml";
import { composeConvening, type ConveningConfig, memoryRecord } from "../mod.ts";

type Texts = Readonly<Record<string, string>>;

/** Maps of the file. */
interface Kept {
  readonly debate: Texts;
  readonly formats: Readonly<Record<string, Texts>>;
  readonly dialogue: Texts;
  readonly consensus: Texts;
  readonly papers: Texts;
  readonly checks: Texts;
}

Deno.test("studies: the texts in prompts.yaml are valid prompts of a configuration", async () => {
  const kept = parse(await Deno.readTextFile("examples/studies/prompts.yaml"), {
    schema: "core",
  }) as Kept;
  const topic = "Tea or coffee?";
  const configurations: ConveningConfig[] = [
    { kind: "debate", topic, prompts: { ...kept.debate, ...kept.checks } },
    ...Object.values(kept.formats).map((texts) => ({
      kind: "debate" as const,
      topic,
      prompts: texts,
    })),
    { kind: "dialogue", topic, prompts: kept.dialogue },
    { kind: "consensus", topic, prompts: kept.consensus },
    { kind: "paper-debate", papers: ["examples/papers/four_day_week.md"], prompts: kept.papers },
  ];
  for (const config of configurations) {
    const workflow = await composeConvening({ ...config, model: "offline" }, {
      record: memoryRecord(),
    });
    assert.ok((await workflow.plan()).turns > 0);
  }
});
