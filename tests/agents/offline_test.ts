// The offline agent.
import assert from "node:assert/strict";
import { createOfflineAgent } from "../../src/agents/offline.ts";
import { z } from "zod";
import {
  composeConvening,
  type ConveningConfig,
  createLibrary,
  type DebateConfig,
  type DialogueWorkflow,
  memoryRecord,
  proposeTopics,
  verify,
} from "../../mod.ts";
import type { Agent, AgentRequest, ReplySchema } from "../../src/core/agent.ts";
import { claimVerdictQuestion } from "../../src/checking/questions.ts";
import type { Message } from "../../src/core/message.ts";
import { countWords } from "../../src/core/words.ts";
import { agentContract, contextOf, turnRequest } from "../contracts/agent_contract.ts";
import { ROOT } from "../support/deno_process.ts";
import { sourceFiles } from "../support/source_files.ts";
import { drain } from "../support/talkers.ts";

agentContract("createOfflineAgent()", () => ({ agent: createOfflineAgent() }));

const TOPICS: readonly string[] = [
  "Should cities ban private cars from their centres?",
  "Cities should ban private cars from their centres",
  "Cities should ban private cars from their centres.",
  "TypeScript vs Rust for backend services",
  "Trains or planes for short trips?",
  "Why do cats purr when they are stroked?",
  "How much homework is enough?",
  "What makes a good neighbour?",
  "universal basic income",
  "Microservices",
  "Homeschooling",
  "Is it wrong to eat meat?!",
  'Is "free" software really free?',
  "Is “free” software really free?",
  "The U.S. should adopt the metric system",
  "An hour a day of sport in every school",
  "A one-year sabbatical for every employee",
  "C++ is a better first language than Python",
  "We should abolish tuition fees; loans are no answer",
  "Nuclear power: yes or no?",
  "Should 16-year-olds vote?",
  "AI, copyright & you: who owns what?",
  "Do we need a 4-day week...",
  "Should museums return art – all of it?",
  "Ist ein Tempolimit auf Autobahnen sinnvoll?",
  "¿Deberían cerrarse los zoológicos?",
  "Faut-il interdire les voitures en ville ?",
  "Следует ли запретить автомобили в центре?",
  "هل يجب حظر السيارات في المدن؟",
  "都市は自家用車を禁止すべきですか。",
  "城市应该禁止私家车进入市中心吗？",
  "क्या शहरों में कारों पर प्रतिबंध होना चाहिए?",
  "האם ערים צריכות לאסור מכוניות?",
  "Πρέπει να απαγορευτούν τα αυτοκίνητα;",
  "Should {topic} be a placeholder?",
  "Is $& or $1 a good price?",
  "*Bold* claims need **bold** evidence",
  "# A heading is not a topic",
  "Should robots 🤖 pay taxes?",
  "Whether a very long topic with many words in it, one after the other, without any end in sight, still reads well when it is quoted in a sentence of a debate that goes on for several rounds",
];

const DEBATE = { kind: "debate", topic: TOPICS[0]!, seed: 1 } as const;

/** Runs an offline convening to its end. */
async function held(config: ConveningConfig) {
  const record = memoryRecord();
  const workflow: DialogueWorkflow<unknown> = await composeConvening(
    { model: "offline", ...config },
    { record },
  );
  const { result, events, error } = await drain(workflow);
  assert.equal(error, undefined);
  return { result: result!, events };
}

/** Returns the messages of a whole offline debate. */
async function debate(topic: string, seed: number, more: Partial<DebateConfig> = {}) {
  const common = { kind: "debate", topic, seed, roundCount: 2, moderation: "model" } as const;
  const { result, events } = await held({ ...common, ...more });
  assert.deepEqual(events.filter(({ type }) => type === "turn-reject"), []);
  return result.messages;
}

