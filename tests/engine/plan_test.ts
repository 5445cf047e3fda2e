// Plans: counts of turns, calls and tokens, and prompts equal to those of the run except for what is said.
import assert from "node:assert/strict";
import { z } from "zod";
import {
  composeConvening,
  type ConveningConfig,
  createLibrary,
  createParticipant,
  type DebateWorkflowConfig,
  type DialogueWorkflow,
  memoryRecord,
} from "../../mod.ts";
import { type AgentRequest, type ChatMessage, defaultHost, type Guard } from "../../protocol.ts";
import { debateOf, dialogueOf, drain, Talker } from "../support/talkers.ts";
import { speakingAgent } from "../support/speaking_model.ts";
import { join } from "@std/path";
import { Catalogue } from "../../src/compose.ts";
import { loadTokenCounter } from "../../src/core/tokens.ts";
import { recordedPrompts } from "../../src/operations/convening.ts";
import { recordFiles } from "../../src/record/disk_files.ts";
import { readRecord } from "../../src/record/read.ts";

const CONFIGS: [string, DebateWorkflowConfig][] = [
  ["of the defaults", { roundCount: 3 }],
  ["without rounds", { roundCount: 0 }],
  ["at once", { pacing: "simultaneous", roundCount: 2 }],
  ["without scores", { scoringEnabled: false }],
  ["with a model's introduction and no round summaries", {
    moderation: "model",
    roundSummaries: false,
  }],
  ["that see each other's openings", { blindOpenings: false }],
  ["that a limit on turns ends", { limits: { maxTurns: 5 } }],
];
for (const [name, config] of CONFIGS) {
  Deno.test(`plan() of a debate ${name} counts the turns and calls of the run, and makes no calls`, async () => {
    const agent = new Talker();
    const { workflow } = debateOf(agent, config);
    const plan = await workflow.plan();
    assert.equal(agent.requests.length, 0);
    const { result } = await drain(workflow);
    assert.equal(plan.calls, agent.requests.length);
    assert.equal(plan.turns, result?.messages.length);
    assert.deepEqual(plan.models, { "ollama:talker": plan.calls });
    assert.ok(plan.maxTokens >= result!.usage.outputTokens);
  });
}

for (const maxPromptTokens of [300, 2000]) {
  Deno.test(`plan() promises no fewer calls and tokens than runs with prompts of at most ${maxPromptTokens} tokens use`, async () => {
    const count = await loadTokenCounter();
    const agent = new Talker((request) => {
      const { messages, maxTokens: outputTokens = 1000, schema } = request;
      const inputTokens = messages.reduce((sum, { content }) => sum + count(content) + 4, 0);
      const usage = { inputTokens, cachedInputTokens: 0, outputTokens };
      return schema === undefined ? { usage, text: "city ".repeat(outputTokens - 5) } : { usage };
    });
    const guards = { repetition: "off", length: "off" } as const;
    const config = { maxPromptTokens, guards };
    const debate = { ...config, roundCount: 6, moderation: "model" as const };
    const workflows: readonly DialogueWorkflow<unknown>[] = [
      debateOf(agent, debate).workflow,
      dialogueOf(agent, { ...config, maxTurns: 20 }).workflow,
    ];
    for (const workflow of workflows) {
      agent.requests.length = 0;
      const { maxTokens, calls } = await workflow.plan();
      const { result } = await drain(workflow);
      const { inputTokens, outputTokens } = result!.usage;
      const [made, used] = [agent.requests.length, inputTokens + outputTokens];
      assert.ok(calls >= made, `${calls} calls planned, ${made} made`);
      assert.ok(maxTokens >= used, `${maxTokens} tokens planned, ${used} used`);
    }
  });
}

Deno.test("plan() of a dialogue counts its turns", async () => {
  const agent = new Talker();
  const { workflow } = dialogueOf(agent, { maxTurns: 7 });
  const { turns, calls, chain, maxCost } = await workflow.plan();
  assert.deepEqual({ turns, calls, chain, maxCost }, { turns: 7, calls: 7, chain: 7, maxCost: 0 });
  await drain(workflow);
  assert.equal(agent.requests.length, 7);
});

