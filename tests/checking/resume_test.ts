// Fact checks after kills and failures.
import assert from "node:assert/strict";
import { join } from "@std/path";
import {
  type AgentError,
  composeConvening,
  type ConveningResult,
  createAgent,
  createParticipant,
  memoryRecord,
  speak,
} from "../../mod.ts";
import { namesIn, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { finding, startSearchServer } from "../support/search_server.ts";
import { cast, debateOf, drain, Talker, TOPIC } from "../support/talkers.ts";

for (const judged of [true, false]) {
  Deno.test(`A checker whose server is busy: a debate ${judged ? "with judges fails, and a resume checks and scores the turn" : "without judges completes, the turn recorded as not checked"}`, async () => {
    let isBusy = true;
    await using server = await startModelServer({
      respond: ({ body }) => {
        const prompt = body.messages.at(-1)!.content ?? "";
        return isBusy && /Speech for opening\/b/.test(prompt)
          ? { status: 429, headers: { "retry-after": "3600" } }
          : { text: JSON.stringify({ claims: [] }) };
      },
    });
    const checker = createParticipant(
      { name: "Vera", role: "fact_checker" },
      createAgent("checker-model", { baseUrl: server.url }),
    );
    const record = memoryRecord();
    const retry = { minWait: 0, maxWait: 0, retries: 1 };
    const options = { roundCount: 0, record, retry, scoringEnabled: judged };
    const hold = (agent: Talker) =>
      drain(debateOf(agent, { ...options, participants: [...cast(agent), checker] }).workflow);
    const filesOf = (folder: string) =>
      [...record.files].filter(([path]) => path.startsWith(`${folder}/003`));
    const first = await hold(new Talker());
    if (!judged) {
      assert.equal(first.result?.status, "completed");
      assert.match(filesOf("fact-checks")[0]![1], /^status: unchecked$/m);
      return;
    }
    assert.equal((first.error as AgentError).code, "agent_rate_limited");
    assert.match((first.error as AgentError).message, /claims\/3\/1/);
    assert.deepEqual([filesOf("fact-checks"), filesOf("scores")], [[], []]);

    isBusy = false;
    const talker = new Talker();
    const { result } = await hold(talker);
    assert.equal(result?.status, "completed");
    assert.deepEqual([result.factChecks?.checked, result.factChecks?.unchecked], [4, 0]);
    assert.ok(talker.keys.includes("score/3/j") && !talker.keys.includes("opening/b"));
    assert.equal(filesOf("scores").length, 1);
  });
}

withFolder.test("A person who checks facts answers each question once, over several resumes", async (out) => {
  await using search = await startSearchServer({ otherwise: finding("Trams are fast.") });
  const ada = new Talker(() => ({ text: "Trams are fast." }));
  const agents = { ada, ben: ada };
  const factCheck = {
    mode: "strict",
    extractionModel: "human",
    verificationModel: "human",
    searchUrl: search.url,
  } as const;
  const config = {
    kind: "dialogue",
    ...{ topic: TOPIC, model: "offline", maxTurns: 1, personTimeout: 0, out },
    participants: [{ id: "ada", name: "Ada" }, { id: "ben", name: "Ben" }],
    factCheck,
  } as const;
  const answers: Record<string, string> = {
    "claims/1/1": JSON.stringify({ claims: [{ quote: "Trams are fast.", text: "It is so." }] }),
    "claim-verdict/1/1/1": JSON.stringify({
      ...{ reason: "It says so.", verdict: "true", omitted: "", confidence: 0.9, sources: [1] },
    }),
  };
  const asked: string[] = [];
  let result: ConveningResult<unknown> = await (await composeConvening(config, { agents })).run();
  while (result.status === "waiting" && asked.length < 5) {
    const [{ turn } = { turn: "" }] = result.waitingFor ?? [];
    asked.push(turn);
    const settings = { agents, config: { factCheck } };
    const said = await speak(result.dir!, answers[turn]!, settings);
    assert.ok(!said.left);
    result = await said.convening.run();
  }
  assert.deepEqual(asked, Object.keys(answers));
  assert.equal(result.status, "completed");
  assert.deepEqual(await namesIn(join(result.dir!, ".inbox")), [".lock"]);
});