const FAULTS: readonly (readonly [fault: string, pattern: RegExp])[] = [
  ["a slot that is not filled", /\{\w+\}|undefined|\[object/],
  ["a word twice", /(?<![\p{L}“‘])(the|a|an|of|to|for|is|and|in) \1(?!\p{L})/iu],
  ["an article before a vowel", /(?<![\p{L}“])a (?=[aeio])(?!one)/u],
  ["two marks at the end of a sentence", /[?!.]”?[.?](?!\.)(?=\s|$)/u],
  ["a space before a mark", /\s[.,;](?!\.)/u],
  ["two spaces", / {2}/u],
  ["an empty quotation", /“\s*”/u],
  ["a quotation mark within a quotation", /“[^”]*“/u],
];

/** Removes quotations, which are other people's words. */
function unquoted(text: string): string {
  return text.replace(/“[^”]*”/gu, "“Quoted”");
}

Deno.test("createOfflineAgent() writes grammatical sentences on topics of all forms", async () => {
  assert.equal(TOPICS.length, 40);
  for (const [index, topic] of TOPICS.entries()) {
    const options = { roundCount: 1, scoringEnabled: false };
    for (const { body, kind } of await debate(topic, index, options)) {
      for (const [fault, pattern] of FAULTS) {
        assert.doesNotMatch(unquoted(body), pattern, `${fault} in the ${kind} on ${topic}`);
      }
      assert.match(body, /^[“\p{Lu}]/u, body);
      assert.match(body, /[.?!]”?$/u, body);
      for (const [start] of unquoted(body).matchAll(/(?<=[.?!] )\p{L}/gu)) {
        assert.equal(start, start.toUpperCase(), body);
      }
    }
  }
});

Deno.test("createOfflineAgent() writes the same words for the same seed, others for other seeds", async () => {
  const [first, again, other] = await Promise.all(
    [1, 1, 2].map((seed) => debate(TOPICS[0]!, seed)),
  );
  const bodies = (messages: readonly Message[]) => messages.map(({ body }) => body);
  assert.deepEqual(bodies(first!), bodies(again!));
  const spoken = first!.map(({ body }, at) => body === other![at]!.body);
  assert.ok(spoken.filter(Boolean).length <= 1, "messages that two seeds share");
});

Deno.test("createOfflineAgent() repeats nothing in a debate of twelve messages", async () => {
  const messages = await debate(TOPICS[0]!, 3);
  assert.equal(new Set(messages.map(({ body }) => body)).size, messages.length);
});

Deno.test("createOfflineAgent() answers words of the turn in its task", async () => {
  const messages = await debate(TOPICS[0]!, 4);
  const rebuttals = messages.filter(({ kind }) => kind === "rebuttal");
  assert.equal(rebuttals.length, 4);
  for (const { body, replyTo } of rebuttals) {
    const answered = messages.find(({ seq }) => seq === replyTo)!;
    const [, quoted = ""] = /“([^”]+)”/u.exec(body) ?? [];
    assert.ok(answered.body.includes(quoted), `${quoted} is not in message ${replyTo}`);
    assert.ok(body.includes(answered.name));
  }
});

Deno.test("createOfflineAgent() sums up by quotations, each with its speaker", async () => {
  const messages = await debate(TOPICS[0]!, 5);
  for (const { body } of messages.filter(({ kind }) => /summary/.test(kind))) {
    const unquoted = body.replace(/“[^”]*”/gu, "");
    assert.doesNotMatch(unquoted, /agree|common|clash|differ|consensus/iu);
    const said = [...body.matchAll(/(Advocate [AB])[^“]*“([^”]+)”/gu)];
    assert.ok(said.length >= 2, body);
    for (const [, name, words] of said) {
      const own = messages.filter((each) => each.name === name);
      assert.ok(own.some((each) => each.body.includes(words!)), `${name}: ${words}`);
    }
  }
});

Deno.test("createOfflineAgent() respects word ranges and token caps", async () => {
  const ranged = await debate(TOPICS[0]!, 6, { words: { min: 200, max: 300 } });
  for (const { body, role } of ranged) {
    const words = countWords(body);
    if (role === "position_advocate") assert.ok(words >= 200 && words <= 300, `${words} words`);
  }
  const agent = createOfflineAgent();
  for (const maxTokens of [10, 40, 100]) {
    const { text, usage } = await agent.reply(turnRequest({ maxTokens }));
    assert.ok(usage.outputTokens <= maxTokens, text);
    assert.notEqual(text, "");
  }
});

/** Wraps an agent and checks each structured reply against its schema. */
function checked(agent: Agent, asked: Map<string, ReplySchema>): Agent {
  return {
    model: agent.model,
    async reply(request: AgentRequest) {
      const reply = await agent.reply(request);
      const { schema } = request;
      if (schema === undefined) return reply;
      asked.set(schema.name, schema);
      const read = schema.type.safeParse(JSON.parse(reply.text));
      assert.ok(read.success, `${schema.name}: ${reply.text}`);
      assert.deepEqual((await agent.reply(request)).text, reply.text);
      return reply;
    },
  };
}

/** Convenings that together ask every structured question. */
const CONVENINGS: readonly ConveningConfig[] = [
  {
    kind: "debate",
    topic: TOPICS[20]!,
    roundCount: 1,
    turnForm: "rcr",
    baseline: true,
    adaptive: true,
    audience: [{ name: "Ann" }, { name: "Bob" }],
    interruptions: "both",
    factCheck: { mode: "standard" },
    guards: { persona: "warn" },
    participants: [{ name: "Ada", persona: "engineer" }, { name: "Ben" }],
    sources: [`${ROOT}/examples/configurations/sources/late_buses.md`],
  },
  { kind: "debate", topic: TOPICS[3]!, preset: "alternating", roundCount: 2, summaryBy: "judge" },
  { kind: "consensus", topic: TOPICS[0]!, participants: named("Ada", "Ben", "Cleo") },
  {
    kind: "dialogue",
    topic: TOPICS[7]!,
    participants: named("Ada", "Ben", "Cleo"),
    select: "bids",
    maxTurns: 6,
  },
  {
    kind: "dialogue",
    topic: TOPICS[7]!,
    participants: [...named("Ada", "Ben", "Cleo"), { name: "Mo", role: "moderator" }],
    select: "moderator",
    maxTurns: 6,
  },
  {
    kind: "paper-debate",
    papers: [`${ROOT}/examples/papers/four_day_week.md`],
    crossExamine: true,
    postures: 2,
  },
];

function named(...names: readonly string[]): { readonly name: string }[] {
  return names.map((name) => ({ name }));
}

Deno.test("createOfflineAgent() fills every schema of convenings and leaves valid records", async () => {
  const asked = new Map<string, ReplySchema>();
  const agent = checked(createOfflineAgent(), asked);
  const library = createLibrary({ agents: { checked: () => agent } });
  const out = await Deno.makeTempDir();
  try {
    for (const config of CONVENINGS) {
      const workflow = await library.composeConvening(
        { ...config, model: "checked:offline", seed: 11, out },
        { env: () => undefined },
      );
      const { dir, status } = await workflow.run();
      assert.equal(status, "completed");
      assert.deepEqual((await verify(dir!)).findings, []);
    }
    await proposeTopics("school meals", { agent, seed: 3 });
  } finally {
    await Deno.remove(out, { recursive: true });
  }
  assert.deepEqual([...asked.keys()].sort(), [
    "baseline",
    "bid",
    "claims",
    "consensus_turn",
    "cross_examination",
    "debater_argument",
    "insights",
    "next_speaker",
    "paper_questions",
    "persona_check",
    "postures_and_topics",
    "proposals",
    "proposals_merged",
    "reflected_turn",
    "round_review",
    "ruling",
    "score",
    "stance",
    "summary",
    "topic_scores",
    "topics",
    "verdict",
  ]);
});

Deno.test("createOfflineAgent() fills an unknown schema and settles no claim", async () => {
  const agent = createOfflineAgent();
  const answer = async (name: string, type: z.ZodType) => {
    const context = contextOf({ purpose: "question", kind: name, seq: 0 });
    const { text } = await agent.reply({ ...turnRequest(), context, schema: { name, type } });
    return type.parse(JSON.parse(text));
  };
  const item = z.object({ id: z.enum(["a", "b"]), weight: z.number().min(2).max(3) });
  const node = z.object({
    get nodes(): z.ZodArray<z.ZodType> {
      return z.array(node);
    },
  });
  await answer(
    "unknown",
    z.object({
      node,
      nothing: z.null(),
      both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
      colour: z.enum(["red", "blue"]),
      count: z.int().min(3).max(5),
      items: z.array(item).min(2),
      questions: z.array(item),
      maybe: z.union([z.string(), z.null()]),
      note: z.string().min(5).max(20),
      sure: z.boolean(),
      fixed: z.literal("x"),
    }),
  );
  const { schema } = claimVerdictQuestion(
    { seq: 2, attempt: 1, body: "It rose by 3 percent.", phase: "opening", round: 0 },
    {
      asked: "checker",
      task: "",
      number: 1,
      claim: "It rose by 3 percent.",
      quote: "rose by 3 percent",
      hits: [{ title: "A", url: "https://example.org", snippet: "It rose by 3 percent." }],
    },
  );
  const found = await answer(schema.name, schema.type as z.ZodType) as { verdict: string };
  assert.equal(found.verdict, "unverifiable");
});

Deno.test("createOfflineAgent() scores differently by turn, judge and seed, and names the best scored side", async () => {
  let sameWinner = 0;
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 8; seed++) {
    const judges = [{ name: "First" }, { name: "Second" }];
    const { result } = await held({ ...DEBATE, roundCount: 2, judges, seed });
    const { winner, scores } = result;
    const totals = Object.entries(scores ?? {}).map(([id, { total }]) => ({ id, total }));
    assert.ok(totals.every(({ total }) => total > 4 && total < 9), JSON.stringify(totals));
    const [best] = totals.sort((a, b) => b.total - a.total);
    outcomes.add(`${winner}`);
    if (winner === null || winner === best!.id) sameWinner++;
  }
  assert.ok(sameWinner >= 7, `${sameWinner} of 8`);
  assert.ok(outcomes.size >= 2, [...outcomes].join());
});

