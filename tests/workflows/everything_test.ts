import assert from "node:assert/strict";
import { type DebateWorkflowConfig, DialogueWorkflow } from "../../mod.ts";
import { createOfflineAgent } from "../../src/agents/offline.ts";
import type { Agent, AgentReply, AgentRequest } from "../../src/core/agent.ts";
import { AgentError } from "../../src/core/error.ts";
import type { Searcher } from "../../src/core/search.ts";
import { MemoryFileSystem } from "../../src/output/memory_files.ts";
import { FaultyFiles } from "../output/support/faulty_files.ts";
import { afterCrash, comparable, conveningIn, factsIn, runIn } from "./support/killed_runs.ts";

/** The offline writer, whose speeches also claim something; it counts what it is asked, and can fail. */
class Everyone implements Agent {
  readonly model = "offline";
  readonly keys: string[] = [];
  readonly #writer = createOfflineAgent();
  readonly #fails: (request: AgentRequest) => boolean;

  constructor(fails: (request: AgentRequest) => boolean = () => false) {
    this.#fails = fails;
  }

  async reply(request: AgentRequest): Promise<AgentReply> {
    const { key, kind, data } = request.context;
    this.keys.push(key);
    if (this.#fails(request)) {
      throw new AgentError("agent_unreachable", "Cannot reach anybody");
    }
    const reply = await this.#writer.reply(request);
    if (kind === "claims") {
      return { ...reply, text: JSON.stringify({ claims: [{ text: `Claim of ${key}` }] }) };
    }
    if (kind === "claim_verdict") {
      const { claim } = data as { claim: string };
      const verdict = claim.includes("/4/") ? "false" : "true";
      return {
        ...reply,
        text: JSON.stringify({
          reason: "So the page says.",
          verdict,
          confidence: 0.9,
          sources: [1],
        }),
      };
    }
    return reply;
  }
}

const library: Searcher = {
  name: "webSearch",
  search: (query) =>
    Promise.resolve([{
      title: "A page",
      url: "https://example.org/page",
      snippet: `What is known of ${query}`,
    }]),
};

const EVERYTHING = {
  roundCount: 1,
  turnForm: "rcr",
  interruptions: "both",
  adaptive: true,
  baseline: true,
  audience: [{ name: "Mira" }, { name: "Noor" }],
  decision: "audience",
  factCheck: { mode: "standard" },
  searchers: [library],
  guards: { persona: "warn" },
  words: { min: 200, max: 260 },
  argumentMaxTokens: 1200,
} satisfies DebateWorkflowConfig;

/** Runs with one agent for all, the fact checker and the listeners too. */
function heldBy(
  files: Parameters<typeof runIn>[0],
  dir: string | undefined,
  { agent, ...config }: DebateWorkflowConfig & { readonly agent: Everyone },
): ReturnType<typeof runIn> {
  DialogueWorkflow.host = { ...HOST, agent: () => agent };
  return runIn(files, dir, { agent, ...config });
}

const HOST = DialogueWorkflow.host!;

async function whole(config: DebateWorkflowConfig) {
  const calm = new MemoryFileSystem();
  const files = new FaultyFiles(calm);
  const agent = new Everyone();
  const { result, error } = await heldBy(files, undefined, { agent, ...config });
  assert.equal(error, undefined);
  return { calm, agent, result, operations: files.operations };
}

Deno.test("A debate with everything turned on leaves one of every file, and adds up", async () => {
  const { calm, result } = await whole(EVERYTHING);
  const { facts } = await factsIn(calm, conveningIn(calm)!);
  const types = new Set(facts.map(({ type }) => type));
  for (const type of ["message", "score", "verdict", "choice", "draft", "stance", "fact-check"]) {
    assert.ok(types.has(type as never), type);
  }
  const kinds = new Set(result!.messages.map(({ kind }) => kind));
  assert.ok(kinds.has("interruption") && kinds.has("interruption_answer"));
  assert.equal(result!.status, "completed");
  assert.ok(result!.audience !== undefined && result!.baseline !== undefined);
  assert.ok(result!.factChecks!.false > 0);
});

for (const mode of ["standard", "strict"] as const) {
  Deno.test(`A debate with everything turned on (${mode}) is resumed to the same directory wherever it is killed`, async () => {
    const config = { ...EVERYTHING, factCheck: { mode } };
    const { calm, operations } = await whole(config);
    const expected = comparable(calm.files(conveningIn(calm)!));
    let kills = 0;
    for (let killAfter = 3; killAfter < operations; killAfter += 13) {
      const memory = new MemoryFileSystem();
      const killed = await heldBy(new FaultyFiles(memory, { killAfter }), undefined, {
        agent: new Everyone(),
        ...config,
      });
      const survived = await afterCrash(memory);
      const dir = conveningIn(survived);
      const facts = dir === undefined ? [] : (await factsIn(survived, dir)).facts;
      for (const message of killed.accepted) {
        assert.ok(facts.some((fact) => fact.type === "message" && fact.seq === message.seq));
      }
      const { error } = await heldBy(survived, dir, { agent: new Everyone(), ...config });
      assert.equal(error, undefined, `after ${killAfter} operations`);
      assert.deepEqual(
        comparable(survived.files(conveningIn(survived)!)),
        expected,
        `after ${killAfter} operations`,
      );
      kills++;
    }
    assert.ok(kills > 10, `${kills} kills`);
  });
}

Deno.test("With everything turned on, whoever fails is named and resumed, or done without", async () => {
  const { calm } = await whole(EVERYTHING);
  const expected = comparable(calm.files(conveningIn(calm)!));
  for (const key of ["round-1/argument/b", "closing/a", "opening/b"]) {
    const memory = new MemoryFileSystem();
    const down = new Everyone(({ context }) => context.key === key);
    const failed = await heldBy(memory, undefined, { agent: down, ...EVERYTHING });
    assert.match(String(failed.error), new RegExp(key));
    const dir = conveningIn(memory);
    const { error } = await heldBy(await afterCrash(memory), dir, {
      agent: new Everyone(),
      ...EVERYTHING,
    });
    assert.equal(error, undefined, key);
  }
  for (const kind of ["claims", "claim_verdict", "ruling", "round_review", "persona_check"]) {
    const memory = new MemoryFileSystem();
    const down = new Everyone(({ context }) => context.kind === kind);
    const { result, error } = await heldBy(memory, undefined, { agent: down, ...EVERYTHING });
    assert.equal(error, undefined, kind);
    assert.equal(result!.status, "completed", kind);
  }
  assert.ok(expected.size > 0);
});

Deno.test("With everything turned on, one seed gives one directory", async () => {
  const [one, two] = [await whole(EVERYTHING), await whole(EVERYTHING)];
  assert.deepEqual(
    comparable(one.calm.files(conveningIn(one.calm)!)),
    comparable(two.calm.files(conveningIn(two.calm)!)),
  );
  const other = await whole({ ...EVERYTHING, seed: 2 });
  assert.notEqual(other.result!.messages[1]!.body, one.result!.messages[1]!.body);
});