Deno.test("plan() counts the question of the persona guard about each turn of a participant with a persona", async () => {
  const agent = new Talker(({ schema }) =>
    schema && { text: JSON.stringify({ reason: "So it is.", consistent: true, breach: "" }) }
  );
  const participants = [
    createParticipant({ name: "Ada", persona: "Speaks in plain words." }, agent),
    createParticipant({ name: "Ben" }, agent),
  ];
  const guards = { persona: "warn", repetition: "off" } as const;
  const host = { ...defaultHost, agent: () => agent };
  const options = { participants, guards, host, model: agent.model, maxTurns: 4 };
  const { workflow } = dialogueOf(agent, options);
  const { calls, chain } = await workflow.plan();
  assert.deepEqual([calls, chain], [6, 6]);
  await drain(workflow);
  assert.equal(agent.requests.length, calls, agent.keys.join(" "));
});

Deno.test("plan() counts the questions of a program's own guard that says that it asks", async () => {
  const agent = new Talker(({ schema }) => schema && { text: '{"polite": true}' });
  const schema = { name: "tone", type: z.object({ polite: z.boolean() }) };
  const tone: Guard = {
    name: "tone",
    asks: true,
    async check({ turn }, { consult }) {
      await consult({
        key: `tone/${turn.key}`,
        asked: "ben",
        phase: turn.phase,
        kind: "tone",
        round: turn.round,
        task: "Say whether the reply is polite.",
        schema,
      });
      return undefined;
    },
  };
  for (const [asks, expected] of [[true, 8], [undefined, 4]] as const) {
    agent.requests.length = 0;
    const { workflow } = dialogueOf(agent, { moreGuards: [{ ...tone, asks }], maxTurns: 4 });
    const { calls, chain } = await workflow.plan();
    assert.deepEqual([calls, chain], [expected, expected]);
    await drain(workflow);
    assert.equal(agent.requests.length, 8);
  }
});

Deno.test("plan() reports no cost for a model without a price", async () => {
  const { workflow } = dialogueOf(new Talker(undefined, "nobody-knows"));
  const { maxCost, unpriced } = await workflow.plan();
  assert.equal(maxCost, "unknown");
  assert.deepEqual(unpriced, ["nobody-knows"]);
});

Deno.test("plan() counts the caps of replies, hidden reasoning included, and names a related version's price", async () => {
  const planned = async (settings: object) => {
    const workflow = await composeConvening({
      kind: "dialogue",
      topic: "Should cities ban private cars from their centres?",
      participants: [{ name: "Ada" }, { name: "Ben" }],
      maxTurns: 2,
      ...settings,
    }, {
      env: (name) => name.endsWith("_KEY") ? "secret-key-0001" : undefined,
      record: memoryRecord(),
    });
    return await workflow.plan();
  };
  const usual = await planned({ model: "gpt-4o-mini" });
  const long = await planned({ model: "anthropic:claude-opus-4-8", maxTurns: 7 });
  assert.match(`${long.maxCost}`, /^0\.\d{1,8}$/);
  const thinking = await planned({ model: "gpt-5-mini" });
  assert.equal(thinking.maxTokens - usual.maxTokens, 2 * 4000);
  const bounded = await planned({ model: "gpt-5-mini", maxOutputTokens: 100 });
  assert.ok(bounded.maxTokens < usual.maxTokens);
  const { pricedBy } = await planned({ model: "anthropic:claude-sonnet-5-5" });
  assert.match(pricedBy["anthropic:claude-sonnet-5-5"]!, / estimated by claude-sonnet-5$/);
});

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

/** Returns the words of a prompt without those of turns, and without the stances of a listener before the debate. */
function frameOf(messages: AgentRequest["messages"]): string {
  return messages.map(({ content }) =>
    content.replace(/(<turn [^>]*>)[^]*?<\/turn>/g, "$1")
      .replace(/This is what you said before the debate:\n<stances>[^]*?<\/stances>\n\n/, "")
  ).join("\n");
}

for (const [name, config] of Object.entries(CONVENINGS)) {
  Deno.test(`prompts() returns the prompts of a run in advance: a ${name}`, async () => {
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
      // A debate's summary prompt has the summaries of its rounds.
      if (!key.startsWith("summary/")) assert.equal(expected.get(key), frame, key);
    }
  });
}

Deno.test("prompts() names the statements and claims of checks that are not known in advance", async () => {
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

Deno.test("recorded prompts: a turn is omitted when its prompt had a summary of older turns", async () => {
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

/** Runs a convening with the speaking model; `heard` is called with every request. */
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
