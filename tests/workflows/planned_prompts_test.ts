// The prompts of a plan are those of the run, but for what is said.
import assert from "node:assert/strict";
import { type ConveningConfig, createLibrary, memoryRecord } from "../../mod.ts";
import type { AgentRequest } from "../../src/core/agent.ts";
import { speakingAgent } from "../support/speaking_model.ts";

const COMMON = { topic: "Should cities ban cars?", model: "spoken:model", seed: 1 } as const;
const CONVENINGS: Readonly<Record<string, ConveningConfig>> = {
  debate: { ...COMMON, kind: "debate", roundCount: 2, judges: [{ name: "Jo" }, { name: "Kim" }] },
  "debate of statements": {
    ...COMMON,
    kind: "debate",
    roundCount: 1,
    exchange: "statements",
    audience: [{ name: "Mira" }],
    words: { min: 200, max: 400 },
  },
  dialogue: { ...COMMON, kind: "dialogue", maxTurns: 3 },
};

/** The words of a prompt without those of turns. */
function frameOf(messages: AgentRequest["messages"]): string {
  return messages.map(({ content }) => content.replace(/(<turn [^>]*>)[^]*?<\/turn>/g, "$1"))
    .join("\n");
}

for (const [name, config] of Object.entries(CONVENINGS)) {
  Deno.test(`prompts() gives the prompts of a run before it is held: a ${name}`, async () => {
    const asked = new Map<string, string>();
    const agent = speakingAgent((text, { context, messages }) => {
      asked.set(context.key, frameOf(messages));
      return text;
    });
    const library = createLibrary({ agents: { spoken: () => agent } });
    const compose = () => library.composeConvening(config, { record: memoryRecord() });
    const planned = await (await compose()).prompts();
    assert.equal(asked.size, 0);
    await (await compose()).run();
    const expected = new Map(planned.map(({ key, messages }) => [key, frameOf(messages)]));
    assert.deepEqual([...expected.keys()].sort(), [...asked.keys()].sort());
    for (const [key, frame] of asked) {
      // The summary of a debate shows its rounds' summaries.
      if (!key.startsWith("summary/")) assert.equal(expected.get(key), frame, key);
    }
  });
}

Deno.test("prompts() names the statements and claims of checks that are not known yet", async () => {
  const workflow = await createLibrary().composeConvening({
    ...CONVENINGS["debate"]!,
    model: "offline",
    factCheck: { mode: "standard", maxClaims: 1 },
    sources: ["examples/papers/four_day_week.md"],
  }, { record: memoryRecord() });
  const planned = new Map(
    (await workflow.prompts()).map(({ key, messages }) => [key, messages.at(-1)!.content]),
  );
  assert.match(
    planned.get("claims/2/1")!,
    /<statement>\n\[What is said in turn 2\.\]\n<\/statement>/,
  );
  const verdict = planned.get("claim-verdict/2/1/1")!;
  assert.match(verdict, /<claim>\n\[Claim 1 of turn 2\.\]\n<\/claim>/);
  assert.match(verdict, /<exact-words>\n\[The words that make it\.\]\n<\/exact-words>/);
});