Deno.test("The offline agent is small: code and phrases", async () => {
  const files = (await sourceFiles("src")).filter(({ path }) =>
    path.startsWith("src/agents/offline")
  );
  const phrases = await Deno.readTextFile(`${ROOT}/src/data/phrases/offline.en.json`);
  const lines = [phrases, ...files.map(({ text }) => text)]
    .reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  assert.ok(files.length <= 9 && lines <= 1_300, `${files.length} files, ${lines} lines`);
});

Deno.test("pages of an offline debate state the offline judge's measures as the reason", async () => {
  const { result } = await held({ ...DEBATE, roundCount: 0 });
  assert.match(result.reasons![0]!.quote, /^No model judged this\. The measures of the turns/);
});

Deno.test("createOfflineAgent() notes points in words of the turn, and which points a turn answers", async () => {
  const { events } = await held({ ...DEBATE, roundCount: 1, flow: true });
  const flows = events.flatMap((event) => event.type === "flow" ? [event.flow] : []);
  assert.ok(flows.length > 8);
  for (const { status, points, dropped, unknown } of flows) {
    assert.deepEqual([status, dropped, unknown], ["read", undefined, undefined]);
    assert.ok(points.length >= 1);
  }
  assert.ok(flows.some(({ points }) => points.some(({ kind }) => kind === "answers")));
});
